//! The calls in the stack of a thread, as listed: rows without markers may contain calls.

use crate::layout::{InViewFilter, SearchView};
use flowline_index::hidden::FilteredRows;
use flowline_index::samples::{MergedRows, StackChart};
use flowline_index::{GroupKind, Index};
use flowline_profile::ThreadId;
use flowline_view::Arrangement;

/// The calls in the stack of a thread.
#[derive(Clone, Copy)]
pub(crate) struct StackCalls<'a> {
    index: &'a Index,
    calls: Option<&'a StackChart>,
    /// True if the stack has calls that are not built yet, or not in these colors.
    pub(crate) is_missing: bool,
    has_hits: bool,
}

impl<'a> StackCalls<'a> {
    /// The calls of an expanded thread.
    pub(crate) fn new(
        (index, shown): (&'a Index, &'a FilteredRows),
        arrangement: Arrangement,
        search: Option<&SearchView>,
        thread: ThreadId,
    ) -> Self {
        let is_stack = arrangement == Arrangement::Stack;
        let calls = shown.merged(index, thread).map(|merged| &merged.calls).filter(|_| is_stack);
        let is_missing = is_stack && calls.is_none() && MergedRows::functions(index.profile(), thread).is_some();
        let hits = search.and_then(|search| search.merged.rows(thread)).filter(|_| calls.is_some());
        let has_hits = hits.is_some_and(|(_, rows, _)| (0..rows.len()).any(|row| !rows.row(row).is_empty()));
        Self { index, calls, is_missing, has_hits }
    }

    /// True if calls of the stack match the search.
    pub(crate) const fn has_hits(self) -> bool {
        self.has_hits
    }

    /// True if a group is a stack with calls.
    pub(crate) fn are_in(self, group: GroupKind) -> bool {
        self.calls.is_some() && group == GroupKind::Stack
    }

    /// True if a row has a call in view.
    pub(crate) fn shows(self, row: usize, view: InViewFilter) -> bool {
        let calls = self.calls.filter(|calls| row < calls.rows().len());
        calls.is_some_and(|calls| calls.shows(self.index.profile(), row, view.range))
    }
}
