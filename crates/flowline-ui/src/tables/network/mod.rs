//! The network table: the requests of the scope, with a waterfall of their phases.
//!
//! Requests are collected, filtered and sorted on the pool. A request is in the scope if it overlaps the range and one
//! of its markers is on a track of the scope and matches the search.

mod columns;
mod saved_state;
mod tools;
mod waterfall;

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Id, Rangef, Rect, Role, Ui, pos2};

use crate::canvas::chart_menu::marker_entries;
use crate::widgets::menu::{entry, row_menu};
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, Cell, CopyRequest, Scroll, TableColumn, Widths};
use columns::{Column, cell, compare, matches};
use flowline_index::Index;
use flowline_index::flows::elided;
use flowline_index::network::{Network, NetworkRequest, NetworkRequestId, Outcome, parts_of_url};
use flowline_profile::{MarkerId, TimeRange};
use flowline_scene::{Palette, Scope, ScopeKey, ThreadPart};
use flowline_session::{Session, TableFile, Task, Wake, with_margin};
use flowline_view::Command;

/// Inputs of the rows.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    scope: ScopeKey,
    words: Vec<String>,
    sort: (Column, bool),
}

/// Filtered requests, in order.
struct Answer {
    rows: Arc<Vec<NetworkRequestId>>,
    /// Number of requests in the recording.
    total: usize,
    /// Time range of the waterfall: the range of the scope, or from the first start to the last end of the rows.
    range: TimeRange,
}

/// State of the table.
pub struct NetworkTable {
    task: Task<Question, Answer>,
    answer: Option<Answer>,
    sort: (Column, bool),
    filter: String,
    columns: Vec<Column>,
    widths: Widths,
    scroll: Scroll,
    revealed: Option<MarkerId>,
}

impl NetworkTable {
    /// Creates a table; `wake` is called when the rows are ready.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            task: Task::new(wake),
            answer: None,
            sort: (Column::Start, false),
            filter: String::new(),
            columns: Column::USUAL.to_vec(),
            widths: Widths::default(),
            scroll: Scroll::default(),
            revealed: None,
        }
    }

    /// Custom column widths.
    #[must_use]
    pub const fn widths(&self) -> &Widths {
        &self.widths
    }

    /// Custom column widths, mutable.
    pub const fn widths_mut(&mut self) -> &mut Widths {
        &mut self.widths
    }

    /// True while requests are being collected or sorted.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.task.is_running()
    }

    /// Waits until the rows are ready; for headless rendering and tests.
    pub fn wait(&mut self) {
        let mut newest = None;
        self.task.wait(|_, answer| newest = Some(answer));
        newest.into_iter().for_each(|answer| self.set(answer));
    }

    fn set(&mut self, answer: Answer) {
        self.answer = Some(answer);
        self.revealed = None;
    }

    fn follow(&mut self, index: &Arc<Index>, scope: &Scope) {
        let words = self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let question = Question { scope: scope.key(), words, sort: self.sort };
        if !self.task.is_for(&question) {
            let (index, scope, asked) = (Arc::clone(index), scope.clone(), question.clone());
            self.task.replace(question, move |_| answer(&index, &scope, &asked));
        }
        self.poll();
    }

    /// Applies a finished result.
    fn poll(&mut self) {
        if let Some(answer) = self.task.poll_newest() {
            self.set(answer);
        }
    }
}

/// True if a request is in a scope.
fn is_in(index: &Index, scope: &Scope, (id, request): (NetworkRequestId, &NetworkRequest), network: &Network) -> bool {
    let profile = index.profile();
    let has = |marker: &MarkerId| {
        let Some((thread, local)) = profile.locate(*marker) else { return false };
        match scope.part(thread) {
            ThreadPart::Nothing => false,
            ThreadPart::All => true,
            ThreadPart::Some(markers) => markers.binary_search(&local).is_ok(),
        }
    };
    scope.range().is_none_or(|range| range.overlaps(request.start, request.end)) && network.markers(id).iter().any(has)
}

fn answer(index: &Index, scope: &Scope, asked: &Question) -> Answer {
    let (profile, network) = (index.profile(), index.network());
    let is_everything = scope.is_everything();
    let is_shown = |entry: &(NetworkRequestId, &NetworkRequest)| {
        (is_everything || is_in(index, scope, *entry, network)) && matches(profile, entry.1, &asked.words)
    };
    let mut rows: Vec<(NetworkRequestId, &NetworkRequest)> = network.iter().filter(is_shown).collect();
    // Requests are ordered by start, and the sort is stable.
    let (column, descending) = asked.sort;
    rows.sort_by(|a, b| {
        let order = compare(profile, column, a.1, b.1);
        if descending { order.reverse() } else { order }
    });
    // Unfinished requests extend to the end of the recording and would squeeze the others.
    let times = |(_, request): &(NetworkRequestId, &NetworkRequest)| match request.outcome {
        Outcome::Unfinished => TimeRange::new(request.start, request.start),
        Outcome::Finished | Outcome::Failed => TimeRange::new(request.start, request.end),
    };
    let range = scope.range().or(rows.iter().map(times).reduce(TimeRange::union)).unwrap_or_default();
    let rows = rows.into_iter().map(|(id, _)| id).collect();
    Answer { rows: Arc::new(rows), total: network.requests().len(), range }
}

/// Id of the table's widget.
pub(crate) fn network_id() -> Id {
    Id::unique("network table")
}

fn filter_id() -> Id {
    Id::unique("network filter")
}

/// Shows the table; returns the user's commands.
pub(crate) fn show(ui: &mut Ui, session: &Session, state: &mut NetworkTable, palette: &Palette) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    state.poll();
    let copying = tools::show(ui, session, state);
    state.follow(&session.index, session.scope());
    let columns: Vec<TableColumn> = state.columns.iter().map(|column| column.layout()).collect();
    let columns = state.widths.apply(&columns);
    let by = state.columns.iter().position(|column| *column == state.sort.0).unwrap_or(usize::MAX);
    table::wide(ui, &columns, |ui| {
        if let Some(pressed) = table::resizable_header(ui, &columns, (by, state.sort.1), &mut state.widths) {
            let column = state.columns[pressed];
            state.sort = table::pressed(state.sort, column, column.is_amount());
            ui.ctx().request_repaint();
        }
        let (Some(answer), Some(network)) = (&state.answer, session.index.network_if_built()) else {
            return Vec::new();
        };
        if answer.rows.is_empty() {
            ui.add_space(4.0);
            ui.weak(match (answer.total, state.task.is_running()) {
                (0, _) => "This recording has no network requests.",
                (_, true) => "Sorting…",
                _ => "No matching requests.",
            });
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
            if table::text_key(&body.ui, "/") > 0 {
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
        body.finish(is_pressed);
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
                _ => table::cell(ui, rect, spans[at], self.columns[at].kind, &cells[at].shown(), tint),
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

/// All rows in the displayed order with all columns, for export to a file.
fn exported(session: &Session, state: &NetworkTable) -> Option<TableFile> {
    let rows = Arc::clone(&state.answer.as_ref()?.rows);
    let (index, clock) = (Arc::clone(&session.index), session.view.clock());
    let shown: Vec<Column> = Column::ALL.into_iter().filter(|column| *column != Column::Waterfall).collect();
    let columns: Vec<TableColumn> = shown.iter().map(|column| column.layout()).collect();
    Some(table::exported("network", &columns, rows.len(), move |row| {
        let request = index.network().get(rows[row]);
        let cells = |request| shown.iter().map(|column| cell((index.profile(), clock), request, *column)).collect();
        request.map(cells).unwrap_or_default()
    }))
}
