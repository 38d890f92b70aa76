//! Results as files and on the clipboard, with the values that the query returned.

use std::borrow::Cow;
use std::sync::Arc;

use flowline_session::{ExportedRows, Heading, QueryResult, TableFile, tsv_field};

/// The row of a result at a position.
fn row_at(order: Option<&Vec<u32>>, position: usize) -> usize {
    order.and_then(|order| order.get(position)).map_or(position, |row| *row as usize)
}

/// All rows in their order.
pub(super) fn exported(result: &QueryResult, order: Option<Arc<Vec<u32>>>) -> TableFile {
    let mut headings: Vec<Heading> = Vec::with_capacity(result.columns().len());
    for column in result.columns() {
        let mut title = column.name.clone();
        // JSON keys must be unique.
        while headings.iter().any(|heading| heading.title == title) {
            title.push_str(" 2");
        }
        headings.push(Heading { title, is_number: column.kind.is_number() });
    }
    let (count, result) = (result.rows(), result.clone());
    let row = move |position: usize| {
        let row = row_at(order.as_deref(), position);
        (0..result.columns().len()).map(|column| result.get(row, column).plain()).collect()
    };
    TableFile { name: "query", rows: ExportedRows::Texts { headings, count, row: Arc::new(row) } }
}

/// Adds a line of tab-separated fields.
fn add_line<'a>(text: &mut String, fields: impl Iterator<Item = Cow<'a, str>>) {
    for (number, field) in fields.enumerate() {
        if number > 0 {
            text.push('\t');
        }
        tsv_field(text, &field);
    }
    text.push('\n');
}

/// The first rows as tab-separated values.
pub(super) fn tsv(result: &QueryResult, order: Option<&Vec<u32>>, most: usize) -> String {
    let mut text = String::new();
    add_line(&mut text, result.columns().iter().map(|column| Cow::Borrowed(column.name.as_str())));
    for position in 0..result.rows().min(most) {
        let row = row_at(order, position);
        add_line(&mut text, (0..result.columns().len()).map(|column| Cow::Owned(result.get(row, column).plain())));
    }
    text
}
