//! The rows of a comparison: a few columns as they are shown, all of them as they are written to a file.

use std::sync::Arc;

use super::compared::Side;
use crate::index::statistics::Group;
use crate::index::statistics::compare::{RankSum, Row, ratio};
use crate::profile::text::format_duration_ns;
use crate::session::TableFile;
use crate::ui::widgets::table::{self, Cell, TableColumn};

/// Columns shown beside those of the keys.
pub(super) const SHOWN: [TableColumn; 10] = [
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

/// A metric of a group: its four columns in files (A, B, difference, ratio) and its value.
struct Metric {
    columns: [TableColumn; 4],
    value: fn(&Group) -> Option<i128>,
    /// Whether it counts, instead of being a length in nanoseconds.
    counts: bool,
}

impl Metric {
    const fn length(titles: [&'static str; 4], value: fn(&Group) -> Option<i128>) -> Self {
        let [a, b, difference, ratio] = titles;
        let columns = [
            TableColumn::lengths(a, 0.0),
            TableColumn::lengths(b, 0.0),
            TableColumn::lengths(difference, 0.0),
            TableColumn::numbers(ratio, 0.0),
        ];
        Self { columns, value, counts: false }
    }

    fn cells(&self, a: Option<&Group>, b: Option<&Group>) -> [Cell; 4] {
        let cell = |value: i128| match self.counts {
            true => Cell::Text(value.to_string()),
            false => Cell::Length(long(value)),
        };
        let (a, b) = (a.and_then(self.value), b.and_then(self.value));
        let optional = |value: Option<i128>| value.map_or(Cell::Empty, cell);
        let both = a.zip(b);
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let by = both.and_then(|(a, b)| ratio(a as f64, b as f64));
        let by = by.map_or(Cell::Empty, |by| Cell::Text(by.to_string()));
        [optional(a), optional(b), optional(both.map(|(a, b)| b - a)), by]
    }
}

/// The metrics in files, after the keys and before what the lengths say.
const METRICS: [Metric; 6] = [
    Metric {
        columns: [
            TableColumn::numbers("Count A", 0.0),
            TableColumn::numbers("Count B", 0.0),
            TableColumn::numbers("Count difference", 0.0),
            TableColumn::numbers("Count ratio", 0.0),
        ],
        value: |group| Some(i128::from(group.count)),
        counts: true,
    },
    Metric::length(["Total A", "Total B", "Total difference", "Total ratio"], |group| Some(group.total)),
    #[expect(clippy::cast_possible_truncation, reason = "rounded to a nanosecond")]
    Metric::length(["Mean A", "Mean B", "Mean difference", "Mean ratio"], |group| {
        group.mean.map(|mean| mean.round() as i128)
    }),
    Metric::length(["p50 A", "p50 B", "p50 difference", "p50 ratio"], |group| {
        group.lengths.map(|lengths| i128::from(lengths.p50))
    }),
    Metric::length(["p99 A", "p99 B", "p99 difference", "p99 ratio"], |group| {
        group.lengths.map(|lengths| i128::from(lengths.p99))
    }),
    Metric::length(["Max A", "Max B", "Max difference", "Max ratio"], |group| {
        group.lengths.map(|lengths| i128::from(lengths.max))
    }),
];

/// What the lengths of both sides say, and where a group is, in files.
const REST: [TableColumn; 3] =
    [TableColumn::text("Status", 0.0, 0.0), TableColumn::numbers("p", 0.0), TableColumn::text("Lengths", 0.0, 0.0)];

fn long(length: i128) -> i64 {
    i64::try_from(length).unwrap_or(if length < 0 { i64::MIN } else { i64::MAX })
}

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

/// The groups of a row.
fn groups<'a>([a, b]: &'a [Side; 2], row: &Row) -> [Option<&'a Group>; 2] {
    [row.a.and_then(|at| a.full.groups.get(at)), row.b.and_then(|at| b.full.groups.get(at))]
}

/// The cells of the keys.
fn keys(sides: &[Side; 2], row: &Row, count: usize) -> impl Iterator<Item = Cell> {
    let names = match (row.a, row.b) {
        (_, Some(b)) => sides[1].names.get(b),
        (Some(a), None) => sides[0].names.get(a),
        (None, None) => None,
    };
    let name = |key: usize| Cell::Text(names.and_then(|names| names.get(key)).cloned().unwrap_or_default());
    (0..count).map(name).collect::<Vec<_>>().into_iter()
}

/// A row as it is shown, with so many keys.
pub(super) fn shown(sides: &[Side; 2], row: &Row, key_count: usize) -> Vec<Cell> {
    let [a, b] = groups(sides, row);
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
    let numbers: [Cell; SHOWN.len()] = [
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
    ];
    keys(sides, row, key_count).chain(numbers).collect()
}

/// A row as it is written to a file.
fn written(sides: &[Side; 2], row: &Row, key_count: usize) -> Vec<Cell> {
    let [a, b] = groups(sides, row);
    let status = match (a, b) {
        (None, _) => "new",
        (_, None) => "vanished",
        _ => "both",
    };
    let lengths = if status == "both" { significance(row.lengths) } else { String::new() };
    let p = row.lengths.map_or(Cell::Empty, |test| Cell::Text(test.p.to_string()));
    let metrics = METRICS.iter().flat_map(|metric| metric.cells(a, b));
    keys(sides, row, key_count).chain(metrics).chain([Cell::Text(status.to_owned()), p, Cell::Text(lengths)]).collect()
}

/// All rows, to be written to a file.
pub(super) fn exported(sides: [Side; 2], rows: Arc<Vec<Row>>, titles: &[&'static str]) -> TableFile {
    let key_columns = titles.iter().map(|title| TableColumn::text(title, 0.0, 0.0));
    let metrics = METRICS.iter().flat_map(|metric| metric.columns);
    let columns: Vec<TableColumn> = key_columns.chain(metrics).chain(REST).collect();
    let key_count = titles.len();
    table::exported("comparison", &columns, rows.len(), move |row| written(&sides, &rows[row], key_count))
}
