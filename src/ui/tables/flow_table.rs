//! The table of all flows. It answers questions such as which flow is the longest or crosses the most processes.
//! Counting, filtering and sorting run on the pool; the previous rows stay visible meanwhile. The cursor stays on its
//! flow when rows change.

mod facts;
mod filter;
mod kind_menu;
mod rows;

use std::sync::Arc;

use egui::{Button, Id, Key, Rect, RichText, Role, TextEdit, Ui, WidgetInfo};

use crate::index::Index;
use crate::index::flows::RuleMatcher;
use crate::profile::FlowId;
use crate::scene::{Palette, Scope, ScopeKey, with_alpha};
use crate::session::FlowTitleCache;
use crate::session::Session;
use crate::session::Task;
use crate::ui::widgets::style::color;
use crate::ui::widgets::table::{self, Body, Copying, Scroll, TableColumn, Widths, copy_buttons};
use crate::view::{Command, FlowCommand};
use facts::{FlowCounts, Flows};
use filter::Filter;
use rows::RowFormatter;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlowColumn {
    Label,
    Id,
    Start,
    Length,
    Markers,
    Threads,
    Processes,
}

impl FlowColumn {
    const ALL: [Self; 7] =
        [Self::Label, Self::Id, Self::Start, Self::Length, Self::Markers, Self::Threads, Self::Processes];

    /// Title, kind and width of each column.
    const LAYOUT: [TableColumn; 7] = [
        TableColumn::text("Label", 200.0, 2.0),
        TableColumn::text("Id", 120.0, 1.0),
        TableColumn::times("Start", 112.0),
        TableColumn::lengths("Length", 80.0),
        TableColumn::numbers("Markers", 66.0),
        TableColumn::numbers("Threads", 60.0),
        TableColumn::numbers("Processes", 72.0),
    ];

    /// Whether the first click sorts in descending order.
    const fn is_amount(self) -> bool {
        matches!(self, Self::Length | Self::Markers | Self::Threads | Self::Processes)
    }
}

/// Buttons that sort by a column and move to the first row.
const SORT_PRESETS: [(&str, FlowColumn); 5] = [
    ("Longest", FlowColumn::Length),
    ("Most markers", FlowColumn::Markers),
    ("Most threads", FlowColumn::Threads),
    ("Most processes", FlowColumn::Processes),
    ("Start", FlowColumn::Start),
];

/// The filter's hint text and its help.
const FILTER_HINT: &str = "Filter:  text, kind:ipc, dur:>5ms";
const FILTER_HELP: &str = "Flows whose label or id holds the text. Also threads:>3  processes:>1  markers:>10  dur:>5ms, \
    with > >= = <= <, and kind:ipc  -kind:ipc. Words divided by spaces must all hold, a comma means OR. (/ from the table; Enter goes to it)";

/// State of the table.
pub struct FlowTable {
    counts: Arc<FlowCounts>,
    counting: Task<(), FlowCounts>,
    is_counted: bool,
    rows: Arc<Vec<FlowId>>,
    ordering: Task<(String, FlowColumn, bool, ScopeKey), Vec<FlowId>>,
    sort: (FlowColumn, bool),
    filter: String,
    cursor: Option<FlowId>,
    /// The cursor's row, if its flow matches the filter.
    cursor_row: Option<usize>,
    /// Whether the cursor moves to the first row of the next result.
    moves_to_first: bool,
    titles: Arc<FlowTitleCache>,
    widths: Widths,
    scroll: Scroll,
}

impl FlowTable {
    /// `wake` is called when counts or sorted rows are ready.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            counts: Arc::default(),
            counting: Task::new(Arc::clone(&wake)),
            is_counted: false,
            rows: Arc::default(),
            ordering: Task::new(wake),
            sort: (FlowColumn::Start, false),
            filter: String::new(),
            cursor: None,
            cursor_row: None,
            moves_to_first: false,
            titles: Arc::default(),
            widths: Widths::default(),
            scroll: Scroll::default(),
        }
    }

    /// The flows shown, in order.
    #[must_use]
    pub fn rows(&self) -> &[FlowId] {
        &self.rows
    }

    /// The chosen widths of columns.
    #[must_use]
    pub const fn widths(&self) -> &Widths {
        &self.widths
    }

    /// The chosen widths of columns, to change them.
    pub const fn widths_mut(&mut self) -> &mut Widths {
        &mut self.widths
    }

    /// Lists the flows of a kind.
    pub(crate) fn show_kind(&mut self, kind: &str) {
        self.filter = filter::only(kind);
        self.moves_to_first = true;
    }

    /// Whether flows are being counted or sorted.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.counting.is_running() || self.ordering.is_running()
    }

    /// Waits until the rows are ready; for pictures and tests.
    pub fn wait(&mut self) {
        let (mut counts, mut rows) = (None, None);
        self.counting.wait(|(), result| counts = Some(result));
        counts.into_iter().for_each(|counts| self.set_counts(counts));
        self.ordering.wait(|_, result| rows = Some(result));
        rows.into_iter().for_each(|rows| self.set_rows(rows));
    }

    /// Starts counting on first use, then keeps the rows up to date with filter and sort order.
    fn follow(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>, scope: &Scope) {
        if !self.titles.is_for(rules) {
            self.titles = Arc::new(FlowTitleCache::new(rules));
            self.ordering.cancel();
            // Rules decide the kinds.
            self.counting.cancel();
            self.is_counted = false;
        }
        if !self.is_counted && !self.counting.is_for(&()) {
            let (index, rules) = (Arc::clone(index), Arc::clone(rules));
            self.counting.replace((), move |running| facts::count(&index, &rules, &|| running.is_wanted()));
        }
        if let Some(counts) = self.counting.poll_newest() {
            self.set_counts(counts);
        }
        let key = (self.filter.trim().to_owned(), self.sort.0, self.sort.1, scope.key());
        if self.is_counted && !self.ordering.is_for(&key) {
            let (index, rules, counts) = (Arc::clone(index), Arc::clone(rules), Arc::clone(&self.counts));
            let (filter, sort, scope) = (Filter::parse(&key.0), self.sort, scope.clone());
            self.ordering.replace(key, move |running| {
                Flows { index: &index, rules: &rules, counts: &counts }
                    .rows(&filter, &scope, sort, &|| running.is_wanted())
            });
        }
        if let Some(rows) = self.ordering.poll_newest() {
            self.set_rows(rows);
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
    let pressed = tools(ui, session, table);
    table.follow(index, &flows.rules, session.scope());
    let columns = table.widths.apply(&FlowColumn::LAYOUT);
    let by = FlowColumn::ALL.iter().position(|column| *column == table.sort.0).unwrap_or(0);
    if let Some(pressed) = table::resizable_header(ui, &columns, (by, table.sort.1), &mut table.widths) {
        let column = FlowColumn::ALL[pressed];
        table.sort = table::pressed(table.sort, column, column.is_amount());
        ui.ctx().request_repaint();
    }
    let rows = Arc::clone(&table.rows);
    let (counts, titles) = (Arc::clone(&table.counts), Arc::clone(&table.titles));
    let source = Flows { index, rules: &flows.rules, counts: &counts };
    let formatter = RowFormatter { flows: source, titles: &titles, view: &view.flows };
    let mut body =
        Body::new(ui, flows_id(), Role::Table, || format!("Flow table, {}", table::counted(rows.len(), "row")));
    let mut commands = Vec::new();
    if rows.is_empty() {
        body.ui.add_space(4.0);
        body.ui.weak(match (table.is_counted, index.flows().is_empty(), table.is_busy()) {
            (_, true, _) => "This recording has no flows.",
            (false, ..) => "Counting…",
            (true, _, true) => "Sorting…",
            _ => "No flow matches.",
        });
    } else {
        show_rows(&mut body, table, formatter, (&rows, &columns), palette, &mut commands);
    }
    let is_pressed = !commands.is_empty();
    let keyed = if body.focused { keys(&body.ui, table, &rows, &mut commands) } else { None };
    match pressed.or(keyed) {
        Some(Copying::Row) => table.cursor.into_iter().for_each(|flow| ui.copy_text(formatter.line(flow))),
        Some(Copying::All(format)) => {
            let cells = formatter.table(&rows);
            ui.copy_text(table::write(format, &FlowColumn::LAYOUT, &cells, rows.len()));
        }
        None => {}
    }
    body.finish(is_pressed || is_new);
    commands
}

/// Shows filter and buttons above the headings; returns what to copy.
fn tools(ui: &mut Ui, session: &Session, table: &mut FlowTable) -> Option<Copying> {
    let total = session.index.flows().len();
    let mut wanted = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 2.0);
        ui.add_space(4.0);
        let edit = TextEdit::singleline(&mut table.filter).id(filter_id()).hint_text(FILTER_HINT).desired_width(230.0);
        let edit = edit.margin(egui::vec2(6.0, 1.0)).align(egui::Align2::LEFT_CENTER);
        let response = ui.add(edit).on_hover_text(FILTER_HELP);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter flows"));
        let typed = response.has_focus() || response.lost_focus();
        if typed && table::key(ui, Key::Enter) + table::key(ui, Key::ArrowDown) > 0 {
            ui.memory_mut(|memory| memory.request_focus(flows_id()));
        }
        kind_menu::show(ui, &table.counts.kinds, &mut table.filter);
        let shown = match (table.is_counted, table.is_busy()) {
            (false, _) => "Counting…".to_owned(),
            (true, true) => "Sorting…".to_owned(),
            _ if table.rows.len() == total => table::counted(total, "flow"),
            _ => format!("{} of {}", crate::ui::widgets::grouped(table.rows.len()), table::counted(total, "flow")),
        };
        let left = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(egui::vec2(100.0, 18.0), left, |ui| {
            ui.set_min_width(100.0);
            ui.label(RichText::new(shown).small().weak());
        });
        for (text, column) in SORT_PRESETS {
            let is_on = table.sort == (column, column.is_amount());
            if ui.add(Button::new(RichText::new(text).small()).selected(is_on).small()).clicked() {
                table.apply_preset(column);
            }
        }
        ui.add_space(8.0);
        wanted = copy_buttons(ui);
        let is_ready = !table.rows.is_empty() && !table.is_busy();
        table::export_button(ui, is_ready, || rows::exported(session, table));
    });
    wanted
}

fn show_rows(
    body: &mut Body,
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
        if let Some(command) = show_row(ui, formatter, (flow, columns), (id, rect), places, palette) {
            pressed = Some(row);
            commands.push(command);
        }
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
) -> Option<Command> {
    if formatter.view.entered.contains(&flow) {
        ui.painter().rect_filled(rect, 0.0, color(with_alpha(palette.accent, 34)));
    }
    let response = table::row(ui, id, rect, is_cursor, palette);
    let cells = formatter.cells(flow);
    table::announce_row(ui, &response, Role::Row, is_cursor, places, || formatter.sentence(flow, &cells));
    let star = if formatter.view.is_pinned(flow) { "★ " } else { "" };
    let spans = table::spans(columns, rect.x_range());
    for ((cell, column), span) in cells.iter().zip(FlowColumn::ALL).zip(spans) {
        let text = match column {
            FlowColumn::Label => format!("{star}{}", cell.shown()),
            _ => cell.shown().into_owned(),
        };
        let tint = table::tint(palette, column == FlowColumn::Id, is_cursor);
        table::cell(ui, rect, span, FlowColumn::LAYOUT[column as usize].kind, &text, tint);
    }
    if response.double_clicked() {
        let range = formatter.flows.index.flows().range(formatter.flows.index.profile(), flow);
        return Some(Command::ZoomTo(crate::session::with_margin(range)));
    }
    response.clicked().then(|| Command::Flow(FlowCommand::Enter(vec![flow])))
}

/// Handles keys; returns what to copy.
fn keys(ui: &Ui, table: &mut FlowTable, rows: &[FlowId], commands: &mut Vec<Command>) -> Option<Copying> {
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
