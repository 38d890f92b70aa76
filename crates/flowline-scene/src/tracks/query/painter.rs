//! Draws query tracks.

use super::source::QuerySource;
use super::sql_excerpt::line;
use super::state_text::state_text;
use crate::frame::{Frame, push_line};
use crate::layout::{ItemKind, SceneInput};
use crate::tracks::TrackPainter;
use crate::tracks::entry_rows::EntryPainter;
use crate::tracks::track_item::row_place;
use flowline_index::Index;
use flowline_index::query_tracks::QueryTrackState;
use flowline_view::QUERY_TRACKS;

/// Draws the entries on screen. Its caches belong to the tracks of the last frame.
#[derive(Debug, Default)]
pub(super) struct QueryPainter {
    painter: EntryPainter,
    source: QuerySource,
}

impl QueryPainter {
    fn follow(&mut self, index: &Index) {
        let source = QuerySource::of(index);
        if !source.is_same(&self.source) {
            self.source = source;
            self.painter.forget();
        }
    }
}

impl QueryPainter {
    /// Writes the states and queries of tracks without rows on their headings, or why the rows are missing. The label has no room
    /// for the state beside a long name.
    fn paint_queries(&self, input: &SceneInput<'_>, frame: &mut Frame) {
        for item in input.visible_items() {
            let ItemKind::Track(heading) = item.kind else { continue };
            let number = heading.track.number;
            let Some(state) = self.source.state(number).filter(|_| heading.track.kind == QUERY_TRACKS) else {
                continue;
            };
            let text = match state {
                QueryTrackState::Ready(_) => continue,
                QueryTrackState::Failed(_) => line(&state_text(state)),
                _ => {
                    let sql = input.view.tracks.query_track(number).map(|track| line(&track.sql));
                    format!("{}: {}", state_text(state), sql.unwrap_or_default())
                }
            };
            push_line(input, frame, row_place(input, item), text.into());
        }
    }
}

impl TrackPainter for QueryPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        self.follow(input.index);
        if self.source.numbers().next().is_none() {
            return;
        }
        // An entry without a marker is not hovered in the view.
        let hits = input.pointer.map(|(x, y)| input.hits(x, y));
        let hovered =
            hits.and_then(|hits| hits.entry).filter(|hit| hit.kind == QUERY_TRACKS).map(|hit| (hit.track, hit.entry));
        self.painter.paint(input, frame, &self.source, hovered);
        self.paint_queries(input, frame);
    }
}
