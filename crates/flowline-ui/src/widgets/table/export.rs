//! Table export: the button, and cells as fields of a file.

use std::sync::Arc;

use egui::Ui;

use super::columns::{ColumnKind, NamedColumn};
use super::text::{Cell, plain_title};
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::icon::{Icon, icon_button};
use flowline_session::{ExportedRows, Heading, TableFile};

/// Shows the button that exports all rows to a file; `table` builds the exported table.
pub(crate) fn export_button<T: Into<Option<TableFile>>>(ui: &mut Ui, is_ready: bool, table: impl FnOnce() -> T) {
    let hint = "Save all rows as CSV, TSV, JSON or Markdown";
    let button = |ui: &mut Ui| icon_button(ui, Icon::Export, "Export…", hint);
    if ui.add_enabled_ui(is_ready, button).inner.clicked() {
        table().into().into_iter().for_each(|table| post(ui.ctx(), WidgetRequest::ShowTableDialog(table)));
    }
}

/// A table of cells as a file, in the machine-readable form: times are milliseconds, points in time on the displayed
/// clock, as in the table.
pub(crate) fn exported(
    name: &'static str,
    columns: &[NamedColumn<'_>],
    count: usize,
    row: impl Fn(usize) -> Vec<Cell> + Send + Sync + 'static,
) -> TableFile {
    let is_number = |column: &NamedColumn<'_>| !matches!(column.kind, ColumnKind::Text | ColumnKind::Picture);
    let mut headings: Vec<Heading> = Vec::with_capacity(columns.len());
    for column in columns {
        let mut title = match column.kind {
            // A file outlives the window that shows the clock of its times.
            ColumnKind::Times => format!("{} (ms, displayed clock)", column.title),
            _ => plain_title(column),
        };
        // JSON keys must be unique.
        while headings.iter().any(|heading| heading.title == title) {
            title.push_str(" 2");
        }
        headings.push(Heading { title, is_number: is_number(column) });
    }
    let fields = move |number: usize| row(number).iter().map(|cell| cell.plain().into_owned()).collect();
    TableFile { name, rows: ExportedRows::Texts { headings, count, row: Arc::new(fields) } }
}
