//! Pieces: the markers of a subject, split by start time into pieces that fit into a processor's cache, so that all
//! cores work on them. The split points depend only on the markers, never on the number of cores, so sums of floats are
//! reproducible.

use super::subject::{Member, Subject, ThreadPart};

/// Approximate number of markers in a piece.
const PIECE: usize = 1 << 16;
/// Number of markers between two sampled starts.
const STEP: usize = 1 << 12;

/// The candidates of one thread in a piece.
#[derive(Clone, Copy, Debug)]
struct Slice {
    /// Index among the threads of the subject.
    thread: usize,
    from: usize,
    to: usize,
}

/// The candidates that start in a time span, thread by thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    slices: Vec<Slice>,
}

impl Piece {
    /// Calls `each` for each member with the index of its thread in the subject, the thread, its position, and the
    /// member.
    #[inline]
    pub(super) fn visit<'a>(&self, subject: &Subject<'a>, mut each: impl FnMut(usize, &ThreadPart<'a>, usize, Member)) {
        for slice in &self.slices {
            let part = &subject.threads[slice.thread];
            for position in slice.from..slice.to {
                if let Some(member) = subject.member(part, position) {
                    each(slice.thread, part, position, member);
                }
            }
        }
    }
}

/// Splits a subject into pieces, in time order.
pub(super) fn cut(subject: &Subject<'_>) -> Vec<Piece> {
    let mut samples = Vec::with_capacity(subject.candidates() / STEP + 1);
    let mut until_next = STEP / 2;
    for part in &subject.threads {
        let mut position = part.from + until_next;
        while position < part.to {
            samples.push(part.start(position));
            position += STEP;
        }
        until_next = position - part.to;
    }
    samples.sort_unstable();
    let mut bounds: Vec<i64> = samples.iter().copied().skip(PIECE / STEP).step_by(PIECE / STEP).collect();
    bounds.dedup();
    let mut pieces = vec![Piece::default(); bounds.len() + 1];
    for (thread, part) in subject.threads.iter().enumerate() {
        let mut from = part.from;
        while from < part.to {
            let start = part.start(from);
            let piece = bounds.partition_point(|bound| *bound <= start);
            let to = bounds.get(piece).map_or(part.to, |bound| part.first_at(*bound, from, part.to));
            pieces[piece].slices.push(Slice { thread, from, to });
            from = to;
        }
    }
    pieces.retain(|piece| !piece.slices.is_empty());
    pieces
}

/// Numbers the groups of a piece in order of first occurrence. The allocation is reused from one piece to the next.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    of: Vec<u32>,
    groups: Vec<u32>,
}

impl Slots {
    const NONE: u32 = u32::MAX;

    /// Creates slots for the given total number of groups.
    #[inline]
    pub(super) fn new(groups: usize) -> Self {
        Self { of: vec![Self::NONE; groups], groups: Vec::new() }
    }

    /// The slot of a group, and true if the slot is new.
    #[inline]
    pub(super) fn slot(&mut self, group: u32) -> (usize, bool) {
        let slot = &mut self.of[group as usize];
        let is_new = *slot == Self::NONE;
        if is_new {
            *slot = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
            self.groups.push(group);
        }
        (*slot as usize, is_new)
    }

    /// Returns the groups by slot and resets the slots.
    pub(super) fn take(&mut self) -> Vec<u32> {
        let groups = std::mem::take(&mut self.groups);
        for group in &groups {
            self.of[*group as usize] = Self::NONE;
        }
        groups
    }
}
