//! Threads to expand, where they are listed, and whether they fit.

use std::collections::{BTreeMap, HashMap};

use flowline_profile::ThreadId;
use flowline_scene::{ItemKind, ROW_HEIGHT, THREAD_HEIGHT, TrackList};

/// A thread to expand, with positions in points.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) thread: ThreadId,
    /// Top of its heading, or of the place where it is listed, while all threads are collapsed.
    pub(super) top: f64,
    /// Height of what is added when it is expanded.
    pub(super) rows: f64,
    /// The first thread of its group.
    pub(super) group: Option<ThreadId>,
}

/// Where threads are listed while all of them are collapsed.
#[derive(Default)]
pub(super) struct Places {
    pub(super) headings: HashMap<ThreadId, f64>,
    /// Place below the heading of their group, and the group.
    pub(super) members: HashMap<ThreadId, (f64, ThreadId)>,
}

impl Places {
    pub(super) fn of(list: &TrackList) -> Self {
        let mut places = Self::default();
        for item in list.items() {
            match item.kind {
                ItemKind::Thread(heading) => drop(places.headings.insert(heading.thread, item.y)),
                ItemKind::ThreadGroup(group) => {
                    let members = list.threads_of_group(group.first);
                    // Members have the order of the list, so each place is a little further down.
                    let step = item.height / f64::from(u32::try_from(members.len()).unwrap_or(u32::MAX)).max(1.0) / 2.0;
                    for (number, thread) in (1_u32..).zip(members) {
                        let top = item.y + step * f64::from(number);
                        places.members.insert(*thread, (top, group.first));
                    }
                }
                _ => {}
            }
        }
        places
    }
}

/// True if all rows of a thread and of the selected threads remain on screen if the thread is expanded as well.
pub(super) fn fits(chosen: &[Candidate], candidate: Candidate, height: f64) -> bool {
    let all = || chosen.iter().chain([&candidate]);
    // A group of which some threads are listed has a line for the others.
    let mut more: BTreeMap<ThreadId, f64> = BTreeMap::new();
    for of in all() {
        more.extend(of.group.map(|group| (group, of.top)));
    }
    let bottom = |of: &Candidate| {
        let above: f64 = all().filter(|other| other.top < of.top).map(|other| other.rows).sum();
        let lines = more.values().filter(|top| **top < of.top).count();
        of.top + above + f64::from(u32::try_from(lines).unwrap_or(u32::MAX)) * ROW_HEIGHT + THREAD_HEIGHT + of.rows
    };
    all().filter(|of| of.top < height).all(|of| bottom(of) <= height)
}
