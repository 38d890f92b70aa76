//! The page before and after a layout shift, side by side: screenshots, if there are any, with the outlines of the elements
//! that moved, to scale of the viewport. After the shift, their earlier places are dashed.

use egui::{Color32, Id, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::canvas::screen_textures::ScreenTextures;
use crate::widgets::counted;
use crate::widgets::style::{CAPTION, color};
use flowline_scene::Palette;
use flowline_session::{Session, ShiftOutline, ShiftPreview, ShiftSide};

/// Space between the pictures, and below their captions, in points.
const GAP: f32 = 8.0;
/// Height of a caption in points.
const CAPTION_LINE: f32 = 16.0;
/// Greatest height of a picture in points.
const MAX_HEIGHT: f32 = 180.0;
/// Width per height without a viewport and without a screenshot.
const USUAL_ASPECT: f32 = 16.0 / 9.0;
/// Length of the dashes of earlier places, and of the gaps between them, in points.
const DASH: f32 = 4.0;
const DASH_GAP: f32 = 3.0;

/// Shows both pictures within a width, `left` points from the left edge.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    textures: &mut ScreenTextures,
    preview: &ShiftPreview,
    (left, width, palette): (f32, f32, &Palette),
) {
    let size = size(ui, session, textures, preview, (width - GAP) / 2.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), CAPTION_LINE + size.y + GAP), Sense::hover());
    let sides = [("Before", &preview.before, None), ("After", &preview.after, Some(&preview.before))];
    let mut x = rect.min.x + left;
    for (name, side, earlier) in sides {
        let place = Rect::from_min_size(pos2(x, rect.min.y + CAPTION_LINE), size);
        let font = egui::FontId::proportional(CAPTION);
        let caption = pos2(x, rect.min.y + CAPTION_LINE / 2.0);
        ui.painter().text(caption, egui::Align2::LEFT_CENTER, name, font, color(palette.text2));
        let id = ui.scope_id().with(("shift picture", name));
        let response = ui.interact(place, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, title(name, side)));
        background(ui, session, textures, side, (place, palette));
        let dashed = earlier.map(|earlier| earlier.outlines.as_slice()).unwrap_or_default();
        dashed.iter().for_each(|outline| paint_dashed(ui, placed(outline, place), palette));
        for (number, outline) in side.outlines.iter().enumerate() {
            let rect = placed(outline, place);
            paint_solid(ui, rect, palette);
            announce(ui, id.with(number), rect, &outline_name(name, outline));
        }
        x += size.x + GAP;
    }
}

/// "Before the shift, 2 elements outlined".
fn title(name: &str, side: &ShiftSide) -> String {
    let outlined = match side.outlines.len() {
        0 => String::new(),
        count => format!(", {} outlined", counted(count, "element")),
    };
    let screenshot = if side.screenshot.is_some() { "" } else { ", no screenshot" };
    format!("{name} the shift{outlined}{screenshot}")
}

/// "IMG id='hero' before the shift".
fn outline_name(side: &str, outline: &ShiftOutline) -> String {
    let name = if outline.name.is_empty() { "Element without a name" } else { &outline.name };
    format!("{name} {} the shift", side.to_lowercase())
}

/// An outline in the tree of screen readers, with the name of the element as its tooltip.
fn announce(ui: &Ui, id: Id, rect: Rect, name: &str) {
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    response.on_hover_text(name);
}

/// Size of a picture in points: that of the viewport, or else of a screenshot, reduced to a width.
fn size(ui: &Ui, session: &Session, textures: &mut ScreenTextures, preview: &ShiftPreview, width: f32) -> Vec2 {
    let screenshot = preview.after.screenshot.or(preview.before.screenshot);
    #[expect(clippy::cast_possible_truncation, reason = "a ratio")]
    let aspect = match preview.viewport {
        Some([wide, high]) => (wide / high) as f32,
        None => {
            screenshot.and_then(|own| textures.get(ui.ctx(), session, own.marker)).map_or(USUAL_ASPECT, |texture| {
                let size = texture.size_vec2();
                size.x / size.y.max(1.0)
            })
        }
    };
    let height = (width / aspect.max(0.01)).min(MAX_HEIGHT);
    vec2((height * aspect).min(width), height).round()
}

/// The screenshot of a side, or an empty page.
fn background(
    ui: &Ui,
    session: &Session,
    textures: &mut ScreenTextures,
    side: &ShiftSide,
    (place, palette): (Rect, &Palette),
) {
    ui.painter().rect_filled(place, 0.0, color(palette.inset));
    let texture = side.screenshot.and_then(|own| textures.get(ui.ctx(), session, own.marker));
    if let Some(texture) = texture {
        let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
        ui.painter().image(texture.id(), place, whole, Color32::WHITE);
    }
    ui.painter().rect_stroke(place, 0.0, (1.0, color(palette.line)), StrokeKind::Inside);
}

/// The place of an outline on a picture.
fn placed(outline: &ShiftOutline, place: Rect) -> Rect {
    #[expect(clippy::cast_possible_truncation, reason = "places on a picture")]
    let [left, top, right, bottom] = outline.edges.map(|edge| edge as f32);
    let at = |x: f32, y: f32| place.min + vec2(x * place.width(), y * place.height());
    Rect::from_min_max(at(left, top), at(right, bottom))
}

/// Screenshots have any color, so each line is drawn over a wider one in the color of the background.
fn paint_solid(ui: &Ui, rect: Rect, palette: &Palette) {
    ui.painter().rect_stroke(rect, 0.0, (3.0, color(palette.canvas)), StrokeKind::Inside);
    ui.painter().rect_stroke(rect.shrink(0.5), 0.0, (2.0, color(palette.bad)), StrokeKind::Inside);
}

fn paint_dashed(ui: &Ui, rect: Rect, palette: &Palette) {
    let rect = rect.shrink(0.5);
    let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    ui.painter().add(Shape::line(corners.to_vec(), Stroke::new(2.0, color(palette.canvas))));
    ui.painter().extend(Shape::dashed_line(&corners, Stroke::new(1.0, color(palette.bad)), DASH, DASH_GAP));
}
