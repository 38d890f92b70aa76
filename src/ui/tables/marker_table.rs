//! The marker table: every marker of the scope, in any order.
//!
//! Rows are marker ids, 4 bytes each, ordered on the pool; only rows on screen are formatted.

use std::sync::Arc;

use crate::index::Index;
use crate::profile::text::LabelKind;
use crate::profile::{HiddenTypes, MarkerId, Place};
use crate::scene::{Palette, Scope, ScopeKey};
use crate::session::Task;
use crate::session::ordered_shown;
use crate::session::{MarkerColumn, Session};
use crate::session::{duration_text, time_text};
use crate::ui::widgets::table::{self, Body, Copying, Scroll, TableColumn};
use crate::view::Command;
use egui::{Id, Role, Ui};

/// The columns, by [`MarkerColumn`].
const LAYOUT: [TableColumn; 5] = [
    TableColumn::times(MarkerColumn::Start.title(), 112.0),
    TableColumn::lengths(MarkerColumn::Duration.title(), 80.0),
    TableColumn::text(MarkerColumn::Name.title(), 130.0, 1.0),
    TableColumn::text(MarkerColumn::Thread.title(), 130.0, 1.0),
    TableColumn::text(MarkerColumn::Details.title(), 200.0, 2.0),
];

/// What the rows depend on; rows with another key are stale.
#[derive(Clone, Debug, PartialEq)]
struct TableKey {
    scope: ScopeKey,
    column: MarkerColumn,
    descending: bool,
    /// Whether markers are listed whose schema keeps them out of tables.
    shows_all: bool,
}

/// State of the table.
pub struct MarkerTable {
    orders: Task<TableKey, Vec<MarkerId>>,
    rows: Arc<Vec<MarkerId>>,
    sort: (MarkerColumn, bool),
    scroll: Scroll,
    revealed: Option<MarkerId>,
}

impl MarkerTable {
    /// `wake` is called when the rows have been sorted.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            orders: Task::new(wake),
            rows: Arc::default(),
            sort: (MarkerColumn::Start, false),
            scroll: Scroll::default(),
            revealed: None,
        }
    }

    /// The rows shown, in order.
    #[must_use]
    pub fn rows(&self) -> &[MarkerId] {
        &self.rows
    }

    fn follow(&mut self, index: &Arc<Index>, scope: &Scope, shows_all: bool) {
        let (column, descending) = self.sort;
        let key = TableKey { scope: scope.key(), column, descending, shows_all };
        if !self.orders.is_for(&key) {
            let (index, scope) = (Arc::clone(index), scope.clone());
            self.orders.replace(key, move |_| {
                let profile = index.profile();
                let hidden = if shows_all { HiddenTypes::default() } else { HiddenTypes::new(profile, Place::Table) };
                ordered_shown(profile, &scope, &hidden, (column, descending))
            });
        }
        if let Some(rows) = self.orders.poll_newest() {
            self.set_rows(rows);
        }
    }

    fn set_rows(&mut self, rows: Vec<MarkerId>) {
        self.rows = Arc::new(rows);
        self.revealed = None;
    }

    /// Whether the rows are being sorted.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.orders.is_running()
    }

    /// Waits until the rows are sorted; for pictures and tests.
    pub fn wait(&mut self) {
        let mut newest = None;
        self.orders.wait(|_, rows| newest = Some(rows));
        newest.into_iter().for_each(|rows| self.set_rows(rows));
    }
}

/// Id of the table's widget.
pub(crate) fn table_id() -> Id {
    Id::unique("marker table")
}

/// Shows the table; returns the user's commands.
pub(crate) fn show(ui: &mut Ui, session: &Session, table: &mut MarkerTable, palette: &Palette) -> Vec<Command> {
    let (index, view, search) = (&session.index, &session.view, session.search());
    let scope = session.scope();
    // Whoever searches asks for all markers.
    table.follow(index, scope, view.tracks.all_markers || scope.search().is_some());
    let mut commands = Vec::new();
    // The panel keeps its height when it is empty and while rows are being sorted.
    ui.set_min_height(ui.available_height());
    if search.is_none() {
        commands.extend(hidden_line(ui, session));
    }
    let by = MarkerColumn::ALL.iter().position(|column| *column == table.sort.0).unwrap_or(0);
    if let Some(pressed) = table::header(ui, &LAYOUT, (by, table.sort.1)) {
        // The first click on the duration shows the longest markers first.
        let column = MarkerColumn::ALL[pressed];
        table.sort = table::pressed(table.sort, column, column == MarkerColumn::Duration);
    }
    if table.rows.is_empty() {
        let text = if table.orders.is_running() { "Sorting…" } else { "No marker matches." };
        ui.weak(text);
        return commands;
    }
    let rows = Arc::clone(&table.rows);
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
        commands.extend(row(ui, index, rows[number], (id, rect), (is_selected, places), palette));
    });
    if let Some(cursor) = cursor {
        body.announce_cursor(cursor);
    }
    let is_pressed = !commands.is_empty();
    if body.focused {
        commands.extend(keys(&body.ui, index, &rows, selected, table.scroll.fits));
    }
    body.finish(is_pressed);
    commands
}

/// Says how many markers are not listed because of their schema, and lists them on demand.
fn hidden_line(ui: &mut Ui, session: &Session) -> Option<Command> {
    let count = session.hidden_markers(Place::Table);
    if count == 0 || session.view.tracks.all_markers {
        return None;
    }
    ui.horizontal(|ui| {
        ui.add_space(4.0);
        let text = format!("Not listed: {}, which the recording keeps out of tables.", table::counted(count, "marker"));
        ui.label(egui::RichText::new(text).small().weak());
        let button = egui::Button::new(egui::RichText::new("List all").small()).small();
        ui.add(button).clicked().then_some(Command::ShowAllMarkers(true))
    })
    .inner
}

/// The texts of a row, by column.
#[must_use]
pub(crate) fn cells(index: &Index, marker: MarkerId) -> Option<[String; 5]> {
    let profile = index.profile();
    let (thread, local) = profile.locate(marker)?;
    let markers = &profile.thread(thread).markers;
    let process = profile.process_of(thread);
    let name = profile.marker_name(thread, local);
    let details = profile.marker_label(LabelKind::Table, thread, local);
    Some([
        time_text(profile.displayed(markers.start[local.index()])),
        duration_text(profile, thread, local),
        name.to_owned(),
        format!("{} ({} {})", profile.thread(thread).name, process.name, process.pid),
        if details == name { String::new() } else { details },
    ])
}

fn row(
    ui: &Ui,
    index: &Index,
    marker: MarkerId,
    (id, rect): (Id, egui::Rect),
    (selected, places): (bool, (usize, usize)),
    palette: &Palette,
) -> Option<Command> {
    let cells = cells(index, marker)?;
    let response = table::row(ui, id, rect, selected, palette);
    table::announce_row(ui, &response, Role::Row, selected, places, || cells.join(", "));
    let spans = table::spans(&LAYOUT, rect.x_range());
    for ((text, column), span) in cells.iter().zip(MarkerColumn::ALL).zip(spans) {
        let tint = table::tint(palette, matches!(column, MarkerColumn::Thread | MarkerColumn::Details), selected);
        table::cell(ui, rect, span, LAYOUT[column as usize].kind, text, tint);
    }
    if response.double_clicked() {
        return Some(Command::ZoomToMarker(marker));
    }
    response.clicked().then_some(Command::Reveal(marker))
}

/// Arrow keys move the selection, Ctrl+C copies the row.
fn keys(ui: &Ui, index: &Index, rows: &[MarkerId], selected: Option<MarkerId>, fits: f64) -> Option<Command> {
    if let Some(Copying::Row) = table::copying(ui)
        && let Some(cells) = selected.and_then(|marker| cells(index, marker))
    {
        ui.copy_text(cells.join("\t"));
    }
    let here = || selected.and_then(|marker| rows.iter().position(|row| *row == marker));
    let moved = table::moved(ui, here, rows.len(), fits)?;
    rows.get(moved).map(|marker| Command::Reveal(*marker))
}
