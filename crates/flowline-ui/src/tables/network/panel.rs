//! Shows the network table.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Id, Key, Rangef, Rect, Role, Ui, pos2};

use super::columns::{Column, cell};
use super::state::{NetworkTable, filter_id, network_id};
use super::{tools, waterfall};
use crate::canvas::menus::chart_menu::marker_entries;
use crate::tables::active_filters::FilterSet;
use crate::tables::empty_table::no_rows;
use crate::tables::tool_strip::FilterSlot;
use crate::widgets::empty_state;
use crate::widgets::menu::{entry, row_menu};
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, Cell, CopyRequest, TableColumn};
use flowline_index::flows::elided;
use flowline_index::network::{Network, NetworkRequest, NetworkRequestId, parts_of_url};
use flowline_profile::TimeRange;
use flowline_scene::Palette;
use flowline_session::{Job, Session, with_margin};
use flowline_view::Command;

/// Shows the table; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut NetworkTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    state.poll(&session.index);
    state.scroll.follow_opening(ui);
    let copying = tools::show(ui, session, state, slot);
    state.follow(&session.index, session.scope());
    let unit = state.answer.as_ref().map_or_else(Default::default, |answer| answer.unit);
    let columns: Vec<TableColumn> = state.columns.iter().map(|column| column.layout().in_unit(unit)).collect();
    let columns = state.widths.apply(&columns);
    let by = state.columns.iter().position(|column| *column == state.sort.0).unwrap_or(usize::MAX);
    let is_sorting = state.task.is_running();
    let is_empty = state.answer.as_ref().map(|answer| answer.rows.is_empty() && (answer.total == 0 || !is_sorting));
    let has_headings = is_empty != Some(true);
    table::wide(ui, &columns, |ui| {
        if has_headings
            && let Some(pressed) = table::resizable_header(ui, &columns, (by, state.sort.1), &mut state.widths)
        {
            let column = state.columns[pressed];
            state.sort = table::pressed(state.sort, column, column.is_amount());
            ui.ctx().request_repaint();
        }
        let (Some(answer), Some(network)) = (&state.answer, session.index.network_if_built()) else {
            return Vec::new();
        };
        if answer.rows.is_empty() {
            match (answer.total, state.task.is_running()) {
                (0, _) => {
                    let why = "Firefox records them with the feature “Network”, Chrome in every trace of DevTools.";
                    empty_state(ui, "This recording has no network requests.", why, None);
                }
                (_, true) => _ = ui.weak("Sorting…"),
                _ => {
                    return no_rows(ui, session, Some(&mut state.filter), (FilterSet::Scope, "request"))
                        .into_iter()
                        .collect();
                }
            }
            return Vec::new();
        }
        let (rows, range) = (Arc::clone(&answer.rows), answer.range);
        let selected = session.view.selected;
        let cursor = selected.and_then(|marker| network.request_of(marker));
        let cursor_row = || cursor.and_then(|cursor| rows.iter().position(|row| *row == cursor));
        if selected.is_some() && state.revealed != selected {
            state.revealed = selected;
            cursor_row().into_iter().for_each(|row| state.scroll.reveal(row));
        }
        let shown = Rows { session, network, shown: &state.columns, columns: &columns, range, palette };
        let name = || format!("Network requests, {}", table::counted(rows.len(), "row"));
        let mut body = Body::new(ui, network_id(), Role::Table, name);
        let (mut commands, mut cursor_id) = (Vec::new(), None);
        state.scroll.show(&mut body.ui, rows.len(), |ui, number, rect| {
            let is_cursor = cursor == Some(rows[number]);
            let id = ui.scope_id().with(("row", rows[number].0));
            cursor_id = cursor_id.or(is_cursor.then_some(id));
            commands.extend(shown.show(ui, rows[number], (id, rect), (is_cursor, (number, rows.len()))));
        });
        if let Some(cursor) = cursor_id {
            body.announce_cursor(cursor);
        }
        let is_pressed = !commands.is_empty();
        let mut wanted = copying;
        if body.focused {
            let moved = table::moved(&body.ui, cursor_row, rows.len(), state.scroll.fits);
            let moved = moved.and_then(|row| network.get(*rows.get(row)?));
            commands.extend(moved.map(|request| Command::Reveal(request.marker)));
            wanted = wanted.or_else(|| table::copying(&body.ui));
            if table::key(&body.ui, Key::Enter) > 0 {
                let current = cursor.and_then(|cursor| network.get(cursor));
                commands.extend(current.map(|request| Command::Reveal(request.marker)));
            }
            if table::finds(&body.ui) {
                body.ui.memory_mut(|memory| memory.request_focus(filter_id()));
            }
        }
        match wanted {
            Some(CopyRequest::Row) => {
                let current = cursor.and_then(|cursor| network.get(cursor));
                current.into_iter().for_each(|request| body.ui.copy_text(table::line(&shown.cells(request))));
            }
            Some(CopyRequest::All(format)) => {
                let all = rows.iter().take(table::LIMIT).filter_map(|id| Some(shown.cells(network.get(*id)?)));
                let all: Vec<Vec<Cell>> = all.collect();
                body.ui.copy_text(table::write(format, &columns, &all, rows.len()));
            }
            None => {}
        }
        let takes_focus = state.scroll.takes_focus(ui);
        body.finish(is_pressed || takes_focus);
        commands
    })
}

/// Shared inputs for drawing rows.
struct Rows<'a> {
    session: &'a Session,
    network: &'a Network,
    shown: &'a [Column],
    columns: &'a [TableColumn],
    range: TimeRange,
    palette: &'a Palette,
}

impl Rows<'_> {
    fn cells(&self, request: &NetworkRequest) -> Vec<Cell> {
        let (profile, clock) = (self.session.index.profile(), self.session.view.clock());
        self.shown.iter().map(|column| cell((profile, clock), request, *column)).collect()
    }

    /// A row as screen readers announce it.
    fn sentence(&self, request: &NetworkRequest, cells: &[Cell]) -> String {
        let filled = self.columns.iter().zip(cells).filter(|(_, cell)| **cell != Cell::Empty);
        let mut parts: Vec<String> = filled
            .map(|(column, cell)| match column.kind {
                table::ColumnKind::Text => cell.shown().into_owned(),
                _ => format!("{} {}", column.title, cell.shown()),
            })
            .collect();
        let phases = waterfall::description(request);
        parts.extend((!phases.is_empty() && self.shown.contains(&Column::Waterfall)).then_some(phases));
        parts.join(", ")
    }

    fn show(
        &self,
        ui: &Ui,
        id: NetworkRequestId,
        (widget, rect): (Id, Rect),
        (is_cursor, places): (bool, (usize, usize)),
    ) -> Option<Command> {
        let request = self.network.get(id)?;
        let cells = self.cells(request);
        let response = table::row(ui, widget, rect, is_cursor, self.palette);
        table::announce_row(ui, &response, Role::Row, is_cursor, places, || self.sentence(request, &cells));
        let spans = table::spans(self.columns, rect.x_range());
        for (at, column) in self.shown.iter().enumerate() {
            let tint = table::tint(self.palette, column.is_faint(), is_cursor);
            match column {
                Column::Url => url(ui, rect, spans[at], &request.url, (is_cursor, self.palette)),
                Column::Waterfall => waterfall::paint(ui, rect, spans[at], self.range, request, self.palette),
                _ => table::cell(
                    ui,
                    rect,
                    spans[at],
                    self.columns[at].kind,
                    &cells[at].shown_in(&self.columns[at]),
                    tint,
                ),
            }
        }
        let mut chosen = None;
        row_menu(&response, network_id(), is_cursor, |ui| {
            if entry(ui, "Copy URL", !request.url.is_empty()) {
                ui.ctx().copy_text(request.url.clone());
            }
            chosen = marker_entries(ui, self.session, request.marker);
        });
        if chosen.is_some() {
            return chosen;
        }
        if response.double_clicked() {
            return Some(Command::ZoomTo(with_margin(TimeRange::new(request.start, request.end))));
        }
        response.clicked().then_some(Command::Reveal(request.marker))
    }
}

/// Average width of a URL character in points.
const LETTER: f32 = 6.0;

/// Draws a URL elided in the middle, with its host emphasized.
fn url(ui: &Ui, row: Rect, span: Rangef, url: &str, (is_cursor, palette): (bool, &Palette)) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "letters on a screen")]
    let text = elided(url, (span.span() / LETTER) as usize);
    let (scheme, host, rest) = parts_of_url(&text);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob { wrap: TextWrapping::truncate_at_width(span.span()), ..LayoutJob::default() };
    let has_host = !host.is_empty();
    for (part, is_faint) in [(scheme, true), (host, false), (rest, has_host)] {
        let tint = color(table::tint(palette, is_faint, is_cursor));
        job.append(part, 0.0, TextFormat::simple(font.clone(), tint));
    }
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let top = row.center().y - galley.size().y / 2.0;
    ui.painter().galley(pos2(span.min, top), galley, color(palette.text));
}
