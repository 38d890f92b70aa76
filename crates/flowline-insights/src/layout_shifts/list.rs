//! All layout shifts of a recording.

use super::layout_shift::{LayoutShift, ShiftCluster};
use flowline_index::{Derived, Index};

/// The layout shifts of a recording.
#[derive(Clone, Debug, Default)]
pub struct LayoutShifts {
    shifts: Vec<LayoutShift>,
    clusters: Vec<ShiftCluster>,
    is_recorded: bool,
    dropped: u32,
}

impl LayoutShifts {
    /// The layout shifts of an index; see [`Index::derived`].
    pub fn of(index: &Index) -> &Self {
        index.derived()
    }

    /// The layout shifts of an index, if they have been read.
    #[must_use]
    pub fn if_built(index: &Index) -> Option<&Self> {
        index.derived_if_built()
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

    /// True if the recording would contain shifts, had there been any.
    #[must_use]
    pub const fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// Number of shifts that were left out because a value is damaged.
    #[must_use]
    pub const fn dropped(&self) -> u32 {
        self.dropped
    }
}

impl Derived for LayoutShifts {
    fn derive(_index: &Index) -> Self {
        Self::default()
    }
}
