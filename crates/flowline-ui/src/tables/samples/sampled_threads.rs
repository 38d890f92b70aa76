//! Threads with trees: of samples, or of slices and calls.

use std::cmp::Reverse;

use flowline_index::Index;
use flowline_index::samples::entries::{default_entries, has_entries, has_samples};
use flowline_profile::{Profile, Thread, ThreadId};

/// True if the tree of a thread initially has slices and calls, which the event log shows.
pub(crate) fn has_log(profile: &Profile) -> bool {
    !profile.stacks.is_empty() && profile.threads_with_ids().any(|(id, _)| default_entries(profile, &[id]).is_some())
}

/// True if a thread has a tree: of samples of any kind, or of slices and calls.
pub(crate) fn has_tree(profile: &Profile, thread: ThreadId) -> bool {
    has_samples(profile, thread) || has_entries(profile, thread)
}

/// Among the threads in scope, the one with the most non-idle samples; without samples, with the most markers. The main
/// thread of the page comes first, then other main threads.
pub(super) fn busiest(index: &Index, is_in_scope: impl Fn(ThreadId) -> bool) -> Option<ThreadId> {
    let (profile, page) = (index.profile(), index.page_process());
    let rank = |thread: &Thread| (thread.is_main && Some(thread.process) == page, thread.is_main);
    let idle = profile.categories.iter().position(|category| category.name == "Idle");
    let idle = idle.and_then(|at| u16::try_from(at).ok());
    let count = |thread: ThreadId| {
        let samples = profile.samples(thread)?;
        let stacks = samples.cpu.stack.iter().filter_map(|stack| profile.stacks.category.get(*stack as usize));
        Some(stacks.filter(|category| Some(**category) != idle).count())
    };
    let threads = profile.threads_with_ids().filter(|(id, _)| has_samples(profile, *id) && is_in_scope(*id));
    let key = |(id, thread): &(ThreadId, &Thread)| (rank(thread), count(*id), Reverse(id.0));
    let sampled = threads.max_by_key(key).map(|(id, _)| id);
    sampled.or_else(|| {
        let threads = profile.threads_with_ids().filter(|(id, _)| has_entries(profile, *id) && is_in_scope(*id));
        let key = |(id, thread): &(ThreadId, &Thread)| (rank(thread), thread.markers.len(), Reverse(id.0));
        threads.max_by_key(key).map(|(id, _)| id)
    })
}
