//! What rules read: the recording, its page, and one period of it.

use crate::interactions::Interactions;
use crate::layout_shifts::LayoutShifts;
use crate::page::{Navigation, Page};
use crate::page_load::{Milestone, MilestoneKind, Milestones};
use flowline_index::Index;
use flowline_index::network::NetworkRequest;
use flowline_profile::{Ns, Profile, TimeRange};

/// What all rules share.
pub(super) struct Context<'a> {
    pub(super) index: &'a Index,
    pub(super) page: &'a Page,
    pub(super) milestones: &'a Milestones,
    pub(super) interactions: &'a Interactions,
    pub(super) shifts: &'a LayoutShifts,
}

impl<'a> Context<'a> {
    pub(super) fn new(index: &'a Index) -> Self {
        Self {
            index,
            page: Page::of(index),
            milestones: Milestones::of(index),
            interactions: Interactions::of(index),
            shifts: LayoutShifts::of(index),
        }
    }

    pub(super) fn profile(&self) -> &'a Profile {
        self.index.profile()
    }

    /// The periods of a trace of Chrome: one per navigation of the main frame, and one before the first.
    pub(super) fn periods(&self) -> Vec<Period<'a>> {
        let range = self.profile().meta.range;
        let all = self.page.main_navigations();
        let mut periods: Vec<Period<'a>> = all.map(Period::of).collect();
        let until = periods.first().map_or(range.end, |first| first.times.start - Ns(1_000));
        if periods.is_empty() || until > range.start {
            let before = Period { navigation: None, times: TimeRange { start: range.start, end: until } };
            periods.insert(0, before);
        }
        periods
    }
}

/// The time of a navigation, or the time before the first one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period<'a> {
    pub(super) navigation: Option<&'a Navigation>,
    pub(super) times: TimeRange,
}

impl<'a> Period<'a> {
    fn of(navigation: &'a Navigation) -> Self {
        let times = TimeRange { start: navigation.time, end: navigation.end };
        Self { navigation: Some(navigation), times }
    }

    /// Number of the navigation.
    pub(super) fn number(&self) -> Option<u32> {
        self.navigation.and_then(|own| own.number)
    }

    /// True if something that begins at a time belongs to the period.
    pub(super) fn contains(&self, time: Ns) -> bool {
        self.times.start <= time && time <= self.times.end
    }

    /// The requests that begin in the period.
    pub(super) fn requests(&self, context: &Context<'a>) -> impl Iterator<Item = &'a NetworkRequest> + use<'a> {
        let own = *self;
        context.index.network().requests().iter().filter(move |request| own.contains(request.start))
    }

    /// A milestone of the navigation with a known time or value.
    pub(super) fn milestone(&self, context: &Context<'a>, kind: MilestoneKind) -> Option<&'a Milestone> {
        let number = self.number()?;
        let own = |other: &&Milestone| other.is_main && other.kind == kind && other.navigation == Some(number);
        let known = |other: &&Milestone| other.time.is_some() || other.value.is_some();
        context.milestones.all().iter().filter(own).find(known)
    }
}
