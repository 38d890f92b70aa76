//! The waterfall bar of a request: its phases, on one time scale for all rows. Phases without network activity are
//! thin, phases up to the first byte are pale, and receiving is solid.

use egui::{Color32, Rangef, Rect, Ui};

use crate::widgets::style::color;
use flowline_index::network::{NetworkRequest, PhaseWeight};
use flowline_profile::{Ns, TimeRange};
use flowline_scene::Palette;

/// Minimum width of a bar in points.
const LEAST: f32 = 1.5;

/// Draws the bar of a request; `range` is the time range of the whole column.
pub(super) fn paint(ui: &Ui, row: Rect, span: Rangef, range: TimeRange, request: &NetworkRequest, palette: &Palette) {
    let scale = f64::from(span.span()) / (range.len().max(1) as f64);
    #[expect(clippy::cast_possible_truncation, reason = "points within the column")]
    let x = |time: Ns| {
        (f64::from(span.min) + (time - range.start).0 as f64 * scale).clamp(span.min.into(), span.max.into()) as f32
    };
    if request.end < range.start || request.start > range.end {
        return;
    }
    let fill = color(palette.fills[request.content_kind() as usize]);
    let rect = |start: Ns, end: Ns, height: f32, fill: Color32| {
        let (left, right) = (x(start), x(end).max((x(start) + LEAST).min(span.max)));
        let left = left.min(right - LEAST);
        let middle = row.center().y;
        let rect = Rect::from_x_y_ranges(left..=right, middle - height / 2.0..=middle + height / 2.0);
        ui.painter().rect_filled(rect, 0.0, fill);
    };
    let full = row.height() - 8.0;
    if !request.has_phases() {
        return rect(request.start, request.end, full, fill.gamma_multiply(0.55));
    }
    rect(request.start, request.end, 2.0, fill.gamma_multiply(0.7));
    for phase in request.segments() {
        match phase.kind.weight() {
            PhaseWeight::Thin => {}
            PhaseWeight::Outline | PhaseWeight::Pale => rect(phase.start, phase.end, full, fill.gamma_multiply(0.5)),
            PhaseWeight::Solid => rect(phase.start, phase.end, full, fill),
        }
    }
}

/// Describes the phases: "Stalled 2 ms, Waiting 3 ms".
pub(super) fn description(request: &NetworkRequest) -> String {
    let parts = flowline_session::phase_lines(request);
    parts.into_iter().map(|(title, length)| format!("{title} {length}")).collect::<Vec<_>>().join(", ")
}
