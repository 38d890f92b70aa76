//! The kinds of samples, and what they cost.

use std::ops::AddAssign;

use flowline_profile::{Ns, Profile, SampleTable, ThreadId};

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

    /// Whether a sample of a weight is of this kind.
    pub(super) fn counts(self, weight: f64) -> bool {
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
