//! Threads whose names repeat within their process: they show their ids, too.

use std::collections::HashMap;

use flowline_profile::{Profile, ThreadId};

/// Those of the threads of a process that have the name of another one.
pub(super) fn namesakes<'a>(profile: &'a Profile, threads: &'a [ThreadId]) -> impl Iterator<Item = ThreadId> + 'a {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for thread in threads {
        *counts.entry(profile.thread(*thread).name.as_str()).or_default() += 1;
    }
    threads.iter().copied().filter(move |thread| counts.get(profile.thread(*thread).name.as_str()) > Some(&1))
}
