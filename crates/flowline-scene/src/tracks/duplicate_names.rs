//! Threads with duplicate names within their process, and tracks with duplicate names below one parent, which are shown with
//! their ids.

use std::collections::HashMap;

use flowline_profile::{Profile, ThreadId};

/// The threads of a process that share their name with another one.
pub(super) fn duplicate_names<'a>(
    profile: &'a Profile,
    threads: &'a [ThreadId],
) -> impl Iterator<Item = ThreadId> + 'a {
    let key = |thread: ThreadId| (profile.thread(thread).parent, profile.thread(thread).name.as_str());
    let mut counts: HashMap<(Option<ThreadId>, &str), usize> = HashMap::new();
    for thread in threads {
        *counts.entry(key(*thread)).or_default() += 1;
    }
    threads.iter().copied().filter(move |thread| counts.get(&key(*thread)) > Some(&1))
}
