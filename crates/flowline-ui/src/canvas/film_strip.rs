//! The screenshots of the recording in the overview: small ones side by side, and a larger one at the pointer.

use egui::{
    Area, Color32, Frame, Id, Margin, Order, Pos2, Rect, Role, Sense, TextureHandle, Ui, WidgetInfo, pos2, vec2,
};

use crate::canvas::layout::CanvasLayout;
use crate::canvas::overview::{overview_time, overview_x};
use crate::canvas::screen_textures::{ScreenTextures, size_within};
use crate::widgets::has_dialog;
use crate::widgets::style::{SMALL, color};
use flowline_index::Derived;
use flowline_insights::page_load::{Screenshot, Screenshots};
use flowline_scene::Palette;
use flowline_session::Session;

/// Width of a screenshot relative to its height, until one is decoded.
const USUAL_ASPECT: f32 = 16.0 / 9.0;
/// Range of that ratio, so that neither a long nor a wide page fills the lane.
const ASPECTS: [f32; 2] = [0.5, 2.5];
/// Space between small screenshots in points.
const GAP: f32 = 1.0;
/// Greatest width and height of the large screenshot in points.
const PREVIEW: f32 = 320.0;

/// Shows the lane of screenshots, and the one under the pointer.
pub(crate) fn show(
    ui: &Ui,
    session: &Session,
    textures: &mut ScreenTextures,
    layout: &CanvasLayout,
    palette: &Palette,
) {
    let (input, scale) = (session.scene_input(), session.canvas.scale);
    let Some(screens) = Screenshots::if_built(&session.index).filter(|screens| !screens.list().is_empty()) else {
        textures.clear();
        return;
    };
    // Without the lane, details and tooltips still show screenshots.
    let Some(part) = input.overview_parts().screens else { return };
    let lane = Rect::from_min_max(pos2(part.x, part.y) / scale, pos2(part.right(), part.bottom()) / scale);
    let response = ui.interact(lane, Id::unique(("film strip", session.canvas.pane)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Screenshots"));
    strip(ui, session, textures, (lane, layout.overview), screens);
    shade(ui, session, (lane, layout.overview), palette);
    let pointer = response.hover_pos().filter(|_| !has_dialog(ui.ctx()));
    if let Some(pointer) = pointer {
        let time = overview_time(session, layout.overview, pointer.x);
        if let Some(screenshot) = screens.at(time) {
            preview(ui, session, textures, (screenshot, pointer), palette);
        }
    }
}

/// Width per height of the screenshots, as a decoded one has it.
fn aspect(textures: &ScreenTextures) -> f32 {
    let [least, most] = ASPECTS;
    textures.any_size().map_or(USUAL_ASPECT, |size| (size.x / size.y.max(1.0)).clamp(least, most))
}

/// Draws small screenshots side by side: each one shows the page in the middle of its place.
fn strip(
    ui: &Ui,
    session: &Session,
    textures: &mut ScreenTextures,
    (lane, overview): (Rect, Rect),
    screens: &Screenshots,
) {
    let painter = ui.painter().with_clip_rect(lane.intersect(ui.clip_rect()));
    let height = lane.height() - 2.0 * GAP;
    let width = (height * aspect(textures)).round().max(8.0);
    let mut left = lane.min.x;
    while left < lane.max.x {
        let place = Rect::from_min_size(pos2(left, lane.min.y + GAP), vec2(width - GAP, height));
        let time = overview_time(session, overview, place.center().x.min(lane.max.x));
        if let Some(screenshot) = screens.at(time)
            && let Some(texture) = textures.get(ui.ctx(), session, screenshot.marker)
        {
            painter.image(texture.id(), place, filled(&texture, place), Color32::WHITE);
        }
        left += width;
    }
}

/// The part of a texture that fills a place without distortion: its top, because pages begin there.
fn filled(texture: &TextureHandle, place: Rect) -> Rect {
    let size = texture.size_vec2();
    let wanted = place.width() / place.height().max(1.0);
    let own = size.x / size.y.max(1.0);
    let part = if own > wanted { vec2(wanted / own, 1.0) } else { vec2(1.0, own / wanted) };
    Rect::from_min_size(Pos2::ZERO, part)
}

/// Shades the times outside the visible range, as the other lanes are shaded.
fn shade(ui: &Ui, session: &Session, (lane, overview): (Rect, Rect), palette: &Palette) {
    let visible = session.view.axis.visible();
    let edges = [visible.start, visible.end].map(|time| overview_x(session, overview, time));
    let [left, right] = edges.map(|x| x.clamp(lane.min.x, lane.max.x));
    let painter = ui.painter().with_clip_rect(lane.intersect(ui.clip_rect()));
    let before = Rect::from_min_max(lane.min, pos2(left, lane.max.y));
    let after = Rect::from_min_max(pos2(right, lane.min.y), lane.max);
    for outside in [before, after].into_iter().filter(|outside| outside.width() > 0.0) {
        painter.rect_filled(outside, 0.0, color(palette.shade));
    }
}

/// Shows the screenshot at the pointer, with its time.
fn preview(
    ui: &Ui,
    session: &Session,
    textures: &mut ScreenTextures,
    (screenshot, pointer): (Screenshot, Pos2),
    palette: &Palette,
) {
    let Some(texture) = textures.get(ui.ctx(), session, screenshot.marker) else { return };
    let size = size_within(&texture, vec2(PREVIEW, PREVIEW));
    Area::new(Id::unique("screenshot preview"))
        .order(Order::Tooltip)
        .interactable(false)
        .fixed_pos(pos2(pointer.x, pointer.y + 20.0))
        .pivot(egui::Align2::CENTER_TOP)
        .constrain_to(ui.ctx().content_rect().shrink(4.0))
        .show(ui.ctx(), |ui| {
            let frame = Frame::popup(ui.style()).fill(color(palette.raised)).inner_margin(Margin::same(4));
            frame.show(ui, |ui| {
                let (place, response) = ui.allocate_exact_size(size, Sense::hover());
                let time = session.view.clock().position(screenshot.time);
                response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Screenshot at {time}")));
                let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
                ui.painter().image(texture.id(), place, whole, Color32::WHITE);
                ui.label(egui::RichText::new(time).size(SMALL).color(color(palette.text2)));
            });
        });
}
