//! The marker table: all markers of the scope, sortable by any column.
//!
//! Rows are marker ids, 4 bytes each, sorted on the pool. Only visible rows are formatted.

mod cells;
mod saved_state;
mod tools;

use std::sync::Arc;

use crate::canvas::chart_menu::marker_entries;
use crate::widgets::menu::row_menu;
use crate::widgets::table::{self, Body, CopyRequest, Scroll, TableColumn, Widths};
use cells::{cells, layout};
use egui::{Id, Role, Ui};
use flowline_index::Index;
use flowline_index::nesting::self_times;
use flowline_profile::{HiddenTypes, MarkerId, MarkerSurface, Ns, Profile};
use flowline_scene::{Palette, Scope, ScopeKey};
use flowline_session::Task;
use flowline_session::ordered_shown;
use flowline_session::{MarkerColumn, Session};
use flowline_view::Command;
use rayon::prelude::*;

/// Inputs of the rows; rows with another key are stale.
#[derive(Clone, Debug, PartialEq)]
struct TableKey {
    scope: ScopeKey,
    column: MarkerColumn,
    descending: bool,
    /// True if the table includes markers that their schema hides from tables.
    shows_all: bool,
}

/// State of the table.
pub struct MarkerTable {
    orders: Task<TableKey, Vec<MarkerId>>,
    rows: Arc<Vec<MarkerId>>,
    /// Computes the self times of all markers while their column is visible.
    self_times: Task<(), Vec<Ns>>,
    known_self_times: Option<Arc<Vec<Ns>>>,
    sort: (MarkerColumn, bool),
    /// Visible columns, from left to right.
    columns: Vec<MarkerColumn>,
    widths: Widths,
    scroll: Scroll,
    revealed: Option<MarkerId>,
}

impl MarkerTable {
    /// Creates a table; `wake` is called when the rows have been sorted.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            orders: Task::new(Arc::clone(&wake)),
            rows: Arc::default(),
            self_times: Task::new(wake),
            known_self_times: None,
            sort: (MarkerColumn::Start, false),
            columns: MarkerColumn::USUAL.to_vec(),
            widths: Widths::default(),
            scroll: Scroll::default(),
            revealed: None,
        }
    }

    /// Filtered rows, in order.
    #[must_use]
    pub fn rows(&self) -> &[MarkerId] {
        &self.rows
    }

    /// Visible columns, from left to right.
    #[must_use]
    pub fn columns(&self) -> &[MarkerColumn] {
        &self.columns
    }

    /// Sets the visible columns; an empty list selects the default ones.
    pub fn set_columns(&mut self, columns: &[MarkerColumn]) {
        let columns = if columns.is_empty() { &MarkerColumn::USUAL } else { columns };
        self.columns = MarkerColumn::ALL.into_iter().filter(|column| columns.contains(column)).collect();
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

    fn follow(&mut self, index: &Arc<Index>, scope: &Scope, shows_all: bool) {
        let (column, descending) = self.sort;
        let key = TableKey { scope: scope.key(), column, descending, shows_all };
        if !self.orders.is_for(&key) {
            let (index, scope) = (Arc::clone(index), scope.clone());
            self.orders.replace(key, move |_| {
                let profile = index.profile();
                let hidden =
                    if shows_all { HiddenTypes::default() } else { HiddenTypes::new(profile, MarkerSurface::Table) };
                ordered_shown(profile, &scope, &hidden, (column, descending))
            });
        }
        if let Some(rows) = self.orders.poll_newest() {
            self.set_rows(rows);
        }
        let is_shown = self.columns.contains(&MarkerColumn::SelfTime);
        if is_shown && self.known_self_times.is_none() && !self.self_times.is_for(&()) {
            let index = Arc::clone(index);
            self.self_times.replace((), move |_| all_self_times(index.profile()));
        }
        if let Some(times) = self.self_times.poll_newest() {
            self.known_self_times = Some(Arc::new(times));
        }
    }

    fn set_rows(&mut self, rows: Vec<MarkerId>) {
        self.rows = Arc::new(rows);
        self.revealed = None;
    }

    /// True while rows are being sorted or self times computed.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.orders.is_running() || self.self_times.is_running()
    }

    /// Waits until the rows are sorted; for headless rendering and tests.
    pub fn wait(&mut self) {
        let mut newest = None;
        self.orders.wait(|_, rows| newest = Some(rows));
        newest.into_iter().for_each(|rows| self.set_rows(rows));
        let mut times = None;
        self.self_times.wait(|(), found| times = Some(found));
        self.known_self_times = times.map(Arc::new).or_else(|| self.known_self_times.take());
    }
}

/// Self times of all markers, indexed by marker id.
fn all_self_times(profile: &Profile) -> Vec<Ns> {
    let of_threads: Vec<Vec<Ns>> = profile.threads.par_iter().with_max_len(1).map(self_times).collect();
    of_threads.concat()
}

/// Id of the table's widget.
pub(crate) fn table_id() -> Id {
    Id::unique("marker table")
}

/// Shows the table; returns the user's commands.
pub(crate) fn show(ui: &mut Ui, session: &Session, table: &mut MarkerTable, palette: &Palette) -> Vec<Command> {
    let (index, view) = (&session.index, &session.view);
    let scope = session.scope();
    // A search also finds markers that their schema hides from tables.
    table.follow(index, scope, view.tracks.all_markers || scope.search().is_some());
    let mut commands = Vec::new();
    // The panel keeps its height when it is empty and while rows are being sorted.
    ui.set_min_height(ui.available_height());
    commands.extend(tools::show(ui, session, table));
    let by = table.columns.iter().position(|column| *column == table.sort.0).unwrap_or(usize::MAX);
    let columns = layout(&table.columns, &table.widths);
    table::wide(ui, &columns, |ui| {
        if let Some(pressed) = table::resizable_header(ui, &columns, (by, table.sort.1), &mut table.widths) {
            let column = table.columns[pressed];
            table.sort = table::pressed(table.sort, column, column.is_amount());
        }
        if table.rows.is_empty() {
            let text = if table.orders.is_running() { "Sorting…" } else { "No matching markers." };
            ui.weak(text);
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
        body.finish(is_pressed);
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
    table::announce_row(ui, &response, Role::Row, selected, places, || cells.join(", "));
    let spans = table::spans(columns, rect.x_range());
    for (((text, what), column), span) in cells.iter().zip(shown).zip(columns).zip(spans) {
        let tint = table::tint(palette, cells::is_faint(*what), selected);
        table::cell(ui, rect, span, column.kind, text, tint);
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

/// Arrow keys move the selection, Ctrl+C copies the row.
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
        ui.copy_text(cells.join("\t"));
    }
    let here = || selected.and_then(|marker| rows.iter().position(|row| *row == marker));
    let moved = table::moved(ui, here, rows.len(), table.scroll.fits)?;
    rows.get(moved).map(|marker| Command::Reveal(*marker))
}
