//! The critical path as a strip below the ruler, fixed while tracks are scrolled. Runs are boxes in the colors of their
//! markers; waits are dashes between rails.

use std::sync::Arc;

use super::critical_path::{DrawnSegment, drawn_segments, is_dashed, line};
use crate::frame::{Frame, TextRun, shortened};
use crate::geometry::PixelRect;
use crate::layout::{Hit, PointerHits, SceneInput};
use crate::primitives::{LinkInstance, RectInstance};
use crate::theme::with_alpha;
use crate::tracks::entry_title;
use flowline_format::format_duration_ns;
use flowline_index::waits::{CriticalPath, PathKind, WaitActivity};
use flowline_profile::text::LabelKind;

/// Height in points.
pub const PATH_STRIP_HEIGHT: f32 = 26.0;
/// Font size in points.
const TEXT_SIZE: f32 = 11.0;
/// Segments narrower than this many points have no text.
const MIN_WIDTH: f32 = 34.0;

/// Contents of the strip's label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLabel {
    /// Name of the path: "Critical path to" its marker.
    pub text: String,
    /// Length of the path.
    pub right: String,
    /// Description for screen readers.
    pub spoken: String,
}

/// The label of the critical path, if one is shown.
#[must_use]
pub fn label(input: &SceneInput<'_>) -> Option<PathLabel> {
    let profile = input.index.profile();
    let (thread, local) = profile.locate(input.view.path?.marker)?;
    let marker = input.view.path?.marker;
    let titled = entry_title(input.index, marker).map(|title| title.name);
    let name = titled.unwrap_or_else(|| profile.marker_title(thread, local).into_owned());
    let (right, spoken) = match input.path {
        None => ("…".to_owned(), format!("Critical path to {name}: searching…")),
        Some(path) => {
            let length = format_duration_ns(path.range().len());
            let (waiting, segments) = (format_duration_ns(waiting(path)), path.segments.len());
            let spoken = format!("Critical path to {name}: {length}, {waiting} waiting, {segments} segments");
            (length, spoken)
        }
    };
    Some(PathLabel { text: format!("Critical path to {name}"), right, spoken })
}

/// Hits at an x coordinate of the strip.
pub(crate) fn hits(input: &SceneInput<'_>, x: f32) -> PointerHits {
    let drawn = drawn_segments(input);
    let at = drawn.iter().rev().find(|segment| segment.left <= x && x < segment.right);
    let Some((path, segment)) = input.path.zip(at) else { return PointerHits::default() };
    let (thread, marker) = (path.segments[segment.number].thread, path.segments[segment.number].marker);
    PointerHits {
        chart: Some(Hit { thread, marker, count: 1 }),
        segment: Some(segment.number),
        ..PointerHits::default()
    }
}

/// Nanoseconds of a path that are not runs.
fn waiting(path: &CriticalPath) -> i64 {
    let waits = path.segments.iter().filter(|segment| is_dashed(segment));
    waits.map(|segment| segment.range.len()).fold(0, i64::saturating_add)
}

/// Draws the strip.
pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let (area, palette, line) = (input.regions.path, frame.palette, frame.line_width());
    if area.height < 1.0 {
        return;
    }
    let edge = PixelRect { y: area.bottom() - line, height: line, ..area };
    frame.draw(area, [RectInstance::filled(area, palette.heading), RectInstance::filled(edge, palette.grid)]);
    if let Some(path) = input.path {
        let inset = (3.0 * input.scale).round();
        paint_segments(input, frame, path, (area.y + inset, (area.height - 2.0 * inset).max(1.0)));
    }
    if let Some(x) = input.timed_pointer() {
        let pointer = PixelRect { x: x.floor(), width: line, ..area };
        frame.draw(area, [RectInstance::filled(pointer, with_alpha(palette.accent, 150))]);
    }
}

fn paint_segments(input: &SceneInput<'_>, frame: &mut Frame, path: &CriticalPath, (y, height): (f32, f32)) {
    let (area, palette, scale) = (input.regions.path, frame.palette, input.scale);
    let styles = input.index.source().styles;
    let (mut rects, mut dashes, mut texts): (Vec<_>, Vec<LinkInstance>, Vec<TextRun>) = Default::default();
    for DrawnSegment { number, left, right } in drawn_segments(input) {
        let segment = &path.segments[number];
        let (from, to) = (left.max(area.x), right.min(area.right()));
        if to <= from {
            continue;
        }
        let rect = PixelRect::new(from, y, to - from, height);
        let mut text_color = palette.ink;
        if is_dashed(segment) {
            rects.push(RectInstance::filled(rect, with_alpha(palette.flow, 26)));
            let rail = frame.line_width();
            for edge in [rect.y, rect.bottom() - rail] {
                rects.push(RectInstance::filled(
                    PixelRect { y: edge, height: rail, ..rect },
                    with_alpha(palette.flow, 120),
                ));
            }
            let ink = (with_alpha(palette.flow, 150), 1.5 * scale);
            line(input, (left, right, y + height - 4.0 * scale), ink, true, &mut dashes);
            text_color = palette.text;
        } else {
            let fill = palette.fill(styles.get(segment.marker).color());
            let alpha = if segment.kind == PathKind::Network { 150 } else { 255 };
            rects.push(RectInstance::filled(rect, with_alpha(fill, alpha)));
        }
        if to - from >= MIN_WIDTH * scale {
            let size = TEXT_SIZE * scale;
            let padding = 4.0 * scale;
            let clip = PixelRect::new(from + padding, y, to - from - 1.5 * padding, height);
            texts.push(TextRun {
                text: segment_text(input, path, number),
                x: clip.x,
                y: (y + (height - size * 1.3) / 2.0 - if is_dashed(segment) { scale } else { 0.0 }).round(),
                size,
                color: text_color,
                clip: clip.intersect(area),
            });
        }
    }
    frame.draw(area, rects);
    frame.draw(area, dashes);
    frame.texts.extend(texts);
}

/// Text of a segment: the label of a run, or the length and the blocker of a wait.
fn segment_text(input: &SceneInput<'_>, path: &CriticalPath, number: usize) -> Arc<str> {
    let segment = &path.segments[number];
    let profile = input.index.profile();
    let label = |marker| {
        let place = profile.locate(marker);
        place.map_or_else(String::new, |(thread, local)| {
            profile.marker_label(LabelKind::Chart, thread, local, input.view.clock())
        })
    };
    let length = format_duration_ns(segment.range.len());
    match segment.kind {
        PathKind::Run => shortened(&label(segment.marker)),
        PathKind::Wait => {
            let longest = segment.blocking.as_ref().and_then(WaitActivity::main);
            let cpu = segment.blocking.as_ref().and_then(|blocking| blocking.cpu);
            let on_cpu = cpu.map(|cpu| format!("runnable {length} on CPU {cpu}"));
            shortened(&match (longest.map(|blocker| blocker.text(profile)), on_cpu) {
                (Some(blocker), Some(on_cpu)) => format!("{on_cpu} behind {blocker}"),
                (None, Some(on_cpu)) => on_cpu,
                (Some(blocker), None) => format!("{length} wait behind {blocker}"),
                (None, None) => format!("{length} wait"),
            })
        }
        PathKind::Network => shortened(&format!("{length} network, {}", label(segment.marker))),
        PathKind::Followed => shortened(&format!("{length} after previous marker")),
        PathKind::Unknown => shortened(&format!("{length} unknown")),
    }
}
