//! Rows of flow shapes (dots, tints, boxes), each with a pyramid like rows of markers.

use crate::rows::{Clock, Packed, Pyramid, RowItems, Span, Style};
use flowline_profile::persist::persist;
use flowline_profile::{Column, LocalMarker, TimeRange};

/// Packs a range.
#[inline]
pub(crate) fn pack(clock: Clock, range: TimeRange, style: Style) -> Packed {
    Packed::new(clock.tick(range.start), clock.tick(range.end), style)
}

/// The shapes of a row in start order. The pyramid uses a shape's position as its marker.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShapeRow {
    pub(crate) packed: Column<Packed>,
    /// Member of each shape; empty if each shape has the same position as its member.
    pub(crate) members: Column<u32>,
    pub(crate) pyramid: Pyramid,
}
persist!(ShapeRow { packed, members, pyramid });

impl RowItems for ShapeRow {
    /// Faded parts have an opacity in place of a kind.
    fn has_kinds(&self) -> bool {
        false
    }

    #[inline]
    fn len(&self) -> usize {
        self.packed.len()
    }

    #[inline]
    fn packed(&self, position: usize) -> Packed {
        self.packed[position]
    }

    #[inline]
    fn marker(&self, position: usize) -> LocalMarker {
        LocalMarker::new(position)
    }

    #[inline]
    fn length(&self, marker: LocalMarker) -> u64 {
        let packed = self.packed[marker.index()];
        packed.end().saturating_sub(packed.start())
    }
}

impl ShapeRow {
    pub(crate) fn finish(mut self) -> Self {
        self.packed.shrink_to_fit();
        self.members.shrink_to_fit();
        self.pyramid = Pyramid::build(&self);
        self
    }

    /// True if the columns are consistent with each other.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        (self.members.is_empty() || self.members.len() == self.packed.len()) && self.pyramid.is_consistent()
    }

    pub(crate) fn visit(&self, ticks_per_pixel: f64, from: u64, to: u64, mut each: impl FnMut(ShapeSpan)) {
        self.pyramid.visit_spans(self, ticks_per_pixel, from, to, |span: Span| {
            let item = span.longest.index();
            let member = self.members.get(item).map_or(item, |member| *member as usize);
            each(ShapeSpan { packed: span.packed, member, count: span.count });
        });
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.packed.heap_bytes() + self.members.heap_bytes() + self.pyramid.bytes()
    }
}

/// A drawn shape, such as a dot or a tint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeSpan {
    /// Ticks and style.
    pub packed: Packed,
    /// Position of its member among the flow's members or, for a group, among its flows.
    pub member: usize,
    /// Number of members merged into the shape.
    pub count: u32,
}

/// Builds a row of tints from intervals in start order; each tint excludes the time that earlier ones cover.
#[derive(Debug, Default)]
pub(crate) struct TintBuilder {
    covered: u64,
    items: ShapeRow,
}

impl TintBuilder {
    pub(crate) fn add(&mut self, packed: Packed, member: usize) {
        let (start, end) = (packed.start().max(self.covered), packed.end());
        if end > start {
            self.covered = end;
            self.items.packed.push(Packed::new(start, end, packed.style()));
            self.items.members.push(u32::try_from(member).unwrap_or(u32::MAX));
        }
    }

    #[inline]
    pub(crate) fn finish(self) -> ShapeRow {
        self.items.finish()
    }
}
