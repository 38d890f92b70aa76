//! The rows of an open recording without its hidden entries, built on the pool.

use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_index::hidden::{FilteredRows, FilteredRowsKey};
use flowline_profile::ThreadId;
use flowline_profile::notes::{Note, NoteKind};

/// Tracks the notes, and builds rows without the entries they hide.
pub(crate) struct HiddenRows {
    shown: Arc<FilteredRows>,
    /// The notes of the last update.
    notes: Arc<Vec<Note>>,
    /// The notes that hide entries.
    hides: Vec<Note>,
    choice: FilteredRowsKey,
    /// Number of the rows for which the selection has moved off hidden entries.
    pub(crate) left: u64,
    task: Task<(), FilteredRows>,
}

/// True if a note hides entries.
pub(crate) fn is_hide(note: &Note) -> bool {
    matches!(note.kind, NoteKind::Hidden(_) | NoteKind::HiddenAround(..))
}

impl HiddenRows {
    /// `wake` is called when rows have been built.
    pub(crate) fn new(index: &Index, wake: Wake) -> Self {
        let threads = index.profile().threads_with_ids().map(|(thread, _)| thread);
        let built: Vec<ThreadId> = threads.filter(|thread| index.charts().merged_if_built(*thread).is_some()).collect();
        let shown =
            if built.is_empty() { Arc::default() } else { Arc::new(FilteredRows::default().with_merged(index, built)) };
        let notes = Arc::default();
        Self { shown, notes, hides: Vec::new(), choice: FilteredRowsKey::default(), left: 0, task: Task::new(wake) }
    }

    /// The rows built most recently.
    pub(crate) const fn shown(&self) -> &Arc<FilteredRows> {
        &self.shown
    }

    /// Shows calls in the stacks of threads for which this has been built.
    pub(crate) fn show_merged(&mut self, index: &Index, threads: Vec<ThreadId>) {
        if threads.iter().any(|thread| !self.shown.merged_threads().contains(thread)) {
            self.shown = Arc::new(self.shown.with_merged(index, threads));
        }
    }

    /// Starts a build if notes or choice changed.
    pub(crate) fn follow(&mut self, index: &Arc<Index>, notes: &Arc<Vec<Note>>, choice: FilteredRowsKey) {
        let is_same_list = Arc::ptr_eq(&self.notes, notes);
        if is_same_list && (self.choice == choice || self.hides.is_empty()) {
            return;
        }
        let hides: Vec<Note> = notes.iter().filter(|note| is_hide(note)).cloned().collect();
        self.notes = Arc::clone(notes);
        let is_same = hides == self.hides && (self.choice == choice || hides.is_empty());
        (self.hides, self.choice) = (hides, choice);
        if !is_same {
            let (index, notes, before) = (Arc::clone(index), Arc::clone(notes), Arc::clone(&self.shown));
            self.task.replace((), move |running| {
                FilteredRows::build(&index, &notes, choice, &before, &|| running.is_wanted())
            });
        }
    }

    /// True if entries are hidden.
    pub(crate) const fn has_any(&self) -> bool {
        !self.hides.is_empty()
    }
}

impl Job for HiddenRows {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(shown) = self.task.poll_newest() {
            self.shown = Arc::new(shown.after(&self.shown));
        }
    }
}
