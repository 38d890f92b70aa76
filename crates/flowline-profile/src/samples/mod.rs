//! Samples of threads, and the stacks that they refer to.
//!
//! A [`SampleTable`] lists the samples of a thread as columns; a sample refers to a stack in the recording-wide
//! [`StackTables`]. Stacks share their callers: each consists of a frame and its caller's stack. Functions are unique
//! in a recording, so that trees of several threads can be combined; frames and stacks may repeat.
//!
//! The model is that of the Firefox Profiler. It also fits the call frames of V8 and the function lists of other
//! profilers.

mod call_keys;
mod calls;
mod cpu_deltas;
mod export;
mod queries;
mod stacks;
mod tables;

use super::column::Column;
use super::ids::{LocalMarker, StackId};
use super::persist::persist;
use crate::Ns;
pub use call_keys::CallKey;
pub use calls::{CallColors, CallDisplay, CallRef, Implementation, SelectedCall};
pub use cpu_deltas::CpuDeltas;
pub use export::{Export, ListedStacks};
pub use queries::ANONYMOUS;
pub use stacks::{Frame, Func, FuncFlags, NativeSymbol, Resource, ResourceKind, ScriptSource, StackTables};
pub use tables::StackTablesBuilder;

/// Missing stack, line, column or other number in an integer column.
pub const NONE: u32 = u32::MAX;

/// Unit of sample weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightUnit {
    /// Number of samples.
    #[default]
    Samples,
    /// Nanoseconds.
    Nanoseconds,
    /// Microseconds.
    Microseconds,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// Numbers without a unit.
    Plain,
}
persist!(enum WeightUnit {
    0 => Samples, 1 => Nanoseconds, 2 => Microseconds, 3 => Milliseconds, 4 => Seconds, 5 => Bytes, 6 => Plain
});

impl WeightUnit {
    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Nanoseconds => "ns",
            Self::Microseconds => "us",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Bytes => "bytes",
            Self::Plain => "none",
        }
    }
}

/// The unit of CPU deltas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuUnit {
    /// Nanoseconds of CPU time.
    Nanoseconds,
    /// Microseconds of CPU time.
    Microseconds,
    /// CPU cycles of variable duration.
    Cycles,
}
persist!(enum CpuUnit { 0 => Nanoseconds, 1 => Microseconds, 2 => Cycles });

/// A stable order by time; `None` if the times are already in order.
#[must_use]
pub fn order_by_time(time: &[Ns]) -> Option<Vec<usize>> {
    if time.is_sorted() {
        return None;
    }
    let mut order: Vec<usize> = (0..time.len()).collect();
    order.sort_by_key(|at| time[*at]);
    Some(order)
}

/// Samples in time order.
#[derive(Clone, Debug, Default)]
pub struct SampleTable {
    /// Times, ascending, on the recording's clock.
    pub time: Column<Ns>,
    /// Stack of each sample; [`NONE`] if unknown.
    pub stack: Column<u32>,
    /// CPU time since the previous sample, in the recording's [`CpuUnit`]; empty if not recorded.
    cpu_delta: CpuDeltas,
    /// Weight of each sample; empty if each counts as one.
    pub weight: Column<f64>,
    /// Unit of the weights.
    pub weight_unit: WeightUnit,
}
persist!(SampleTable { time, stack, cpu_delta, weight, weight_unit });

impl SampleTable {
    /// Samples without CPU deltas and weights, sorted by time. Equal times keep their order.
    #[must_use]
    pub fn new(time: Vec<Ns>, stack: Vec<u32>) -> Self {
        Self::with_columns(time, stack, Vec::new(), Vec::new(), WeightUnit::Samples)
    }

    /// Samples from columns, sorted by time. Equal times keep their order. `cpu_delta` and `weight` are either empty or
    /// as long as `time`; a shorter column is filled with unknown values.
    #[must_use]
    pub fn with_columns(
        time: Vec<Ns>,
        stack: Vec<u32>,
        cpu_delta: Vec<Option<u64>>,
        weight: Vec<f64>,
        weight_unit: WeightUnit,
    ) -> Self {
        Self::with_deltas(time, stack, cpu_delta.into_iter().collect(), weight, weight_unit)
    }

    /// Same as [`SampleTable::with_columns`]. Columns that are already in order are kept unchanged.
    #[must_use]
    pub fn with_deltas(
        mut time: Vec<Ns>,
        mut stack: Vec<u32>,
        mut cpu_delta: CpuDeltas,
        mut weight: Vec<f64>,
        weight_unit: WeightUnit,
    ) -> Self {
        stack.resize(time.len(), NONE);
        if !cpu_delta.is_empty() {
            cpu_delta.resize(time.len());
        }
        if !weight.is_empty() {
            weight.resize(time.len(), 0.0);
        }
        if let Some(order) = order_by_time(&time) {
            time = order.iter().map(|at| time[*at]).collect();
            stack = order.iter().map(|at| stack[*at]).collect();
            if !cpu_delta.is_empty() {
                cpu_delta = order.iter().map(|at| cpu_delta.get(*at)).collect();
            }
            if !weight.is_empty() {
                weight = order.iter().map(|at| weight[*at]).collect();
            }
        }
        // Columns that grew during reading have unused capacity.
        time.shrink_to_fit();
        stack.shrink_to_fit();
        weight.shrink_to_fit();
        Self { time: time.into(), stack: stack.into(), cpu_delta, weight: weight.into(), weight_unit }
    }

    /// Number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// True if there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Stack of a sample.
    #[must_use]
    pub fn stack(&self, sample: usize) -> Option<StackId> {
        let stack = self.stack[sample];
        (stack != NONE).then_some(StackId(stack))
    }

    /// Weight of a sample: one if the recording does not specify it.
    #[must_use]
    pub fn weight(&self, sample: usize) -> f64 {
        self.weight.get(sample).copied().unwrap_or(1.0)
    }

    /// True if there are CPU deltas.
    #[must_use]
    pub fn has_cpu_deltas(&self) -> bool {
        !self.cpu_delta.is_empty()
    }

    /// CPU time since the previous sample, in the recording's unit; `None` if unknown.
    #[must_use]
    pub fn cpu_delta(&self, sample: usize) -> Option<u64> {
        self.cpu_delta.get(sample)
    }

    /// True if the columns are consistent and all stacks are below `stacks`.
    #[must_use]
    pub fn is_consistent(&self, stacks: usize) -> bool {
        let count = self.time.len();
        let optional = |length: usize| length == 0 || length == count;
        self.stack.len() == count
            && optional(self.cpu_delta.len())
            && optional(self.weight.len())
            && self.stack.iter().all(|stack| *stack == NONE || (*stack as usize) < stacks)
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.time.heap_bytes() + self.stack.heap_bytes() + self.cpu_delta.bytes() + self.weight.heap_bytes()
    }
}

/// The stacks of markers, ascending by marker.
#[derive(Clone, Debug, Default)]
pub struct MarkerStacks {
    /// Markers with a stack.
    pub marker: Column<LocalMarker>,
    /// The stack of each of these markers.
    pub stack: Column<StackId>,
    /// Time at which each stack was captured, on the recording's clock; `Ns(i64::MIN)` if unknown.
    pub time: Column<Ns>,
}
persist!(MarkerStacks { marker, stack, time });

impl MarkerStacks {
    /// Appends the stack of a marker, which must come after all previous markers.
    pub fn push(&mut self, marker: LocalMarker, stack: StackId, time: Option<Ns>) {
        self.marker.push(marker);
        self.stack.push(stack);
        self.time.push(time.unwrap_or(Ns(i64::MIN)));
    }

    /// The stack of a marker and the time at which it was captured.
    #[must_use]
    pub fn get(&self, marker: LocalMarker) -> Option<(StackId, Option<Ns>)> {
        let at = self.marker.binary_search(&marker).ok()?;
        Some((self.stack[at], Some(self.time[at]).filter(|time| *time != Ns(i64::MIN))))
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.marker.heap_bytes() + self.stack.heap_bytes() + self.time.heap_bytes()
    }
}

/// Function calls that an importer derived from samples and events together, sorted by start and then by descending
/// length: callers precede callees.
#[derive(Clone, Debug, Default)]
pub struct CallTable {
    /// Starts, ascending.
    pub start: Column<Ns>,
    /// Ends.
    pub end: Column<Ns>,
    /// The stack whose innermost frame is the call.
    pub stack: Column<StackId>,
    /// Number of calls that contain this call.
    pub depth: Column<u32>,
    /// The sample that began the call; [`NONE`] if an event began it.
    pub sample: Column<u32>,
}
persist!(CallTable { start, end, stack, depth, sample });

impl CallTable {
    /// Number of calls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// True if there are no calls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Appends a call, which must not begin before the previous ones.
    pub fn push(&mut self, [start, end]: [Ns; 2], stack: StackId, depth: u32, sample: u32) {
        self.start.push(start);
        self.end.push(end);
        self.stack.push(stack);
        self.depth.push(depth);
        self.sample.push(sample);
    }

    /// Releases unused capacity.
    pub fn shrink_to_fit(&mut self) {
        self.start.shrink_to_fit();
        self.end.shrink_to_fit();
        self.stack.shrink_to_fit();
        self.depth.shrink_to_fit();
        self.sample.shrink_to_fit();
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.start.heap_bytes()
            + self.end.heap_bytes()
            + self.stack.heap_bytes()
            + self.depth.heap_bytes()
            + self.sample.heap_bytes()
    }
}

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
}
persist!(ThreadSamples { cpu, js_allocations, native_allocations, native_addresses, marker_stacks, calls });

impl ThreadSamples {
    /// True if there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cpu.is_empty()
            && self.js_allocations.is_empty()
            && self.native_allocations.is_empty()
            && self.marker_stacks.marker.is_empty()
    }

    /// True if there are samples or calls for a stack chart.
    #[must_use]
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
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables = [&self.cpu, &self.js_allocations, &self.native_allocations].map(SampleTable::bytes);
        tables.iter().sum::<usize>()
            + self.native_addresses.heap_bytes()
            + self.marker_stacks.bytes()
            + self.calls.as_ref().map_or(0, CallTable::bytes)
    }
}
