//! The markers of one thread as columns, in start order: 14 bytes each, and more for those that need it.
//!
//! Starts and places of payloads are offsets within blocks, ends are durations. Name, category, type and flags repeat in few
//! combinations, so a marker has the number of its combination.

mod attributes;
mod begins;
mod build;
mod flags;
mod start_order;
mod times;

use super::column::{Column, Dictionary, Offsets};
use super::ids::{CategoryId, LocalMarker, StringId, TypeId};
use super::payload::{PayloadRef, Supplement};
use super::persist::persist;
use super::time::{Ns, TimeRange};
pub use attributes::Attributes;
pub use begins::Begins;
pub use flags::MarkerFlags;
pub use start_order::StartOrder;
use times::TimeColumns;
pub use times::Times;

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
    /// Flags.
    pub flags: MarkerFlags,
    /// Payload.
    pub payload: PayloadRef,
    /// Payload of its start event, if start and end both have a payload (see [`Supplement::Start`]).
    pub begin: PayloadRef,
    /// Other additions to the payload; boxed because few markers have one.
    pub supplement: Option<Box<Supplement>>,
}

/// Columns of equal length; the row number is the [`LocalMarker`]. Starts ascend; no end is before its start.
#[derive(Clone, Debug, Default)]
pub struct MarkerTable {
    times: TimeColumns,
    attributes: Dictionary<Attributes>,
    /// Payload offsets.
    payloads: Offsets,
    /// Markers with a start payload, ascending, and the offsets of these payloads.
    begun: Column<u32>,
    begins: Offsets,
    /// IPC messages: marker, and the delays from its start to the three transfer times, [`NO_DELAY`] where unknown;
    /// ascending by marker.
    messages: Column<[u32; 4]>,
    /// Other additions to payloads, ascending by marker.
    supplements: Vec<(LocalMarker, Supplement)>,
}
persist!(MarkerTable { times, attributes, payloads, begun, begins, messages, supplements });

/// An unknown delay of a message.
const NO_DELAY: u32 = u32::MAX;

impl MarkerTable {
    /// Number of markers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.payloads.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.payloads.is_empty()
    }

    /// Starts and ends, for reading many of them.
    #[must_use]
    #[inline]
    pub fn times(&self) -> Times<'_> {
        self.times.view()
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
    pub const fn attributes(&self) -> &Dictionary<Attributes> {
        &self.attributes
    }

    /// Name of a marker.
    #[must_use]
    #[inline]
    pub fn name(&self, marker: LocalMarker) -> StringId {
        self.attributes.at(marker.index()).name
    }

    /// Category of a marker.
    #[must_use]
    #[inline]
    pub fn category(&self, marker: LocalMarker) -> CategoryId {
        self.attributes.at(marker.index()).category()
    }

    /// Payload type of a marker.
    #[must_use]
    #[inline]
    pub fn kind(&self, marker: LocalMarker) -> Option<TypeId> {
        self.attributes.at(marker.index()).kind()
    }

    /// Flags of a marker.
    #[must_use]
    #[inline]
    pub fn flags(&self, marker: LocalMarker) -> MarkerFlags {
        self.attributes.at(marker.index()).flags
    }

    /// Whether a marker is a point in time.
    #[must_use]
    #[inline]
    pub fn is_instant(&self, marker: LocalMarker) -> bool {
        self.flags(marker).has(MarkerFlags::INSTANT)
    }

    /// Place of a marker's payload.
    #[must_use]
    #[inline]
    pub fn payload(&self, marker: LocalMarker) -> PayloadRef {
        PayloadRef::from_number(self.payloads.view().at(marker.index()))
    }

    /// Places of all payloads.
    pub fn payloads(&self) -> impl ExactSizeIterator<Item = PayloadRef> + Clone + '_ {
        let payloads = self.payloads.view();
        (0..payloads.len()).map(move |marker| PayloadRef::from_number(payloads.at(marker)))
    }

    /// The additions to a marker's payload.
    #[must_use]
    pub fn supplement(&self, marker: LocalMarker) -> Option<Supplement> {
        if let Some(place) = self.begin(marker) {
            return Some(Supplement::Start(place));
        }
        if let Ok(found) = self.messages.binary_search_by_key(&marker.0, |message| message[0]) {
            let [_, delays @ ..] = self.messages[found];
            let TimeRange { start, end } = self.range(marker);
            let [transfer_start, transfer_sent, transfer_end] =
                delays.map(|delay| (delay != NO_DELAY).then(|| start + Ns(i64::from(delay))));
            let (sent, received) = (Some(start), Some(end));
            return Some(Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received });
        }
        let found = self.supplements.binary_search_by_key(&marker, |(owner, _)| *owner).ok()?;
        Some(self.supplements[found].1.clone())
    }

    /// Payload of a marker's start event, if start and end both have a payload.
    #[must_use]
    #[inline]
    pub fn begin(&self, marker: LocalMarker) -> Option<PayloadRef> {
        let found = self.begun.binary_search(&marker.0).ok()?;
        Some(PayloadRef::from_number(self.begins.view().at(found)))
    }

    /// All markers whose start and end both have a payload, ascending, with that of the start.
    pub fn begins(&self) -> impl Iterator<Item = (LocalMarker, PayloadRef)> {
        let begins = self.begins.view();
        let begun = self.begun.iter().enumerate();
        begun.map(move |(at, marker)| (LocalMarker(*marker), PayloadRef::from_number(begins.at(at))))
    }

    /// All network requests with the payload of their start, ascending.
    pub fn requests(&self) -> impl Iterator<Item = (LocalMarker, PayloadRef)> {
        self.supplements.iter().filter_map(|(marker, supplement)| match supplement {
            Supplement::Network { start, .. } => Some((*marker, *start)),
            _ => None,
        })
    }

    /// Replaces every marker's provisional name by the name and category at that index of `labels`.
    pub fn relabel(&mut self, labels: &[(StringId, CategoryId)]) {
        for attributes in self.attributes.items_mut() {
            let (name, category) = labels.get(attributes.name.index()).copied().unwrap_or_default();
            *attributes = attributes.labelled(name, category);
        }
    }

    /// Replaces thread-local names, categories and types by recording-wide ones; unknown categories become `other`.
    pub fn remap(&mut self, names: &[StringId], categories: &[CategoryId], other: CategoryId, kinds: &[TypeId]) {
        for attributes in self.attributes.items_mut() {
            *attributes = attributes.remapped(names, categories, other, kinds);
        }
    }

    /// The markers that touch a range, in start order: those that start before its end and end at or after its start.
    /// For instants the range is half-open, so that adjoining ranges share none (as in the Firefox Profiler).
    pub fn in_range(&self, range: TimeRange) -> impl Iterator<Item = LocalMarker> + '_ {
        let times = self.times();
        let before_end = times.partition_point(|start| start < range.end);
        (0..before_end).filter(move |&index| times.end(index) >= range.start).map(LocalMarker::new)
    }

    /// Whether the columns have consistent lengths; checked when a table is restored from a file.
    pub(super) fn is_consistent(&self) -> bool {
        let lengths = [self.times().len(), self.attributes.len()].iter().all(|length| *length == self.len());
        let places = self.payloads.is_consistent() && self.begins.is_consistent();
        let begins = self.begun.len() == self.begins.len();
        lengths && places && begins && self.times.is_consistent() && self.attributes.is_consistent()
    }

    /// Heap bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.times.heap_bytes()
            + self.attributes.heap_bytes()
            + self.payloads.heap_bytes()
            + self.begun.heap_bytes()
            + self.begins.heap_bytes()
            + self.messages.heap_bytes()
            + self.supplements.capacity() * size_of::<(LocalMarker, Supplement)>()
    }
}
