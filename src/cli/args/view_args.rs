//! The view of a link, and the limit of its queries.

use std::time::Duration;

use clap::Args;

use super::values::{parse_seconds, parse_view};
use flowline_session::{LINKED_QUERY_TIME, LinkedQueries};
use flowline_ui::SavedView;

/// `--view` and its limit.
#[derive(Clone, Debug, Args)]
pub(crate) struct ViewArgs {
    /// View of a window, as text from "Copy link" or "Copy as command"; other options override it
    #[arg(long, value_name = "TEXT", value_parser = parse_view, allow_hyphen_values = true)]
    pub(crate) view: Option<SavedView>,
    /// Time limit in seconds for each query of the view; 0 runs none (default: 10)
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, requires = "view")]
    query_time: Option<Duration>,
}

impl ViewArgs {
    /// Whether the queries of the view run.
    pub(crate) fn queries(&self) -> LinkedQueries {
        LinkedQueries::within(self.query_time.unwrap_or(LINKED_QUERY_TIME))
    }
}
