//! Statistics of counters and flows in the scope: a row per counter series, or per flow kind. They are computed on the
//! pool.

use std::sync::Arc;

use egui::Ui;

use super::rows::{self, Rows};
use super::statistics_result;
use super::subject::Subject;
use crate::commands::ViewAction;
use crate::tables::active_filters::{FilterSet, active_filters};
use crate::tables::empty_table::{NO_FLOWS, no_rows};
use crate::widgets::empty_state;
use crate::widgets::menu::{MenuLabel, entry};
use crate::widgets::table::{self, Cell, CopyRequest, Scroll, TableColumn, Widths};
use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_index::statistics::{
    CounterStatistics, CounterValues, FlowStatistics, RangeRule, TimeStatistics, counters, flows,
};
use flowline_profile::{CounterId, DisplayClock, Ns, Process, Profile};
use flowline_scene::{Palette, Scope, ScopeKey};
use flowline_session::{Job, PoolTask, Session, TableFile, Task, Wake, why_no_flows};
use flowline_view::Command;

/// Inputs of a list. Rules are compared by address; holding the `Arc` keeps the address from being reused.
#[derive(Clone)]
struct Question {
    what: Subject,
    scope: ScopeKey,
    rule: RangeRule,
    rules: Arc<RuleMatcher>,
    /// The clock of displayed times.
    clock: DisplayClock,
}

impl PartialEq for Question {
    fn eq(&self, other: &Self) -> bool {
        (self.what, self.scope, self.rule, self.clock) == (other.what, other.scope, other.rule, other.clock)
            && Arc::ptr_eq(&self.rules, &other.rules)
    }
}

/// A counter, and the first times of the minimum and the maximum of one of its series.
#[derive(Clone, Copy, Debug)]
struct Extremes {
    counter: CounterId,
    min_at: Ns,
    max_at: Ns,
}

/// Cells, and the extremes of a counter with values.
type Row = (Vec<Cell>, Option<Extremes>);

/// Rows of cells, and the row of totals.
#[derive(Clone, Debug, Default)]
struct Listed {
    rows: Vec<Row>,
    totals: Option<Vec<Cell>>,
    /// Columns with the units of their durations.
    columns: Vec<TableColumn>,
}

/// A list of counters or flows, and its display state.
pub(super) struct Lists {
    task: Task<Question, Listed>,
    known: Option<(Question, Listed)>,
    /// Sorted column, and true if descending, of counters and of flows.
    sorts: [(usize, bool); 2],
    cursor: Option<usize>,
    scroll: Scroll,
}

/// Columns of counters.
const COUNTERS: [TableColumn; 14] = [
    TableColumn::text("Counter", 150.0, 1.0),
    TableColumn::text("Series", 90.0, 0.5),
    TableColumn::text("Process", 110.0, 0.5),
    TableColumn::numbers("Samples", 66.0),
    TableColumn::numbers("Invalid", 52.0),
    TableColumn::numbers("Min", 76.0),
    TableColumn::numbers("Mean", 76.0),
    TableColumn::numbers("Max", 76.0),
    TableColumn::numbers("First", 76.0),
    TableColumn::numbers("Last", 76.0),
    TableColumn::numbers("Change", 76.0),
    TableColumn::numbers("Sum", 76.0),
    TableColumn::times("Min at", 112.0),
    TableColumn::times("Max at", 112.0),
];

/// Columns of flows.
const FLOWS: [TableColumn; 19] = [
    TableColumn::text("Kind", 150.0, 1.0),
    TableColumn::numbers("Count", 56.0),
    TableColumn::lengths("Total", 66.0),
    TableColumn::lengths("Mean", 66.0),
    TableColumn::lengths("p50", 66.0),
    TableColumn::lengths("p90", 66.0),
    TableColumn::lengths("p99", 66.0),
    TableColumn::lengths("Max", 66.0),
    TableColumn::lengths("Run mean", 66.0),
    TableColumn::lengths("Run p50", 66.0),
    TableColumn::lengths("Run p90", 66.0),
    TableColumn::lengths("Run p99", 66.0),
    TableColumn::lengths("Wait mean", 66.0),
    TableColumn::lengths("Wait p50", 66.0),
    TableColumn::lengths("Wait p90", 66.0),
    TableColumn::lengths("Wait p99", 66.0),
    TableColumn::lengths("Min", 66.0),
    TableColumn::lengths("Std dev", 66.0),
    TableColumn::lengths("p99.9", 66.0),
];

const fn columns(what: Subject) -> &'static [TableColumn] {
    match what {
        Subject::Flows => &FLOWS,
        Subject::Counters | Subject::Markers => &COUNTERS,
    }
}

impl Lists {
    pub(super) fn new(wake: Wake) -> Self {
        let (task, scroll) = (Task::new(wake), Scroll::default());
        // Counters by name, flows by their total.
        Self { task, known: None, sorts: [(0, false), (2, true)], cursor: None, scroll }
    }

    /// Number of rows; 0 until computed.
    pub(super) fn len(&self) -> usize {
        self.known.as_ref().map_or(0, |(_, listed)| listed.rows.len())
    }

    /// The flow kind under the cursor.
    pub(super) fn kind(&self) -> Option<String> {
        let (question, listed) = self.known.as_ref()?;
        let (row, _) = listed.rows.get(self.cursor?)?;
        row.first().filter(|_| question.what == Subject::Flows).map(|cell| cell.shown().into_owned())
    }

    /// Updates the list to the scope.
    pub(super) fn follow(&mut self, session: &Session, what: Subject, rule: RangeRule) {
        let (scope, rules) = (session.scope(), Arc::clone(&session.flows.rules));
        let clock = session.view.clock();
        let question = Question { what, scope: scope.key(), rule, rules, clock };
        let is_known = self.known.as_ref().is_some_and(|(known, _)| *known == question);
        if !is_known && !self.task.is_for(&question) {
            let (index, scope, asked) = (Arc::clone(&session.index), scope.clone(), question.clone());
            self.task.replace(question, move |running| match asked.what {
                Subject::Flows => list_flows(&index, &scope, &asked, &|| running.is_wanted()),
                Subject::Counters | Subject::Markers => list_counters(&index, &scope, clock),
            });
        }
        self.poll(&session.index);
    }

    fn set(&mut self, question: Question, mut listed: Listed) {
        let rows: Vec<Vec<Cell>> =
            listed.rows.iter().map(|(row, _)| row.clone()).chain(listed.totals.clone()).collect();
        listed.columns = table::in_units(columns(question.what), &rows);
        let before = self.kind();
        sort(&mut listed.rows, self.sorts[sort_place(question.what)]);
        let is_flow = question.what == Subject::Flows;
        self.cursor = before.filter(|_| is_flow).and_then(|kind| {
            listed.rows.iter().position(|(row, _)| row.first().is_some_and(|cell| cell.shown() == kind.as_str()))
        });
        self.scroll.restart(self.cursor);
        self.known = Some((question, listed));
    }

    /// All rows in display order, for export to a file.
    pub(super) fn exported(&self) -> Option<TableFile> {
        let (question, listed) = self.known.as_ref()?;
        let name = match question.what {
            Subject::Flows => "flow-kinds",
            Subject::Counters | Subject::Markers => "counters",
        };
        let rows: Vec<Vec<Cell>> = listed.rows.iter().map(|(cells, _)| cells.clone()).collect();
        Some(table::exported(name, columns(question.what), rows.len(), move |row| rows[row].clone()))
    }
}

impl Job for Lists {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        while let Some((question, listed)) = self.task.poll() {
            self.set(question, listed);
        }
    }
}

const fn sort_place(what: Subject) -> usize {
    matches!(what, Subject::Flows) as usize
}

fn sort(rows: &mut [Row], (column, is_descending): (usize, bool)) {
    rows.sort_by(|(a, _), (b, _)| match (a.get(column), b.get(column)) {
        (Some(a), Some(b)) => a.order(b, is_descending),
        _ => std::cmp::Ordering::Equal,
    });
}

/// Requests of the user.
#[derive(Default)]
pub(super) struct Requested {
    /// True if the flow table should list the flows of the cursor's kind.
    pub(super) lists_flows: bool,
    /// Commands for the view.
    pub(super) commands: Vec<Command>,
}

/// Shows the list; returns the user's requests.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    lists: &mut Lists,
    widths: &mut Widths,
    copying: Option<CopyRequest>,
    palette: &Palette,
) -> Requested {
    let asked = Requested::default();
    let Some((question, listed)) = &lists.known else {
        ui.weak("Counting…");
        return asked;
    };
    let what = question.what;
    if listed.rows.is_empty() {
        let commands = nothing(ui, session, what).into_iter().collect();
        return Requested { commands, ..asked };
    }
    if what == Subject::Counters && session.scope().search().is_some() {
        ui.weak("Search filters markers, not counters.");
    }
    let columns = widths.apply(&listed.columns);
    table::wide(ui, &columns, |ui| show_rows(ui, lists, (&columns, widths), copying, palette, asked))
}

fn show_rows(
    ui: &mut Ui,
    lists: &mut Lists,
    (columns, widths): (&[TableColumn], &mut Widths),
    copying: Option<CopyRequest>,
    palette: &Palette,
    mut asked: Requested,
) -> Requested {
    let Some((question, listed)) = &mut lists.known else { return asked };
    let (what, place) = (question.what, sort_place(question.what));
    if let Some(pressed) = table::resizable_header(ui, columns, lists.sorts[place], widths) {
        let is_amount = columns[pressed].kind != table::ColumnKind::Text;
        lists.sorts[place] = table::pressed(lists.sorts[place], pressed, is_amount);
        sort(&mut listed.rows, lists.sorts[place]);
        lists.cursor = None;
        lists.scroll.restart(None);
    }
    let count = listed.rows.len();
    let name = match what {
        Subject::Flows => format!("Flows, {}", table::counted(count, "kind")),
        Subject::Counters | Subject::Markers => format!("Counters, {count} series"),
    };
    let has_totals = listed.totals.is_some();
    let rows =
        Rows { name: &name, columns, count, has_totals, cursor: lists.cursor, swatch: &|_| None, copying, opens: true };
    let cells = |row: usize| match listed.rows.get(row) {
        Some((cells, _)) => cells.clone(),
        None => listed.totals.clone().unwrap_or_default(),
    };
    let extremes = |row: usize| listed.rows.get(row).and_then(|(_, extremes)| *extremes);
    let entries = |ui: &mut Ui, row: usize| {
        let Some(extremes) = extremes(row) else { return };
        let go_to_maximum = MenuLabel::from(("Go to maximum", ViewAction::Confirm { back: false }));
        for (label, time) in [(go_to_maximum, extremes.max_at), ("Go to minimum".into(), extremes.min_at)] {
            if entry(ui, label, true) {
                asked.commands.push(Command::RevealCounter(extremes.counter, time));
            }
        }
    };
    let done = rows::show(ui, &rows, &mut lists.scroll, palette, cells, entries);
    lists.cursor = done.opened.or(done.moved).or(lists.cursor);
    asked.lists_flows = done.opened.is_some() && what == Subject::Flows;
    let greatest = done.opened.and_then(extremes);
    asked.commands.extend(greatest.map(|extremes| Command::RevealCounter(extremes.counter, extremes.max_at)));
    asked
}

/// Explains an empty list; returns the command that clears a filter if the user asks for it.
fn nothing(ui: &mut Ui, session: &Session, what: Subject) -> Option<Command> {
    let is_empty = match what {
        Subject::Flows => session.index.flows().is_empty(),
        Subject::Counters | Subject::Markers => session.index.profile().counters.is_empty(),
    };
    match (what, is_empty) {
        (Subject::Flows, true) => empty_state(ui, why_no_flows(&session.index), NO_FLOWS, None),
        (Subject::Flows, false) => return no_rows(ui, session, None, (FilterSet::Scope, "flow")),
        (_, true) => empty_state(ui, "This recording has no counters.", "", None),
        (_, false) => {
            let why = "Threads or rows are selected, and counters belong to processes.";
            let clears = empty_state(ui, "No matching counters.", why, Some("Clear filter"));
            let tracks = active_filters(session, FilterSet::Counted).into_iter();
            let mut tracks = tracks.filter(|(_, clear)| matches!(clear, Command::ClearRows | Command::PickThreads(_)));
            return tracks.next().map(|(_, clear)| clear).filter(|_| clears);
        }
    };
    None
}

fn list_counters(index: &Index, scope: &Scope, clock: DisplayClock) -> Listed {
    let found = counters(index, scope.range());
    let rows =
        found.iter().filter(|one| scope.has_counter(one.counter)).map(|one| counter_row(index.profile(), one, clock));
    Listed { rows: rows.collect(), totals: None, columns: Vec::new() }
}

fn counter_row(profile: &Profile, one: &CounterStatistics, clock: DisplayClock) -> Row {
    let counter = &profile.counters[one.counter.index()];
    let process = counter.process.and_then(|process| profile.processes.get(process.index()));
    let process = process.map_or_else(String::new, Process::title);
    let count = |count: u64| Cell::Count(usize::try_from(count).unwrap_or(usize::MAX));
    let value = |of: fn(&CounterValues) -> f64| {
        let shown = |value: f64| Cell::Value { shown: counter.value_text(value), plain: value.to_string() };
        one.values.as_ref().map_or(Cell::Empty, |values| shown(of(values)))
    };
    let amount = |sum: f64| Cell::Value { shown: counter.amount_text(sum), plain: sum.to_string() };
    let series = counter.series.get(one.series).map_or("", |series| series.name.as_str());
    let time = |of: fn(&CounterValues) -> Ns| {
        one.values.as_ref().map_or(Cell::Empty, |values| Cell::Time(clock.show(of(values))))
    };
    let extremes = one.values.as_ref().map(|values| Extremes {
        counter: one.counter,
        min_at: values.min_at,
        max_at: values.max_at,
    });
    let cells = vec![
        Cell::Text(counter.title().to_owned()),
        Cell::Text(series.to_owned()),
        Cell::Text(process),
        count(one.samples),
        if one.invalid == 0 { Cell::Empty } else { count(one.invalid) },
        value(|values| values.min),
        value(|values| values.mean),
        value(|values| values.max),
        value(|values| values.first),
        value(|values| values.last),
        value(CounterValues::change),
        one.values.and_then(|values| values.integral).map_or(Cell::Empty, amount),
        time(|values| values.min_at),
        time(|values| values.max_at),
    ];
    (cells, extremes)
}

fn list_flows(index: &Index, scope: &Scope, asked: &Question, wanted: &(impl Fn() -> bool + Sync)) -> Listed {
    let subject = statistics_result::subject(index, scope, asked.rule);
    // The task discards the result of a canceled computation.
    let found = flows(&subject, index, &asked.rules, wanted).unwrap_or_default();
    let rows: Vec<Row> = found.kinds.iter().map(|one| (flow_row(&one.kind, one), None)).collect();
    let name = format!("All {}", table::counted(rows.len(), "kind"));
    Listed { rows, totals: found.all.map(|all| flow_row(&name, &all)), columns: Vec::new() }
}

fn flow_row(kind: &str, one: &FlowStatistics) -> Vec<Cell> {
    let exact = |time: u64| Cell::Length(i64::try_from(time).unwrap_or(i64::MAX));
    #[expect(clippy::cast_possible_truncation, reason = "rounded for people")]
    let rounded = |time: f64| Cell::Length(time.round() as i64);
    let times =
        |of: &TimeStatistics| [rounded(of.mean), exact(of.spread.p50), exact(of.spread.p90), exact(of.spread.p99)];
    let spread = &one.length.spread;
    let mut cells = vec![
        Cell::Text(kind.to_owned()),
        Cell::Count(usize::try_from(one.count).unwrap_or(usize::MAX)),
        Cell::Length(i64::try_from(one.length.total).unwrap_or(i64::MAX)),
    ];
    cells.extend(times(&one.length));
    cells.push(exact(spread.max));
    cells.extend(times(&one.run).into_iter().chain(times(&one.wait)));
    cells.extend([exact(spread.min), rounded(spread.deviation), exact(spread.p999)]);
    cells
}
