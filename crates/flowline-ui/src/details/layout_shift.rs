//! The pictures of a selected layout shift: the page before and after it.

use egui::Ui;

use super::grid;
use super::metrics::PAD;
use crate::canvas::screen_textures::ScreenTextures;
use crate::canvas::shift_picture;
use flowline_profile::MarkerId;
use flowline_scene::Palette;
use flowline_session::{Session, ShiftPreview};

/// Shows the pictures, if a marker is a layout shift.
pub(super) fn show(ui: &mut Ui, session: &Session, textures: &mut ScreenTextures, marker: MarkerId, palette: &Palette) {
    let Some(preview) = ShiftPreview::of(&session.index, marker) else { return };
    let width = ui.available_width() - 2.0 * PAD;
    shift_picture::show(ui, session, textures, &preview, (PAD, width, palette));
    if let Some(reason) = nothing_outlined(&preview) {
        grid::note(ui, reason, palette);
    }
}

/// Why no element is outlined.
fn nothing_outlined(preview: &ShiftPreview) -> Option<&'static str> {
    if !preview.before.outlines.is_empty() || !preview.after.outlines.is_empty() {
        return None;
    }
    Some(match (preview.is_inside, preview.viewport) {
        (true, _) => "The shift is in a frame inside the page. The place of the frame is not recorded.",
        (false, None) => "The size of the viewport is not recorded.",
        (false, Some(_)) => "No element that moved is in view.",
    })
}
