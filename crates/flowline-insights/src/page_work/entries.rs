//! The events and calls of the main threads of a page, nested as Chrome DevTools shows them.

use rayon::prelude::*;

use super::main_threads::main_threads;
use crate::page::Page;
use flowline_index::samples::Grouping;
use flowline_index::samples::entries::{EntryList, EntrySet};
use flowline_index::{Derived, Index};
use flowline_profile::ThreadId;

/// The entries of each main thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageEntries(Vec<(ThreadId, EntryList)>);

impl PageEntries {
    /// The entries by thread.
    pub(crate) fn all(&self) -> &[(ThreadId, EntryList)] {
        &self.0
    }

    /// The entries of a thread.
    pub(crate) fn of_thread(&self, thread: ThreadId) -> Option<&EntryList> {
        self.0.iter().find(|(own, _)| *own == thread).map(|(_, list)| list)
    }
}

impl Derived for PageEntries {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let entries = |id: ThreadId| (id, EntryList::new(profile, &[id], EntrySet::Shown, Grouping::None));
        Self(main_threads(profile, Page::of(index)).into_par_iter().map(entries).collect())
    }
}
