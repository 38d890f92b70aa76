//! State of the sample views: the request for the current selection, and its result.

use std::collections::HashMap;
use std::sync::Arc;

use super::event_log::LogRows;
use super::flame::FlameGraph;
use super::function_tree;
use super::functions::FunctionTable;
use super::outline::Outline;
use super::sample_result::{KnownParts, SampleResult};
use super::sample_view::SampleView;
use super::sampled_threads::{busiest, has_tree};
use super::transforms::Trail;
use crate::widgets::table::{Scroll, Widths};
use flowline_index::Index;
use flowline_index::samples::entries::{EntrySet, default_entries, has_entries, has_samples};
use flowline_index::samples::{EntryLog, Grouping, Implementation, Measure, SampleKind, SampleSelection, TreeRequest};
use flowline_profile::{Ns, Profile, ThreadId};
use flowline_session::{Job, PoolTask, Session, Task, Wake};

/// State of the sample views.
pub struct SampleTrees {
    /// Threads selected in the thread menu; `None` follows the track filter or the selected marker.
    pub(super) chosen: Option<Vec<ThreadId>>,
    /// Last seen revision of the track filter.
    tracks: u64,
    /// Thread of the last selected marker whose thread has samples.
    followed: Option<ThreadId>,
    pub(super) kind: SampleKind,
    /// Entries to show instead of samples, or `Some(None)` for samples; `None` for the default of the threads.
    pub(super) entries: Option<Option<EntrySet>>,
    /// True if idle samples are excluded; `None` for the default of the recording.
    pub(super) without_idle: Option<bool>,
    /// Shows functions of which only the address is known one by one, instead of their libraries.
    pub(super) addresses: bool,
    /// Measure of the costs; `None` for the default of the recording.
    pub(super) measure: Option<Measure>,
    pub(super) implementation: Implementation,
    pub(super) grouping: Grouping,
    pub(super) search: String,
    pub(super) trail: Trail,
    /// Threads of the current trail.
    trail_of: Vec<ThreadId>,
    /// Trails of other threads.
    trails: HashMap<Vec<ThreadId>, Trail>,
    task: Task<(TreeRequest, SampleView, Ns), SampleResult>,
    pub(super) built: Option<SampleResult>,
    pub(super) call_rows: Outline,
    pub(super) caller_rows: Outline,
    /// Cursor path of the bottom-up tree, stored while another view is shown.
    caller_paths: Option<Vec<u32>>,
    pub(super) scrolls: [Scroll; 2],
    pub(super) functions: FunctionTable,
    pub(super) flame: FlameGraph,
    pub(super) log_rows: LogRows,
    pub(super) widths: Widths,
    /// Minimum duration of event log entries.
    pub(super) least: Ns,
    /// Functions of the row whose entries the chart highlights; set in every frame.
    pub(super) lit: Vec<u32>,
}

impl SampleTrees {
    /// Creates the views; `wake` is called when a tree is ready.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            chosen: None,
            tracks: 0,
            followed: None,
            kind: SampleKind::Cpu,
            entries: None,
            without_idle: None,
            addresses: false,
            measure: None,
            implementation: Implementation::All,
            grouping: Grouping::None,
            search: String::new(),
            trail: Trail::default(),
            trail_of: Vec::new(),
            trails: HashMap::new(),
            task: Task::new(wake),
            built: None,
            call_rows: Outline::default(),
            caller_rows: Outline::default(),
            caller_paths: None,
            scrolls: Default::default(),
            functions: FunctionTable::default(),
            flame: FlameGraph::default(),
            log_rows: LogRows::default(),
            widths: Widths::default(),
            least: Ns(0),
            lit: Vec::new(),
        }
    }

    /// Custom column widths.
    #[must_use]
    pub const fn widths(&self) -> &Widths {
        &self.widths
    }

    /// Custom column widths, mutable.
    pub const fn widths_mut(&mut self) -> &mut Widths {
        &mut self.widths
    }

    /// Shows the samples of a thread, regardless of the selection.
    pub fn choose(&mut self, thread: ThreadId) {
        self.chosen = Some(vec![thread]);
    }

    /// Sets the function filter and the grouping.
    pub fn arrange(&mut self, functions: Implementation, grouping: Grouping) {
        (self.implementation, self.grouping) = (functions, grouping);
    }

    /// The request of a view for the current settings, scope and selection.
    fn request(&mut self, session: &Session, view: SampleView) -> TreeRequest {
        let (index, scope) = (&session.index, session.scope());
        let profile = index.profile();
        let marker = session.view.selected.and_then(|marker| profile.locate(marker)).map(|(thread, _)| thread);
        let selected = session.view.selected_call.map(|selected| selected.call.thread).or(marker);
        self.followed = selected.filter(|thread| has_tree(profile, *thread)).or(self.followed);
        // The most recent of the track filter and the thread menu takes effect.
        let revision = session.view.chosen.revision();
        if std::mem::replace(&mut self.tracks, revision) != revision && scope.threads_with_selection().is_some() {
            self.chosen = None;
        }
        // Even if none of them has a tree: the tree of another thread would contradict the scope.
        let of_scope = scope.threads_with_selection().map(|threads| {
            let shown = threads.iter().copied().filter(|thread| scope.shows(*thread) && has_tree(profile, *thread));
            shown.collect::<Vec<ThreadId>>()
        });
        let followed = self.followed.filter(|thread| scope.shows(*thread));
        let chosen = self.chosen.clone().or(of_scope).or_else(|| followed.map(|thread| vec![thread]));
        if chosen.is_none() {
            // The initial thread, until a marker of another thread is selected.
            self.followed = busiest(index, |thread| scope.shows(thread));
        }
        let threads = chosen.unwrap_or_else(|| self.followed.into_iter().collect());
        if threads != self.trail_of {
            // Each set of threads has its own trail, because paths of one thread rarely exist in another.
            let trail = self.trails.remove(&threads).unwrap_or_default();
            let before = std::mem::replace(&mut self.trail_of, threads.clone());
            self.trails.insert(before, std::mem::replace(&mut self.trail, trail));
        }
        let has = |kind: SampleKind| threads.iter().any(|thread| kind.is_in(profile, *thread));
        if !has(self.kind) {
            let kinds = [SampleKind::Cpu, SampleKind::NativeAllocations, SampleKind::JsAllocations];
            self.kind = kinds.into_iter().find(|kind| has(*kind)).unwrap_or(SampleKind::Cpu);
        }
        let entries = if self.kind == SampleKind::Cpu && threads.iter().any(|thread| has_entries(profile, *thread)) {
            let usual = default_entries(profile, &threads);
            // Without samples, there are only entries.
            let chosen = self.entries.filter(|set| set.is_some() || threads.iter().any(|id| has_samples(profile, *id)));
            chosen.unwrap_or(usual)
        } else {
            None
        };
        TreeRequest {
            kind: self.kind,
            entries,
            range: scope.range(),
            by_library: !self.addresses,
            transforms: self.trail.list().to_vec(),
            // V8 also samples idle threads; its own tools hide those samples.
            without_idle: self.without_idle.unwrap_or(profile.meta.capabilities.idle_is_sampled),
            implementation: self.implementation,
            measure: if entries.is_some() { Measure::Time } else { self.measure(profile, &threads) },
            // Other views have no groups; divided nodes would be separate boxes of the flame graph.
            grouping: if view.has_groups() { self.grouping } else { Grouping::None },
            search: self.search.trim().to_owned(),
            threads,
        }
    }

    /// Measure of the costs. The default follows the tools of the recording's format: times for V8, otherwise weights.
    fn measure(&self, profile: &Profile, threads: &[ThreadId]) -> Measure {
        let default = if profile.meta.capabilities.sums_by_time { Measure::Time } else { Measure::Weight };
        let selection = SampleSelection { profile, threads, kind: self.kind, range: None };
        if selection.has_time() { self.measure.unwrap_or(default) } else { Measure::Weight }
    }

    /// Updates the tree to the current request.
    pub(super) fn follow(&mut self, session: &Session, view: SampleView) {
        let (request, least) = (self.request(session, view), self.least);
        let same = self.built.as_ref().filter(|built| built.request == request);
        if same.is_none_or(|built| !built.has(view, least)) {
            let key = (request.clone(), view, least);
            if !self.task.is_for(&key) {
                let index = Arc::clone(&session.index);
                let nodes = self.built.as_ref().filter(|built| request.has_nodes_of(&built.request));
                let known = KnownParts {
                    nodes: nodes.map(|built| Arc::clone(&built.tree.nodes)),
                    tree: same.map(|built| (Arc::clone(&built.tree), Arc::clone(&built.sparks))),
                };
                self.task.replace(key, move |_| SampleResult::new(&index, request, known, (view, least)));
            }
        } else {
            self.task.cancel();
        }
        self.poll(&session.index);
        if let Some(built) = &mut self.built {
            built.clock = session.view.clock();
        }
    }

    fn set(&mut self, mut built: SampleResult) {
        let mut before = self.built.take();
        if let Some(before) = before.as_mut().filter(|before| before.request == built.request) {
            // The same request, computed for another view: reuse the other parts.
            built.functions = built.functions.or_else(|| before.functions.take());
            if built.log.is_none() {
                (built.log, built.least) = (before.log.take(), before.least);
            } else {
                self.list_log(before.log.take(), &mut built);
            }
            if let Some(inverted) = &mut built.inverted {
                self.caller_rows.begin(inverted, self.caller_paths.take());
            } else {
                built.inverted = before.inverted.take();
            }
            self.functions.forget_order();
            self.built = Some(built);
            return;
        }
        let before_log = before.as_mut().and_then(|before| before.log.take());
        // Rows of another range are about the same; those of another search, thread or measure are not.
        let is_other = before.as_ref().is_some_and(|before| {
            let (before, now) = (&before.request, &built.request);
            !before.has_nodes_of(now) || (before.measure, before.grouping) != (now.measure, now.grouping)
        });
        match &before {
            Some(before) => {
                if let Some((calls, new)) = before.calls.as_ref().zip(built.calls.as_mut()) {
                    self.call_rows.follow(calls, new);
                }
                self.flame.follow(&before.tree, &built.tree);
            }
            None => built.calls.iter_mut().for_each(|calls| self.call_rows.begin(calls, None)),
        }
        match (before.and_then(|before| before.inverted), &mut built.inverted) {
            (Some(before), Some(inverted)) => self.caller_rows.follow(&before, inverted),
            (Some(before), None) => {
                self.caller_paths = self.caller_rows.current().map(|row| function_tree::path(&before, row.node));
                self.caller_rows = Outline::default();
            }
            (None, Some(inverted)) => self.caller_rows.begin(inverted, self.caller_paths.take()),
            (None, None) => {}
        }
        self.list_log(before_log, &mut built);
        if is_other {
            self.scrolls[0].restart(Some(self.call_rows.cursor()));
            self.scrolls[1].restart(Some(self.caller_rows.cursor()));
            self.log_rows.restart();
        }
        self.functions.forget_order();
        self.built = Some(built);
    }

    /// Lists the rows of a new event log; expanded rows stay expanded.
    fn list_log(&mut self, before: Option<EntryLog>, built: &mut SampleResult) {
        match (before, &mut built.log) {
            (Some(before), Some(log)) => self.log_rows.outline.follow(&before, log),
            (None, Some(log)) => self.log_rows.outline.begin(log, None),
            (_, None) => self.log_rows.outline = Outline::default(),
        }
    }
}

impl Job for SampleTrees {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(built) = self.task.poll_newest() {
            self.set(built);
        }
    }
}
