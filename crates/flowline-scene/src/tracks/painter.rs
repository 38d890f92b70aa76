//! The painter of a kind of track.

use crate::frame::Frame;
use crate::layout::SceneInput;

/// Draws all items of one kind that are on screen.
pub trait TrackPainter: std::fmt::Debug {
    /// Adds the items to a frame.
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame);
}
