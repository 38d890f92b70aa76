//! Runs searches on the pool. A newer text abandons the older search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::tasks::{Job, PoolTask, Running, Task, Wake};
use flowline_index::hidden::FilteredRows;
use flowline_index::samples::MatchingCalls;
use flowline_index::search::{HitLayout, Hits, Problem, Query, resolve, run_from};
use flowline_index::{Index, SLICES};
use flowline_profile::{DisplayClock, Implementation, TimeRange};
use flowline_scene::SearchView;
use flowline_view::Arrangement;

/// Identifies the rows that show hits: the arrangement, the calls and their colors, and the number of threads with
/// built rows.
type RowsKey = (Arrangement, Implementation, u64);

/// Runs searches and collects their results.
pub struct SearchTask {
    /// Text and rows of the newest search.
    current: (String, RowsKey, DisplayClock),
    task: Task<(), Option<SearchView>>,
    /// Number of searches started so far.
    count: u64,
    /// The newest result, possibly partial, possibly of an older text; `None` without a text.
    shown: Option<Arc<SearchView>>,
    /// Parts of the latest text that could not be parsed as intended, as far as known from the text alone.
    problems: Vec<Problem>,
}

impl SearchTask {
    /// `wake` is called when a result has arrived.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        let current = (String::new(), RowsKey::default(), DisplayClock::default());
        Self { current, task: Task::new(wake), count: 0, shown: None, problems: Vec::new() }
    }

    /// The newest result, possibly partial, possibly of an older text; `None` without a text.
    #[must_use]
    pub const fn shown(&self) -> Option<&Arc<SearchView>> {
        self.shown.as_ref()
    }

    /// Parts of the latest text that could not be parsed as intended, as far as known from the text alone.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Starts a search if the text, the clock of times in it, or the rows that show its hits have changed. The `visible` range is searched first.
    pub fn follow(
        &mut self,
        (index, shown): (&Arc<Index>, &Arc<FilteredRows>),
        (text, clock): (&str, DisplayClock),
        rows: RowsKey,
        visible: TimeRange,
    ) {
        if self.current.0 == text && (text.is_empty() || (self.current.1, self.current.2) == (rows, clock)) {
            return;
        }
        self.current = (text.to_owned(), rows, clock);
        self.count += 1;
        let query = Query { clock: Some(clock), ..Query::parse(text) };
        self.problems.clone_from(&query.problems);
        if query.is_empty() {
            self.task.cancel();
            self.shown = None;
            return;
        }
        let (index, number) = (Arc::clone(index), self.count);
        let (arrangement, calls, _) = rows;
        let shown = Arc::clone(shown);
        let search = Search { index, shown, query, text: text.to_owned(), arrangement, calls, visible, number };
        self.task.replace((), move |running| search.run(running));
    }
}

impl Job for SearchTask {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(view) = self.task.poll_newest().flatten() {
            self.shown = Some(Arc::new(view));
        }
    }
}

/// Interval of partial results. The first hits are shown at once.
const NEXT_PART: Duration = Duration::from_millis(300);
/// Maximum number of results per search.
const MAX_PARTS: u64 = 1 << 10;

/// Input of a search.
struct Search {
    index: Arc<Index>,
    shown: Arc<FilteredRows>,
    query: Query,
    text: String,
    arrangement: Arrangement,
    calls: Implementation,
    visible: TimeRange,
    number: u64,
}

impl Search {
    /// Runs the search. Partial results are reported at intervals; the return value is complete, or `None` if
    /// abandoned.
    fn run(&self, running: &Running<Option<SearchView>>) -> Option<SearchView> {
        let (profile, flows) = (self.index.profile(), self.index.flows());
        let is_wanted = || running.is_wanted();
        let (mut due, mut parts) = (Instant::now(), 0);
        let mut run = |query: &Query, problems: &[Problem]| {
            run_from(profile, flows, query, self.visible, &is_wanted, |hits| {
                if Instant::now() >= due && parts < MAX_PARTS - 2 {
                    parts += 1;
                    running.report(Some(self.view(hits(), problems, parts, None)));
                    due = Instant::now() + NEXT_PART;
                }
            })
        };
        // Detecting an unknown key can require every payload, so the query runs unresolved first.
        let mut hits = run(&self.query, &self.query.problems)?;
        let (query, problems) = resolve(profile, flows, self.query.clone(), &is_wanted)?;
        if query.any != self.query.any || query.none != self.query.none {
            hits = run(&query, &problems)?;
        }
        let chart = |thread| self.shown.chart(&self.index, self.calls, thread);
        let charts = self.index.charts().showing(self.calls);
        let calls = charts.find_on(&query, &chart);
        let merged = |thread| self.shown.merged(&self.index, thread).map(|merged| &merged.calls);
        let has_merged = self.arrangement == Arrangement::Stack && !self.shown.merged_threads().is_empty();
        let merged = if has_merged { charts.find_on(&query, &merged) } else { Default::default() };
        Some(self.view(hits, &problems, MAX_PARTS - 1, Some((calls, merged))))
    }

    /// The view of some hits; with `calls`, the complete result.
    fn view(
        &self,
        hits: Hits,
        problems: &[Problem],
        part: u64,
        calls: Option<(MatchingCalls, MatchingCalls)>,
    ) -> SearchView {
        let (index, profile) = (&self.index, self.index.profile());
        let shown = &self.shown;
        let rows = |thread| shown.layout(index, self.arrangement, thread);
        let is_shown = |thread, marker| !shown.hides(thread, marker);
        let layout = HitLayout::build_on(index.source(), &rows, &is_shown, &hits, index.long());
        let mut slices = vec![false; SLICES];
        for (id, thread) in profile.threads_with_ids() {
            for marker in hits.thread(id) {
                slices[index.activity().slice_of(thread.markers.start(*marker))] = true;
            }
        }
        let number = self.number * MAX_PARTS + part;
        let (problems, complete) = (problems.to_vec(), calls.is_some());
        let (calls, merged) = calls.unwrap_or_default();
        SearchView { number, complete, text: self.text.clone(), problems, hits, layout, calls, merged, slices }
    }
}
