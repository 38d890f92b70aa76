//! Arguments of `dump`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::path_end::PathEnd;
use super::tree_args::TreeArgs;
use flowline_profile::Arrangement;

/// `dump`.
#[derive(Debug, Args)]
pub(crate) struct DumpArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(crate) file: PathBuf,
    /// Contents to print
    #[arg(value_enum)]
    pub(crate) what: What,
    /// Print only markers that match the search
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(crate) search: String,
    /// Layout of the printed rows (default: both)
    #[arg(long, value_enum)]
    pub(crate) layout: Option<LayoutArg>,
    /// List all connected flows of a flow instead of the first thousand
    #[arg(long)]
    pub(crate) all: bool,
    /// Print one line per sample instead of per thread
    #[arg(long)]
    pub(crate) each: bool,
    /// Thread of the call tree, the calls or the stacks: its number in `dump threads`, its id, or its name
    #[arg(long, value_name = "THREAD")]
    pub(crate) thread: Option<String>,
    /// Print the critical path to this marker: its number in `dump markers`
    #[arg(long, value_name = "N")]
    pub(crate) marker: Option<u32>,
    /// Print the critical path to this end: flow:ID;T for a flow, at:T for the activity at a time
    #[arg(long, value_name = "END", conflicts_with = "marker")]
    pub(crate) to: Option<PathEnd>,
    /// Don't assume that a marker was caused by the one that ended just before it on the same thread
    #[arg(long)]
    pub(crate) no_follow: bool,
    #[command(flatten)]
    pub(crate) tree: TreeArgs,
}

/// Contents that `dump` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// One line per thread
    Threads,
    /// One line per marker
    Markers,
    /// One line per row
    Rows,
    /// One line per flow
    Flows,
    /// One line per counter
    Counters,
    /// One line per thread with a summary of its CPU samples
    Samples,
    /// One line per function call, derived from samples
    Calls,
    /// One line per segment of the critical path to the end of a marker (--marker), a flow or a time (--to)
    Path,
    /// One line per network request
    Network,
    /// One line per entry of a custom track: performance.measure, performance.mark and console.timeStamp with a track
    #[value(name = "customtracks")]
    CustomTracks,
    /// One line per note: labels, ranges, links, bookmarks, breadcrumbs and hidden entries
    Annotations,
    /// One line per kind of warning
    Warnings,
    /// One line per node of the call tree of samples
    Calltree,
    /// Samples as collapsed stacks: one line per stack and the sum of its weights
    Collapsed,
    /// Samples in the format of speedscope
    Speedscope,
}

/// Layouts of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArg {
    /// Rows by marker name
    Name,
    /// Markers nested by containment
    Stack,
}

impl From<LayoutArg> for Arrangement {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Name => Self::ByName,
            LayoutArg::Stack => Self::Stack,
        }
    }
}
