//! Statistics of some markers by group: counts, sums, exact percentiles, self and CPU times, busy times and gaps; the
//! distribution of a group, and examples of it; counters and flows of the same scope; and comparisons of two scopes.
//!
//! A [`Subject`] says which markers are meant, a [`Grouping`] what makes a group. The markers are cut into pieces of time. A
//! first look at each of them gives counts and totals, which are reported at once. A second one orders each piece, for unions
//! and gaps, and lists the lengths by group, from which percentiles are selected. Memory is a constant for each group and 8
//! bytes for each marker (4 more if the groups depend on payloads).
//!
//! Which markers belong to a range is said by [`RangeRule`]; lengths and percentiles are of whole markers, while sums (totals,
//! self times, busy times, gaps) are of their parts inside the range. Everything stops when its `keep_going` returns `false`.

mod busy_times;
pub mod compare;
mod counters;
mod distribution;
mod flows;
mod keys;
mod normalize;
mod pieces;
mod ranks;
mod spread;
mod subject;
mod tally;

use std::cmp::Reverse;

use rayon::prelude::*;

pub use counters::{CounterStatistics, CounterValues, counters};
pub use distribution::{Bin, Distribution, Examples, Scale, distribution, examples, members};
pub use flows::{FlowKinds, FlowStatistics, TimeStatistics, flows};
pub use keys::{Grouping, Key, KeyValue};
pub use normalize::normalized;
pub use subject::{RangeRule, Subject, Tracks};

use flowline_profile::{Ns, TimeRange};
use keys::Numbers;
use pieces::Piece;
use spread::{Lengths, Spread, Union};
use tally::{Tallies, Tally};

/// Which columns are wanted beside counts, totals, means, and first and last times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Percentiles, standard deviation, busy time and longest gap.
    pub spread: bool,
    /// Self times.
    pub self_time: bool,
    /// CPU times, which are read from the text of the recording.
    pub cpu: bool,
}

impl Columns {
    /// All columns.
    pub const ALL: Self = Self { spread: true, self_time: true, cpu: true };
    /// Only those that a single look at each marker gives.
    pub const FIRST: Self = Self { spread: false, self_time: false, cpu: false };
}

/// Statistics of the lengths of some markers, in nanoseconds. Percentiles are by nearest rank: the ceil(p n)-th smallest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthStatistics {
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
    /// Standard deviation of all of them (not of a sample).
    pub deviation: f64,
}

/// The statistics of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What the markers have in common, one value for each key.
    pub key: Vec<KeyValue>,
    /// Number of markers.
    pub count: u64,
    /// Number of those that are no instants. Lengths, percentiles and sums are of them.
    pub timed: u64,
    /// Number of markers whose start or end is not in the recording.
    pub incomplete: u64,
    /// Sum of their parts inside the range, in nanoseconds.
    pub total: i128,
    /// Mean of their whole lengths in nanoseconds; `None` without timed markers.
    pub mean: Option<f64>,
    /// Earliest start.
    pub first: Ns,
    /// Latest end.
    pub last: Ns,
    /// Sum of the time inside the range in which no direct child is open; `None` if not wanted.
    pub self_time: Option<i128>,
    /// Sum of the CPU times of whole markers; `None` if not wanted, or if none has one.
    pub cpu: Option<i128>,
    /// Statistics of their whole lengths; `None` if not wanted, or without timed markers.
    pub lengths: Option<LengthStatistics>,
    /// Time inside the range in which at least one of them is on; `None` if not wanted.
    pub busy: Option<i64>,
    /// The longest time inside the range between two of them, instants included, in which none is on; `None` if not wanted,
    /// or if there is none.
    pub longest_gap: Option<i64>,
}

impl Group {
    fn new(key: Vec<KeyValue>, tally: &Tally) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a mean is no exact number")]
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
            busy: None,
            longest_gap: None,
        }
    }

    fn spread(&mut self, tally: &Tally, union: &Union, lists: &[&[u64]]) {
        self.busy = Some(union.busy);
        self.longest_gap = union.gap;
        self.lengths = ranks::percentiles(lists).map(|[p50, p90, p99, p999]| {
            let deviation = ranks::deviation(lists, tally.timed, self.mean.unwrap_or_default());
            LengthStatistics { min: tally.min, p50, p90, p99, p999, max: tally.max, deviation }
        });
    }

    /// Markers a second of a span of time; `None` for one without length.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate is no exact number")]
    pub fn rate(&self, span: TimeRange) -> Option<f64> {
        (!span.is_empty()).then(|| self.count as f64 * 1e9 / span.len() as f64)
    }

    /// Share of a span of time: more than one where markers lie over each other. `None` for a span without length.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share is no exact number")]
    pub fn share(&self, span: TimeRange) -> Option<f64> {
        (!span.is_empty()).then(|| self.total as f64 / span.len() as f64)
    }
}

/// The answer to a question.
#[derive(Debug)]
pub struct Statistics {
    /// Groups with at least one marker, the largest total first; of equal ones the larger count, then by key.
    pub groups: Vec<Group>,
    /// All markers as one group. Counts and sums are those of the groups together; lengths, busy time and gap are of all
    /// markers.
    pub totals: Group,
    /// The time of the scope, to which rates and shares refer.
    pub span: TimeRange,
    /// Whether all columns that were wanted are there.
    pub complete: bool,
    /// The number of each group among `lengths`.
    numbers: Vec<u32>,
    lengths: Lengths,
}

impl Statistics {
    /// The lengths of a group's timed markers in nanoseconds, unsorted; empty if [`Columns::spread`] was not wanted.
    #[must_use]
    pub fn lengths(&self, group: usize) -> Vec<u64> {
        self.numbers.get(group).map(|number| self.lengths.of(*number).concat()).unwrap_or_default()
    }
}

/// Computes statistics. `part` is called once with counts and totals, before everything else is known. `None` if `keep_going`
/// returned `false` meanwhile.
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

/// Self times and CPU times by number of the group, as far as they are wanted.
type Times = (Option<Vec<i128>>, Option<Vec<Option<i128>>>);

fn complete(
    subject: &Subject<'_>,
    pieces: &[Piece],
    numbers: &Numbers<'_>,
    columns: Columns,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Times> {
    let self_times = columns.self_time.then(|| busy_times::self_times(subject, numbers, keep_going));
    let cpu_times = columns.cpu.then(|| busy_times::cpu_times(subject, pieces, numbers, keep_going));
    // The outer option of each says whether it is wanted, the inner one whether it was finished.
    let self_times = self_times.map_or(Some(None), |times| times.map(Some))?;
    let cpu_times = cpu_times.map_or(Some(None), |times| times.map(Some))?;
    Some((self_times, cpu_times))
}

/// Groups that are made between two questions whether to go on.
const GROUPS: u32 = 1 << 12;

/// Counts and totals, sorted; `None` if `keep_going` returned `false` meanwhile.
fn counts(
    subject: &Subject<'_>,
    numbers: &Numbers<'_>,
    tallies: &Tallies,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Statistics> {
    let profile = subject.profile();
    let mut groups: Vec<(u32, Group)> = Vec::new();
    for (number, tally) in (0..).zip(&tallies.groups).filter(|(_, tally)| tally.count > 0) {
        // There may be a million groups, and they take memory.
        if number % GROUPS == 0 && !keep_going() {
            return None;
        }
        groups.push((number, Group::new(numbers.values(profile, number), tally)));
    }
    // No two groups have the same key.
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
