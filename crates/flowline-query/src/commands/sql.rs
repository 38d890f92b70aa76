//! `flowline-query sql FILE... [QUERY]`.

use std::io::Write;
use std::path::{Path, PathBuf};

use datafusion::arrow::csv::WriterBuilder;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::Result;
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::SessionContext;
use flowline_terminal::is_terminal;
use futures::StreamExt as _;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::json::column_values;
use crate::engine::{Opened, Problem, plan_query, problem, split_statements};
use crate::export::writer_properties;

/// The form of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A table for people.
    Table,
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
    Json,
    /// A Parquet file.
    Parquet(PathBuf),
}

/// Most rows that a table on a terminal shows.
const TABLE_ROWS: usize = 1_000;

/// Runs a query and writes its result.
///
/// # Errors
/// A [`Problem`] of the query, or of the output.
pub(crate) fn run(
    runtime: &Runtime,
    opened: &Opened,
    sql: &str,
    form: &Form,
    limit: Option<usize>,
    out: &mut dyn Write,
) -> std::result::Result<(), Problem> {
    let describe = |error: DataFusionError| problem(&error, sql);
    let statements = split_statements(sql).map_err(describe)?;
    for statement in statements {
        runtime
            .block_on(async {
                // Ctrl+C stops the query.
                tokio::select! {
                    result = one(&opened.context, &statement, form, limit, out) => result,
                    _ = tokio::signal::ctrl_c() => Err(DataFusionError::Execution("canceled".into())),
                }
            })
            .map_err(|error| problem(&error, &statement))?;
    }
    Ok(())
}

async fn one(
    context: &SessionContext,
    sql: &str,
    form: &Form,
    limit: Option<usize>,
    out: &mut dyn Write,
) -> Result<()> {
    let frame = plan_query(context, sql).await?;
    let frame = match limit {
        Some(limit) => frame.limit(0, Some(limit))?,
        None => frame,
    };
    match form {
        Form::Table => table(frame, out).await,
        Form::Csv => {
            let mut stream = frame.execute_stream().await?;
            let mut writer = WriterBuilder::new().with_header(true).build(out);
            let mut is_empty = true;
            while let Some(batch) = stream.next().await {
                is_empty = false;
                writer.write(&batch?)?;
            }
            if is_empty {
                writer.write(&RecordBatch::new_empty(stream.schema()))?;
            }
            Ok(())
        }
        Form::Json => {
            let mut stream = frame.execute_stream().await?;
            while let Some(batch) = stream.next().await {
                json_lines(&batch?, out)?;
            }
            Ok(())
        }
        Form::Parquet(path) => parquet(frame, path).await,
    }
}

async fn table(frame: DataFrame, out: &mut dyn Write) -> Result<()> {
    let schema = std::sync::Arc::clone(frame.schema().inner());
    let mut stream = frame.execute_stream().await?;
    let is_limited = is_terminal();
    let mut batches = vec![RecordBatch::new_empty(schema)];
    let (mut rows, mut has_more) = (0, false);
    while let Some(batch) = stream.next().await {
        let batch = batch?;
        let kept = if is_limited { batch.num_rows().min(TABLE_ROWS - rows) } else { batch.num_rows() };
        has_more |= kept < batch.num_rows();
        rows += kept;
        batches.push(batch.slice(0, kept));
        if has_more {
            break;
        }
    }
    writeln!(out, "{}", pretty_format_batches(&batches)?)?;
    let rows = flowline_format::format_counted(rows as u64, "row");
    let note = if has_more { "; there are more, --csv or --json prints all" } else { "" };
    writeln!(out, "{rows}{note}")?;
    Ok(())
}

fn json_lines(batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
    let columns = batch.columns().iter().map(column_values).collect::<Result<Vec<_>>>()?;
    let schema = batch.schema();
    for row in 0..batch.num_rows() {
        // In the order of the columns, which a map would not keep.
        let values = schema.fields().iter().zip(&columns);
        let members = values.map(|(field, column)| format!("{}:{}", Value::from(field.name().as_str()), column[row]));
        writeln!(out, "{{{}}}", members.collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

async fn parquet(frame: DataFrame, path: &Path) -> Result<()> {
    let schema = std::sync::Arc::clone(frame.schema().inner());
    let mut stream = frame.execute_stream().await?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::NamedTempFile::new_in(folder)?;
    let mut writer = ArrowWriter::try_new_with_options(file.reopen()?, schema, writer_properties())?;
    while let Some(batch) = stream.next().await {
        writer.write(&batch?)?;
    }
    writer.close()?;
    file.persist(path).map_err(|error| DataFusionError::IoError(error.error))?;
    Ok(())
}

/// Reads a file with a query.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn read_query(path: &Path) -> std::io::Result<String> {
    if path == Path::new("-") { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(path) }
}
