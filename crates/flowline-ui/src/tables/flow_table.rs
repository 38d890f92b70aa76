//! The table of all flows, sortable by length, waits, and the number of processes a flow crosses, among others.
//! Counting, filtering and sorting run on the pool; the previous rows stay visible until they finish. The cursor stays
//! on its flow when rows change.

mod columns;
mod facts;
mod filter;
mod flow_times;
mod kind_menu;
mod rows;
mod saved_state;
mod texts;
mod tools;

use std::sync::Arc;

use egui::{Id, Key, Rect, Response, Role, Ui};

use crate::canvas::flow_menu;
use crate::widgets::menu::row_menu;
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, CopyRequest, Scroll, TableColumn, Widths};
pub use columns::FlowColumn;
use facts::{FlowCounts, Flows};
use filter::Filter;
use flow_times::FlowTimes;
use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_profile::FlowId;
use flowline_scene::{Palette, Scope, ScopeKey, with_alpha};
use flowline_session::Session;
use flowline_session::Task;
use flowline_session::{FlowTitleCache, why_no_flows};
use flowline_view::{Command, FlowCommand};
use rows::RowFormatter;

/// State of the table.
pub struct FlowTable {
    counts: Arc<FlowCounts>,
    counting: Task<(), FlowCounts>,
    is_counted: bool,
    /// Run and wait times of all flows; computed on first use.
    timelines: Option<Arc<[FlowTimes]>>,
    living: Task<(), Vec<FlowTimes>>,
    rows: Arc<Vec<FlowId>>,
    ordering: Task<(String, FlowColumn, bool, ScopeKey), Vec<FlowId>>,
    sort: (FlowColumn, bool),
    filter: String,
    cursor: Option<FlowId>,
    /// The cursor's row, if its flow matches the filter.
    cursor_row: Option<usize>,
    /// True if the cursor moves to the first row of the next result.
    moves_to_first: bool,
    titles: Arc<FlowTitleCache>,
    /// Visible columns, from left to right.
    columns: Vec<FlowColumn>,
    widths: Widths,
    scroll: Scroll,
}

impl FlowTable {
    /// Creates a table; `wake` is called when counts or sorted rows are ready.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            counts: Arc::default(),
            counting: Task::new(Arc::clone(&wake)),
            is_counted: false,
            timelines: None,
            living: Task::new(Arc::clone(&wake)),
            rows: Arc::default(),
            ordering: Task::new(wake),
            sort: (FlowColumn::Start, false),
            filter: String::new(),
            cursor: None,
            cursor_row: None,
            moves_to_first: false,
            titles: Arc::default(),
            columns: FlowColumn::USUAL.to_vec(),
            widths: Widths::default(),
            scroll: Scroll::default(),
        }
    }

    /// Filtered flows, in order.
    #[must_use]
    pub fn rows(&self) -> &[FlowId] {
        &self.rows
    }

    /// Visible columns, from left to right.
    #[must_use]
    pub fn columns(&self) -> &[FlowColumn] {
        &self.columns
    }

    /// Sets the visible columns; an empty list selects the default ones.
    pub fn set_columns(&mut self, columns: &[FlowColumn]) {
        let columns = if columns.is_empty() { &FlowColumn::USUAL } else { columns };
        self.columns = FlowColumn::ALL.into_iter().filter(|column| columns.contains(column)).collect();
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

    /// Filters the table to the flows of a kind.
    pub(crate) fn show_kind(&mut self, kind: &str) {
        self.filter = filter::only(kind);
        self.moves_to_first = true;
    }

    /// True while flows are being counted or sorted.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.counting.is_running() || self.living.is_running() || self.ordering.is_running()
    }

    /// Waits until the rows are ready; for headless rendering and tests.
    pub fn wait(&mut self) {
        let (mut counts, mut timelines, mut rows) = (None, None, None);
        self.counting.wait(|(), result| counts = Some(result));
        counts.into_iter().for_each(|counts| self.set_counts(counts));
        self.living.wait(|(), result| timelines = Some(result));
        timelines.into_iter().for_each(|timelines| self.timelines = Some(timelines.into()));
        self.ordering.wait(|_, result| rows = Some(result));
        rows.into_iter().for_each(|rows| self.set_rows(rows));
    }

    /// Starts counting on first use, then keeps the rows up to date with filter and sort order.
    fn follow(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>, scope: &Scope) {
        if !self.titles.is_for(rules) {
            self.titles = Arc::new(FlowTitleCache::new(rules));
            self.ordering.cancel();
            // Kinds and run times depend on the rules.
            self.counting.cancel();
            self.is_counted = false;
            self.living.cancel();
            self.timelines = None;
        }
        if !self.is_counted && !self.counting.is_for(&()) {
            let (index, rules) = (Arc::clone(index), Arc::clone(rules));
            self.counting.replace((), move |running| facts::count(&index, &rules, &|| running.is_wanted()));
        }
        self.poll();
        let key = (self.filter.trim().to_owned(), self.sort.0, self.sort.1, scope.key());
        let filter = Filter::parse(&key.0);
        let needs_timelines = self.sort.0.needs_timelines() || filter.needs_timelines();
        if needs_timelines || self.columns.iter().any(|column| column.needs_timelines()) {
            self.follow_flow_times(index, rules);
        }
        if self.is_counted && (self.timelines.is_some() || !needs_timelines) && !self.ordering.is_for(&key) {
            let (index, rules, counts) = (Arc::clone(index), Arc::clone(rules), Arc::clone(&self.counts));
            let (timelines, sort, scope) = (self.timelines.clone(), self.sort, scope.clone());
            self.ordering.replace(key, move |running| {
                Flows { index: &index, rules: &rules, counts: &counts, timelines: timelines.as_deref() }.rows(
                    &filter,
                    &scope,
                    sort,
                    &|| running.is_wanted(),
                )
            });
        }
        self.poll();
    }

    /// Applies finished results.
    fn poll(&mut self) {
        if let Some(counts) = self.counting.poll_newest() {
            self.set_counts(counts);
        }
        if let Some(timelines) = self.living.poll_newest() {
            self.timelines = Some(timelines.into());
        }
        if let Some(rows) = self.ordering.poll_newest() {
            self.set_rows(rows);
        }
    }

    /// Starts computing the run and wait times of all flows, once.
    fn follow_flow_times(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>) {
        if self.timelines.is_none() && !self.living.is_for(&()) {
            let (index, rules) = (Arc::clone(index), Arc::clone(rules));
            self.living.replace((), move |running| flow_times::totals(&index, &rules, &|| running.is_wanted()));
        }
    }

    fn set_counts(&mut self, counts: FlowCounts) {
        self.counts = Arc::new(counts);
        self.is_counted = true;
    }

    fn set_rows(&mut self, rows: Vec<FlowId>) {
        self.rows = Arc::new(rows);
        if std::mem::take(&mut self.moves_to_first) || self.cursor.is_none() {
            self.cursor = self.rows.first().copied().or(self.cursor);
        }
        self.cursor_row = self.rows.iter().position(|flow| Some(*flow) == self.cursor);
        self.scroll.reveal(self.cursor_row.unwrap_or(0));
    }

    /// Sorts by a column in its natural direction and moves to the first row.
    fn apply_preset(&mut self, column: FlowColumn) {
        let sort = (column, column.is_amount());
        self.moves_to_first = self.sort != sort;
        self.sort = sort;
        if !self.moves_to_first {
            self.move_to(0);
        }
    }

    fn move_to(&mut self, row: usize) {
        if let Some(flow) = self.rows.get(row) {
            (self.cursor, self.cursor_row) = (Some(*flow), Some(row));
            self.scroll.reveal(row);
        }
    }
}

/// Id of the table's widget.
pub(crate) fn flows_id() -> Id {
    Id::unique("flow table")
}

fn filter_id() -> Id {
    Id::unique("flow filter")
}

/// Shows the table; returns the user's commands.
pub(crate) fn show(ui: &mut Ui, session: &Session, table: &mut FlowTable, palette: &Palette) -> Vec<Command> {
    let (index, view, flows) = (&session.index, &session.view, &session.flows);
    ui.set_min_height(ui.available_height());
    let is_new = table.scroll.is_new(ui);
    if is_new && table.cursor.is_none() {
        table.cursor = view.flows.entered.first().copied();
    }
    table.poll();
    let pressed = tools::show(ui, session, table);
    table.follow(index, &flows.rules, session.scope());
    let columns = columns::layout(&table.columns, &table.widths);
    let by = table.columns.iter().position(|column| *column == table.sort.0).unwrap_or(usize::MAX);
    table::wide(ui, &columns, |ui| {
        if let Some(pressed) = table::resizable_header(ui, &columns, (by, table.sort.1), &mut table.widths) {
            let column = table.columns[pressed];
            table.sort = table::pressed(table.sort, column, column.is_amount());
            ui.ctx().request_repaint();
        }
        let rows = Arc::clone(&table.rows);
        let (counts, titles) = (Arc::clone(&table.counts), Arc::clone(&table.titles));
        let (timelines, shown) = (table.timelines.clone(), table.columns.clone());
        let source = Flows { index, rules: &flows.rules, counts: &counts, timelines: timelines.as_deref() };
        let formatter =
            RowFormatter { flows: source, titles: &titles, view: &view.flows, clock: view.clock(), columns: &shown };
        let mut body =
            Body::new(ui, flows_id(), Role::Table, || format!("Flow table, {}", table::counted(rows.len(), "row")));
        let mut commands = Vec::new();
        if rows.is_empty() {
            body.ui.add_space(4.0);
            body.ui.weak(match (table.is_counted, index.flows().is_empty(), table.is_busy()) {
                (_, true, _) => why_no_flows(index),
                (false, ..) => "Counting…",
                (true, _, true) => "Sorting…",
                _ => "No matching flows.",
            });
        } else {
            show_rows(&mut body, session, table, formatter, (&rows, &columns), palette, &mut commands);
        }
        let is_pressed = !commands.is_empty();
        let keyed = if body.focused { keys(&body.ui, table, &rows, &mut commands) } else { None };
        match pressed.or(keyed) {
            Some(CopyRequest::Row) => table.cursor.into_iter().for_each(|flow| ui.copy_text(formatter.line(flow))),
            Some(CopyRequest::All(format)) => {
                let cells = formatter.table(&rows);
                ui.copy_text(table::write(format, &columns::plain(&shown), &cells, rows.len()));
            }
            None => {}
        }
        body.finish(is_pressed || is_new);
        commands
    })
}

fn show_rows(
    body: &mut Body,
    session: &Session,
    table: &mut FlowTable,
    formatter: RowFormatter<'_>,
    (rows, columns): (&[FlowId], &[TableColumn]),
    palette: &Palette,
    commands: &mut Vec<Command>,
) {
    let (mut cursor_id, mut pressed) = (None, None);
    let cursor = table.cursor;
    table.scroll.show(&mut body.ui, rows.len(), |ui, row, rect| {
        let flow = rows[row];
        let id = ui.scope_id().with(("row", flow));
        let is_cursor = cursor == Some(flow);
        if is_cursor {
            cursor_id = Some(id);
        }
        let places = (is_cursor, (row, rows.len()));
        let (response, command) = show_row(ui, formatter, (flow, columns), (id, rect), places, palette);
        if let Some(command) = command {
            pressed = Some(row);
            commands.push(command);
        }
        row_menu(&response, flows_id(), is_cursor, |ui| commands.extend(flow_menu::entries(ui, session, flow)));
    });
    if let Some(row) = pressed {
        table.move_to(row);
    }
    if let Some(cursor) = cursor_id {
        body.announce_cursor(cursor);
    }
}

fn show_row(
    ui: &Ui,
    formatter: RowFormatter<'_>,
    (flow, columns): (FlowId, &[TableColumn]),
    (id, rect): (Id, Rect),
    (is_cursor, places): (bool, (usize, usize)),
    palette: &Palette,
) -> (Response, Option<Command>) {
    if formatter.view.entered.contains(&flow) {
        ui.painter().rect_filled(rect, 0.0, color(with_alpha(palette.accent, 34)));
    }
    let response = table::row(ui, id, rect, is_cursor, palette);
    let cells = formatter.cells(flow);
    table::announce_row(ui, &response, Role::Row, is_cursor, places, || formatter.sentence(flow, &cells));
    let star = if formatter.view.is_pinned(flow) { "★ " } else { "" };
    let spans = table::spans(columns, rect.x_range());
    for (((cell, column), placed), span) in cells.iter().zip(formatter.columns).zip(columns).zip(spans) {
        let text = match column {
            FlowColumn::Label => format!("{star}{}", cell.shown()),
            _ => cell.shown().into_owned(),
        };
        let tint = table::tint(palette, column.is_faint(), is_cursor);
        table::cell(ui, rect, span, placed.kind, &text, tint);
    }
    if response.double_clicked() {
        let range = formatter.flows.index.flows().range(formatter.flows.index.profile(), flow);
        return (response, Some(Command::ZoomTo(flowline_session::with_margin(range))));
    }
    let entered = response.clicked().then(|| Command::Flow(FlowCommand::Enter(vec![flow])));
    (response, entered)
}

/// Handles keys; returns the copy request.
fn keys(ui: &Ui, table: &mut FlowTable, rows: &[FlowId], commands: &mut Vec<Command>) -> Option<CopyRequest> {
    if let Some(row) = table::moved(ui, || table.cursor_row, rows.len(), table.scroll.fits) {
        table.move_to(row);
        ui.ctx().request_repaint();
    }
    let slash = |event: &egui::Event| matches!(event, egui::Event::Text(text) if text == "/");
    let finds =
        ui.input(|input| input.events.iter().any(slash) || (input.modifiers.command && input.key_pressed(Key::F)));
    if finds {
        ui.memory_mut(|memory| memory.request_focus(filter_id()));
    }
    let flow = table.cursor.filter(|_| table.cursor_row.is_some());
    if table::key(ui, Key::Enter) > 0 {
        commands.extend(flow.map(|flow| Command::Flow(FlowCommand::Enter(vec![flow]))));
    }
    if table::key(ui, Key::P) > 0 {
        commands.extend(flow.map(|flow| Command::Flow(FlowCommand::TogglePin(flow))));
    }
    table::copying(ui)
}
