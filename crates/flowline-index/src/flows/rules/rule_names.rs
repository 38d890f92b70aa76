//! Marker names that match the patterns of rules, and members of flows with their names.

use super::rule::Pattern;
use flowline_profile::{LocalMarker, MarkerId, Profile, StringId, Strings, ThreadId};

/// Names of a recording that match a list of patterns: one bit per interned string.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameSet(Vec<u64>);

impl NameSet {
    pub(crate) fn resolve(strings: &Strings, patterns: &[Pattern]) -> Self {
        let mut names = Self::default();
        let mut open = Vec::new();
        for pattern in patterns {
            match pattern.only_name() {
                Some(name) => strings.find(name).into_iter().for_each(|id| names.add(id)),
                None => open.push(pattern),
            }
        }
        if !open.is_empty() {
            let matching = strings.iter().filter(|(_, name)| open.iter().any(|pattern| pattern.matches(name)));
            matching.for_each(|(id, _)| names.add(id));
        }
        names
    }

    fn add(&mut self, id: StringId) {
        let word = id.index() / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (id.index() % 64);
    }

    /// True if a name is in the set.
    #[inline]
    pub(crate) fn has(&self, id: StringId) -> bool {
        self.0.get(id.index() / 64).is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
    }

    /// True if no name of the recording matches.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A member of a flow with its thread, its index in the thread and its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemberInfo {
    pub(crate) marker: MarkerId,
    pub(crate) thread: ThreadId,
    pub(crate) local: LocalMarker,
    pub(crate) name: StringId,
}

impl MemberInfo {
    #[inline]
    pub(crate) fn new(profile: &Profile, marker: MarkerId) -> Option<Self> {
        let (thread, local) = profile.locate(marker)?;
        Some(Self { marker, thread, local, name: profile.thread(thread).markers.name(local) })
    }
}
