//! Threads with trees: of samples, or of slices and calls.

use flowline_index::samples::entries::{default_entries, has_entries, has_samples};
use flowline_profile::{Profile, ThreadId};

/// True if the tree of a thread initially has slices and calls, which the event log shows.
pub(crate) fn has_log(profile: &Profile) -> bool {
    !profile.stacks.is_empty() && profile.threads_with_ids().any(|(id, _)| default_entries(profile, &[id]).is_some())
}

/// True if a thread has a tree: of samples of any kind, or of slices and calls.
pub(crate) fn has_tree(profile: &Profile, thread: ThreadId) -> bool {
    has_samples(profile, thread) || has_entries(profile, thread)
}

/// Among the threads in scope, the one with the most non-idle samples; without samples, with the most markers. Main threads come first.
pub(super) fn busiest(profile: &Profile, is_in_scope: impl Fn(ThreadId) -> bool) -> Option<ThreadId> {
    let idle = profile.categories.iter().position(|category| category.name == "Idle");
    let idle = idle.and_then(|at| u16::try_from(at).ok());
    let count = |thread: ThreadId| {
        let samples = profile.samples(thread)?;
        let stacks = samples.cpu.stack.iter().filter_map(|stack| profile.stacks.category.get(*stack as usize));
        Some(stacks.filter(|category| Some(**category) != idle).count())
    };
    let threads = profile.threads_with_ids().filter(|(id, _)| has_samples(profile, *id) && is_in_scope(*id));
    let key =
        |(id, thread): &(ThreadId, &flowline_profile::Thread)| (thread.is_main, count(*id), std::cmp::Reverse(id.0));
    let sampled = threads.max_by_key(key).map(|(id, _)| id);
    sampled.or_else(|| {
        let threads = profile.threads_with_ids().filter(|(id, _)| has_entries(profile, *id) && is_in_scope(*id));
        let key = |(id, thread): &(ThreadId, &flowline_profile::Thread)| {
            (thread.is_main, thread.markers.len(), std::cmp::Reverse(id.0))
        };
        threads.max_by_key(key).map(|(id, _)| id)
    })
}
