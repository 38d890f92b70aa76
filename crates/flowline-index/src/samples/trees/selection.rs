//! Selection of samples by thread, kind and range, and the cost of each sample.

use std::ops::Range;

use super::cost::{Cost, SampleKind};
use super::memory;
use super::nodes::CallNodes;
use flowline_profile::samples::NONE;
use flowline_profile::{Ns, Profile, SampleTable, ThreadId, TimeRange};

/// Samples of some threads within a range.
#[derive(Clone, Debug)]
pub struct SampleSelection<'a> {
    /// The recording.
    pub profile: &'a Profile,
    /// Threads.
    pub threads: &'a [ThreadId],
    /// Kind of samples.
    pub kind: SampleKind,
    /// Range of samples, including its start and excluding its end.
    pub range: Option<TimeRange>,
}

impl SampleSelection<'_> {
    /// Tables of the threads, with their samples in the range.
    fn tables(&self) -> impl Iterator<Item = (&SampleTable, Range<usize>)> {
        self.threads_with_tables().map(|(_, table)| table)
    }

    fn threads_with_tables(&self) -> impl Iterator<Item = (ThreadId, (&SampleTable, Range<usize>))> {
        self.threads.iter().filter_map(|thread| {
            let table = self.kind.table(self.profile, *thread)?;
            let within = self.range.map_or(0..table.len(), |range| {
                let before = |time: Ns| table.time.partition_point(|other| *other < time);
                before(range.start)..before(range.end).max(before(range.start))
            });
            Some((*thread, (table, within)))
        })
    }

    /// True if samples have durations, which they do unless they have weights or no times.
    #[must_use]
    #[inline]
    pub fn has_time(&self) -> bool {
        self.tables().all(|(table, _)| self.have_durations(table))
    }

    fn have_durations(&self, table: &SampleTable) -> bool {
        self.profile.meta.capabilities.axis.is_time() && table.weight.is_empty()
    }

    /// Time from the first sample to the end of the last; `None` without samples.
    #[must_use]
    pub fn extent(&self) -> Option<TimeRange> {
        let of_table = |(table, within): (&SampleTable, Range<usize>)| {
            let last = within.end.checked_sub(1)?;
            let times = &table.time[within];
            Some(TimeRange::new(*times.first()?, *times.last()? + self.profile.sample_length(table, last)))
        };
        self.tables().filter_map(of_table).reduce(TimeRange::union)
    }

    /// Number of samples, and of samples without a stack.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        let null = |table: &SampleTable, within: &Range<usize>| {
            table.stack[within.clone()].iter().filter(|stack| **stack == NONE).count()
        };
        let counts = self.tables().map(|(table, within)| (within.len(), null(table, &within)));
        counts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }

    /// Self cost of each node.
    #[must_use]
    pub fn costs(&self, nodes: &CallNodes) -> Vec<Cost> {
        let mut costs = vec![Cost::default(); nodes.len()];
        self.each(|_, stack, cost| {
            if let Some(node) = nodes.of_stack(stack) {
                costs[node as usize] += cost;
            }
        });
        costs
    }

    /// Calls `each` for every sample that has a stack, with its time, stack and cost.
    pub fn each(&self, mut each: impl FnMut(Ns, flowline_profile::StackId, Cost)) {
        if matches!(self.kind, SampleKind::NativeRetained | SampleKind::NativeReleased) {
            self.each_matched(each);
            return;
        }
        let interval = self.profile.meta.interval;
        for (table, within) in self.tables() {
            let has_time = self.have_durations(table);
            for sample in within.clone() {
                let weight = table.weight(sample);
                let (Some(stack), true) = (table.stack(sample), self.kind.counts(weight)) else { continue };
                let time = match (has_time, sample + 1 < within.end) {
                    (false, _) => Ns(0),
                    (true, true) => table.time[sample + 1] - table.time[sample],
                    (true, false) => interval,
                };
                each(table.time[sample], stack, Cost { weight, time, samples: 1 });
            }
        }
    }
    /// [`SampleSelection::each`] for matched allocations and releases.
    fn each_matched(&self, mut each: impl FnMut(Ns, flowline_profile::StackId, Cost)) {
        for (thread, (table, within)) in self.threads_with_tables() {
            let addresses =
                self.profile.samples(thread).map(|samples| &samples.native_addresses[..]).unwrap_or_default();
            let mut add = |sample: usize, place: usize| {
                if let Some(stack) = table.stack(place) {
                    each(table.time[sample], stack, Cost { weight: table.weight(sample), time: Ns(0), samples: 1 });
                }
            };
            if self.kind == SampleKind::NativeRetained {
                memory::retained(table, addresses, within).into_iter().for_each(|sample| add(sample, sample));
            } else {
                let released = memory::released(table, addresses, within);
                released.into_iter().for_each(|(release, allocation)| add(release, allocation));
            }
        }
    }
}
