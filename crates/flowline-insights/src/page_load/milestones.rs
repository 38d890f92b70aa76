//! All milestones of a recording, by time.

use std::collections::BTreeMap;

use super::milestone::{Milestone, MilestoneKind, PageId};
use super::{chrome, firefox, marks};
use crate::browser_pages::is_of_browser;
use crate::dropped::Dropped;
use crate::training_steps::{TrainingStep, training_steps};
use flowline_index::{Derived, Index, Tab, Tabs};
use flowline_profile::{Ns, Profile, TabId};

/// Names of markers without which there are no milestones.
const NAMES: [&str; 7] = [
    "navigationStart",
    "MarkLoad",
    "MarkDOMContent",
    "SoftNavigationStart",
    "DocumentLoad",
    "FirstContentfulPaint",
    "DOMContentLoaded",
];

/// The milestones of a recording.
#[derive(Clone, Debug, Default)]
pub struct Milestones {
    /// By time; those without a time follow.
    all: Vec<Milestone>,
    /// Positions of those with a flag, by time.
    flags: Vec<usize>,
    /// Position of the main page's first navigation.
    navigation: Option<usize>,
    /// Position of the first navigation of the page of each tab.
    of_tabs: BTreeMap<TabId, usize>,
    dropped: Dropped,
}

impl Milestones {
    /// True if a recording may have milestones. This reads no markers.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        NAMES.iter().any(|name| profile.strings.find(name).is_some())
    }

    /// Reads the milestones of a recording. The steps of a training loop are marks.
    #[must_use]
    pub fn build(index: &Index) -> Self {
        let (profile, tabs) = (index.profile(), index.pages().tabs());
        if !Self::may_have(profile) {
            let all = steps(profile);
            return Self { flags: (0..all.len()).collect(), all, ..Self::default() };
        }
        let is_trace = profile.source.holds_events();
        let (mut all, dropped) = if is_trace { chrome::read(profile) } else { firefox::read(profile) };
        let loads: Vec<Milestone> = all.iter().filter(|own| own.is_main).cloned().collect();
        all.extend(marks::read(profile, &loads));
        all.sort_by_key(|own| (own.time.is_none(), own.time, own.navigation, own.kind, own.marker));
        let has_load = loads.iter().any(|own| !is_of_browser(&own.url));
        let is_shown = |own: &Milestone| own.has_flag() && !(has_load && is_of_browser(&own.url));
        let flags: Vec<usize> = (0..all.len()).filter(|at| is_shown(&all[*at])).collect();
        // The tab in the foreground is the page, even if another one was loaded.
        let foreground = tabs.first().map(|tab| tab.id);
        let navigation = main_navigation(&all, &flags, |own| {
            let tab = tab_of(tabs, &own.page);
            tab.is_none_or(|tab| Some(tab.id) == foreground)
        });
        let of_tab = |tab: &Tab| {
            let is_own = |own: &Milestone| tab_of(tabs, &own.page).is_some_and(|own| own.id == tab.id);
            Some((tab.id, main_navigation(&all, &flags, is_own)?))
        };
        let of_tabs = tabs.list().iter().filter_map(of_tab).collect();
        Self { all, flags, navigation, of_tabs, dropped }
    }

    /// All milestones by time, then those without one.
    #[must_use]
    pub fn all(&self) -> &[Milestone] {
        &self.all
    }

    /// Number of milestones with a flag.
    #[must_use]
    pub const fn flag_count(&self) -> usize {
        self.flags.len()
    }

    /// A milestone with a flag, by position in time order, and its time.
    #[must_use]
    pub fn flag(&self, position: usize) -> Option<(Ns, &Milestone)> {
        let own = &self.all[*self.flags.get(position)?];
        Some((own.time?, own))
    }

    /// Number of flags before a time.
    #[must_use]
    pub fn flags_before(&self, time: Ns) -> usize {
        self.flags.partition_point(|at| self.all[*at].time.is_some_and(|own| own < time))
    }

    /// Events that were left out because a value is damaged.
    #[must_use]
    pub const fn dropped(&self) -> Dropped {
        self.dropped
    }

    /// The navigation of the page whose load the recording shows, or of the page of a tab: the first one with a load or a
    /// paint.
    #[must_use]
    pub fn main_navigation(&self, tab: Option<TabId>) -> Option<&Milestone> {
        self.all.get(tab.map_or(self.navigation, |tab| self.of_tabs.get(&tab).copied())?)
    }
}

/// The tab of a document.
pub(crate) fn tab_of<'a>(tabs: &'a Tabs, page: &PageId) -> Option<&'a Tab> {
    match page {
        PageId::Window(window) => tabs.of_window(*window),
        PageId::Frame(_) | PageId::None => None,
    }
}

/// The steps of a training loop, with their lengths. They belong to no page.
fn steps(profile: &Profile) -> Vec<Milestone> {
    let steps = training_steps(profile).into_iter();
    let mark = |step: TrainingStep<'_>| Milestone {
        kind: MilestoneKind::Mark,
        is_soft: false,
        time: Some(step.range.start),
        since: None,
        value: Some(Ns(step.range.len())),
        rating: None,
        is_main: false,
        page: PageId::None,
        url: String::new(),
        thread: step.thread,
        marker: Some(profile.thread(step.thread).global(step.marker)),
        navigation: None,
        is_so_far: false,
        is_prerendered: false,
        inactive: None,
        unknown: None,
        mark: step.name.to_owned(),
    };
    steps.map(mark).collect()
}

/// The first navigation with a load or a paint of those that `is_own` accepts, else the first one.
fn main_navigation(all: &[Milestone], flags: &[usize], is_own: impl Fn(&Milestone) -> bool) -> Option<usize> {
    let navigations = || {
        let own = flags.iter().copied().filter(|at| all[*at].kind == MilestoneKind::Navigation);
        own.filter(|at| is_own(&all[*at]))
    };
    let is_loaded = |at: &usize| {
        let own: &Milestone = &all[*at];
        let is_same = |other: &Milestone| match &own.page {
            PageId::Frame(_) => other.navigation == own.navigation && other.navigation.is_some(),
            _ => other.page == own.page,
        };
        let completes = |kind| matches!(kind, MilestoneKind::Load | MilestoneKind::FirstContentfulPaint);
        flags.iter().map(|at| &all[*at]).any(|other| completes(other.kind) && is_same(other))
    };
    navigations().find(is_loaded).or_else(|| navigations().next())
}

impl Derived for Milestones {
    fn derive(index: &Index) -> Self {
        Self::build(index)
    }
}
