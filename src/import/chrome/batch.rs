//! What is read from a part of the text: events, and the texts and pairs they refer to by number.
//!
//! Numbers count within the part; `texts` turns them into numbers of the whole trace. A few names make most of the
//! events, so small tables of what came last answer nearly every question.

use foldhash::HashMap;

use super::event::{Event, NONE, TextId};
use super::ids::Extra;
use crate::profile::Warnings;

/// What is read from a part of the text.
#[derive(Default)]
pub(super) struct Batch<'a> {
    pub(super) events: Vec<Event>,
    pub(super) extras: Vec<Extra>,
    pub(super) texts: BatchTexts<'a>,
    /// Name and category.
    pub(super) labels: Pairs,
    /// Process and thread.
    pub(super) pairs: Pairs,
    pub(super) warnings: Warnings,
    /// The numbers of the trace that stand for its own, as far as it was adopted.
    pub(super) adopted: Adopted,
}

/// Numbers of the trace, by number of a batch.
#[derive(Debug, Default)]
pub(super) struct Adopted {
    pub(super) texts: Vec<TextId>,
    pub(super) labels: Vec<u32>,
    pub(super) pairs: Vec<u32>,
}

impl Batch<'_> {
    /// Forgets the events, so that it can be used for another part; what it knows of texts and pairs stays.
    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.extras.clear();
        self.warnings = Warnings::default();
    }
}

/// Slots of the tables of what came last.
const SLOTS: usize = 1 << 10;

/// The slot of a hash.
#[expect(clippy::cast_possible_truncation, reason = "ten bits are left")]
const fn slot(hash: u64) -> usize {
    (hash >> (u64::BITS - SLOTS.ilog2())) as usize
}

/// Mixes bits upwards, where the slot is taken from.
const fn mixed(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Distinct texts, escapes unresolved.
pub(super) struct BatchTexts<'a> {
    pub(super) list: Vec<&'a [u8]>,
    numbers: HashMap<&'a [u8], TextId>,
    recent: Box<[TextId; SLOTS]>,
}

impl Default for BatchTexts<'_> {
    fn default() -> Self {
        Self { list: Vec::new(), numbers: HashMap::default(), recent: Box::new([NONE; SLOTS]) }
    }
}

/// Eight bytes of a text, or fewer.
#[inline]
fn word(raw: &[u8]) -> u64 {
    match raw.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => match (raw.first_chunk::<4>(), raw.last_chunk::<4>()) {
            (Some(low), Some(high)) => u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << 32,
            _ => raw.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        },
    }
}

/// A hash that tells most texts apart by their ends and length.
#[inline]
fn glance(raw: &[u8]) -> u64 {
    let last = raw.last_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    mixed(word(raw).rotate_left(23) ^ last ^ (raw.len() as u64) << 40)
}

impl<'a> BatchTexts<'a> {
    /// The number of a text.
    #[inline]
    pub(super) fn number(&mut self, raw: &'a [u8]) -> TextId {
        let slot = slot(glance(raw));
        let recent = self.recent[slot];
        if self.list.get(recent as usize).is_some_and(|text| *text == raw) {
            return recent;
        }
        let number = self.find(raw);
        self.recent[slot] = number;
        number
    }

    #[inline(never)]
    fn find(&mut self, raw: &'a [u8]) -> TextId {
        let next = u32::try_from(self.list.len()).unwrap_or(NONE);
        *self.numbers.entry(raw).or_insert_with(|| {
            self.list.push(raw);
            next
        })
    }
}

/// Distinct pairs of numbers.
#[derive(Debug)]
pub(super) struct Pairs {
    pub(super) list: Vec<(u32, u32)>,
    numbers: HashMap<(u32, u32), u32>,
    recent: Box<[u32; SLOTS]>,
}

impl Default for Pairs {
    fn default() -> Self {
        Self { list: Vec::new(), numbers: HashMap::default(), recent: Box::new([NONE; SLOTS]) }
    }
}

impl Pairs {
    /// The number of a pair.
    #[inline]
    pub(super) fn number(&mut self, first: u32, second: u32) -> u32 {
        let pair = (first, second);
        let slot = slot(mixed(u64::from(first) << 32 | u64::from(second)));
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
        *self.numbers.entry(pair).or_insert_with(|| {
            self.list.push(pair);
            next
        })
    }

    /// The pair of a number.
    pub(super) fn get(&self, number: u32) -> (u32, u32) {
        self.list.get(number as usize).copied().unwrap_or((NONE, NONE))
    }
}
