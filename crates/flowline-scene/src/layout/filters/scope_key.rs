//! The key of a scope, and what is counted in the background for a scope.

use std::collections::BTreeMap;

use super::track_counts::TrackCounts;
use flowline_index::{Activity, ThreadTimes};
use flowline_profile::ThreadId;

/// Identifies the markers of a scope; results for another key are stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScopeKey {
    pub(super) range: Option<(i64, i64)>,
    pub(super) hidden: u64,
    /// Revisions of the thread selection and of the row selection if they have an effect, else 0.
    pub(super) selected_threads: u64,
    pub(super) rows: u64,
    /// Revision of the hidden entries, if rows are selected.
    pub(super) shown: u64,
    /// Number of kinds of tracks whose data has been derived, if rows of such tracks are selected.
    pub(super) derived: usize,
    pub(super) search: Option<u64>,
}

impl ScopeKey {
    /// The key of the same tracks and search without a range.
    #[must_use]
    pub fn without_range(&self) -> Self {
        Self { range: None, ..*self }
    }

    /// True if a range restricts the scope.
    #[must_use]
    pub const fn has_range(&self) -> bool {
        self.range.is_some()
    }
}

/// Number of markers of each thread that are in the range of a scope and match its search, hidden or not. Counting
/// takes too long for a frame, so it runs in the background.
#[derive(Clone, Debug, Default)]
pub struct ScopeCounts {
    /// Key of the counted scope: [`super::Scope::with_all_threads`].
    pub key: ScopeKey,
    /// Number of markers by thread, for any selected rows.
    pub by_thread: Vec<usize>,
    /// Number of markers on the selected rows, for threads with only some rows selected.
    pub by_rows: BTreeMap<ThreadId, usize>,
    /// Counts of other tracks in the range.
    pub tracks: Option<TrackCounts>,
    /// Times of threads in the committed range.
    pub times: Option<ThreadTimes>,
}

/// The activity in the committed range of a scope, also counted in the background.
#[derive(Clone, Debug)]
pub struct ScopeActivity {
    /// Key of the counted scope: [`super::Scope::without_selection`].
    pub key: ScopeKey,
    /// The activity; its range is the committed one, or the whole recording.
    pub activity: Activity,
}
