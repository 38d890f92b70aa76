//! The flags over the chart: the milestones of pages, and for each page the paint of the interaction that rates it.
//!
//! Milestones can be many, because pages make marks of their own. The flags of interactions are few, so they are merged
//! with the others when they are looked up.

use std::collections::BTreeSet;

use flowline_index::{Derived, Index};
use flowline_profile::Ns;

use crate::browser_pages::is_of_browser;
use crate::interactions::{Interaction, Interactions};
use crate::page::Page;
use crate::page_load::{Milestone, MilestoneKind, Milestones, PageId};

/// The flags of a recording, by time.
#[derive(Clone, Copy, Debug)]
pub struct Flags<'a> {
    milestones: &'a Milestones,
    slowest: &'a SlowestInteractions,
}

impl<'a> Flags<'a> {
    /// The flags of an index; see [`Index::derived`].
    pub fn of(index: &'a Index) -> Self {
        Self { milestones: Milestones::of(index), slowest: index.derived() }
    }

    /// The flags of an index, if they have been found.
    #[must_use]
    pub fn if_built(index: &'a Index) -> Option<Self> {
        Some(Self { milestones: Milestones::if_built(index)?, slowest: index.derived_if_built()? })
    }

    /// Number of flags.
    #[must_use]
    pub const fn len(self) -> usize {
        self.milestones.flag_count() + self.slowest.0.len()
    }

    /// True without flags.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// A flag by position in time order, and its time.
    #[must_use]
    pub fn get(self, position: usize) -> Option<(Ns, &'a Milestone)> {
        let own = &self.slowest.0;
        let before = own.partition_point(|(at, _)| *at < position);
        match own.get(before).filter(|(at, _)| *at == position) {
            Some((_, flag)) => Some((flag.time?, flag)),
            None => self.milestones.flag(position - before),
        }
    }

    /// The flags of interactions, by time.
    pub fn interactions(self) -> impl Iterator<Item = &'a Milestone> {
        self.slowest.0.iter().map(|(_, flag)| flag)
    }

    /// Number of flags before a time.
    #[must_use]
    pub fn before(self, time: Ns) -> usize {
        let is_before = |flag: &Milestone| flag.time.is_some_and(|own| own < time);
        self.milestones.flags_before(time) + self.slowest.0.partition_point(|(_, flag)| is_before(flag))
    }
}

/// The paints of the interactions that rate pages, by time, each with its position among all flags.
#[derive(Clone, Debug, Default)]
struct SlowestInteractions(Vec<(usize, Milestone)>);

impl Derived for SlowestInteractions {
    fn derive(index: &Index) -> Self {
        if !Interactions::may_have(index.profile()) {
            return Self::default();
        }
        let milestones = Milestones::of(index);
        let mut found = if index.profile().source.holds_events() { of_chrome(index) } else { of_firefox(index) };
        found.sort_by_key(|own| (own.time, own.marker));
        // After the milestones at the same time.
        let position = |(number, own): (usize, &Milestone)| {
            let end = own.time.map_or(Ns(0), |time| Ns(time.0.saturating_add(1)));
            milestones.flags_before(end) + number
        };
        let positions: Vec<usize> = found.iter().enumerate().map(position).collect();
        Self(positions.into_iter().zip(found).collect())
    }
}

/// The flags of each navigation of the main frame, and of the time before the first one.
fn of_chrome(index: &Index) -> Vec<Milestone> {
    let all = Interactions::of(index);
    let navigations: Vec<_> = Page::of(index).main_navigations().filter(|own| own.number.is_some()).collect();
    let before = all.inp(None).and_then(|own| flag(own, String::new(), navigations.is_empty()));
    let last = navigations.last().and_then(|own| own.number);
    let own = navigations.iter().filter_map(|navigation| {
        let slowest = flag(all.inp(navigation.number)?, navigation.url.clone(), navigation.number == last)?;
        Some(Milestone {
            is_soft: navigation.is_soft,
            is_prerendered: navigation.is_prerendered,
            navigation: navigation.number,
            ..slowest
        })
    });
    before.into_iter().chain(own).collect()
}

/// The flags of each window with milestones of its own that is not a page of the browser.
fn of_firefox(index: &Index) -> Vec<Milestone> {
    let all = Interactions::of(index);
    let mut seen: BTreeSet<&PageId> = BTreeSet::new();
    let mut found = Vec::new();
    for own in Milestones::of(index).all().iter().filter(|own| own.is_main && !is_of_browser(&own.url)) {
        let PageId::Window(window) = own.page else { continue };
        if seen.insert(&own.page) {
            found.extend(all.inp_of_window(window).and_then(|slowest| flag(slowest, own.url.clone(), false)));
        }
    }
    found
}

/// The flag of an interaction, at its paint. `is_so_far` if the page was still open when the recording ended.
fn flag(own: &Interaction, url: String, is_so_far: bool) -> Option<Milestone> {
    let kind = MilestoneKind::InteractionToNextPaint;
    let (end, length) = own.end.zip(own.length())?;
    Some(Milestone {
        kind,
        is_soft: false,
        time: Some(end),
        since: None,
        value: Some(length),
        rating: kind.rate(length),
        is_main: true,
        page: own.page.clone(),
        url,
        thread: own.thread,
        marker: Some(own.presented_by.unwrap_or(own.marker)),
        navigation: None,
        is_so_far,
        is_prerendered: false,
        inactive: None,
        unknown: None,
        mark: String::new(),
    })
}
