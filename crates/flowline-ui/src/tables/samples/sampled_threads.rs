//! Threads with samples.

use flowline_index::samples::entries::has_entries;
use flowline_profile::{Profile, ThreadId};

/// True if a thread has calls from the importer, which the event log shows with the trace events.
pub(crate) fn has_log(profile: &Profile) -> bool {
    !profile.stacks.is_empty() && profile.threads_with_ids().any(|(id, _)| has_entries(profile, id))
}

/// True if a thread has samples of any kind.
pub(crate) fn has_samples(profile: &Profile, thread: ThreadId) -> bool {
    let samples = profile.thread(thread).samples.as_ref();
    samples.is_some_and(|samples| {
        !samples.cpu.is_empty() || !samples.js_allocations.is_empty() || !samples.native_allocations.is_empty()
    })
}

/// The thread with the most non-idle samples; main threads come first.
pub(super) fn busiest(profile: &Profile) -> Option<ThreadId> {
    let idle = profile.categories.iter().position(|category| category.name == "Idle");
    let idle = idle.and_then(|at| u16::try_from(at).ok());
    let count = |thread: ThreadId| {
        let samples = profile.samples(thread)?;
        let stacks = samples.cpu.stack.iter().filter_map(|stack| profile.stacks.category.get(*stack as usize));
        Some(stacks.filter(|category| Some(**category) != idle).count())
    };
    let threads = profile.threads_with_ids().filter(|(id, _)| has_samples(profile, *id));
    let key =
        |(id, thread): &(ThreadId, &flowline_profile::Thread)| (thread.is_main, count(*id), std::cmp::Reverse(id.0));
    threads.max_by_key(key).map(|(id, _)| id)
}
