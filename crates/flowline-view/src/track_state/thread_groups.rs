//! Groups of threads of a process whose names differ only by a number, such as the workers of a pool.

use flowline_profile::{Profile, ThreadId, TrackKind};

/// Name of a thread without a number at its end and the characters that separate it, such as "StyleThread" of
/// "StyleThread#2".
#[must_use]
pub fn name_without_number(name: &str) -> &str {
    let is_separator = |letter: char| " #-_/:.(".contains(letter);
    let end = name.strip_suffix(')').unwrap_or(name);
    let stem = end.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let trimmed = stem.trim_end_matches(is_separator);
    if stem.len() == end.len() || trimmed.is_empty() { name } else { trimmed }
}

/// True if a thread can be part of a group: a thread of its own that is not the main thread.
#[must_use]
pub fn can_be_grouped(profile: &Profile, thread: ThreadId) -> bool {
    let data = profile.thread(thread);
    data.kind == TrackKind::Thread && data.parent.is_none() && !data.is_main && !data.name.is_empty()
}

/// The threads of the group of a thread.
pub(super) fn same_group(profile: &Profile, thread: ThreadId) -> impl Iterator<Item = ThreadId> {
    let (process, name) = (profile.thread(thread).process, name_without_number(&profile.thread(thread).name));
    let is_same = move |id: &ThreadId| {
        let other = profile.thread(*id);
        other.process == process && name_without_number(&other.name) == name && can_be_grouped(profile, *id)
    };
    profile.threads_with_ids().map(|(id, _)| id).filter(is_same)
}

#[cfg(test)]
mod tests {
    use super::name_without_number;

    #[test]
    fn numbers_at_the_end_are_cut_with_their_separators() {
        let cases = [
            ("StyleThread#2", "StyleThread"),
            ("CompositorTileWorker1", "CompositorTileWorker"),
            ("ThreadPool Worker 27561", "ThreadPool Worker"),
            ("worker (12)", "worker"),
            ("Renderer", "Renderer"),
            ("Thread (main)", "Thread (main)"),
            ("42", "42"),
            ("v8:1/2", "v8:1"),
        ];
        for (name, expected) in cases {
            assert_eq!(name_without_number(name), expected, "{name}");
        }
    }
}
