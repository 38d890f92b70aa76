//! All samples of a thread.

use super::call_arguments::CallArguments;
use super::call_table::CallTable;
use super::jank::JankPeriods;
use super::marker_stacks::MarkerStacks;
use super::sample_table::SampleTable;
use crate::Column;
use crate::persist::persist;

/// All samples of a thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadSamples {
    /// CPU samples.
    pub cpu: SampleTable,
    /// Allocations of JavaScript objects, weighted by bytes.
    pub js_allocations: SampleTable,
    /// Native allocations, and deallocations with negative weights; weighted by bytes.
    pub native_allocations: SampleTable,
    /// Address of each native allocation, `u64::MAX` if unknown; empty if not recorded.
    pub native_addresses: Column<u64>,
    /// Stacks of markers.
    pub marker_stacks: MarkerStacks,
    /// Calls, if the importer also derives them from events; otherwise they follow from the samples.
    pub calls: Option<CallTable>,
    /// Periods in which the thread did not react to events.
    pub jank: JankPeriods,
    /// Arguments of calls, if the recording has them.
    pub arguments: CallArguments,
}
persist!(ThreadSamples {
    cpu,
    js_allocations,
    native_allocations,
    native_addresses,
    marker_stacks,
    calls,
    jank,
    arguments
});

impl ThreadSamples {
    /// True if there are no samples.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.cpu.is_empty()
            && self.js_allocations.is_empty()
            && self.native_allocations.is_empty()
            && self.marker_stacks.marker.is_empty()
    }

    /// True if there are samples or calls for a stack chart.
    #[must_use]
    #[inline]
    pub fn has_calls(&self) -> bool {
        !self.cpu.is_empty() || self.calls.as_ref().is_some_and(|calls| !calls.is_empty())
    }

    /// True if the columns are consistent, markers are below `markers` and stacks below `stacks`.
    #[must_use]
    pub fn is_consistent(&self, markers: usize, stacks: usize) -> bool {
        let own = &self.marker_stacks;
        let calls = self.calls.as_ref().is_none_or(|calls| {
            let lengths = [calls.end.len(), calls.stack.len(), calls.depth.len(), calls.sample.len()];
            lengths.iter().all(|length| *length == calls.len())
                && calls.stack.iter().all(|stack| stack.index() < stacks)
        });
        let addresses = self.native_addresses.len();
        [&self.cpu, &self.js_allocations, &self.native_allocations].iter().all(|table| table.is_consistent(stacks))
            && (addresses == 0 || addresses == self.native_allocations.len())
            && own.marker.len() == own.stack.len()
            && own.marker.len() == own.time.len()
            && own.marker.iter().all(|marker| marker.index() < markers)
            && own.stack.iter().all(|stack| stack.index() < stacks)
            && calls
            && self.jank.is_consistent()
            && self.arguments.is_consistent()
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables = [&self.cpu, &self.js_allocations, &self.native_allocations].map(SampleTable::bytes);
        tables.iter().sum::<usize>()
            + self.native_addresses.heap_bytes()
            + self.marker_stacks.bytes()
            + self.calls.as_ref().map_or(0, CallTable::bytes)
            + self.jank.bytes()
            + self.arguments.bytes()
    }
}
