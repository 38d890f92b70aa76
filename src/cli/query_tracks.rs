//! Reports the query tracks of `--view` that do not show the whole result of their query.

use flowline_format::format_count;
use flowline_index::query_tracks::QueryTrackState;
use flowline_session::{MAX_QUERY_ROWS, Session};
use flowline_terminal as terminal;

/// Reports tracks with too many rows. Fails if a query was stopped by its time limit.
///
/// # Errors
/// If a query took longer than its time limit.
pub(super) fn check<'a>(sessions: impl IntoIterator<Item = &'a Session>) -> anyhow::Result<()> {
    let mut stopped = Vec::new();
    for session in sessions {
        let states = session.index.query_tracks();
        for track in &session.view.tracks.queries {
            match states.get(&track.number) {
                Some(QueryTrackState::TimedOut(limit)) => {
                    stopped.push((track.name.as_str(), format!("{} s", limit.as_secs_f64())));
                }
                Some(QueryTrackState::Ready(rows)) if rows.has_more() => {
                    let shown = format_count(MAX_QUERY_ROWS as u64);
                    let name = &track.name;
                    terminal::error_line(&format!(
                        "flowline: query track \"{name}\" shows only the first {shown} rows"
                    ));
                }
                _ => {}
            }
        }
    }
    let Some((_, limit)) = stopped.first() else { return Ok(()) };
    let names: Vec<String> = stopped.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let tracks = if names.len() == 1 { "track" } else { "tracks" };
    anyhow::bail!("query {tracks} {}: stopped after {limit}; --query-time SECONDS allows more", names.join(", "))
}
