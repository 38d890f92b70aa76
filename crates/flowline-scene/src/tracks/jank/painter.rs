//! Draws periods of jank, and finds them under the pointer.

use std::sync::Arc;

use super::rows::{KEY, built, label};
use crate::frame::{Frame, Layer, TextRun, shortened_to};
use crate::geometry::PixelRect;
use crate::layout::{Item, ItemKind, SceneInput, TEXT_SIZE, TrackHeading, TrackRow};
use crate::primitives::RectInstance;
use crate::tracks::TrackPainter;
use crate::tracks::row_spans::column_and_reach;
use crate::tracks::timed_row::{Room, SeenEntry, TimedEntry, caption, dimmed, nearest, outline, seen};
use flowline_format::format_duration_ns;
use flowline_insights::jank::JankPeriod;
use flowline_profile::ProcessId;

/// Points above and below a bar.
const INSET: f32 = 3.0;
/// Bars of at least this many points have their text inside.
const TEXT_INSIDE: f32 = 56.0;
/// Points between a bar and its text.
const GAP: f32 = 5.0;

fn process_of(item: &Item) -> Option<ProcessId> {
    match item.kind {
        ItemKind::Track(TrackHeading { track, expanded: false }) if track.kind == KEY => Some(ProcessId(track.number)),
        ItemKind::TrackRow(TrackRow { track, .. }) if track.kind == KEY => Some(ProcessId(track.number)),
        _ => None,
    }
}

/// The entry at an x coordinate of a row.
pub(super) fn entry_at(input: &SceneInput<'_>, row: &[TimedEntry], x: f32) -> Option<SeenEntry> {
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let map = input.axis_map();
    nearest(row, &map, column, 0).or_else(|| nearest(row, &map, column, reach))
}

/// Draws the periods on screen.
#[derive(Debug, Default)]
pub(super) struct JankPainter;

impl TrackPainter for JankPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        let Some((list, rows)) = built(input.index) else { return };
        let pointed = input.pointer.and_then(|(x, y)| input.hits(x, y).entry).filter(|hit| hit.kind == KEY);
        let selected = input.view.range.filter(|_| input.view.range_is_newer);
        for item in input.visible_items() {
            let Some(row) = process_of(item).and_then(|process| rows.row(process)) else { continue };
            let place = (input.item_y(item), input.item_height(item));
            let painter = RowPainter {
                input,
                place,
                is_selected: &|own| selected == Some(own.times),
                is_hovered: &|number| pointed.is_some_and(|hit| hit.entry == number),
            };
            painter.draw(frame, row, list.all());
        }
    }
}

/// Draws a row.
struct RowPainter<'a> {
    input: &'a SceneInput<'a>,
    /// Top and height.
    place: (f32, f32),
    is_selected: &'a dyn Fn(&JankPeriod) -> bool,
    is_hovered: &'a dyn Fn(u32) -> bool,
}

impl RowPainter<'_> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "pixel columns")]
    fn draw(&self, frame: &mut Frame, row: &[TimedEntry], all: &[JankPeriod]) {
        let (input, chart, map, (y, height)) = (self.input, self.input.regions.chart, frame.axis, self.place);
        let (mut bars, mut outlines): (Vec<RectInstance>, Vec<RectInstance>) = (Vec::new(), Vec::new());
        let is_dim = input.is_dimmed() || input.view.dims_others();
        let color = if is_dim { dimmed(frame, frame.palette.bad) } else { frame.palette.bad };
        let inset = (INSET * frame.scale).round().min((height / 3.0).floor());
        let mut taken = chart.x;
        for entry in seen(row, &map, (0, chart.width.ceil() as i32)) {
            let Some(own) = all.get(entry.number as usize) else { continue };
            let (first, end) = entry.columns;
            let left = frame.axis_left + first as f32;
            let rect = PixelRect::new(left, y + inset, (end - first) as f32, height - 2.0 * inset);
            let radius = if rect.width >= 6.0 * frame.scale { frame.scale } else { 0.0 };
            bars.push(RectInstance { radius, ..RectInstance::filled(rect, color) });
            if !is_dim && !self.text_inside(frame, rect, own) {
                let room = Room { rect, gap: (GAP * input.scale).round(), since: entry.since, until: entry.until };
                let texts = || vec![label(own), format_duration_ns(own.times.len())];
                caption(input, frame, (room, &mut taken), (y, height), texts);
            }
            let is_selected = (self.is_selected)(own);
            if is_selected || (self.is_hovered)(entry.number) {
                outlines.push(outline(frame, rect, is_selected));
            }
        }
        frame.begin_layer(Layer::Markers);
        frame.draw(chart, bars);
        frame.begin_layer(Layer::Highlights);
        frame.draw(chart, outlines);
    }

    /// Writes the label into the visible part of a bar. Returns false if there is no room.
    fn text_inside(&self, frame: &mut Frame, bar: PixelRect, own: &JankPeriod) -> bool {
        let visible = bar.intersect(self.input.regions.chart);
        if visible.width < TEXT_INSIDE * frame.scale {
            return false;
        }
        let (gap, size) = ((GAP * frame.scale).round(), TEXT_SIZE * frame.scale);
        let text = shortened_to(Arc::from(label(own)), visible.width - 2.0 * gap, size);
        let (y, height) = self.place;
        let y = (y + (height - size * 1.3) / 2.0).round();
        let color = frame.palette.label_on_fill(frame.palette.bad);
        let clip = PixelRect::new(visible.x, self.place.0, visible.width, height);
        frame.texts.push(TextRun { text, x: visible.x + gap, y, size, color, clip });
        true
    }
}
