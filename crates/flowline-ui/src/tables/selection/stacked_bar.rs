//! A bar divided by kind of work.

use egui::{Align2, CornerRadius, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::text;
use crate::widgets::elide;
use crate::widgets::style::{CAPTION, color};
use flowline_index::IDLE_ENTRY;
use flowline_index::statistics::{KindTime, Summary};
use flowline_scene::{Palette, Rgba};

/// Height in points.
const HEIGHT: f32 = 14.0;
/// Gap between parts in points.
const GAP: f32 = 1.0;
/// Parts narrower than this many points have no name.
const MIN_NAMED: f32 = 40.0;

/// The palette entry of a kind.
pub(super) fn entry(kind: Option<flowline_profile::Kind>) -> usize {
    kind.map_or(usize::from(IDLE_ENTRY), |kind| kind as usize)
}

/// Fill and edge of a kind.
pub(super) fn fill(palette: &Palette, kind: Option<flowline_profile::Kind>) -> (Rgba, Rgba) {
    (palette.fills[entry(kind)], palette.edges[entry(kind)])
}

/// Shows the bar over the available width.
pub(super) fn show(ui: &mut Ui, summary: &Summary, palette: &Palette) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let named = |kind: &KindTime| format!("{} {}", kind.title(), text::share(kind.self_time, summary.self_time));
    let parts: Vec<&KindTime> = summary.kinds.iter().filter(|kind| kind.self_time > 0).collect();
    let spoken = || format!("Time by kind: {}", parts.iter().map(|kind| named(kind)).collect::<Vec<_>>().join(", "));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken()));
    let mut part_hovered = None;
    let mut x = rect.min.x;
    for kind in &parts {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "screen coordinates")]
        let width = (kind.self_time as f64 / summary.self_time as f64) as f32 * rect.width();
        let part = Rect::from_min_max(pos2(x, rect.min.y), pos2(x + (width - GAP).max(0.5), rect.max.y));
        x += width;
        let (fill, edge) = fill(palette, kind.kind);
        ui.painter().rect(part, CornerRadius::same(2), color(fill), (1.0, color(edge)), egui::StrokeKind::Inside);
        if part.width() >= MIN_NAMED {
            let tint = color(palette.label_on_fill(fill));
            let galley = elide(ui, kind.title(), part.width() - 10.0, FontId::proportional(CAPTION), tint);
            let at = Align2::LEFT_CENTER.anchor_size(pos2(part.min.x + 5.0, part.center().y), galley.size()).min;
            ui.painter().galley(at, galley, tint);
        }
        if response.hover_pos().is_some_and(|place| part.expand2(vec2(GAP, 0.0)).contains(place)) {
            part_hovered = Some(named(kind));
        }
    }
    if let Some(text) = part_hovered {
        response.on_hover_text_at_pointer(text);
    }
}
