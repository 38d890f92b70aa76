//! Track visibility: shown, collapsed and hidden tracks as plain sets. Absence from a set is the default.

use std::collections::{BTreeMap, BTreeSet};

use super::query_track::QueryTrack;
use super::selected_tab::SelectedTab;
use super::track_id::TrackId;
use super::track_order::TrackOrder;
use flowline_profile::{Arrangement, CounterId, GroupKind, ProcessId, Profile, ThreadId};

/// The state of all tracks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracks {
    /// Collapsed processes.
    pub collapsed: BTreeSet<ProcessId>,
    /// Threads that show all rows; others show one summary row.
    pub expanded: BTreeSet<ThreadId>,
    /// Hidden threads.
    pub hidden: BTreeSet<ThreadId>,
    /// Processes that also list their idle threads.
    pub show_empty: BTreeSet<ProcessId>,
    /// Threads of which the group of threads with the same name but for a number is unfolded. One of a group is enough.
    pub open_groups: BTreeSet<ThreadId>,
    /// Threads that are listed although their group is folded. Expanded threads are listed, too.
    pub shown_members: BTreeSet<ThreadId>,
    /// True if items are as low as their texts allow.
    pub compact: bool,
    /// Threads that have been expanded before in each arrangement. The groups with very many rows of other threads are collapsed when the thread
    /// is first expanded.
    pub opened: BTreeMap<Arrangement, BTreeSet<ThreadId>>,
    /// Row groups that are collapsed into one row.
    pub collapsed_groups: BTreeSet<(ThreadId, GroupKind)>,
    /// Threads that list all their row groups; others list only the busiest if there are very many.
    pub all_groups: BTreeSet<ThreadId>,
    /// True if rows that are empty in the view are hidden.
    pub hide_empty_rows: bool,
    /// Flow tracks that show all rows, by number; others show one summary row.
    pub flow_tracks: BTreeSet<u32>,
    /// Processes that show their counters; `None` is for the counters without a process.
    pub counters: BTreeSet<Option<ProcessId>>,
    /// Counters that are listed although the others of their process are not.
    pub shown_counters: BTreeSet<CounterId>,
    /// Tracks of registered kinds that are expanded although they are initially collapsed, or the other way around.
    pub toggled: BTreeSet<TrackId>,
    /// Tracks of queries, from top to bottom.
    pub queries: Vec<QueryTrack>,
    /// Threads whose stack charts show all rows.
    pub stack_charts: BTreeSet<ThreadId>,
    /// The order of threads and processes, and the pinned threads.
    pub order: TrackOrder,
    /// The tab to which the window is restricted; `None` for the whole browser.
    pub tab: Option<SelectedTab>,
    /// True if markers are shown that their schema excludes from the chart or the table.
    pub all_markers: bool,
    revision: u64,
    hidden_revision: u64,
}

impl Tracks {
    /// Counter of changes, for invalidating derived data.
    #[must_use]
    #[inline]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Counter of changes of the hidden threads.
    #[must_use]
    #[inline]
    pub const fn hidden_revision(&self) -> u64 {
        self.hidden_revision
    }

    /// Applies a change.
    pub fn change(&mut self, change: impl FnOnce(&mut Self)) {
        let hidden = self.hidden.clone();
        change(self);
        self.revision += 1;
        self.hidden_revision += u64::from(self.hidden != hidden);
    }

    /// Restores an earlier state.
    #[inline]
    pub fn restore(&mut self, before: &Self) {
        let Self { revision, hidden_revision, .. } = *self;
        *self = Self { revision, hidden_revision, ..before.clone() };
    }

    /// True if both states show the same.
    #[must_use]
    #[inline]
    pub fn is_same(&self, other: &Self) -> bool {
        let (revision, hidden_revision) = (self.revision, self.hidden_revision);
        Self { revision, hidden_revision, ..other.clone() } == *self
    }

    /// True if a thread's rows are shown. The tracks below a hidden thread are listed in its place.
    #[must_use]
    #[inline]
    pub fn shows(&self, profile: &Profile, thread: ThreadId) -> bool {
        let process = profile.thread(thread).process;
        let is_open = |parent: ThreadId| self.hidden.contains(&parent) || self.expanded.contains(&parent);
        !self.hidden.contains(&thread)
            && !self.collapsed.contains(&process)
            && self.expanded.contains(&thread)
            && profile.track_parents(thread).all(is_open)
    }

    /// Expands a row group of a thread.
    #[inline]
    pub fn reveal_group(&mut self, thread: ThreadId, group: GroupKind, is_listed: bool) {
        self.collapsed_groups.remove(&(thread, group));
        if !is_listed {
            self.all_groups.insert(thread);
        }
    }

    /// Shows the rows of a thread or track.
    #[inline]
    pub fn reveal(&mut self, profile: &Profile, thread: ThreadId) {
        self.hidden.remove(&thread);
        self.collapsed.remove(&profile.thread(thread).process);
        self.expanded.insert(thread);
        self.expanded.extend(profile.track_parents(thread));
        // The thread stays listed when it is collapsed again.
        self.open_groups.insert(thread);
    }
}

impl Tracks {
    /// True if a thread is listed although its group is folded.
    #[must_use]
    #[inline]
    pub fn is_shown_member(&self, thread: ThreadId) -> bool {
        self.shown_members.contains(&thread) || self.expanded.contains(&thread)
    }

    /// True if the idle threads of all processes are listed.
    #[must_use]
    pub fn shows_idle(&self, profile: &Profile) -> bool {
        let mut processes = (0..profile.processes.len()).map(ProcessId::new);
        !self.show_empty.is_empty() && processes.all(|process| self.show_empty.contains(&process))
    }
}

/// Adds an item, or removes it if the set contains it.
pub(crate) fn toggle<T: Ord>(set: &mut BTreeSet<T>, item: T) {
    if !set.remove(&item) {
        set.insert(item);
    }
}
