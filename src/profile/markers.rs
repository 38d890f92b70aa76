//! The markers of one thread as columns, in start order.

use bytemuck::{Pod, Zeroable};

use super::column::Column;
use super::ids::{CategoryId, LocalMarker, StringId, TypeId};
use super::payload::{PayloadRef, Supplement};
use super::persist::persist;
use super::time::{Ns, TimeRange};

/// Yes/no facts of a marker, one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct MarkerFlags(u8);

impl MarkerFlags {
    /// Nothing of all this.
    pub const NONE: Self = Self(0);
    /// A point in time: it has no end.
    pub const INSTANT: Self = Self(1);
    /// One of its ends was made up, because the recording holds only the other.
    pub const INCOMPLETE: Self = Self(2);
    /// Nests by containment with the other stack-based markers of its thread.
    pub const STACK_BASED: Self = Self(4);

    /// The facts as bits, for those who pack them.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The facts of [`MarkerFlags::bits`].
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set less another one.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of `other` are set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// One marker, for building a [`MarkerTable`].
#[derive(Clone, Debug)]
pub struct Marker {
    /// Start.
    pub start: Ns,
    /// End; equal to the start for instants.
    pub end: Ns,
    /// Name.
    pub name: StringId,
    /// Category.
    pub category: CategoryId,
    /// Payload type; `None` without payload or without `type`.
    pub kind: Option<TypeId>,
    /// Facts.
    pub flags: MarkerFlags,
    /// Payload.
    pub payload: PayloadRef,
    /// What derivation adds to the payload; boxed because few markers have one.
    pub supplement: Option<Box<Supplement>>,
}

/// Columns of equal length; the row number is the [`LocalMarker`].
#[derive(Clone, Debug, Default)]
pub struct MarkerTable {
    /// Starts, ascending.
    pub start: Column<Ns>,
    /// Ends, never before their start; for instants the start.
    pub end: Column<Ns>,
    /// Names.
    pub name: Column<StringId>,
    category: Column<u16>,
    kind: Column<u16>,
    /// Facts.
    pub flags: Column<MarkerFlags>,
    /// Payload places.
    pub payload: Column<PayloadRef>,
    /// Additions to payloads, by marker, ascending.
    supplements: Vec<(LocalMarker, Supplement)>,
}
persist!(MarkerTable { start, end, name, category, kind, flags, payload, supplements });

/// Marks "no type" in the 16-bit column.
const NO_TYPE: u16 = u16::MAX;

impl MarkerTable {
    /// A table of `markers`, stably sorted by start.
    #[must_use]
    pub fn build(mut markers: Vec<Marker>) -> Self {
        markers.sort_by_key(|marker| marker.start);
        Self::of_sorted(markers.into_iter())
    }

    /// A table of markers that come in the order of their starts.
    #[must_use]
    pub fn of_sorted(markers: impl ExactSizeIterator<Item = Marker>) -> Self {
        let mut table = Self::default();
        table.reserve(markers.len());
        for (index, marker) in markers.enumerate() {
            table.start.push(marker.start);
            table.end.push(marker.end);
            table.name.push(marker.name);
            table.category.push(u16::try_from(marker.category.0).unwrap_or(u16::MAX));
            table.kind.push(marker.kind.map_or(NO_TYPE, |kind| u16::try_from(kind.0).unwrap_or(NO_TYPE)));
            table.flags.push(marker.flags);
            table.payload.push(marker.payload);
            if let Some(supplement) = marker.supplement {
                table.supplements.push((LocalMarker::new(index), *supplement));
            }
        }
        table
    }

    fn reserve(&mut self, count: usize) {
        self.start.reserve_exact(count);
        self.end.reserve_exact(count);
        self.name.reserve_exact(count);
        self.category.reserve_exact(count);
        self.kind.reserve_exact(count);
        self.flags.reserve_exact(count);
        self.payload.reserve_exact(count);
    }

    /// Number of markers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Category of a marker.
    #[must_use]
    pub fn category(&self, marker: LocalMarker) -> CategoryId {
        CategoryId(u32::from(self.category[marker.index()]))
    }

    /// Payload type of a marker.
    #[must_use]
    pub fn kind(&self, marker: LocalMarker) -> Option<TypeId> {
        let kind = self.kind[marker.index()];
        (kind != NO_TYPE).then_some(TypeId(u32::from(kind)))
    }

    /// Whether a marker is a point in time.
    #[must_use]
    pub fn is_instant(&self, marker: LocalMarker) -> bool {
        self.flags[marker.index()].has(MarkerFlags::INSTANT)
    }

    /// What derivation adds to a marker's payload.
    #[must_use]
    pub fn supplement(&self, marker: LocalMarker) -> Option<&Supplement> {
        let found = self.supplements.binary_search_by_key(&marker, |(owner, _)| *owner).ok()?;
        Some(&self.supplements[found].1)
    }

    /// Gives every marker the name and category that stand for its provisional name.
    pub fn relabel(&mut self, labels: &[(StringId, CategoryId)]) {
        for (name, category) in self.name.make_mut().iter_mut().zip(self.category.make_mut()) {
            let label = labels.get(name.index()).copied().unwrap_or_default();
            *name = label.0;
            *category = u16::try_from(label.1.0).unwrap_or(u16::MAX);
        }
    }

    /// Rewrites names, categories and types after tables were joined; categories that the map does not hold become
    /// `other`.
    pub fn remap(&mut self, names: &[StringId], categories: &[CategoryId], other: CategoryId, kinds: &[TypeId]) {
        for name in self.name.make_mut() {
            *name = names.get(name.index()).copied().unwrap_or_default();
        }
        for category in self.category.make_mut() {
            let known = Some(*category).filter(|category| *category != u16::MAX);
            let mapped = known.and_then(|category| categories.get(usize::from(category))).unwrap_or(&other);
            *category = u16::try_from(mapped.0).or(u16::try_from(other.0)).unwrap_or(0);
        }
        for kind in self.kind.make_mut().iter_mut().filter(|kind| **kind != NO_TYPE) {
            let mapped = kinds.get(usize::from(*kind)).map_or(u32::MAX, |id| id.0);
            *kind = u16::try_from(mapped).unwrap_or(NO_TYPE);
        }
    }

    /// The markers that touch a range, in start order: those that start before its end and end at or after its start.
    /// For instants this is half-open, so that adjoining ranges share none (Firefox Profiler, `filter-raw-to-range`).
    pub fn in_range(&self, range: TimeRange) -> impl Iterator<Item = LocalMarker> + '_ {
        let before_end = self.start.partition_point(|start| *start < range.end);
        (0..before_end).filter(move |&index| self.end[index] >= range.start).map(LocalMarker::new)
    }

    /// Whether all columns have one length: what is read back is looked at before it is used.
    pub(super) fn is_whole(&self) -> bool {
        let others = [self.end.len(), self.name.len(), self.category.len(), self.kind.len()];
        let more = [self.flags.len(), self.payload.len()];
        others.iter().chain(&more).all(|length| *length == self.len())
    }

    /// Heap bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.start.heap_bytes()
            + self.end.heap_bytes()
            + self.name.heap_bytes()
            + self.category.heap_bytes()
            + self.kind.heap_bytes()
            + self.flags.heap_bytes()
            + self.payload.heap_bytes()
            + self.supplements.capacity() * size_of::<(LocalMarker, Supplement)>()
    }
}
