//! Options of `stats`, `compare`, `export` and `cut` that say what is meant: time, search, threads; and by what it is grouped.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{parse_percent, parse_range};
use flowline_index::statistics::Key;
use flowline_profile::Ns;
use flowline_session::TableFormat;

/// Which markers are meant.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct ScopeArgs {
    /// Markers that start in this range of the displayed clock, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(super) range: Option<(Ns, Ns)>,
    /// Take the markers that overlap the range, not only those that start in it
    #[arg(long)]
    pub(super) overlap: bool,
    /// Markers that the search finds
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(super) search: String,
    /// Thread: its number in `dump threads`, its id, or its name; may be repeated
    #[arg(long, value_name = "THREAD")]
    pub(super) thread: Vec<String>,
}

/// How a scope is grouped.
#[derive(Clone, Debug, Args)]
pub(super) struct GroupArgs {
    /// What makes a group: name (the default), category, thread, process, or the key of a field; two of them make a pivot
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    pub(super) by: Vec<String>,
    /// Replace numbers in names by #, decimal and hexadecimal ones
    #[arg(long)]
    pub(super) normalize: bool,
}

/// `stats`.
#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(super) file: PathBuf,
    /// Of what
    #[arg(long, value_enum, default_value_t = StatsOf::Markers)]
    pub(super) of: StatsOf,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    #[command(flatten)]
    pub(super) group: GroupArgs,
    /// Print JSON Lines, a group each
    #[arg(long, conflicts_with = "csv")]
    pub(super) json: bool,
    /// Print CSV
    #[arg(long)]
    pub(super) csv: bool,
}

/// What `stats` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StatsOf {
    /// Markers by group
    Markers,
    /// Counters, a series each
    Counters,
    /// Flows by kind
    Flows,
}

/// `compare`.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Recording A ("example" for the bundled one)
    pub(super) a: PathBuf,
    /// Recording B; it may be A, with another range, search or thread
    pub(super) b: PathBuf,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// Range of B, if it is not that of A
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(super) range_b: Option<(Ns, Ns)>,
    /// Search in B, if it is not that of A
    #[arg(long, allow_hyphen_values = true, value_name = "SEARCH")]
    pub(super) search_b: Option<String>,
    /// Thread of B, if it is not that of A; may be repeated
    #[arg(long, value_name = "THREAD")]
    pub(super) thread_b: Vec<String>,
    #[command(flatten)]
    pub(super) group: GroupArgs,
    /// Print JSON Lines, a group each
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    pub(super) json: bool,
    /// Print CSV
    #[arg(long, conflicts_with = "markdown")]
    pub(super) csv: bool,
    /// Print a table in Markdown
    #[arg(long)]
    pub(super) markdown: bool,
    /// End with status 3 if the median or the total of a group is longer in B by more than this
    #[arg(long, value_parser = parse_percent, value_name = "PERCENT")]
    pub(super) fail_above: Option<f64>,
}

/// `export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(super) file: PathBuf,
    /// File to write; its ending says the format
    #[arg(short, long)]
    pub(super) output: PathBuf,
    /// Format, if the ending does not say it
    #[arg(long, value_enum)]
    pub(super) format: Option<ExportFormat>,
    /// Columns from left to right, for example start_ns,name,self_ns,url; what is no column is a field of the data
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) columns: Vec<String>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
}

/// Formats of `export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportFormat {
    /// Comma-separated values as in RFC 4180
    Csv,
    /// Tab-separated values
    Tsv,
    /// A JSON array of the objects of `dump markers`
    Json,
    /// A table in Markdown
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
    /// The keys.
    pub(super) fn keys(&self) -> Vec<Key> {
        if self.by.is_empty() {
            return vec![Key::Name];
        }
        self.by.iter().map(|text| Key::parse(text.trim())).collect()
    }
}

/// `cut`.
#[derive(Debug, Args)]
pub(super) struct CutArgs {
    /// Recording: a Firefox profile, a Chrome or Perfetto trace ("example" for the bundled one, - for standard input)
    pub(super) file: PathBuf,
    /// File to write; .gz is packed, - is standard output
    #[arg(short, long)]
    pub(super) output: PathBuf,
    /// Part of the displayed clock to keep, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(super) range: Option<(Ns, Ns)>,
    /// Keep only the markers that the search finds
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(super) search: String,
    /// Keep all markers of a flow that has one in the part, wherever they are
    #[arg(long)]
    pub(super) keep_flows: bool,
    /// Thread to keep: its number in `dump threads`, its id, or its name; may be repeated
    #[arg(long, value_name = "THREAD")]
    pub(super) thread: Vec<String>,
}

/// `annotate`.
#[derive(Debug, Args)]
pub(super) struct AnnotateArgs {
    /// Chrome trace, whose notes are those of --notes, else those kept for it, else its own
    pub(super) file: PathBuf,
    /// File to write; .gz is packed
    #[arg(short, long)]
    pub(super) output: PathBuf,
}
