//! One preset, and the threads that it hides.

use std::collections::BTreeSet;

use super::preset_format::PresetFormat;
use super::thread_pattern::{NamedThreads, ThreadPattern};
use flowline_profile::{Profile, ThreadId};

/// The threads that a preset shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PresetThreads {
    /// All threads.
    #[default]
    All,
    /// Only these.
    Only(Vec<ThreadPattern>),
    /// All but these.
    AllBut(Vec<ThreadPattern>),
}

/// A search and a set of threads under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Format of the recordings that it applies to.
    pub format: PresetFormat,
    /// Its name, unique within the format.
    pub name: String,
    /// The search, which selects the visible markers; empty for all.
    pub search: String,
    /// The threads.
    pub threads: PresetThreads,
}

impl Preset {
    /// The threads of a recording that the preset hides; `None` if it would show none.
    #[must_use]
    pub fn hidden(&self, profile: &Profile) -> Option<BTreeSet<ThreadId>> {
        let hides = self.hides(profile);
        let hidden: BTreeSet<ThreadId> = (0..profile.threads.len()).map(ThreadId::new).filter(hides).collect();
        (hidden.is_empty() || hidden.len() < profile.threads.len()).then_some(hidden)
    }

    /// True for the threads that the preset hides.
    pub(super) fn hides<'a>(&'a self, profile: &'a Profile) -> impl Fn(&ThreadId) -> bool + 'a {
        let (names, listed_are_hidden) = match &self.threads {
            PresetThreads::All => (NamedThreads::new(&[]), true),
            PresetThreads::Only(names) => (NamedThreads::new(names), false),
            PresetThreads::AllBut(names) => (NamedThreads::new(names), true),
        };
        move |thread| names.contains(profile, *thread) == listed_are_hidden
    }
}
