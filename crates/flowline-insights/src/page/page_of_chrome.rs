//! The page that a trace of Chrome shows.

use super::events::{Event, events};
use super::navigation::{Navigation, read_navigations};
use super::page_frames::PageFrames;
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, Profile};

/// The frames and the navigations of a page. Empty for recordings of other programs.
#[derive(Clone, Debug, Default)]
pub struct Page {
    frames: PageFrames,
    navigations: Vec<Navigation>,
}

impl Page {
    /// The page of an index; see [`Index::derived`].
    pub fn of(index: &Index) -> &Self {
        index.derived()
    }

    /// Reads the page from events in time order.
    pub(crate) fn of_events(profile: &Profile, events: &[Event]) -> Self {
        let frames = PageFrames::new(events);
        let mut navigations = read_navigations(events, &frames);
        let mut end = profile.meta.range.end;
        for navigation in navigations.iter_mut().rev().filter(|own| own.number.is_some()) {
            navigation.end = end.max(navigation.time);
            end = navigation.time - Ns(1_000);
        }
        Self { frames, navigations }
    }

    /// Its frames.
    #[must_use]
    pub const fn frames(&self) -> &PageFrames {
        &self.frames
    }

    /// All navigations by time, also those of frames inside the page.
    #[must_use]
    pub fn navigations(&self) -> &[Navigation] {
        &self.navigations
    }

    /// The navigations of the main frame by time: those with numbers.
    pub fn main_navigations(&self) -> impl DoubleEndedIterator<Item = &Navigation> {
        self.navigations.iter().filter(|own| own.number.is_some())
    }

    /// The navigation of the main frame that is current at a time; `None` before the first one.
    #[must_use]
    pub fn current(&self, time: Ns) -> Option<&Navigation> {
        self.main_navigations().take_while(|own| own.time <= time).last()
    }
}

impl Derived for Page {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        if !profile.source.holds_events() {
            return Self::default();
        }
        Self::of_events(profile, &events(profile))
    }
}
