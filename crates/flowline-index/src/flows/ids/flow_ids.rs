//! Flow ids: the distinct id texts of a recording, numbered in the order of their hashes.
//!
//! Equal ids are found by sorting hashes on all cores, without a table of texts. Because ids are sorted by hash, a text
//! is found by binary search. Each id takes 8 bytes: the offset of its text.

use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::Zeroable;
use rayon::prelude::*;

use crate::flows::graph::{IdToken, ThreadReferences, hash};
use flowline_json::{Cursor, Kind, decode_string, fast_path};
use flowline_profile::persist::persist;
use flowline_profile::{Column, Source};

/// Minimum number of listings per part.
const MIN_PART: usize = 1 << 14;

/// All distinct ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowIds {
    /// Byte offset of a string token with the id's text.
    offsets: Column<u64>,
}
persist!(FlowIds { offsets });

/// An id in a thread's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Zeroable)]
struct Listing {
    place: IdToken,
    thread: u32,
    number: u32,
}

/// The text of an id: the contents of a string, or the digits of a number.
pub(crate) fn text_at(text: &[u8], offset: u64) -> Option<String> {
    let offset = usize::try_from(offset).ok()?;
    match Cursor::at(text, offset).peek() {
        Ok(Kind::String) | Err(_) => decode_string(text, offset),
        Ok(_) => {
            let digits = Cursor::at(text, offset).scalar().ok()?;
            Some(String::from_utf8_lossy(digits).into_owned())
        }
    }
}

/// Hash of the text of an id.
pub(crate) fn hash_at(text: &[u8], offset: u64) -> u64 {
    let plain = usize::try_from(offset).ok().and_then(|offset| fast_path::scalar(text, offset));
    match plain.filter(|(raw, _)| raw.is_ascii()) {
        Some((raw, _)) => hash(raw),
        None => hash(text_at(text, offset).unwrap_or_default().as_bytes()),
    }
}

/// True if the ids at two offsets have the same text.
fn same_text(text: &[u8], a: u64, b: u64) -> bool {
    let plain = |offset| usize::try_from(offset).ok().and_then(|offset| fast_path::scalar(text, offset));
    match (plain(a), plain(b)) {
        (Some((a, _)), Some((b, _))) if a == b => true,
        (Some((a, _)), Some((b, _))) if a.is_ascii() && b.is_ascii() => false,
        _ => text_at(text, a) == text_at(text, b),
    }
}

/// Splits sorted listings into about four parts per core. Listings with equal hashes stay together.
fn parts_of(listings: &[Listing]) -> Vec<&[Listing]> {
    let step = listings.len().div_ceil(4 * rayon::current_num_threads()).max(MIN_PART);
    let (mut parts, mut rest) = (Vec::new(), listings);
    while let Some(last) = rest.get(step - 1) {
        let same = rest[step..].iter().take_while(|listing| listing.place.hash == last.place.hash).count();
        let (part, after) = rest.split_at(step + same);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// The distinct ids of a part of the listings, and the id number of each listing.
struct Numbered {
    offsets: Vec<u64>,
    numbers: Vec<u32>,
}

impl Numbered {
    fn new(text: &[u8], listings: &[Listing]) -> Self {
        let mut numbered = Self { offsets: Vec::new(), numbers: Vec::with_capacity(listings.len()) };
        for run in listings.chunk_by(|a, b| a.place.hash == b.place.hash) {
            let first = numbered.offsets.len();
            for (position, listing) in run.iter().enumerate() {
                let same_token = position > 0 && run[position - 1].place == listing.place;
                let number = match numbered.numbers.last() {
                    Some(before) if same_token => *before,
                    _ => numbered.number_in_run(text, first, listing.place.offset),
                };
                numbered.numbers.push(number);
            }
        }
        numbered
    }

    /// Number of a text among the ids with the same hash, which begin at `first`. There is nearly always only one.
    fn number_in_run(&mut self, text: &[u8], first: usize, offset: u64) -> u32 {
        let known = (first..self.offsets.len()).find(|number| same_text(text, self.offsets[*number], offset));
        let number = known.unwrap_or_else(|| {
            self.offsets.push(offset);
            self.offsets.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }
}

impl FlowIds {
    /// Joins the ids of all threads. Also returns the number of each entry of each thread's list.
    pub(crate) fn join(text: &[u8], threads: &[ThreadReferences]) -> (Self, Vec<Vec<u32>>) {
        let mut listings: Vec<Listing> = bytemuck::zeroed_vec(threads.iter().map(|thread| thread.ids.len()).sum());
        let (mut left, mut of_threads) = (&mut listings[..], Vec::with_capacity(threads.len()));
        for (thread, field_references) in (0_u32..).zip(threads) {
            of_threads.push((
                thread,
                &field_references.ids,
                left.split_off_mut(..field_references.ids.len()).unwrap_or_default(),
            ));
        }
        of_threads.into_par_iter().for_each(|(thread, ids, listings)| {
            for (number, (place, listing)) in (0_u32..).zip(ids.iter().zip(listings)) {
                *listing = Listing { place: *place, thread, number };
            }
        });
        listings.par_sort_unstable();
        let parts: Vec<(&[Listing], Numbered)> =
            parts_of(&listings).into_par_iter().map(|part| (part, Numbered::new(text, part))).collect();
        let numbers: Vec<Vec<AtomicU32>> =
            threads.par_iter().map(|thread| thread.ids.iter().map(|_| AtomicU32::new(0)).collect()).collect();
        let mut offsets = Vec::with_capacity(parts.iter().map(|(_, numbered)| numbered.offsets.len()).sum());
        let mut based = Vec::with_capacity(parts.len());
        for (part, numbered) in parts {
            based.push((part, u32::try_from(offsets.len()).unwrap_or(u32::MAX), numbered.numbers));
            offsets.extend(numbered.offsets);
        }
        based.into_par_iter().for_each(|(part, base, own)| {
            for (listing, number) in part.iter().zip(own) {
                let slot = &numbers[listing.thread as usize][listing.number as usize];
                slot.store(base.saturating_add(number), Ordering::Relaxed);
            }
        });
        let plain = |numbers: Vec<AtomicU32>| numbers.into_iter().map(AtomicU32::into_inner).collect();
        (Self { offsets: offsets.into() }, numbers.into_iter().map(plain).collect())
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Text of an id.
    #[inline]
    pub(crate) fn text(&self, source: &Source, id: u32) -> String {
        let offset = self.offsets.get(id as usize).copied();
        let offset = offset.filter(|offset| usize::try_from(*offset).is_ok_and(|offset| !source.must_not_read(offset)));
        offset.and_then(|offset| text_at(source.bytes(), offset)).unwrap_or_default()
    }

    /// Id with this text.
    pub(crate) fn find(&self, text: &[u8], wanted: &str) -> Option<u32> {
        let wanted_hash = hash(wanted.as_bytes());
        let hash_of = |offset: &u64| text_at(text, *offset).map_or(0, |text| hash(text.as_bytes()));
        let first = self.offsets.partition_point(|offset| hash_of(offset) < wanted_hash);
        let mut same = self.offsets[first..].iter().take_while(|offset| hash_of(offset) == wanted_hash);
        let position = same.position(|offset| text_at(text, *offset).as_deref() == Some(wanted))?;
        u32::try_from(first + position).ok()
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.offsets.heap_bytes()
    }
}
