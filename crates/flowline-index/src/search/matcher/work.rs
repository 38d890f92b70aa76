//! Terms for a kind of work, such as `work:painting`: the color of a marker decides, not its text.

use crate::colors::KindRules;
use crate::search::query::{Term, Test, WORK};
use flowline_profile::{Attributes, Kind, Profile, ThreadId};

/// The markers of certain kinds of work.
pub(super) struct WorkTest<'a> {
    profile: &'a Profile,
    rules: KindRules<'a>,
    /// The wanted kinds, by palette entry.
    wanted: Vec<bool>,
}

impl<'a> WorkTest<'a> {
    /// The test of a term; `None` if the term has another key, or names no kind of work. It may then mean a field.
    pub(super) fn new(profile: &'a Profile, term: &Term) -> Option<Self> {
        let Test::Field { key, text, whole } = &term.test else { return None };
        let is_wanted = |kind: Kind| {
            let title = kind.title().to_lowercase();
            if *whole { title == *text } else { title.contains(text.as_str()) }
        };
        let mut wanted = vec![false; Kind::ALL.len()];
        Kind::ALL.into_iter().filter(|kind| is_wanted(*kind)).for_each(|kind| wanted[kind as usize] = true);
        let is_work = key == WORK && wanted.contains(&true);
        is_work.then(|| Self { profile, rules: KindRules::new(profile), wanted })
    }

    /// True if markers of a thread with these attributes have a wanted kind.
    pub(super) fn matches(&self, thread: ThreadId, attributes: &Attributes) -> bool {
        let entry = self.rules.marker_entry(self.profile.thread(thread), attributes);
        self.wanted.get(usize::from(entry)) == Some(&true)
    }
}
