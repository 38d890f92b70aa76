//! The figures that rate a page load.

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetricKind {
    /// First contentful paint.
    Fcp,
    /// Largest contentful paint.
    Lcp,
    /// Interaction to next paint: the slowest interaction, as browsers rate it.
    Inp,
    /// Cumulative layout shift.
    Cls,
    /// Total blocking time.
    Tbt,
    /// The `load` event.
    Load,
    /// The `DOMContentLoaded` event.
    DomContentLoaded,
    /// Tasks that blocked the main thread.
    LongTasks,
    /// Frames that were not shown.
    DroppedFrames,
    /// Time of layout that scripts forced.
    ForcedReflow,
}

impl MetricKind {
    /// All figures in the order in which they are listed.
    pub const ALL: [Self; 10] = [
        Self::Fcp,
        Self::Lcp,
        Self::Inp,
        Self::Cls,
        Self::Tbt,
        Self::Load,
        Self::DomContentLoaded,
        Self::LongTasks,
        Self::DroppedFrames,
        Self::ForcedReflow,
    ];
    /// The figures of the headline of a page load.
    pub const HEADLINE: [Self; 6] = [Self::Fcp, Self::Lcp, Self::Inp, Self::Cls, Self::Tbt, Self::Load];

    /// Name in the UI and in tables.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.texts().0
    }

    /// Name in output, without a unit: `lcp`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.texts().1
    }

    /// Key of its value in output, with the unit: `lcp_ns`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        self.texts().2
    }

    /// Key of its limit in budgets, with the unit: `lcp_ms`.
    #[must_use]
    pub const fn budget_key(self) -> &'static str {
        self.texts().3
    }

    const fn texts(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Fcp => ("FCP", "fcp", "fcp_ns", "fcp_ms"),
            Self::Lcp => ("LCP", "lcp", "lcp_ns", "lcp_ms"),
            Self::Inp => ("INP", "inp", "inp_ns", "inp_ms"),
            Self::Cls => ("CLS", "cls", "cls", "cls"),
            Self::Tbt => ("TBT", "tbt", "tbt_ns", "tbt_ms"),
            Self::Load => ("Load", "load", "load_ns", "load_ms"),
            Self::DomContentLoaded => ("DCL", "dcl", "dcl_ns", "dcl_ms"),
            Self::LongTasks => ("Long tasks", "long_tasks", "long_tasks", "long_tasks"),
            Self::DroppedFrames => ("Dropped frames", "dropped_frames", "dropped_frames", "dropped_frames"),
            Self::ForcedReflow => ("Forced reflow", "forced_reflow", "forced_reflow_ns", "forced_reflow_ms"),
        }
    }
}
