//! Options of call trees.

use clap::{Args, ValueEnum};

use super::values::parse_range;
use flowline_index::samples::entries::EntrySet;
use flowline_index::samples::{Grouping, Implementation, SampleKind};
use flowline_profile::Ns;

/// The call tree of `dump` and `render`.
#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    /// Samples of the call tree, on the displayed clock, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(super) range: Option<(Ns, Ns)>,
    /// Functions by what they cost themselves, with their callers below
    #[arg(long)]
    pub(super) invert: bool,
    /// What the call tree of a Chrome thread sums up: the trace events that DevTools shows and calls; all events and calls;
    /// calls alone; or samples
    #[arg(long, value_enum, value_name = "KIND")]
    pub(super) entries: Option<EntriesArg>,
    /// Samples of the call tree; without it, CPU samples if there are any, else allocations
    #[arg(long, value_enum)]
    pub(super) kind: Option<KindArg>,
    /// Functions that the call tree shows
    #[arg(long = "impl", value_enum, default_value = "all")]
    pub(super) implementation: ImplementationArg,
    /// Groups above the first level of the call tree
    #[arg(long, value_enum)]
    pub(super) group_by: Option<GroupArg>,
    /// Change of the call tree, as KIND:NAME or KIND:["root", "function"]; may be repeated. Kinds: focus-function,
    /// focus-self, focus-subtree, focus-inverted-subtree, focus-category, merge-function, merge-call-node, drop-function,
    /// collapse-function-subtree, collapse-recursion, collapse-direct-recursion, collapse-resource
    #[arg(long, value_name = "KIND:NAME")]
    pub(super) transform: Vec<String>,
}

/// Kinds of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum KindArg {
    /// What threads ran
    Cpu,
    /// Objects of scripts, where they were allocated
    JsAllocations,
    /// Memory that was allocated and not released within the range
    Retained,
    /// Memory, where it was allocated
    Allocated,
    /// Memory that was allocated and released within the range, where it was allocated
    Deallocated,
    /// Memory, where it was released
    DeallocationSites,
}

impl From<KindArg> for SampleKind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Cpu => Self::Cpu,
            KindArg::JsAllocations => Self::JsAllocations,
            KindArg::Retained => Self::NativeRetained,
            KindArg::Allocated => Self::NativeAllocations,
            KindArg::Deallocated => Self::NativeReleased,
            KindArg::DeallocationSites => Self::NativeReleases,
        }
    }
}

/// Groups of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum GroupArg {
    /// Of one category
    Category,
    /// Of one file
    Url,
    /// Of one library, site or add-on
    Library,
    /// Of one site or add-on
    ThirdParty,
}

impl From<GroupArg> for Grouping {
    fn from(group: GroupArg) -> Self {
        match group {
            GroupArg::Category => Self::Category,
            GroupArg::Url => Self::File,
            GroupArg::Library => Self::Library,
            GroupArg::ThirdParty => Self::ThirdParty,
        }
    }
}

/// Functions of a call tree by their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ImplementationArg {
    /// Functions of scripts
    Js,
    /// Everything but functions of scripts
    Native,
    /// All
    All,
}

impl From<ImplementationArg> for Implementation {
    fn from(implementation: ImplementationArg) -> Self {
        match implementation {
            ImplementationArg::Js => Self::Js,
            ImplementationArg::Native => Self::Native,
            ImplementationArg::All => Self::All,
        }
    }
}

/// What a call tree sums up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EntriesArg {
    /// The trace events that DevTools shows, and calls
    Shown,
    /// All trace events, and calls
    All,
    /// Calls
    Calls,
    /// Samples
    Samples,
}

impl EntriesArg {
    /// The entries that a tree shows; `None` for samples.
    pub(super) const fn set(self) -> Option<EntrySet> {
        match self {
            Self::Shown => Some(EntrySet::Shown),
            Self::All => Some(EntrySet::All),
            Self::Calls => Some(EntrySet::Calls),
            Self::Samples => None,
        }
    }
}
