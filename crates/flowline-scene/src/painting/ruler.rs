//! The ruler: labeled ticks at round times on the displayed clock, in a unit that fits the zoom. The grid uses the same
//! times.

use std::sync::Arc;

use crate::frame::{Frame, TextRun};
use crate::geometry::PixelRect;
use crate::layout::{SceneInput, TEXT_SIZE, axis_label, pixel_of, text_width, time_label};
use crate::primitives::RectInstance;
use crate::theme::with_alpha;
use flowline_profile::Ns;

/// Minimum distance between labeled ticks in points.
const TICK_DISTANCE: f64 = 96.0;

/// The distance between labeled ticks in nanoseconds: 1, 2 or 5 times a power of ten, or a round number of minutes or
/// hours.
fn tick_step(ns_per_point: f64) -> i64 {
    let least = TICK_DISTANCE * ns_per_point;
    const SECOND: i64 = 1_000_000_000;
    let long = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400];
    #[expect(clippy::cast_precision_loss, reason = "a length on screen")]
    let fits = |step: i64| step as f64 >= least;
    let mut step = 1;
    while step < SECOND {
        if let Some(found) = [step, 2 * step, 5 * step].into_iter().find(|step| fits(*step)) {
            return found;
        }
        step *= 10;
    }
    let mut day = 86_400 * SECOND;
    long.into_iter().map(|seconds| seconds * SECOND).find(|step| fits(*step)).unwrap_or_else(|| {
        while !fits(day) && day < i64::MAX / 20 {
            day *= 10;
        }
        day
    })
}

/// Labeled ticks on screen: time on the displayed clock, and canvas position.
fn ticks(input: &SceneInput<'_>) -> (i64, Vec<(Ns, f32)>) {
    let axis = &input.view.axis;
    let start = input.view.clock().origin;
    let step = tick_step(axis.ns_per_pixel() * f64::from(input.scale));
    let visible = axis.visible();
    // A second recording can be so far out of view that these times overflow its clock.
    let first = visible.start.0.saturating_sub(start.0).div_euclid(step).saturating_mul(step);
    let last = visible.end.0.saturating_sub(start.0);
    let count = (last.saturating_sub(first) / step).saturating_add(1).clamp(0, 400);
    let tick = |number: i64| {
        let time = Ns(first.saturating_add(number.saturating_mul(step)));
        (time, pixel_of(input, start + time))
    };
    (step, (0..=count).map(tick).collect())
}

/// Draws vertical lines through a part of the canvas that is as wide as the chart.
pub(crate) fn build_grid(input: &SceneInput<'_>, frame: &mut Frame, chart: PixelRect) {
    let line = frame.line_width();
    let color = frame.palette.grid;
    let (_, ticks) = ticks(input);
    let lines = ticks
        .into_iter()
        .filter(|(_, x)| *x > chart.x - line && *x < chart.right())
        .map(|(_, x)| RectInstance::filled(PixelRect::new(x, chart.y, line, chart.height), color));
    frame.draw(chart, lines);
}

pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let ruler = input.regions.ruler;
    let palette = frame.palette;
    let scale = input.scale;
    let line = frame.line_width();
    let (step, ticks) = ticks(input);
    let mut rects = vec![RectInstance::filled(ruler, palette.panel)];
    let range = input.view.range.map(|range| (pixel_of(input, range.start), pixel_of(input, range.end), range));
    if let Some((left, right, _)) = range {
        let rect = PixelRect::new(left, ruler.y, (right - left).max(line), ruler.height);
        rects.push(RectInstance::filled(rect, with_alpha(palette.accent, 70)));
    }
    for (_, x) in &ticks {
        let height = 6.0 * scale;
        let rect = PixelRect::new(*x, ruler.bottom() - height, line, height);
        rects.push(RectInstance::filled(rect, with_alpha(palette.text2, 160)));
    }
    rects.push(RectInstance::filled(PixelRect::new(ruler.x, ruler.bottom() - line, ruler.width, line), palette.grid));
    if input.view.zero.is_some() {
        let x = pixel_of(input, input.view.clock().origin);
        rects.push(RectInstance::filled(PixelRect::new(x, ruler.y, 2.0 * line, ruler.height), palette.accent));
    }
    frame.draw(ruler, rects);

    let size = TEXT_SIZE * scale;
    let y = (ruler.y + (ruler.height - size * 1.3) / 2.0 - scale).round();
    let text =
        |text: String, x: f32, color, clip: PixelRect| TextRun { text: Arc::from(text), x, y, size, color, clip };
    // The plate of the pointer or of the selected range covers the ticks.
    let plate = plate(input, range.map(|(left, right, range)| (left, right, range.len())));
    let free = |x: f32| plate.as_ref().is_none_or(|(rect, _)| x + 80.0 * scale < rect.x || x > rect.right());
    for (time, x) in ticks.iter().filter(|(_, x)| free(*x)) {
        let (label, left) = (axis_label(input.view.clock(), *time, step), x + 4.0 * scale);
        // A clipped number could be misread.
        if left >= ruler.x && left + text_width(&label, scale) <= ruler.right() {
            frame.texts.push(text(label, left, palette.text2, ruler));
        }
    }
    if let Some((rect, label)) = plate {
        frame.draw(ruler, [RectInstance { radius: 3.0 * scale, ..RectInstance::filled(rect, palette.accent) }]);
        frame.texts.push(text(label, rect.x + 5.0 * scale, palette.canvas, rect));
    }
}

/// The plate with the length of the selected range, or with the time at the pointer.
fn plate(input: &SceneInput<'_>, range: Option<(f32, f32, i64)>) -> Option<(PixelRect, String)> {
    let ruler = input.regions.ruler;
    let scale = input.scale;
    let (x, label) = match (input.timed_pointer(), range) {
        (_, Some((left, right, length))) => {
            let middle = (left.max(ruler.x) + right.min(ruler.right())) / 2.0;
            (middle, input.view.clock().length(length))
        }
        (Some(x), None) => (x, time_label(input, input.view.axis.time(f64::from(x - ruler.x)))),
        (None, None) => return None,
    };
    let width = text_width(&label, scale) + 12.0 * scale;
    let left = (x - width / 2.0).clamp(ruler.x, (ruler.right() - width).max(ruler.x)).round();
    let inset = (2.0 * scale).round();
    Some((PixelRect::new(left, ruler.y + inset, width.round(), ruler.height - 2.0 * inset), label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::format_time;

    #[test]
    fn steps_are_round_and_far_enough_apart() {
        for exponent in -30..60 {
            let ns_per_point = 2_f64.powi(exponent);
            let step = tick_step(ns_per_point);
            assert!(step as f64 >= TICK_DISTANCE * ns_per_point || step > i64::MAX / 20, "{ns_per_point}");
            assert!(step == 1 || (step as f64) < TICK_DISTANCE * ns_per_point * 11.0, "{ns_per_point}: {step}");
        }
    }

    #[test]
    fn times_have_the_digits_their_step_needs() {
        let cases = [
            (10_180_000_000, 10_000_000, "10,180 ms"),
            (10_180_500_000, 500_000, "10,180.5 ms"),
            (1_500_000_000, 500_000_000, "1.5 s"),
            (90_000_000_000, 10_000_000_000, "90 s"),
            (3_723_000_000_000, 1_000_000_000, "1:02:03"),
            (1_234_567, 100, "1,234.5 µs"),
            (1_234_567, 1, "1,234,567 ns"),
            (-2_000_000, 1_000_000, "−2 ms"),
            (0, 1_000_000, "0 ms"),
        ];
        for (ns, step, expected) in cases {
            assert_eq!(format_time(Ns(ns), step), expected, "{ns} {step}");
        }
    }
}
