//! The rows that stacks take: as many as the visible range needs. A stack that is deep elsewhere leaves no empty rows.

use std::collections::BTreeMap;

use super::in_view::InViewFilter;
use crate::tracks::thread::StackCalls;
use flowline_index::hidden::FilteredRows;
use flowline_index::{Group, GroupKind, Index, ThreadLayout};
use flowline_profile::{Arrangement, Implementation, ThreadId, TimeRange};
use flowline_view::Tracks;

/// The stacks of expanded threads with fewer rows in the visible range than in the recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackRows {
    /// Rows of the stack of each thread.
    stacks: BTreeMap<ThreadId, u32>,
    /// Rows of the stack chart of each thread.
    charts: BTreeMap<ThreadId, u32>,
}

impl StackRows {
    /// The rows that the stacks of expanded threads need. The row of the selected marker is always needed.
    #[must_use]
    pub fn needed(
        (index, shown): (&Index, &FilteredRows),
        tracks: &Tracks,
        (arrangement, calls): (Arrangement, Implementation),
        view: InViewFilter,
    ) -> Self {
        let mut needed = Self::default();
        for thread in tracks.expanded.iter().copied() {
            let layout = shown.layout(index, arrangement, thread);
            let rows = layout.and_then(|layout| of_stack((index, shown), arrangement, thread, layout, view));
            needed.stacks.extend(rows.map(|rows| (thread, rows)));
            let chart = tracks.stack_charts.contains(&thread).then(|| shown.chart(index, calls, thread)).flatten();
            let rows = chart.and_then(|chart| {
                let shows = |row: usize| chart.shows(index.profile(), row, view.range);
                fewer(chart.rows().len(), shows)
            });
            needed.charts.extend(rows.map(|rows| (thread, rows)));
        }
        needed
    }

    /// The number of rows of a thread's stack that are listed, of all that it has.
    pub(crate) fn of_stack(&self, thread: ThreadId, all: u32) -> u32 {
        self.stacks.get(&thread).map_or(all, |needed| all.min(*needed))
    }

    /// The number of rows of a thread's stack chart that are listed, of all that it has.
    pub(crate) fn of_chart(&self, thread: ThreadId, all: u32) -> u32 {
        self.charts.get(&thread).map_or(all, |needed| all.min(*needed))
    }
}

/// The number of rows of a thread's stack that a range needs, if these are not all.
#[must_use]
pub fn stack_rows_in(
    rows_of: (&Index, &FilteredRows),
    arrangement: Arrangement,
    thread: ThreadId,
    range: TimeRange,
) -> Option<u32> {
    let layout = rows_of.1.layout(rows_of.0, arrangement, thread)?;
    of_stack(rows_of, arrangement, thread, layout, InViewFilter { range, selected: None })
}

fn of_stack(
    (index, shown): (&Index, &FilteredRows),
    arrangement: Arrangement,
    thread: ThreadId,
    layout: &ThreadLayout,
    view: InViewFilter,
) -> Option<u32> {
    let stack: &Group = layout.rows.groups.iter().find(|group| group.kind == GroupKind::Stack)?;
    let data = index.profile().thread(thread);
    let calls = StackCalls::new((index, shown), arrangement, None, thread);
    let selected = view.selected_in(index, thread).and_then(|marker| layout.find(data, marker)).map(|(row, _)| row);
    let shows = |row: usize| {
        let row = stack.first_row as usize + row;
        selected == Some(row) || view.shows(data, layout.rows.row(row)) || calls.shows(row, view)
    };
    fewer(stack.rows as usize, shows)
}

/// The number of rows down to the last one that is shown, at least one; `None` for all.
fn fewer(rows: usize, shows: impl Fn(usize) -> bool) -> Option<u32> {
    let needed = (0..rows).rev().find(|row| shows(*row)).map_or(1, |row| row + 1);
    (needed < rows).then(|| u32::try_from(needed).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::fewer;

    #[test]
    fn rows_are_needed_down_to_the_last_one_with_contents() {
        let shows = [true, false, true, false, false];
        assert_eq!(fewer(5, |row| shows[row]), Some(3));
        assert_eq!(fewer(3, |row| shows[row]), None);
        assert_eq!((fewer(4, |_| false), fewer(1, |_| false), fewer(0, |_| false)), (Some(1), None, None));
    }
}
