//! The kinds of work with their colors.

use egui::{Align2, Rect, Role, Sense, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::widgets::style::color;
use flowline_profile::Kind;
use flowline_scene::Palette;

/// Height of a line, and width of one of the two columns, in points.
const ROW: f32 = 22.0;
const WIDTH: f32 = 140.0;
/// Side of a swatch in points.
const SWATCH: f32 = 9.0;

/// Shows all kinds in two columns.
pub(super) fn show(ui: &mut Ui, palette: &Palette) {
    let font = TextStyle::Body.resolve(ui.style());
    for pair in Kind::ALL.chunks(2) {
        let (line, _) = ui.allocate_exact_size(vec2(2.0 * WIDTH, ROW), Sense::hover());
        let mut left = line.min.x;
        for kind in pair {
            let place = Rect::from_min_size(pos2(left, line.min.y), vec2(WIDTH, ROW));
            left += WIDTH;
            let swatch = pos2(place.min.x + 8.0 + SWATCH / 2.0, place.center().y);
            let swatch = Rect::from_center_size(swatch, Vec2::splat(SWATCH));
            let (fill, edge) = (palette.fills[*kind as usize], palette.edges[*kind as usize]);
            ui.painter().rect(swatch, 2.0, color(fill), (1.0, color(edge)), StrokeKind::Inside);
            let text = pos2(swatch.max.x + 8.0, place.center().y);
            ui.painter().text(text, Align2::LEFT_CENTER, kind.title(), font.clone(), color(palette.text));
            let response = ui.interact(place, ui.scope_id().with(("kind", kind.title())), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, kind.title()));
        }
    }
}
