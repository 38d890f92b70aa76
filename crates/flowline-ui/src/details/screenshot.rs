//! The picture of a screenshot.

use egui::{Color32, Pos2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::metrics::PAD;
use crate::canvas::screen_textures::{ScreenTextures, size_within};
use crate::widgets::style::color;
use flowline_index::Derived;
use flowline_insights::page_load::Screenshots;
use flowline_profile::MarkerId;
use flowline_scene::Palette;
use flowline_session::Session;

/// Greatest height in points.
const HEIGHT: f32 = 400.0;

/// Shows the picture, if a marker is a screenshot.
pub(super) fn show(ui: &mut Ui, session: &Session, textures: &mut ScreenTextures, marker: MarkerId, palette: &Palette) {
    let is_one = Screenshots::if_built(&session.index).is_some_and(|screens| screens.contains(marker));
    let Some(texture) = is_one.then(|| textures.get(ui.ctx(), session, marker)).flatten() else { return };
    let size = size_within(&texture, vec2(ui.available_width() - 2.0 * PAD, HEIGHT));
    let (place, response) = ui.allocate_exact_size(vec2(ui.available_width(), size.y + PAD), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Screenshot"));
    let place = Rect::from_min_size(pos2(place.min.x + PAD, place.min.y), size);
    let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
    ui.painter().image(texture.id(), place, whole, Color32::WHITE);
    ui.painter().rect_stroke(place, 0.0, (1.0, color(palette.line)), egui::StrokeKind::Inside);
}
