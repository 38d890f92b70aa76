//! Samples of one thread as read, before threads are joined; shared by raw and processed profiles.

use super::marker_stack::RawMarkerStack;
use super::sentinels::{NO_TIME, NONE};
use super::traced_values::TracedValues;
use crate::firefox::stacks::{Location, StackColumns};
use flowline_profile::samples::{JankPeriods, WeightUnit, order_by_time};
use flowline_profile::{CpuDeltas, Ns, SampleTable, WarningKind, Warnings};

/// Samples as columns; times are on the process's clock.
#[derive(Debug, Default)]
pub(in crate::firefox) struct RawSamples {
    pub(in crate::firefox) time: Vec<Ns>,
    pub(in crate::firefox) stack: Vec<u32>,
    pub(in crate::firefox) cpu_delta: CpuDeltas,
    pub(in crate::firefox) weight: Vec<f64>,
    pub(in crate::firefox) unit: WeightUnit,
    /// Addresses of allocated or released memory.
    pub(in crate::firefox) address: Vec<u64>,
    /// Places of the arguments of calls, [`NONE`] where there are none; empty if the table has no such column.
    pub(in crate::firefox) arguments: Vec<u32>,
    /// Number of CPU times that are not numbers or do not fit.
    pub(in crate::firefox) bad_deltas: u64,
    /// Periods in which the thread did not react to events.
    pub(in crate::firefox) jank: JankPeriods,
}

/// All samples of a thread, and the tables with its stacks.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Sampled {
    pub(in crate::firefox) cpu: RawSamples,
    pub(in crate::firefox) js_allocations: RawSamples,
    pub(in crate::firefox) native_allocations: RawSamples,
    /// Stacks of markers, ascending by payload once all are read.
    pub(in crate::firefox) marker_stacks: Vec<RawMarkerStack>,
    /// Frames and stacks of this thread; empty if the recording's threads share them.
    pub(in crate::firefox) stacks: StackColumns,
    /// Raw profiles: parsed names of the frames, in order of appearance.
    pub(in crate::firefox) locations: Vec<Location>,
    pub(in crate::firefox) is_raw: bool,
    /// The values that arguments of calls refer to.
    pub(in crate::firefox) traced: TracedValues,
    /// True if the text of the thread is damaged or ends early.
    pub(in crate::firefox) is_damaged: bool,
}

impl RawSamples {
    pub(in crate::firefox) fn len(&self) -> usize {
        self.time.len()
    }

    /// First and last time.
    pub(in crate::firefox) fn range(&self) -> Option<(Ns, Ns)> {
        self.time.iter().fold(None, |range, &time| {
            Some(range.map_or((time, time), |(first, last): (Ns, Ns)| (first.min(time), last.max(time))))
        })
    }

    /// Equalizes the column lengths and removes samples without a valid time. Columns of a damaged thread may end
    /// anywhere.
    pub(in crate::firefox) fn finish(&mut self, place: impl Fn() -> String, is_damaged: bool, warnings: &mut Warnings) {
        let mut count = self.time.len();
        let mut is_uneven = false;
        for length in
            [self.stack.len(), self.cpu_delta.len(), self.weight.len(), self.address.len(), self.arguments.len()]
        {
            is_uneven |= length != count && length > 0;
        }
        if !self.stack.is_empty() {
            count = count.min(self.stack.len());
        }
        if is_uneven && !is_damaged {
            warnings.add(WarningKind::ColumnLength, &place);
        }
        self.time.truncate(count);
        self.stack.resize(count, NONE);
        if !self.cpu_delta.is_empty() {
            self.cpu_delta.resize(count);
        }
        if !self.weight.is_empty() {
            self.weight.resize(count, 0.0);
        }
        if !self.address.is_empty() {
            self.address.resize(count, u64::MAX);
        }
        if !self.arguments.is_empty() {
            self.arguments.resize(count, NONE);
        }
        let limit = Ns(-Ns::LIMIT)..=Ns(Ns::LIMIT);
        let is_valid = |time: &Ns| *time != NO_TIME && limit.contains(time);
        let kept: Vec<usize> = if self.time.iter().all(is_valid) {
            Vec::new()
        } else {
            let kept: Vec<usize> = (0..count).filter(|at| is_valid(&self.time[*at])).collect();
            warnings.add_many(WarningKind::BadTime, (count - kept.len()) as u64, &place);
            kept
        };
        if count > 0 && (!kept.is_empty() || !self.time.iter().any(is_valid)) {
            self.select(&kept);
        }
        for weight in &mut self.weight {
            if !weight.is_finite() {
                *weight = 0.0;
            }
        }
        warnings.add_many(WarningKind::BadDelta, self.bad_deltas, &place);
        if !self.time.is_sorted() {
            warnings.add(WarningKind::SampleOrder, &place);
        }
    }

    /// Keeps these samples, in this order.
    fn select(&mut self, kept: &[usize]) {
        self.time = kept.iter().map(|at| self.time[*at]).collect();
        self.stack = kept.iter().map(|at| self.stack[*at]).collect();
        if !self.cpu_delta.is_empty() {
            self.cpu_delta = kept.iter().map(|at| self.cpu_delta.get(*at)).collect();
        }
        if !self.weight.is_empty() {
            self.weight = kept.iter().map(|at| self.weight[*at]).collect();
        }
        if !self.address.is_empty() {
            self.address = kept.iter().map(|at| self.address[*at]).collect();
        }
        if !self.arguments.is_empty() {
            self.arguments = kept.iter().map(|at| self.arguments[*at]).collect();
        }
    }

    /// Puts the samples in the order of their times.
    pub(in crate::firefox) fn sort(&mut self) {
        if let Some(order) = order_by_time(&self.time) {
            self.select(&order);
        }
    }

    /// The table on the recording's clock, and the addresses.
    pub(in crate::firefox) fn into_table(mut self, shift: Ns) -> (SampleTable, Vec<u64>) {
        self.sort();
        if shift != Ns(0) {
            self.time.iter_mut().for_each(|time| *time = *time + shift);
        }
        let table = SampleTable::with_deltas(self.time, self.stack, self.cpu_delta, self.weight, self.unit);
        (table, self.address)
    }
}

impl Sampled {
    /// Number of samples and stacks, for memory estimates.
    pub(in crate::firefox) fn size(&self) -> [usize; 2] {
        let samples = self.cpu.len() + self.js_allocations.len() + self.native_allocations.len();
        [samples, self.stacks.stack_count() + self.stacks.frame_count()]
    }

    /// Checks all samples of the thread with this name.
    pub(in crate::firefox) fn finish(&mut self, thread: &str, is_damaged: bool, warnings: &mut Warnings) {
        self.is_damaged = is_damaged;
        let tables = [
            (&mut self.cpu, "samples"),
            (&mut self.js_allocations, "jsAllocations"),
            (&mut self.native_allocations, "nativeAllocations"),
        ];
        for (table, what) in tables {
            table.finish(|| format!("{what} of thread \"{thread}\""), is_damaged, warnings);
        }
    }

    /// The stack of the marker with this payload.
    pub(in crate::firefox) fn marker_stack(&self, payload: u64) -> Option<&RawMarkerStack> {
        let found = self.marker_stacks.binary_search_by_key(&payload, |stack| stack.payload).ok()?;
        Some(&self.marker_stacks[found])
    }
}
