//! The late moments of the page load that a recording shows: the ends of critical paths.

use crate::recording::Session;
use flowline_insights::page_load::{Milestone, MilestoneKind, Milestones, PageId};
use flowline_insights::report::{MetricKind, Section, Sections};
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

/// True for milestones of the same page load.
fn is_same_load(one: &Milestone, other: &Milestone) -> bool {
    match one.page {
        PageId::Frame(_) => one.navigation.is_some() && one.navigation == other.navigation,
        PageId::Window(_) | PageId::None => one.page == other.page && one.thread == other.thread,
    }
}

impl Session {
    /// The navigation of the page load that the recording shows, once milestones have been read.
    #[must_use]
    pub fn main_navigation(&self) -> Option<&Milestone> {
        Milestones::if_built(&self.index)?.main_navigation()
    }

    /// A milestone of that page load.
    #[must_use]
    pub fn main_milestone(&self, kind: MetricKind) -> Option<&Milestone> {
        let navigation = self.main_navigation()?;
        let all = Milestones::if_built(&self.index)?.all();
        let of = |wanted: &MilestoneKind| {
            all.iter()
                .find(|own| own.is_main && own.kind == *wanted && own.since.is_some() && is_same_load(navigation, own))
        };
        milestones_of(kind).iter().find_map(of)
    }

    /// The marker from which the critical path of a metric goes back, if the recording has it and it is known by now.
    #[must_use]
    pub fn late_moment(&self, kind: MetricKind) -> Option<MarkerId> {
        if kind != MetricKind::Inp {
            return self.main_milestone(kind)?.marker;
        }
        let navigation = self.main_navigation()?;
        let sections = Sections::if_built(&self.index)?.list().iter();
        let is_own = |own: &&Section| match own.page {
            PageId::Window(_) => own.page == navigation.page,
            PageId::Frame(_) | PageId::None => own.navigation == navigation.navigation,
        };
        sections.filter(is_own).find_map(|own| own.metric(kind)?.marker)
    }
}
