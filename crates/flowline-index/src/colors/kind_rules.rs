//! The kind of work of markers: stated by the category, by the name, or by the role of the thread.

use std::sync::OnceLock;

use super::devtools_names::kind_of_event;
use super::entries::{IDLE_ENTRY, color_index};
use super::kind_words::{kind_of_category, kind_of_name, kind_of_thread};
use flowline_profile::{Attributes, Category, Kind, Profile, StringId, Thread, get_or_build};

/// Rules that determine the kinds of a profile's markers and calls.
#[derive(Debug)]
pub struct KindRules<'a> {
    profile: &'a Profile,
    by_category: Vec<Option<u8>>,
    /// What each name states: many threads have markers with the same few names.
    by_name: Vec<NameKinds>,
}

/// The kinds that a name states, once they were asked for.
#[derive(Debug, Default)]
struct NameKinds {
    /// The kind of an event of DevTools, which precedes the category.
    event: OnceLock<Option<Kind>>,
    /// The kind according to words in the name, which follows the category.
    words: OnceLock<Option<Kind>>,
}

impl<'a> KindRules<'a> {
    /// The rules of a profile.
    #[must_use]
    pub fn new(profile: &'a Profile) -> Self {
        let by_category = profile.categories.iter().map(stated_entry).collect();
        Self {
            profile,
            by_category,
            by_name: std::iter::repeat_with(NameKinds::default).take(profile.strings.len()).collect(),
        }
    }

    /// Palette entry of a category, which may be idle instead of a kind.
    #[must_use]
    pub fn category_entry(&self, category: usize) -> u8 {
        self.by_category.get(category).copied().flatten().unwrap_or(Kind::System as u8)
    }

    /// Palette entry that a category states: that of a kind, or of idle time.
    #[must_use]
    pub fn stated_entry(&self, category: usize) -> Option<u8> {
        self.by_category.get(category).copied().flatten()
    }

    /// Palette entry of markers of a thread with the given attributes, which may be idle instead of a kind. A name that
    /// states a kind precedes the category, which often contains several kinds.
    #[must_use]
    pub fn marker_entry(&self, thread: &Thread, of: &Attributes) -> u8 {
        if let Some(kind) = self.event_kind(of.name) {
            return kind as u8;
        }
        let category = self.by_category.get(of.category().index()).copied().flatten();
        let other = || self.word_kind(of.name).or_else(|| kind_of_thread(thread.name.as_str()));
        category.or_else(|| other().map(|kind| kind as u8)).unwrap_or(Kind::System as u8)
    }

    fn event_kind(&self, name: StringId) -> Option<Kind> {
        let read = || {
            let text = self.profile.strings.get(name);
            match self.profile.meta.capabilities.trace_event_keys {
                true => kind_of_event(text),
                false => (text == "UserTiming").then_some(Kind::User),
            }
        };
        self.by_name.get(name.index()).map_or_else(read, |known| *get_or_build(&known.event, read))
    }

    fn word_kind(&self, name: StringId) -> Option<Kind> {
        let read = || kind_of_name(self.profile.strings.get(name));
        self.by_name.get(name.index()).map_or_else(read, |known| *get_or_build(&known.words, read))
    }
}

/// Palette entry of a category, which may be idle instead of a kind.
#[must_use]
pub fn category_entry(category: &Category) -> u8 {
    stated_entry(category).unwrap_or(Kind::System as u8)
}

/// Palette entry that a category states: by its name, otherwise by the color that the recording gives it. Gray means no kind.
fn stated_entry(category: &Category) -> Option<u8> {
    if category.name == "Idle" || category.color == "transparent" {
        return Some(IDLE_ENTRY);
    }
    let colored = || match color_index(&category.color) {
        0 => None,
        entry => Some(entry),
    };
    kind_of_category(&category.name).map(|kind| kind as u8).or_else(colored)
}
