//! The statistics of the scope beside those that were kept: what grew, what is new, and whether it is more than noise.

use std::sync::Arc;

use egui::{RichText, Ui};

use super::StatisticsTable;
use super::group_table::key_titles;
use super::rows::{self, Rows};
use crate::index::statistics::compare::{RankSum, Row, compare, ratio};
use crate::index::statistics::{Group, Statistics};
use crate::profile::text::format_duration_ns;
use crate::scene::Palette;
use crate::session::{Session, Task, Wake, time_text};
use crate::ui::widgets::table::{self, Cell, Copying, Scroll, TableColumn};
use crate::view::Command;

/// A scope as a title.
pub(super) fn title(session: &Session) -> String {
    let (scope, zero) = (session.scope(), session.index.profile().shown_zero());
    let time = scope.range().map_or_else(
        || "whole recording".to_owned(),
        |range| format!("{} to {}", time_text(range.start - zero), time_text(range.end - zero)),
    );
    match session.view.search.trim() {
        "" => time,
        search => format!("{time}, \"{search}\""),
    }
}

/// What was kept.
struct Kept {
    full: Arc<Statistics>,
    names: Vec<Vec<String>>,
    title: String,
}

/// Two statistics. They are held, so that no others can be taken for them.
#[derive(Clone)]
struct Pair {
    a: Arc<Statistics>,
    b: Arc<Statistics>,
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.a, &other.a) && Arc::ptr_eq(&self.b, &other.b)
    }
}

/// What statistics are compared with, and the rows.
pub(super) struct Compared {
    kept: Option<Kept>,
    task: Task<Pair, Vec<Row>>,
    rows: Option<(Pair, Arc<Vec<Row>>)>,
    scroll: Scroll,
    cursor: usize,
}

impl Compared {
    pub(super) fn new(wake: Wake) -> Self {
        Self { kept: None, task: Task::new(wake), rows: None, scroll: Scroll::default(), cursor: 0 }
    }

    pub(super) const fn is_on(&self) -> bool {
        self.kept.is_some()
    }

    pub(super) const fn is_busy(&self) -> bool {
        self.task.is_running()
    }

    /// Keeps statistics as A.
    pub(super) fn keep(&mut self, full: Arc<Statistics>, names: Vec<Vec<String>>, title: String) {
        (self.kept, self.rows) = (Some(Kept { full, names, title }), None);
    }

    /// Forgets what was kept.
    pub(super) fn end(&mut self) {
        self.task.cancel();
        (self.kept, self.rows) = (None, None);
    }

    pub(super) fn wait(&mut self) {
        let mut found = None;
        self.task.wait(|key, rows| found = Some((key, Arc::new(rows))));
        self.rows = found.or_else(|| self.rows.take());
    }

    /// The rows of what was kept and other statistics, once they are known.
    fn follow(&mut self, other: &Arc<Statistics>) -> Option<Arc<Vec<Row>>> {
        let pair = Pair { a: Arc::clone(&self.kept.as_ref()?.full), b: Arc::clone(other) };
        let is_known = self.rows.as_ref().is_some_and(|(known, _)| *known == pair);
        if !is_known && !self.task.is_for(&pair) {
            self.task.replace(pair.clone(), {
                let Pair { a, b } = pair.clone();
                move |running| compare(&a, &b, &|| running.is_wanted()).map_or_else(Vec::new, |found| found.rows)
            });
        }
        if let Some((found, rows)) = self.task.poll() {
            self.rows = Some((found, Arc::new(rows)));
        }
        self.rows.as_ref().filter(|(known, _)| *known == pair).map(|(_, rows)| Arc::clone(rows))
    }
}

/// Columns beside those of the keys.
const NUMBERS: [TableColumn; 10] = [
    TableColumn::numbers("Count A", 66.0),
    TableColumn::numbers("Count B", 66.0),
    TableColumn::lengths("Total A", 80.0),
    TableColumn::lengths("Total B", 80.0),
    TableColumn::text("Difference", 86.0, 0.0),
    TableColumn::text("Ratio", 60.0, 0.0),
    TableColumn::lengths("p50 A", 76.0),
    TableColumn::lengths("p50 B", 76.0),
    TableColumn::lengths("Max B", 76.0),
    TableColumn::text("Lengths", 150.0, 0.0),
];

/// Whether a difference in length is more than noise, in words.
fn significance(test: Option<RankSum>) -> String {
    let Some(test) = test else { return "too few to say".to_owned() };
    let direction = if test.greater > 0.5 { "longer" } else { "shorter" };
    match test.p {
        p if p >= 0.05 => format!("no difference (p {p:.2})"),
        p if p < 0.001 => format!("{direction} (p < 0.001)"),
        p => format!("{direction} (p {p:.3})"),
    }
}

fn long(length: i128) -> i64 {
    i64::try_from(length).unwrap_or(if length < 0 { i64::MIN } else { i64::MAX })
}

fn numbers(row: &Row, a: Option<&Group>, b: Option<&Group>) -> [Cell; NUMBERS.len()] {
    let count = |group: Option<&Group>| {
        group.map_or(Cell::Empty, |group| Cell::Count(usize::try_from(group.count).unwrap_or(usize::MAX)))
    };
    let total = |group: Option<&Group>| group.map_or(Cell::Empty, |group| Cell::Length(long(group.total)));
    let length = |group: Option<&Group>, of: fn(&crate::index::statistics::LengthStatistics) -> u64| {
        let lengths = group.and_then(|group| group.lengths.as_ref());
        lengths.map_or(Cell::Empty, |lengths| Cell::Length(i64::try_from(of(lengths)).unwrap_or(i64::MAX)))
    };
    let sign = if row.difference > 0 { "+" } else { "" };
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let ratio = match (a, b) {
        (None, Some(_)) => "new".to_owned(),
        (Some(_), None) => "vanished".to_owned(),
        (Some(a), Some(b)) => ratio(a.total as f64, b.total as f64).map_or_else(String::new, |by| format!("× {by:.2}")),
        (None, None) => String::new(),
    };
    [
        count(a),
        count(b),
        total(a),
        total(b),
        Cell::Text(format!("{sign}{}", format_duration_ns(long(row.difference)))),
        Cell::Text(ratio),
        length(a, |lengths| lengths.p50),
        length(b, |lengths| lengths.p50),
        length(b, |lengths| lengths.max),
        Cell::Text(if a.is_some() && b.is_some() { significance(row.lengths) } else { String::new() }),
    ]
}

/// Shows the comparison.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut StatisticsTable,
    copying: Option<Copying>,
    palette: &Palette,
) -> Vec<Command> {
    let titles = key_titles(state);
    let Some(answer) = &state.answer else { return Vec::new() };
    let compared = &mut state.compared;
    let rows = answer.full.as_ref().and_then(|full| compared.follow(full));
    let Some(kept) = &compared.kept else { return Vec::new() };
    let text = format!("A: {}   B: {}", kept.title, title(session));
    ui.label(RichText::new(text).small().weak());
    let Some(rows) = rows else {
        ui.weak("Comparing…");
        return Vec::new();
    };
    let keys = titles.iter().map(|title| TableColumn::text(title, 170.0, 1.0));
    let columns: Vec<TableColumn> = keys.chain(NUMBERS).collect();
    let cells = |row: &Row| -> Vec<Cell> {
        let names = match (row.a, row.b) {
            (_, Some(b)) => answer.names.get(b),
            (Some(a), None) => kept.names.get(a),
            (None, None) => None,
        };
        let name = |key: usize| names.and_then(|names| names.get(key)).cloned().unwrap_or_default();
        let a = row.a.and_then(|at| kept.full.groups.get(at));
        let b = row.b.and_then(|at| answer.groups.get(at));
        (0..titles.len()).map(|key| Cell::Text(name(key))).chain(numbers(row, a, b)).collect()
    };
    table::plain_header(ui, &columns);
    let count = rows.len();
    let cursor = Some(compared.cursor.min(count.saturating_sub(1)));
    let name = format!("Comparison, {}", table::counted(count, "group"));
    let listed = Rows { name: &name, columns: &columns, count, has_totals: false, cursor, copying };
    let done = rows::show(ui, &listed, &mut compared.scroll, palette, |row| cells(&rows[row]));
    if let Some(row) = done.moved {
        compared.cursor = row;
    }
    Vec::new()
}
