//! `stack_sample` and `stack_frame`.

use std::ops::Range;

use flowline_profile::samples::{NONE, SampleTable};
use flowline_profile::{CpuUnit, Profile, StackId, ThreadId};

use super::bounds::Bounds;
use super::builders::{Cell, Columns};
use super::counters::times_within;
use super::listed::Lists;
use crate::recording::Recording;
use crate::schema::{STACK_FRAME, STACK_SAMPLE, TableSpec};

/// The CPU samples of threads.
#[derive(Debug)]
pub(crate) struct StackSamples;

/// The frames of stacks.
#[derive(Debug)]
pub(crate) struct StackFrames;

fn table(profile: &Profile, thread: usize) -> Option<&SampleTable> {
    profile.threads[thread].samples.as_ref().map(|samples| &samples.cpu)
}

/// Nanoseconds of a CPU delta; `None` if the recording counts cycles.
fn cpu_ns(profile: &Profile, delta: u64) -> Option<i64> {
    let factor = match profile.meta.cpu_unit {
        Some(CpuUnit::Cycles) => return None,
        Some(CpuUnit::Microseconds) => 1000,
        Some(CpuUnit::Nanoseconds) | None => 1,
    };
    i64::try_from(delta.checked_mul(factor)?).ok()
}

impl Lists for StackSamples {
    const SPEC: &'static TableSpec = STACK_SAMPLE;

    fn lengths(recording: &Recording) -> Vec<usize> {
        let profile = recording.profile();
        (0..profile.threads.len()).map(|thread| table(profile, thread).map_or(0, SampleTable::len)).collect()
    }

    fn part(recording: &Recording, list: usize, length: usize, bounds: &Bounds) -> Range<usize> {
        let (low, high) = bounds.get("utid");
        let Some(table) = table(recording.profile(), list) else { return 0..0 };
        if !(low..=high).contains(&i64::from(ThreadId::new(list).0)) {
            return 0..0;
        }
        times_within(length, bounds, |at| table.time[at].0)
    }

    fn push(recording: &Recording, list: usize, rows: &mut dyn Iterator<Item = usize>, to: &mut Columns) {
        let profile = recording.profile();
        let Some(table) = table(profile, list) else { return };
        for row in rows {
            let stack = table.stack(row);
            let category = stack.map(|stack| profile.category_name(profile.stacks.category_of(stack)));
            // The time before the first sample is not part of the recording.
            let delta = if row == 0 { None } else { table.cpu_delta(row) };
            to.push(&[
                recording.id().into(),
                table.time[row].0.into(),
                Cell::number(ThreadId::new(list).0),
                delta.and_then(|delta| cpu_ns(profile, delta)).into(),
                table.weight(row).into(),
                stack.map(|stack| i64::from(stack.0)).into(),
                category.into(),
            ]);
        }
    }
}

/// The stacks of samples, ascending.
fn sampled(profile: &Profile) -> Vec<bool> {
    let mut found = vec![false; profile.stacks.len()];
    for table in (0..profile.threads.len()).filter_map(|thread| table(profile, thread)) {
        for stack in table.stack.iter().filter(|stack| **stack != NONE) {
            found[*stack as usize] = true;
        }
    }
    found
}

impl Lists for StackFrames {
    const SPEC: &'static TableSpec = STACK_FRAME;

    fn lengths(recording: &Recording) -> Vec<usize> {
        let stacks = &recording.profile().stacks;
        let depth = |(stack, is_sampled): (usize, bool)| {
            if is_sampled { stacks.walk(StackId::new(stack)).count() } else { 0 }
        };
        sampled(recording.profile()).into_iter().enumerate().map(depth).collect()
    }

    fn part(_: &Recording, list: usize, length: usize, bounds: &Bounds) -> Range<usize> {
        let (low, high) = bounds.get("stack_id");
        if (low..=high).contains(&i64::from(StackId::new(list).0)) { 0..length } else { 0..0 }
    }

    fn push(recording: &Recording, list: usize, rows: &mut dyn Iterator<Item = usize>, to: &mut Columns) {
        let stacks = &recording.profile().stacks;
        let walk: Vec<StackId> = stacks.walk(StackId::new(list)).collect();
        for row in rows {
            let frame = stacks.frame(walk[row]);
            let func = &stacks.funcs[frame.func.index()];
            let line = [frame.line, func.line].into_iter().find(|line| *line != NONE);
            let library = stacks.resource(frame.func).map(|(_, name)| name);
            to.push(&[
                recording.id().into(),
                Cell::number(StackId::new(list).0),
                i64::try_from(row).unwrap_or(i64::MAX).into(),
                stacks.name(frame.func).into(),
                Cell::known(stacks.file(frame.func)),
                line.map(i64::from).into(),
                library.into(),
            ]);
        }
    }
}
