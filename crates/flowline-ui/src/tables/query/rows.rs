//! The rows of a result. Only those on screen are formatted.

use egui::{Id, Key, Rect, Role, Ui};

use super::cells::{cells, columns, meanings, raw};
use super::export;
use super::places::Meaning;
use super::state::QueryTable;
use crate::canvas::menus::chart_menu::marker_entries;
use crate::widgets::menu::{entry, row_menu};
use crate::widgets::table::{self, Body, Cell, CopyRequest, Format, NamedColumn};
use flowline_scene::Palette;
use flowline_session::{PlaceColumns, QueryResult, QueryRun, RowTarget, Session, with_margin};
use flowline_view::Command;

/// Id of the table's widget.
pub(crate) fn query_id() -> Id {
    Id::unique("query result")
}

/// The command that shows what a row is about.
fn reveal(target: RowTarget) -> Command {
    match target {
        RowTarget::Marker(marker) => Command::Reveal(marker),
        RowTarget::Range(range) => Command::RevealRange(range),
    }
}

/// The command that zooms to what a row is about.
fn zoom(target: RowTarget) -> Command {
    match target {
        RowTarget::Marker(marker) => Command::ZoomToMarker(marker),
        RowTarget::Range(range) => Command::ZoomTo(with_margin(range)),
    }
}

/// Inputs for the rows of a result.
struct Rows<'a> {
    session: &'a Session,
    result: &'a QueryResult,
    places: PlaceColumns,
    meanings: &'a [Meaning],
    columns: &'a [NamedColumn<'a>],
    palette: &'a Palette,
}

impl Rows<'_> {
    fn cells(&self, row: usize) -> Vec<Cell> {
        cells(self.result, row, self.meanings, self.session.view.clock())
    }

    fn target(&self, row: usize) -> Option<RowTarget> {
        let index = &self.session.index;
        self.places.target(self.result, row, (index.profile(), index.extent().end))
    }

    /// A row as screen readers announce it.
    fn sentence(&self, cells: &[Cell]) -> String {
        let filled = self.columns.iter().zip(cells).filter(|(_, cell)| **cell != Cell::Empty);
        let parts = filled.map(|(column, cell)| match column.kind {
            table::ColumnKind::Text => cell.shown().into_owned(),
            _ => format!("{} {}", column.title, cell.shown()),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    /// Draws a row; returns the user's command, and true if the row was pressed.
    fn show(
        &self,
        ui: &Ui,
        row: usize,
        (widget, rect): (Id, Rect),
        (is_cursor, places): (bool, (usize, usize)),
    ) -> (Option<Command>, bool) {
        let cells = self.cells(row);
        let mut response = table::row(ui, widget, rect, is_cursor, self.palette);
        table::announce_row(ui, &response, Role::Row, is_cursor, places, || self.sentence(&cells));
        let pointer = response.hover_pos();
        for (at, span) in table::spans(self.columns, rect.x_range()).into_iter().enumerate() {
            let (column, shown) = (&self.columns[at], cells[at].shown_in(&self.columns[at]));
            table::cell(ui, rect, span, column.kind, &shown, table::tint(self.palette, false, is_cursor));
            if pointer.is_some_and(|pointer| span.contains(pointer.x)) {
                let kind = self.result.columns()[at].kind;
                response = match raw(self.result.get(row, at), self.meanings[at], kind) {
                    Some(raw) => response.on_hover_text_at_pointer(raw),
                    None => table::explain_cell(ui, response, span, &shown),
                };
            }
        }
        let target = self.target(row);
        let mut chosen = None;
        row_menu(&response, query_id(), is_cursor, |ui| {
            if entry(ui, "Copy row", true) {
                ui.ctx().copy_text(table::line(&cells));
            }
            match target {
                Some(RowTarget::Marker(marker)) => chosen = marker_entries(ui, self.session, marker),
                Some(target) => {
                    let entries = [("Show in chart", reveal(target)), ("Zoom to range", zoom(target))];
                    for (text, command) in entries {
                        chosen = if entry(ui, text, true) { Some(command) } else { chosen.take() };
                    }
                }
                None => {}
            }
        });
        if chosen.is_some() {
            return (chosen, false);
        }
        if response.double_clicked() {
            return (target.map(zoom), true);
        }
        (target.filter(|_| response.clicked()).map(reveal), response.clicked())
    }
}

/// Shows the rows; returns the user's commands.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    (state, run): (&mut QueryTable, &QueryRun),
    copying: Option<CopyRequest>,
    palette: &Palette,
) -> Vec<Command> {
    state.order.follow(run);
    let result = &run.result;
    let meanings = meanings(result);
    let layout = state.widths.apply(&columns(result, &meanings));
    let sorted = state.order.sort.unwrap_or((usize::MAX, false));
    table::wide(ui, &layout, |ui| {
        if let Some(column) = table::resizable_header(ui, &layout, sorted, &mut state.widths) {
            state.order.press(column);
            ui.ctx().request_repaint();
        }
        let places = session.query.places(result, session.index.profile());
        let shown = Rows { session, result, places, meanings: &meanings, columns: &layout, palette };
        let (order, count) = (state.order.rows(run.id), result.rows());
        let row_at =
            |position: usize| order.as_ref().map_or(Some(position), |rows| rows.get(position).map(|row| *row as usize));
        let position_of = |row: usize| match &order {
            None => Some(row),
            Some(rows) => rows.iter().position(|other| *other as usize == row),
        };
        let name = || format!("Query result, {}", table::counted(count, "row"));
        let mut body = Body::new(ui, query_id(), Role::Table, name);
        let (mut commands, mut cursor_id, mut pressed) = (Vec::new(), None, None);
        let cursor = state.cursor;
        if state.order.has_changed() {
            state.scroll.restart(cursor.and_then(position_of));
        }
        state.scroll.show(&mut body.ui, count, |ui, position, rect| {
            let Some(row) = row_at(position) else { return };
            let (id, is_cursor) = (ui.scope_id().with(("row", row)), cursor == Some(row));
            cursor_id = cursor_id.or(is_cursor.then_some(id));
            let (command, is_pressed) = shown.show(ui, row, (id, rect), (is_cursor, (position, count)));
            commands.extend(command);
            pressed = pressed.or(is_pressed.then_some(row));
        });
        cursor_id.into_iter().for_each(|row| body.announce_cursor(row));
        let is_pressed = pressed.is_some();
        let mut wanted = copying;
        if body.focused {
            let here = || cursor.and_then(position_of);
            if let Some(position) = table::moved(&body.ui, here, count, state.scroll.fits) {
                state.scroll.reveal(position);
                pressed = row_at(position);
                commands.extend(pressed.and_then(|row| shown.target(row)).map(reveal));
            }
            if table::key(&body.ui, Key::Enter) > 0 {
                commands.extend(cursor.and_then(|row| shown.target(row)).map(zoom));
            }
            wanted = wanted.or_else(|| table::copying(&body.ui));
        }
        if let Some(row) = pressed {
            state.cursor = Some(row);
            body.ui.ctx().request_repaint();
        }
        match wanted {
            Some(CopyRequest::Row) => {
                cursor.into_iter().for_each(|row| body.ui.copy_text(table::line(&shown.cells(row))));
            }
            Some(CopyRequest::All(Format::Tsv)) => {
                body.ui.copy_text(export::tsv(result, order.as_deref(), table::LIMIT));
            }
            Some(CopyRequest::All(format)) => {
                let rows = (0..count.min(table::LIMIT)).filter_map(row_at);
                let rows: Vec<Vec<Cell>> = rows.map(|row| shown.cells(row)).collect();
                body.ui.copy_text(table::write(format, &layout, &rows, count));
            }
            None => {}
        }
        body.finish(is_pressed);
        commands
    })
}
