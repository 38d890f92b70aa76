//! Which samples count, and what each costs.

use std::ops::{AddAssign, Range};

use super::memory;
use super::nodes::CallNodes;
use crate::profile::samples::NONE;
use crate::profile::{Ns, Profile, SampleTable, ThreadId, TimeRange};

/// The kinds of samples of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SampleKind {
    /// What the thread ran.
    #[default]
    Cpu,
    /// Allocations of JavaScript objects.
    JsAllocations,
    /// Allocations of memory.
    NativeAllocations,
    /// Releases of memory, with negative weights, at the stacks that released it.
    NativeReleases,
    /// Allocations whose memory is not released within the range.
    NativeRetained,
    /// Releases of memory that was allocated within the range, with negative weights, at the stacks that allocated it.
    NativeReleased,
}

impl SampleKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Cpu,
        Self::JsAllocations,
        Self::NativeRetained,
        Self::NativeAllocations,
        Self::NativeReleased,
        Self::NativeReleases,
    ];

    /// Whether a thread has such samples.
    #[must_use]
    pub fn is_in(self, profile: &Profile, thread: ThreadId) -> bool {
        let has_addresses = || profile.samples(thread).is_some_and(|samples| !samples.native_addresses.is_empty());
        self.table(profile, thread).is_some_and(|table| !table.is_empty())
            && (!matches!(self, Self::NativeRetained | Self::NativeReleased) || has_addresses())
    }

    /// The table that has these samples; releases and allocations share one.
    #[must_use]
    pub fn table(self, profile: &Profile, thread: ThreadId) -> Option<&SampleTable> {
        let samples = profile.thread(thread).samples.as_deref()?;
        Some(match self {
            Self::Cpu => &samples.cpu,
            Self::JsAllocations => &samples.js_allocations,
            Self::NativeAllocations | Self::NativeReleases | Self::NativeRetained | Self::NativeReleased => {
                &samples.native_allocations
            }
        })
    }

    fn counts(self, weight: f64) -> bool {
        match self {
            Self::Cpu | Self::JsAllocations => true,
            Self::NativeAllocations | Self::NativeRetained => weight > 0.0,
            Self::NativeReleases | Self::NativeReleased => weight < 0.0,
        }
    }
}

/// What samples cost, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Their weights.
    pub weight: f64,
    /// How long they lasted: each until the next sample of its thread.
    pub time: Ns,
    /// How many there are.
    pub samples: u64,
}

/// Which part of a cost is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The weights of samples: their number, unless they have weights of their own.
    #[default]
    Weight,
    /// How long they lasted.
    Time,
}

impl Measure {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Weight => Self::Time,
            Self::Time => Self::Weight,
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.weight += other.weight;
        self.time = self.time + other.time;
        self.samples += other.samples;
    }
}

impl Cost {
    /// What is compared, without its sign.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a size to compare")]
    pub const fn size(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Weight => self.weight.abs(),
            Measure::Time => (self.time.0 as f64).abs(),
        }
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.samples == 0 && self.weight == 0.0 && self.time == Ns(0)
    }
}

/// Samples of some threads within a range.
#[derive(Clone, Debug)]
pub struct SampleSelection<'a> {
    /// The recording.
    pub profile: &'a Profile,
    /// Threads.
    pub threads: &'a [ThreadId],
    /// Which of their samples.
    pub kind: SampleKind,
    /// Samples from its start on, and before its end.
    pub range: Option<TimeRange>,
}

impl SampleSelection<'_> {
    /// The tables of the threads, with the samples that are in the range.
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

    /// Whether samples last until the next one: they do unless they have weights of their own.
    #[must_use]
    pub fn has_time(&self) -> bool {
        self.tables().all(|(table, _)| table.weight.is_empty())
    }

    /// From the first sample to the end of the last; `None` if there is none.
    #[must_use]
    pub fn extent(&self) -> Option<TimeRange> {
        let interval = self.profile.meta.interval;
        let of_table = |(table, within): (&SampleTable, Range<usize>)| {
            let times = &table.time[within];
            Some(TimeRange::new(*times.first()?, *times.last()? + interval))
        };
        self.tables().filter_map(of_table).reduce(TimeRange::union)
    }

    /// Number of samples, and of those without a stack.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        let null = |table: &SampleTable, within: &Range<usize>| {
            table.stack[within.clone()].iter().filter(|stack| **stack == NONE).count()
        };
        let counts = self.tables().map(|(table, within)| (within.len(), null(table, &within)));
        counts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }

    /// The cost of the samples of each node itself.
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
    pub fn each(&self, mut each: impl FnMut(Ns, crate::profile::StackId, Cost)) {
        if matches!(self.kind, SampleKind::NativeRetained | SampleKind::NativeReleased) {
            self.each_matched(each);
            return;
        }
        let interval = self.profile.meta.interval;
        for (table, within) in self.tables() {
            let has_time = table.weight.is_empty();
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
    /// [`SampleSelection::each`] where allocations and releases are matched.
    fn each_matched(&self, mut each: impl FnMut(Ns, crate::profile::StackId, Cost)) {
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
