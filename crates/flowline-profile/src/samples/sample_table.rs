//! The samples of one kind, as columns.

use super::cpu_deltas::CpuDeltas;
use super::missing::NONE;
use super::units::WeightUnit;
use crate::persist::persist;
use crate::{Column, StackId};
use flowline_format::Ns;

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
    /// CPU time since the previous sample, in the recording's [`super::CpuUnit`]; empty if not recorded.
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
    #[inline]
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
    #[inline]
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// True if there are no samples.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Stack of a sample.
    #[must_use]
    #[inline]
    pub fn stack(&self, sample: usize) -> Option<StackId> {
        let stack = self.stack[sample];
        (stack != NONE).then_some(StackId(stack))
    }

    /// Weight of a sample: one if the recording does not specify it.
    #[must_use]
    #[inline]
    pub fn weight(&self, sample: usize) -> f64 {
        self.weight.get(sample).copied().unwrap_or(1.0)
    }

    /// True if there are CPU deltas.
    #[must_use]
    #[inline]
    pub fn has_cpu_deltas(&self) -> bool {
        !self.cpu_delta.is_empty()
    }

    /// CPU time since the previous sample, in the recording's unit; `None` if unknown.
    #[must_use]
    #[inline]
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
    #[inline]
    pub fn bytes(&self) -> usize {
        self.time.heap_bytes() + self.stack.heap_bytes() + self.cpu_delta.bytes() + self.weight.heap_bytes()
    }
}
