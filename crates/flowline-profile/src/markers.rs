//! The markers of one thread as columns, in start order: 14 bytes per marker, plus more for a few.
//!
//! Starts and payload offsets are stored as offsets within blocks, ends as durations. Name, category, type and flags
//! occur in few distinct combinations, so each marker stores the number of its combination.
//!
//! A table is a part of columns that it may share with other tables: a recording can have millions of threads with a
//! few markers each, and separate columns would take more memory than the markers.

mod attributes;
mod begins;
mod build;
mod flags;
mod start_order;
mod tables;
mod times;

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::column::{Column, Dictionary, DictionaryView, Offsets, OffsetsView};
use super::ids::{CategoryId, LocalMarker, StringId, TypeId};
use super::payload::{PayloadRef, Supplement};
use super::persist::persist;
pub use attributes::Attributes;
pub use begins::Begins;
pub use flags::MarkerFlags;
use flowline_format::{Ns, TimeRange};
pub use start_order::StartOrder;
pub use tables::{Labels, MarkerTablesBuilder, relabel_tables};
use times::TimeColumns;
pub use times::Times;

/// A marker, for building a [`MarkerTable`].
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
    /// Payload type; `None` without a payload or without `type`.
    pub kind: Option<TypeId>,
    /// Flags.
    pub flags: MarkerFlags,
    /// Payload.
    pub payload: PayloadRef,
    /// Payload of the start event, if start and end both have a payload (see [`Supplement::Start`]).
    pub begin: PayloadRef,
    /// Other additions to the payload; boxed because few markers have any.
    pub supplement: Option<Box<Supplement>>,
}

/// Columns of equal length. Starts are ascending within each table; no end is before its start.
#[derive(Clone, Debug, Default)]
struct MarkerColumns {
    times: TimeColumns,
    attributes: Dictionary<Attributes>,
    /// Payload offsets.
    payloads: Offsets,
    /// Rows with a start payload, ascending, and the offsets of these payloads.
    begun: Column<u32>,
    begins: Offsets,
    /// IPC messages: row, and the delays from its start to the three transfer times ([`NO_DELAY`] if unknown);
    /// ascending by row.
    messages: Column<[u32; 4]>,
    /// Other additions to payloads, ascending by row.
    supplements: Vec<(LocalMarker, Supplement)>,
}
persist!(MarkerColumns { times, attributes, payloads, begun, begins, messages, supplements });

/// An unknown delay of a message.
const NO_DELAY: u32 = u32::MAX;

/// The columns of empty tables.
static EMPTY: LazyLock<Arc<MarkerColumns>> = LazyLock::new(Arc::default);

/// A part of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TableRange {
    first: u32,
    len: u32,
}
persist!(TableRange { first, len });

impl TableRange {
    /// The first `len` items.
    fn first(len: usize) -> Self {
        Self { first: 0, len: u32::try_from(len).unwrap_or(u32::MAX) }
    }

    const fn range(self) -> Range<usize> {
        self.first as usize..self.first as usize + self.len as usize
    }
}

/// The markers of a thread. The row number is the [`LocalMarker`]. Starts are ascending; no end is before its start.
#[derive(Clone, Debug)]
pub struct MarkerTable {
    columns: Arc<MarkerColumns>,
    rows: TableRange,
    /// The distinct attribute combinations that the rows refer to.
    items: TableRange,
}
persist!(MarkerTable { columns, rows, items });

impl Default for MarkerTable {
    fn default() -> Self {
        Self { columns: Arc::clone(&EMPTY), rows: TableRange::default(), items: TableRange::default() }
    }
}

impl MarkerColumns {
    /// Converts all rows to one table.
    fn into_table(self) -> MarkerTable {
        let (rows, items) = (TableRange::first(self.payloads.len()), TableRange::first(self.attributes.item_count()));
        MarkerTable { columns: Arc::new(self), rows, items }
    }

    fn heap_bytes(&self) -> usize {
        self.times.heap_bytes()
            + self.attributes.heap_bytes()
            + self.payloads.heap_bytes()
            + self.begun.heap_bytes()
            + self.begins.heap_bytes()
            + self.messages.heap_bytes()
            + self.supplements.capacity() * size_of::<(LocalMarker, Supplement)>()
    }

    /// True if the columns have consistent lengths.
    fn is_consistent(&self) -> bool {
        let lengths = [self.times.view().len(), self.attributes.len()];
        let places = self.payloads.is_consistent() && self.begins.is_consistent();
        let begins = self.begun.len() == self.begins.len();
        let are_equal = lengths.iter().all(|length| *length == self.payloads.len());
        are_equal && places && begins && self.times.is_consistent() && self.attributes.is_consistent()
    }
}

impl MarkerTable {
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
    pub(super) fn is_consistent(&self) -> bool {
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
