//! Options of `stats`, `compare`, `export` and `cut`: the scope (time, search, threads) and its grouping.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{parse_align, parse_percent, parse_range};
use crate::app::AlignBy;
use flowline_import::cut_format_names;
use flowline_index::statistics::Key;
use flowline_profile::Ns;
use flowline_session::TableFormat;

/// Options that select markers.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ScopeArgs {
    /// Select markers that start in this range of the displayed clock, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(crate) range: Option<(Ns, Ns)>,
    /// Select all markers that overlap the range, not only those that start in it
    #[arg(long)]
    pub(crate) overlap: bool,
    /// Select markers that match the search
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(crate) search: String,
    /// Select a thread: its number in `dump threads`, its id, or its name; may be repeated
    #[arg(long, value_name = "THREAD")]
    pub(crate) thread: Vec<String>,
    /// Select the threads of a browser tab (Firefox): its id, or a part of the address of its page
    #[arg(long, value_name = "TAB")]
    pub(crate) tab: Option<String>,
}

/// Options that group markers.
#[derive(Clone, Debug, Args)]
pub(crate) struct GroupArgs {
    /// Group by name (the default), category, thread, process, or a payload field: its key, label or path, as `stats
    /// --fields` lists them; two keys make a pivot table
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    pub(crate) by: Vec<String>,
    /// Replace decimal and hexadecimal numbers in names with #
    #[arg(long)]
    pub(crate) normalize: bool,
}

/// `stats`.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(crate) file: PathBuf,
    /// Subject of the statistics (default: markers; functions if the recording has only samples)
    #[arg(long, value_enum)]
    pub(crate) of: Option<StatsOf>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) group: GroupArgs,
    /// List the payload fields of the markers instead, with the number of markers that have them
    #[arg(long, conflicts_with_all = ["by", "normalize", "of"])]
    pub(crate) fields: bool,
    /// Print the sums that the window shows for a selection: time by kind of work, the longest self times, top functions,
    /// and counters; all markers that overlap the range count, with their part inside it
    #[arg(long, conflicts_with_all = ["by", "normalize", "of", "fields", "csv"])]
    pub(crate) summary: bool,
    /// Print JSON Lines, one object per group (with --summary, one object)
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print CSV
    #[arg(long)]
    pub(crate) csv: bool,
}

/// Subjects of `stats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsOf {
    /// Markers by group
    Markers,
    /// Counters by series
    Counters,
    /// Flows by kind
    Flows,
    /// Samples by function
    Functions,
}

/// Subjects of `compare`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareOf {
    /// Markers by group
    Markers,
    /// Samples by function
    Functions,
}

/// `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Recording A ("example" for the bundled one)
    pub(crate) a: PathBuf,
    /// Recording B; may be the same file as A with a different range, search or thread
    pub(crate) b: PathBuf,
    /// Subject of the statistics (default: markers; functions if both recordings have only samples)
    #[arg(long, value_enum)]
    pub(crate) of: Option<CompareOf>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    /// Range of B (default: that of A)
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(crate) range_b: Option<(Ns, Ns)>,
    /// How the clocks of A and B are aligned; B is compared in the range of A at the aligned times: start (the default), zero,
    /// navigation, FCP, LCP, DCL, Load, marker:N,M, search:TEXT, time:T,U or offset:T, as in the window
    #[arg(long, value_name = "HOW", value_parser = parse_align, requires = "range", conflicts_with = "range_b")]
    pub(crate) align: Option<AlignBy>,
    /// Search in B (default: that of A)
    #[arg(long, allow_hyphen_values = true, value_name = "SEARCH")]
    pub(crate) search_b: Option<String>,
    /// Thread of B (default: that of A); may be repeated
    #[arg(long, value_name = "THREAD")]
    pub(crate) thread_b: Vec<String>,
    #[command(flatten)]
    pub(crate) group: GroupArgs,
    /// Print JSON Lines, one object per group
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    pub(crate) json: bool,
    /// Print CSV
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) csv: bool,
    /// Print a Markdown table
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Compare the figures of page loads and the states of insights instead
    #[arg(long, conflicts_with_all = ["of", "by", "normalize", "csv", "markdown", "fail_above", "search", "search_b", "thread", "thread_b"])]
    pub(crate) insights: bool,
    /// Exit with status 3 if the median or total of a group, or the self or total cost of a function, is larger in B by
    /// more than this
    #[arg(long, value_parser = parse_percent, value_name = "PERCENT")]
    pub(crate) fail_above: Option<f64>,
}

/// `export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(crate) file: PathBuf,
    /// File to write (- for standard output); the extension selects the format
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// File format (default: from the extension)
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExportFormat>,
    /// Columns from left to right, for example start_ns,name,self_ns,url; other names refer to payload fields
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
}

/// Formats of `export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Comma-separated values (RFC 4180)
    Csv,
    /// Tab-separated values
    Tsv,
    /// JSON array of the objects of `dump markers`
    Json,
    /// Markdown table
    Md,
}

impl From<ExportFormat> for TableFormat {
    fn from(format: ExportFormat) -> Self {
        match format {
            ExportFormat::Csv => Self::Csv,
            ExportFormat::Tsv => Self::Tsv,
            ExportFormat::Json => Self::Json,
            ExportFormat::Md => Self::Markdown,
        }
    }
}

impl GroupArgs {
    /// Returns the keys.
    pub(crate) fn keys(&self) -> Vec<Key> {
        if self.by.is_empty() {
            return vec![Key::Name];
        }
        self.by.iter().map(|text| Key::parse(text.trim())).collect()
    }
}

/// Help for the recording of `cut`, with the formats that can be cut.
fn recording_to_cut() -> String {
    format!("Recording: {} (\"example\" for the bundled one, - for standard input)", cut_format_names())
}

/// `cut`.
#[derive(Debug, Args)]
pub(crate) struct CutArgs {
    #[arg(help = recording_to_cut())]
    pub(crate) file: PathBuf,
    /// File to write (- for standard output); compressed if the name ends in .gz
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Range of the displayed clock to keep, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(crate) range: Option<(Ns, Ns)>,
    /// Keep only markers that match the search
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(crate) search: String,
    /// Keep all markers of flows that have a marker in the part
    #[arg(long)]
    pub(crate) keep_flows: bool,
    /// Replace URLs and their hosts in all texts; equal URLs stay equal
    #[arg(long)]
    pub(crate) remove_urls: bool,
    /// Leave out screenshots, and images in all texts
    #[arg(long)]
    pub(crate) remove_screenshots: bool,
    /// Thread to keep: its number in `dump threads`, its id, or its name; may be repeated
    #[arg(long, value_name = "THREAD")]
    pub(crate) thread: Vec<String>,
    /// Format to write
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: CutFormat,
}

/// Format of a part of a recording.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum CutFormat {
    /// The format of the recording
    #[default]
    Same,
    /// JSON; a Perfetto trace becomes trace events
    Json,
}

/// `annotate`.
#[derive(Debug, Args)]
pub(crate) struct AnnotateArgs {
    /// Chrome trace; the notes come from --notes, otherwise from Flowline's saved notes, otherwise from the trace
    pub(crate) file: PathBuf,
    /// File to write (- for standard output); compressed if the name ends in .gz
    #[arg(short, long)]
    pub(crate) output: PathBuf,
}
