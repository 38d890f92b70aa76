//! The samples to export.

use super::super::{ANONYMOUS, SampleTable, StackTables};
use crate::{FuncId, Profile, StackId, ThreadId};
use flowline_format::TimeRange;

/// The samples to export.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// The recording.
    pub profile: &'a Profile,
    /// Threads whose samples are exported, in this order.
    pub threads: &'a [ThreadId],
    /// Only samples at or after its start and before its end; `None` for all.
    pub range: Option<TimeRange>,
}

impl<'a> Export<'a> {
    /// The tables that the samples refer to.
    pub(super) const fn stacks(&self) -> &'a StackTables {
        &self.profile.stacks
    }

    /// The samples of each thread with samples in the range: the table, and the range of rows.
    pub(super) fn tables(&self) -> impl Iterator<Item = (ThreadId, &'a SampleTable, std::ops::Range<usize>)> {
        let (profile, range) = (self.profile, self.range);
        self.threads.iter().filter_map(move |id| {
            let table = &profile.threads.get(id.index())?.samples.as_ref()?.cpu;
            let part = match range {
                Some(range) => {
                    let before = |end| table.time.partition_point(|time| *time < end);
                    before(range.start)..before(range.end)
                }
                None => 0..table.len(),
            };
            (!part.is_empty()).then_some((*id, table, part))
        })
    }

    /// Flags of the used stacks: those of samples, and their callers.
    pub(super) fn used(&self) -> Vec<bool> {
        let stacks = self.stacks();
        let mut used = vec![false; stacks.len()];
        for (_, table, part) in self.tables() {
            for stack in part.filter_map(|sample| table.stack(sample)) {
                used[stack.index()] = true;
            }
        }
        // Callers precede callees.
        for stack in (0..used.len()).rev() {
            if let Some(caller) = stacks.caller(StackId::new(stack)).filter(|_| used[stack]) {
                used[caller.index()] = true;
            }
        }
        used
    }

    /// Used stacks, callers first.
    pub(super) fn used_stacks(&self) -> impl Iterator<Item = StackId> {
        self.used().into_iter().enumerate().filter(|(_, used)| *used).map(|(stack, _)| StackId::new(stack))
    }

    /// Name of a function.
    pub(super) fn name(&self, func: FuncId) -> &'a str {
        match self.stacks().name(func) {
            "" => ANONYMOUS,
            name => name,
        }
    }
}
