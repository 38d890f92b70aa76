//! The index: everything derived from a profile, built in two steps and shared by `Arc`.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::activity::Activity;
use crate::base_index::BaseIndex;
use crate::build_timings::BuildTimings;
use crate::colors::KindShare;
use crate::counters::Counters;
use crate::flows::{FlowGraph, FlowRules};
use crate::long_intervals::long_in;
use crate::query_tracks::QueryTracks;
use crate::relations::Initiators;
use crate::rows::{Clock, Overlap, RowSource, Rows, ThreadLayout, ThreadRows};
use crate::samples::{Charts, CpuTrack, CpuTracks};
use crate::waits::{FlowRequests, ThreadStack};
use crate::work::{ProcessPages, WorkRank};
use flowline_profile::Arrangement;
use flowline_profile::persist::{Persist, Reader, Writer};
use flowline_profile::{
    LocalMarker, Ns, ProcessId, Profile, Stopwatch, Thread, ThreadId, TimeRange, Warnings, get_or_build, may_block,
};

/// Data that is derived from an index when it is first requested. A type that implements this needs no field in the index.
pub trait Derived: Any + Send + Sync + Sized {
    /// Derives the data, on all cores. It must not read the flows of the index: indexes of one recording share it, and the
    /// first one has no flows.
    fn derive(index: &Index) -> Self;

    /// The data of an index. Deriving it can be slow, so the window does it on the pool.
    fn of(index: &Index) -> &Self {
        index.derived()
    }

    /// The data of an index, if it has been derived.
    #[must_use]
    fn if_built(index: &Index) -> Option<&Self> {
        index.derived_if_built()
    }
}

/// Identifies an index, so that caches detect a replaced index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexId(u64);

impl Default for IndexId {
    /// Returns a new, unique id.
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
    pub(crate) picture: Arc<BaseIndex>,
    flows: Arc<FlowGraph>,
    pub(crate) flow_requests: Arc<OnceLock<FlowRequests>>,
    initiators: Arc<OnceLock<Initiators>>,
    /// The query tracks of a view; `None` until it has some.
    pub(crate) query_tracks: Option<QueryTracks>,
    /// Build durations.
    pub timings: BuildTimings,
}

impl Index {
    /// Builds the index of a profile, with the rows of the `first` arrangement and the built-in flow rules.
    #[must_use]
    #[inline]
    pub fn build(profile: Arc<Profile>, first: Arrangement) -> Self {
        Self::build_with(profile, first, &FlowRules::built_in())
    }

    /// Like [`Index::build`], with custom flow rules. Flow rules define which markers begin flows.
    #[must_use]
    #[inline]
    pub fn build_with(profile: Arc<Profile>, first: Arrangement, rules: &FlowRules) -> Self {
        Self::without_flows(profile, first).with_flows(rules)
    }

    /// Builds everything except flows, which is enough to draw the first frame.
    #[must_use]
    #[inline]
    pub fn without_flows(profile: Arc<Profile>, first: Arrangement) -> Self {
        let mut timings = BuildTimings::default();
        let picture = Arc::new(BaseIndex::build(&profile, first, &mut timings));
        Self { timings, ..Self::of(profile, picture) }
    }

    /// An index without flows.
    fn of(profile: Arc<Profile>, picture: Arc<BaseIndex>) -> Self {
        Self {
            id: IndexId::default(),
            profile,
            picture,
            flows: Arc::default(),
            flow_requests: Arc::default(),
            initiators: Arc::default(),
            query_tracks: None,
            timings: BuildTimings::default(),
        }
    }

    /// Builds the flows and returns the same index with them. Both indexes share everything else.
    #[must_use]
    pub fn with_flows(&self, rules: &FlowRules) -> Self {
        let step = Stopwatch::start();
        let flows = FlowGraph::build_with(&self.profile, rules);
        let timings = BuildTimings { flows: step.elapsed(), ..self.timings };
        let same = Self::of(Arc::clone(&self.profile), Arc::clone(&self.picture));
        Self { flows: Arc::new(flows), timings, ..same }
    }

    /// Writes the index without the profile.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    #[inline]
    pub fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        Persist::write(&*self.picture, to)?;
        Persist::write(&*self.flows, to)
    }

    /// Reads an index that was written for the same profile; `None` if it does not match the profile.
    #[must_use]
    pub fn restore(profile: Arc<Profile>, from: &mut Reader<'_>) -> Option<Self> {
        let picture: BaseIndex = Persist::read(from)?;
        let picture = Arc::new(picture.restored(&profile)?);
        let flows: FlowGraph = Persist::read(from)?;
        flows.is_consistent().then(|| Self { flows: Arc::new(flows), ..Self::of(profile, picture) })
    }

    /// The same index with a place for the query tracks of one view. Indexes with the same id share everything else.
    #[must_use]
    pub fn with_query_tracks(&self) -> Self {
        Self {
            id: self.id,
            profile: Arc::clone(&self.profile),
            picture: Arc::clone(&self.picture),
            flows: Arc::clone(&self.flows),
            flow_requests: Arc::clone(&self.flow_requests),
            initiators: Arc::clone(&self.initiators),
            query_tracks: Some(QueryTracks::default()),
            timings: self.timings,
        }
    }

    /// The id of this index.
    #[must_use]
    #[inline]
    pub const fn id(&self) -> IndexId {
        self.id
    }

    /// The recording.
    #[must_use]
    #[inline]
    pub const fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// The data needed to read rows.
    #[must_use]
    #[inline]
    pub fn source(&self) -> RowSource<'_> {
        RowSource { profile: &self.profile, styles: &self.picture.styles, clock: self.picture.clock }
    }

    /// The clock of packed times.
    #[must_use]
    #[inline]
    pub fn clock(&self) -> Clock {
        self.picture.clock
    }

    /// The initial range: the part with nearly all events if it is a small part of the recording, else the whole view.
    #[must_use]
    #[inline]
    pub fn first_view(&self) -> TimeRange {
        self.events_part().unwrap_or_else(|| self.whole_view())
    }

    /// The part with nearly all events, if it is a small part of the recording. A recording with several clocks has none: its
    /// main cluster is shown.
    #[must_use]
    #[inline]
    pub fn events_part(&self) -> Option<TimeRange> {
        self.picture.events.filter(|_| self.profile.main_cluster().is_none())
    }

    /// The recording's range, or its main cluster if it has several. Recordings with several clocks need this. A range that is
    /// less than half of the extent, such as that of a few samples, would leave most markers outside, so the extent is shown.
    #[must_use]
    #[inline]
    pub fn whole_view(&self) -> TimeRange {
        let (view, extent) = (self.profile.first_view(), self.picture.extent);
        let is_small = self.profile.main_cluster().is_none() && view.len() < extent.len() / 2;
        if view.is_empty() || is_small { extent } else { view }
    }

    /// The share of work with a known kind, which decides the colors of the first view.
    #[must_use]
    pub fn kind_share(&self) -> KindShare {
        self.picture.styles.kinds
    }

    /// The recording's range, extended to include every marker, sample, call, and counter sample.
    #[must_use]
    #[inline]
    pub fn extent(&self) -> TimeRange {
        self.picture.extent
    }

    /// True if the recording has nothing to draw: no markers, samples or counters.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        let profile = self.profile();
        profile.marker_count() == 0 && self.cpu().is_empty() && profile.counters.is_empty()
    }

    /// The rows in an arrangement.
    #[must_use]
    pub fn layout(&self, arrangement: Arrangement) -> Rows<'_> {
        let layout = match arrangement {
            Arrangement::ByName => &self.picture.by_name,
            Arrangement::Stack => &self.picture.stack,
        };
        Rows { arrangement, source: self.source(), layout }
    }

    /// Minimum duration (exclusive) of intervals in the backdrop of a collapsed thread.
    #[must_use]
    #[inline]
    pub fn long(&self) -> Ns {
        long_in(self.picture.extent)
    }

    /// The two summary rows of a collapsed thread: long intervals and everything else.
    #[must_use]
    #[inline]
    pub fn summary(&self, thread: ThreadId) -> &ThreadLayout {
        self.picture.summaries.summary(self.source(), self.long(), thread)
    }

    /// The two summary rows of some markers of a thread, given in start order; see [`Index::summary`].
    #[must_use]
    #[inline]
    pub fn summary_of(&self, thread: ThreadId, markers: &[LocalMarker]) -> ThreadLayout {
        let data = self.profile.thread(thread);
        let rows = ThreadRows::summary_for(data, self.long(), markers.iter().copied());
        ThreadLayout::from_rows(self.source(), data, rows, Overlap::Clipped)
    }

    /// Activity over the whole extent.
    #[must_use]
    #[inline]
    pub fn activity(&self) -> &Activity {
        &self.picture.activity
    }

    /// The counters.
    #[must_use]
    #[inline]
    pub fn counters(&self) -> &Counters {
        &self.picture.counters
    }

    /// CPU usage of the threads, derived from their samples.
    #[must_use]
    #[inline]
    pub fn cpu(&self) -> &CpuTracks {
        &self.picture.cpu
    }

    /// Activity of a thread over time: its CPU use if it has samples, otherwise the time that its markers cover. `None` until
    /// it is built.
    #[must_use]
    pub fn activity_of(&self, thread: ThreadId) -> Option<&CpuTrack> {
        let sampled = self.picture.cpu.get(thread).filter(|track| track.samples > 0);
        sampled.or_else(|| self.picture.covers.if_built(thread))
    }

    /// Builds the activity of a thread. This can take long, so the window does it on the pool.
    pub fn build_activity(&self, thread: ThreadId) {
        let picture = &self.picture;
        picture.covers.build(&self.profile, &picture.styles, picture.clock, self.long(), thread);
    }

    /// The rank of each thread.
    #[must_use]
    pub fn rank(&self) -> &WorkRank {
        &self.picture.work
    }

    /// The page that each process showed.
    #[must_use]
    pub fn pages(&self) -> &ProcessPages {
        &self.picture.pages
    }

    /// The process of the page that the recording shows first: that of the first tab, else the process of a page of which one
    /// thread was busy for longest; `None` without processes of pages.
    #[must_use]
    pub fn page_process(&self) -> Option<ProcessId> {
        if let Some(tab) = self.pages().tabs().first() {
            return Some(tab.process);
        }
        let showed_page = |thread: &Thread| self.pages().showed_page(&self.profile, thread);
        let threads = self.profile.threads_with_ids().filter(|(_, thread)| showed_page(thread));
        // Of equally busy processes, the first one.
        let busiest = threads.max_by_key(|(id, _)| (self.rank().thread(*id), std::cmp::Reverse(*id)));
        busiest.map(|(_, thread)| thread.process)
    }

    /// The stack charts of threads.
    #[must_use]
    #[inline]
    pub fn charts(&self) -> Charts<'_> {
        self.picture.charts.of(&self.profile, self.picture.clock)
    }

    /// The flows; see [`FlowGraph::is_known`].
    #[must_use]
    #[inline]
    pub fn flows(&self) -> &FlowGraph {
        &self.flows
    }

    /// The activity of a thread at each time. The thread's rows are built on first use.
    pub(crate) fn thread_stack(&self, thread: ThreadId) -> ThreadStack<'_> {
        let built = self.layout(Arrangement::Stack).if_built(thread).map(|layout| &layout.rows);
        self.picture.stacks.stack(&self.profile, thread, built)
    }

    /// Data that is derived from the recording when it is first requested. Deriving can be slow, so the window does it on
    /// the pool.
    pub fn derived<T: Derived>(&self) -> &T {
        self.picture.derived.get(|| T::derive(self))
    }

    /// Data that is derived from the recording, if it has been derived.
    #[must_use]
    pub fn derived_if_built<T: Derived>(&self) -> Option<&T> {
        self.picture.derived.get_if_built()
    }

    /// The initiators of page events, built on first use; see [`Index::derived`].
    pub fn initiators(&self) -> &Initiators {
        get_or_build(&self.initiators, || {
            debug_assert!(may_block(), "a shared value must be complete");
            Initiators::build(&self.profile)
        })
    }

    /// The initiators of page events, if they are built.
    #[must_use]
    #[inline]
    pub fn initiators_if_built(&self) -> Option<&Initiators> {
        self.initiators.get()
    }

    /// Import warnings, including those about flow fields.
    #[must_use]
    #[inline]
    pub fn warnings(&self) -> Warnings {
        let mut warnings = self.profile.warnings.clone();
        warnings.merge(self.flows.warnings().clone());
        warnings
    }

    /// Heap bytes of rows and of pyramids, including summaries.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> (usize, usize) {
        self.picture.bytes()
    }
}
