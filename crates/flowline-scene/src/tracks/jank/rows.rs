//! The periods of each process as entries of a row.

use std::collections::BTreeMap;

use crate::tracks::timed_row::TimedEntry;
use flowline_format::format_duration_ns;
use flowline_index::{Derived, Index, Packed, Style};
use flowline_insights::jank::{JankPeriod, JankPeriodList};
use flowline_profile::ProcessId;

/// Key of the kind.
pub(super) const KEY: &str = "jank";

/// The rows of all processes. The number of an entry is its position among all periods.
#[derive(Clone, Debug, Default)]
pub(super) struct JankRows(BTreeMap<ProcessId, Vec<TimedEntry>>);

impl JankRows {
    /// The row of a process, by start and without overlap.
    pub(super) fn row(&self, process: ProcessId) -> Option<&[TimedEntry]> {
        self.0.get(&process).map(Vec::as_slice)
    }
}

/// The periods with the rows, if both are built.
pub(super) fn built(index: &Index) -> Option<(&JankPeriodList, &JankRows)> {
    JankPeriodList::if_built(index).zip(JankRows::if_built(index))
}

impl Derived for JankRows {
    fn derive(index: &Index) -> Self {
        let (clock, list) = (index.clock(), JankPeriodList::of(index));
        let row = |(process, periods): (ProcessId, &[JankPeriod])| {
            let first = list.first(process).unwrap_or_default();
            let entry = |(at, own): (usize, &JankPeriod)| {
                let packed = Packed::new(clock.tick(own.times.start), clock.tick(own.times.end), Style::default());
                TimedEntry { number: u32::try_from(first + at).unwrap_or(u32::MAX), packed }
            };
            (process, periods.iter().enumerate().map(entry).collect())
        };
        Self(list.processes().map(row).collect())
    }
}

/// "120 ms, reflow, app.js:14".
pub(super) fn label(own: &JankPeriod) -> String {
    let length = format_duration_ns(own.times.len());
    own.ran.as_ref().map_or_else(|| length.clone(), |ran| format!("{length}, {}", ran.name))
}
