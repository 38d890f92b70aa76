//! The summary of the selected marker, updated when a part of its details arrives.

use std::sync::Arc;

use super::marker_card::MarkerCard;
use super::slice_analysis::SliceAnalyses;
use super::slice_details::SliceDetails;
use super::summary::{MarkerSummary, Subject};
use crate::tasks::{Job, PoolTask, Wake};
use flowline_index::Index;
use flowline_profile::{DisplayClock, MarkerId};

/// The state of the details that a summary depends on: the marker, the slice, whether its analysis is complete, and the
/// number of derived kinds of tracks.
type GlanceKey = (MarkerId, u64, bool, usize);

/// The summary of the selected marker, and the analysis that it needs.
pub(crate) struct Glance {
    analyses: SliceAnalyses,
    summary: Option<(GlanceKey, MarkerSummary)>,
}

impl Glance {
    /// `wake` is called when an analysis is ready.
    pub(crate) fn new(wake: Wake) -> Self {
        Self { analyses: SliceAnalyses::new(wake), summary: None }
    }

    /// Updates the summary for a marker with its card.
    pub(crate) fn follow(
        &mut self,
        index: &Arc<Index>,
        (marker, card): (MarkerId, &MarkerCard),
        slice: &SliceDetails,
        (derived, clock): (usize, DisplayClock),
    ) {
        self.analyses.follow(index, marker);
        let analysis = self.analyses.of(marker);
        let key = (marker, slice.revision(), analysis.is_some(), derived);
        if self.summary.as_ref().is_none_or(|(known, _)| *known != key) {
            let subject = Subject { index, marker, card, slice, analysis, clock };
            self.summary = Some((key, MarkerSummary::new(&subject)));
        }
    }

    /// Invalidates the summary after a change of its contents.
    pub(crate) fn forget(&mut self) {
        self.summary = None;
    }

    /// The summary of a marker.
    pub(crate) fn of(&self, marker: MarkerId) -> Option<&MarkerSummary> {
        self.summary.as_ref().filter(|((known, ..), _)| *known == marker).map(|(_, summary)| summary)
    }
}

impl Job for Glance {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        self.analyses.tasks()
    }

    fn poll(&mut self, index: &Arc<Index>) {
        self.analyses.poll(index);
    }
}
