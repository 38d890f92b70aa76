//! The rows that `flowline bench` draws: those of the busiest threads, also if the first view folds them.

use std::cmp::Reverse;

use crate::app::Headless;
use flowline_index::Index;
use flowline_profile::ThreadId;

/// Number of threads that are expanded.
const EXPANDED: usize = 8;

/// Expands the threads with the most busy time. Returns their number.
pub(super) fn expand_busiest(window: &mut Headless, index: &Index) -> usize {
    let Some(session) = window.shell.session_mut() else { return 0 };
    let profile = index.profile();
    let mut threads: Vec<ThreadId> =
        profile.threads_with_ids().filter(|(_, thread)| !thread.markers.is_empty()).map(|(id, _)| id).collect();
    threads.sort_by_key(|thread| (Reverse(index.rank().thread(*thread)), *thread));
    threads.truncate(EXPANDED);
    session.view.edit_tracks(|tracks| threads.iter().for_each(|thread| tracks.reveal(profile, *thread)));
    session.refresh_and_wait();
    window.settle();
    threads.len()
}
