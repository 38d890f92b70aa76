//! The stack charts of all threads of a recording.

use std::sync::OnceLock;

use super::matching_calls::MatchingCalls;
use super::merged_rows::MergedRows;
use super::stack_chart::{CallRows, RowCalls, StackChart};
use crate::colors::{CallPalette, CallPalettes, EntryColors};
use crate::rows::{Clock, RowSource};
use crate::search::Query;
use flowline_profile::samples::CallTable;
use flowline_profile::{Implementation, Profile, StackId, ThreadId, get_or_build};

/// The charts of a thread, one for each [`Implementation`].
type ThreadCharts = [OnceLock<Box<StackChart>>; 4];

/// The stack charts built so far.
#[derive(Debug, Default)]
pub(crate) struct StackCharts {
    /// Charts of each thread, created on first use.
    threads: Vec<OnceLock<Box<ThreadCharts>>>,
    /// Stacks of markers and calls of each thread, created on first use.
    merged: Vec<OnceLock<Box<MergedRows>>>,
    palettes: OnceLock<CallPalettes>,
}

impl StackCharts {
    /// Creates an empty collection for a number of threads.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            threads: (0..threads).map(|_| Default::default()).collect(),
            merged: (0..threads).map(|_| OnceLock::new()).collect(),
            palettes: OnceLock::new(),
        }
    }

    /// Access to the charts of a recording.
    pub(crate) const fn of<'a>(&'a self, profile: &'a Profile, clock: Clock) -> Charts<'a> {
        Charts { charts: self, profile, clock, functions: Implementation::All }
    }
}

/// The stack charts of a recording. A chart is built on first use.
#[derive(Clone, Copy, Debug)]
pub struct Charts<'a> {
    charts: &'a StackCharts,
    profile: &'a Profile,
    clock: Clock,
    functions: Implementation,
}

impl<'a> Charts<'a> {
    /// The charts with a function filter; the default is all functions.
    #[must_use]
    #[inline]
    pub const fn showing(self, functions: Implementation) -> Self {
        Self { functions, ..self }
    }

    /// The recording.
    #[must_use]
    #[inline]
    pub const fn profile(&self) -> &'a Profile {
        self.profile
    }

    /// A thread's chart, if it is built and can be drawn.
    #[must_use]
    #[inline]
    pub fn if_built(&self, thread: ThreadId) -> Option<&'a StackChart> {
        let chart = self.slot(thread)?.get()?;
        chart.pyramids().is_some().then_some(chart)
    }

    /// Calls of a thread's chart. Calls from the importer are available before the chart is built.
    #[must_use]
    #[inline]
    pub fn calls(&self, thread: ThreadId) -> Option<&'a CallTable> {
        let of_importer = || self.profile.samples(thread)?.calls.as_ref();
        let own = of_importer().filter(|_| self.functions == Implementation::All);
        own.or_else(|| self.if_built(thread).map(|chart| chart.calls(self.profile)))
    }

    fn slot(&self, thread: ThreadId) -> Option<&'a OnceLock<Box<StackChart>>> {
        Some(&self.charts.threads.get(thread.index())?.get()?[self.functions as usize])
    }

    /// A thread's chart, built now if necessary. This can take long, so the window builds charts on the
    /// pool.
    pub fn build(&self, thread: ThreadId) -> &'a StackChart {
        let slot = &self.charts.threads[thread.index()].get_or_init(Box::default)[self.functions as usize];
        let chart = get_or_build(slot, || Box::new(StackChart::build(self.profile, thread, self.functions)));
        chart.build_pyramids(self.profile, self.clock, self.palette());
        chart
    }

    /// The stack of a thread's markers and calls, if it is built and can be drawn.
    #[must_use]
    pub fn merged_if_built(&self, thread: ThreadId) -> Option<&'a MergedRows> {
        let merged = self.charts.merged.get(thread.index())?.get()?;
        merged.calls.pyramids().is_some().then_some(merged)
    }

    /// The stack of a thread's markers and calls, built now if necessary; `None` if it has only one of both.
    pub fn build_merged(&self, source: RowSource<'a>, thread: ThreadId) -> Option<&'a MergedRows> {
        let functions = MergedRows::functions(self.profile, thread)?;
        let slot = &self.charts.merged[thread.index()];
        let merged = get_or_build(slot, || {
            let chart = self.showing(functions).build(thread);
            Box::new(MergedRows::build(source, thread, chart, &|_| true, &[]))
        });
        self.build_pyramids(&merged.calls);
        Some(merged)
    }

    /// Ensures that a chart can be drawn.
    pub(crate) fn build_pyramids(&self, chart: &StackChart) {
        chart.build_pyramids(self.profile, self.clock, self.palette());
    }

    /// Calls of a row of a thread's chart.
    #[must_use]
    #[inline]
    pub fn items(&self, chart: &'a StackChart, rows: &'a CallRows, row: usize) -> RowCalls<'a> {
        RowCalls::new(chart.calls(self.profile), self.palette(), self.clock, rows.row(row))
    }

    /// Palette entries of a call, given its stack.
    #[must_use]
    #[inline]
    pub fn colors(&self, stack: StackId) -> EntryColors {
        self.palette().colors(stack)
    }

    /// Functions that match a query, with the rows of their calls in the charts built so far.
    #[must_use]
    #[inline]
    pub fn find(&self, query: &Query) -> MatchingCalls {
        self.find_on(query, &|thread| self.if_built(thread))
    }

    /// Like [`Charts::find`], with the rows of the charts that `chart` returns.
    #[must_use]
    pub fn find_on<'c>(
        &self,
        query: &Query,
        chart: &(dyn Fn(ThreadId) -> Option<&'c StackChart> + Sync),
    ) -> MatchingCalls {
        MatchingCalls::new(self.profile, self.clock, query, self.palette(), chart)
    }

    fn palette(&self) -> CallPalette<'a> {
        let palettes = self.charts.palettes.get_or_init(|| CallPalettes::new(self.profile));
        palettes.palette(&self.profile.stacks)
    }
}
