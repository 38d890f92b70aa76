//! Search hits among the functions of samples.

use rayon::prelude::*;

use super::stack_chart::{CallRows, StackChart, pyramids};
use crate::colors::CallPalette;
use crate::rows::{Clock, Pyramid};
use crate::samples::arguments::MatchingArguments;
use crate::search::Query;
use flowline_profile::samples::NONE;
use flowline_profile::{FuncId, Implementation, Profile, StackId, Thread, ThreadId};

/// Rows of the matching calls of a thread.
#[derive(Debug)]
struct MatchingRows {
    choice: Implementation,
    rows: CallRows,
    pyramids: Vec<Pyramid>,
}

/// The stacks, threads and calls with functions that match a search.
#[derive(Debug, Default)]
pub struct MatchingCalls {
    /// By stack: true if one of its functions matches; empty if no function matches.
    stacks: Vec<bool>,
    /// By thread: true if it ran a matching function.
    threads: Vec<bool>,
    rows: Vec<Option<MatchingRows>>,
}

impl MatchingCalls {
    pub(crate) fn new<'a>(
        profile: &Profile,
        clock: Clock,
        query: &Query,
        palette: CallPalette<'_>,
        chart: &(dyn Fn(ThreadId) -> Option<&'a StackChart> + Sync),
    ) -> Self {
        let tables = &profile.stacks;
        let funcs: Vec<bool> = (0..tables.funcs.len())
            .into_par_iter()
            .map(|func| query.matches_name(tables.name(FuncId::new(func))))
            .collect();
        let arguments: Vec<MatchingArguments> = (0..profile.threads.len())
            .into_par_iter()
            .map(|thread| MatchingArguments::new(profile, ThreadId::new(thread), query))
            .collect();
        let has_arguments = arguments.iter().any(MatchingArguments::any);
        if !funcs.contains(&true) && !has_arguments {
            return Self::default();
        }
        let is_found = |stack: StackId| funcs[tables.func(stack).index()];
        let mut stacks: Vec<bool> = Vec::with_capacity(tables.len());
        for (stack, prefix) in tables.prefix.iter().enumerate() {
            let of_caller = stacks.get(*prefix as usize).copied().unwrap_or(false);
            stacks.push(of_caller || is_found(StackId::new(stack)));
        }
        let ran = |thread: &Thread| {
            let Some(samples) = &thread.samples else { return false };
            let mut sampled = samples.cpu.stack.iter().filter(|stack| **stack != NONE);
            sampled.any(|stack| stacks[*stack as usize])
                || samples.calls.as_ref().is_some_and(|calls| calls.stack.iter().any(|stack| stacks[stack.index()]))
        };
        let threads = profile.threads.par_iter().zip(&arguments).with_max_len(1);
        let threads: Vec<bool> = threads.map(|(thread, own)| ran(thread) || own.any()).collect();
        let rows_of = |(thread, ran): (usize, &bool)| {
            let chart = chart(ThreadId::new(thread)).filter(|_| *ran)?;
            let calls = chart.calls(profile);
            let rows = chart.rows().filtered(|call| {
                let by_arguments = arguments[thread].of_call(calls, call as usize);
                by_arguments.unwrap_or_else(|| is_found(calls.stack[call as usize]))
            });
            let pyramids = pyramids(calls, palette, clock, &rows);
            let choice = chart.functions;
            Some(MatchingRows { choice, rows, pyramids })
        };
        let rows = threads.par_iter().enumerate().with_max_len(1).map(rows_of).collect();
        Self { stacks, threads, rows }
    }

    /// True if no thread ran a matching function.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        !self.threads.contains(&true)
    }

    /// Threads that ran a matching function.
    #[inline]
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> {
        self.threads.iter().enumerate().filter(|(_, ran)| **ran).map(|(thread, _)| ThreadId::new(thread))
    }

    /// True if a thread ran a matching function.
    #[must_use]
    #[inline]
    pub fn has(&self, thread: ThreadId) -> bool {
        self.threads.get(thread.index()) == Some(&true)
    }

    /// True if a function of a stack matches.
    #[must_use]
    #[inline]
    pub fn has_stack(&self, stack: StackId) -> bool {
        self.stacks.get(stack.index()) == Some(&true)
    }

    /// Matching calls of a thread, by the rows of its chart; `None` if the chart was not built at the time of the
    /// search.
    #[must_use]
    #[inline]
    pub fn rows(&self, thread: ThreadId) -> Option<(Implementation, &CallRows, &[Pyramid])> {
        let found = self.rows.get(thread.index())?.as_ref()?;
        Some((found.choice, &found.rows, &found.pyramids))
    }
}
