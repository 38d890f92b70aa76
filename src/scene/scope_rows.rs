//! The markers of chosen rows. They are collected when they are first asked for, which may take long: in the background.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::SearchView;
use crate::index::Index;
use crate::index::hidden::ShownRows;
use crate::profile::{LocalMarker, ThreadId};
use crate::view::RowChoice;

/// What of a thread is in a scope, whatever its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadPart<'a> {
    /// Nothing.
    Nothing,
    /// All its markers.
    All,
    /// Some markers, in the order of their numbers, which is that of their starts.
    Some(&'a [LocalMarker]),
}

impl ThreadPart<'_> {
    /// Number of markers, of a thread that has `all`.
    #[must_use]
    pub const fn len(self, all: usize) -> usize {
        match self {
            Self::Nothing => 0,
            Self::All => all,
            Self::Some(markers) => markers.len(),
        }
    }
}

/// The chosen rows of a scope that is about rows.
pub(super) struct ScopeRows {
    index: Arc<Index>,
    shown: Arc<ShownRows>,
    choice: RowChoice,
    search: Option<Arc<SearchView>>,
    touched: BTreeSet<ThreadId>,
    /// The markers of threads of which only some rows are chosen: those of the rows that the search found.
    partial: BTreeMap<ThreadId, OnceLock<Vec<LocalMarker>>>,
}

impl fmt::Debug for ScopeRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopeRows").field("choice", &self.choice).finish_non_exhaustive()
    }
}

impl ScopeRows {
    pub(super) fn new(
        (index, shown): (&Arc<Index>, &Arc<ShownRows>),
        choice: RowChoice,
        search: Option<Arc<SearchView>>,
    ) -> Self {
        let partial = choice.rows.keys().map(|(thread, _)| *thread).filter(|thread| !choice.threads.contains(thread));
        Self {
            partial: partial.map(|thread| (thread, OnceLock::new())).collect(),
            touched: choice.touched_threads(),
            index: Arc::clone(index),
            shown: Arc::clone(shown),
            choice,
            search,
        }
    }

    /// The rows that were drawn when they were chosen, or since something was hidden.
    pub(super) fn shown(&self) -> &ShownRows {
        &self.shown
    }

    /// The rows.
    pub(super) const fn choice(&self) -> &RowChoice {
        &self.choice
    }

    /// The threads of which a row is chosen, perhaps only one of samples.
    pub(super) const fn touched(&self) -> &BTreeSet<ThreadId> {
        &self.touched
    }

    /// Whether markers of a thread are chosen.
    pub(super) fn has(&self, thread: ThreadId) -> bool {
        self.choice.threads.contains(&thread) || self.partial.contains_key(&thread)
    }

    /// The threads of which only some rows are chosen.
    pub(super) fn partial(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.partial.keys().copied()
    }

    /// Whether only some rows of a thread are chosen.
    pub(super) fn is_partial(&self, thread: ThreadId) -> bool {
        self.partial.contains_key(&thread)
    }

    /// The markers of a thread of which only some rows are chosen.
    pub(super) fn markers(&self, thread: ThreadId) -> Option<&[LocalMarker]> {
        let markers = self.partial.get(&thread)?;
        Some(markers.get_or_init(|| self.collect(thread)))
    }

    fn collect(&self, thread: ThreadId) -> Vec<LocalMarker> {
        let mut markers = Vec::new();
        let of_thread = self.choice.rows.iter().filter(|((of, _), _)| *of == thread);
        for ((_, arrangement), rows) in of_thread {
            let shown = self.shown.layout(&self.index, *arrangement, thread);
            let layout = &shown.unwrap_or_else(|| self.index.layout(*arrangement).thread(thread)).rows;
            let numbers = rows.iter().map(|row| row as usize).take_while(|row| *row < layout.len());
            numbers.for_each(|row| markers.extend(layout.row(row)));
        }
        if let Some(search) = &self.search {
            markers.retain(|marker| search.hits.contains(thread, *marker));
        }
        // Rows of two arrangements may share markers.
        markers.sort_unstable();
        markers.dedup();
        markers
    }
}
