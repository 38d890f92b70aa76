//! Command-line arguments, parsed by clap and resolved once into options of the layers below.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::dump_args::DumpArgs;
use super::insights_args::{InsightChoice, InsightsArgs};
use super::layouts::{ChartLayoutArg, OrderArg};
use super::path_end::PathEnd;
use super::scope_args::{AnnotateArgs, CompareArgs, CutArgs, ExportArgs, StatsArgs};
use super::second_args::SecondArgs;
use super::tree_args::{GroupArg, ImplementationArg};
use super::values::{parse_points, parse_range, parse_scale, parse_seconds, parse_size, parse_view};
use super::view_args::ViewArgs;
use flowline_import::format_names;
use flowline_profile::Ns;
use flowline_ui::{KeyMap, SavedView, TableKind};
use flowline_view::Theme;

/// Purpose of the program, with the formats that it reads.
fn about() -> String {
    format!("A timeline for huge performance recordings: {}", format_names())
}

/// The arguments of the program.
#[derive(Debug, Parser)]
#[command(name = "flowline", about = about(), version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    /// Command to run; without a command, Flowline opens a window
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Recording to open in a window (- for standard input; default: the recent files, or the bundled example)
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) compare: SecondArgs,
    /// View of the recording, as text from "Copy link"
    #[arg(long, value_name = "TEXT", value_parser = parse_view, allow_hyphen_values = true)]
    pub(crate) view: Option<SavedView>,
    /// Key bindings of the window (default: from the settings)
    #[arg(long, value_enum)]
    pub(crate) keys: Option<KeysArg>,
    /// Color theme of the window (default: from the settings)
    #[arg(long, value_enum)]
    pub(crate) theme: Option<ThemeArg>,
    /// Print the times from the start of the program to the first frame, to the first part of the recording, and to the
    /// whole recording (milliseconds), then exit
    #[arg(long)]
    pub(crate) measure_load: bool,
    /// Do not read or write the index cache
    #[arg(long, global = true)]
    pub(crate) no_cache: bool,
    /// Maximum size of the index cache (default: FLOWLINE_CACHE_LIMIT, or 8 GiB, or a tenth of the free disk space)
    #[arg(long, global = true, value_name = "BYTES")]
    pub(crate) cache_limit: Option<u64>,
    /// Notes file; the window adds its notes to those of the recording, commands use them instead
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) notes: Option<PathBuf>,
    /// Flow rules that precede the built-in ones (default: flow-rules.json in the configuration folder); plain: only
    /// the built-in rules, but an id that is reused without an end stays one flow
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) flow_rules: Option<PathBuf>,
    /// Maximum size of unpacked input; also allows any compression ratio up to this size (default: 12 GiB, and 200
    /// times the packed size)
    #[arg(long, global = true, value_name = "BYTES")]
    pub(crate) max_unpacked: Option<u64>,
    /// Maximum window of zstd input, for files written with `--long` (default: 128 MiB)
    #[arg(long, global = true, value_name = "BYTES")]
    pub(crate) max_window: Option<u64>,
    /// Maximum memory use while loading, and of commands that print (default: all available memory)
    #[arg(long, global = true, value_name = "BYTES")]
    pub(crate) max_memory: Option<u64>,
    /// Record Flowline's own work (loading, jobs, frames) as a Chrome trace, written on exit
    #[arg(long, global = true, value_name = "OUT")]
    pub(crate) self_profile: Option<PathBuf>,
}

/// Commands of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Render the window off screen to a PNG or SVG file; works without a display
    Render(Box<RenderArgs>),
    /// Print a summary of a recording and its load times
    Info(InfoArgs),
    /// Print a recording's contents as JSON Lines
    Dump(Box<DumpArgs>),
    /// Print marker statistics: counts, times and exact percentiles by name or other keys
    Stats(StatsArgs),
    /// Print what was slow in each page load, and compare it with a budget
    Insights(InsightsArgs),
    /// Compare the statistics of two recordings, or of two parts of one recording
    Compare(CompareArgs),
    /// Write markers to a file: CSV, TSV, JSON or Markdown
    Export(ExportArgs),
    /// Write a part of a recording as a smaller recording of the same format
    Cut(CutArgs),
    /// Write a copy of a Chrome trace that contains notes in the format of Chrome DevTools
    Annotate(AnnotateArgs),
    /// Run SQL over recordings or exported tables, with flowline-query
    Sql(QueryArgs),
    /// Export the tables of recordings as Parquet, with flowline-query
    ExportTables(QueryArgs),
    /// Compare many exported recordings, with flowline-query
    Fleet(QueryArgs),
    /// Measure the frames of scripted zooming and panning off screen
    Bench(BenchArgs),
    /// Write a synthetic recording: a Firefox profile, a Chrome trace or a Perfetto trace
    Synth(SynthArgs),
    /// List or remove cached indexes
    Cache(CacheArgs),
    /// Print the manual page (view it with `man -l -`)
    Man,
    /// Print shell completions
    Completions(CompletionsArgs),
}

/// Arguments that are passed on to `flowline-query`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct QueryArgs {
    /// Arguments of the command; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<std::ffi::OsString>,
}

/// `render`.
#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(crate) file: PathBuf,
    /// Image to write (- for standard output): PNG, or SVG if the name ends in .svg
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) compare: SecondArgs,
    /// Size in device pixels
    #[arg(long, default_value = "1920x1080", value_parser = parse_size)]
    pub(crate) size: [u32; 2],
    /// Device pixels per point
    #[arg(long, default_value_t = 1.0, value_parser = parse_scale)]
    pub(crate) scale: f32,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    /// Visible range on the displayed clock, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(crate) range: Option<(Ns, Ns)>,
    /// Thread and range of a box selection; the thread is given as in --thread
    #[arg(long = "box", value_name = "THREAD;A..B")]
    pub(crate) boxed: Option<String>,
    /// Range of the measuring tool
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(crate) measure: Option<(Ns, Ns)>,
    /// Search text
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(crate) search: String,
    /// Marker to select: its number in `dump markers`
    #[arg(long)]
    pub(crate) select: Option<u32>,
    /// Show times relative to this marker's start
    #[arg(long, value_name = "N")]
    pub(crate) zero: Option<u32>,
    /// Show the critical path to this end: N for a marker, flow:ID;T for a flow, at:T for the activity at a time
    #[arg(long, value_name = "END")]
    pub(crate) critical: Option<PathEnd>,
    /// Select an insight: its range fills four fifths, its markers are outlined, and the critical path leads to its late
    /// moment. NAME;N selects that of a navigation (Chrome) or process (Firefox); default: the worst one
    #[arg(long, value_name = "NAME")]
    pub(crate) insight: Option<InsightChoice>,
    /// Marker under the pointer
    #[arg(long)]
    pub(crate) hover: Option<u32>,
    /// Flow to enter, as ID;TIME with its start or a later time on the displayed clock; may be repeated
    #[arg(long, value_name = "ID;T")]
    pub(crate) flow: Vec<String>,
    /// Flow to pin, given as in --flow; may be repeated
    #[arg(long, value_name = "ID;T")]
    pub(crate) pin: Vec<String>,
    /// Draw all connections of the entered flows
    #[arg(long)]
    pub(crate) connections: bool,
    /// Draw the path of the entered flows over the chart
    #[arg(long)]
    pub(crate) path: bool,
    /// Follow incoming and outgoing flows this many steps beyond the first
    #[arg(long, default_value_t = 0, value_name = "STEPS")]
    pub(crate) chain: u16,
    /// Include markers that the recording hides from the chart or tables
    #[arg(long)]
    pub(crate) all_markers: bool,
    /// Layout of the chart (default: stack)
    #[arg(long, value_enum)]
    pub(crate) layout: Option<ChartLayoutArg>,
    /// Order of the flow lanes with --layout object
    #[arg(long, value_enum, default_value = "longest-wait")]
    pub(crate) order: OrderArg,
    /// Color theme
    #[arg(long, value_enum, default_value = "dark")]
    pub(crate) theme: ThemeArg,
    /// Open a table below the chart
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "markers")]
    pub(crate) table: Option<TableArg>,
    /// Show the call tree of samples: --table calltree
    #[arg(long, conflicts_with = "table")]
    pub(crate) tree: bool,
    /// Show the flame graph of samples: --table flame
    #[arg(long, conflicts_with_all = ["table", "tree"])]
    pub(crate) flame: bool,
    /// Thread whose samples are shown: its number in `dump threads`, its id, or its name
    #[arg(long, value_name = "THREAD")]
    pub(crate) thread: Option<String>,
    /// Thread whose stack chart is open, given as in --thread; may be repeated
    #[arg(long, value_name = "THREAD")]
    pub(crate) stack_chart: Vec<String>,
    /// Functions to show in stack charts and call trees
    #[arg(long = "impl", value_enum, default_value = "all")]
    pub(crate) implementation: ImplementationArg,
    /// Groups above the first level of the call tree
    #[arg(long, value_enum)]
    pub(crate) group_by: Option<GroupArg>,
    /// Height of the table in points
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    pub(crate) table_height: Option<f32>,
}

/// `info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(crate) file: PathBuf,
    /// Print one JSON object with stable keys
    #[arg(long)]
    pub(crate) json: bool,
}

/// `bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(crate) file: PathBuf,
    /// Duration of the measurement in seconds
    #[arg(long, default_value = "5", value_parser = parse_seconds)]
    pub(crate) seconds: Duration,
    /// Size in device pixels
    #[arg(long, default_value = "1920x1080", value_parser = parse_size)]
    pub(crate) size: [u32; 2],
    /// Print one JSON object with stable keys
    #[arg(long)]
    pub(crate) json: bool,
}

/// `synth`.
#[derive(Debug, Args)]
pub(crate) struct SynthArgs {
    /// Number of markers
    #[arg(long)]
    pub(crate) markers: u64,
    /// File to write; compressed if the name ends in .gz
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Format of the recording
    #[arg(long, value_enum, default_value = "firefox")]
    pub(crate) format: FormatArg,
    /// Number of threads; a page has five
    #[arg(long)]
    pub(crate) threads: Option<u32>,
    /// Number of flows; a page has one per frame
    #[arg(long)]
    pub(crate) flows: Option<u64>,
    /// Number of stack samples
    #[arg(long, default_value_t = 0)]
    pub(crate) samples: u64,
    /// Seed of the random number generator
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// `cache`.
#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    /// Action
    #[arg(value_enum, default_value = "list")]
    pub(crate) what: CacheAction,
}

/// `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Actions of `cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheAction {
    /// Print the size and recording of each index, one per line
    List,
    /// Remove all indexes
    Clear,
}

/// Tables that `--table` opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableArg {
    /// Markers that match the search
    Markers,
    /// Markers of the entered flow as a tree
    Flow,
    /// All flows
    Flows,
    /// Call tree of samples
    Calltree,
    /// Sampled functions with their callers
    Bottomup,
    /// All sampled functions
    Functions,
    /// Flame graph of samples
    Flame,
    /// Trace events and calls of a Chrome thread in time order
    Log,
    /// Counts, totals and percentiles of markers by name
    Statistics,
    /// Segments of the critical path (--critical)
    Path,
    /// What was slow in each page load, and why
    Insights,
    /// Network requests with their phases
    Network,
    /// Notes on the recording
    Notes,
}

/// Color themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeArg {
    /// Light on dark
    Dark,
    /// Dark on light
    Light,
}

/// Key bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeysArg {
    /// Flowline's key bindings
    Flowline,
    /// Key bindings of the Firefox Profiler
    Firefox,
}

/// Formats of synthetic recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// Raw Gecko profile
    Firefox,
    /// Chrome trace events
    Chrome,
    /// Perfetto trace, without samples
    Perfetto,
    /// Chrome trace events of a page load: navigations, requests, frames, interactions and layout shifts
    Page,
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
            TableArg::Insights => Self::Insights,
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
