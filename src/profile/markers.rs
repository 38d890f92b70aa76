//! The markers of one thread as columns, in start order.

use bytemuck::{Pod, Zeroable};

use super::column::Column;
use super::ids::{CategoryId, LocalMarker, StringId, TypeId};
use super::payload::{PayloadRef, Supplement};
use super::persist::persist;
use super::time::{Ns, TimeRange};

/// Flags of a marker, one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct MarkerFlags(u8);

impl MarkerFlags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// A point in time, without an end.
    pub const INSTANT: Self = Self(1);
    /// Its start or end is not in the recording and was filled in.
    pub const INCOMPLETE: Self = Self(2);
    /// Nests by containment with the other stack-based markers of its thread.
    pub const STACK_BASED: Self = Self(4);

    /// The flags as bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The flags of [`MarkerFlags::bits`].
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The union with `other`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The flags that are not in `other`.
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
    /// Flags.
    pub flags: MarkerFlags,
    /// Payload.
    pub payload: PayloadRef,
    /// Payload of its start event, if start and end both have a payload (see [`Supplement::Start`]).
    pub begin: PayloadRef,
    /// Other additions to the payload; boxed because few markers have one.
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
    /// Flags.
    pub flags: Column<MarkerFlags>,
    /// Payload offsets.
    pub payload: Column<PayloadRef>,
    /// Start payloads: marker, and the offset in two words; ascending by marker.
    begins: Column<[u32; 3]>,
    /// IPC messages: marker, and the delays from its start to the three transfer times, [`NO_DELAY`] where unknown;
    /// ascending by marker.
    messages: Column<[u32; 4]>,
    /// Other additions to payloads, ascending by marker.
    supplements: Vec<(LocalMarker, Supplement)>,
}
persist!(MarkerTable { start, end, name, category, kind, flags, payload, begins, messages, supplements });

/// An unknown delay of a message.
const NO_DELAY: u32 = u32::MAX;

/// The delays of a message that is sent at its marker's start and received at its end; `None` for anything else.
fn message_delays(marker: &Marker, supplement: &Supplement) -> Option<[u32; 3]> {
    let Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received } = supplement else {
        return None;
    };
    if (*sent, *received) != (Some(marker.start), Some(marker.end)) {
        return None;
    }
    let mut delays = [NO_DELAY; 3];
    for (delay, time) in delays.iter_mut().zip([transfer_start, transfer_sent, transfer_end]) {
        if let Some(time) = time {
            *delay = u32::try_from((*time - marker.start).0).ok().filter(|delay| *delay != NO_DELAY)?;
        }
    }
    Some(delays)
}

#[expect(clippy::cast_possible_truncation, reason = "takes the low word")]
const fn low_word(word: u64) -> u32 {
    word as u32
}

/// A stable order by start.
///
/// Recorders write markers when they end, so most starts are in order already. Only the late ones are sorted and merged into
/// the rest. The sort keys are start and position, a fraction of a marker's bytes, and compare without branches.
#[derive(Debug)]
pub struct StartOrder {
    /// Start in the high half, position in the low half.
    keys: Vec<u128>,
}

impl StartOrder {
    /// The order of `starts`; `sort` sorts the late ones, on as many cores as the caller has.
    #[must_use]
    pub fn new(starts: impl ExactSizeIterator<Item = Ns>, sort: impl FnOnce(&mut [u128])) -> Self {
        let mut keys: Vec<u128> = Vec::with_capacity(starts.len());
        let mut late = Vec::new();
        let mut last = 0;
        for (position, start) in starts.enumerate() {
            // With the sign bit flipped, times compare as unsigned numbers.
            let key = u128::from(start.0.cast_unsigned() ^ 1 << 63) << 64 | position as u128;
            if key >= last {
                last = key;
                keys.push(key);
            } else {
                late.push(key);
            }
        }
        sort(&mut late);
        keys.append(&mut late);
        drop(late);
        // The stable sort finds two sorted runs and merges them.
        keys.sort();
        Self { keys }
    }

    /// The positions in start order.
    pub fn positions(self) -> impl ExactSizeIterator<Item = usize> {
        self.keys.into_iter().map(|key| usize::try_from(key & u128::from(u64::MAX)).unwrap_or_default())
    }
}

/// No type, in the 16-bit column.
const NO_TYPE: u16 = u16::MAX;

impl MarkerTable {
    /// A table of `markers`, stably sorted by start.
    #[must_use]
    pub fn build(mut markers: Vec<Marker>) -> Self {
        if markers.is_sorted_by_key(|marker| marker.start) {
            return Self::from_sorted(markers.into_iter());
        }
        let order = StartOrder::new(markers.iter().map(|marker| marker.start), <[u128]>::sort_unstable);
        Self::from_sorted(order.positions().map(|position| {
            let marker = &mut markers[position];
            Marker { supplement: marker.supplement.take(), ..*marker }
        }))
    }

    /// A table of markers that are sorted by start.
    #[must_use]
    pub fn from_sorted(markers: impl ExactSizeIterator<Item = Marker>) -> Self {
        let count = markers.len();
        let (mut start, mut end) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut name, mut category) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut kind, mut flags) = (Vec::new(), Vec::with_capacity(count));
        let (mut payload, mut begins) = (Vec::with_capacity(count), Vec::new());
        let (mut messages, mut supplements) = (Vec::new(), Vec::new());
        for (index, marker) in markers.enumerate() {
            start.push(marker.start);
            end.push(marker.end);
            name.push(marker.name);
            category.push(u16::try_from(marker.category.0).unwrap_or(u16::MAX));
            // The column ends with the last marker that has a type, so recordings without types have none.
            if let Some(own) = marker.kind {
                kind.resize(index, NO_TYPE);
                kind.push(u16::try_from(own.0).unwrap_or(NO_TYPE));
            }
            flags.push(marker.flags);
            payload.push(marker.payload);
            let number = LocalMarker::new(index);
            if marker.begin != PayloadRef::NONE {
                begins.push([number.0, low_word(marker.begin.0), low_word(marker.begin.0 >> 32)]);
            }
            if let Some(supplement) = &marker.supplement {
                match message_delays(&marker, supplement) {
                    Some([start, sent, end]) => messages.push([number.0, start, sent, end]),
                    None => supplements.push((number, (**supplement).clone())),
                }
            }
        }
        kind.shrink_to_fit();
        begins.shrink_to_fit();
        messages.shrink_to_fit();
        Self {
            start: start.into(),
            end: end.into(),
            name: name.into(),
            category: category.into(),
            kind: kind.into(),
            flags: flags.into(),
            payload: payload.into(),
            begins: begins.into(),
            messages: messages.into(),
            supplements,
        }
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
        let kind = self.kind.get(marker.index()).copied().unwrap_or(NO_TYPE);
        (kind != NO_TYPE).then_some(TypeId(u32::from(kind)))
    }

    /// Whether a marker is a point in time.
    #[must_use]
    pub fn is_instant(&self, marker: LocalMarker) -> bool {
        self.flags[marker.index()].has(MarkerFlags::INSTANT)
    }

    /// The additions to a marker's payload.
    #[must_use]
    pub fn supplement(&self, marker: LocalMarker) -> Option<Supplement> {
        if let Some(place) = self.begin(marker) {
            return Some(Supplement::Start(place));
        }
        if let Ok(found) = self.messages.binary_search_by_key(&marker.0, |message| message[0]) {
            let [_, delays @ ..] = self.messages[found];
            let (start, end) = (self.start[marker.index()], self.end[marker.index()]);
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
        let found = self.begins.binary_search_by_key(&marker.0, |begin| begin[0]).ok()?;
        let [_, low, high] = self.begins[found];
        Some(PayloadRef(u64::from(low) | u64::from(high) << 32))
    }

    /// All markers whose start and end both have a payload, ascending, with that of the start.
    pub fn begins(&self) -> impl Iterator<Item = (LocalMarker, PayloadRef)> {
        self.begins
            .iter()
            .map(|[marker, low, high]| (LocalMarker(*marker), PayloadRef(u64::from(*low) | u64::from(*high) << 32)))
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
        for (name, category) in self.name.make_mut().iter_mut().zip(self.category.make_mut()) {
            let label = labels.get(name.index()).copied().unwrap_or_default();
            *name = label.0;
            *category = u16::try_from(label.1.0).unwrap_or(u16::MAX);
        }
    }

    /// Replaces thread-local names, categories and types by recording-wide ones; unknown categories become `other`.
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
    /// For instants the range is half-open, so that adjoining ranges share none (as in the Firefox Profiler).
    pub fn in_range(&self, range: TimeRange) -> impl Iterator<Item = LocalMarker> + '_ {
        let before_end = self.start.partition_point(|start| *start < range.end);
        (0..before_end).filter(move |&index| self.end[index] >= range.start).map(LocalMarker::new)
    }

    /// Whether the columns have consistent lengths; checked when a table is restored from a file.
    pub(super) fn is_consistent(&self) -> bool {
        let columns = [self.end.len(), self.name.len(), self.category.len(), self.flags.len(), self.payload.len()];
        columns.iter().all(|length| *length == self.len()) && self.kind.len() <= self.len()
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
            + self.begins.heap_bytes()
            + self.messages.heap_bytes()
            + self.supplements.capacity() * size_of::<(LocalMarker, Supplement)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_starts_are_merged_where_they_belong() {
        let mut random = fastrand::Rng::with_seed(1);
        for spread in [0, 1, 10, 1000, 1 << 24] {
            // Mostly ascending, some far back; equal and negative times occur.
            let starts: Vec<Ns> = (0..2000).map(|at| Ns(at / 3 - 500 - random.i64(0..=spread))).collect();
            let mut expected: Vec<usize> = (0..starts.len()).collect();
            expected.sort_by_key(|at| starts[*at]);
            let order = StartOrder::new(starts.iter().copied(), <[u128]>::sort_unstable);
            assert_eq!(order.positions().collect::<Vec<_>>(), expected, "{spread}");
        }
    }
}
