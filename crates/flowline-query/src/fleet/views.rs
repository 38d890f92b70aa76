//! The views of `fleet/views.sql` that are queries over the tables, the same on all engines.

use datafusion::common::Result;
use datafusion::prelude::SessionContext;

const VIEWS: &str = include_str!("../../../../fleet/views.sql");
const BEGIN: &str = "\nCREATE OR REPLACE TEMPORARY VIEW ";

/// A view.
struct View {
    name: &'static str,
    sql: &'static str,
}

/// The views in the order of the file; a view refers only to earlier ones.
fn views() -> impl Iterator<Item = View> {
    VIEWS.split(BEGIN).skip(1).filter_map(|statement| {
        let (statement, _) = statement.split_once(';')?;
        let (name, sql) = statement.split_once(" AS\n")?;
        (!name.contains(' ')).then_some(View { name, sql })
    })
}

/// Makes the views known to a session, after `change` has changed their queries.
///
/// # Errors
/// If the session lacks a table.
pub(crate) async fn register_views(context: &SessionContext, change: impl Fn(&str) -> String) -> Result<()> {
    for view in views() {
        let query = context.sql(&change(view.sql)).await?;
        // A session that already has the view gets the changed one.
        let _earlier = context.deregister_table(view.name)?;
        context.register_table(view.name, query.into_view())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_queries_without_the_comments_between_them() {
        let found: Vec<View> = views().collect();
        assert_eq!(found.iter().map(|view| view.name).collect::<Vec<_>>(), ["regression_side", "regression_value"]);
        assert!(found.iter().all(|view| view.sql.starts_with("SELECT") || view.sql.starts_with("WITH")));
    }
}
