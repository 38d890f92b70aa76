//! All milestones of a recording, by time.

use super::milestone::{Milestone, MilestoneKind, PageId};
use super::{chrome, firefox, marks};
use crate::dropped::Dropped;
use crate::training_steps::{TrainingStep, training_steps};
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, Profile};

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
    pub fn build(profile: &Profile) -> Self {
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
        let navigation = main_navigation(&all, &flags);
        Self { all, flags, navigation, dropped }
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

    /// The navigation of the page whose load the recording shows: the first one with a load or a paint.
    #[must_use]
    pub fn main_navigation(&self) -> Option<&Milestone> {
        self.all.get(self.navigation?)
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

/// True for pages of the browser itself.
pub(crate) fn is_of_browser(url: &str) -> bool {
    ["about:", "chrome:", "moz-extension:", "resource:", "devtools:"].iter().any(|scheme| url.starts_with(scheme))
}

fn main_navigation(all: &[Milestone], flags: &[usize]) -> Option<usize> {
    let of = |kind: MilestoneKind| flags.iter().copied().filter(move |at| all[*at].kind == kind);
    let is_loaded = |at: &usize| {
        let own: &Milestone = &all[*at];
        let is_same = |other: &Milestone| match &own.page {
            PageId::Frame(_) => other.navigation == own.navigation && other.navigation.is_some(),
            _ => other.page == own.page,
        };
        let completes = |kind| matches!(kind, MilestoneKind::Load | MilestoneKind::FirstContentfulPaint);
        flags.iter().map(|at| &all[*at]).any(|other| completes(other.kind) && is_same(other))
    };
    of(MilestoneKind::Navigation).find(is_loaded).or_else(|| of(MilestoneKind::Navigation).next())
}

impl Derived for Milestones {
    fn derive(index: &Index) -> Self {
        Self::build(index.profile())
    }
}
