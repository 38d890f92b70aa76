//! Columns of the statistics: headings, cells and sort criteria.

use crate::widgets::table::{Cell, TableColumn};
use flowline_format::{DurationUnit, format_fixed, format_percent};
use flowline_index::statistics::{DurationStatistics, Group};
use flowline_profile::{Ns, TimeRange};

/// A column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Count,
    Total,
    Share,
    SelfTime,
    Cpu,
    Mean,
    Deviation,
    Min,
    P50,
    P90,
    P99,
    P999,
    Max,
    Rate,
    Covered,
    LongestGap,
    Incomplete,
    First,
    Last,
}

impl Number {
    /// All columns, from left to right.
    pub(super) const ALL: [Self; 19] = [
        Self::Count,
        Self::Total,
        Self::Share,
        Self::SelfTime,
        Self::Cpu,
        Self::Mean,
        Self::Deviation,
        Self::Min,
        Self::P50,
        Self::P90,
        Self::P99,
        Self::P999,
        Self::Max,
        Self::Rate,
        Self::Covered,
        Self::LongestGap,
        Self::Incomplete,
        Self::First,
        Self::Last,
    ];

    /// Columns visible by default, without CPU times.
    pub(super) const USUAL: [Self; 9] = [
        Self::Count,
        Self::Total,
        Self::Share,
        Self::SelfTime,
        Self::Mean,
        Self::P50,
        Self::P99,
        Self::Max,
        Self::Covered,
    ];

    /// Columns visible by default, with CPU times if the recording has them.
    pub(super) fn usual(has_cpu: bool) -> Vec<Self> {
        let usual = |number: &Self| Self::USUAL.contains(number) || (has_cpu && *number == Self::Cpu);
        Self::ALL.into_iter().filter(usual).collect()
    }

    /// Heading and tooltip.
    pub(super) const fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::Count => ("Count", "Number of markers"),
            Self::Total => ("Total", "Total length of the markers within the range"),
            Self::Share => ("Share", "Total as a share of the range; exceeds 100 if markers overlap"),
            Self::SelfTime => ("Self", "Total minus the time in direct children"),
            Self::Cpu => ("CPU", "CPU time of whole markers, if recorded"),
            Self::Mean => ("Mean", "Mean length of whole markers, even beyond the range"),
            Self::Deviation => ("Std dev", "Standard deviation of the lengths of whole markers"),
            Self::Min => ("Min", "Shortest length of a whole marker"),
            Self::P50 => ("p50", "Median length of whole markers"),
            Self::P90 => ("p90", "90% of the whole markers are at most this long"),
            Self::P99 => ("p99", "99% of the whole markers are at most this long"),
            Self::P999 => ("p99.9", "99.9% of the whole markers are at most this long"),
            Self::Max => ("Max", "Longest length of a whole marker, even beyond the range"),
            Self::Rate => ("Per second", "Markers per second of the range"),
            Self::Covered => ("Covered", "Time that at least one marker covers"),
            Self::LongestGap => ("Longest gap", "Longest time between two markers that no marker covers"),
            Self::Incomplete => ("Incomplete", "Markers without a recorded start or end"),
            Self::First => ("First", "Earliest start"),
            Self::Last => ("Last", "Latest end"),
        }
    }

    /// The table's column.
    pub(super) const fn column(self) -> TableColumn {
        let title = self.text().0;
        match self {
            Self::Count | Self::Incomplete => TableColumn::numbers(title, 66.0),
            Self::Share => TableColumn::shares(title),
            Self::Rate => TableColumn::numbers(title, 70.0),
            Self::First | Self::Last => TableColumn::times(title, 104.0),
            _ => TableColumn::lengths(title, 76.0),
        }
    }

    /// Unit of the column for these groups.
    pub(super) fn unit<'a>(self, groups: impl Iterator<Item = &'a Group>, span: TimeRange) -> DurationUnit {
        DurationUnit::of_column(groups.filter_map(|group| match self.cell(group, span, Ns(0)) {
            Cell::Length(ns) => Some(ns),
            _ => None,
        }))
    }

    fn length(self, lengths: &DurationStatistics) -> Option<u64> {
        Some(match self {
            Self::Min => lengths.min,
            Self::P50 => lengths.p50,
            Self::P90 => lengths.p90,
            Self::P99 => lengths.p99,
            Self::P999 => lengths.p999,
            Self::Max => lengths.max,
            _ => return None,
        })
    }

    /// Sort key of a group; `None` if it has no value.
    #[expect(clippy::cast_precision_loss, reason = "numbers to order by")]
    pub(super) fn value(self, group: &Group, span: TimeRange) -> Option<f64> {
        match self {
            Self::Count => Some(group.count as f64),
            Self::Total => Some(group.total as f64),
            Self::Share => group.share(span),
            Self::SelfTime => group.self_time.map(|time| time as f64),
            Self::Cpu => group.cpu.map(|time| time as f64),
            Self::Mean => group.mean,
            Self::Deviation => group.lengths.map(|lengths| lengths.deviation),
            Self::Rate => group.rate(span),
            Self::Covered => group.covered.map(|time| time as f64),
            Self::LongestGap => group.longest_gap.map(|time| time as f64),
            Self::Incomplete => Some(group.incomplete as f64),
            Self::First => Some(group.first.0 as f64),
            Self::Last => Some(group.last.0 as f64),
            other => group.lengths.and_then(|lengths| other.length(&lengths)).map(|length| length as f64),
        }
    }

    /// Cell of a group. Times are on the displayed clock, whose time origin is `zero`.
    #[expect(clippy::cast_possible_truncation, reason = "rounded for people")]
    pub(super) fn cell(self, group: &Group, span: TimeRange, zero: Ns) -> Cell {
        let long = |length: i128| Cell::Length(i64::try_from(length).unwrap_or(i64::MAX));
        let optional = |length: Option<i128>| length.map_or(Cell::Empty, long);
        match self {
            Self::Count => Cell::Count(usize::try_from(group.count).unwrap_or(usize::MAX)),
            Self::Incomplete if group.incomplete == 0 => Cell::Empty,
            Self::Incomplete => Cell::Count(usize::try_from(group.incomplete).unwrap_or(usize::MAX)),
            Self::Total => long(group.total),
            Self::Share => group.share(span).map_or(Cell::Empty, |share| Cell::Value {
                shown: format_percent(share),
                plain: format_fixed(share * 100.0, 1),
            }),
            Self::SelfTime => optional(group.self_time),
            Self::Cpu => optional(group.cpu),
            Self::Mean => optional(group.mean.map(|mean| mean.round() as i128)),
            Self::Deviation => optional(group.lengths.map(|lengths| lengths.deviation.round() as i128)),
            Self::Rate => group.rate(span).map_or(Cell::Empty, |rate| Cell::Text(format_fixed(rate, 3))),
            Self::Covered => optional(group.covered.map(i128::from)),
            Self::LongestGap => optional(group.longest_gap.map(i128::from)),
            Self::First => Cell::Time(group.first - zero),
            Self::Last => Cell::Time(group.last - zero),
            other => optional(group.lengths.and_then(|lengths| other.length(&lengths)).map(i128::from)),
        }
    }
}

/// Sort criterion of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SortBy {
    /// Names of a key.
    Key(usize),
    /// A number column.
    Number(Number),
}
