//! The stack charts of all threads of a recording.

use std::sync::OnceLock;

use super::call_palette::{CallPalette, CallPalettes};
use super::matching_calls::MatchingCalls;
use super::merged_rows::MergedRows;
use super::stack_chart::{CallRows, RowCalls, StackChart};
use crate::rows::{Clock, RowSource};
use crate::search::Query;
use flowline_profile::samples::CallTable;
use flowline_profile::{CallColors, Implementation, Profile, StackId, ThreadId, get_or_build};

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
        chart.pyramids(CallColors::default()).is_some().then_some(chart)
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

    /// True if a thread's chart can be drawn with this coloring.
    #[must_use]
    #[inline]
    pub fn has(&self, thread: ThreadId, colors: CallColors) -> bool {
        self.if_built(thread).is_some_and(|chart| chart.has(colors))
    }

    /// A thread's chart with a coloring, built now if necessary. This can take long, so the window builds charts on the
    /// pool.
    pub fn build(&self, thread: ThreadId, colors: CallColors) -> &'a StackChart {
        let slot = &self.charts.threads[thread.index()].get_or_init(Box::default)[self.functions as usize];
        let chart = get_or_build(slot, || Box::new(StackChart::build(self.profile, thread, self.functions)));
        chart.color(self.profile, self.clock, self.palette(colors));
        chart
    }

    /// The stack of a thread's markers and calls, if it is built and can be drawn.
    #[must_use]
    pub fn merged_if_built(&self, thread: ThreadId) -> Option<&'a MergedRows> {
        let merged = self.charts.merged.get(thread.index())?.get()?;
        merged.calls.pyramids(CallColors::default()).is_some().then_some(merged)
    }

    /// True if a thread's stack of markers and calls can be drawn with this coloring.
    #[must_use]
    pub fn has_merged(&self, thread: ThreadId, colors: CallColors) -> bool {
        self.merged_if_built(thread).is_some_and(|merged| merged.calls.has(colors))
    }

    /// The stack of a thread's markers and calls, built now if necessary; `None` if it has only one of both.
    pub fn build_merged(&self, source: RowSource<'a>, thread: ThreadId, colors: CallColors) -> Option<&'a MergedRows> {
        let functions = MergedRows::functions(self.profile, thread)?;
        let slot = &self.charts.merged[thread.index()];
        let merged = get_or_build(slot, || {
            let chart = self.showing(functions).build(thread, colors);
            Box::new(MergedRows::build(source, thread, chart, &|_| true, &[]))
        });
        self.build_pyramids(&merged.calls, colors);
        Some(merged)
    }

    /// Ensures that a chart can be drawn with a coloring.
    pub(crate) fn build_pyramids(&self, chart: &StackChart, colors: CallColors) {
        chart.color(self.profile, self.clock, self.palette(colors));
    }

    /// Calls of a row of a thread's chart.
    #[must_use]
    #[inline]
    pub fn items(&self, chart: &'a StackChart, rows: &'a CallRows, row: usize, colors: CallColors) -> RowCalls<'a> {
        RowCalls::new((chart.calls(self.profile), chart.functions), self.palette(colors), self.clock, rows.row(row))
    }

    /// Palette entry of a call, given its stack.
    #[must_use]
    #[inline]
    pub fn color(&self, stack: StackId, colors: CallColors) -> u8 {
        self.palette(colors).color(stack)
    }

    /// Functions that match a query, with the rows of their calls in the charts built so far.
    #[must_use]
    #[inline]
    pub fn find(&self, query: &Query, colors: CallColors) -> MatchingCalls {
        self.find_on(query, colors, &|thread| self.if_built(thread))
    }

    /// Like [`Charts::find`], with the rows of the charts that `chart` returns.
    #[must_use]
    pub fn find_on<'c>(
        &self,
        query: &Query,
        colors: CallColors,
        chart: &(dyn Fn(ThreadId) -> Option<&'c StackChart> + Sync),
    ) -> MatchingCalls {
        MatchingCalls::new(self.profile, self.clock, query, self.palette(colors), chart)
    }

    fn palette(&self, colors: CallColors) -> CallPalette<'a> {
        let palettes = self.charts.palettes.get_or_init(|| CallPalettes::new(self.profile));
        palettes.palette(&self.profile.stacks, colors)
    }
}
