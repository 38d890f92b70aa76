//! The critical path over the chart: one line along the lower edges of rows, where it covers no text; solid below running
//! segments and dashed below waits. It changes rows at the same times as the path.

use super::flow_panel::PathCache;
use crate::frame::Frame;
use crate::layout::{SceneInput, pixel_of};
use crate::primitives::{LinkInstance, LinkKind};
use crate::theme::{Rgba, with_alpha};
use flowline_index::waits::PathSegment;

/// Width of the line in points.
const WIDTH: f32 = 3.0;
/// Length of dashes and of the gaps between them in points.
const DASH: f32 = 5.0;

/// A segment in whole canvas pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DrawnSegment {
    /// Index of the segment in the path.
    pub(crate) number: usize,
    /// Left edge.
    pub(crate) left: f32,
    /// Right edge, at least one pixel right of `left`.
    pub(crate) right: f32,
}

/// The segments in view, from left to right. If several segments share a single pixel, only the longest is drawn.
pub(crate) fn drawn_segments(input: &SceneInput<'_>) -> Vec<DrawnSegment> {
    let Some(path) = input.path else { return Vec::new() };
    let visible = input.view.axis.visible();
    let first = path.segments.partition_point(|segment| segment.range.end < visible.start);
    let shown = path.segments[first..].iter().take_while(|segment| segment.range.start <= visible.end);
    let mut drawn: Vec<DrawnSegment> = Vec::new();
    for (number, segment) in (first..).zip(shown).filter(|(_, segment)| !segment.range.is_empty()) {
        let left = pixel_of(input, segment.range.start);
        let right = pixel_of(input, segment.range.end).max(left + 1.0);
        match drawn.last_mut().filter(|last| last.left >= left && last.right >= right) {
            Some(last) if path.segments[last.number].range.len() < segment.range.len() => last.number = number,
            Some(_) => {}
            None => drawn.push(DrawnSegment { number, left, right }),
        }
    }
    drawn
}

/// True if a segment is drawn dashed: waits and assumed segments.
pub(crate) const fn is_dashed(segment: &PathSegment) -> bool {
    segment.kind.is_wait()
}

/// Draws a horizontal line, optionally dashed, clipped to the chart.
pub(crate) fn line(
    input: &SceneInput<'_>,
    (left, right, y): (f32, f32, f32),
    (color, width): (Rgba, f32),
    dashed: bool,
    links: &mut Vec<LinkInstance>,
) {
    let chart = input.regions.chart;
    let (from, to) = (left.max(chart.x), right.min(chart.right()));
    let mut push = |from: f32, to: f32| {
        if to > from {
            links.push(LinkInstance::new(LinkKind::Line, [from, y], [to, y], color, width));
        }
    };
    if !dashed {
        return push(from, to);
    }
    let (dash, period) = (DASH * input.scale, 2.0 * DASH * input.scale);
    // The dash phase follows the line, so that dashes do not shift while the chart is panned.
    let mut at = left + ((from - left) / period).floor().max(0.0) * period;
    while at < to {
        push(at.max(from), (at + dash).min(to));
        at += period;
    }
}

/// Draws the path.
#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame, cache: &mut PathCache) {
    let Some(path) = input.path else { return };
    let (chart, palette, scale) = (input.regions.chart, frame.palette, input.scale);
    let margin = 3.0 * scale;
    let mut lines: Vec<LinkInstance> = Vec::new();
    let mut before: Option<(f32, f32)> = None;
    for DrawnSegment { number, left, right } in drawn_segments(input) {
        let segment = &path.segments[number];
        let Some(place) = cache.lower_edge(input, segment.marker) else {
            before = None;
            continue;
        };
        let y = chart.y + ((place - input.view.scroll) * f64::from(scale)).round() as f32;
        let y = y.clamp(chart.y + margin, (chart.bottom() - margin).max(chart.y + margin));
        let ink = (palette.flow, WIDTH * scale);
        if let Some((x, from)) = before.filter(|(x, from)| *from != y && *x >= chart.x && *x <= chart.right()) {
            lines.push(LinkInstance::new(LinkKind::Line, [x, from], [x, y], ink.0, ink.1));
        }
        line(input, (left, right, y), ink, is_dashed(segment), &mut lines);
        before = Some((right, y));
    }
    // A seam in the background color keeps the line readable over markers of any color.
    let seam = |line: &LinkInstance| LinkInstance {
        color: with_alpha(palette.canvas, 200),
        width: line.width + 2.0 * scale,
        ..*line
    };
    frame.draw(chart, lines.iter().map(seam).collect::<Vec<_>>());
    frame.draw(chart, lines);
}
