//! The distribution of a group: its markers in the order of time, a histogram of their lengths, and examples.

use rayon::prelude::*;

use super::keys::{Grouping, KeyValue, Numbers};
use super::pieces::{self, Piece, Slots};
use super::ranks::rank;
use super::subject::Subject;
use flowline_profile::{MarkerFlags, MarkerId, Profile};

/// The members of a group in the order of their starts; of equal ones in the order of their ids. `None` if `keep_going`
/// returned `false` meanwhile.
#[must_use]
pub fn members(
    subject: &Subject<'_>,
    grouping: &Grouping,
    key: &[KeyValue],
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Vec<MarkerId>> {
    let pieces = pieces::cut(subject);
    let numbers = Numbers::new(subject, &pieces, grouping, keep_going)?;
    let state = || (Slots::new(numbers.groups()), Vec::<bool>::new());
    let of_piece = |(slots, wanted): &mut (Slots, Vec<bool>), piece: &Piece| {
        if !keep_going() {
            return None;
        }
        let mut found: Vec<(i64, MarkerId)> = Vec::new();
        wanted.clear();
        piece.visit(subject, |thread, part, position, member| {
            let group = numbers.number(thread, part, position, &member);
            let (slot, is_new) = slots.slot(group);
            if is_new {
                wanted.push(numbers.values(subject.profile(), group) == key);
            }
            if wanted[slot] {
                found.push((member.start, part.thread.global(member.marker)));
            }
        });
        slots.take();
        // The markers of each thread are in order already.
        found.sort();
        Some(found.into_iter().map(|(_, marker)| marker).collect::<Vec<_>>())
    };
    let found: Option<Vec<Vec<MarkerId>>> =
        pieces.par_iter().with_max_len(pieces.len().div_ceil(64).max(1)).map_init(state, of_piece).collect();
    Some(found?.concat())
}

/// The length of a marker in nanoseconds; `None` for an instant.
#[inline]
fn length(profile: &Profile, marker: MarkerId) -> Option<u64> {
    let (thread, local) = profile.locate(marker)?;
    let markers = &profile.thread(thread).markers;
    let is_instant = markers.flags(local).has(MarkerFlags::INSTANT);
    let length = markers.end(local).0.saturating_sub(markers.start(local).0);
    (!is_instant).then_some(length.max(0).cast_unsigned())
}

/// How the bins of a histogram grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Each is so many times as wide as the one before it. Lengths of zero have a bin of their own.
    Log,
    /// All are equally wide.
    Linear,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its shortest length in nanoseconds.
    pub from: u64,
    /// Its longest length.
    pub to: u64,
    /// Number of markers.
    pub count: u64,
    /// Sum of their whole lengths.
    pub time: i128,
}

/// A histogram of lengths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The bins, shortest lengths first, without space between them; none without lengths.
    pub bins: Vec<Bin>,
    /// Markers that are instants, and in no bin.
    pub instants: u64,
}

/// The histogram of some markers' lengths with at most `bins` bins, from the shortest length to the longest. `None` if
/// `keep_going` returned `false` meanwhile.
#[must_use]
pub fn distribution(
    profile: &Profile,
    markers: &[MarkerId],
    scale: Scale,
    bins: usize,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Distribution> {
    let of_job = |job: &[MarkerId]| keep_going().then(|| ends(profile, job));
    let found: Option<Vec<(u64, u64)>> = markers.par_chunks(JOB).map(of_job).collect();
    let (least, most) = found?.into_iter().fold((u64::MAX, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let starts = if least > most { Vec::new() } else { bin_starts(scale, least, most, bins.max(1)) };
    let of_job = |job: &[MarkerId]| keep_going().then(|| counted(profile, job, &starts));
    let counted: Option<Vec<_>> = markers.par_chunks(JOB).map(of_job).collect();
    let end = |number: usize| starts.get(number + 1).map_or(most, |next| next - 1);
    let bin = |(number, from): (usize, &u64)| Bin { from: *from, to: end(number), count: 0, time: 0 };
    let mut all = Distribution { bins: starts.iter().enumerate().map(bin).collect(), instants: 0 };
    for (bins, instants) in counted? {
        all.instants += instants;
        for (bin, (count, time)) in all.bins.iter_mut().zip(bins) {
            bin.count += count;
            bin.time += time;
        }
    }
    Some(all)
}

/// Markers a job.
const JOB: usize = 1 << 15;

/// The shortest and the longest length; the other way round if there is none.
fn ends(profile: &Profile, markers: &[MarkerId]) -> (u64, u64) {
    let lengths = markers.iter().filter_map(|marker| length(profile, *marker));
    lengths.fold((u64::MAX, 0), |(least, most), length| (least.min(length), most.max(length)))
}

/// Count and time of each bin, and the number of instants.
fn counted(profile: &Profile, markers: &[MarkerId], starts: &[u64]) -> (Vec<(u64, i128)>, u64) {
    let (mut bins, mut instants) = (vec![(0, 0); starts.len()], 0);
    for length in markers.iter().map(|marker| length(profile, *marker)) {
        match length {
            None => instants += 1,
            Some(length) => {
                let bin: &mut (u64, i128) = &mut bins[starts.partition_point(|start| *start <= length) - 1];
                *bin = (bin.0 + 1, bin.1 + i128::from(length));
            }
        }
    }
    (bins, instants)
}

/// The shortest length of each bin, ascending, the first one `least`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "limits that were rounded are limits"
)]
fn bin_starts(scale: Scale, least: u64, most: u64, bins: usize) -> Vec<u64> {
    match scale {
        Scale::Linear => {
            let width = (most - least) / bins as u64 + 1;
            (0..bins as u64)
                .map(|number| least.saturating_add(number * width))
                .take_while(|start| *start <= most)
                .collect()
        }
        Scale::Log => {
            let first = least.max(1);
            let factor = (most.max(first) as f64 / first as f64).ln() / bins as f64;
            let start = |number: usize| (first as f64 * (factor * number as f64).exp()).round() as u64;
            let mut starts: Vec<u64> = std::iter::once(least).chain((0..bins).map(start)).collect();
            // The first one was rounded to itself, others may be equal or beyond the ends.
            starts.retain(|start| (least..=most).contains(start));
            starts.sort_unstable();
            starts.dedup();
            starts
        }
    }
}

/// Markers that stand for a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examples {
    /// The longest one. Of equal markers it is always the first in time.
    pub longest: MarkerId,
    /// The shortest one.
    pub shortest: MarkerId,
    /// One of the median length.
    pub p50: MarkerId,
    /// One as long as the 99th percentile.
    pub p99: MarkerId,
}

/// Examples of some markers in the order of time; `None` if all are instants.
#[must_use]
pub fn examples(profile: &Profile, markers: &[MarkerId]) -> Option<Examples> {
    let mut timed: Vec<(u64, u32)> = markers
        .par_iter()
        .enumerate()
        .filter_map(|(place, marker)| Some((length(profile, *marker)?, u32::try_from(place).unwrap_or(u32::MAX))))
        .collect();
    let count = timed.len();
    // The first marker of the length at a rank.
    let mut at = |place: usize| {
        let length = timed.select_nth_unstable(place).1.0;
        let first = timed.iter().filter(|(other, _)| *other == length).map(|(_, place)| *place).min()?;
        markers.get(first as usize).copied()
    };
    let ranked = |thousandths: u64| usize::try_from(rank(thousandths, count as u64)).unwrap_or(usize::MAX);
    let last = count.checked_sub(1)?;
    Some(Examples {
        longest: at(last)?,
        shortest: at(0)?,
        p50: at(ranked(500).min(last))?,
        p99: at(ranked(990).min(last))?,
    })
}
