//! All interactions of a recording.

use super::inp::inp;
use super::interaction::Interaction;
use super::{chrome, firefox};
use crate::dropped::Dropped;
use crate::page_load::PageId;
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Profile, ThreadId};

/// The interactions of a recording.
#[derive(Clone, Debug, Default)]
pub struct Interactions {
    all: Vec<Interaction>,
    /// The markers of each, with its position, by marker.
    by_marker: Vec<(MarkerId, u32)>,
    dropped: Dropped,
}

/// Names of markers without which there are no interactions.
const NAMES: [&str; 2] = ["EventTiming", "DOMEvent"];

impl Interactions {
    /// True if a recording may have interactions. This reads no markers.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        NAMES.iter().any(|name| profile.strings.find(name).is_some())
    }

    /// All interactions by start, nested ones, too.
    #[must_use]
    pub fn list(&self) -> &[Interaction] {
        &self.all
    }

    /// Position of the interaction that a marker is part of.
    #[must_use]
    pub fn of_marker(&self, marker: MarkerId) -> Option<usize> {
        let at = self.by_marker.binary_search_by_key(&marker, |(own, _)| *own).ok()?;
        Some(self.by_marker[at].1 as usize)
    }

    /// Interaction to next paint of a navigation of Chrome, or of the time before the first one; `None` if no interaction
    /// is recorded.
    #[must_use]
    pub fn inp(&self, navigation: Option<u32>) -> Option<&Interaction> {
        let own = self.all.iter().filter(|own| own.id.is_some() && !own.is_nested && own.navigation == navigation);
        // Ids are counted in each process, whose events its main thread writes.
        inp(own.map(|own| ((own.thread, own.id), own)))
    }

    /// The same for the presented clicks and key presses of a window of Firefox.
    #[must_use]
    pub fn inp_of_window(&self, window: i64) -> Option<&Interaction> {
        let own = self.all.iter().filter(|own| own.press.is_some() && own.page == PageId::Window(window));
        inp(own.map(|own| (own.press, own)))
    }

    /// The same for those that a thread of Firefox handled.
    #[must_use]
    pub fn inp_of_thread(&self, thread: ThreadId) -> Option<&Interaction> {
        let own = self.all.iter().filter(|own| own.press.is_some() && own.thread == thread);
        inp(own.map(|own| (own.press, own)))
    }

    /// Events that were left out because one of their halves or a value is missing.
    #[must_use]
    pub const fn dropped(&self) -> Dropped {
        self.dropped
    }
}

impl Derived for Interactions {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        if !Self::may_have(profile) {
            return Self::default();
        }
        let (all, dropped) = if profile.source.holds_events() { chrome::read(index) } else { firefox::read(profile) };
        let of = |(at, own): (u32, &Interaction)| {
            own.markers.iter().copied().chain(own.presented_by).map(move |marker| (marker, at)).collect::<Vec<_>>()
        };
        let mut by_marker: Vec<(MarkerId, u32)> = (0..).zip(&all).flat_map(of).collect();
        by_marker.sort_unstable();
        by_marker.dedup_by_key(|(marker, _)| *marker);
        Self { all, by_marker, dropped }
    }
}
