//! The first pass: counts, sums, and first and last times by group. Sums have 128 bits, so durations near 2^63 do not
//! overflow.

use rayon::prelude::*;

use super::keys::Numbers;
use super::pieces::{Piece, Slots};
use super::subject::{Member, Subject};

/// Counts and sums of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) count: u64,
    /// Number of markers that are not instants.
    pub(super) timed: u64,
    pub(super) incomplete: u64,
    /// Sum of the parts inside the range, in nanoseconds.
    pub(super) total: i128,
    /// Sum of whole durations.
    pub(super) whole: i128,
    /// Shortest and longest duration.
    pub(super) min: u64,
    pub(super) max: u64,
    /// Earliest start and latest end.
    pub(super) first: i64,
    pub(super) last: i64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            count: 0,
            timed: 0,
            incomplete: 0,
            total: 0,
            whole: 0,
            min: u64::MAX,
            max: 0,
            first: i64::MAX,
            last: i64::MIN,
        }
    }
}

impl Tally {
    #[inline(always)]
    fn add(&mut self, member: &Member) {
        self.count += 1;
        self.incomplete += u64::from(member.flags.has(flowline_profile::MarkerFlags::INCOMPLETE));
        self.first = self.first.min(member.start);
        self.last = self.last.max(member.end);
        if let Some(length) = member.length() {
            self.timed += 1;
            self.total += i128::from(member.inside.1) - i128::from(member.inside.0);
            self.whole += i128::from(length);
            self.min = self.min.min(length);
            self.max = self.max.max(length);
        }
    }

    /// Adds the markers of another tally.
    pub(super) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.timed += other.timed;
        self.incomplete += other.incomplete;
        self.total += other.total;
        self.whole += other.whole;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }
}

/// A group within a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceGroup {
    pub(super) group: u32,
    pub(super) timed: u32,
    /// The latest end (clipped to the range) of the group's markers in earlier pieces; `i64::MIN` if there are none.
    pub(super) reached: i64,
}

/// The tallies of all groups, and the groups of each piece in order of first occurrence.
#[derive(Debug)]
pub(super) struct Tallies {
    pub(super) groups: Vec<Tally>,
    pub(super) pieces: Vec<Vec<PieceGroup>>,
    /// For each piece, the latest end of all markers in earlier pieces.
    pub(super) reached: Vec<i64>,
}

/// A group within a piece, its tally, and the latest end of its markers in the piece.
type Counted = (u32, Tally, i64);

/// Visits every marker once; `None` if `keep_going` returned `false`.
pub(super) fn tallies(
    subject: &Subject<'_>,
    pieces: &[Piece],
    numbers: &Numbers<'_>,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Tallies> {
    let of_piece = |slots: &mut Slots, piece: &Piece| -> Option<Vec<Counted>> {
        if !keep_going() {
            return None;
        }
        let mut found: Vec<(Tally, i64)> = Vec::new();
        piece.visit(subject, |thread, part, position, member| {
            let (slot, is_new) = slots.slot(numbers.number(thread, part, position, &member));
            if is_new {
                found.push((Tally::default(), i64::MIN));
            }
            let (tally, end) = &mut found[slot];
            tally.add(&member);
            *end = (*end).max(member.inside.1);
        });
        let groups = slots.take();
        Some(groups.into_iter().zip(found).map(|(group, (tally, end))| (group, tally, end)).collect())
    };
    let counted: Option<Vec<Vec<Counted>>> = pieces
        .par_iter()
        .with_max_len(pieces.len().div_ceil(64).max(1))
        .map_init(|| Slots::new(numbers.groups()), of_piece)
        .collect();
    let mut all = Tallies { groups: vec![Tally::default(); numbers.groups()], pieces: Vec::new(), reached: Vec::new() };
    let mut reached = vec![i64::MIN; numbers.groups()];
    let mut all_reached = i64::MIN;
    for piece in counted? {
        all.reached.push(all_reached);
        let of_group = |(group, tally, end): Counted| {
            all.groups[group as usize].merge(&tally);
            let reached = &mut reached[group as usize];
            let before = std::mem::replace(reached, end.max(*reached));
            all_reached = all_reached.max(end);
            PieceGroup { group, timed: u32::try_from(tally.timed).unwrap_or(u32::MAX), reached: before }
        };
        all.pieces.push(piece.into_iter().map(of_group).collect());
    }
    Some(all)
}
