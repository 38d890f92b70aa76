//! The hierarchy of tracks: the tracks of a thread are below it, and nested tracks are below their parents.
//!
//! Threads and tracks are in the order of the hierarchy, so that those below another one are a range of ids.

use std::borrow::Cow;
use std::ops::Range;

use super::profile::Profile;
use super::thread::is_cpus_pid;
use crate::{THREAD_STATE_SUFFIX, ThreadId, TrackKind};

impl Profile {
    /// Maximum number of parents of a track.
    pub const MAX_TRACK_DEPTH: usize = 32;

    /// True for a thread of a program; false for a track, such as the instants of a process, asynchronous operations, a
    /// named track or a CPU. A thread of which only states are recorded is represented by the track with them.
    #[must_use]
    pub fn is_thread(&self, id: ThreadId) -> bool {
        let thread = self.thread(id);
        let is_cpu = || is_cpus_pid(&self.process_of(id).pid) && !thread.tid.ends_with(THREAD_STATE_SUFFIX);
        thread.kind == TrackKind::Thread && thread.parent.is_none() && !is_cpu()
    }

    /// Number of threads, without other tracks.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        (0..self.threads.len()).filter(|number| self.is_thread(ThreadId::new(*number))).count()
    }

    /// The tracks below a thread or track, at any depth.
    pub fn nested_tracks(&self, id: ThreadId) -> impl Iterator<Item = ThreadId> + Clone + use<> {
        let below: Range<u32> = id.0 + 1..id.0 + 1 + self.thread(id).nested;
        below.map(ThreadId)
    }

    /// A thread or track, and all tracks below it.
    pub fn with_nested_tracks(&self, id: ThreadId) -> impl Iterator<Item = ThreadId> + Clone + use<> {
        std::iter::once(id).chain(self.nested_tracks(id))
    }

    /// The parents of a track, from the innermost.
    pub fn track_parents(&self, id: ThreadId) -> impl Iterator<Item = ThreadId> {
        std::iter::successors(self.thread(id).parent, |parent| self.thread(*parent).parent)
    }

    /// Name of a thread or track with the names of the thread and of the tracks that it is below, such as
    /// "Main: Requests / Phases".
    #[must_use]
    pub fn long_name(&self, id: ThreadId) -> Cow<'_, str> {
        let thread = self.thread(id);
        // The name of a track with the states of a thread already begins with that of the thread.
        if thread.parent.is_none() || thread.tid.ends_with(THREAD_STATE_SUFFIX) {
            return Cow::Borrowed(thread.name.trim());
        }
        let mut names = vec![thread.name.as_str()];
        let mut owner = None;
        for parent in self.track_parents(id).map(|parent| self.thread(parent)) {
            match parent.kind {
                TrackKind::Thread => owner = Some(parent.name.as_str()),
                // Nested tracks often repeat the name of their parent.
                _ if names.last() == Some(&parent.name.as_str()) => {}
                _ => names.push(&parent.name),
            }
        }
        names.reverse();
        let names = names.join(" / ");
        match owner {
            Some(owner) => Cow::Owned(format!("{owner}: {names}")),
            None => Cow::Owned(names),
        }
    }

    /// [`Self::long_name`] with the process, such as "GeckoMain (Web Content 1234)".
    #[must_use]
    pub fn thread_title(&self, id: ThreadId) -> String {
        self.process_of(id).thread_title(&self.long_name(id))
    }

    /// True if the hierarchy is in order: parents precede the tracks below them, and belong to the same process.
    pub(super) fn has_track_order(&self) -> bool {
        // The ends of the ranges of ids below the current track's parents.
        let mut open: Vec<(ThreadId, usize)> = Vec::new();
        self.threads_with_ids().all(|(id, thread)| {
            while open.last().is_some_and(|(_, end)| *end <= id.index()) {
                open.pop();
            }
            let end = (id.index() + 1).saturating_add(thread.nested as usize);
            let parent = open.last().copied();
            let is_inside = end <= parent.map_or(self.threads.len(), |(_, end)| end);
            let is_owned = parent.is_none_or(|(parent, _)| self.thread(parent).process == thread.process);
            let is_below = thread.parent == parent.map(|(parent, _)| parent);
            open.push((id, end));
            is_inside && is_owned && is_below && open.len() <= Self::MAX_TRACK_DEPTH + 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Process, ProcessId, Thread};

    fn profile() -> Profile {
        let track = |name: &str, kind, parent: Option<u32>, nested| Thread {
            name: name.into(),
            kind,
            parent: parent.map(ThreadId),
            nested,
            process: ProcessId(0),
            ..Thread::default()
        };
        Profile {
            processes: vec![Process { pid: "7".into(), name: "app".into() }],
            threads: vec![
                track("Main", TrackKind::Thread, None, 3),
                track("Requests", TrackKind::Async, Some(0), 1),
                track("Phases", TrackKind::Async, Some(1), 0),
                Thread { tid: "7 state".into(), ..track("Main: state", TrackKind::Thread, Some(0), 0) },
                track("Lane", TrackKind::Async, None, 1),
                track("Part", TrackKind::Async, Some(4), 0),
            ],
            ..Profile::default()
        }
    }

    #[test]
    fn tracks_below_others_are_not_threads_and_have_long_names() {
        let profile = profile();
        assert!(profile.has_track_order());
        assert_eq!(profile.thread_count(), 1);
        let names: Vec<_> = profile.threads_with_ids().map(|(id, _)| profile.long_name(id).into_owned()).collect();
        let expected = ["Main", "Main: Requests", "Main: Requests / Phases", "Main: state", "Lane", "Lane / Part"];
        assert_eq!(names, expected);
        assert_eq!(profile.thread_title(ThreadId(5)), "Lane / Part (app 7)");
        let below = |id| profile.nested_tracks(ThreadId(id)).map(|id| id.0).collect::<Vec<_>>();
        assert_eq!((below(0), below(1), below(5)), (vec![1, 2, 3], vec![2], vec![]));
    }

    #[test]
    fn damaged_hierarchies_are_found() {
        for (thread, parent, nested) in
            [(0, None, 6), (0, None, 2), (1, None, 1), (1, Some(1), 1), (5, None, 0), (4, None, 9)]
        {
            let mut profile = profile();
            (profile.threads[thread].parent, profile.threads[thread].nested) = (parent.map(ThreadId), nested);
            assert!(!profile.has_track_order(), "{thread} {parent:?} {nested}");
        }
    }
}
