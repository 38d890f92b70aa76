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
    /// Payload of its start, where both its ends have one: a [`Supplement::Start`].
    pub begin: PayloadRef,
    /// What else derivation adds to the payload; boxed because few markers have one.
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
    /// Markers whose start has a payload of its own, ascending, with its place in two words.
    begins: Column<[u32; 3]>,
    /// Messages, ascending by marker: what passes from their start to three points on their way, [`NO_POINT`] for
    /// those that are not known.
    messages: Column<[u32; 4]>,
    /// Other additions to payloads, by marker, ascending.
    supplements: Vec<(LocalMarker, Supplement)>,
}
persist!(MarkerTable { start, end, name, category, kind, flags, payload, begins, messages, supplements });

/// Stands for a point of a message's way that is not known.
const NO_POINT: u32 = u32::MAX;

/// A message's way as it is kept: sent at its start and received at its end, as derivation makes them; `None` for any
/// other.
fn message_points(marker: &Marker, supplement: &Supplement) -> Option<[u32; 3]> {
    let Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received } = supplement else {
        return None;
    };
    if (*sent, *received) != (Some(marker.start), Some(marker.end)) {
        return None;
    }
    let mut points = [NO_POINT; 3];
    for (point, time) in points.iter_mut().zip([transfer_start, transfer_sent, transfer_end]) {
        if let Some(time) = time {
            *point = u32::try_from((*time - marker.start).0).ok().filter(|after| *after != NO_POINT)?;
        }
    }
    Some(points)
}

#[expect(clippy::cast_possible_truncation, reason = "a word is cut out")]
const fn low_word(word: u64) -> u32 {
    word as u32
}

/// Positions in the order of their starts, those of one start in their own order.
///
/// Recorders write markers when they end, so most starts are in order and the others belong somewhat before: only those
/// are sorted, and merged into the rest. Starts with positions are what is sorted, a fraction of the bytes that markers
/// have, and compared without branches.
#[derive(Debug)]
pub struct StartOrder {
    /// Start above, position below.
    keys: Vec<u128>,
}

impl StartOrder {
    /// The order of `starts`; `sort` sorts those that come late, on as many cores as the caller has to give.
    #[must_use]
    pub fn new(starts: impl ExactSizeIterator<Item = Ns>, sort: impl FnOnce(&mut [u128])) -> Self {
        let mut keys: Vec<u128> = Vec::with_capacity(starts.len());
        let mut late = Vec::new();
        let mut last = 0;
        for (position, start) in starts.enumerate() {
            // With the sign turned around, times compare as unsigned numbers.
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
        // Two runs are found and merged.
        keys.sort();
        Self { keys }
    }

    /// The positions.
    pub fn positions(self) -> impl ExactSizeIterator<Item = usize> {
        self.keys.into_iter().map(|key| usize::try_from(key & u128::from(u64::MAX)).unwrap_or_default())
    }
}

/// Marks "no type" in the 16-bit column.
const NO_TYPE: u16 = u16::MAX;

impl MarkerTable {
    /// A table of `markers`, stably sorted by start.
    #[must_use]
    pub fn build(mut markers: Vec<Marker>) -> Self {
        if markers.is_sorted_by_key(|marker| marker.start) {
            return Self::of_sorted(markers.into_iter());
        }
        let order = StartOrder::new(markers.iter().map(|marker| marker.start), <[u128]>::sort_unstable);
        Self::of_sorted(order.positions().map(|position| {
            let marker = &mut markers[position];
            Marker { supplement: marker.supplement.take(), ..*marker }
        }))
    }

    /// A table of markers that come in the order of their starts.
    #[must_use]
    pub fn of_sorted(markers: impl ExactSizeIterator<Item = Marker>) -> Self {
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
            // Recordings without types go without the column.
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
                match message_points(&marker, supplement) {
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
        // Behind the last that has one, none is written.
        let kind = self.kind.get(marker.index()).copied().unwrap_or(NO_TYPE);
        (kind != NO_TYPE).then_some(TypeId(u32::from(kind)))
    }

    /// Whether a marker is a point in time.
    #[must_use]
    pub fn is_instant(&self, marker: LocalMarker) -> bool {
        self.flags[marker.index()].has(MarkerFlags::INSTANT)
    }

    /// What derivation adds to a marker's payload.
    #[must_use]
    pub fn supplement(&self, marker: LocalMarker) -> Option<Supplement> {
        if let Some(place) = self.begin(marker) {
            return Some(Supplement::Start(place));
        }
        if let Ok(found) = self.messages.binary_search_by_key(&marker.0, |message| message[0]) {
            let [_, points @ ..] = self.messages[found];
            let (start, end) = (self.start[marker.index()], self.end[marker.index()]);
            let [transfer_start, transfer_sent, transfer_end] =
                points.map(|point| (point != NO_POINT).then(|| start + Ns(i64::from(point))));
            let (sent, received) = (Some(start), Some(end));
            return Some(Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received });
        }
        let found = self.supplements.binary_search_by_key(&marker, |(owner, _)| *owner).ok()?;
        Some(self.supplements[found].1.clone())
    }

    /// Payload of a marker's start, where both its ends have one.
    #[must_use]
    pub fn begin(&self, marker: LocalMarker) -> Option<PayloadRef> {
        let found = self.begins.binary_search_by_key(&marker.0, |begin| begin[0]).ok()?;
        let [_, low, high] = self.begins[found];
        Some(PayloadRef(u64::from(low) | u64::from(high) << 32))
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

    /// Whether the columns fit together: what is read back is looked at before it is used.
    pub(super) fn is_whole(&self) -> bool {
        let columns = [self.end.len(), self.name.len(), self.category.len(), self.flags.len(), self.payload.len()];
        // Types end with the last that is known.
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
            // Later and later, most of them in order, some far back; times of one start, and before the origin.
            let starts: Vec<Ns> = (0..2000).map(|at| Ns(at / 3 - 500 - random.i64(0..=spread))).collect();
            let mut expected: Vec<usize> = (0..starts.len()).collect();
            expected.sort_by_key(|at| starts[*at]);
            let order = StartOrder::new(starts.iter().copied(), <[u128]>::sort_unstable);
            assert_eq!(order.positions().collect::<Vec<_>>(), expected, "{spread}");
        }
    }
}
