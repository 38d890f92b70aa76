//! The spans of a row of markers or calls: drawing, and hit testing under the pointer.

use std::hash::Hash;

use super::visible_span_cache::VisibleSpanCache;
use crate::frame::{Frame, can_have_label};
use crate::geometry::{AxisMap, diamond_reach};
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
    /// Other items on the row, which take room from instants: the last one that starts before a tick, and the next one.
    pub(super) neighbors: Option<Neighbors<'a>>,
}

/// The items of a row before and after a tick.
pub(super) type Neighbors<'a> = &'a dyn Fn(u64) -> [Option<Packed>; 2];

/// The last item that starts before a tick, and the next one.
pub(super) fn around(items: &impl RowItems, tick: u64) -> [Option<Packed>; 2] {
    let (mut low, mut high) = (0, items.len());
    while low < high {
        let middle = low.midpoint(high);
        if items.packed(middle).start() < tick {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    [low.checked_sub(1), (low < items.len()).then_some(low)].map(|at| at.map(|at| items.packed(at)))
}

/// A span that may have a label or marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawnSpan {
    /// Its longest item.
    pub(super) marker: LocalMarker,
    pub(super) packed: Packed,
    /// Number of its instance in the frame.
    pub(super) instance: usize,
    /// For an instant that stands alone: the tick at which the next item of the row begins.
    pub(super) alone_until: Option<u64>,
}

impl<I: RowItems> SpanRow<'_, I> {
    /// Draws the spans in a closed range of ticks. `key` identifies the row in the cache. Calls `label` for the items
    /// that may have a label.
    pub(super) fn draw<K: Eq + Hash>(
        &self,
        frame: &mut Frame,
        cache: (&mut VisibleSpanCache<K>, K),
        range: (u64, u64),
        mut label: impl FnMut(LocalMarker, Packed),
    ) {
        self.draw_each(frame, cache, range, true, |drawn| {
            if drawn.alone_until.is_none() {
                label(drawn.marker, drawn.packed);
            }
        });
    }

    /// Like [`SpanRow::draw`], with the drawn instances. If the row `has_diamonds`, instants that stand alone are drawn as
    /// such and passed to `each`.
    pub(super) fn draw_each<K: Eq + Hash>(
        &self,
        frame: &mut Frame,
        (cache, key): (&mut VisibleSpanCache<K>, K),
        range: (u64, u64),
        has_diamonds: bool,
        each: impl FnMut(DrawnSpan),
    ) {
        let ticks_per_pixel = frame.axis.ticks_per_pixel();
        let (from, to) = with_margin(frame, range);
        let stored = self.pyramid.stored(ticks_per_pixel, from, to);
        let (first, found) = stored.unwrap_or_else(|| cache.spans(key, self.items, from, to));
        self.push(frame, (first, found), has_diamonds, each);
    }

    /// Draws the spans in a range of ticks without a cache, for search hits, which are few.
    pub(super) fn draw_uncached(
        &self,
        frame: &mut Frame,
        range: (u64, u64),
        mut label: impl FnMut(LocalMarker, Packed),
    ) {
        self.draw_each_uncached(frame, range, true, |drawn| {
            if drawn.alone_until.is_none() {
                label(drawn.marker, drawn.packed);
            }
        });
    }

    /// Like [`SpanRow::draw_each`], without a cache.
    pub(super) fn draw_each_uncached(
        &self,
        frame: &mut Frame,
        range: (u64, u64),
        has_diamonds: bool,
        each: impl FnMut(DrawnSpan),
    ) {
        let (from, to) = with_margin(frame, range);
        let (mut first, mut found) = (0, Vec::new());
        self.pyramid.visit_numbered(self.items, frame.axis.ticks_per_pixel(), from, to, |number, packed| {
            first = if found.is_empty() { number } else { first };
            found.push(packed);
        });
        self.push(frame, (first, &found), has_diamonds, each);
    }

    /// Adds the instances of consecutive spans; `first` is the number of the first one.
    fn push(
        &self,
        frame: &mut Frame,
        (first, found): (usize, &[Packed]),
        has_diamonds: bool,
        mut each: impl FnMut(DrawnSpan),
    ) {
        let (by, axis) = (frame.color_by, frame.axis);
        // What the user looks for is not pale.
        let is_wanted = matches!(self.emphasis, Emphasis::Match | Emphasis::Linked);
        let pixels_per_tick = if is_wanted { f32::MAX } else { axis.pixels_per_tick };
        let begin = frame.instances.markers.len();
        let instance = |packed: &Packed| {
            MarkerInstance::new(packed.colored(by), self.slot, self.emphasis).faded(*packed, pixels_per_tick)
        };
        frame.instances.markers.extend(found.iter().map(instance));
        let gap = diamond_gap(frame);
        let least = self.least.unwrap_or(u64::MAX);
        let marker = |at: usize| self.pyramid.marker_at(self.items, axis.ticks_per_pixel(), first + at);
        for (at, packed) in found.iter().enumerate() {
            let style = packed.style();
            if style.is_instant() {
                let before = at.checked_sub(1).map(|before| found[before]);
                let after = found.get(at + 1).copied();
                if !has_diamonds || style.is_merged() || !stands_alone(*packed, before, after, gap) {
                    continue;
                }
                let [other_before, other_after] = self.others(*packed);
                if !stands_alone(*packed, other_before, other_after, gap) {
                    continue;
                }
                let instance = begin + at;
                let drawn = &mut frame.instances.markers[instance];
                *drawn = drawn.marked(MarkerInstance::ALONE);
                if self.least.is_some() {
                    let next = [after, other_after].into_iter().flatten().map(Packed::start).min();
                    let alone_until = Some(next.unwrap_or(u64::MAX));
                    each(DrawnSpan { marker: marker(at), packed: *packed, instance, alone_until });
                }
            } else if can_have_label(*packed, least) {
                each(DrawnSpan { marker: marker(at), packed: *packed, instance: begin + at, alone_until: None });
            }
        }
    }

    /// True if an item of the row is an instant that stands alone.
    pub(super) fn is_alone(&self, frame: &Frame, position: usize) -> bool {
        let at = |position: usize| (position < self.items.len()).then(|| self.items.packed(position));
        let Some(packed) = at(position).filter(|packed| packed.style().is_instant()) else { return false };
        let before = position.checked_sub(1).and_then(at);
        let ([other_before, other_after], gap) = (self.others(packed), diamond_gap(frame));
        stands_alone(packed, before, at(position + 1), gap) && stands_alone(packed, other_before, other_after, gap)
    }

    fn others(&self, packed: Packed) -> [Option<Packed>; 2] {
        self.neighbors.map_or([None; 2], |neighbors| neighbors(packed.start()))
    }

    /// Draws the spans again whose longest item is lit, over a closed range of ticks. Calls `each` for those that may have a
    /// label.
    pub(super) fn draw_lit(
        &self,
        frame: &mut Frame,
        (from, to): (u64, u64),
        is_lit: impl Fn(LocalMarker) -> bool,
        mut each: impl FnMut(DrawnSpan),
    ) {
        let (ticks_per_pixel, by) = (frame.axis.ticks_per_pixel(), frame.color_by);
        let least = self.least.unwrap_or(u64::MAX);
        self.pyramid.visit_numbered(self.items, ticks_per_pixel, from, to, |number, packed| {
            let marker = self.pyramid.marker_at(self.items, ticks_per_pixel, number);
            if !is_lit(marker) {
                return;
            }
            let instance = frame.instances.markers.len();
            frame.instances.markers.push(MarkerInstance::new(packed.colored(by), self.slot, self.emphasis));
            if can_have_label(packed, least) {
                each(DrawnSpan { marker, packed, instance, alone_until: None });
            }
        });
    }
}

/// A range of ticks with the neighbors of what is drawn in it: whether an instant stands alone depends on them.
fn with_margin(frame: &Frame, (from, to): (u64, u64)) -> (u64, u64) {
    let margin = diamond_gap(frame).saturating_mul(2);
    (from.saturating_sub(margin), to.saturating_add(margin))
}

/// Ticks between an instant that stands alone and its neighbors: at least the width of a diamond, in whole ticks, so that it
/// does not depend on the position of the view.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
fn diamond_gap(frame: &Frame) -> u64 {
    (f64::from(2.0 * diamond_reach(frame.scale) + 2.0) * frame.axis.ticks_per_pixel()).ceil() as u64
}

fn stands_alone(packed: Packed, before: Option<Packed>, after: Option<Packed>, gap: u64) -> bool {
    before.is_none_or(|before| packed.start() - before.end().min(packed.start()) >= gap)
        && after.is_none_or(|after| after.start() - packed.end().min(after.start()) >= gap)
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
    (along.floor() as i32, (REACH * scale).ceil().max(1.0) as i32)
}

/// Hit radius in points around the pointer, used if nothing is drawn directly under it: that of diamonds, which are drawn
/// around the column of their instant.
const REACH: f32 = 4.0;
