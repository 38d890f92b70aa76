//! Options of call trees.

use clap::{Args, ValueEnum};

use super::values::parse_range;
use flowline_index::samples::entries::EntrySet;
use flowline_index::samples::{Grouping, Implementation, SampleKind};
use flowline_profile::Ns;

/// The call tree of `dump` and `render`.
#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    /// Use samples in this range of the displayed clock, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(crate) range: Option<(Ns, Ns)>,
    /// List functions by self cost, with their callers below
    #[arg(long)]
    pub(crate) invert: bool,
    /// Data of the call tree: the slices that DevTools shows and calls; all slices and calls; only calls; or samples
    /// (default: as in DevTools for Chrome threads with calls, otherwise samples, or all slices without samples)
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) entries: Option<EntriesArg>,
    /// Kind of samples (default: CPU samples if there are any, otherwise allocations)
    #[arg(long, value_enum)]
    pub(crate) kind: Option<KindArg>,
    /// Functions to show in the call tree
    #[arg(long = "impl", value_enum, default_value = "all")]
    pub(crate) implementation: ImplementationArg,
    /// Groups above the first level of the call tree
    #[arg(long, value_enum)]
    pub(crate) group_by: Option<GroupArg>,
    /// Transform of the call tree, as KIND:NAME or KIND:["root", "function"]; may be repeated. Kinds: focus-function,
    /// focus-self, focus-subtree, focus-inverted-subtree, focus-category, merge-function, merge-call-node,
    /// drop-function, collapse-function-subtree, collapse-recursion, collapse-direct-recursion, collapse-resource
    #[arg(long, value_name = "KIND:NAME")]
    pub(crate) transform: Vec<String>,
}

/// Kinds of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArg {
    /// CPU samples
    Cpu,
    /// JavaScript objects by allocation site
    JsAllocations,
    /// Memory allocated but not released in the range
    Retained,
    /// All allocated memory by allocation site
    Allocated,
    /// Memory allocated and released in the range, by allocation site
    Deallocated,
    /// All released memory by deallocation site
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

/// Ways to group functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupArg {
    /// By category
    Category,
    /// By file
    Url,
    /// By library, site or add-on
    Library,
    /// By site or add-on
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

/// Kinds of functions in a call tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImplementationArg {
    /// Script functions
    Js,
    /// All functions except script functions
    Native,
    /// All functions
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

/// Data of a call tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EntriesArg {
    /// Trace events shown in DevTools, and calls
    Shown,
    /// All trace events and calls
    All,
    /// Only calls
    Calls,
    /// Samples
    Samples,
}

impl EntriesArg {
    /// Returns the entries that a tree shows; `None` for samples.
    pub(crate) const fn set(self) -> Option<EntrySet> {
        match self {
            Self::Shown => Some(EntrySet::Shown),
            Self::All => Some(EntrySet::All),
            Self::Calls => Some(EntrySet::Calls),
            Self::Samples => None,
        }
    }
}
