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
    /// Positions of those with numbers.
    main: Vec<usize>,
}

impl Page {
    /// Reads the page from events in time order.
    pub(crate) fn of_events(profile: &Profile, events: &[Event]) -> Self {
        let frames = PageFrames::new(profile, events);
        let mut navigations = read_navigations(events, &frames);
        let mut end = profile.meta.range.end;
        for navigation in navigations.iter_mut().rev().filter(|own| own.number.is_some()) {
            navigation.end = end.max(navigation.time);
            end = navigation.time - Ns(1_000);
        }
        let main = (0..navigations.len()).filter(|at| navigations[*at].number.is_some()).collect();
        Self { frames, navigations, main }
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
        self.main.iter().map(|at| &self.navigations[*at])
    }

    /// The navigation of the main frame that is current at a time; `None` before the first one.
    #[must_use]
    pub fn current(&self, time: Ns) -> Option<&Navigation> {
        let before = self.main.partition_point(|at| self.navigations[*at].time <= time);
        before.checked_sub(1).map(|last| &self.navigations[self.main[last]])
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
