//! Statistics that need markers in time order: the union of a group's markers and its gaps; and the lists of durations
//! from which percentiles are selected.
//!
//! The latest end of a group's markers in earlier pieces is known, so each piece computes its part of the union
//! independently. A piece stores the durations of its markers by group, in 8 bytes per marker.

use rayon::prelude::*;

use super::keys::Numbers;
use super::pieces::{Piece, Slots};
use super::subject::Subject;
use super::tally::Tallies;

/// The union of intervals and instants that are added in the order of their starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Union {
    /// Its length in nanoseconds.
    pub(super) covered: i64,
    /// The longest gap; `None` if there is no gap.
    pub(super) gap: Option<i64>,
    reached: i64,
}

impl Union {
    /// A union whose part up to `reached` is counted elsewhere.
    #[inline]
    const fn from(reached: i64) -> Self {
        Self { covered: 0, gap: None, reached }
    }

    #[inline]
    fn add(&mut self, start: i64, end: i64) {
        if self.reached == i64::MIN {
            self.reached = start;
        } else if start > self.reached {
            self.gap = self.gap.max(Some(start.saturating_sub(self.reached)));
            self.reached = start;
        }
        if end > self.reached {
            self.covered = self.covered.saturating_add(end.saturating_sub(self.reached));
            self.reached = end;
        }
    }

    #[inline]
    fn merge(&mut self, other: Self) {
        self.covered = self.covered.saturating_add(other.covered);
        self.gap = self.gap.max(other.gap);
    }
}

/// The durations of a piece by group.
#[derive(Debug, Default)]
struct PieceLengths {
    lengths: Vec<u64>,
    /// Each group with the end of its durations in `lengths`.
    ends: Vec<(u32, u32)>,
}

/// The durations of all timed markers by group, unsorted.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    pieces: Vec<PieceLengths>,
    /// The start of each group's lists in `places`.
    first: Vec<u32>,
    /// Piece, and the range in its durations.
    places: Vec<(u32, u32, u32)>,
}

impl Lengths {
    fn new(pieces: Vec<PieceLengths>, groups: usize) -> Self {
        let mut first = vec![0_u32; groups + 1];
        for (group, _) in pieces.iter().flat_map(|piece| &piece.ends) {
            first[*group as usize + 1] += 1;
        }
        for group in 0..groups {
            first[group + 1] += first[group];
        }
        let mut next = first.clone();
        let mut places = vec![(0, 0, 0); pieces.iter().map(|piece| piece.ends.len()).sum()];
        for (number, piece) in pieces.iter().enumerate() {
            let mut from = 0;
            for (group, end) in &piece.ends {
                let place = &mut next[*group as usize];
                places[*place as usize] = (u32::try_from(number).unwrap_or(u32::MAX), from, *end);
                *place += 1;
                from = *end;
            }
        }
        Self { pieces, first, places }
    }

    /// The lists of a group in time order.
    pub(super) fn of(&self, group: u32) -> Vec<&[u64]> {
        let group = group as usize;
        let Some(&[from, to]) = self.first.get(group..group + 2) else { return Vec::new() };
        let lists = self.places[from as usize..to as usize].iter();
        lists
            .map(|(piece, from, to)| &self.pieces[*piece as usize].lengths[*from as usize..*to as usize])
            .filter(|list| !list.is_empty())
            .collect()
    }

    /// All lists.
    #[inline]
    pub(super) fn all(&self) -> Vec<&[u64]> {
        self.pieces.iter().map(|piece| piece.lengths.as_slice()).filter(|list| !list.is_empty()).collect()
    }
}

/// The statistics that need markers in time order.
#[derive(Debug)]
pub(super) struct Spread {
    /// The union of each group's markers.
    pub(super) unions: Vec<Union>,
    /// The union of all markers.
    pub(super) all: Union,
    pub(super) lengths: Lengths,
}

/// A marker of a piece.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: i64,
    end: i64,
    /// [`INSTANT`] for instants.
    length: u64,
    slot: u32,
}

/// Marks an instant in [`Entry::length`]. Durations are less than 2^63.
const INSTANT: u64 = u64::MAX;

/// The result of one piece: durations, unions by group, and the union of all markers.
type OfPiece = (PieceLengths, Vec<(u32, Union)>, Union);

/// Visits the markers of each piece in time order; `None` if `keep_going` returned `false`.
pub(super) fn spread(
    subject: &Subject<'_>,
    pieces: &[Piece],
    numbers: &Numbers<'_>,
    tallies: &Tallies,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Spread> {
    let of_piece = |(slots, entries): &mut (Slots, Vec<Entry>), number: usize| -> Option<OfPiece> {
        if !keep_going() {
            return None;
        }
        entries.clear();
        pieces[number].visit(subject, |thread, part, position, member| {
            let (slot, _) = slots.slot(numbers.number(thread, part, position, &member));
            let (start, end) = member.inside;
            let slot = u32::try_from(slot).unwrap_or(u32::MAX);
            entries.push(Entry { start, end, length: member.length().unwrap_or(INSTANT), slot });
        });
        // The groups and their order are the same as in the tallies.
        slots.take();
        Some(in_order(entries, &tallies.pieces[number], tallies.reached[number]))
    };
    let state = || (Slots::new(numbers.groups()), Vec::new());
    let found: Option<Vec<OfPiece>> = (0..pieces.len())
        .into_par_iter()
        .with_max_len(pieces.len().div_ceil(64).max(1))
        .map_init(state, of_piece)
        .collect();
    let mut unions = vec![Union::from(i64::MIN); numbers.groups()];
    let mut all = Union::from(i64::MIN);
    let mut lists = Vec::with_capacity(pieces.len());
    for (lengths, of_groups, of_all) in found? {
        of_groups.into_iter().for_each(|(group, union)| unions[group as usize].merge(union));
        all.merge(of_all);
        lists.push(lengths);
    }
    Some(Spread { unions, all, lengths: Lengths::new(lists, numbers.groups()) })
}

/// Unions and durations of the markers of a piece, whose groups are numbered as in `groups`.
fn in_order(entries: &mut [Entry], groups: &[super::tally::PieceGroup], reached: i64) -> OfPiece {
    // Each thread's markers are already sorted, so the stable sort only merges them.
    entries.sort_by_key(|entry| entry.start);
    let mut all = Union::from(reached);
    let mut unions: Vec<Union> = groups.iter().map(|group| Union::from(group.reached)).collect();
    let mut end = 0_u32;
    let mut next: Vec<u32> = Vec::with_capacity(groups.len());
    for group in groups {
        next.push(end);
        end += group.timed;
    }
    let mut lengths = vec![0; end as usize];
    for entry in entries.iter() {
        let slot = entry.slot as usize;
        all.add(entry.start, entry.end);
        unions[slot].add(entry.start, entry.end);
        if entry.length != INSTANT {
            lengths[next[slot] as usize] = entry.length;
            next[slot] += 1;
        }
    }
    let ends = groups.iter().zip(next).map(|(group, end)| (group.group, end)).collect();
    let unions = groups.iter().zip(unions).map(|(group, union)| (group.group, union)).collect();
    (PieceLengths { lengths, ends }, unions, all)
}
