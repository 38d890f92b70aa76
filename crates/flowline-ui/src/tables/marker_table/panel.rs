//! Shows the marker table. Only visible rows are formatted.

use std::sync::Arc;

use egui::{Id, Key, Role, Ui};

use super::cells::{self, cells, layout};
use super::state::MarkerTable;
use super::tools;
use crate::canvas::layout::CanvasWidget;
use crate::canvas::menus::chart_menu::marker_entries;
use crate::tables::active_filters::FilterSet;
use crate::tables::empty_table::no_rows;
use crate::tables::tool_strip::FilterSlot;
use crate::widgets::menu::row_menu;
use crate::widgets::table::{self, Body, Cell, CopyRequest, TableColumn};
use flowline_profile::{MarkerId, Ns};
use flowline_scene::Palette;
use flowline_session::{MarkerColumn, Session};
use flowline_view::Command;

/// Id of the table's widget.
pub(crate) fn table_id() -> Id {
    Id::unique("marker table")
}

/// Shows the table; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    table: &mut MarkerTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    let (index, view) = (&session.index, &session.view);
    let scope = session.scope();
    // A search also finds markers that their schema hides from tables.
    table.follow(index, scope, view.tracks.all_markers || scope.search().is_some());
    table.scroll.follow_opening(ui);
    let mut commands = Vec::new();
    // The panel keeps its height when it is empty and while rows are being sorted.
    ui.set_min_height(ui.available_height());
    commands.extend(tools::show(ui, session, table, slot));
    let by = table.columns.iter().position(|column| *column == table.sort.0).unwrap_or(usize::MAX);
    let columns = layout(&table.columns, table.unit, &table.widths);
    let has_headings = !table.rows.is_empty() || table.orders.is_running();
    table::wide(ui, &columns, |ui| {
        if has_headings
            && let Some(pressed) = table::resizable_header(ui, &columns, (by, table.sort.1), &mut table.widths)
        {
            let column = table.columns[pressed];
            table.sort = table::pressed(table.sort, column, column.is_amount());
        }
        if table.rows.is_empty() {
            if table.orders.is_running() {
                ui.weak("Sorting…");
            } else {
                commands.extend(no_rows(ui, session, None, (FilterSet::Scope, "marker")));
            }
            return commands;
        }
        let rows = Arc::clone(&table.rows);
        let self_times = table.known_self_times.clone();
        let self_times = self_times.as_deref().map(Vec::as_slice);
        let selected = view.selected;
        if let Some(selected) = selected.filter(|selected| table.revealed != Some(*selected)) {
            table.revealed = Some(selected);
            if let Some(row) = rows.iter().position(|row| *row == selected) {
                table.scroll.reveal(row);
            }
        }
        let mut body =
            Body::new(ui, table_id(), Role::Table, || format!("Marker table, {}", table::counted(rows.len(), "row")));
        let mut cursor = None;
        table.scroll.show(&mut body.ui, rows.len(), |ui, number, rect| {
            let id = ui.scope_id().with(("row", rows[number]));
            let is_selected = selected == Some(rows[number]);
            cursor = cursor.or(is_selected.then_some(id));
            let places = (number, rows.len());
            let shown = (table.columns.as_slice(), columns.as_slice(), self_times);
            commands.extend(row(ui, session, rows[number], shown, (id, rect), (is_selected, places), palette));
        });
        if let Some(cursor) = cursor {
            body.announce_cursor(cursor);
        }
        let is_pressed = !commands.is_empty();
        if body.focused {
            commands.extend(keys(&body.ui, session, &rows, selected, table));
        }
        let takes_focus = table.scroll.takes_focus(ui);
        body.finish(is_pressed || takes_focus);
        commands
    })
}

fn row(
    ui: &Ui,
    session: &Session,
    marker: MarkerId,
    (shown, columns, self_times): (&[MarkerColumn], &[TableColumn], Option<&[Ns]>),
    (id, rect): (Id, egui::Rect),
    (selected, places): (bool, (usize, usize)),
    palette: &Palette,
) -> Option<Command> {
    let cells = cells(&session.index, marker, shown, self_times, session.view.clock())?;
    let response = table::row(ui, id, rect, selected, palette);
    table::announce_row(ui, &response, Role::Row, selected, places, || {
        cells.iter().map(Cell::shown).collect::<Vec<_>>().join(", ")
    });
    let spans = table::spans(columns, rect.x_range());
    for (((cell, what), column), span) in cells.iter().zip(shown).zip(columns).zip(spans) {
        let tint = table::tint(palette, cells::is_faint(*what), selected);
        table::cell(ui, rect, span, column.kind, &cell.shown_in(column), tint);
    }
    let mut chosen = None;
    row_menu(&response, table_id(), selected, |ui| chosen = marker_entries(ui, session, marker));
    if chosen.is_some() {
        return chosen;
    }
    if response.double_clicked() {
        return Some(Command::ZoomToMarker(marker));
    }
    response.clicked().then_some(Command::Reveal(marker))
}

/// Arrow keys move the selection, Enter goes to the marker in the chart, Ctrl+C copies the row.
fn keys(
    ui: &Ui,
    session: &Session,
    rows: &[MarkerId],
    selected: Option<MarkerId>,
    table: &MarkerTable,
) -> Option<Command> {
    if let Some(CopyRequest::Row) = table::copying(ui)
        && let Some(cells) = selected.and_then(|marker| {
            let self_times = table.known_self_times.as_deref().map(Vec::as_slice);
            cells(&session.index, marker, &table.columns, self_times, session.view.clock())
        })
    {
        ui.copy_text(table::line(&cells));
    }
    if table::key(ui, Key::Enter) > 0
        && let Some(marker) = selected
    {
        ui.memory_mut(|memory| memory.request_focus(CanvasWidget::Chart.of(session.canvas.pane).id()));
        return Some(Command::Reveal(marker));
    }
    let here = || selected.and_then(|marker| rows.iter().position(|row| *row == marker));
    let moved = table::moved(ui, here, rows.len(), table.scroll.fits)?;
    rows.get(moved).map(|marker| Command::Reveal(*marker))
}
