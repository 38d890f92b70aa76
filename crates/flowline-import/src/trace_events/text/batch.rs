//! A batch: the events of a chunk of text, with the strings and pairs that they reference by number.
//!
//! The numbers are local to the batch; `trace` replaces them with numbers of the whole trace. Most events share a few
//! names, so small direct-mapped caches answer nearly all lookups.

use foldhash::HashMap;

use super::event::{Draft, Event};
use super::far_times::Origin;
use super::ids::{Extra, Id, IdKind, NONE, TextId};
use super::recent_values::RecentValues;
use crate::trace_events::text::event::file_offset;
use crate::trace_events::tracks::counter_values::Counts;
use flowline_profile::{Ns, WarningKind, Warnings};

/// The events of a chunk of text.
#[derive(Default)]
pub(crate) struct Batch<'a> {
    pub(crate) events: Vec<Event>,
    pub(crate) extras: Vec<Extra>,
    pub(crate) texts: BatchStrings<'a>,
    /// The last categories, processes and threads.
    pub(crate) recent: (RecentValues<4>, RecentValues<2>, RecentValues<2>),
    /// Pairs of name and category.
    pub(crate) labels: PairTable,
    /// Pairs of process and thread.
    pub(crate) pairs: PairTable,
    /// The arguments of counter events.
    pub(crate) counts: Counts,
    /// The flows of the current event; true for flows that end with it.
    pub(crate) flow_ids: Vec<(Id, bool)>,
    pub(crate) warnings: Warnings,
    /// The latest time of all drawn events.
    pub(crate) last: Option<Ns>,
    /// The origin of the trace, which is subtracted from all times.
    pub(in crate::trace_events) origin: Option<Origin>,
    /// Trace-wide numbers by local number, for the merged part of the batch.
    pub(crate) global_ids: GlobalIds,
}

/// Trace-wide numbers by numbers of a batch.
#[derive(Debug, Default)]
pub(crate) struct GlobalIds {
    pub(crate) texts: Vec<TextId>,
    pub(crate) labels: Vec<u32>,
    pub(crate) pairs: Vec<u32>,
}

impl Batch<'_> {
    /// Creates an empty batch of a trace with an origin.
    pub(in crate::trace_events) fn with_origin(origin: Option<Origin>) -> Self {
        Self { origin, ..Self::default() }
    }

    /// Adds an event. Its flows are in [`Batch::flow_ids`].
    #[inline]
    pub(crate) fn push(&mut self, draft: &Draft) {
        if draft.ph == 0 {
            // Some programs end the list with an empty object after a trailing comma.
            if !draft.empty {
                let place = || format!("no phase in the event at byte {}", file_offset(draft.offset));
                self.warnings.add(WarningKind::MissingPart, place);
            }
            return;
        }
        if draft.is_far && draft.is_drawn() {
            let place = || format!("ts is out of range in the event at byte {}", file_offset(draft.offset));
            self.warnings.add(WarningKind::BadTime, place);
            return;
        }
        // An event without a thread belongs to the main thread, which has the id of the process.
        let tid = if draft.tid == NONE { draft.pid } else { draft.tid };
        let (label, pair) = (self.labels.intern(draft.name, draft.cat), self.pairs.intern(draft.pid, tid));
        let (mut event, extra) = draft.finish(label, pair);
        if let Some(extra) = extra {
            event.extra = u32::try_from(self.extras.len()).unwrap_or(NONE);
            self.extras.push(extra);
            let flow = |(bind, ends): (Id, bool)| Extra { bind, more: ends.into(), ..Extra::EMPTY };
            self.extras.extend(self.flow_ids.drain(..).map(flow));
        }
        if let Some(last) = draft.last() {
            self.last = self.last.max(Some(last));
        }
        self.events.push(event);
    }

    /// Moves the text of the events behind `before` bytes of other text.
    pub(crate) fn move_by(&mut self, before: u64) {
        self.events.iter_mut().for_each(|event| event.move_by(before));
        for extra in &mut self.extras {
            for id in [&mut extra.id, &mut extra.bind] {
                if id.kind() != IdKind::None {
                    *id = id.moved_by(before);
                }
            }
        }
    }

    /// Removes the events, so that the batch can be reused for another chunk. Strings and pairs remain.
    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.extras.clear();
        self.counts.clear();
        self.flow_ids.clear();
        self.warnings = Warnings::default();
        self.last = None;
    }
}

/// Number of cache slots.
const SLOTS: usize = 1 << 10;

/// Returns the slot of a hash: its highest bits.
#[expect(clippy::cast_possible_truncation, reason = "only ten bits remain")]
const fn slot(hash: u64) -> usize {
    (hash >> (u64::BITS - SLOTS.ilog2())) as usize
}

/// Multiplicative hash.
const fn mix(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A string of a batch.
#[derive(Debug)]
pub(crate) enum BatchText<'a> {
    /// Bytes of JSON, with unresolved escapes.
    Raw(&'a [u8]),
    /// Text that is not JSON.
    Plain(Box<str>),
}

/// Distinct strings.
pub(crate) struct BatchStrings<'a> {
    pub(crate) list: Vec<BatchText<'a>>,
    numbers: HashMap<&'a [u8], TextId>,
    /// Numbers of plain texts.
    plain: HashMap<Box<str>, TextId>,
    recent: Box<[(Fingerprint, TextId); SLOTS]>,
}

impl Default for BatchStrings<'_> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            numbers: HashMap::default(),
            plain: HashMap::default(),
            recent: Box::new([(Fingerprint::EMPTY, NONE); SLOTS]),
        }
    }
}

/// A short text in two words, or both ends of a long text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fingerprint {
    low: u64,
    high: u64,
    length: usize,
}

/// Maximum length at which equal fingerprints imply equal texts.
const EXACT: usize = 16;

impl Fingerprint {
    /// Fingerprint of no text; empty texts are never looked up.
    const EMPTY: Self = Self { low: 0, high: 0, length: 0 };

    #[inline]
    fn new(raw: &[u8]) -> Self {
        let length = raw.len();
        // The two chunks overlap in texts shorter than their sum.
        if let (Some(low), Some(high)) = (raw.first_chunk(), raw.last_chunk()) {
            return Self { low: u64::from_le_bytes(*low), high: u64::from_le_bytes(*high), length };
        }
        if let (Some(low), Some(high)) = (raw.first_chunk(), raw.last_chunk()) {
            return Self { low: u32::from_le_bytes(*low).into(), high: u32::from_le_bytes(*high).into(), length };
        }
        let low = raw.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        Self { low, high: 0, length }
    }

    /// Returns the cache slot of the text.
    #[inline]
    fn slot(&self) -> usize {
        slot(mix(self.low.rotate_left(23) ^ self.high ^ (self.length as u64) << 40))
    }
}

impl<'a> BatchStrings<'a> {
    /// Returns the number of a non-empty text.
    #[inline]
    pub(crate) fn intern(&mut self, raw: &'a [u8]) -> TextId {
        let fingerprint = Fingerprint::new(raw);
        let slot = fingerprint.slot();
        let (seen, number) = self.recent[slot];
        if seen == fingerprint && (raw.len() <= EXACT || self.is_raw(number, raw)) {
            return number;
        }
        let number = self.find(raw);
        self.recent[slot] = (fingerprint, number);
        number
    }

    fn is_raw(&self, number: TextId, raw: &[u8]) -> bool {
        matches!(self.list.get(number as usize), Some(BatchText::Raw(known)) if *known == raw)
    }

    #[inline(never)]
    fn find(&mut self, raw: &'a [u8]) -> TextId {
        let next = u32::try_from(self.list.len()).unwrap_or(NONE);
        *self.numbers.entry(raw).or_insert_with(|| {
            self.list.push(BatchText::Raw(raw));
            next
        })
    }

    /// Returns the number of a non-empty text that is not JSON.
    pub(crate) fn intern_plain(&mut self, text: &str) -> TextId {
        if let Some(known) = self.plain.get(text) {
            return *known;
        }
        let next = u32::try_from(self.list.len()).unwrap_or(NONE);
        self.list.push(BatchText::Plain(text.into()));
        self.plain.insert(text.into(), next);
        next
    }
}

/// Distinct pairs of numbers.
#[derive(Debug)]
pub(crate) struct PairTable {
    pub(crate) list: Vec<(u32, u32)>,
    /// Numbers by pair; empty while there are few pairs.
    numbers: HashMap<(u32, u32), u32>,
    /// Cache with a power of two of slots.
    recent: Box<[u32]>,
}

impl Default for PairTable {
    fn default() -> Self {
        Self::for_count(usize::MAX)
    }
}

/// Number of pairs that are searched linearly.
const FEW: usize = 8;

impl PairTable {
    /// Creates a table for at most `count` lookups. Tables for a few lookups are small.
    pub(crate) fn for_count(count: usize) -> Self {
        let slots = if count <= SLOTS / 16 { 1 } else { SLOTS };
        Self { list: Vec::new(), numbers: HashMap::default(), recent: vec![NONE; slots].into() }
    }

    /// Returns the number of a pair.
    #[inline]
    pub(crate) fn intern(&mut self, first: u32, second: u32) -> u32 {
        let pair = (first, second);
        let slot = slot(mix(u64::from(first) << 32 | u64::from(second))) & (self.recent.len() - 1);
        let recent = self.recent[slot];
        if self.list.get(recent as usize) == Some(&pair) {
            return recent;
        }
        let number = self.find(pair);
        self.recent[slot] = number;
        number
    }

    #[inline(never)]
    fn find(&mut self, pair: (u32, u32)) -> u32 {
        let next = u32::try_from(self.list.len()).unwrap_or(NONE);
        if self.numbers.is_empty() {
            if let Some(known) = self.list.iter().position(|known| *known == pair) {
                return u32::try_from(known).unwrap_or(NONE);
            }
            if self.list.len() < FEW {
                self.list.push(pair);
                return next;
            }
            self.numbers = self.list.iter().copied().zip(0..).collect();
        }
        *self.numbers.entry(pair).or_insert_with(|| {
            self.list.push(pair);
            next
        })
    }

    /// Returns the pair of a number.
    pub(crate) fn get(&self, number: u32) -> (u32, u32) {
        self.list.get(number as usize).copied().unwrap_or((NONE, NONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_share_a_number_only_if_they_are_equal() {
        // Texts of every length that differ in one byte, looked up in varying order.
        let mut texts: Vec<String> = Vec::new();
        for length in 1..40 {
            let text = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"[..length].to_owned();
            for at in 0..length {
                let mut other = text.clone();
                other.replace_range(at..=at, "_");
                texts.push(other);
            }
            texts.push(text);
        }
        let mut batch = BatchStrings::default();
        let numbers: Vec<TextId> = texts.iter().map(|text| batch.intern(text.as_bytes())).collect();
        assert_eq!(numbers, (0..).take(texts.len()).collect::<Vec<TextId>>());
        for step in [1, 7, 11, 13] {
            for at in (0..texts.len()).map(|at| at * step % texts.len()) {
                assert_eq!(batch.intern(texts[at].clone().leak().as_bytes()), numbers[at], "{}", texts[at]);
            }
        }
    }
}
