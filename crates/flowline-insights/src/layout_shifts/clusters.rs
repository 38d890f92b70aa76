//! Clusters of layout shifts: shifts that follow each other within a second, for at most five seconds, on one page.

use super::layout_shift::{LayoutShift, ShiftCluster};
use flowline_profile::{Ns, TimeRange};

/// Longest time between two shifts of a cluster.
const GAP: Ns = Ns(1_000_000_000);
/// Longest time between the first and the last shift of a cluster.
const LENGTH: Ns = Ns(5_000_000_000);

/// Puts shifts, which are in time order, into clusters. `navigations` has the times of the navigations with their numbers, by
/// time; `end` is the end of the recording.
pub(super) fn clusters(shifts: &mut [LayoutShift], navigations: &[(Ns, Option<u32>)], end: Ns) -> Vec<ShiftCluster> {
    let mut all: Vec<ShiftCluster> = Vec::new();
    // Time of the last shift, and number of navigations before it.
    let mut last: Option<(Ns, usize)> = None;
    for (at, shift) in shifts.iter_mut().enumerate() {
        let current = navigations.partition_point(|(time, _)| *time <= shift.time);
        shift.navigation = current.checked_sub(1).and_then(|own| navigations[own].1);
        if shift.is_after_input {
            continue;
        }
        let before = navigations.partition_point(|(time, _)| *time < shift.time);
        let next = navigations.get(before).map_or(end, |(time, _)| *time);
        let continues = |cluster: &&mut ShiftCluster| {
            let follows = last.is_some_and(|(time, page)| shift.time - time <= GAP && page == before);
            follows && shift.time - cluster.times.start <= LENGTH
        };
        let is_new = all.last_mut().as_mut().is_none_or(|cluster| !continues(cluster));
        if is_new {
            let times = TimeRange { start: shift.time, end: shift.time };
            let navigation = shift.navigation;
            all.push(ShiftCluster { times, score: 0.0, unweighted: 0, shifts: Vec::new(), worst: at, navigation });
        }
        shift.cluster = all.len().checked_sub(1);
        last = Some((shift.time, before));
        let Some(cluster) = all.last_mut() else { continue };
        cluster.shifts.push(at);
        match shift.is_weighted {
            true => cluster.score += shift.score,
            false => cluster.unweighted += 1,
        }
        let limit = (shift.time + GAP).min(cluster.times.start + LENGTH).min(next).min(end);
        cluster.times.end = limit.max(shift.time);
    }
    for cluster in &mut all {
        let weight = |at: usize| if shifts[at].is_weighted { shifts[at].score } else { 0.0 };
        let greatest = |worst: usize, at: usize| if weight(at) > weight(worst) { at } else { worst };
        cluster.worst = cluster.shifts.iter().copied().fold(cluster.worst, greatest);
    }
    all
}
