//! The critical path as the topmost track: boxes for what ran, in the colours of the markers, and dashes between rails for
//! what waited.

use std::sync::Arc;

use super::{Background, Item, ItemKind, LabelStyle, TrackItem, TrackLabel, TrackPainter};
use crate::index::waits::{CriticalPath, PathKind};
use crate::profile::text::{LabelKind, format_duration_ns};
use crate::scene::critical_path::{DrawnSegment, drawn_segments, is_dashed, line};
use crate::scene::frame::{Frame, Layer, TextRun};
use crate::scene::labels::shortened;
use crate::scene::pixel_rect::PixelRect;
use crate::scene::pointer_hits::PointerHits;
use crate::scene::primitives::{LinkInstance, RectInstance};
use crate::scene::theme::with_alpha;
use crate::scene::{Hit, SceneInput};
use crate::view::Command;

/// Height in points.
const HEIGHT: f64 = 26.0;
/// Font size in points.
const TEXT_SIZE: f32 = 11.0;
/// Segments narrower than this many points have no text.
const MIN_WIDTH: f32 = 34.0;

/// The critical path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CriticalPathItem;

impl TrackItem for CriticalPathItem {
    fn height(&self) -> f64 {
        HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [0, 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: true }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let title = input.view.path.and_then(|target| input.index.profile().locate(target.marker));
        let name = title.map_or("", |(thread, local)| input.index.profile().marker_name(thread, local));
        let length = input.path.map_or(0, |path| path.range().len());
        let spoken = match input.path {
            None => format!("Critical path to {name}: it is being looked for"),
            Some(path) => format!(
                "Critical path to {name}: {}, {} of it waiting, {} segments",
                format_duration_ns(length),
                format_duration_ns(waiting(path)),
                path.segments.len()
            ),
        };
        TrackLabel {
            text: "Critical path".into(),
            right: if input.path.is_some() { format_duration_ns(length) } else { "…".into() },
            spoken,
            style: LabelStyle::Track,
            ..TrackLabel::default()
        }
    }

    fn menu(&self) -> Vec<(&'static str, Command)> {
        vec![("Hide the critical path", Command::ShowPath(None))]
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
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
}

/// Nanoseconds of a path that are no run.
fn waiting(path: &CriticalPath) -> i64 {
    let waits = path.segments.iter().filter(|segment| is_dashed(segment));
    waits.map(|segment| segment.range.len()).fold(0, i64::saturating_add)
}

/// Draws the track.
#[derive(Debug, Default)]
pub(in crate::scene) struct CriticalPathPainter;

impl TrackPainter for CriticalPathPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        let is_path = |item: &&Item| matches!(item.kind, ItemKind::CriticalPath(_));
        let Some((path, item)) = input.path.zip(input.visible_items().iter().find(is_path)) else { return };
        frame.begin_layer(Layer::FlowTracks);
        let inset = (3.0 * input.scale).round();
        let (y, height) = (input.item_y(item) + inset, (input.item_height(item) - 2.0 * inset).max(1.0));
        paint_segments(input, frame, path, (y, height));
    }
}

fn paint_segments(input: &SceneInput<'_>, frame: &mut Frame, path: &CriticalPath, (y, height): (f32, f32)) {
    let (chart, palette, scale) = (input.regions.chart, frame.palette, input.scale);
    let styles = input.index.source().styles;
    let (mut rects, mut dashes, mut texts): (Vec<_>, Vec<LinkInstance>, Vec<TextRun>) = Default::default();
    for DrawnSegment { number, left, right } in drawn_segments(input) {
        let segment = &path.segments[number];
        let (from, to) = (left.max(chart.x), right.min(chart.right()));
        if to <= from {
            continue;
        }
        let rect = PixelRect::new(from, y, to - from, height);
        let mut text_color = palette.marker_text;
        if is_dashed(segment) {
            rects.push(RectInstance::filled(rect, with_alpha(palette.connection, 26)));
            let rail = frame.line_width();
            for edge in [rect.y, rect.bottom() - rail] {
                rects.push(RectInstance::filled(
                    PixelRect { y: edge, height: rail, ..rect },
                    with_alpha(palette.connection, 120),
                ));
            }
            let ink = (with_alpha(palette.connection, 150), 1.5 * scale);
            line(input, (left, right, y + height - 4.0 * scale), ink, true, &mut dashes);
            text_color = palette.text;
        } else {
            let fill = palette.fills[usize::from(styles.get(segment.marker).color()) % palette.fills.len()];
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
                clip: clip.intersect(chart),
            });
        }
    }
    frame.draw(chart, rects);
    frame.draw(chart, dashes);
    frame.texts.extend(texts);
}

/// What stands in a segment: the label of what ran, or how long was waited and behind what.
fn segment_text(input: &SceneInput<'_>, path: &CriticalPath, number: usize) -> Arc<str> {
    let segment = &path.segments[number];
    let profile = input.index.profile();
    let label = |marker| {
        let place = profile.locate(marker);
        place.map_or_else(String::new, |(thread, local)| profile.marker_label(LabelKind::Chart, thread, local))
    };
    let length = format_duration_ns(segment.range.len());
    match segment.kind {
        PathKind::Run => shortened(&label(segment.marker)),
        PathKind::Wait => {
            // Only what took most of it is worth a name here.
            let longest = segment.held_up.as_ref().and_then(|held_up| held_up.behind.first());
            let longest = longest.filter(|behind| behind.ns >= segment.range.len() / 2);
            match longest {
                Some(behind) => shortened(&format!("{length} wait, behind {}", behind.text(profile))),
                None => shortened(&format!("{length} wait")),
            }
        }
        PathKind::Network => shortened(&format!("{length} network, {}", label(segment.marker))),
        PathKind::Followed => shortened(&format!("{length} after the one before")),
        PathKind::Unknown => Arc::from(""),
    }
}
