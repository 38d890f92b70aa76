//! The rows of collapsed groups.

use crate::layout::filters::SearchView;
use flowline_index::{Group, Index, ThreadLayout};
use flowline_profile::ThreadId;

/// The rows of a collapsed group.
#[derive(Debug)]
pub(crate) struct CollapsedGroupRows {
    /// Long intervals, and all other markers.
    pub(crate) all: ThreadLayout,
    /// The rows of the search hits, with the number of the search.
    pub(crate) hits: Option<(u64, ThreadLayout)>,
    /// [`FilteredRows::version`](flowline_index::hidden::FilteredRows::version) of the thread.
    pub(crate) version: u64,
}

impl CollapsedGroupRows {
    /// Builds the rows of a group.
    pub(crate) fn build(
        index: &Index,
        thread: ThreadId,
        (layout, version): (&ThreadLayout, u64),
        group: &Group,
        search: Option<&SearchView>,
    ) -> Self {
        let markers = layout.rows.markers_in(group);
        let hits = search.map(|search| {
            let found: Vec<_> =
                markers.iter().copied().filter(|marker| search.hits.contains(thread, *marker)).collect();
            (search.number, index.summary_of(thread, &found))
        });
        Self { all: index.summary_of(thread, &markers), hits, version }
    }
}
