//! Notes over the chart: plates with text, tints of labeled ranges, lines of bookmarks, arrows of links.
//! [`SceneInput::placed_notes`] returns their positions.

use super::overlays::{self, Overlay, Plate};
use crate::frame::Frame;
use crate::layout::{PlacedNote, SceneInput};

/// Draws the notes.
pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let (palette, scale, line) = (frame.palette, input.scale, frame.line_width());
    let selected = input.view.notes.selected;
    let overlay = |note: &PlacedNote| {
        let is_selected = Some(note.note) == selected;
        let plate = Plate {
            rect: note.rect,
            text: if note.is_dot { String::new() } else { note.text.clone() },
            radius: if note.is_dot { note.rect.width / 2.0 } else { 4.0 * scale },
            border: if is_selected { palette.select } else { palette.canvas },
            border_width: if is_selected { 2.0 * scale } else { line },
        };
        Overlay { anchor: note.anchor, everywhere: false, color: palette.flow, plate: Some(plate) }
    };
    let overlays: Vec<Overlay> = input.placed_notes().iter().map(overlay).collect();
    overlays::draw(input, frame, &overlays);
}
