//! The input of rules: the recording, its page, and a period of it.

use std::collections::BTreeMap;

use crate::interactions::Interactions;
use crate::layout_shifts::LayoutShifts;
use crate::page::{Navigation, Page};
use crate::page_load::{Milestone, MilestoneKind, Milestones};
use flowline_index::network::{NetworkRequest, NetworkRequestId};
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, Profile, TimeRange};

/// The recording and its page, which all rules read.
pub(super) struct Context<'a> {
    pub(super) index: &'a Index,
    pub(super) page: &'a Page,
    pub(super) interactions: &'a Interactions,
    pub(super) shifts: &'a LayoutShifts,
    /// Milestones of the page by navigation and kind; where there are several, the first one whose time or value is known.
    of_navigation: BTreeMap<(u32, MilestoneKind), &'a Milestone>,
}

impl<'a> Context<'a> {
    pub(super) fn new(index: &'a Index) -> Self {
        let mut of_navigation: BTreeMap<(u32, MilestoneKind), &Milestone> = BTreeMap::new();
        for own in Milestones::of(index).all().iter().filter(|own| own.is_main) {
            let Some(number) = own.navigation else { continue };
            let kept = of_navigation.entry((number, own.kind)).or_insert(own);
            if !is_known(kept) {
                *kept = own;
            }
        }
        Self {
            index,
            page: Page::of(index),
            of_navigation,
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

fn is_known(milestone: &Milestone) -> bool {
    milestone.time.is_some() || milestone.value.is_some()
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

    /// The requests that begin in the period, by start.
    pub(super) fn requests(&self, context: &Context<'a>) -> impl Iterator<Item = &'a NetworkRequest> + use<'a> {
        self.numbered_requests(context).map(|(_, request)| request)
    }

    /// The requests that begin in the period with their numbers, by start.
    pub(super) fn numbered_requests(
        &self,
        context: &Context<'a>,
    ) -> impl Iterator<Item = (NetworkRequestId, &'a NetworkRequest)> + use<'a> {
        let all = context.index.network().requests();
        let from = all.partition_point(|request| request.start < self.times.start);
        let until = all.partition_point(|request| request.start <= self.times.end);
        let first = u32::try_from(from).unwrap_or(u32::MAX);
        (first..).map(NetworkRequestId).zip(all.get(from..until).unwrap_or_default())
    }

    /// A milestone of the navigation with a known time or value.
    pub(super) fn milestone(&self, context: &Context<'a>, kind: MilestoneKind) -> Option<&'a Milestone> {
        context.of_navigation.get(&(self.number()?, kind)).copied().filter(|own| is_known(own))
    }

    /// The reason why a milestone of the navigation is unknown.
    pub(super) fn missing(&self, context: &Context<'a>, kind: MilestoneKind) -> String {
        let own = self.number().and_then(|number| context.of_navigation.get(&(number, kind)));
        let reason = own.and_then(|own| own.unknown.clone());
        reason.unwrap_or_else(|| format!("{} of this navigation is not in the recording", kind.name()))
    }
}
