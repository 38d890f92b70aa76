//! Read access to the markers of one thread.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::attributes::Attributes;
use super::columns::{MarkerColumns, NO_DELAY, TableRange};
use super::flags::MarkerFlags;
use super::times::Times;
use crate::columns::{DictionaryView, OffsetsView};
use crate::persist::persist;
use crate::{CategoryId, LocalMarker, PayloadRef, StringId, Supplement, TypeId};
use flowline_format::{Ns, TimeRange};

/// The columns of empty tables.
pub(super) static EMPTY: LazyLock<Arc<MarkerColumns>> = LazyLock::new(Arc::default);

/// The markers of a thread. The row number is the [`LocalMarker`]. Starts are ascending; no end is before its start.
#[derive(Clone, Debug)]
pub struct MarkerTable {
    pub(super) columns: Arc<MarkerColumns>,
    pub(super) rows: TableRange,
    /// The distinct attribute combinations that the rows refer to.
    pub(super) items: TableRange,
}
persist!(MarkerTable { columns, rows, items });

impl Default for MarkerTable {
    fn default() -> Self {
        Self { columns: Arc::clone(&EMPTY), rows: TableRange::default(), items: TableRange::default() }
    }
}

impl MarkerTable {
    /// A table with all rows of these columns.
    pub(super) fn of_columns(columns: MarkerColumns) -> Self {
        let rows = TableRange::first(columns.payloads.len());
        let items = TableRange::first(columns.attributes.item_count());
        Self { columns: Arc::new(columns), rows, items }
    }

    /// Number of markers.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.rows.len as usize
    }

    /// True if there are no markers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.len == 0
    }

    /// Row of a marker in the shared columns.
    #[inline]
    const fn row(&self, marker: LocalMarker) -> u32 {
        self.rows.first + marker.0
    }

    /// Positions, in an ascending list of rows, of the rows that belong to this table.
    fn own(&self, count: usize, row: impl Fn(usize) -> u32) -> Range<usize> {
        let Range { start, end } = self.rows.range();
        let place = |bound: usize| {
            let (mut low, mut high) = (0, count);
            while low < high {
                let middle = low.midpoint(high);
                if (row(middle) as usize) < bound { low = middle + 1 } else { high = middle }
            }
            low
        };
        place(start)..place(end)
    }

    /// Starts and ends, for bulk reading.
    #[must_use]
    #[inline]
    pub fn times(&self) -> Times<'_> {
        self.columns.times.part(self.rows.range())
    }

    /// Start of a marker.
    #[must_use]
    #[inline]
    pub fn start(&self, marker: LocalMarker) -> Ns {
        self.times().start(marker.index())
    }

    /// End of a marker, never before its start; for instants the start.
    #[must_use]
    #[inline]
    pub fn end(&self, marker: LocalMarker) -> Ns {
        self.times().end(marker.index())
    }

    /// Start and end of a marker.
    #[must_use]
    #[inline]
    pub fn range(&self, marker: LocalMarker) -> TimeRange {
        self.times().range(marker.index())
    }

    /// Name, category, type and flags of every marker, as few distinct combinations.
    #[must_use]
    #[inline]
    pub fn attributes(&self) -> DictionaryView<'_, Attributes> {
        self.columns.attributes.part(self.rows.range(), self.items.range())
    }

    /// True if the table has intervals that nest like calls.
    #[must_use]
    pub fn has_slices(&self) -> bool {
        let is_slice =
            |own: &Attributes| own.flags.has(MarkerFlags::STACK_BASED) && !own.flags.has(MarkerFlags::INSTANT);
        self.attributes().items().iter().any(is_slice)
    }

    /// Name of a marker.
    #[must_use]
    #[inline]
    pub fn name(&self, marker: LocalMarker) -> StringId {
        self.attributes().at(marker.index()).name
    }

    /// Category of a marker.
    #[must_use]
    #[inline]
    pub fn category(&self, marker: LocalMarker) -> CategoryId {
        self.attributes().at(marker.index()).category()
    }

    /// Payload type of a marker.
    #[must_use]
    #[inline]
    pub fn kind(&self, marker: LocalMarker) -> Option<TypeId> {
        self.attributes().at(marker.index()).kind()
    }

    /// Flags of a marker.
    #[must_use]
    #[inline]
    pub fn flags(&self, marker: LocalMarker) -> MarkerFlags {
        self.attributes().at(marker.index()).flags
    }

    /// True if a marker is a point in time.
    #[must_use]
    #[inline]
    pub fn is_instant(&self, marker: LocalMarker) -> bool {
        self.flags(marker).has(MarkerFlags::INSTANT)
    }

    #[inline]
    fn places(&self) -> OffsetsView<'_> {
        self.columns.payloads.part(self.rows.range())
    }

    /// Payload reference of a marker.
    #[must_use]
    #[inline]
    pub fn payload(&self, marker: LocalMarker) -> PayloadRef {
        PayloadRef::from_number(self.places().at(marker.index()))
    }

    /// All payload references.
    pub fn payloads(&self) -> impl ExactSizeIterator<Item = PayloadRef> + Clone + '_ {
        let payloads = self.places();
        (0..payloads.len()).map(move |marker| PayloadRef::from_number(payloads.at(marker)))
    }

    /// The additions to a marker's payload.
    #[must_use]
    pub fn supplement(&self, marker: LocalMarker) -> Option<Supplement> {
        if let Some(place) = self.begin(marker) {
            return Some(Supplement::Start(place));
        }
        let (columns, row) = (&*self.columns, self.row(marker));
        if let Ok(found) = columns.messages.binary_search_by_key(&row, |message| message[0]) {
            let [_, delays @ ..] = columns.messages[found];
            let TimeRange { start, end } = self.range(marker);
            let [transfer_start, transfer_sent, transfer_end] =
                delays.map(|delay| (delay != NO_DELAY).then(|| start + Ns(i64::from(delay))));
            let (sent, received) = (Some(start), Some(end));
            return Some(Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received });
        }
        let found = columns.supplements.binary_search_by_key(&row, |(owner, _)| owner.0).ok()?;
        Some(columns.supplements[found].1.clone())
    }

    /// Payload of a marker's start event, if start and end both have a payload.
    #[must_use]
    #[inline]
    pub fn begin(&self, marker: LocalMarker) -> Option<PayloadRef> {
        let found = self.columns.begun.binary_search(&self.row(marker)).ok()?;
        Some(PayloadRef::from_number(self.columns.begins.view().at(found)))
    }

    /// All markers whose start and end both have a payload, ascending, with the start payload.
    pub fn begins(&self) -> impl Iterator<Item = (LocalMarker, PayloadRef)> {
        let (begun, begins) = (&*self.columns.begun, self.columns.begins.view());
        let own = self.own(begun.len(), |at| begun[at]);
        let first = self.rows.first;
        own.map(move |at| (LocalMarker(begun[at] - first), PayloadRef::from_number(begins.at(at))))
    }

    /// All network requests with their start payload, ascending.
    pub fn requests(&self) -> impl Iterator<Item = (LocalMarker, PayloadRef)> {
        let supplements = &self.columns.supplements;
        let own = self.own(supplements.len(), |at| supplements[at].0.0);
        let first = self.rows.first;
        supplements[own].iter().filter_map(move |(row, supplement)| match supplement {
            Supplement::Network { start, .. } => Some((LocalMarker(row.0 - first), *start)),
            _ => None,
        })
    }

    /// Mutable access to the attribute combinations. A change affects every marker with that combination. Shared
    /// columns are copied first.
    fn items_mut(&mut self) -> &mut [Attributes] {
        let items = self.items.range();
        if items.is_empty() {
            return &mut [];
        }
        &mut Arc::make_mut(&mut self.columns).attributes.items_mut()[items]
    }

    /// Replaces thread-local names, categories and types with recording-wide ones; unknown categories become `other`.
    pub fn remap(&mut self, names: &[StringId], categories: &[CategoryId], other: CategoryId, kinds: &[TypeId]) {
        for attributes in self.items_mut() {
            *attributes = attributes.remapped(names, categories, other, kinds);
        }
    }

    /// The markers that touch a range, in start order: those that start before its end and end at or after its start.
    /// For instants the range is half-open, so adjoining ranges share none (as in the Firefox Profiler).
    pub fn in_range(&self, range: TimeRange) -> impl Iterator<Item = LocalMarker> + '_ {
        let times = self.times();
        let before_end = times.partition_point(|start| start < range.end);
        (0..before_end).filter(move |&index| times.end(index) >= range.start).map(LocalMarker::new)
    }

    /// True if the columns have consistent lengths; checked when a table is restored from a file.
    pub(crate) fn is_consistent(&self) -> bool {
        let columns = &*self.columns;
        let rows = self.rows.range().end <= columns.payloads.len();
        let items =
            self.items.range().end <= columns.attributes.item_count() && (self.is_empty() || self.items.len > 0);
        rows && items && columns.is_consistent()
    }

    /// Size of the heap memory in bytes; for shared columns, this table's share.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let rows = self.columns.payloads.len();
        let bytes = self.columns.heap_bytes();
        if rows == self.len() { bytes } else { bytes / rows.max(1) * self.len() }
    }
}
