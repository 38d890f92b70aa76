//! Command-line arguments, parsed by clap and resolved once into options of the layers below.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::dump_args::DumpArgs;
use super::layouts::{OrderArg, PictureLayout};
use super::path_end::PathEnd;
use super::scope_args::{AnnotateArgs, CompareArgs, CutArgs, ExportArgs, StatsArgs};
use super::second_args::SecondArgs;
use super::tree_args::{GroupArg, ImplementationArg};
use super::values::{parse_points, parse_range, parse_scale, parse_seconds, parse_size, parse_view};
use flowline_profile::Ns;
use flowline_ui::{KeyMap, SavedView, TableKind};
use flowline_view::Theme;

/// A timeline for huge performance recordings: Firefox Profiler profiles, Chrome and Perfetto traces with millions of markers.
#[derive(Debug, Parser)]
#[command(name = "flowline", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Arguments {
    /// What to do; without a command, the window opens
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Recording to open in a window (- for standard input); without one, the bundled example
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) compare: SecondArgs,
    /// How the window shows the recording: the text of "Copy link"
    #[arg(long, value_name = "TEXT", value_parser = parse_view, allow_hyphen_values = true)]
    pub(super) view: Option<SavedView>,
    /// Key bindings of the window (default: those of the settings)
    #[arg(long, value_enum)]
    pub(super) keys: Option<KeysArg>,
    /// Colours of the window (default: those of the settings)
    #[arg(long, value_enum)]
    pub(super) theme: Option<ThemeArg>,
    /// Print how long the first picture and the whole recording take to appear (milliseconds), then close
    #[arg(long)]
    pub(super) measure_load: bool,
    /// Read the recording itself and store no index
    #[arg(long, global = true)]
    pub(super) no_cache: bool,
    /// Maximum bytes of all stored indexes (default: FLOWLINE_CACHE_LIMIT, or 8 GiB, or a tenth of the free disk)
    #[arg(long, global = true, value_name = "BYTES")]
    pub(super) cache_limit: Option<u64>,
    /// File of notes: the window shows them besides those of the recording, commands in place of them
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) notes: Option<PathBuf>,
    /// Rules for flows, before the built-in ones (default: flow-rules.json in the configuration folder); plain: the built-in
    /// ones, but an id that is used again without an end stays one flow
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) flow_rules: Option<PathBuf>,
    /// Refuse input of more than this many bytes, unpacked, and accept any growth up to there (default: 12 GiB, and 200
    /// times its packed size)
    #[arg(long, global = true, value_name = "BYTES")]
    pub(super) max_unpacked: Option<u64>,
    /// Hold at most this many bytes of memory while loading (default: what the machine has left)
    #[arg(long, global = true, value_name = "BYTES")]
    pub(super) max_memory: Option<u64>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Draw the window off screen and write a PNG or SVG; needs no display
    Render(RenderArgs),
    /// Print what a recording contains and how long it took to load
    Info(InfoArgs),
    /// Print a recording's contents as JSON Lines
    Dump(DumpArgs),
    /// Print statistics of markers: counts, times and exact percentiles by name or other keys
    Stats(StatsArgs),
    /// Compare the statistics of two recordings, or of two parts of one
    Compare(CompareArgs),
    /// Write markers to a file: CSV, TSV, JSON or Markdown
    Export(ExportArgs),
    /// Write a part of a recording as a smaller recording of the same format
    Cut(CutArgs),
    /// Write a copy of a Chrome trace with notes in it, as Chrome's DevTools saves them
    Annotate(AnnotateArgs),
    /// Measure frames of a scripted zoom and pan, off screen
    Bench(BenchArgs),
    /// Write a synthetic recording: a Firefox profile, a Chrome or Perfetto trace
    Synth(SynthArgs),
    /// List or remove stored indexes
    Cache(CacheArgs),
    /// Print the manual page, to be read with `man -l -`
    Man,
    /// Print completions for a shell
    Completions(CompletionsArgs),
}

/// `render`.
#[derive(Debug, Args)]
pub(super) struct RenderArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(super) file: PathBuf,
    /// PNG to write, or SVG if its name ends in .svg: shapes and text instead of pixels
    #[arg(short, long)]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) compare: SecondArgs,
    /// Size in device pixels
    #[arg(long, default_value = "1920x1080", value_parser = parse_size)]
    pub(super) size: [u32; 2],
    /// Device pixels per point
    #[arg(long, default_value_t = 1.0, value_parser = parse_scale)]
    pub(super) scale: f32,
    /// What the window showed: the text of "Copy link", or of "Copy as command"; other options change it
    #[arg(long, value_name = "TEXT", value_parser = parse_view, allow_hyphen_values = true)]
    pub(super) view: Option<SavedView>,
    /// Visible range on the displayed clock, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(super) range: Option<(Ns, Ns)>,
    /// Thread and range that a box selects, the thread named as for --thread
    #[arg(long = "box", value_name = "THREAD;A..B")]
    pub(super) boxed: Option<String>,
    /// Range that the measuring tool measures
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(super) measure: Option<(Ns, Ns)>,
    /// Search text
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(super) search: String,
    /// Marker to select, by its number in `dump markers`
    #[arg(long)]
    pub(super) select: Option<u32>,
    /// Marker at whose start the times that are shown are zero
    #[arg(long, value_name = "N")]
    pub(super) zero: Option<u32>,
    /// End of the critical path that is shown: N for a marker, flow:ID;T for a flow, at:T for what was on at a time
    #[arg(long, value_name = "END")]
    pub(super) critical: Option<PathEnd>,
    /// Marker to put the pointer over
    #[arg(long)]
    pub(super) hover: Option<u32>,
    /// Flow to enter, as ID;TIME with its start or any later time on the displayed clock; may be repeated
    #[arg(long, value_name = "ID;T")]
    pub(super) flow: Vec<String>,
    /// Flow to pin
    #[arg(long, value_name = "ID;T")]
    pub(super) pin: Vec<String>,
    /// Draw all connections of the entered flows
    #[arg(long)]
    pub(super) connections: bool,
    /// Draw the path of the entered flows over the chart
    #[arg(long)]
    pub(super) path: bool,
    /// Follow incoming and outgoing flows this many steps beyond the first
    #[arg(long, default_value_t = 0, value_name = "STEPS")]
    pub(super) chain: u16,
    /// Show the markers, too, that the recording keeps out of the chart or of tables
    #[arg(long)]
    pub(super) all_markers: bool,
    /// Arrangement of rows; without it, by name for Firefox profiles and stacks for trace events
    #[arg(long, value_enum)]
    pub(super) layout: Option<PictureLayout>,
    /// Order of the tapes of --layout object
    #[arg(long, value_enum, default_value = "start")]
    pub(super) order: OrderArg,
    /// Colours
    #[arg(long, value_enum, default_value = "dark")]
    pub(super) theme: ThemeArg,
    /// Show a table too: of markers, of the entered flow as a tree, of all flows, or of samples
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "markers")]
    pub(super) table: Option<TableArg>,
    /// Show the call tree of samples: --table calltree
    #[arg(long, conflicts_with = "table")]
    pub(super) tree: bool,
    /// Show the flame graph of samples: --table flame
    #[arg(long, conflicts_with_all = ["table", "tree"])]
    pub(super) flame: bool,
    /// Thread whose samples are shown: its number in `dump threads`, its id, or its name
    #[arg(long, value_name = "THREAD")]
    pub(super) thread: Option<String>,
    /// Thread whose stack chart is unfolded, named as for --thread; may be repeated
    #[arg(long, value_name = "THREAD")]
    pub(super) stack_chart: Vec<String>,
    /// Functions that stack charts and trees of samples show
    #[arg(long = "impl", value_enum, default_value = "all")]
    pub(super) implementation: ImplementationArg,
    /// Groups above the first level of the call tree
    #[arg(long, value_enum)]
    pub(super) group_by: Option<GroupArg>,
    /// Height of the table in points
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    pub(super) table_height: Option<f32>,
}

/// `info`.
#[derive(Debug, Args)]
pub(super) struct InfoArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(super) file: PathBuf,
    /// Print one JSON object with stable keys
    #[arg(long)]
    pub(super) json: bool,
}

/// `bench`.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(super) file: PathBuf,
    /// How long to measure
    #[arg(long, default_value = "5", value_parser = parse_seconds)]
    pub(super) seconds: Duration,
    /// Size in device pixels
    #[arg(long, default_value = "1920x1080", value_parser = parse_size)]
    pub(super) size: [u32; 2],
    /// Print one JSON object with stable keys
    #[arg(long)]
    pub(super) json: bool,
}

/// `synth`.
#[derive(Debug, Args)]
pub(super) struct SynthArgs {
    /// How many markers
    #[arg(long)]
    pub(super) markers: u64,
    /// File to write; .gz is packed
    #[arg(short, long)]
    pub(super) output: PathBuf,
    /// Format
    #[arg(long, value_enum, default_value = "firefox")]
    pub(super) format: FormatArg,
    /// How many threads
    #[arg(long)]
    pub(super) threads: Option<u32>,
    /// How many flows
    #[arg(long)]
    pub(super) flows: Option<u64>,
    /// How many samples of stacks
    #[arg(long, default_value_t = 0)]
    pub(super) samples: u64,
    /// Seed of the random generator
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

/// `cache`.
#[derive(Debug, Args)]
pub(super) struct CacheArgs {
    /// What to do
    #[arg(value_enum, default_value = "list")]
    pub(super) what: CacheAction,
}

/// `completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    pub(super) shell: ShellArg,
}

/// Shells by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ShellArg {
    /// Bash
    Bash,
    /// Z shell
    Zsh,
    /// Fish
    Fish,
}

/// What `cache` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CacheAction {
    /// Print one line per index: size and recording
    List,
    /// Remove all
    Clear,
}

/// Tables by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TableArg {
    /// All markers, or those of the search
    Markers,
    /// The entered flow as a tree
    Flow,
    /// All flows
    Flows,
    /// The call tree of samples
    Calltree,
    /// Functions of samples with their callers
    Bottomup,
    /// All functions of samples
    Functions,
    /// The flame graph of samples
    Flame,
    /// Trace events and calls of a Chrome thread in the order of time
    Log,
    /// Counts, sums and percentiles of markers by name
    Statistics,
    /// The critical path (--critical)
    Path,
    /// Network requests with their phases
    Network,
    /// Notes on the recording
    Notes,
}

/// Colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ThemeArg {
    /// Light on dark
    Dark,
    /// Dark on light
    Light,
}

/// Key bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum KeysArg {
    /// Flowline's own
    Flowline,
    /// The Firefox Profiler's
    Firefox,
}

/// Formats of synthetic recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatArg {
    /// Raw Gecko profile
    Firefox,
    /// Chrome trace events
    Chrome,
    /// Perfetto trace, without samples
    Perfetto,
}

impl From<TableArg> for TableKind {
    fn from(table: TableArg) -> Self {
        match table {
            TableArg::Markers => Self::Markers,
            TableArg::Flow => Self::FlowTree,
            TableArg::Flows => Self::AllFlows,
            TableArg::Calltree => Self::CallTree,
            TableArg::Bottomup => Self::BottomUp,
            TableArg::Functions => Self::Functions,
            TableArg::Flame => Self::Flame,
            TableArg::Log => Self::EventLog,
            TableArg::Statistics => Self::Statistics,
            TableArg::Path => Self::CriticalPath,
            TableArg::Network => Self::Network,
            TableArg::Notes => Self::Notes,
        }
    }
}

impl From<ThemeArg> for Theme {
    fn from(theme: ThemeArg) -> Self {
        match theme {
            ThemeArg::Dark => Self::Dark,
            ThemeArg::Light => Self::Light,
        }
    }
}

impl From<KeysArg> for KeyMap {
    fn from(keys: KeysArg) -> Self {
        match keys {
            KeysArg::Flowline => Self::Flowline,
            KeysArg::Firefox => Self::Firefox,
        }
    }
}
