//! The page load that a recording shows, for the first look at it, and that of the page of each tab.

use std::collections::BTreeMap;

use super::milestone::{Milestone, MilestoneKind, PageId};
use super::milestones::Milestones;
use flowline_index::{Derived, Index};
use flowline_profile::TabId;

/// The milestones of page loads, without the marks that the pages themselves made.
#[derive(Clone, Debug, Default)]
pub struct MainLoad {
    main: Vec<Milestone>,
    of_tabs: BTreeMap<TabId, Vec<Milestone>>,
}

impl MainLoad {
    /// A milestone of the page load, or of that of a tab; it may be unknown.
    #[must_use]
    pub fn milestone(&self, tab: Option<TabId>, kind: MilestoneKind) -> Option<&Milestone> {
        let all = tab.map_or(Some(&self.main), |tab| self.of_tabs.get(&tab))?;
        let own = || all.iter().filter(move |own| own.kind == kind);
        own().find(|own| own.since.is_some()).or_else(|| own().next())
    }
}

impl Derived for MainLoad {
    fn derive(index: &Index) -> Self {
        let milestones = Milestones::of(index);
        let load = |tab: Option<TabId>| {
            milestones.main_navigation(tab).map_or_else(Vec::new, |main| load(milestones.all(), main))
        };
        let tabs = index.pages().tabs().list();
        Self { main: load(None), of_tabs: tabs.iter().map(|tab| (tab.id, load(Some(tab.id)))).collect() }
    }
}

/// The milestones of the page load that a navigation began.
fn load(all: &[Milestone], main: &Milestone) -> Vec<Milestone> {
    let is_own = |own: &&Milestone| {
        let is_same = match main.page {
            PageId::Frame(_) => main.navigation.is_some() && own.navigation == main.navigation,
            PageId::Window(_) | PageId::None => own.page == main.page && own.thread == main.thread,
        };
        own.is_main && own.kind != MilestoneKind::Mark && is_same
    };
    all.iter().filter(is_own).cloned().collect()
}
