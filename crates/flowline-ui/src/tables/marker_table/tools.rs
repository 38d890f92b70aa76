//! Toolbar of the marker table: columns, export, and the number of hidden markers.

use std::sync::Arc;

use egui::{Button, RichText, Ui};

use super::state::MarkerTable;
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widgets::table;
use flowline_profile::MarkerSurface;
use flowline_session::{ExportColumn, ExportedRows, Job, MarkerColumn, Session, TableFile};
use flowline_view::Command;

/// Shows the toolbar; returns the user's command.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut MarkerTable,
    slot: &mut FilterSlot<'_>,
) -> Option<Command> {
    let mut strip = (state, None);
    let mut tools = Tools::new("markers");
    if let Some(count) = hidden(session).filter(|_| session.search().is_none()) {
        tools.add("show all", |ui, (_, shown)| {
            *shown = ui.add(Button::new("Show all")).clicked().then_some(Command::ShowAllMarkers(true));
        });
        let text = format!("{} hidden by the recording's marker schemas", table::counted(count, "marker"));
        tools.add_text("hidden", RichText::new(text).small().weak());
    }
    tool_strip::show(ui, slot, &mut strip, tools, |ui, (state, _): &mut (&mut MarkerTable, Option<Command>)| {
        // While a sort is running, the current rows may belong to a previous scope.
        let is_ready = !state.rows.is_empty() && !state.is_busy();
        table::export_button(ui, is_ready, || {
            let (index, rows) = (Arc::clone(&session.index), Arc::clone(&state.rows));
            let shown = state.columns.iter().flat_map(|column| column.exported());
            let mut columns: Vec<ExportColumn> = Vec::new();
            for column in shown.map(|column| ExportColumn::Known(*column)) {
                // The process and thread columns both export the process.
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
            TableFile {
                name: "markers",
                rows: ExportedRows::Markers { index, rows, columns, clock: session.view.clock() },
            }
        });
        column_menu(ui, state);
        let count = if state.is_busy() { "Sorting…".to_owned() } else { table::counted(state.rows.len(), "row") };
        ui.label(RichText::new(count).small().weak());
    });
    strip.1
}

/// The number of markers that their schema hides from tables; `None` if there are none.
fn hidden(session: &Session) -> Option<usize> {
    let count = session.hidden_markers(MarkerSurface::Table);
    (count > 0 && !session.view.tracks.all_markers).then_some(count)
}

/// The column menu; the last visible column cannot be hidden.
fn column_menu(ui: &mut Ui, state: &mut MarkerTable) {
    table::column_menu(ui, |ui| {
        for column in MarkerColumn::ALL {
            let mut is_shown = state.columns.contains(&column);
            let is_last = is_shown && state.columns.len() == 1;
            let entry = ui.add_enabled(!is_last, egui::Checkbox::new(&mut is_shown, column.title()));
            if entry.changed() {
                let mut columns = state.columns.clone();
                columns.retain(|shown| *shown != column);
                columns.extend(is_shown.then_some(column));
                state.set_columns(&columns);
            }
        }
        ui.separator();
        if ui.button("Reset columns").clicked() {
            state.set_columns(&[]);
        }
        if ui.button("Reset column widths").clicked() {
            state.widths.clear();
        }
    });
}
