//! Options of call trees.

use clap::{Args, ValueEnum};

use super::values::parse_range;
use crate::index::samples::Implementation;
use crate::index::samples::entries::EntrySet;
use crate::profile::Ns;

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
    /// Functions that the call tree shows
    #[arg(long = "impl", value_enum, default_value = "all")]
    pub(super) implementation: ImplementationArg,
    /// Change of the call tree, as KIND:NAME or KIND:["root", "function"]; may be repeated. Kinds: focus-function,
    /// focus-self, focus-subtree, focus-inverted-subtree, focus-category, merge-function, merge-call-node, drop-function,
    /// collapse-function-subtree, collapse-recursion, collapse-direct-recursion, collapse-resource
    #[arg(long, value_name = "KIND:NAME")]
    pub(super) transform: Vec<String>,
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
