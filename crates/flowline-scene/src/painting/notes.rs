//! Targets of notes in the chart: tints of labeled ranges, lines of bookmarks, outlines of entries, arrows of links. The
//! texts are in the lane above the chart.

use super::overlays::{self, Overlay};
use crate::frame::Frame;
use crate::layout::SceneInput;

/// Draws the targets.
pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let color = frame.palette.search_match;
    let overlay = |anchor| Overlay { anchor, everywhere: false, color, plate: None };
    let overlays: Vec<Overlay> = input.placed_notes().iter().filter_map(|note| note.anchor.map(overlay)).collect();
    overlays::draw(input, frame, &overlays);
}
