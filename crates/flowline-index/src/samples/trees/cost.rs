//! Kinds of samples, and their costs.

use std::ops::AddAssign;

use flowline_profile::{Ns, Profile, SampleTable, ThreadId};

/// A kind of samples of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SampleKind {
    /// CPU samples.
    #[default]
    Cpu,
    /// Allocations of JavaScript objects.
    JsAllocations,
    /// Allocations of memory.
    NativeAllocations,
    /// Releases of memory, with negative weights, at the stacks that released it.
    NativeReleases,
    /// Allocations that are not released within the range.
    NativeRetained,
    /// Releases of memory that was allocated within the range, with negative weights, at the stacks that allocated it.
    NativeReleased,
}

impl SampleKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Cpu,
        Self::JsAllocations,
        Self::NativeRetained,
        Self::NativeAllocations,
        Self::NativeReleased,
        Self::NativeReleases,
    ];

    /// True if a thread has samples of this kind.
    #[must_use]
    #[inline]
    pub fn is_in(self, profile: &Profile, thread: ThreadId) -> bool {
        let has_addresses = || profile.samples(thread).is_some_and(|samples| !samples.native_addresses.is_empty());
        self.table(profile, thread).is_some_and(|table| !table.is_empty())
            && (!matches!(self, Self::NativeRetained | Self::NativeReleased) || has_addresses())
    }

    /// Table that contains these samples; releases and allocations share one.
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

    /// True if a sample with this weight is of this kind.
    pub(crate) fn counts(self, weight: f64) -> bool {
        match self {
            Self::Cpu | Self::JsAllocations => true,
            Self::NativeAllocations | Self::NativeRetained => weight > 0.0,
            Self::NativeReleases | Self::NativeReleased => weight < 0.0,
        }
    }
}

/// The sum of the costs of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Sum of the weights.
    pub weight: f64,
    /// Sum of the durations; a sample lasts until the next sample of its thread.
    pub time: Ns,
    /// Number of samples.
    pub samples: u64,
}

/// The component of a cost that is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The weights of samples; 1 per sample unless the recording has weights.
    #[default]
    Weight,
    /// The durations of samples.
    Time,
}

impl Measure {
    /// The other measure.
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
    /// Absolute value of a measure.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "only used for comparison")]
    pub const fn size(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Weight => self.weight.abs(),
            Measure::Time => (self.time.0 as f64).abs(),
        }
    }

    /// True if no cost was added.
    #[must_use]
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.samples == 0 && self.weight == 0.0 && self.time == Ns(0)
    }
}
