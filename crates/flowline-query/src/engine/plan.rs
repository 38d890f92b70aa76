//! Plans a query of a user or a link.

use datafusion::common::{Result, exec_err};
use datafusion::dataframe::DataFrame;
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::DFParser;

use super::sql_size;

/// Stack of the threads that plan and run queries, in bytes. Expressions of the greatest depth that is allowed fit into a
/// small part of it.
pub const QUERY_STACK: usize = 64 << 20;

/// Queries only read: saved views and links contain queries, and a recording could be an output by mistake.
fn read_only() -> SQLOptions {
    SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false)
}

fn check(sql: &str) -> Result<()> {
    match sql_size::check(sql) {
        Ok(()) => Ok(()),
        Err(sentence) => exec_err!("{sentence}"),
    }
}

/// Plans a query, on a thread with a stack of [`QUERY_STACK`].
///
/// # Errors
/// If it is invalid, writes anything, or exceeds a limit of depth or size.
pub async fn plan_query(context: &SessionContext, sql: &str) -> Result<DataFrame> {
    check(sql)?;
    context.sql_with_options(sql, read_only()).await
}

/// The statements of a text. A single one keeps its form, so that places in it stay right.
///
/// # Errors
/// If the text is invalid or exceeds a limit of depth or size.
pub fn split_statements(sql: &str) -> Result<Vec<String>> {
    check(sql)?;
    let parsed = DFParser::parse_sql(sql)?;
    if parsed.len() == 1 { Ok(vec![sql.to_owned()]) } else { Ok(parsed.iter().map(ToString::to_string).collect()) }
}
