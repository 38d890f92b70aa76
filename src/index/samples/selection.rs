//! Which samples count, and what each costs.

use std::ops::{AddAssign, Range};

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
    /// Releases of memory, with negative weights.
    NativeReleases,
}

impl SampleKind {
    /// The table that has these samples; releases and allocations share one.
    #[must_use]
    pub fn table(self, profile: &Profile, thread: ThreadId) -> Option<&SampleTable> {
        let samples = profile.thread(thread).samples.as_deref()?;
        Some(match self {
            Self::Cpu => &samples.cpu,
            Self::JsAllocations => &samples.js_allocations,
            Self::NativeAllocations | Self::NativeReleases => &samples.native_allocations,
        })
    }

    fn counts(self, weight: f64) -> bool {
        match self {
            Self::Cpu | Self::JsAllocations => true,
            Self::NativeAllocations => weight > 0.0,
            Self::NativeReleases => weight < 0.0,
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
        self.threads.iter().filter_map(|thread| {
            let table = self.kind.table(self.profile, *thread)?;
            let within = self.range.map_or(0..table.len(), |range| {
                let before = |time: Ns| table.time.partition_point(|other| *other < time);
                before(range.start)..before(range.end).max(before(range.start))
            });
            Some((table, within))
        })
    }

    /// Whether samples last until the next one: they do unless they have weights of their own.
    #[must_use]
    pub fn has_time(&self) -> bool {
        self.tables().all(|(table, _)| table.weight.is_empty())
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
        let interval = self.profile.meta.interval;
        for (table, within) in self.tables() {
            let has_time = table.weight.is_empty();
            for sample in within.clone() {
                let weight = table.weight(sample);
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
}
