//! The distribution of a group: its markers in time order, a histogram of their durations, and examples.

use rayon::prelude::*;

use super::keys::{Grouping, KeyValue, Numbers};
use super::pieces::{self, Piece, Slots};
use super::ranks::rank;
use super::subject::Subject;
use flowline_profile::{MarkerFlags, MarkerId, Profile};

/// The members of a group, by start, then by id. `None` if `keep_going` returned `false`.
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
        // The markers of each thread are already sorted, which makes this sort fast.
        found.sort();
        Some(found.into_iter().map(|(_, marker)| marker).collect::<Vec<_>>())
    };
    let found: Option<Vec<Vec<MarkerId>>> =
        pieces.par_iter().with_max_len(pieces.len().div_ceil(64).max(1)).map_init(state, of_piece).collect();
    Some(found?.concat())
}

/// The duration of a marker in nanoseconds; `None` for an instant.
#[inline]
fn length(profile: &Profile, marker: MarkerId) -> Option<u64> {
    let (thread, local) = profile.locate(marker)?;
    let markers = &profile.thread(thread).markers;
    let is_instant = markers.flags(local).has(MarkerFlags::INSTANT);
    let length = markers.end(local).0.saturating_sub(markers.start(local).0);
    (!is_instant).then_some(length.max(0).cast_unsigned())
}

/// The scale of the bins of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Bin widths grow by a constant factor. Durations of zero have a separate bin.
    Log,
    /// All bins have the same width.
    Linear,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its shortest duration in nanoseconds.
    pub from: u64,
    /// Its longest duration in nanoseconds, inclusive.
    pub to: u64,
    /// Number of markers.
    pub count: u64,
    /// Sum of the whole durations of its markers.
    pub time: i128,
}

/// A histogram of durations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The bins, shortest durations first, without gaps between them. Empty if there are no durations.
    pub bins: Vec<Bin>,
    /// Number of instants, which are in no bin.
    pub instants: u64,
}

/// The histogram of the durations of `markers`, with at most `bins` bins, from the shortest to the longest duration.
/// `None` if `keep_going` returned `false`.
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

/// Number of markers per job.
const JOB: usize = 1 << 15;

/// The shortest and the longest duration; `(u64::MAX, 0)` if there are no durations.
#[inline]
fn ends(profile: &Profile, markers: &[MarkerId]) -> (u64, u64) {
    let lengths = markers.iter().filter_map(|marker| length(profile, *marker));
    lengths.fold((u64::MAX, 0), |(least, most), length| (least.min(length), most.max(length)))
}

/// Count and total time of each bin, and the number of instants.
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

/// The shortest duration of each bin, ascending. The first one is `least`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded limits are still valid limits"
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
            // Rounding may make limits equal or move them beyond the ends.
            starts.retain(|start| (least..=most).contains(start));
            starts.sort_unstable();
            starts.dedup();
            starts
        }
    }
}

/// Example markers of a group. Among equally long markers, the first in time is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examples {
    /// The longest marker.
    pub longest: MarkerId,
    /// The shortest marker.
    pub shortest: MarkerId,
    /// A marker with the median duration.
    pub p50: MarkerId,
    /// A marker with the duration of the 99th percentile.
    pub p99: MarkerId,
}

/// Examples of `markers`, which must be in time order; `None` if all are instants.
#[must_use]
pub fn examples(profile: &Profile, markers: &[MarkerId]) -> Option<Examples> {
    let mut timed: Vec<(u64, u32)> = markers
        .par_iter()
        .enumerate()
        .filter_map(|(place, marker)| Some((length(profile, *marker)?, u32::try_from(place).unwrap_or(u32::MAX))))
        .collect();
    let count = timed.len();
    // The first marker with the duration at a rank.
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
