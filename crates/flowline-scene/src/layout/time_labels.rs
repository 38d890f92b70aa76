//! Times on the canvas: their pixels, and their labels on the displayed clock.

use super::scene_input::SceneInput;
use super::text_metrics::text_ems;
use flowline_format::format_tick;
use flowline_profile::Ns;

/// Font size in points.
pub(crate) const TEXT_SIZE: f32 = 11.0;

/// The pixel of a time on the canvas, clamped to just outside the chart.
#[expect(clippy::cast_possible_truncation, reason = "clamped")]
pub(crate) fn pixel_of(input: &SceneInput<'_>, time: Ns) -> f32 {
    let chart = input.regions.chart;
    // `round` rounds halves away from zero, so they would jump at the view's left edge.
    let pixel = (input.view.axis.pixel(time) + 0.5).floor();
    chart.x + pixel.clamp(-1000.0, f64::from(chart.width) + 1000.0) as f32
}

/// A time on the displayed clock, with pixel precision.
pub(crate) fn time_label(input: &SceneInput<'_>, time: Ns) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a step on screen")]
    let step = (input.view.axis.ns_per_pixel() as i64).max(1);
    axis_label(input, input.view.clock().show(time), largest_power_of_ten(step))
}

/// Label of a displayed time with the precision needed for ticks `step` apart. On an axis without times, it is
/// the amount before it.
pub(crate) fn axis_label(input: &SceneInput<'_>, displayed: Ns, step: i64) -> String {
    let clock = input.view.clock();
    let amount = clock.amount_before(clock.recorded(displayed));
    amount.unwrap_or_else(|| format_tick(displayed, step, clock.show(input.view.bounds().whole.end)))
}

pub(crate) fn largest_power_of_ten(value: i64) -> i64 {
    let mut power = 1;
    while power <= value / 10 {
        power *= 10;
    }
    power
}

/// The width of a label in device pixels, with a point to spare.
pub(crate) fn text_width(label: &str, scale: f32) -> f32 {
    (text_ems(label) * TEXT_SIZE + 1.0) * scale
}
