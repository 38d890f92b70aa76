//! Draws query tracks.

use super::source::QuerySource;
use crate::frame::Frame;
use crate::layout::SceneInput;
use crate::tracks::TrackPainter;
use crate::tracks::entry_rows::EntryPainter;
use flowline_index::Index;
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
    }
}
