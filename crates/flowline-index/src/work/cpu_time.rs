//! The time that a thread ran on a CPU, from the measurement that the recording contains: the scheduler, CPU times of
//! samples, samples that are taken by a clock of the CPU, or clocks of the thread in its slices.

use super::work_slices::WorkSlices;
use flowline_profile::samples::WeightUnit;
use flowline_profile::{CpuUnit, LocalMarker, MarkerFlags, Ns, Profile, SampleTable, Thread, ThreadId, TimeRange};

/// Slices with a clock must cover this share of the busy time, in tenths. Otherwise their sum would be too low.
const CLOCKED_TENTHS: i64 = 9;

/// CPU time of a thread within a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTime {
    /// The sum of the measured times.
    pub time: Ns,
    /// Elapsed time for which the CPU time is known.
    pub measured: Ns,
    /// Elapsed time for which the recording should contain it. If it is longer than the measured time, the thread may have
    /// run for longer than the sum.
    pub expected: Ns,
    /// True if the range cuts slices, whose CPU time then counts in proportion.
    pub is_estimate: bool,
}

impl CpuTime {
    /// A time without gaps.
    const fn complete(time: Ns) -> Self {
        Self { time, measured: Ns(0), expected: Ns(0), is_estimate: false }
    }

    /// Share of the elapsed time for which the CPU time is known, 0 to 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn measured_share(self) -> f64 {
        if self.expected.0 <= 0 { 1.0 } else { self.measured.0 as f64 / self.expected.0 as f64 }
    }
}

/// The samples of a table within a range, whose end is excluded.
pub(super) fn samples_in(table: &SampleTable, range: Option<TimeRange>) -> std::ops::Range<usize> {
    range.map_or(0..table.len(), |range| {
        let before = |time: Ns| table.time.partition_point(|other| *other < time);
        before(range.start)..before(range.end).max(before(range.start))
    })
}

/// The CPU time that samples state, in the recording's unit as nanoseconds. The first sample of a thread refers to the time
/// before the recording. `None` if no sample states one, or if the unit is no time.
///
/// A sample may state more than the time since the previous one, because the clocks are read at different moments. The sum
/// contains all of it.
fn cpu_time_of_samples(profile: &Profile, table: &SampleTable, range: Option<TimeRange>) -> Option<CpuTime> {
    let factor: u128 = match profile.meta.cpu_unit? {
        CpuUnit::Nanoseconds => 1,
        CpuUnit::Microseconds => 1_000,
        CpuUnit::Cycles => return None,
    };
    if !table.has_cpu_deltas() {
        return None;
    }
    let within = samples_in(table, range);
    let (mut sum, mut found) = (0_u128, CpuTime::default());
    for sample in within.start.max(1)..within.end {
        let length = table.time[sample].0.saturating_sub(table.time[sample - 1].0);
        found.expected.0 = found.expected.0.saturating_add(length);
        if let Some(delta) = table.cpu_delta(sample) {
            sum = sum.saturating_add(u128::from(delta));
            found.measured.0 = found.measured.0.saturating_add(length);
        }
    }
    found.time = Ns(i64::try_from(sum.saturating_mul(factor)).unwrap_or(i64::MAX));
    // Threads whose samples state nothing have no measurement.
    let is_known = range.is_some() || (1..table.len()).any(|sample| table.cpu_delta(sample).is_some());
    is_known.then_some(found)
}

/// The CPU time that samples state in one of these ways; `None` if they state none.
#[must_use]
pub fn cpu_time_of_table(profile: &Profile, table: &SampleTable, range: Option<TimeRange>) -> Option<CpuTime> {
    cpu_time_of_samples(profile, table, range).or_else(|| cpu_time_of_weights(profile, table, range))
}

/// The weights of samples that were taken each time the thread had run for a while.
fn cpu_time_of_weights(profile: &Profile, table: &SampleTable, range: Option<TimeRange>) -> Option<CpuTime> {
    let is_clock = profile.meta.capabilities.weights_are_cpu_time && table.weight_unit == WeightUnit::Nanoseconds;
    let sum = || samples_in(table, range).map(|sample| table.weight(sample)).sum::<f64>();
    #[expect(clippy::cast_possible_truncation, reason = "nanoseconds, which saturate")]
    (is_clock && !table.weight.is_empty()).then(|| CpuTime::complete(Ns(sum() as i64)))
}

/// The time in the state *Running* of a track with the states of a thread.
pub(super) fn cpu_time_of_states(profile: &Profile, states: &Thread, range: Option<TimeRange>) -> CpuTime {
    let attributes = states.markers.attributes();
    let runs: Vec<bool> = attributes.items().iter().map(|own| !profile.is_waiting_state(states, own.name)).collect();
    let mut sum = 0_i64;
    for (marker, own) in states.markers.times().ranges().enumerate() {
        if runs[attributes.number(marker)] {
            let own = range.map_or(own, |range| own.within(range));
            sum = sum.saturating_add(own.len().max(0));
        }
    }
    CpuTime::complete(Ns(sum))
}

/// The sum of the clocks of the outermost slices that have one; `None` if they cover less than nine tenths of `busy`.
pub(super) fn cpu_time_of_slices(
    profile: &Profile,
    id: ThreadId,
    range: Option<TimeRange>,
    busy: Ns,
) -> Option<CpuTime> {
    let thread = profile.thread(id);
    let (attributes, times) = (thread.markers.attributes(), thread.markers.times());
    let is_slice = |flags: MarkerFlags| flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT);
    let slices: Vec<bool> = attributes.items().iter().map(|own| is_slice(own.flags)).collect();
    let last = range.map_or(times.len(), |range| times.partition_point(|start| start < range.end));
    let (mut sum, mut covered, mut until, mut is_estimate) = (0_i64, 0_i64, Ns(i64::MIN), false);
    for (marker, own) in times.ranges().take(last).enumerate() {
        if own.start < until || own.is_empty() || !slices[attributes.number(marker)] {
            continue;
        }
        let part = range.map_or(own, |range| own.within(range));
        if part.is_empty() {
            continue;
        }
        let Some(time) = profile.cpu_time(id, LocalMarker::new(marker)) else { continue };
        until = own.end;
        covered = covered.saturating_add(part.len());
        is_estimate |= part != own;
        let share = i128::from(time.0) * i128::from(part.len()) / i128::from(own.len());
        sum = sum.saturating_add(i64::try_from(share).unwrap_or(i64::MAX));
    }
    let is_enough = i128::from(covered) * 10 >= i128::from(busy.0) * i128::from(CLOCKED_TENTHS);
    let expected = busy.max(Ns(covered));
    let found = CpuTime { time: Ns(sum), measured: Ns(covered), expected, is_estimate };
    (covered > 0 && is_enough).then_some(found)
}

/// The union of the work of a thread or track within a range.
pub(super) fn covered(thread: &Thread, work: &WorkSlices, range: Option<TimeRange>) -> Ns {
    let attributes = thread.markers.attributes();
    let (mut covered, mut until) = (0_i64, range.map_or(i64::MIN, |range| range.start.0));
    let end = range.map_or(i64::MAX, |range| range.end.0);
    for (marker, own) in thread.markers.times().ranges().enumerate() {
        if own.start.0 >= end {
            break;
        }
        if !work.contains(attributes.number(marker)) {
            continue;
        }
        let (from, to) = (own.start.0.max(until), own.end.0.min(end));
        if to > from {
            covered = covered.saturating_add(to - from);
            until = to;
        }
    }
    Ns(covered)
}
