//! Track selection: rows selected with a box, and threads filtered in the label column.
//!
//! Rows are identified by thread, arrangement and number, so scrolling, collapsing and searching do not change them. A
//! collapsed item counts as everything inside it: a box over a collapsed thread selects the whole thread, and a box
//! over a collapsed group selects all rows of the group. Rows of tracks of registered kinds have contents from several
//! threads; the scope finds their markers.

use std::collections::{BTreeMap, BTreeSet};

use super::row_set::RowSet;
use super::track_id::TrackId;
use flowline_profile::{Arrangement, CounterId, ThreadId};

/// A set of rows of the chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSelection {
    /// Threads with all their markers.
    pub threads: BTreeSet<ThreadId>,
    /// Rows of markers, by thread and arrangement.
    pub rows: BTreeMap<(ThreadId, Arrangement), RowSet>,
    /// Threads with their samples: their activity, or a row of their stack charts.
    pub samples: BTreeSet<ThreadId>,
    /// Counters.
    pub counters: BTreeSet<CounterId>,
    /// Rows of tracks of registered kinds.
    pub tracks: BTreeMap<TrackId, RowSet>,
}

impl RowSelection {
    /// True if no rows are selected.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
            && self.rows.is_empty()
            && self.samples.is_empty()
            && self.counters.is_empty()
            && self.tracks.is_empty()
    }

    /// Threads that are selected as a whole, or of which marker rows or samples are selected.
    #[must_use]
    #[inline]
    pub fn touched_threads(&self) -> BTreeSet<ThreadId> {
        let rows = self.rows.keys().map(|(thread, _)| *thread);
        self.threads.iter().chain(&self.samples).copied().chain(rows).collect()
    }

    /// Adds rows of a thread.
    #[inline]
    pub fn add_rows(&mut self, thread: ThreadId, arrangement: Arrangement, rows: std::ops::Range<u32>) {
        if !rows.is_empty() {
            self.rows.entry((thread, arrangement)).or_default().insert(rows);
        }
    }

    /// Adds rows of a track of a registered kind.
    #[inline]
    pub fn add_track_rows(&mut self, track: TrackId, rows: std::ops::Range<u32>) {
        if !rows.is_empty() {
            self.tracks.entry(track).or_default().insert(rows);
        }
    }

    /// Adds everything in another set.
    pub fn add(&mut self, other: &Self) {
        self.threads.extend(&other.threads);
        self.samples.extend(&other.samples);
        self.counters.extend(&other.counters);
        add_all(&mut self.rows, &other.rows);
        add_all(&mut self.tracks, &other.tracks);
    }

    /// True if the set contains every row of another set. A whole thread is not the same as all of its rows.
    #[must_use]
    pub fn has_all(&self, other: &Self) -> bool {
        self.threads.is_superset(&other.threads)
            && self.samples.is_superset(&other.samples)
            && self.counters.is_superset(&other.counters)
            && contains_all(&self.rows, &other.rows)
            && contains_all(&self.tracks, &other.tracks)
    }

    /// Removes everything in another set.
    pub fn remove(&mut self, other: &Self) {
        self.threads.retain(|thread| !other.threads.contains(thread));
        self.samples.retain(|thread| !other.samples.contains(thread));
        self.counters.retain(|counter| !other.counters.contains(counter));
        remove_all(&mut self.rows, &other.rows);
        remove_all(&mut self.tracks, &other.tracks);
    }

    /// Removes everything that belongs to hidden threads.
    #[inline]
    pub fn remove_threads(&mut self, hidden: &BTreeSet<ThreadId>) {
        self.threads.retain(|thread| !hidden.contains(thread));
        self.samples.retain(|thread| !hidden.contains(thread));
        self.rows.retain(|(thread, _), _| !hidden.contains(thread));
    }
}

fn add_all<K: Ord + Copy>(to: &mut BTreeMap<K, RowSet>, other: &BTreeMap<K, RowSet>) {
    for (key, rows) in other {
        let own = to.entry(*key).or_default();
        rows.ranges().iter().for_each(|range| own.insert(range.clone()));
    }
}

fn contains_all<K: Ord>(rows: &BTreeMap<K, RowSet>, other: &BTreeMap<K, RowSet>) -> bool {
    other.iter().all(|(key, other)| rows.get(key).is_some_and(|own| own.contains_all(other)))
}

fn remove_all<K: Ord>(from: &mut BTreeMap<K, RowSet>, other: &BTreeMap<K, RowSet>) {
    for (key, rows) in other {
        if let Some(own) = from.get_mut(key) {
            rows.ranges().iter().for_each(|range| own.remove(range));
        }
    }
    from.retain(|_, rows| !rows.is_empty());
}

/// The selected rows and filtered threads. Rows take precedence over threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrackSelection {
    /// Rows selected with a box or added with the keyboard.
    pub rows: RowSelection,
    /// Threads filtered in the label column.
    pub threads: BTreeSet<ThreadId>,
    /// The thread that was added last: the start of a Shift range.
    pub anchor: Option<ThreadId>,
    revision: u64,
}

impl TrackSelection {
    /// Counter of changes, for invalidating derived data.
    #[must_use]
    #[inline]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// True if nothing is selected, which means no restriction.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.threads.is_empty()
    }

    /// Restores a saved state.
    #[inline]
    pub fn restore(&mut self, rows: RowSelection, threads: BTreeSet<ThreadId>, anchor: Option<ThreadId>) {
        (self.rows, self.threads, self.anchor) = (rows, threads, anchor);
        self.revision += 1;
    }

    /// Replaces the selected rows.
    pub(crate) fn set_rows(&mut self, rows: RowSelection) {
        if self.rows != rows {
            self.rows = rows;
            self.revision += 1;
        }
    }

    /// Adds rows, or removes them if all of them are selected.
    pub(crate) fn toggle_rows(&mut self, rows: &RowSelection) {
        if rows.is_empty() {
            return;
        }
        if self.rows.has_all(rows) {
            self.rows.remove(rows);
        } else {
            self.rows.add(rows);
        }
        self.revision += 1;
    }

    /// Adds threads to the filter, or removes them if all of them are in it. The last one becomes the anchor.
    pub(crate) fn toggle_threads(&mut self, threads: &[ThreadId]) {
        let Some(last) = threads.last() else { return };
        if threads.iter().all(|thread| self.threads.contains(thread)) {
            self.threads.retain(|thread| !threads.contains(thread));
        } else {
            self.threads.extend(threads);
        }
        self.anchor = Some(*last);
        self.revision += 1;
    }

    /// Filters by exactly these threads.
    pub(crate) fn set_threads(&mut self, threads: BTreeSet<ThreadId>) {
        if self.threads != threads {
            self.threads = threads;
            self.revision += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(thread: u32, arrangement: Arrangement, rows: std::ops::Range<u32>) -> RowSelection {
        let mut choice = RowSelection::default();
        choice.add_rows(ThreadId(thread), arrangement, rows);
        choice
    }

    #[test]
    fn adding_and_removing_rows_changes_the_revision() {
        let mut chosen = TrackSelection::default();
        let (first, second) = (rows(0, Arrangement::ByName, 2..5), rows(0, Arrangement::Stack, 2..3));
        chosen.toggle_rows(&first);
        chosen.toggle_rows(&second);
        assert_eq!((chosen.rows.rows.len(), chosen.revision()), (2, 2), "rows of another arrangement are other rows");
        chosen.toggle_rows(&rows(0, Arrangement::ByName, 4..7));
        let ranges = chosen.rows.rows[&(ThreadId(0), Arrangement::ByName)].ranges();
        assert_eq!((ranges.len(), ranges.first()), (1, Some(&(2..7))), "some were not selected yet");
        chosen.toggle_rows(&rows(0, Arrangement::ByName, 2..7));
        chosen.toggle_rows(&second);
        assert!(chosen.is_empty() && chosen.revision() == 5);
        chosen.toggle_rows(&RowSelection::default());
        chosen.set_rows(RowSelection::default());
        assert_eq!(chosen.revision(), 5, "nothing changed");
    }

    #[test]
    fn rows_of_tracks_are_added_and_removed() {
        let track = |number, rows| {
            let mut choice = RowSelection::default();
            choice.add_track_rows(TrackId::new("network", number), rows);
            choice
        };
        let mut chosen = TrackSelection::default();
        chosen.toggle_rows(&track(0, 0..3));
        chosen.toggle_rows(&track(1, 2..3));
        assert!(chosen.rows.has_all(&track(0, 1..2)) && !chosen.rows.has_all(&track(1, 1..3)));
        assert!(chosen.rows.touched_threads().is_empty(), "their threads are not known here");
        chosen.toggle_rows(&track(0, 0..3));
        chosen.toggle_rows(&track(1, 2..3));
        assert!(chosen.is_empty());
        chosen.toggle_rows(&track(0, 4..4));
        assert!(chosen.is_empty(), "no rows");
    }

    #[test]
    fn toggling_threads_adds_and_removes_them() {
        let mut chosen = TrackSelection::default();
        chosen.toggle_threads(&[ThreadId(4)]);
        chosen.toggle_threads(&[ThreadId(1), ThreadId(4)]);
        assert_eq!(chosen.threads, BTreeSet::from([ThreadId(1), ThreadId(4)]), "one was not in the filter yet");
        chosen.toggle_threads(&[ThreadId(1)]);
        assert_eq!((chosen.threads.len(), chosen.anchor), (1, Some(ThreadId(1))));
        chosen.set_threads(BTreeSet::new());
        assert!(chosen.is_empty());
    }

    #[test]
    fn a_whole_thread_differs_from_its_rows() {
        let mut whole = RowSelection { threads: BTreeSet::from([ThreadId(0)]), ..RowSelection::default() };
        let part = rows(0, Arrangement::ByName, 0..3);
        assert!(!whole.has_all(&part) && !part.has_all(&whole));
        whole.add(&part);
        assert!(whole.has_all(&part) && whole.touched_threads().len() == 1);
        whole.remove_threads(&BTreeSet::from([ThreadId(0)]));
        assert!(whole.is_empty());
    }
}
