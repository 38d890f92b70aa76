//! The index of a [`Profile`]: rows, level-of-detail pyramids, summaries, activity, counters, flows; and search.
//!
//! The index is built once, is immutable afterwards and is shared by `Arc`. Rows of the second arrangement are built when
//! they are first asked for.

mod activity;
mod async_stacks;
mod clock;
pub mod counters;
pub mod custom_tracks;
mod first_fit;
pub mod flows;
pub mod hidden;
mod layout;
pub mod modifications;
pub mod nesting;
pub mod network;
mod pyramid;
mod rows;
pub mod samples;
pub mod search;
mod span;
pub mod statistics;
mod style;
pub mod waits;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use flows::FlowRules;
use samples::{Charts, CpuTracks, StackCharts};
use waits::{FlowRequests, ThreadStack, ThreadStacks};

pub use activity::{Activity, SLICES};
pub use async_stacks::StackOf;
pub use clock::{Clock, MAX_TICK, TICK_BITS};
pub use counters::{CounterTrack, Counters};
pub use custom_tracks::CustomTracks;
pub use flows::FlowGraph;
use layout::Layout;
pub use layout::{Overlap, RowMarkers, RowSource, Rows, ThreadLayout};
pub use nesting::Nesting;
pub use network::Network;
pub use pyramid::{Pyramid, RowItems, touching};
pub use rows::{Group, ThreadRows, depths};
pub use span::{Packed, Span, Style};
pub use style::{COLOR_WORDS, Styles, color_index, color_of_name};

use crate::profile::persist::{Persist, Reader, persist};
pub use crate::profile::{Arrangement, GroupKind};
use crate::profile::{LocalMarker, Ns, Profile, ThreadId, TimeRange, Warnings, max_job_len};

/// Times of the steps of a build. Flows are found in parallel with the rest, so the sum may exceed the total.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildTimings {
    /// Rows of the first arrangement and of the summaries.
    pub rows: Duration,
    /// Their pyramids.
    pub pyramids: Duration,
    /// Activity for the overview, and counters.
    pub activity: Duration,
    /// The flow graph.
    pub flows: Duration,
}

/// Identifies an index, so that caches notice another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexId(u64);

impl Default for IndexId {
    /// A new id.
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Everything derived from a profile.
#[derive(Debug)]
pub struct Index {
    id: IndexId,
    profile: Arc<Profile>,
    styles: Styles,
    clock: Clock,
    extent: TimeRange,
    by_name: Layout,
    stack: Layout,
    summaries: Vec<ThreadLayout>,
    activity: Activity,
    counters: Counters,
    cpu: CpuTracks,
    charts: StackCharts,
    flows: FlowGraph,
    stacks: ThreadStacks,
    network: OnceLock<Network>,
    custom: OnceLock<CustomTracks>,
    flow_requests: OnceLock<FlowRequests>,
    /// How long the build took.
    pub timings: BuildTimings,
}
persist!(Index {
    styles, clock, extent, by_name, stack, summaries, activity, counters, cpu, flows;
    id, profile, charts, stacks, network, custom, flow_requests, timings
});

impl Index {
    /// Builds the index of a profile, with the rows of the `first` arrangement and the built-in flow rules.
    #[must_use]
    pub fn build(profile: Arc<Profile>, first: Arrangement) -> Self {
        Self::build_with(profile, first, &FlowRules::built_in())
    }

    /// Like [`Index::build`], with other flow rules. They say which markers begin flows.
    #[must_use]
    pub fn build_with(profile: Arc<Profile>, first: Arrangement, rules: &FlowRules) -> Self {
        let began = Instant::now();
        let styles = Styles::build(&profile);
        let extent = extent(&profile);
        let clock = Clock::covering(extent);
        let source = RowSource { profile: &profile, styles: &styles, clock };
        let long = long_in(extent);
        let mut timings = BuildTimings::default();
        let rows_and_pyramids = || {
            let job_len = max_job_len(profile.threads.len());
            let threads = || profile.threads.par_iter().with_max_len(job_len);
            let rows: Vec<ThreadRows> = threads().map(|thread| ThreadRows::build(&profile, thread, first)).collect();
            let summary_rows: Vec<ThreadRows> = threads().map(|thread| ThreadRows::summary(thread, long)).collect();
            timings.rows = began.elapsed();
            let step = Instant::now();
            let layout = Layout::with_pyramids(source, rows);
            let summaries = summary_rows
                .into_par_iter()
                .zip(&profile.threads)
                .with_max_len(job_len)
                .map(|(rows, thread)| ThreadLayout::from_rows(source, thread, rows, Overlap::Clipped))
                .collect();
            timings.pyramids = step.elapsed();
            let step = Instant::now();
            let activity = Activity::build(&profile, &styles, extent);
            let counters = Counters::build(&profile, clock);
            let cpu = CpuTracks::build(&profile, clock);
            timings.activity = step.elapsed();
            (layout, summaries, activity, (counters, cpu))
        };
        // Rows and flows are independent: while one waits for its longest thread, the other goes on.
        let flows = || {
            let step = Instant::now();
            (FlowGraph::build_with(&profile, rules), step.elapsed())
        };
        let ((layout, summaries, activity, (counters, cpu)), (flows, flow_time)) =
            rayon::join(rows_and_pyramids, flows);
        timings.flows = flow_time;
        let other = Layout::empty(profile.threads.len());
        let (by_name, stack) = if first == Arrangement::ByName { (layout, other) } else { (other, layout) };
        let id = IndexId::default();
        let charts = StackCharts::new(profile.threads.len());
        let stacks = ThreadStacks::new(profile.threads.len());
        Self {
            id,
            profile,
            styles,
            clock,
            extent,
            by_name,
            stack,
            summaries,
            activity,
            counters,
            cpu,
            charts,
            flows,
            stacks,
            network: OnceLock::new(),
            custom: OnceLock::new(),
            flow_requests: OnceLock::new(),
            timings,
        }
    }

    /// Reads a written index of the same profile; `None` if it does not fit.
    #[must_use]
    pub fn restore(profile: Arc<Profile>, from: &mut Reader<'_>) -> Option<Self> {
        let charts = StackCharts::new(profile.threads.len());
        let stacks = ThreadStacks::new(profile.threads.len());
        let index = Self { profile, charts, stacks, ..Persist::read(from)? };
        let (profile, threads) = (&index.profile, index.profile.threads.len());
        let rows = [&index.by_name, &index.stack].into_iter().all(|layout| layout.is_consistent(threads));
        let fits = index.summaries.len() == threads
            && index.summaries.iter().all(ThreadLayout::is_consistent)
            && rows
            && index.styles.len() == profile.marker_count()
            && index.counters.is_consistent(profile.counters.len())
            && index.cpu.is_consistent(threads)
            && index.charts.threads() == threads
            && index.flows.is_consistent();
        fits.then_some(index)
    }

    /// The id of this index.
    #[must_use]
    pub const fn id(&self) -> IndexId {
        self.id
    }

    /// The recording.
    #[must_use]
    pub const fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// What reading rows needs.
    #[must_use]
    pub fn source(&self) -> RowSource<'_> {
        RowSource { profile: &self.profile, styles: &self.styles, clock: self.clock }
    }

    /// The clock of packed times.
    #[must_use]
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// The range to show first: the recording's range, or its main cluster if it has several. Recordings with several clocks
    /// need this.
    #[must_use]
    pub fn first_view(&self) -> TimeRange {
        let view = self.profile.first_view();
        if view.is_empty() { self.extent } else { view }
    }

    /// The recording's range, widened to every marker's start and end, to every sample and call, and to every sample of a counter.
    #[must_use]
    pub const fn extent(&self) -> TimeRange {
        self.extent
    }

    /// The rows in an arrangement.
    #[must_use]
    pub fn layout(&self, arrangement: Arrangement) -> Rows<'_> {
        let layout = match arrangement {
            Arrangement::ByName => &self.by_name,
            Arrangement::Stack => &self.stack,
        };
        Rows { arrangement, source: self.source(), layout }
    }

    /// Intervals longer than this form the backdrop of a collapsed thread.
    #[must_use]
    pub fn long(&self) -> Ns {
        long_in(self.extent)
    }

    /// The two summary rows of a collapsed thread: long intervals, and everything else.
    #[must_use]
    pub fn summary(&self, thread: ThreadId) -> &ThreadLayout {
        &self.summaries[thread.index()]
    }

    /// The two summary rows of some markers of a thread, given in start order; see [`Index::summary`].
    #[must_use]
    pub fn summary_of(&self, thread: ThreadId, markers: &[LocalMarker]) -> ThreadLayout {
        let data = self.profile.thread(thread);
        let rows = ThreadRows::summary_for(data, self.long(), markers.iter().copied());
        ThreadLayout::from_rows(self.source(), data, rows, Overlap::Clipped)
    }

    /// Activity over the whole extent.
    #[must_use]
    pub const fn activity(&self) -> &Activity {
        &self.activity
    }

    /// The counters.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// How busy threads were, from their samples.
    #[must_use]
    pub const fn cpu(&self) -> &CpuTracks {
        &self.cpu
    }

    /// The stack charts of threads.
    #[must_use]
    pub fn charts(&self) -> Charts<'_> {
        self.charts.of(&self.profile, self.clock)
    }

    /// The flows.
    #[must_use]
    pub const fn flows(&self) -> &FlowGraph {
        &self.flows
    }

    /// What was on a thread at each time. The rows of a thread are built when it is first asked for.
    pub(in crate::index) fn thread_stack(&self, thread: ThreadId) -> ThreadStack<'_> {
        let built = self.stack.if_built(thread).map(|layout| &layout.rows);
        self.stacks.stack(&self.profile, thread, built)
    }

    /// The network requests, found now if necessary. That can take long: the window finds them on the pool.
    pub fn network(&self) -> &Network {
        // Built outside of the lock: building uses the pool.
        self.network.get().unwrap_or_else(|| {
            let built = Network::build(&self.profile).with_tracks(&self.profile, self.clock);
            self.network.get_or_init(|| built)
        })
    }

    /// The network requests, if they were found already.
    #[must_use]
    pub fn network_if_built(&self) -> Option<&Network> {
        self.network.get()
    }

    /// Which network requests flows are about, found now if necessary.
    pub(in crate::index) fn flow_requests(&self) -> &FlowRequests {
        self.flow_requests.get().unwrap_or_else(|| {
            let built = FlowRequests::build(self);
            self.flow_requests.get_or_init(|| built)
        })
    }

    /// The custom tracks, found now if necessary, as [`Index::network`] finds requests.
    pub fn custom_tracks(&self) -> &CustomTracks {
        self.custom.get().unwrap_or_else(|| {
            let built = CustomTracks::build(&self.profile).with_tracks(self.clock);
            self.custom.get_or_init(|| built)
        })
    }

    /// The custom tracks, if they were found already.
    #[must_use]
    pub fn custom_tracks_if_built(&self) -> Option<&CustomTracks> {
        self.custom.get()
    }

    /// What was wrong with the input, flow fields included.
    #[must_use]
    pub fn warnings(&self) -> Warnings {
        let mut warnings = self.profile.warnings.clone();
        warnings.merge(self.flows.warnings().clone());
        warnings
    }

    /// Heap bytes of rows and of pyramids, summaries included.
    #[must_use]
    pub fn bytes(&self) -> (usize, usize) {
        let summaries = self.summaries.iter().map(ThreadLayout::bytes);
        let parts = [&self.by_name, &self.stack].into_iter().map(Layout::bytes).chain(summaries);
        parts.fold((self.styles.bytes(), 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

/// From the first sample or call of a thread to the end of the last.
fn range_of_samples(profile: &Profile, thread: &crate::profile::Thread) -> Option<TimeRange> {
    let samples = thread.samples.as_deref()?;
    let sampled = samples.cpu.time.first().zip(samples.cpu.time.last());
    let sampled = sampled.map(|(first, last)| TimeRange::new(*first, *last + profile.meta.interval));
    let called = samples
        .calls
        .as_ref()
        .and_then(|calls| Some(TimeRange::new(*calls.start.iter().min()?, *calls.end.iter().max()?)));
    sampled.into_iter().chain(called).reduce(TimeRange::union)
}

/// A fortieth of the recording.
fn long_in(extent: TimeRange) -> Ns {
    Ns(extent.len() / 40)
}

/// The recording's range, widened to every marker, every sample and call, and every sample of a counter.
fn extent(profile: &Profile) -> TimeRange {
    let of_thread = |thread: &crate::profile::Thread| {
        let markers = thread.markers.times().extent();
        markers.into_iter().chain(range_of_samples(profile, thread)).reduce(TimeRange::union)
    };
    let of_series = |series: &crate::profile::Series| {
        let (first, last) = series.samples.first().zip(series.samples.last())?;
        Some(TimeRange::new(first.time, last.time))
    };
    let markers = profile.threads.par_iter().filter_map(of_thread).reduce_with(TimeRange::union);
    let counters = profile.counters.iter().flat_map(|counter| &counter.series).filter_map(of_series);
    let markers = markers.into_iter().chain(counters).reduce(TimeRange::union);
    let stated = profile.meta.range;
    match markers {
        // A default range, of a recording that states none, must not widen the extent.
        Some(markers) if stated == TimeRange::default() => markers,
        Some(markers) => stated.union(markers),
        None => stated,
    }
}
