//! Threads with duplicate names within their process, which are shown with their ids.

use std::collections::HashMap;

use flowline_profile::{Profile, ThreadId};

/// The threads of a process that share their name with another one.
pub(super) fn duplicate_names<'a>(
    profile: &'a Profile,
    threads: &'a [ThreadId],
) -> impl Iterator<Item = ThreadId> + 'a {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for thread in threads {
        *counts.entry(profile.thread(*thread).name.as_str()).or_default() += 1;
    }
    threads.iter().copied().filter(move |thread| counts.get(profile.thread(*thread).name.as_str()) > Some(&1))
}
