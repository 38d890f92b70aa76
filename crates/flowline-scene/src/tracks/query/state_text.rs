//! The state of a query track as text, for its heading and for screen readers.

use flowline_format::format_count;
use flowline_index::query_tracks::QueryTrackState;

/// The state of a track as text.
pub(super) fn state_text(state: &QueryTrackState) -> String {
    match state {
        QueryTrackState::NotRun => "not run".to_owned(),
        QueryTrackState::Running => "running".to_owned(),
        QueryTrackState::Stopping => "stopping".to_owned(),
        QueryTrackState::Stopped => "stopped".to_owned(),
        QueryTrackState::Failed(reason) => format!("failed: {reason}"),
        QueryTrackState::TimedOut(limit) => format!("stopped by its time limit of {} s", limit.as_secs_f64()),
        QueryTrackState::Ready(rows) => {
            let count = rows.entries().len() as u64;
            let entries = if count == 1 { "entry" } else { "entries" };
            let more = if rows.has_more() { ", of more rows" } else { "" };
            format!("{} {entries}{more}", format_count(count))
        }
    }
}
