//! The spans of a row of markers or calls: drawing, and hit testing under the pointer.

use std::hash::Hash;

use super::visible_span_cache::VisibleSpanCache;
use crate::frame::{Frame, can_have_label};
use crate::geometry::AxisMap;
use crate::layout::SceneInput;
use crate::primitives::{Emphasis, MarkerInstance};
use flowline_index::{Packed, Pyramid, RowItems, Span};
use flowline_profile::LocalMarker;
use flowline_view::LitEntries;

/// A row on screen.
pub(super) struct SpanRow<'a, I> {
    pub(super) items: &'a I,
    pub(super) pyramid: &'a Pyramid,
    /// Index in [`Frame::rows`].
    pub(super) slot: usize,
    pub(super) emphasis: Emphasis,
    /// Minimum length in ticks of a span with a label; `None` for no labels.
    pub(super) least: Option<u64>,
}

impl<I: RowItems> SpanRow<'_, I> {
    /// Draws the spans in a closed range of ticks. `key` identifies the row in the cache. Calls `label` for the items
    /// that may have a label.
    pub(super) fn draw<K: Eq + Hash>(
        &self,
        frame: &mut Frame,
        (cache, key): (&mut VisibleSpanCache<K>, K),
        (from, to): (u64, u64),
        mut label: impl FnMut(LocalMarker, Packed),
    ) {
        let ticks_per_pixel = frame.axis.ticks_per_pixel();
        let stored = self.pyramid.stored(ticks_per_pixel, from, to);
        let (first, found) = stored.unwrap_or_else(|| cache.spans(key, self.items, from, to));
        let by = frame.color_by;
        let instance = |packed: &Packed| MarkerInstance::new(packed.colored(by), self.slot, self.emphasis);
        frame.instances.markers.extend(found.iter().map(instance));
        let Some(least) = self.least else { return };
        for (number, packed) in (first..).zip(found).filter(|(_, packed)| can_have_label(**packed, least)) {
            label(self.pyramid.marker_at(self.items, ticks_per_pixel, number), *packed);
        }
    }

    /// Draws the spans in a range of ticks without a cache, for search hits, which are few.
    pub(super) fn draw_uncached(
        &self,
        frame: &mut Frame,
        (from, to): (u64, u64),
        mut label: impl FnMut(LocalMarker, Packed),
    ) {
        let (ticks_per_pixel, by) = (frame.axis.ticks_per_pixel(), frame.color_by);
        self.pyramid.visit_numbered(self.items, ticks_per_pixel, from, to, |number, packed| {
            frame.instances.markers.push(MarkerInstance::new(packed.colored(by), self.slot, self.emphasis));
            if self.least.is_some_and(|least| can_have_label(packed, least)) {
                label(self.pyramid.marker_at(self.items, ticks_per_pixel, number), packed);
            }
        });
    }

    /// Draws the spans again whose longest item is lit, over a closed range of ticks.
    pub(super) fn draw_lit(&self, frame: &mut Frame, (from, to): (u64, u64), is_lit: impl Fn(LocalMarker) -> bool) {
        let (ticks_per_pixel, by) = (frame.axis.ticks_per_pixel(), frame.color_by);
        self.pyramid.visit_numbered(self.items, ticks_per_pixel, from, to, |number, packed| {
            if is_lit(self.pyramid.marker_at(self.items, ticks_per_pixel, number)) {
                frame.instances.markers.push(MarkerInstance::new(packed.colored(by), self.slot, self.emphasis));
            }
        });
    }
}

/// The ticks of a closed range in which lit entries are drawn: intervals that only touch the range of the entries are
/// not in it.
pub(super) fn lit_ticks(input: &SceneInput<'_>, lit: &LitEntries, (from, to): (u64, u64)) -> (u64, u64) {
    let Some(range) = lit.range else { return (from, to) };
    let clock = input.index.clock();
    (from.max(clock.tick(range.start).saturating_add(1)), to.min(clock.tick(range.end).saturating_sub(1)))
}

/// The last drawn span over a column, or else the closest one within `reach` pixels.
pub(super) fn nearest(
    items: &impl RowItems,
    pyramid: &Pyramid,
    map: &AxisMap,
    column: i32,
    reach: i32,
) -> Option<Span> {
    let (from, to) = map.ticks(f64::from(column - reach), f64::from(column + reach + 1));
    let mut best: Option<(i32, Span)> = None;
    pyramid.visit_spans(items, map.ticks_per_pixel(), from, to, |span| {
        let (first, end) = map.columns(span.packed);
        let distance = (first - column).max(column - (end - 1)).max(0);
        if distance <= reach && best.is_none_or(|(least, _)| distance <= least) {
            best = Some((distance, span));
        }
    });
    best.map(|(_, span)| span)
}

/// The pixel column of a point of the chart, and the number of columns around it that count as near.
#[expect(clippy::cast_possible_truncation, reason = "a pixel column of the chart and a few pixels")]
pub(super) fn column_and_reach(along: f32, scale: f32) -> (i32, i32) {
    (along.floor() as i32, (REACH * scale).ceil() as i32)
}

/// Hit radius in points around the pointer, used if nothing is drawn directly under it.
const REACH: f32 = 3.0;
