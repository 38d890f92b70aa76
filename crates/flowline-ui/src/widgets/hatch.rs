//! The hatch of waits, drawn by widgets like the chart draws it.

use egui::{Color32, Rect, Stroke, Ui, pos2};

/// Distance between strokes in points.
const PERIOD: f32 = 4.0;

/// Draws diagonal strokes in an area.
pub(crate) fn hatch(ui: &Ui, area: Rect, tint: Color32) {
    let painter = ui.painter().with_clip_rect(area.intersect(ui.clip_rect()));
    let mut at = area.min.y - area.width();
    while at < area.max.y + area.width() {
        let ends = [pos2(area.min.x, at + area.width()), pos2(area.max.x, at)];
        painter.line_segment(ends, Stroke::new(1.5, tint));
        at += PERIOD;
    }
}
