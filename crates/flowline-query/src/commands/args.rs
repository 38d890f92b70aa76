//! Command-line arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// The arguments of the program.
#[derive(Debug, Parser)]
#[command(name = "flowline-query", about = "SQL over performance recordings", version)]
pub(crate) struct Arguments {
    /// Command to run
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Do not read or write the index cache
    #[arg(long, global = true)]
    pub(crate) no_cache: bool,
    /// Flow rules that precede the built-in ones (default: flow-rules.json in the configuration folder)
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) flow_rules: Option<PathBuf>,
    /// Maximum memory use in bytes (k, M, G for 10^3, 10^6, 10^9); queries that need more use the temporary folder
    #[arg(long, global = true, value_name = "BYTES", value_parser = parse_bytes)]
    pub(crate) max_memory: Option<u64>,
    /// Number of threads (default: one per core)
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// Commands of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run SQL over a recording, several recordings, or a folder of exported tables
    Sql(SqlArgs),
    /// Export the tables of recordings as partitioned Parquet
    ExportTables(ExportArgs),
    /// Compare many exported recordings
    Fleet(FleetArgs),
    /// Print the reference of tables and functions
    Schema,
    /// Answer queries of the window over standard input and output
    #[command(hide = true)]
    Serve(ServeArgs),
}

/// `sql`.
#[derive(Args, Debug)]
pub(crate) struct SqlArgs {
    /// Recordings (- for standard input, example for the bundled one), or one folder of exported tables; then the query
    #[arg(required = true, value_name = "FILE... [QUERY]")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Read the query from a file (- for standard input)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Ask for queries, with history and completion
    #[arg(short, long, conflicts_with = "file")]
    pub(crate) interactive: bool,
    /// Print comma-separated values with a header
    #[arg(long, group = "form")]
    pub(crate) csv: bool,
    /// Print one JSON object per row
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// Write a Parquet file
    #[arg(long, group = "form", value_name = "OUT")]
    pub(crate) parquet: Option<PathBuf>,
    /// Most rows of the result
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Leave out damaged files of a folder instead of refusing it
    #[arg(long)]
    pub(crate) skip_damaged: bool,
}

/// `export-tables`.
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Recordings
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Folder of the tables
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Tables to export, separated by commas (default: all)
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    pub(crate) tables: Vec<String>,
    /// A label of these recordings, such as build=1; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_label)]
    pub(crate) label: Vec<(String, String)>,
    /// Name of slices whose critical paths are exported, in addition to those of milestones; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) path_to: Vec<String>,
}

/// `fleet`.
#[derive(Args, Debug)]
pub(crate) struct FleetArgs {
    /// Question
    #[command(subcommand)]
    pub(crate) question: FleetQuestion,
}

/// Questions about many recordings.
#[derive(Debug, Subcommand)]
pub(crate) enum FleetQuestion {
    /// Names whose durations or share of the waits differ between two labels, most certain first
    Regressions {
        /// Folder of exported tables
        folder: PathBuf,
        /// Label of the recordings before, such as build=1
        #[arg(long, value_name = "KEY=VALUE", value_parser = parse_label)]
        a: (String, String),
        /// Label of the recordings after, such as build=2
        #[arg(long, value_name = "KEY=VALUE", value_parser = parse_label)]
        b: (String, String),
        /// Largest p-value of the differences that are printed
        #[arg(long, default_value_t = 0.05)]
        p: f64,
        /// Print one JSON object per difference
        #[arg(long)]
        json: bool,
        /// Leave out damaged files instead of refusing the folder
        #[arg(long)]
        skip_damaged: bool,
    },
}

/// `serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Recordings, or one folder of exported tables
    #[arg(required = true)]
    pub(crate) inputs: Vec<PathBuf>,
}

fn parse_label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("a label has the form key=value".into()),
    }
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let factor = match text.chars().last() {
        Some('k' | 'K') => 1_000,
        Some('M') => 1_000_000,
        Some('G') => 1_000_000_000,
        _ => 1,
    };
    let digits = if factor == 1 { text } else { &text[..text.len() - 1] };
    let number: Option<u64> = digits.parse().ok();
    number.and_then(|number| number.checked_mul(factor)).ok_or_else(|| "a number of bytes, such as 500M".into())
}
