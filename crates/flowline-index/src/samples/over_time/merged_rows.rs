//! The stack of a thread's markers and calls: each is inside the shortest one that contains it, whichever kind that is.
//!
//! Markers and calls keep row lists of their own, with common row numbers: row 3 of the markers and row 3 of the calls are
//! one row of the chart, on which nothing overlaps. So everything that works on rows of markers or on stack charts works on
//! both parts.

use std::cmp::Reverse;

use super::stack_chart::StackChart;
use crate::rows::{FirstFit, Overlap, RowSource, ThreadLayout, ThreadRows, has_stack_of_both, stacked_attributes};
use flowline_profile::samples::NONE;
use flowline_profile::{CallRef, Implementation, LocalMarker, Profile, ThreadId};

/// Rows of the markers and of the calls of a thread.
#[derive(Debug)]
pub struct MergedRows {
    /// Rows of the markers; those without markers have calls.
    pub layout: ThreadLayout,
    /// Rows of the calls.
    pub calls: StackChart,
}

/// An interval to be stacked.
struct Entry {
    start: i64,
    end: i64,
    /// Number of the marker or of the call.
    number: u32,
    is_call: bool,
}

/// A row for each entry; entries are in order.
fn nest(entries: &[Entry]) -> Vec<usize> {
    let mut fit = FirstFit::new();
    // As for markers alone: intervals that may contain later ones, by descending end.
    let mut open: Vec<(i64, usize)> = Vec::new();
    let place = |entry: &Entry| {
        while open.pop_if(|(end, _)| *end < entry.end).is_some() {}
        let least = open.last().map_or(0, |(_, row)| row + 1);
        let row = fit.place_from(least, entry.start, entry.end);
        if entry.end > entry.start {
            open.push((entry.end, row));
        }
        row
    };
    entries.iter().map(place).collect()
}

impl MergedRows {
    /// The calls that are stacked with the markers of a thread; `None` if the thread has only one kind of entry.
    #[must_use]
    pub fn functions(profile: &Profile, thread: ThreadId) -> Option<Implementation> {
        let data = profile.thread(thread);
        let given = data.samples.as_ref().is_some_and(|samples| samples.calls.is_some());
        has_stack_of_both(profile, data).then_some(if given { Implementation::All } else { Implementation::Folded })
    }

    /// Stacks the markers for which `is_shown` is true and the calls that are not `hidden`, which must be ascending.
    pub(crate) fn build(
        source: RowSource<'_>,
        thread: ThreadId,
        chart: &StackChart,
        is_shown: &dyn Fn(LocalMarker) -> bool,
        hidden: &[u32],
    ) -> Self {
        let (profile, data) = (source.profile, source.profile.thread(thread));
        let (nests, attributes) = (stacked_attributes(profile, data), data.markers.attributes());
        let (mut entries, mut named) = (Vec::new(), Vec::new());
        for marker in (0..data.markers.len()).map(LocalMarker::new).filter(|marker| is_shown(*marker)) {
            if nests[attributes.number(marker.index())] {
                let range = data.markers.range(marker);
                entries.push(Entry { start: range.start.0, end: range.end.0, number: marker.0, is_call: false });
            } else {
                named.push(marker);
            }
        }
        let calls = chart.calls(profile);
        for (number, (start, end)) in (0_u32..).zip(calls.start.iter().zip(&calls.end)) {
            if hidden.binary_search(&number).is_err() {
                entries.push(Entry { start: start.0, end: end.0.max(start.0), number, is_call: true });
            }
        }
        // As in trees: of equal extents, calls come before events.
        entries.sort_by_key(|entry| (entry.start, Reverse(entry.end), !entry.is_call, entry.number));
        let places = nest(&entries);
        let count = places.iter().max().map_or(0, |row| row + 1);
        let mut markers: Vec<Vec<LocalMarker>> = vec![Vec::new(); count];
        let (mut row_of, mut order) = (vec![0; calls.len()], Vec::new());
        for (entry, row) in entries.iter().zip(places) {
            if entry.is_call {
                row_of[entry.number as usize] = u32::try_from(row).unwrap_or(NONE);
                order.push(entry.number);
            } else {
                markers[row].push(LocalMarker(entry.number));
            }
        }
        let rows = ThreadRows::of_stack(profile, data, markers, named);
        let layout = ThreadLayout::from_rows(source, data, rows, Overlap::None);
        Self { layout, calls: chart.on_rows(&row_of, &order, count) }
    }

    /// Row of a call; `None` for calls of other charts and hidden ones.
    #[must_use]
    pub fn row_of_call(&self, profile: &Profile, call: CallRef) -> Option<usize> {
        let is_here = call.functions == self.calls.functions && call.thread == self.calls.thread();
        self.calls.find(profile, call.call).filter(|_| is_here).map(|(row, _)| row)
    }
}
