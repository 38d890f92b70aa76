//! Rules out most payloads at once, by finding a term's text in the whole input.
//!
//! Looking into a payload costs some hundred nanoseconds; finding a text in plain bytes is ten times faster. Payloads do not
//! lie inside each other, so a place belongs to the last payload that begins before it. All other payloads cannot match.
//! Those that remain are looked into as before: the filter never decides that one matches.
//!
//! A payload can show a text that its bytes do not hold: through an escape, an index into a string table, the address of a
//! page, a number, or a capital letter whose small form is ASCII. Each of them is asked for, or the filter is not used.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use foldhash::{HashMap, HashSet};
use memchr::memmem::Finder;
use rayon::prelude::*;

use super::fields::{FieldChoice, FieldTests, SchemaField};
use super::kept_payloads::KeptPayloads;
use super::term::CompiledTerm;
use crate::index::flows::FlowGraph;
use crate::index::search::query::Test;
use crate::profile::json::{KeyPredictor, RawString, fast_path};
use crate::profile::text::{FieldKind, Wanted};
use crate::profile::{LocalMarker, PayloadRef, Profile, StringTable, Thread, TypeId};

/// Bytes that one thread searches at a time.
const PIECE: usize = 1 << 20;
/// Bytes that share an entry of the table of places, as a power of two.
const CELL_BITS: u32 = 12;
/// The filter is given up if there is a place in fewer bytes than this: most payloads would remain.
const BYTES_PER_PLACE: usize = 512;
/// Markers that one thread looks up at a time.
const BATCH: usize = 1 << 16;
/// Capitals beyond ASCII with a small form that begins with an ASCII letter: the letter and the bytes of the capital.
const FOREIGN_CAPITALS: [(u8, &[u8]); 2] = [(b'i', "İ".as_bytes()), (b'k', "\u{212a}".as_bytes())];

/// The payloads that a term may match; `None` if knowing them would not help, or if `keep_going` returned `false` meanwhile.
pub(super) fn kept_payloads(
    profile: &Profile,
    flows: &FlowGraph,
    term: &CompiledTerm<'_>,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<KeptPayloads> {
    let wanted = Wanted::new(text_of(profile, term)?)?;
    let places = Places::find(profile.source.bytes(), &wanted, keep_going)?;
    places.add_payloads(profile);
    // Threads of a processed profile share one table.
    let tables: HashMap<*const StringTable, &StringTable> =
        profile.threads.iter().map(|thread| (Arc::as_ptr(&thread.strings), &*thread.strings)).collect();
    // A member that names a flow only has indexes of strings that are ids of flows.
    let is_id = |table: &StringTable, index: &u64| {
        let text = table.get(profile.source.bytes(), *index);
        text.is_some_and(|text| !flows.with_id(profile, &text).is_empty())
    };
    let matching = |(known, table)| {
        let found = places.strings(profile, term, table);
        let some_id = found.iter().any(|index| is_id(table, index));
        (known, (found, some_id))
    };
    let strings: HashMap<*const StringTable, (HashSet<u64>, bool)> = tables.into_iter().map(matching).collect();
    let none = (HashSet::default(), false);
    let kept = profile.threads.iter().map(|thread| {
        let indexes = strings.get(&Arc::as_ptr(&thread.strings)).unwrap_or(&none);
        let kept = |batch: usize| {
            let mut reader = IndexReader::new(profile, thread, term, indexes);
            let end = thread.markers.len().min(batch + BATCH);
            let markers: Vec<LocalMarker> = (batch..end).map(LocalMarker::new).collect();
            let mut begins = thread.markers.begins_in_order();
            let mut may_match = |marker| {
                let payloads = [Some(thread.markers.payload(marker)), begins.of(marker)];
                payloads.into_iter().flatten().any(|payload| places.owns(payload)) || reader.may_hold(marker, payloads)
            };
            let bits = |markers: &[LocalMarker]| {
                (0..).zip(markers).fold(0, |bits, (at, marker)| bits | u64::from(may_match(*marker)) << at)
            };
            markers.chunks(64).map(bits).collect::<Vec<u64>>()
        };
        let batches: Vec<usize> = (0..thread.markers.len()).step_by(BATCH).collect();
        batches.into_par_iter().with_max_len(1).map(kept).collect::<Vec<_>>().concat()
    });
    let kept = kept.collect();
    keep_going().then_some(KeptPayloads::new(kept))
}

/// The text that stands in every payload that a term matches, if there is one.
fn text_of<'t>(profile: &Profile, term: &'t CompiledTerm<'_>) -> Option<&'t str> {
    let text = match &term.term.test {
        Test::Anywhere(text) | Test::Field { text, .. } => text,
        Test::Number { .. } | Test::Time { .. } | Test::Flow(_) | Test::Resource(_) => return None,
    };
    let in_literal = term.term.literal.as_ref().is_none_or(|literal| literal.contains(text));
    // Lists are shown with commas between their items, and objects in them as `[object Object]`.
    let in_lists = text.contains(',') || "[object object]".contains(text);
    let in_pages = || profile.pages.iter().any(|page| super::text::contains(page.url.as_bytes(), text));
    (in_literal && !in_lists && !term.numbers && !in_pages()).then_some(text)
}

/// Looks for indexes of strings in the payloads of a thread's markers.
struct IndexReader<'a> {
    profile: &'a Profile,
    thread: &'a Thread,
    /// The indexes of strings that match.
    wanted: &'a HashSet<u64>,
    /// For each type, the keys of the members that are such indexes; none if there is nothing to find.
    keys: Vec<Vec<IndexKey<'a>>>,
    predictors: Vec<Option<KeyPredictor<bool>>>,
}

/// The key of a member that is an index into the string table.
#[derive(Clone, Copy, Debug)]
struct IndexKey<'a> {
    key: &'a str,
    word: u64,
}

impl<'a> IndexReader<'a> {
    /// `wanted` are the indexes of strings that match, and whether one of them is the id of a flow.
    fn new(
        profile: &'a Profile,
        thread: &'a Thread,
        term: &'a CompiledTerm<'_>,
        (wanted, some_id): &'a (HashSet<u64>, bool),
    ) -> Self {
        let keys: Vec<Vec<IndexKey<'a>>> = match wanted.is_empty() {
            true => Vec::new(),
            false => term.fields.iter().map(|choice| index_keys(choice, *some_id)).collect(),
        };
        let predictors = keys.iter().map(|_| None).collect();
        Self { profile, thread, wanted, keys, predictors }
    }

    /// Whether one of the marker's payloads has the index of a matching string. Those that are not written plainly may have.
    fn may_hold(&mut self, marker: LocalMarker, payloads: [Option<PayloadRef>; 2]) -> bool {
        let Some(kind) = self.thread.markers.kind(marker).map(TypeId::index) else { return false };
        if self.keys.get(kind).is_none_or(Vec::is_empty) {
            return false;
        }
        payloads.into_iter().flatten().any(|payload| self.in_payload(kind, payload))
    }

    fn in_payload(&mut self, kind: usize, payload: PayloadRef) -> bool {
        let Some(start) = payload.offset() else { return false };
        let (text, keys, wanted) = (self.profile.source.bytes(), &self.keys[kind], self.wanted);
        if self.profile.source.member().is_some() {
            return true;
        }
        let is_index =
            |word, key| keys.iter().any(|index| fast_path::is_key(text, key, word, index.key.as_bytes(), index.word));
        let mut found = false;
        let read = self.predictors[kind].get_or_insert_default().members(text, start, is_index, |is_index, value| {
            if !is_index {
                return fast_path::value_end(text, value);
            }
            let (raw, end) = fast_path::scalar(text, value)?;
            let index = std::str::from_utf8(raw).ok().and_then(|raw| raw.parse().ok());
            found |= index.is_some_and(|index| wanted.contains(&index));
            Some(end)
        });
        found || read.is_none()
    }
}

/// The members of a type's payloads that are indexes into the string table and that the term searches; those that name flows
/// only if `with_flows`.
fn index_keys(choice: &FieldChoice, with_flows: bool) -> Vec<IndexKey<'_>> {
    let FieldChoice::Schema { fields, .. } = choice else { return Vec::new() };
    let is_searched = |field: &&SchemaField| {
        field.kind == FieldKind::StringIndex && field.tests.any() && (with_flows || !field.names_flow)
    };
    let indexes = fields.iter().filter(is_searched);
    indexes.map(|field| IndexKey { key: &field.key, word: fast_path::key_word(field.key.as_bytes()) }).collect()
}

/// Where a text, an escape, or what may become the text stands in the input.
struct Places {
    /// Ascending.
    list: Vec<u64>,
    /// For each cell of the input, the first place in it or after it.
    first: Vec<u32>,
    /// For each place, one more than the offset of the last payload that begins between it and the place before.
    owners: Vec<AtomicU64>,
}

impl Places {
    fn find(input: &[u8], wanted: &Wanted<'_>, keep_going: &(impl Fn() -> bool + Sync)) -> Option<Self> {
        let most = input.len() / BYTES_PER_PLACE + 64;
        let count = AtomicUsize::new(0);
        let finders: Vec<Finder<'_>> = FOREIGN_CAPITALS
            .iter()
            .filter(|(small, _)| wanted.has(*small))
            .map(|(_, capital)| Finder::new(*capital))
            .collect();
        let search = |piece: usize| -> Option<Vec<u64>> {
            if count.load(Ordering::Relaxed) > most || !keep_going() {
                return None;
            }
            let (from, to) = (piece * PIECE, (piece * PIECE + PIECE).min(input.len()));
            let mut found: Vec<u64> = Vec::new();
            let place = |at: usize| (from + at) as u64;
            wanted.each(&input[from..(to + wanted.width() - 1).min(input.len())], |at| found.push(place(at)));
            found.extend(memchr::memchr_iter(b'\\', &input[from..to]).map(place));
            for finder in &finders {
                found.extend(finder.find_iter(&input[from..(to + 2).min(input.len())]).map(place));
            }
            found.sort_unstable();
            count.fetch_add(found.len(), Ordering::Relaxed);
            Some(found)
        };
        let pieces = (0..input.len().div_ceil(PIECE)).into_par_iter().with_max_len(1);
        let list = pieces.map(search).collect::<Option<Vec<_>>>()?.concat();
        let cells = (input.len() >> CELL_BITS) + 1;
        let mut first = Vec::with_capacity(cells);
        let mut next = 0;
        for cell in 0..cells {
            let begin = (cell as u64) << CELL_BITS;
            next += list[next..].iter().take_while(|place| **place < begin).count();
            first.push(u32::try_from(next).ok()?);
        }
        let owners = list.iter().map(|_| AtomicU64::new(0)).collect();
        (list.len() <= most).then_some(Self { list, first, owners })
    }

    /// The first place at or after an offset.
    fn after(&self, offset: u64) -> Option<usize> {
        let cell = usize::try_from(offset >> CELL_BITS).ok()?;
        let first = *self.first.get(cell)? as usize;
        let skipped = self.list[first..].iter().take_while(|place| **place < offset).count();
        (first + skipped < self.list.len()).then_some(first + skipped)
    }

    /// Finds the payload of each place.
    fn add_payloads(&self, profile: &Profile) {
        let add = |payload: PayloadRef| {
            let offset = payload.offset().map(|offset| offset as u64);
            if let Some((offset, place)) = offset.and_then(|offset| Some((offset, self.after(offset)?)))
                && self.owners[place].load(Ordering::Relaxed) <= offset
            {
                self.owners[place].fetch_max(offset + 1, Ordering::Relaxed);
            }
        };
        profile.threads.par_iter().for_each(|thread| {
            let markers = (0..thread.markers.len()).into_par_iter().with_min_len(BATCH).map(LocalMarker::new);
            markers.for_each(|marker| add(thread.markers.payload(marker)));
            thread.markers.begins().map(|(_, begin)| begin).for_each(add);
            thread.markers.requests().map(|(_, start)| start).for_each(add);
        });
    }

    /// Whether a place lies in a payload.
    fn owns(&self, payload: PayloadRef) -> bool {
        let offset = payload.offset().map(|offset| offset as u64);
        let found = offset.and_then(|offset| Some((offset, self.after(offset)?)));
        found.is_some_and(|(offset, place)| self.owners[place].load(Ordering::Relaxed) == offset + 1)
    }

    /// The indexes of the strings of a table that match.
    fn strings(&self, profile: &Profile, term: &CompiledTerm<'_>, table: &StringTable) -> HashSet<u64> {
        let offset = |index: u64| table.offset(index).unwrap_or(u64::MAX);
        let count = table.len() as u64;
        let tests = FieldTests { own: true, literal: true, ..FieldTests::default() };
        let bytes = profile.source.bytes();
        let holds = |index: &u64| {
            let raw = table.raw(bytes, *index);
            raw.is_some_and(|bytes| term.term.found_in(tests, RawString { bytes, offset: 0 }))
        };
        if !table.is_ascending() {
            return (0..count).filter(holds).collect();
        }
        let (Some(last), Some(first)) = (count.checked_sub(1), self.after(offset(0))) else {
            return HashSet::default();
        };
        let inside = self.list[first..].iter().take_while(|place| **place < offset(last));
        let mut strings: Vec<u64> =
            inside.map(|place| first_where(count, |index| offset(index) > *place).saturating_sub(1)).collect();
        // Where the last string ends is not known.
        strings.push(last);
        strings.dedup();
        strings.into_iter().filter(holds).collect()
    }
}

/// The first number below `count` for which `holds` is true, `count` if there is none; `holds` must stay true.
fn first_where(count: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
