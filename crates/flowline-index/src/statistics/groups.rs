//! The statistics of groups of markers, computed in two passes.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::keys::{Grouping, KeyValue, Numbers};
use super::pieces::Piece;
use super::spread::{Lengths, Spread, Union};
use super::subject::Subject;
use super::tally::{Tallies, Tally};
use super::{pieces, ranks, self_and_cpu_times, spread, tally};
use flowline_profile::{Ns, TimeRange};

/// The requested columns, in addition to counts, totals, means, and first and last times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Percentiles, standard deviation, covered time, and longest gap.
    pub spread: bool,
    /// Self times.
    pub self_time: bool,
    /// CPU times, which are read from the recording's text.
    pub cpu: bool,
}

impl Columns {
    /// All columns.
    pub const ALL: Self = Self { spread: true, self_time: true, cpu: true };
    /// Only the columns that the first pass computes.
    pub const FIRST: Self = Self { spread: false, self_time: false, cpu: false };
}

/// Statistics of the durations of markers, in nanoseconds. Percentiles are by nearest rank: the ceil(p n)-th smallest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DurationStatistics {
    /// Shortest.
    pub min: u64,
    /// Median.
    pub p50: u64,
    /// 90th percentile.
    pub p90: u64,
    /// 99th percentile.
    pub p99: u64,
    /// 99.9th percentile.
    pub p999: u64,
    /// Longest.
    pub max: u64,
    /// Population standard deviation.
    pub deviation: f64,
}

/// The statistics of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The common values of the markers, one for each key.
    pub key: Vec<KeyValue>,
    /// Number of markers.
    pub count: u64,
    /// Number of timed markers: those that are not instants. Durations, percentiles, and sums refer to them.
    pub timed: u64,
    /// Number of markers whose start or end is not in the recording.
    pub incomplete: u64,
    /// Total time inside the range, in nanoseconds.
    pub total: i128,
    /// Mean of the whole durations in nanoseconds; `None` without timed markers.
    pub mean: Option<f64>,
    /// Earliest start.
    pub first: Ns,
    /// Latest end.
    pub last: Ns,
    /// Total time inside the range in which no direct child is open; `None` if not requested.
    pub self_time: Option<i128>,
    /// Total CPU time of the whole markers; `None` if not requested, or if no marker has a CPU time.
    pub cpu: Option<i128>,
    /// Statistics of the whole durations; `None` if not requested, or without timed markers.
    pub lengths: Option<DurationStatistics>,
    /// Time inside the range in which at least one marker is open; `None` if not requested.
    pub covered: Option<i64>,
    /// The longest time inside the range between two markers, including instants, in which no marker is open; `None` if
    /// not requested, or if there is no gap.
    pub longest_gap: Option<i64>,
}

impl Group {
    fn new(key: Vec<KeyValue>, tally: &Tally) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a mean is not exact")]
        let mean = (tally.timed > 0).then(|| tally.whole as f64 / tally.timed as f64);
        Self {
            key,
            count: tally.count,
            timed: tally.timed,
            incomplete: tally.incomplete,
            total: tally.total,
            mean,
            first: Ns(tally.first),
            last: Ns(tally.last),
            self_time: None,
            cpu: None,
            lengths: None,
            covered: None,
            longest_gap: None,
        }
    }

    fn spread(&mut self, tally: &Tally, union: &Union, lists: &[&[u64]]) {
        self.covered = Some(union.covered);
        self.longest_gap = union.gap;
        self.lengths = ranks::percentiles(lists).map(|[p50, p90, p99, p999]| {
            let deviation = ranks::deviation(lists, tally.timed, self.mean.unwrap_or_default());
            DurationStatistics { min: tally.min, p50, p90, p99, p999, max: tally.max, deviation }
        });
    }

    /// Markers per second of a time span; `None` for a zero-length span.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate is not exact")]
    #[inline]
    pub fn rate(&self, span: TimeRange) -> Option<f64> {
        (!span.is_empty()).then(|| self.count as f64 * 1e9 / span.len() as f64)
    }

    /// Total as a share of a time span; more than one if markers overlap. `None` for a zero-length span.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share is not exact")]
    #[inline]
    pub fn share(&self, span: TimeRange) -> Option<f64> {
        (!span.is_empty()).then(|| self.total as f64 / span.len() as f64)
    }
}

/// The statistics of a subject.
#[derive(Debug)]
pub struct Statistics {
    /// Groups with at least one marker, by descending total, then by descending count, then by key.
    pub groups: Vec<Group>,
    /// All markers as one group. Counts and sums are the sums over the groups; duration statistics, covered time, and gap
    /// are computed from all markers.
    pub totals: Group,
    /// The time span of the scope, to which rates and shares refer.
    pub span: TimeRange,
    /// True if all requested columns are computed.
    pub complete: bool,
    /// The number of each group in `lengths`.
    numbers: Vec<u32>,
    lengths: Lengths,
}

impl Statistics {
    /// The durations of a group's timed markers in nanoseconds, unsorted. Empty if [`Columns::spread`] was not
    /// requested.
    #[must_use]
    #[inline]
    pub fn lengths(&self, group: usize) -> Vec<u64> {
        self.numbers.get(group).map(|number| self.lengths.of(*number).concat()).unwrap_or_default()
    }
}

/// Computes statistics. `part` is called once with counts and totals, before the other columns are computed. `None` if
/// `keep_going` returned `false`.
#[must_use]
pub fn run(
    subject: &Subject<'_>,
    grouping: &Grouping,
    columns: Columns,
    keep_going: &(impl Fn() -> bool + Sync),
    mut part: impl FnMut(&Statistics),
) -> Option<Statistics> {
    let pieces = pieces::cut(subject);
    let numbers = Numbers::new(subject, &pieces, grouping, keep_going)?;
    let tallies = tally::tallies(subject, &pieces, &numbers, keep_going)?;
    let mut found = counts(subject, &numbers, &tallies, keep_going)?;
    if columns == Columns::FIRST {
        return Some(found);
    }
    found.complete = false;
    part(&found);
    let rest = || complete(subject, &pieces, &numbers, columns, keep_going);
    let spread = || columns.spread.then(|| spread::spread(subject, &pieces, &numbers, &tallies, keep_going));
    let (spread, rest) = rayon::join(spread, rest);
    let (self_times, cpu_times) = rest?;
    if let Some(times) = self_times {
        found.totals.self_time = Some(times.iter().sum());
        for (group, number) in found.groups.iter_mut().zip(&found.numbers) {
            group.self_time = Some(times[*number as usize]);
        }
    }
    if let Some(times) = cpu_times {
        found.totals.cpu = times.iter().flatten().copied().reduce(|a, b| a + b);
        for (group, number) in found.groups.iter_mut().zip(&found.numbers) {
            group.cpu = times[*number as usize];
        }
    }
    if let Some(spread) = spread {
        add_spread(&mut found, &tallies, spread?, keep_going)?;
    }
    found.complete = true;
    Some(found)
}

/// Self times and CPU times by group number, if requested.
type Times = (Option<Vec<i128>>, Option<Vec<Option<i128>>>);

fn complete(
    subject: &Subject<'_>,
    pieces: &[Piece],
    numbers: &Numbers<'_>,
    columns: Columns,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Times> {
    let self_times = columns.self_time.then(|| self_and_cpu_times::self_times(subject, numbers, keep_going));
    let cpu_times = columns.cpu.then(|| self_and_cpu_times::cpu_times(subject, pieces, numbers, keep_going));
    // The outer option is `None` if the column was not requested, the inner option if it was canceled.
    let self_times = self_times.map_or(Some(None), |times| times.map(Some))?;
    let cpu_times = cpu_times.map_or(Some(None), |times| times.map(Some))?;
    Some((self_times, cpu_times))
}

/// Number of groups created between two cancellation checks.
const GROUPS: u32 = 1 << 12;

/// Counts and totals, sorted; `None` if `keep_going` returned `false`.
fn counts(
    subject: &Subject<'_>,
    numbers: &Numbers<'_>,
    tallies: &Tallies,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Statistics> {
    let profile = subject.profile();
    let mut groups: Vec<(u32, Group)> = Vec::new();
    for (number, tally) in (0..).zip(&tallies.groups).filter(|(_, tally)| tally.count > 0) {
        // There may be a million groups, so check for cancellation while allocating them.
        if number % GROUPS == 0 && !keep_going() {
            return None;
        }
        groups.push((number, Group::new(numbers.values(profile, number), tally)));
    }
    // Keys are unique, so an unstable sort is deterministic.
    groups.sort_unstable_by(|(_, a), (_, b)| {
        (Reverse((a.total, a.count)), &a.key).cmp(&(Reverse((b.total, b.count)), &b.key))
    });
    let mut all = Tally::default();
    tallies.groups.iter().for_each(|tally| all.merge(tally));
    if all.count == 0 {
        (all.first, all.last) = (subject.span().start.0, subject.span().start.0);
    }
    let (numbers, groups) = groups.into_iter().unzip();
    let totals = Group::new(Vec::new(), &all);
    Some(Statistics { groups, totals, span: subject.span(), complete: true, numbers, lengths: Lengths::default() })
}

fn add_spread(
    found: &mut Statistics,
    tallies: &Tallies,
    spread: Spread,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<()> {
    let Statistics { groups, totals, numbers, .. } = found;
    let of_group = |(group, number): (&mut Group, &u32)| {
        let (tally, union) = (&tallies.groups[*number as usize], &spread.unions[*number as usize]);
        keep_going().then(|| group.spread(tally, union, &spread.lengths.of(*number)))
    };
    groups.par_iter_mut().zip(&*numbers).with_max_len(8).map(of_group).collect::<Option<()>>()?;
    let mut all = Tally::default();
    tallies.groups.iter().for_each(|tally| all.merge(tally));
    totals.spread(&all, &spread.all, &spread.lengths.all());
    found.lengths = spread.lengths;
    Some(())
}
