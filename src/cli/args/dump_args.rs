//! Arguments of `dump`.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::path_end::PathEnd;
use super::tree_args::TreeArgs;
use super::values::parse_size;
use super::view_args::ViewArgs;
use flowline_profile::Arrangement;
use flowline_scene::TRACK_KINDS;

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
    /// Size of the window in points, for the view
    #[arg(long, default_value = "1400x900", value_parser = parse_size)]
    pub(crate) size: [u32; 2],
    #[command(flatten)]
    pub(crate) link: ViewArgs,
    #[command(flatten)]
    pub(crate) tree: TreeArgs,
}

/// Contents that `dump` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Threads,
    Streams,
    View,
    Markers,
    Rows,
    Flows,
    Counters,
    Samples,
    Calls,
    Path,
    Milestones,
    Insights,
    /// The entries of the tracks of a kind, by the kind's name for this.
    Tracks(&'static str),
    Annotations,
    Warnings,
    Calltree,
    Collapsed,
    Speedscope,
}

impl What {
    /// Name and description.
    fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::Threads => ("threads", "One line per thread"),
            Self::Streams => ("streams", "One line per stream of a GPU"),
            Self::View => ("view", "What the window shows when it opens the recording: range, lanes, rows, flags"),
            Self::Markers => ("markers", "One line per marker"),
            Self::Rows => ("rows", "One line per row"),
            Self::Flows => ("flows", "One line per flow"),
            Self::Counters => ("counters", "One line per counter"),
            Self::Samples => ("samples", "One line per thread with a summary of its CPU samples"),
            Self::Calls => ("calls", "One line per function call, derived from samples"),
            Self::Path => (
                "path",
                "One line per segment of the critical path to the end of a marker (--marker), a flow or a time (--to)",
            ),
            Self::Milestones => {
                ("milestones", "One line per milestone of a page load: navigation, FCP, LCP, DCL, Load and others")
            }
            Self::Insights => {
                ("insights", "One line per insight: what was slow in a page load, and the markers that show it")
            }
            Self::Tracks(name) => {
                let names = TRACK_KINDS.iter().map(|kind| kind.dump_name());
                names.into_iter().find(|known| known.0 == name).unwrap_or((name, ""))
            }
            Self::Annotations => {
                ("annotations", "One line per note: labels, ranges, links, bookmarks, breadcrumbs and hidden entries")
            }
            Self::Warnings => ("warnings", "One line per kind of warning"),
            Self::Calltree => ("calltree", "One line per node of the call tree of samples"),
            Self::Collapsed => {
                ("collapsed", "Samples as collapsed stacks: one line per stack and the sum of its weights")
            }
            Self::Speedscope => ("speedscope", "Samples in the format of speedscope"),
        }
    }
}

impl ValueEnum for What {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<What>> = LazyLock::new(|| {
            let markers = [
                What::View,
                What::Threads,
                What::Streams,
                What::Markers,
                What::Rows,
                What::Flows,
                What::Counters,
                What::Samples,
            ];
            let analyses = [What::Calls, What::Path, What::Milestones, What::Insights];
            let dumped = TRACK_KINDS.iter().filter(|kind| kind.is_dumped());
            let tracks = dumped.map(|kind| What::Tracks(kind.dump_name().0));
            let others = [What::Annotations, What::Warnings, What::Calltree, What::Collapsed, What::Speedscope];
            markers.into_iter().chain(analyses).chain(tracks).chain(others).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = self.text();
        Some(PossibleValue::new(name).help(help))
    }
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
