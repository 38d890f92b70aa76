//! Draws layout shifts, and finds them under the pointer.

use super::card::score_text;
use super::rows::{KEY, ShiftTrack, built};
use crate::frame::{Frame, Layer};
use crate::geometry::PixelRect;
use crate::layout::{Hit, Item, ItemKind, SceneInput, TrackHeading, TrackRow};
use crate::primitives::{LinkInstance, LinkKind, RectInstance};
use crate::theme::{Palette, Rgba};
use crate::tracks::TrackPainter;
use crate::tracks::row_spans::column_and_reach;
use crate::tracks::timed_row::{Room, SeenEntry, caption, dimmed, match_line, nearest, outline, seen};
use flowline_index::Index;
use flowline_index::search::Hits;
use flowline_insights::layout_shifts::{LayoutShift, LayoutShifts, ShiftCluster};
use flowline_insights::page_load::Rating;
use flowline_profile::ProcessId;

/// Half the height and width in points of the diamond of a shift.
const HALF: f32 = 6.0;
/// Shifts with at least this score are drawn at full size.
const FULL_SCORE: f64 = 0.1;
/// Least size of a diamond, as a part of the full size.
const LEAST_SIZE: f32 = 1.0 / 3.0;
/// Height in points of the bar of a cluster, and its distance from the lower edge of the row.
const BAR: f32 = 1.5;
const BELOW: f32 = 2.0;
/// Points between a diamond and its score.
const GAP: f32 = 4.0;

fn track_of_item(item: &Item) -> Option<u32> {
    match item.kind {
        ItemKind::Track(TrackHeading { track, expanded: false }) if track.kind == KEY => Some(track.number),
        ItemKind::TrackRow(TrackRow { track, .. }) if track.kind == KEY => Some(track.number),
        _ => None,
    }
}

/// True if the marker of a shift matches a search.
pub(super) fn is_hit(index: &Index, shift: &LayoutShift, hits: &Hits) -> bool {
    index.profile().locate(shift.marker).is_some_and(|(thread, local)| hits.contains(thread, local))
}

/// The hit at an x coordinate: the shift whose diamond is drawn there. The diamond is wider than its time.
pub(super) fn hit(input: &SceneInput<'_>, process: u32, x: f32) -> Option<Hit> {
    let (all, rows) = built(input.index)?;
    let (column, _) = column_and_reach(x - input.regions.chart.x, input.scale);
    #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
    let reach = (HALF * input.scale).ceil() as i32;
    let found = nearest(&rows.track(ProcessId(process))?.shifts, &input.axis_map(), column, reach)?;
    let shift = all.shifts().get(found.number as usize)?;
    Some(Hit { thread: shift.thread, marker: shift.marker, count: found.count })
}

/// Draws the shifts on screen.
#[derive(Debug, Default)]
pub(super) struct ShiftPainter;

impl TrackPainter for ShiftPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        let Some((all, rows)) = built(input.index) else { return };
        for item in input.visible_items() {
            let Some(track) = track_of_item(item).and_then(|process| rows.track(ProcessId(process))) else { continue };
            let place = (input.item_y(item), input.item_height(item));
            draw_clusters(input, frame, all, track, place);
            draw_shifts(input, frame, all, track, place);
        }
    }
}

/// The color of a cluster and of its shifts: how good the score of the cluster is.
fn color(palette: &Palette, cluster: Option<&ShiftCluster>) -> Rgba {
    match cluster.map(ShiftCluster::rating) {
        Some(Rating::Good) => palette.good,
        Some(Rating::NeedsImprovement) => palette.warn,
        Some(Rating::Poor) => palette.bad,
        None => palette.line_strong,
    }
}

/// The columns of the chart.
#[expect(clippy::cast_possible_truncation, reason = "a width in pixels")]
fn visible(input: &SceneInput<'_>) -> (i32, i32) {
    (0, input.regions.chart.width.ceil() as i32)
}

#[expect(clippy::cast_precision_loss, reason = "pixel columns")]
fn draw_clusters(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    all: &LayoutShifts,
    track: &ShiftTrack,
    (y, height): (f32, f32),
) {
    let map = frame.axis;
    let thin = (BAR * frame.scale).round().max(1.0);
    let top = (y + height - thin - BELOW * frame.scale).round();
    let bar = |entry: SeenEntry| {
        let color = color(frame.palette, all.clusters().get(entry.number as usize));
        let (first, end) = entry.columns;
        let rect = PixelRect::new(frame.axis_left + first as f32, top, (end - first) as f32, thin);
        RectInstance::filled(rect, dimmed(frame, color))
    };
    let bars: Vec<RectInstance> = seen(&track.clusters, &map, visible(input)).map(bar).collect();
    frame.begin_layer(Layer::Markers);
    frame.draw(input.regions.chart, bars);
}

/// Half the size of the diamond of a shift in device pixels.
#[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
fn half_of(frame: &Frame, shift: &LayoutShift) -> f32 {
    let part = ((shift.score / FULL_SCORE) as f32).clamp(LEAST_SIZE, 1.0);
    (HALF * part * frame.scale).round().max(2.0)
}

#[expect(clippy::cast_precision_loss, reason = "pixel columns")]
fn draw_shifts(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    all: &LayoutShifts,
    track: &ShiftTrack,
    (y, height): (f32, f32),
) {
    let (chart, map) = (input.regions.chart, frame.axis);
    let margin = (HALF * frame.scale).ceil();
    let (mut links, mut rects): (Vec<LinkInstance>, Vec<RectInstance>) = (Vec::new(), Vec::new());
    #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
    let (from, to) = (visible(input).0 - margin as i32, visible(input).1 + margin as i32);
    let mut taken = chart.x;
    for entry in seen(&track.shifts, &map, (from, to)) {
        let Some(shift) = all.shifts().get(entry.number as usize) else { continue };
        let is_match = input.search.map(|search| is_hit(input.index, shift, &search.hits));
        let plain = color(frame.palette, shift.cluster.and_then(|at| all.clusters().get(at)));
        let is_own = input.view.is_in_insight(shift.marker);
        let is_dim = is_match.map_or(input.view.dims_others() && !is_own, |is_match| !is_match);
        let color = if is_dim { dimmed(frame, plain) } else { plain };
        let half = half_of(frame, shift);
        let x = frame.axis_left + entry.columns.0 as f32 + (frame.line_width() / 2.0).floor();
        let center = [x, (y + height / 2.0).round()];
        links.extend(diamond(center, half, color));
        let rect = PixelRect::new(x - half, center[1] - half, 2.0 * half, 2.0 * half);
        if is_match == Some(true) {
            rects.push(match_line(frame, rect));
        }
        if !is_dim {
            let room = Room { rect, gap: (GAP * frame.scale).round(), since: entry.since, until: entry.until };
            caption(input, frame, (room, &mut taken), (y, height), || vec![score_text(shift.score)]);
        }
        let is = |marker| marker == Some(shift.marker);
        let is_selected = is(input.view.selected);
        if is_selected || is(input.view.hovered) || is_own {
            rects.push(outline(frame, rect, is_selected));
        }
    }
    frame.begin_layer(Layer::Markers);
    frame.draw(chart, links);
    frame.begin_layer(Layer::Highlights);
    frame.draw(chart, rects);
}

/// The two halves of a diamond around a point.
fn diamond([x, y]: [f32; 2], half: f32, color: Rgba) -> [LinkInstance; 2] {
    let side = |to: f32| LinkInstance::new(LinkKind::Head, [x, y], [to, y], color, 2.0 * half);
    [side(x - half), side(x + half)]
}
