//! Arguments for a second recording in the window or in a rendered image.

use std::path::PathBuf;

use clap::Args;

use super::values::parse_align;
use crate::app::AlignBy;

/// A second recording.
#[derive(Debug, Args)]
pub(crate) struct SecondArgs {
    /// Recording to show below the first, on the same time axis
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
    /// How to align its clock with the first recording's: start, zero (equal times), navigation, FCP, LCP, DCL or Load (of
    /// the page loads), marker:N,M (marker N of the first and M of the second, by their numbers in `dump markers`, start
    /// together), search:TEXT (the first markers that match), time:T,U (displayed times) or offset:T (it starts T after
    /// the first)
    #[arg(long, value_name = "HOW", default_value = "start", value_parser = parse_align, requires = "compare")]
    pub(crate) align: AlignBy,
}
