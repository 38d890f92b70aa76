//! The column that shows the distribution of a row's samples over time: a bar for each part of the range.
//!
//! Each row has its own scale. The other columns show the costs, and bars on a common scale would be flat in nearly all
//! rows.

use egui::{Mesh, Rangef, Rect, Response, Ui, pos2};

use super::row;
use super::sample_result::SampleResult;
use crate::widgets::style::color;
use flowline_format::format_duration_ns;
use flowline_index::samples::{Measure, PARTS, Parts};
use flowline_profile::Ns;
use flowline_scene::{Palette, Rgba};
use flowline_session::time_text;

/// Position of the column.
pub(super) const WHEN: usize = row::COLUMNS;

/// The part with the highest bar, and its height; `None` if there is no bar.
fn highest(parts: &Parts) -> Option<(usize, f64)> {
    let sizes = parts.iter().map(|cost| cost.abs()).enumerate();
    sizes.rev().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, size)| *size > 0.0)
}

/// Draws the bars of a row.
pub(super) fn paint(ui: &Ui, rect: Rect, span: Rangef, parts: &Parts, tint: Rgba) {
    let Some((_, highest)) = highest(parts) else { return };
    let (bottom, height) = (rect.max.y - 2.0, rect.height() - 4.0);
    ui.painter().hline(span, bottom + 0.5, egui::Stroke::new(1.0, color(tint).gamma_multiply(0.25)));
    let mut mesh = Mesh::default();
    for (at, cost) in parts.iter().enumerate().filter(|(_, cost)| **cost != 0.0) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "points")]
        let (left, right, size) = (
            span.min + span.span() * at as f32 / PARTS as f32,
            span.min + span.span() * (at + 1) as f32 / PARTS as f32,
            // Nonzero bars are always visible.
            ((cost.abs() / highest) as f32 * height).max(1.0),
        );
        mesh.add_colored_rect(Rect::from_min_max(pos2(left, bottom - size), pos2(right, bottom)), color(tint));
    }
    ui.painter().add(mesh);
}

/// Description of the bars for screen readers.
pub(super) fn description(built: &SampleResult, parts: &Parts) -> String {
    let Some((part, _)) = highest(parts) else { return String::new() };
    let [from, to] = displayed(built, part);
    format!("most between {from} and {to}")
}

/// Start and end of a part on the displayed clock, rounded to about a hundredth of its length.
fn displayed(built: &SampleResult, part: usize) -> [String; 2] {
    let time = built.sparks.spread.time(part);
    let digits = ((time.end - time.start).0.max(1) / 100).checked_ilog10().unwrap_or(0);
    let unit = 10_i64.pow(digits);
    [time.start, time.end].map(|time| {
        let since = built.clock.show(time).0;
        if let Some(amount) = built.clock.amount_before(time) {
            return amount;
        }
        time_text(Ns(since.saturating_add(unit / 2).div_euclid(unit) * unit))
    })
}

/// Adds a tooltip to the bars of a row.
pub(super) fn explain(response: &Response, built: &SampleResult, span: Rangef, parts: &Parts, palette: &Palette) {
    let pointer = response.hover_pos().filter(|pointer| span.contains(pointer.x));
    let Some((pointer, (_, highest))) = pointer.zip(self::highest(parts)) else { return };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a part")]
    let part = (((pointer.x - span.min) / span.span() * PARTS as f32) as usize).min(PARTS - 1);
    #[expect(clippy::cast_possible_truncation, reason = "nanoseconds within 292 years")]
    let cost = |cost: f64| match built.tree.measure {
        Measure::Time => format_duration_ns(cost.round() as i64),
        Measure::Weight => built.unit.text_with_unit(cost, built.clock.unit),
    };
    let [from, to] = displayed(built, part);
    response.clone().on_hover_ui_at_pointer(|ui| {
        ui.label(format!("{} between {from} and {to}", cost(parts[part])));
        let scale = format!("Each row has its own scale; the highest bar is {}.", cost(highest));
        ui.label(egui::RichText::new(scale).small().color(color(palette.text2)));
    });
}
