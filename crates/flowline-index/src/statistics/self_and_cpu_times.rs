//! Times that are not in the marker columns: the self time of a marker, and the CPU time of its thread during the
//! marker.

use memchr::memmem;
use rayon::prelude::*;

use super::keys::Numbers;
use super::pieces::{Piece, Slots};
use super::subject::{RangeRule, Subject};
use crate::nesting::visit_self_times;
use flowline_profile::{LocalMarker, Profile, Thread, ThreadId, TimeRange};

/// The total self time of each group's timed markers inside the range. `None` if `keep_going` returned `false`.
pub(super) fn self_times(
    subject: &Subject<'_>,
    numbers: &Numbers<'_>,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Vec<i128>> {
    let of_thread = |slots: &mut Slots, (number, part): (usize, &super::subject::ThreadPart<'_>)| {
        let times = part.thread.markers.times();
        let markers = match subject.range() {
            None => 0..times.len(),
            Some(TimeRange { start, end }) => {
                let from = if subject.rule() == RangeRule::StartsInside {
                    times.partition_point(|time| time < start)
                } else {
                    0
                };
                from..times.partition_point(|time| time < end).max(from)
            }
        };
        let mut sums: Vec<i128> = Vec::new();
        visit_self_times(part.thread, markers, subject.range(), keep_going, |marker, time| {
            let Some(position) = part.position(marker) else { return };
            let Some(member) = subject.member(part, position).filter(|member| member.length().is_some()) else {
                return;
            };
            let (slot, is_new) = slots.slot(numbers.number(number, part, position, &member));
            if is_new {
                sums.push(0);
            }
            sums[slot] += i128::from(time.0);
        });
        let groups = slots.take();
        keep_going().then(|| groups.into_iter().zip(sums).collect::<Vec<_>>())
    };
    let parts: Option<Vec<Vec<(u32, i128)>>> = subject
        .threads
        .par_iter()
        .enumerate()
        .with_max_len(flowline_profile::parallel_chunk_size(subject.threads.len()))
        .map_init(|| Slots::new(numbers.groups()), of_thread)
        .collect();
    let mut sums = vec![0; numbers.groups()];
    for (group, sum) in parts?.into_iter().flatten() {
        sums[group as usize] += sum;
    }
    Some(sums)
}

/// True if markers may have CPU times: only in traces whose text contains the keys of such times.
#[inline]
pub(crate) fn may_have_cpu_times(profile: &Profile) -> bool {
    let bytes = profile.source.bytes();
    let names = |key: &str| memmem::find(bytes, key.as_bytes()).is_some();
    profile.source.holds_events() && (names("\"tdur\"") || names("\"tts\""))
}

/// The groups of a piece with their total CPU times.
type PieceTimes = Vec<(u32, Option<i128>)>;

/// The total CPU time of each group's whole markers, not clipped to the range; `None` for groups in which no marker has
/// a CPU time. The outer option is `None` if `keep_going` returned `false`.
pub(super) fn cpu_times(
    subject: &Subject<'_>,
    pieces: &[Piece],
    numbers: &Numbers<'_>,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Vec<Option<i128>>> {
    let mut sums = vec![None; numbers.groups()];
    if !may_have_cpu_times(subject.profile()) {
        return Some(sums);
    }
    let of_piece = |slots: &mut Slots, piece: &Piece| {
        let mut found: Vec<Option<i128>> = Vec::new();
        let mut looked_at = 0_usize;
        let mut goes_on = true;
        piece.visit(subject, |thread, part, position, member| {
            if looked_at.is_multiple_of(1024) {
                goes_on &= keep_going();
            }
            looked_at += 1;
            if !goes_on || member.length().is_none() {
                return;
            }
            let (slot, is_new) = slots.slot(numbers.number(thread, part, position, &member));
            if is_new {
                found.push(None);
            }
            if let Some(time) = subject.profile().cpu_time(part.id, member.marker) {
                *found[slot].get_or_insert(0) += i128::from(time.0);
            }
        });
        let groups = slots.take();
        goes_on.then(|| groups.into_iter().zip(found).collect::<Vec<_>>())
    };
    let parts: Option<Vec<PieceTimes>> =
        pieces.par_iter().with_max_len(1).map_init(|| Slots::new(numbers.groups()), of_piece).collect();
    for (group, sum) in parts?.into_iter().flatten() {
        if let Some(sum) = sum {
            *sums[group as usize].get_or_insert(0) += sum;
        }
    }
    Some(sums)
}

/// Numbers of threads and of their first slices that are searched for a CPU time.
const SEARCHED: [usize; 2] = [64, 32];

/// True if the slices of a recording have CPU times. Only the first slices of the first threads are read, because a
/// trace has them for all slices or for none.
#[must_use]
pub fn has_cpu_times(profile: &Profile) -> bool {
    let [threads, slices] = SEARCHED;
    let with_slices = profile.threads_with_ids().filter(|(_, thread)| thread.markers.has_slices());
    let has_cpu_time = |(id, thread): (ThreadId, &Thread)| {
        let first = (0..thread.markers.len().min(slices)).map(LocalMarker::new);
        first.into_iter().any(|marker| profile.cpu_time(id, marker).is_some())
    };
    profile.source.holds_events() && with_slices.take(threads).any(has_cpu_time)
}
