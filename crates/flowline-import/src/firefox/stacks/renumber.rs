//! Renumbers the stacks of a thread's samples to recording-wide numbers.

use super::stack_columns::{Stacks, at};
use crate::firefox::threads::marker_stack::RawMarkerStack;
use crate::firefox::threads::sampled::{RawSamples, Sampled};
use crate::firefox::threads::sentinels::{NO_TIME, NONE};
use flowline_profile::samples::MarkerStacks;
use flowline_profile::{
    CpuDeltas, LocalMarker, Ns, SampleTable, StackId, StringTable, ThreadSamples, WarningKind, Warnings,
};

/// The samples of a thread, before they have recording-wide stack numbers.
pub(in crate::firefox) struct SampledThread<'a> {
    pub(in crate::firefox) sampled: Box<Sampled>,
    /// The markers with a stack, ascending.
    pub(in crate::firefox) markers: Vec<(LocalMarker, RawMarkerStack)>,
    pub(in crate::firefox) strings: &'a StringTable,
    pub(in crate::firefox) name: &'a str,
    pub(in crate::firefox) shift: Ns,
    /// The process's number.
    pub(in crate::firefox) process: usize,
}

/// Recording-wide numbers of the stacks of a table; [`NONE`] where there is none.
#[derive(Default)]
pub(super) struct Numbers {
    /// For stacks of samples.
    pub(super) own: Vec<u32>,
    /// For stacks whose innermost address is a return address, if these differ.
    pub(super) returned: Option<Vec<u32>>,
}

impl Numbers {
    fn of(&self, is_return: bool) -> &[u32] {
        self.returned.as_deref().filter(|_| is_return).unwrap_or(&self.own)
    }
}

/// Uses of a stack.
#[derive(Clone, Copy, Default)]
pub(super) struct StackUse {
    /// By samples.
    pub(super) own: bool,
    /// By callee stacks, markers or allocations.
    pub(super) returned: bool,
}

impl SampledThread<'_> {
    /// Number of samples and stacks of markers.
    pub(super) fn size(&self) -> usize {
        self.sampled.size()[0] + self.markers.len()
    }

    /// The uses of each stack of a raw profile.
    pub(super) fn uses(&self, stacks: &Stacks) -> Vec<StackUse> {
        let mut uses = vec![StackUse::default(); stacks.frame.len()];
        let sampled = &self.sampled;
        for stack in &sampled.cpu.stack {
            if let Some(used) = uses.get_mut(*stack as usize) {
                used.own = true;
            }
        }
        let taken = sampled.js_allocations.stack.iter().chain(&sampled.native_allocations.stack);
        let taken = taken.copied().chain(self.markers.iter().map(|(_, stack)| stack.stack));
        for stack in taken.chain(stacks.prefix.iter().copied()) {
            if let Some(used) = uses.get_mut(stack as usize) {
                used.returned = true;
            }
        }
        uses
    }

    /// The samples with recording-wide numbers.
    pub(super) fn finish(self, numbers: &Numbers, has_cpu_unit: bool, warnings: &mut Warnings) -> ThreadSamples {
        let Self { sampled, markers, name, shift, .. } = self;
        let Sampled { mut cpu, js_allocations, native_allocations, is_raw, is_damaged, traced, .. } = *sampled;
        cpu.sort();
        let arguments = traced.into_arguments(&cpu.arguments);
        let jank = std::mem::take(&mut cpu.jank).shifted(shift);
        let mut unknown = 0;
        let mut table = |mut samples: RawSamples, is_return| {
            let numbers = numbers.of(is_return);
            for stack in samples.stack.iter_mut().filter(|stack| **stack != NONE) {
                *stack = at(numbers, *stack as usize);
                unknown += u64::from(*stack == NONE);
            }
            if !has_cpu_unit || (is_raw && samples.cpu_delta.are_all_unknown()) {
                samples.cpu_delta = CpuDeltas::default();
            }
            samples.into_table(shift)
        };
        let cpu: SampleTable = table(cpu, false).0;
        let js_allocations = table(js_allocations, true).0;
        let (native_allocations, addresses) = table(native_allocations, true);
        let mut marker_stacks = MarkerStacks::default();
        let returned = numbers.of(true);
        for (marker, taken) in markers {
            match at(returned, taken.stack as usize) {
                NONE => unknown += 1,
                stack => {
                    let time = (taken.time != NO_TIME).then(|| taken.time + shift);
                    marker_stacks.push(marker, StackId(stack), time);
                }
            }
        }
        // If the text of a thread ends early, its tables may be missing.
        if !is_damaged {
            warnings
                .add_many(WarningKind::IndexOutOfRange, unknown, || format!("stacks of samples of thread \"{name}\""));
        }
        let native_addresses = addresses.into();
        let calls = None;
        ThreadSamples {
            cpu,
            js_allocations,
            native_allocations,
            native_addresses,
            marker_stacks,
            calls,
            jank,
            arguments,
        }
    }
}
