//! The level-of-detail pyramid of a row.
//!
//! Level k uses the absolute grid of 2^k ticks. Markers shorter than 2^k that start in one cell are merged into one
//! span; longer markers stay separate. The markers of a row do not overlap, so merged markers are consecutive and a
//! span is a range of positions in the row. Two neighbors merge from level `max(bits(start_a ^ start_b),
//! bits(length_a), bits(length_b))` up. One pass over these numbers gives the size of every level. A level is built
//! only if it has at most a third of the spans of the previous stored level, from which it is built. This takes half
//! the memory of levels that halve, and draws at most three spans instead of one.
//!
//! A merged span has the kind that takes most of its time, and states which share of its time its markers cover. Both are
//! derived from the finer level, whose spans count with their own kind.
//!
//! Rejected: storing level 0 (the marker columns already contain it), storing every level (up to 48 times the size), a
//! fixed ratio between levels (bursts and gaps of a row need different ratios).

use bytemuck::{Pod, Zeroable};

use super::span::{Packed, Span};
use super::span_time::SpanTime;
use crate::colors::PALETTE_ENTRIES;
use flowline_profile::persist::persist;
use flowline_profile::{Column, LocalMarker};

/// Rows with fewer markers than this have no levels.
const MIN_ROW: usize = 64;
/// Number of levels: cells of 2^0 to 2^48 ticks.
const LEVELS: usize = 49;

/// The items of a row by position: sorted by start and by end, without overlap.
pub trait RowItems {
    /// Number of items.
    fn len(&self) -> usize;
    /// True if there are no items.
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Ticks and style of an item.
    fn packed(&self, position: usize) -> Packed;
    /// Appends the result of [`RowItems::packed`] for every item.
    #[inline]
    fn pack_all(&self, items: &mut Vec<Packed>) {
        items.extend((0..self.len()).map(|position| self.packed(position)));
    }
    /// The marker of an item.
    fn marker(&self, position: usize) -> LocalMarker;
    /// Duration in ticks of an item's marker. `_packed` is the result of [`RowItems::packed`] for the item.
    #[inline]
    fn length_at(&self, position: usize, _packed: Packed) -> u64 {
        self.length(self.marker(position))
    }
    /// True if the low bits of styles are a kind. Merged spans then have the kind that takes most time.
    #[inline]
    fn has_kinds(&self) -> bool {
        true
    }
    /// Duration of a marker in ticks. A span is represented by its longest marker.
    fn length(&self, marker: LocalMarker) -> u64;
}

/// One stored level.
#[derive(Clone, Debug)]
struct Level {
    /// Cell size exponent: cells have 2^k ticks.
    k: u32,
    packed: Column<Packed>,
    members: Column<Members>,
}
persist!(Level { k, packed, members });

/// The markers of a span.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Members {
    /// Position of the first marker.
    first: u32,
    longest: LocalMarker,
}

/// The stored levels of a row, finest first; level 0 is the row itself.
#[derive(Clone, Debug, Default)]
pub struct Pyramid {
    levels: Vec<Level>,
    row_len: u32,
}
persist!(Pyramid { levels, row_len });

/// Buffers for building pyramids, reused from row to row to avoid reallocation.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The items of the row. Reading them from the marker columns for every level would be slower.
    items: Vec<Packed>,
    /// The durations of every span of the finer level.
    lengths: Vec<SpanTime>,
    /// The same for the level that is being built.
    next_lengths: Vec<SpanTime>,
}

#[inline]
const fn bits(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

impl Pyramid {
    /// Builds the levels of a row.
    #[must_use]
    pub fn build(row: &impl RowItems) -> Self {
        Self::build_with(&mut Scratch::default(), row)
    }

    /// Like [`Pyramid::build`], with buffers that are reused from row to row.
    #[must_use]
    pub fn build_with(scratch: &mut Scratch, row: &impl RowItems) -> Self {
        let row_len = u32::try_from(row.len()).unwrap_or(u32::MAX);
        let mut pyramid = Self { levels: Vec::new(), row_len };
        if row.len() < MIN_ROW {
            return pyramid;
        }
        let Scratch { items, lengths, next_lengths } = scratch;
        items.clear();
        row.pack_all(items);
        let has_kinds = row.has_kinds();
        let sizes = level_sizes(items);
        let mut size = row.len();
        for (k, &level_size) in (0_u32..).zip(&sizes) {
            if level_size * 3 <= size {
                let level = match pyramid.levels.last() {
                    None => merge_row(row, items, (k, level_size, has_kinds), next_lengths),
                    Some(finer) => merge_level(finer, lengths, (k, level_size, has_kinds), next_lengths),
                };
                std::mem::swap(lengths, next_lengths);
                size = level.packed.len();
                pyramid.levels.push(level);
            }
        }
        pyramid
    }

    /// The coarsest stored level whose cells have at most `ticks` ticks; `None` if the row's own markers must be used.
    #[inline]
    fn level_for(&self, ticks: f64) -> Option<&Level> {
        let fits = |level: &&Level| f64::from(level.k).exp2() <= ticks;
        self.levels.iter().take_while(fits).last()
    }

    /// Calls `each` for the spans to draw in a closed range of ticks at `ticks_per_pixel`.
    pub fn visit(&self, row: &impl RowItems, ticks_per_pixel: f64, from: u64, to: u64, mut each: impl FnMut(Packed)) {
        self.visit_numbered(row, ticks_per_pixel, from, to, |_, packed| each(packed));
    }

    /// Like [`Pyramid::visit`], with numbers for [`Pyramid::marker_at`].
    pub fn visit_numbered(
        &self,
        row: &impl RowItems,
        ticks_per_pixel: f64,
        from: u64,
        to: u64,
        mut each: impl FnMut(usize, Packed),
    ) {
        // Finding both ends first keeps the loops free of early exits, so that their memory reads overlap.
        match self.stored(ticks_per_pixel, from, to) {
            Some((first, spans)) => {
                for (number, packed) in (first..).zip(spans) {
                    each(number, *packed);
                }
            }
            None => {
                for position in touching(row, from, to) {
                    each(position, row.packed(position));
                }
            }
        }
    }

    /// The spans that [`Pyramid::visit_numbered`] visits and the number of the first one, if they come from a stored
    /// level; `None` if the row's own markers must be drawn.
    #[must_use]
    pub fn stored(&self, ticks_per_pixel: f64, from: u64, to: u64) -> Option<(usize, &[Packed])> {
        let level = self.level_for(ticks_per_pixel)?;
        let first = level.packed.partition_point(|packed| packed.end() < from);
        let count = level.packed[first..].partition_point(|packed| packed.start() <= to);
        Some((first, &level.packed[first..first + count]))
    }

    /// The longest marker of a span of [`Pyramid::visit_numbered`] for the same `ticks_per_pixel`.
    #[must_use]
    pub fn marker_at(&self, row: &impl RowItems, ticks_per_pixel: f64, number: usize) -> LocalMarker {
        match self.level_for(ticks_per_pixel) {
            Some(level) => level.members[number].longest,
            None => row.marker(number),
        }
    }

    /// Like [`Pyramid::visit`], with the markers of each span.
    pub fn visit_spans(
        &self,
        row: &impl RowItems,
        ticks_per_pixel: f64,
        from: u64,
        to: u64,
        mut each: impl FnMut(Span),
    ) {
        let Some(level) = self.level_for(ticks_per_pixel) else {
            for position in first_ending_at_or_after(row, from)..row.len() {
                let packed = row.packed(position);
                if packed.start() > to {
                    break;
                }
                let first = u32::try_from(position).unwrap_or(u32::MAX);
                each(Span { packed, first, count: 1, longest: row.marker(position) });
            }
            return;
        };
        let begin = level.packed.partition_point(|packed| packed.end() < from);
        for index in begin..level.packed.len() {
            let packed = level.packed[index];
            if packed.start() > to {
                break;
            }
            let Members { first, longest } = level.members[index];
            let next = level.members.get(index + 1).map_or(self.row_len, |members| members.first);
            each(Span { packed, first, count: next - first, longest });
        }
    }

    /// Number of spans in all stored levels.
    #[must_use]
    #[inline]
    pub fn stored_spans(&self) -> usize {
        self.levels.iter().map(|level| level.packed.len()).sum()
    }

    /// The cell sizes of the stored levels, as powers of two.
    #[inline]
    pub fn level_exponents(&self) -> impl Iterator<Item = u32> {
        self.levels.iter().map(|level| level.k)
    }

    /// True if the columns of each level have equal lengths.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        self.levels.iter().all(|level| level.packed.len() == level.members.len())
    }

    /// Heap bytes used.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.packed.heap_bytes() + level.members.heap_bytes()).sum::<usize>()
            + self.levels.capacity() * size_of::<Level>()
    }
}

/// Position of the first item that ends at or after a tick (ends ascend).
fn first_ending_at_or_after(row: &impl RowItems, tick: u64) -> usize {
    first_where(0, row.len(), |position| row.packed(position).end() >= tick)
}

/// Positions of the items of a row that touch a closed range of ticks.
#[must_use]
pub fn touching(row: &impl RowItems, from: u64, to: u64) -> std::ops::Range<usize> {
    let first = first_ending_at_or_after(row, from);
    first..first_where(first, row.len(), |position| row.packed(position).start() > to)
}

/// The first position in `low..high` for which `holds` is true; `high` if there is none. `holds` must be monotonic.
fn first_where(mut low: usize, mut high: usize, holds: impl Fn(usize) -> bool) -> usize {
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The first level at which two neighbors are merged.
#[inline]
fn merge_level_of(before: Packed, after: Packed) -> u32 {
    let length = |packed: Packed| packed.end().saturating_sub(packed.start());
    bits(before.start() ^ after.start()).max(bits(length(before))).max(bits(length(after)))
}

/// Number of spans at every level.
fn level_sizes(items: &[Packed]) -> [usize; LEVELS] {
    let mut merged_from = [0_usize; LEVELS];
    for pair in items.windows(2) {
        let level = merge_level_of(pair[0], pair[1]) as usize;
        if level < LEVELS {
            merged_from[level] += 1;
        }
    }
    let mut left = items.len();
    merged_from.map(|merged| {
        left -= merged;
        left
    })
}

/// Builds the spans of one level.
struct Merger<'a> {
    k: u32,
    packed: Vec<Packed>,
    members: Vec<Members>,
    /// The durations of each span.
    lengths: &'a mut Vec<SpanTime>,
    /// The previous item. Neighboring items are compared, not whole spans.
    before: Option<Packed>,
    /// Time of each kind in the last span.
    kinds: [u64; PALETTE_ENTRIES],
    has_kinds: bool,
}

impl<'a> Merger<'a> {
    #[inline]
    fn new((k, size, has_kinds): (u32, usize, bool), lengths: &'a mut Vec<SpanTime>) -> Self {
        lengths.clear();
        let (packed, members) = (Vec::with_capacity(size), Vec::with_capacity(size));
        Self { k, packed, members, lengths, before: None, kinds: [0; PALETTE_ENTRIES], has_kinds }
    }

    #[inline]
    fn finish(mut self) -> Level {
        self.close();
        Level { k: self.k, packed: self.packed.into(), members: self.members.into() }
    }

    fn add(&mut self, item: Packed, first: u32, marker: LocalMarker, time: SpanTime) {
        let joins = self.before.is_some_and(|before| merge_level_of(before, item) <= self.k);
        self.before = Some(item);
        let kind = item.style().color();
        if joins
            && let (Some(span), Some(members)) = (self.packed.last_mut(), self.members.last_mut())
            && let Some(own) = self.lengths.last_mut()
        {
            let mut style = span.style();
            let most = style.color();
            if time.longest > own.longest {
                own.longest = time.longest;
                members.longest = marker;
                style = item.style();
            }
            own.busy = own.busy.saturating_add(time.busy);
            let of_kind = &mut self.kinds[usize::from(kind)];
            *of_kind = of_kind.saturating_add(time.busy);
            let kind = if *of_kind > self.kinds[usize::from(most)] { kind } else { most };
            let point = item.start() == item.end() || item.style().ends_in_point();
            let style = if self.has_kinds { style.with_kind(kind) } else { style };
            *span = Packed::new(span.start(), item.end(), style.merged().with_point_end(point));
            return;
        }
        self.close();
        self.kinds = [0; PALETTE_ENTRIES];
        self.kinds[usize::from(kind)] = time.busy;
        self.lengths.push(time);
        self.packed.push(item);
        self.members.push(Members { first, longest: marker });
    }

    /// States the cover of the last span.
    #[inline]
    fn close(&mut self) {
        if let (Some(span), Some(time)) = (self.packed.last_mut(), self.lengths.last())
            && span.style().is_merged()
        {
            *span = span.with_cover(time.cover(span.end().saturating_sub(span.start())));
        }
    }
}

fn merge_row(row: &impl RowItems, items: &[Packed], level: (u32, usize, bool), lengths: &mut Vec<SpanTime>) -> Level {
    let mut merger = Merger::new(level, lengths);
    for (position, packed) in items.iter().enumerate() {
        let first = u32::try_from(position).unwrap_or(u32::MAX);
        let busy = packed.end().saturating_sub(packed.start());
        let time = SpanTime { longest: row.length_at(position, *packed), busy };
        merger.add(*packed, first, row.marker(position), time);
    }
    merger.finish()
}

/// Builds a level from a finer one. Spans of the finer level are either shorter than a cell of this level or single
/// long markers, and both merge by the same rule.
fn merge_level(
    finer: &Level,
    finer_lengths: &[SpanTime],
    level: (u32, usize, bool),
    lengths: &mut Vec<SpanTime>,
) -> Level {
    let mut merger = Merger::new(level, lengths);
    for ((packed, members), length) in finer.packed.iter().zip(&finer.members).zip(finer_lengths) {
        merger.add(*packed, members.first, members.longest, *length);
    }
    merger.finish()
}
