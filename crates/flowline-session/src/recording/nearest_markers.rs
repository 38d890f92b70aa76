//! The markers around the visible range if nothing is drawn in it.

use super::open_recording::Session;
use flowline_scene::{NearestMarkers, has_contents};

impl Session {
    /// The markers before and after the visible range, if nothing of it is drawn on any track. `None` while the view moves
    /// and until they are known.
    #[must_use]
    pub fn nearest_markers(&self) -> Option<NearestMarkers> {
        let view = &self.view;
        if self.search().is_some() || view.flow_lanes.shown || view.is_moving() {
            return None;
        }
        let (input, range) = (self.scene_input(), view.axis.visible());
        if input.visible_items().iter().any(|item| has_contents(&input, item, range)) {
            return None;
        }
        self.empty_ranges.get(&self.index, self.layout.scope(), range)
    }
}
