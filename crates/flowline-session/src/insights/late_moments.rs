//! The late moments of the page load that a recording shows: the ends of critical paths.

use crate::recording::Session;
use flowline_index::Derived;
use flowline_insights::flags::Flags;
use flowline_insights::page_load::{MainLoad, Milestone, MilestoneKind, Milestones, PageId};
use flowline_insights::report::MetricKind;
use flowline_profile::MarkerId;

/// The kinds of milestones that are the moment of a metric, the preferred one first.
const fn milestones_of(kind: MetricKind) -> &'static [MilestoneKind] {
    match kind {
        MetricKind::Fcp => &[MilestoneKind::FirstContentfulPaint, MilestoneKind::FirstContentfulComposite],
        MetricKind::Lcp => &[MilestoneKind::LargestContentfulPaint],
        MetricKind::Load => &[MilestoneKind::Load],
        MetricKind::DomContentLoaded => &[MilestoneKind::DomContentLoaded],
        _ => &[],
    }
}

impl Session {
    /// The navigation of the page load that the recording shows, or of the selected tab, once milestones have been read.
    #[must_use]
    pub fn main_navigation(&self) -> Option<&Milestone> {
        Milestones::if_built(&self.index)?.main_navigation(self.tab())
    }

    /// A milestone of that page load, which may be unknown.
    #[must_use]
    pub fn main_milestone(&self, kind: MetricKind) -> Option<&Milestone> {
        let load = MainLoad::if_built(&self.index)?;
        let known = |of: &MilestoneKind| load.milestone(self.tab(), *of).filter(|own| own.since.is_some());
        let kinds = milestones_of(kind);
        kinds.iter().find_map(known).or_else(|| kinds.iter().find_map(|of| load.milestone(self.tab(), *of)))
    }

    /// The paint of the interaction that rates that page load, if it is known by now.
    #[must_use]
    pub fn main_interaction(&self) -> Option<&Milestone> {
        let navigation = self.main_navigation()?;
        let is_own = |own: &&Milestone| match navigation.page {
            PageId::Window(_) => own.page == navigation.page,
            PageId::Frame(_) | PageId::None => own.navigation == navigation.navigation,
        };
        Flags::if_built(&self.index)?.interactions().find(is_own)
    }

    /// The marker from which the critical path of a metric goes back, if the recording has it and it is known by now.
    #[must_use]
    pub fn late_moment(&self, kind: MetricKind) -> Option<MarkerId> {
        if kind == MetricKind::Inp {
            return self.main_interaction()?.marker;
        }
        self.main_milestone(kind).filter(|own| own.since.is_some())?.marker
    }
}
