//! All layout shifts of a recording.

use super::chrome;
use super::clusters::clusters;
use super::layout_shift::{LayoutShift, ShiftCluster};
use crate::dropped::Dropped;
use crate::page::Page;
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, Profile};

/// The layout shifts of a recording.
#[derive(Clone, Debug, Default)]
pub struct LayoutShifts {
    shifts: Vec<LayoutShift>,
    clusters: Vec<ShiftCluster>,
    /// The markers of the shifts with their positions, by marker.
    by_marker: Vec<(MarkerId, u32)>,
    is_recorded: bool,
    dropped: Dropped,
}

impl LayoutShifts {
    /// True if a recording may have layout shifts. This reads no markers.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        profile.source.holds_events() && profile.strings.find(chrome::NAME).is_some()
    }

    /// All shifts by time.
    #[must_use]
    pub fn shifts(&self) -> &[LayoutShift] {
        &self.shifts
    }

    /// All clusters by time.
    #[must_use]
    pub fn clusters(&self) -> &[ShiftCluster] {
        &self.clusters
    }

    /// The cluster with the greatest score among those of a navigation.
    #[must_use]
    pub fn worst(&self, navigation: Option<u32>) -> Option<&ShiftCluster> {
        let own = self.clusters.iter().filter(|own| own.navigation == navigation);
        own.reduce(|worst, own| if own.score > worst.score { own } else { worst })
    }

    /// The cumulative layout shift of a navigation, or of the time before the first one: the greatest score of its clusters.
    /// `None` if it is unknown.
    #[must_use]
    pub fn score(&self, navigation: Option<u32>) -> Option<f64> {
        let score = self.worst(navigation).map_or(0.0, |worst| worst.score);
        self.unknown(navigation).is_none().then_some(score)
    }

    /// Why the cumulative layout shift of a navigation is unknown.
    #[must_use]
    pub fn unknown(&self, navigation: Option<u32>) -> Option<&'static str> {
        let mut own = self.clusters.iter().filter(|own| own.navigation == navigation).peekable();
        if own.peek().is_none() && !self.is_recorded {
            return Some("no event of the category loading: record this category");
        }
        own.any(|own| own.unweighted > 0)
            .then_some("shifts of frames inside the page have no weight (Chrome before version 90)")
    }

    /// Position of the shift that a marker states.
    #[must_use]
    pub fn of_marker(&self, marker: MarkerId) -> Option<usize> {
        let at = self.by_marker.binary_search_by_key(&marker, |(own, _)| *own).ok()?;
        Some(self.by_marker[at].1 as usize)
    }

    /// True if the recording would contain shifts, had there been any.
    #[must_use]
    pub const fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// Shifts that were left out because a value is damaged.
    #[must_use]
    pub const fn dropped(&self) -> Dropped {
        self.dropped
    }
}

impl Derived for LayoutShifts {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let is_recorded = profile.source.holds_events() && chrome::is_recorded(profile);
        if !Self::may_have(profile) {
            return Self { is_recorded, ..Self::default() };
        }
        let (mut shifts, dropped) = chrome::read(profile);
        let page = Page::of(index);
        let navigations: Vec<(Ns, Option<u32>)> = page.main_navigations().map(|own| (own.time, own.number)).collect();
        let clusters = clusters(&mut shifts, &navigations, profile.meta.range.end);
        let mut by_marker: Vec<(MarkerId, u32)> = (0..).zip(&shifts).map(|(at, own)| (own.marker, at)).collect();
        by_marker.sort_unstable();
        Self { shifts, clusters, by_marker, is_recorded, dropped }
    }
}
