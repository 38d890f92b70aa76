//! Flow ids: the distinct id texts of a recording are numbered in the order of their hashes.
//!
//! Equal ids are found by sorting hashes on all cores, without a table of texts. As ids are sorted by hash, a text is looked
//! up by binary search. Each id takes 8 bytes: the offset of its text.

use rayon::prelude::*;

use super::mentions::{IdPlace, ThreadMentions, hash};
use crate::profile::Column;
use crate::profile::json::{Cursor, Kind, decode_string, fast_path};
use crate::profile::persist::persist;

/// All distinct ids.
#[derive(Clone, Debug, Default)]
pub(super) struct FlowIds {
    /// Byte offset of a string token with the id's text.
    offsets: Column<u64>,
}
persist!(FlowIds { offsets });

/// An id in a thread's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Listing {
    place: IdPlace,
    thread: u32,
    number: u32,
}

/// The text of an id: the contents of a string, or the digits of a number.
pub(super) fn text_at(text: &[u8], offset: u64) -> Option<String> {
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
pub(super) fn hash_at(text: &[u8], offset: u64) -> u64 {
    let plain = usize::try_from(offset).ok().and_then(|offset| fast_path::scalar(text, offset));
    match plain.filter(|(raw, _)| raw.is_ascii()) {
        Some((raw, _)) => hash(raw),
        None => hash(text_at(text, offset).unwrap_or_default().as_bytes()),
    }
}

/// Whether the ids at two places have one text.
fn same_text(text: &[u8], a: u64, b: u64) -> bool {
    let plain = |offset| usize::try_from(offset).ok().and_then(|offset| fast_path::scalar(text, offset));
    match (plain(a), plain(b)) {
        (Some((a, _)), Some((b, _))) if a == b => true,
        (Some((a, _)), Some((b, _))) if a.is_ascii() && b.is_ascii() => false,
        _ => text_at(text, a) == text_at(text, b),
    }
}

impl FlowIds {
    /// Joins the ids of all threads. Also returns the number of each id of each thread's list.
    pub(super) fn join(text: &[u8], threads: &[ThreadMentions]) -> (Self, Vec<Vec<u32>>) {
        let mut listings: Vec<Listing> = (0_u32..)
            .zip(threads)
            .flat_map(|(thread, mentions)| {
                (0_u32..).zip(&mentions.ids).map(move |(number, place)| Listing { place: *place, thread, number })
            })
            .collect();
        listings.par_sort_unstable();
        let mut numbers: Vec<Vec<u32>> = threads.iter().map(|thread| vec![0; thread.ids.len()]).collect();
        let mut ids = Self::default();
        for run in listings.chunk_by(|a, b| a.place.hash == b.place.hash) {
            let first = ids.offsets.len();
            for (position, listing) in run.iter().enumerate() {
                let same_token = position > 0 && run[position - 1].place == listing.place;
                let number = if same_token {
                    numbers[run[position - 1].thread as usize][run[position - 1].number as usize] as usize
                } else {
                    ids.number_in_run(text, first, listing.place.offset)
                };
                numbers[listing.thread as usize][listing.number as usize] = u32::try_from(number).unwrap_or(u32::MAX);
            }
        }
        ids.offsets.shrink_to_fit();
        (ids, numbers)
    }

    /// The number of a text among the ids of one hash, which begin at `first`. Nearly always there is only one.
    fn number_in_run(&mut self, text: &[u8], first: usize, offset: u64) -> usize {
        if self.offsets.len() > first {
            let found = (first..self.offsets.len()).find(|number| same_text(text, self.offsets[*number], offset));
            if let Some(number) = found {
                return number;
            }
        }
        self.offsets.push(offset);
        self.offsets.len() - 1
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// The text of an id.
    pub(super) fn text(&self, text: &[u8], id: u32) -> String {
        self.offsets.get(id as usize).and_then(|offset| text_at(text, *offset)).unwrap_or_default()
    }

    /// The id with this text.
    pub(super) fn find(&self, text: &[u8], wanted: &str) -> Option<u32> {
        let wanted_hash = hash(wanted.as_bytes());
        let hash_of = |offset: &u64| text_at(text, *offset).map_or(0, |text| hash(text.as_bytes()));
        let first = self.offsets.partition_point(|offset| hash_of(offset) < wanted_hash);
        let mut same = self.offsets[first..].iter().take_while(|offset| hash_of(offset) == wanted_hash);
        let position = same.position(|offset| text_at(text, *offset).as_deref() == Some(wanted))?;
        u32::try_from(first + position).ok()
    }

    pub(super) fn bytes(&self) -> usize {
        self.offsets.heap_bytes()
    }
}
