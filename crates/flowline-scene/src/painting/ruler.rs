//! The ruler: labeled ticks at round times on the displayed clock, in a unit that fits the zoom. The grid uses the same
//! times.

use std::sync::Arc;

use crate::frame::{Frame, TextRun};
use crate::geometry::PixelRect;
use crate::layout::{SceneInput, TEXT_SIZE, axis_label, pixel_of, text_width, time_label};
use crate::primitives::RectInstance;
use crate::theme::Rgba;
use flowline_insights::insights::InsightName;
use flowline_profile::{Ns, TimeRange};

/// Minimum distance between labeled ticks in points.
const TICK_DISTANCE: f64 = 64.0;

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
    let step = tick_step(axis.ns_per_pixel() * f64::from(input.scale)).max(input.view.clock().unit.least_step());
    // Without contents, the times of the axis mean nothing.
    if input.index.is_blank() {
        return (step, Vec::new());
    }
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
    let range = marked_range(input);
    let edges = range.as_ref().map(|(range, _)| (pixel_of(input, range.start), pixel_of(input, range.end)));
    for (_, x) in &ticks {
        let height = 6.0 * scale;
        let rect = PixelRect::new(*x, ruler.bottom() - height, line, height);
        rects.push(RectInstance::filled(rect, palette.line_strong));
    }
    if let Some(edges) = edges {
        rects.extend(bracket(ruler, edges, (scale, line), palette.accent));
    }
    rects.push(RectInstance::filled(PixelRect::new(ruler.x, ruler.bottom() - line, ruler.width, line), palette.line));
    if input.view.zero.is_some() {
        let x = pixel_of(input, input.view.clock().origin);
        rects.push(RectInstance::filled(PixelRect::new(x, ruler.y, 2.0 * line, ruler.height), palette.accent));
    }
    frame.draw(ruler, rects);

    let size = TEXT_SIZE * scale;
    let y = (ruler.y + (ruler.height - size * 1.3) / 2.0 - scale).round();
    let text =
        |text: String, x: f32, color, clip: PixelRect| TextRun { text: Arc::from(text), x, y, size, color, clip };
    // The chips of the pointer and of the selected range cover the ticks.
    let chips = [pointer_chip(input), edges.zip(range).and_then(|(edges, (_, label))| range_chip(input, edges, label))];
    let free = |left: f32, right: f32| {
        chips.iter().flatten().all(|chip| right + 4.0 * scale < chip.rect.x || left > chip.rect.right())
    };
    for (time, x) in &ticks {
        let (label, left) = (axis_label(input, *time, step), x + 4.0 * scale);
        let right = left + text_width(&label, scale);
        // A clipped number could be misread.
        if left >= ruler.x && right <= ruler.right() && free(left, right) {
            frame.texts.push(text(label, left, palette.text2, ruler));
        }
    }
    let [pointer, range] = chips;
    // The pointer's time stays readable over the length of the range.
    let is_apart = |chip: &Chip| pointer.as_ref().is_none_or(|pointer| pointer.rect.intersect(chip.rect).width <= 0.0);
    for chip in range.filter(is_apart).into_iter().chain(pointer.clone()) {
        let (fill, ink) = match chip.is_range {
            true => (palette.accent_fill, palette.on_accent),
            false => (palette.raised, palette.text),
        };
        let border = if chip.is_range { palette.accent } else { palette.line_strong };
        frame.draw(
            ruler,
            [RectInstance { radius: 3.0 * scale, border, border_width: line, ..RectInstance::filled(chip.rect, fill) }],
        );
        frame.texts.push(text(chip.label, chip.rect.x + 6.0 * scale, ink, chip.rect));
    }
}

/// A text over the ruler.
#[derive(Clone, Debug)]
struct Chip {
    rect: PixelRect,
    label: String,
    is_range: bool,
}

impl Chip {
    fn new(input: &SceneInput<'_>, middle: f32, label: String, is_range: bool) -> Self {
        let (ruler, scale) = (input.regions.ruler, input.scale);
        let width = text_width(&label, scale) + 12.0 * scale;
        let left = (middle - width / 2.0).clamp(ruler.x, (ruler.right() - width).max(ruler.x)).round();
        let inset = (3.0 * scale).round();
        let rect = PixelRect::new(left, ruler.y + inset, width.round(), ruler.height - 2.0 * inset);
        Self { rect, label, is_range }
    }
}

/// The selected range with its length, or else that of the emphasized insight with its name, too.
fn marked_range(input: &SceneInput<'_>) -> Option<(TimeRange, String)> {
    let length = |range: TimeRange| input.view.clock().length(range.len());
    if let Some(range) = input.view.range {
        return Some((range, length(range)));
    }
    let focus = input.view.insight.as_deref()?;
    let (range, name) = (focus.range?, InsightName::find(&focus.name));
    Some((range, name.map_or_else(String::new, |name| format!("{}, ", name.title())) + &length(range)))
}

/// Distance in points between the line of a bracket and the lower edge of the ruler, so that it is below the labels.
const BRACKET_LINE: f32 = 4.0;

/// A range as a bracket: its ends, and a line between them.
fn bracket(ruler: PixelRect, (left, right): (f32, f32), (scale, line): (f32, f32), color: Rgba) -> [RectInstance; 3] {
    let top = ruler.y + (ruler.height / 2.0).round();
    let height = ruler.bottom() - top;
    let (left, right) = (left.round(), right.round().max(left.round() + line));
    [
        PixelRect::new(left, ruler.bottom() - (BRACKET_LINE * scale).round(), right - left, scale.round().max(line)),
        PixelRect::new(left, top, line, height),
        PixelRect::new(right - line, top, line, height),
    ]
    .map(|rect| RectInstance::filled(rect, color))
}

/// The label of the marked range, in its middle; none if the range is out of view.
fn range_chip(input: &SceneInput<'_>, (left, right): (f32, f32), label: String) -> Option<Chip> {
    let ruler = input.regions.ruler;
    let (left, right) = (left.max(ruler.x), right.min(ruler.right()));
    (left <= right).then(|| Chip::new(input, left.midpoint(right), label, true))
}

/// The time at the pointer.
fn pointer_chip(input: &SceneInput<'_>) -> Option<Chip> {
    let x = input.timed_pointer()?;
    let time = input.view.axis.time(f64::from(x - input.regions.ruler.x));
    Some(Chip::new(input, x, time_label(input, time), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_far_enough_apart() {
        for exponent in -30..60 {
            let ns_per_point = 2_f64.powi(exponent);
            let step = tick_step(ns_per_point);
            assert!(step as f64 >= TICK_DISTANCE * ns_per_point || step > i64::MAX / 20, "{ns_per_point}");
            assert!(step == 1 || (step as f64) < TICK_DISTANCE * ns_per_point * 11.0, "{ns_per_point}: {step}");
        }
    }
}
