//! The base index, which is enough to draw the first frame: rows, pyramids, summaries, activity, counters. Flows are
//! built afterwards.

use std::sync::Arc;

use rayon::prelude::*;

use super::waits::ThreadStacks;
use super::{Activity, BuildTimings, Counters, Styles};
use crate::derived_data::DerivedData;
use crate::events_part::events_part;
use crate::long_intervals::long_in;
use crate::rows::{Clock, Layout, Overlap, RowSource, ThreadRows, is_small};
use crate::samples::{Covers, CpuTracks, StackCharts};
use crate::work::{ProcessPages, WorkRank};
use flowline_profile::persist::persist;
use flowline_profile::{Arrangement, Profile, Stopwatch, Thread, TimeRange, parallel_chunk_size};

/// Everything derived from a profile except flows. The index without flows and the complete index share it.
#[derive(Debug)]
pub(super) struct BaseIndex {
    pub(super) styles: Styles,
    pub(super) clock: Clock,
    pub(super) extent: TimeRange,
    /// The part that holds nearly all events, if it is small.
    pub(super) events: Option<TimeRange>,
    pub(super) by_name: Layout,
    pub(super) stack: Layout,
    pub(super) summaries: Layout,
    pub(super) activity: Activity,
    pub(super) counters: Counters,
    pub(super) cpu: CpuTracks,
    pub(super) work: WorkRank,
    pub(super) pages: ProcessPages,
    pub(super) charts: StackCharts,
    pub(super) covers: Covers,
    pub(super) stacks: ThreadStacks,
    pub(super) derived: DerivedData,
}
persist!(BaseIndex {
    styles, clock, extent, events, by_name, stack, summaries, activity, counters, cpu, work, pages;
    charts, covers, stacks, derived
});

impl BaseIndex {
    /// Builds the base index, with the rows of the `first` arrangement.
    pub(super) fn build(profile: &Arc<Profile>, first: Arrangement, timings: &mut BuildTimings) -> Self {
        let began = Stopwatch::start();
        // Independent steps run in parallel because a recording may consist of one large thread.
        let (styles, extent) = rayon::join(|| Styles::build(profile), || extent(profile));
        let clock = Clock::covering(extent);
        let source = RowSource { profile, styles: &styles, clock };
        let long = long_in(extent);
        let job_len = parallel_chunk_size(profile.threads.len());
        let threads = || profile.threads.par_iter().with_max_len(job_len);
        let rows_of = |thread: &Thread| Box::new(ThreadRows::build(profile, thread, first));
        let summary_of = |thread: &Thread| Box::new(ThreadRows::summary(thread, long));
        let (rows, summary_rows): (Vec<Option<_>>, Vec<Option<_>>) = rayon::join(
            || threads().map(|thread| (!is_small(thread)).then(|| rows_of(thread))).collect(),
            || threads().map(|thread| (!is_small(thread)).then(|| summary_of(thread))).collect(),
        );
        timings.rows = began.elapsed();
        let step = Stopwatch::start();
        let (layout, summaries) = rayon::join(
            || Layout::with_pyramids(source, rows, Overlap::None),
            || Layout::with_pyramids(source, summary_rows, Overlap::Clipped),
        );
        timings.pyramids = step.elapsed();
        let step = Stopwatch::start();
        let (activity, (counters, cpu)) = rayon::join(
            || Activity::build(profile, &styles, extent),
            || (Counters::build(profile, clock), CpuTracks::build(profile, clock)),
        );
        let events = events_part(profile, extent);
        let (work, pages) =
            rayon::join(|| WorkRank::build(profile, events.unwrap_or(extent)), || ProcessPages::build(profile));
        let pages = pages.with_tabs(profile, &work);
        timings.activity = step.elapsed();
        let other = Layout::empty(profile.threads.len());
        let (by_name, stack) = if first == Arrangement::ByName { (layout, other) } else { (other, layout) };
        Self {
            styles,
            clock,
            extent,
            events,
            by_name,
            stack,
            summaries,
            activity,
            counters,
            cpu,
            work,
            pages,
            charts: StackCharts::new(profile.threads.len()),
            covers: Covers::new(profile.threads.len()),
            stacks: ThreadStacks::new(profile.threads.len()),
            derived: DerivedData::default(),
        }
    }

    /// Prepares a base index that was read from a file for use; `None` if it does not match the profile.
    pub(super) fn restored(self, profile: &Profile) -> Option<Self> {
        let threads = profile.threads.len();
        let fits =
            [&self.by_name, &self.stack, &self.summaries].into_iter().all(|layout| layout.is_consistent(threads))
                && self.styles.len() == profile.marker_count()
                && self.counters.is_consistent(profile.counters.len())
                && self.cpu.is_consistent(threads)
                && self.work.is_consistent(threads);
        fits.then(|| Self {
            charts: StackCharts::new(threads),
            covers: Covers::new(threads),
            stacks: ThreadStacks::new(threads),
            ..self
        })
    }

    /// Heap bytes of rows and of pyramids, including summaries.
    pub(super) fn bytes(&self) -> (usize, usize) {
        let parts = [&self.by_name, &self.stack, &self.summaries].into_iter().map(Layout::bytes);
        parts.fold((self.styles.bytes(), 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

/// The range from the first sample or call of a thread to the end of the last.
fn range_of_samples(profile: &Profile, thread: &Thread) -> Option<TimeRange> {
    let samples = thread.samples.as_deref()?;
    let sampled = samples.cpu.time.first().zip(samples.cpu.time.last());
    let sampled = sampled.map(|(first, last)| TimeRange::new(*first, *last + profile.meta.interval));
    let called = samples
        .calls
        .as_ref()
        .and_then(|calls| Some(TimeRange::new(*calls.start.iter().min()?, *calls.end.iter().max()?)));
    sampled.into_iter().chain(called).reduce(TimeRange::union)
}

/// The recording's range, extended to include every marker, sample, call, and counter sample.
fn extent(profile: &Profile) -> TimeRange {
    let of_thread = |thread: &flowline_profile::Thread| {
        let markers = thread.markers.times().extent();
        markers.into_iter().chain(range_of_samples(profile, thread)).reduce(TimeRange::union)
    };
    let of_series = |series: &flowline_profile::Series| {
        let (first, last) = series.samples.first().zip(series.samples.last())?;
        Some(TimeRange::new(first.time, last.time))
    };
    let markers = profile.threads.par_iter().filter_map(of_thread).reduce_with(TimeRange::union);
    let counters = profile.counters.iter().flat_map(|counter| &counter.series).filter_map(of_series);
    let markers = markers.into_iter().chain(counters).reduce(TimeRange::union);
    let stated = profile.meta.range;
    match markers {
        // A recording without a range has the default range, which must not extend the result.
        Some(markers) if stated == TimeRange::default() => markers,
        Some(markers) => stated.union(markers),
        None => stated,
    }
}
