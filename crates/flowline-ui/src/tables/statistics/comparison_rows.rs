//! Rows of a comparison: the visible columns for display, all columns for export.

use std::sync::Arc;

use super::side::Side;
use crate::widgets::table::{self, Cell, TableColumn};
use flowline_format::DurationUnit;
use flowline_index::statistics::Group;
use flowline_index::statistics::compare::{RankSum, Row, ratio};
use flowline_session::TableFile;

/// A metric of a group: its four columns in files (A, B, difference, ratio) and its value.
struct Metric {
    columns: [TableColumn; 4],
    value: fn(&Group) -> Option<i128>,
    /// True for a count, false for a length in nanoseconds.
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

/// Exported metrics, between the keys and the columns of [`REST`].
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

/// Last exported columns: the status of a group, and the test of its lengths.
const REST: [TableColumn; 3] =
    [TableColumn::text("Status", 0.0, 0.0), TableColumn::numbers("p", 0.0), TableColumn::text("Lengths", 0.0, 0.0)];

fn long(length: i128) -> i64 {
    i64::try_from(length).unwrap_or(if length < 0 { i64::MIN } else { i64::MAX })
}

/// Describes the significance of a difference in length.
fn significance(test: Option<RankSum>) -> String {
    let Some(test) = test else { return "too few to say".to_owned() };
    let direction = if test.greater > 0.5 { "longer" } else { "shorter" };
    match test.p {
        p if p >= 0.05 => format!("not significant (p {p:.2})"),
        p if p < 0.001 => format!("{direction} (p < 0.001)"),
        p => format!("{direction} (p {p:.3})"),
    }
}

/// Groups of a row.
fn groups<'a>([a, b]: &'a [Side; 2], row: &Row) -> [Option<&'a Group>; 2] {
    [row.a.and_then(|at| a.full.groups.get(at)), row.b.and_then(|at| b.full.groups.get(at))]
}

/// Name of a row for a key.
fn name<'a>(sides: &'a [Side; 2], row: &Row, key: usize) -> Option<&'a str> {
    let names = match (row.a, row.b) {
        (_, Some(b)) => sides[1].names.get(b),
        (Some(a), None) => sides[0].names.get(a),
        (None, None) => None,
    };
    names.and_then(|names| names.get(key)).map(String::as_str)
}

/// Cells of the keys.
fn keys(sides: &[Side; 2], row: &Row, count: usize) -> impl Iterator<Item = Cell> {
    let cell = |key: usize| Cell::Text(name(sides, row, key).unwrap_or_default().to_owned());
    (0..count).map(cell).collect::<Vec<_>>().into_iter()
}

/// A displayed column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// Number of a metric, and of one of its four columns: A, B, difference, ratio.
    Metric(usize, usize),
    /// Significance of the difference in lengths.
    Lengths,
}

impl Column {
    /// Columns visible by default.
    pub(super) const USUAL: [Self; 9] = [
        Self::Metric(0, 0),
        Self::Metric(0, 1),
        Self::Metric(1, 0),
        Self::Metric(1, 1),
        Self::Metric(1, 2),
        Self::Metric(1, 3),
        Self::Metric(3, 0),
        Self::Metric(3, 1),
        Self::Lengths,
    ];

    /// All columns, from left to right.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let metrics = (0..METRICS.len()).flat_map(|metric| (0..4).map(move |part| Self::Metric(metric, part)));
        metrics.chain([Self::Lengths])
    }

    /// Layout of the column.
    pub(super) const fn column(self) -> TableColumn {
        match self {
            Self::Metric(metric, part) => {
                let TableColumn { title, .. } = METRICS[metric].columns[part];
                match (part, METRICS[metric].counts) {
                    (0 | 1, true) => TableColumn::numbers(title, 66.0),
                    (0 | 1, false) => TableColumn::lengths(title, 92.0),
                    (2, true) => TableColumn::numbers(title, 104.0),
                    (2, false) => TableColumn::lengths(title, 124.0),
                    _ => TableColumn::numbers(title, 80.0),
                }
            }
            Self::Lengths => TableColumn::text("Lengths", 150.0, 0.0),
        }
    }

    /// The unit of its durations: A, B and the difference of a metric have the same one, so that they can be compared.
    pub(super) fn unit(self, sides: &[Side; 2], rows: &[Row]) -> DurationUnit {
        let Self::Metric(metric, _) = self else { return DurationUnit::default() };
        let lengths = rows.iter().flat_map(|row| groups(sides, row)).flatten().filter_map(METRICS[metric].value);
        DurationUnit::of_column(lengths.map(long))
    }

    fn cell(self, [a, b]: [Option<&Group>; 2], row: &Row) -> Cell {
        let Self::Metric(metric, part) = self else {
            let says = a.is_some() && b.is_some();
            return Cell::Text(if says { significance(row.lengths) } else { String::new() });
        };
        let Metric { value, counts, .. } = METRICS[metric];
        let of_side = |group: Option<&Group>| match group.and_then(value) {
            Some(count) if counts => Cell::Count(usize::try_from(count).unwrap_or(usize::MAX)),
            Some(length) => Cell::Length(long(length)),
            None => Cell::Empty,
        };
        match part {
            0 => of_side(a),
            1 => of_side(b),
            2 => {
                // A group that exists on one side only counts as 0 on the other.
                let of = |group: Option<&Group>| group.map_or(Some(0), value);
                of(a).zip(of(b)).map_or(Cell::Empty, |(a, b)| match counts {
                    true => Cell::Text(format!("{}{}", if b > a { "+" } else { "" }, b - a)),
                    false => Cell::Difference(long(b - a)),
                })
            }
            _ => match (a, b) {
                (None, _) => Cell::Text("new".to_owned()),
                (_, None) => Cell::Text("vanished".to_owned()),
                _ => self.number([a, b]).map_or(Cell::Empty, |by| Cell::Text(format!("× {by:.2}"))),
            },
        }
    }

    /// Sort key of a row; `None` comes last.
    #[expect(clippy::cast_precision_loss, reason = "numbers to order by, and a ratio")]
    fn number(self, [a, b]: [Option<&Group>; 2]) -> Option<f64> {
        let Self::Metric(metric, part) = self else { return None };
        let of = |group: Option<&Group>| group.and_then(METRICS[metric].value);
        match part {
            0 => of(a).map(|value| value as f64),
            1 => of(b).map(|value| value as f64),
            2 => {
                let (a, b) = (a.map_or(Some(0), |group| of(Some(group)))?, b.map_or(Some(0), |group| of(Some(group)))?);
                Some((b - a) as f64)
            }
            _ => match (a, b) {
                (None, _) => Some(f64::INFINITY),
                (_, None) => Some(0.0),
                _ => ratio(of(a)? as f64, of(b)? as f64),
            },
        }
    }
}

/// Sort criterion of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The largest absolute difference of totals first.
    Difference,
    /// A key.
    Key(usize),
    /// A column.
    Column(Column),
}

/// Sorted row numbers. Rows without a value come last in both directions.
pub(super) fn ordered(sides: &[Side; 2], rows: &[Row], (by, is_descending): (Order, bool)) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(rows.len()).collect();
    match by {
        Order::Difference => return order,
        Order::Key(key) => {
            order.sort_by_cached_key(|at| {
                name(sides, &rows[*at as usize], key).map_or_else(String::new, str::to_lowercase)
            });
            if is_descending {
                order.reverse();
            }
        }
        Order::Column(Column::Lengths) => {
            // The most significant difference first.
            let p = |at: &u32| rows[*at as usize].lengths.map_or(f64::INFINITY, |test| test.p);
            order.sort_by(|a, b| p(a).total_cmp(&p(b)));
        }
        Order::Column(column) => {
            let value = |at: &u32| column.number(groups(sides, &rows[*at as usize]));
            let values: Vec<Option<f64>> = order.iter().map(value).collect();
            order.sort_by(|a, b| match (values[*a as usize], values[*b as usize]) {
                (Some(a), Some(b)) if is_descending => b.total_cmp(&a),
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
        }
    }
    order
}

/// Displayed cells of a row with `key_count` keys.
pub(super) fn shown(sides: &[Side; 2], row: &Row, key_count: usize, columns: &[Column]) -> Vec<Cell> {
    let numbers = columns.iter().map(|column| column.cell(groups(sides, row), row));
    keys(sides, row, key_count).chain(numbers).collect()
}

/// Exported cells of a row.
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

/// All rows in an order, for export to a file.
pub(super) fn exported(sides: [Side; 2], rows: Arc<Vec<Row>>, order: Vec<u32>, titles: &[&'static str]) -> TableFile {
    let key_columns = titles.iter().map(|title| TableColumn::text(title, 0.0, 0.0));
    let metrics = METRICS.iter().flat_map(|metric| metric.columns);
    let columns: Vec<TableColumn> = key_columns.chain(metrics).chain(REST).collect();
    let key_count = titles.len();
    table::exported("comparison", &columns, rows.len(), move |row| {
        written(&sides, &rows[order[row] as usize], key_count)
    })
}
