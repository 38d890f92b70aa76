//! The kind of work of markers: stated by the category, by the name, or by the role of the thread.

use super::devtools_names::kind_of_event;
use super::entries::{IDLE_ENTRY, color_index};
use super::kind_words::{kind_of_category, kind_of_name, kind_of_thread};
use flowline_profile::{Attributes, Category, Kind, Profile, Thread};

/// Rules that determine the kinds of a profile's markers and calls.
#[derive(Debug)]
pub struct KindRules<'a> {
    profile: &'a Profile,
    by_category: Vec<Option<u8>>,
}

impl<'a> KindRules<'a> {
    /// The rules of a profile.
    #[must_use]
    pub fn new(profile: &'a Profile) -> Self {
        Self { profile, by_category: profile.categories.iter().map(stated_entry).collect() }
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
        let name = self.profile.strings.get(of.name);
        if self.profile.meta.capabilities.trace_event_keys {
            if let Some(kind) = kind_of_event(name) {
                return kind as u8;
            }
        } else if name == "UserTiming" {
            return Kind::User as u8;
        }
        let category = self.by_category.get(of.category().index()).copied().flatten();
        category
            .or_else(|| kind_of_name(name).or_else(|| kind_of_thread(thread.name.as_str())).map(|kind| kind as u8))
            .unwrap_or(Kind::System as u8)
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
