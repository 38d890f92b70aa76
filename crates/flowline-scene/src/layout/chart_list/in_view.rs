//! The filter that omits rows without contents in view.

use flowline_index::Index;
use flowline_profile::samples::CallTable;
use flowline_profile::{LocalMarker, MarkerId, Ns, SampleTable, Thread, ThreadId, TimeRange};
use flowline_view::ViewState;

/// Contents that keep a row in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InViewFilter {
    /// The visible range, which a marker must touch.
    pub range: TimeRange,
    /// The selected marker, whose row is always kept.
    pub selected: Option<MarkerId>,
}

impl InViewFilter {
    /// True if the list depends on the visible range: rows or flow lanes that are empty there are hidden.
    pub(crate) fn applies_to(view: &ViewState) -> bool {
        view.tracks.hide_empty_rows || view.flow_lanes.shown && !view.flow_lanes.outside
    }

    /// True if a row of markers, sorted by start and by end, has a marker in the range.
    pub(crate) fn shows(&self, thread: &Thread, row: &[LocalMarker]) -> bool {
        let first = row.partition_point(|marker| thread.markers.end(*marker) < self.range.start);
        row.get(first).is_some_and(|marker| thread.markers.start(*marker) <= self.range.end)
    }

    /// The selected marker, if it belongs to a thread.
    pub(crate) fn selected_in(&self, index: &Index, thread: ThreadId) -> Option<LocalMarker> {
        index.profile().locate(self.selected?).filter(|(of, _)| *of == thread).map(|(_, marker)| marker)
    }

    /// True if the time span of the samples or of the calls overlaps the range.
    fn shows_samples(&self, samples: &SampleTable, calls: Option<&CallTable>) -> bool {
        let touches = |first: Option<&Ns>, last: Option<&Ns>| {
            first.zip(last).is_some_and(|(first, last)| self.range.overlaps(*first, *last))
        };
        touches(samples.time.first(), samples.time.last())
            || calls.is_some_and(|calls| touches(calls.start.first(), calls.end.iter().max()))
    }

    /// True if a thread has a marker or a sample in view.
    pub(crate) fn shows_thread(&self, index: &Index, thread: ThreadId) -> bool {
        let (data, rows) = (index.profile().thread(thread), &index.summary(thread).rows);
        let samples = index.cpu().get(thread).and(data.samples.as_deref());
        let sampled = samples.is_some_and(|samples| self.shows_samples(&samples.cpu, samples.calls.as_ref()));
        sampled
            || (0..rows.len()).any(|row| self.shows(data, rows.row(row)))
            || self.selected_in(index, thread).is_some()
    }
}
