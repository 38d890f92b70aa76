//! Occurrences of a text in the input, and the payloads that contain them.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use foldhash::HashSet;
use rayon::prelude::*;

use super::fields::FieldTests;
use super::term::CompiledTerm;
use flowline_json::RawString;
use flowline_profile::text::Wanted;
use flowline_profile::{
    EVENT_PLACES, Escapes, EventTexts, LocalMarker, PayloadRef, Profile, StringTable, Thread, max_offsets,
};

/// Number of bytes that one job searches.
const PIECE: usize = 1 << 20;
/// Number of bytes per entry of the lookup table, as a power of two.
const CELL_BITS: u32 = 12;
/// Number of markers that one job looks up.
const BATCH: usize = 1 << 16;

/// Offsets in the input of a text, of escapes, and of bytes that may be displayed as the text.
pub(super) struct Places {
    /// Ascending.
    list: Vec<u64>,
    /// For each cell of the input, the index of the first offset in it or after it; empty for binary recordings.
    first: Vec<u32>,
    /// For each offset, one more than the offset of the last payload that begins between it and the previous one.
    owners: Vec<AtomicU64>,
}

/// A payload that begins before an occurrence. It contains the occurrence if no other payload begins between them.
struct Candidate {
    marker: LocalMarker,
    offset: u64,
    place: usize,
}

impl Places {
    /// Searches the input; `None` if most payloads would remain, or if `keep_going` returned `false`.
    pub(super) fn find(
        profile: &Profile,
        wanted: &Wanted<'_>,
        keep_going: &(impl Fn() -> bool + Sync),
    ) -> Option<Self> {
        let input = profile.source.bytes();
        let most = max_offsets(input.len());
        let known = profile.searched.escapes();
        if known == Some(None) {
            return None;
        }
        let escapes = known.flatten();
        let count = AtomicUsize::new(0);
        let search = |piece: usize| -> Option<(Vec<u64>, Escapes)> {
            if count.load(Ordering::Relaxed) > most || !keep_going() {
                return None;
            }
            let part = piece * PIECE..(piece * PIECE + PIECE).min(input.len());
            let mut found: Vec<u64> = Vec::new();
            let end = (part.end + wanted.width() - 1).min(input.len());
            wanted.each(&input[part.start..end], |at| found.push((part.start + at) as u64));
            let found_now = if escapes.is_none() { Escapes::find(input, part.clone()) } else { Escapes::default() };
            escapes.unwrap_or(&found_now).add_to(&mut found, part, wanted.bytes());
            found.sort_unstable();
            count.fetch_add(found.len(), Ordering::Relaxed);
            Some((found, found_now))
        };
        let pieces = (0..input.len().div_ceil(PIECE)).into_par_iter().with_max_len(1);
        let (found, found_now): (Vec<_>, Vec<_>) = pieces.map(search).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        if escapes.is_none() {
            profile.searched.keep_escapes(Escapes::join(&found_now, input.len()))?;
        }
        let mut list = found.concat();
        if let Some(events) = profile.source.events() {
            list.extend(in_events(&**events, wanted, keep_going)?);
            let owners = list.iter().map(|_| AtomicU64::new(0)).collect();
            return Some(Self { list, first: Vec::new(), owners });
        }
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

    /// The index of the first occurrence at or after an offset.
    fn after(&self, offset: u64) -> Option<usize> {
        if self.first.is_empty() {
            let at = self.list.partition_point(|place| *place < offset);
            return (at < self.list.len()).then_some(at);
        }
        let cell = usize::try_from(offset >> CELL_BITS).ok()?;
        let first = *self.first.get(cell)? as usize;
        let skipped = self.list[first..].iter().take_while(|place| **place < offset).count();
        (first + skipped < self.list.len()).then_some(first + skipped)
    }

    /// The markers whose payload contains an occurrence: one bit per marker and thread, with the first marker in the
    /// lowest bit.
    pub(super) fn markers(&self, profile: &Profile) -> Vec<Vec<u64>> {
        let candidates = |thread: &Thread| -> Vec<Candidate> {
            let markers = &thread.markers;
            // Start payloads of requests claim their occurrences but are not candidates: only their numbers are used.
            self.candidates(markers.requests());
            let of_batch = |first: usize| {
                let batch = (first..(first + BATCH).min(markers.len())).map(LocalMarker::new);
                self.candidates(batch.map(|marker| (marker, markers.payload(marker))))
            };
            let batches = (0..markers.len()).into_par_iter().step_by(BATCH).with_max_len(1);
            let mut all: Vec<Vec<Candidate>> = batches.map(of_batch).collect();
            all.push(self.candidates(markers.begins()));
            all.into_iter().flatten().collect()
        };
        let by_thread: Vec<Vec<Candidate>> = profile.threads.par_iter().map(candidates).collect();
        // `owners` is complete now, so the last payload before each occurrence is known.
        let bits = |(thread, candidates): (&Thread, Vec<Candidate>)| {
            let mut bits = vec![0_u64; thread.markers.len().div_ceil(64)];
            for Candidate { marker, offset, place } in candidates {
                if self.owners[place].load(Ordering::Relaxed) == offset + 1 {
                    bits[marker.index() / 64] |= 1 << (marker.index() % 64);
                }
            }
            bits
        };
        profile.threads.iter().zip(by_thread).map(bits).collect()
    }

    /// Registers payloads as possible owners of occurrences and returns them as candidates.
    fn candidates(&self, payloads: impl Iterator<Item = (LocalMarker, PayloadRef)>) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for (marker, payload) in payloads {
            let Some(offset) = payload.offset().map(|offset| offset as u64) else { continue };
            // Payloads are mostly in order, and the next occurrence often stays the same.
            let last = found.last().filter(|last| last.offset <= offset && offset <= self.list[last.place]);
            let Some(place) = last.map(|last| last.place).or_else(|| self.after(offset)) else { continue };
            while found.last().is_some_and(|last| last.place == place && last.offset < offset) {
                found.pop();
            }
            if found.last().is_none_or(|last| last.place != place || last.offset == offset) {
                found.push(Candidate { marker, offset, place });
            }
        }
        for Candidate { offset, place, .. } in &found {
            self.owners[*place].fetch_max(offset + 1, Ordering::Relaxed);
        }
        found
    }

    /// The indexes of the matching strings of a table.
    pub(super) fn strings(&self, profile: &Profile, term: &CompiledTerm<'_>, table: &StringTable) -> HashSet<u64> {
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
        // The end of the last string is unknown, so it is always tested.
        strings.push(last);
        strings.dedup();
        strings.into_iter().filter(holds).collect()
    }
}

/// The places of the events of a binary recording whose text contains a text or escapes, ascending; `None` if there are
/// too many, or if `keep_going` returned `false`.
fn in_events(
    events: &dyn EventTexts,
    wanted: &Wanted<'_>,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Vec<u64>> {
    let most = max_offsets(events.recording().bytes().len());
    let count = AtomicUsize::new(0);
    let may_contain = events.part_filter(*wanted);
    let search = |part: &[u64]| -> Option<Vec<u64>> {
        if count.load(Ordering::Relaxed) > most || !keep_going() {
            return None;
        }
        let mut found = Vec::new();
        if !may_contain(part[0]..part[1]) {
            return Some(found);
        }
        events.each_in(part[0]..part[1], &mut |place, text| {
            let mut holds = memchr::memchr(b'\\', text.as_bytes()).is_some();
            if !holds {
                wanted.each(text.as_bytes(), |_| holds = true);
            }
            if holds {
                found.push(EVENT_PLACES + place);
            }
        });
        count.fetch_add(found.len(), Ordering::Relaxed);
        Some(found)
    };
    let bounds = events.parts();
    let parts: Vec<&[u64]> = bounds.windows(2).collect();
    let found: Vec<Vec<u64>> = parts.into_par_iter().with_max_len(1).map(search).collect::<Option<_>>()?;
    let mut all = found.concat();
    all.sort_unstable();
    Some(all)
}

/// The first number below `count` for which `holds` is true; `count` if there is none. `holds` must be monotonic.
fn first_where(count: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
