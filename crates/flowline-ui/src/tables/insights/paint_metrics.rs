//! Draws the metrics of a page load on one line.

use egui::{Rangef, Rect, TextStyle, Ui, pos2};

use super::state_icon::paint_rating;
use crate::widgets::style::color;
use flowline_insights::report::Metric;
use flowline_scene::Palette;
use flowline_session::metric_text;

/// Points from the middle of a shape to the text, and between two metrics.
const SHAPE: f32 = 9.0;
const GAP: f32 = 20.0;
/// Width of a letter of an address in points.
const LETTER: f32 = 6.0;

/// Draws as many metrics as fit.
pub(super) fn paint(ui: &Ui, row: Rect, span: Rangef, metrics: &[Metric], (is_cursor, palette): (bool, &Palette)) {
    let font = TextStyle::Body.resolve(ui.style());
    let mut left = span.min;
    for metric in metrics {
        let tint = color(match (is_cursor, metric.value.is_some()) {
            (true, _) => palette.on_accent,
            (false, true) => palette.text,
            (false, false) => palette.text3,
        });
        let start = left + if metric.rating.is_some() { SHAPE } else { 0.0 };
        let galley = ui.painter().layout_no_wrap(metric_text(metric), font.clone(), tint);
        let end = start + galley.size().x;
        if end > span.max {
            return;
        }
        if let Some(rating) = metric.rating {
            paint_rating(ui.painter(), pos2(left + 2.0, row.center().y), rating, palette);
        }
        ui.painter().galley(pos2(start, row.center().y - galley.size().y / 2.0), galley, tint);
        left = end + GAP;
    }
}

/// An address shortened in its middle to a width in points.
pub(super) fn short_url(url: &str, width: f32) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "letters on a screen")]
    let letters = (width / LETTER).max(0.0) as usize;
    flowline_index::flows::elided(url, letters)
}
