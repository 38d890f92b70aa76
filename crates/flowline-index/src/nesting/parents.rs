//! The parents of all slices of a thread, computed in one pass in the order of [`super::self_times`].

use super::self_time::in_order;
use flowline_profile::{LocalMarker, Thread};

/// The parent of each marker of a thread; `None` for outermost slices and for markers that are not slices.
#[must_use]
pub fn parents(thread: &Thread) -> Vec<Option<LocalMarker>> {
    let times = thread.markers.times();
    let mut parents = vec![None; thread.markers.len()];
    let mut open: Vec<LocalMarker> = Vec::new();
    let mut current = None;
    for marker in in_order(thread, 0..thread.markers.len(), None) {
        let group = thread.groups.get(marker.index()).copied();
        if current != group {
            current = group;
            open.clear();
        }
        let end = times.end(marker.index());
        while open.pop_if(|last| times.end(last.index()) < end).is_some() {}
        parents[marker.index()] = open.last().copied();
        open.push(marker);
    }
    parents
}
