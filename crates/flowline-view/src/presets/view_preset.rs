//! The preset that a view amounts to.

use std::collections::BTreeSet;

use super::preset::{Preset, PresetThreads};
use super::preset_format::PresetFormat;
use super::thread_pattern::names_of;
use crate::ViewState;
use flowline_profile::ThreadId;

impl ViewState {
    /// A preset with the search and the hidden threads of the view. Whichever are fewer are listed, the visible threads or the
    /// hidden ones: other recordings have other threads, which are hidden in the first case and visible in the second.
    #[must_use]
    pub fn to_preset(&self, name: &str) -> Preset {
        let (profile, hidden) = (&self.profile, &self.tracks.hidden);
        let count = profile.threads.len();
        let visible: BTreeSet<ThreadId> = (0..count).map(ThreadId::new).filter(|id| !hidden.contains(id)).collect();
        let threads = if hidden.is_empty() {
            PresetThreads::All
        } else if visible.len() < hidden.len() {
            PresetThreads::Only(names_of(profile, visible.iter().copied(), hidden))
        } else {
            PresetThreads::AllBut(names_of(profile, hidden.iter().copied(), &visible))
        };
        let format = PresetFormat::of(profile.meta.kind);
        Preset { format, name: name.to_owned(), search: self.search.clone(), threads }
    }

    /// True if the view has the search and the threads of a preset.
    #[must_use]
    pub fn shows_preset(&self, preset: &Preset) -> bool {
        let (profile, hidden) = (&self.profile, &self.tracks.hidden);
        if preset.search != self.search || (preset.threads == PresetThreads::All) != hidden.is_empty() {
            return false;
        }
        let hides = preset.hides(profile);
        (0..profile.threads.len()).map(ThreadId::new).all(|thread| hides(&thread) == hidden.contains(&thread))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Command;
    use crate::presets::ThreadPattern;
    use flowline_profile::{Ns, Process, ProcessId, Profile, Thread, TimeRange};

    /// The view of a recording with threads of the named processes.
    fn view_of_threads(names: &[(&str, &str)]) -> ViewState {
        let mut processes: Vec<&str> = names.iter().map(|(process, _)| *process).collect();
        processes.dedup();
        let thread = |(process, name): &(&str, &str)| {
            let process = processes.iter().position(|other| other == process).expect("a process");
            Thread { process: ProcessId::new(process), name: (*name).into(), ..Thread::default() }
        };
        let process = |name: &&str| Process { name: (*name).into(), ..Process::default() };
        let profile = Profile {
            threads: names.iter().map(thread).collect(),
            processes: processes.iter().map(process).collect(),
            ..Profile::default()
        };
        ViewState::new(Arc::new(profile), TimeRange::new(Ns(0), Ns(1000)), 500.0)
    }

    fn name(process: &str, thread: &str) -> ThreadPattern {
        ThreadPattern { process: process.to_owned(), thread: thread.to_owned() }
    }

    const BROWSER: [(&str, &str); 6] = [
        ("parent", "GeckoMain"),
        ("parent", "StyleThread#0"),
        ("parent", "StyleThread#1"),
        ("tab", "GeckoMain"),
        ("tab", "StyleThread#0"),
        ("tab", "DOM Worker"),
    ];

    #[test]
    fn the_shorter_list_is_stored_and_pools_are_one_name() {
        let mut view = view_of_threads(&BROWSER);
        view.apply(Command::Search("Paint".to_owned()));
        let preset = view.to_preset("all");
        assert_eq!((preset.search.as_str(), &preset.threads), ("Paint", &PresetThreads::All));
        for thread in [1, 2] {
            view.apply(Command::HideThread(ThreadId(thread)));
        }
        let preset = view.to_preset("no style");
        assert_eq!(preset.threads, PresetThreads::AllBut(vec![name("parent", "StyleThread#*")]));
        for thread in [0, 5] {
            view.apply(Command::HideThread(ThreadId(thread)));
        }
        let preset = view.to_preset("tab");
        assert_eq!(preset.threads, PresetThreads::Only(vec![name("tab", "GeckoMain"), name("tab", "StyleThread#0")]));
        view.apply(Command::ShowThread(ThreadId(1)));
        let preset = view.to_preset("one of a pool");
        let hidden = [name("parent", "GeckoMain"), name("parent", "StyleThread#1"), name("tab", "DOM Worker")];
        assert_eq!(preset.threads, PresetThreads::AllBut(hidden.to_vec()));
    }

    #[test]
    fn a_preset_restores_any_set_of_threads_in_one_step_that_can_be_undone() {
        for set in 0..64_u32 {
            let mut view = view_of_threads(&BROWSER);
            let all = set == 63;
            let hidden = (0..6).filter(|thread| !all && set & (1 << thread) != 0).map(ThreadId);
            hidden.for_each(|thread| view.apply(Command::HideThread(thread)));
            view.apply(Command::Search("a".to_owned()));
            let preset = Arc::new(view.to_preset("x"));
            assert!(view.shows_preset(&preset), "{set}");
            let mut other = view_of_threads(&BROWSER);
            other.apply(Command::Search("b".to_owned()));
            other.apply(Command::HideThread(ThreadId(set % 6)));
            let before = (other.tracks.hidden.clone(), other.search.clone());
            other.apply(Command::ShowPreset(Arc::clone(&preset)));
            let after = (view.tracks.hidden.clone(), "a".to_owned());
            assert_eq!((&other.tracks.hidden, &other.search), (&after.0, &after.1), "{set}");
            assert!(other.shows_preset(&preset));
            if before == after {
                continue;
            }
            other.apply(Command::Undo);
            assert_eq!((&other.tracks.hidden, &other.search), (&before.0, &before.1), "{set}");
            other.apply(Command::Redo);
            assert_eq!((&other.tracks.hidden, &other.search), (&after.0, &after.1), "{set}");
        }
    }

    #[test]
    fn other_recordings_of_the_format_keep_what_was_meant() {
        let preset = |threads| Preset {
            format: PresetFormat::of(Default::default()),
            name: String::new(),
            search: String::new(),
            threads,
        };
        let view = view_of_threads(&[("parent", "GeckoMain"), ("tab", "StyleThread#7"), ("gpu", "Renderer")]);
        let hidden = |threads| {
            preset(threads).hidden(&view.profile).map(|own| own.into_iter().map(|id| id.0).collect::<Vec<_>>())
        };
        let style = || vec![name("*", "StyleThread#*")];
        assert_eq!(hidden(PresetThreads::Only(style())), Some(vec![0, 2]));
        assert_eq!(hidden(PresetThreads::AllBut(style())), Some(vec![1]));
        assert_eq!(hidden(PresetThreads::All), Some(vec![]));
        assert_eq!(hidden(PresetThreads::Only(vec![name("parent", "Compositor")])), None, "nothing would be left");
        assert_eq!(hidden(PresetThreads::AllBut(vec![name("*", "*")])), None);
    }
}
