//! Resolves threads given on the command line.

use flowline_profile::{Profile, Thread, ThreadId};

/// Returns the thread for an argument: its number in `dump threads`, its thread id, or its name.
///
/// # Errors
/// If there is no such thread, or if several threads have the id or name.
pub(super) fn find_thread(profile: &Profile, text: &str) -> anyhow::Result<ThreadId> {
    if let Some(id) = text.parse().ok().filter(|number: &usize| *number < profile.threads.len()).map(ThreadId::new) {
        return Ok(id);
    }
    let find = |holds: &dyn Fn(&Thread) -> bool| -> Vec<ThreadId> {
        profile.threads_with_ids().filter(|(_, thread)| holds(thread)).map(|(id, _)| id).collect()
    };
    let mut found = find(&|thread| thread.tid == text);
    if found.is_empty() {
        found = find(&|thread| thread.name == text);
    }
    match found[..] {
        [thread] => Ok(thread),
        [] => anyhow::bail!("there is no thread \"{text}\"; `dump threads` lists all"),
        _ => {
            let numbers: Vec<String> = found.iter().map(|thread| thread.0.to_string()).collect();
            anyhow::bail!("\"{text}\" matches several threads; use one of the numbers {}", numbers.join(", "))
        }
    }
}
