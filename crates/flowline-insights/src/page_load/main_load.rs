//! The page load that a recording shows, for the first look at it.

use super::milestone::{Milestone, MilestoneKind, PageId};
use super::milestones::Milestones;
use flowline_index::{Derived, Index};

/// The milestones of that page load, without the marks that the page itself made.
#[derive(Clone, Debug, Default)]
pub struct MainLoad(Vec<Milestone>);

impl MainLoad {
    /// A milestone of the page load, which may be unknown.
    #[must_use]
    pub fn milestone(&self, kind: MilestoneKind) -> Option<&Milestone> {
        let own = || self.0.iter().filter(move |own| own.kind == kind);
        own().find(|own| own.since.is_some()).or_else(|| own().next())
    }
}

impl Derived for MainLoad {
    fn derive(index: &Index) -> Self {
        let milestones = Milestones::of(index);
        let Some(main) = milestones.main_navigation() else { return Self::default() };
        let is_own = |own: &&Milestone| {
            let is_same = match main.page {
                PageId::Frame(_) => main.navigation.is_some() && own.navigation == main.navigation,
                PageId::Window(_) | PageId::None => own.page == main.page && own.thread == main.thread,
            };
            own.is_main && own.kind != MilestoneKind::Mark && is_same
        };
        Self(milestones.all().iter().filter(is_own).cloned().collect())
    }
}
