//! Threads with the tracks below them, in the list of the chart.
//!
//! The tracks below a collapsed thread are not listed; its heading counts as all of them. Those below a thread that is
//! hidden are listed in its place.

use flowline_profile::{Profile, ThreadId};

/// A thread and the tracks below it, in their order.
pub(super) type ThreadTree<'a> = &'a [ThreadId];

/// Splits threads in the order of the hierarchy into trees.
pub(super) fn trees<'a>(profile: &'a Profile, threads: &'a [ThreadId]) -> impl Iterator<Item = ThreadTree<'a>> {
    let mut rest = threads;
    std::iter::from_fn(move || {
        let root = rest.first()?;
        let (own, others) = rest.split_at((profile.thread(*root).nested as usize + 1).min(rest.len()));
        rest = others;
        Some(own)
    })
}

/// Appends the tracks of trees to list, from top to bottom. `is_listed` returns false for threads that are not listed
/// themselves, and `is_open` whether the tracks below a listed thread are listed.
pub(super) fn listed(
    profile: &Profile,
    threads: ThreadTree<'_>,
    is_listed: &impl Fn(ThreadId) -> bool,
    is_open: &impl Fn(ThreadId) -> bool,
    list: &mut Vec<ThreadId>,
) {
    for tree in trees(profile, threads) {
        let Some((root, below)) = tree.split_first() else { return };
        // The heading of a thread is also listed for the tracks below it.
        let is_shown = is_listed(*root);
        list.extend(is_shown.then_some(*root));
        if !is_shown || is_open(*root) {
            listed(profile, below, is_listed, is_open, list);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::Thread;

    #[test]
    fn tracks_below_collapsed_threads_are_not_listed() {
        let nested = [3, 1, 0, 0, 0];
        let threads = nested.into_iter().map(|nested| Thread { nested, ..Thread::default() }).collect();
        let profile = Profile { threads, ..Profile::default() };
        let all: Vec<ThreadId> = (0..5).map(ThreadId).collect();
        let shown = |hidden: &[u32], open: &[u32]| {
            let mut list = Vec::new();
            let (is_listed, is_open) = (|id: ThreadId| !hidden.contains(&id.0), |id: ThreadId| open.contains(&id.0));
            listed(&profile, &all, &is_listed, &is_open, &mut list);
            list.into_iter().map(|id| id.0).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[], &[]), [0, 4]);
        assert_eq!(shown(&[], &[0]), [0, 1, 3, 4]);
        assert_eq!(shown(&[], &[0, 1]), [0, 1, 2, 3, 4]);
        assert_eq!(shown(&[0], &[]), [1, 3, 4], "in place of the hidden thread");
        assert_eq!(shown(&[3, 4], &[0]), [0, 1]);
    }
}
