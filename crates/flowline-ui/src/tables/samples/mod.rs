//! Sample views of the drawer: call tree, bottom-up (inverted) tree, functions, flame graph and event log.
//!
//! All views show the same samples with the same transforms and filters. Nodes and costs are computed on the pool; the
//! previous ones stay visible until they are ready. A new range recomputes only the costs.

mod event_log;
mod export;
mod flame;
mod function_list;
mod function_tree;
mod grouped;
mod outline;
mod row;
mod sample_result;
mod sample_view;
pub(crate) mod saved_state;
mod spark_column;
mod sparks;
mod summary;
mod tools;
mod transforms;
mod tree;

pub(crate) use sample_view::SampleView;
pub(crate) use transforms::TransformKind;

use std::collections::HashMap;
use std::sync::Arc;

use egui::{Id, Ui};

use crate::widgets::table::Widths;
use event_log::LogRows;
use flame::FlameGraph;
use flowline_index::samples::entries::{EntrySet, default_entries, has_entries};
use flowline_index::samples::{EntryLog, Grouping, Implementation, Measure, SampleKind, TreeRequest};
use flowline_profile::{Ns, Profile, ThreadId};
use flowline_scene::Palette;
use flowline_session::{Session, Task, Wake};
use flowline_view::Command;
use function_list::FunctionTable;
use outline::Outline;
use sample_result::{KnownParts, SampleResult};
use transforms::Trail;
use tree::TreeScroll;

/// State of the sample views.
pub struct SampleTrees {
    /// Threads selected in the thread menu; `None` follows the track filter or the selected marker.
    chosen: Option<Vec<ThreadId>>,
    /// Last seen revision of the track filter.
    tracks: u64,
    /// Thread of the last selected marker whose thread has samples.
    followed: Option<ThreadId>,
    kind: SampleKind,
    /// Entries to show instead of samples, or `Some(None)` for samples; `None` for the default of the threads.
    entries: Option<Option<EntrySet>>,
    /// True if idle samples are excluded; `None` for the default of the recording.
    without_idle: Option<bool>,
    /// Measure of the costs; `None` for the default of the recording.
    measure: Option<Measure>,
    implementation: Implementation,
    grouping: Grouping,
    search: String,
    trail: Trail,
    /// Threads of the current trail.
    trail_of: Vec<ThreadId>,
    /// Trails of other threads.
    trails: HashMap<Vec<ThreadId>, Trail>,
    task: Task<(TreeRequest, SampleView, Ns), SampleResult>,
    built: Option<SampleResult>,
    call_rows: Outline,
    caller_rows: Outline,
    /// Cursor path of the bottom-up tree, stored while another view is shown.
    caller_paths: Option<Vec<u32>>,
    scrolls: [TreeScroll; 2],
    functions: FunctionTable,
    flame: FlameGraph,
    log_rows: LogRows,
    widths: Widths,
    /// Minimum duration of event log entries.
    least: Ns,
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

    /// True while a tree is being computed.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.task.is_running()
    }

    /// Waits until the tree is ready; for headless rendering and tests.
    pub fn wait(&mut self) {
        let mut newest = None;
        self.task.wait(|_, built| newest = Some(built));
        newest.into_iter().for_each(|built| self.set(built));
    }

    /// Shows the samples of a thread, regardless of the selection.
    pub fn choose(&mut self, thread: ThreadId) {
        self.chosen = Some(vec![thread]);
    }

    /// Sets the function filter and the grouping.
    pub fn arrange(&mut self, functions: Implementation, grouping: Grouping) {
        (self.implementation, self.grouping) = (functions, grouping);
    }

    /// The request for the current settings, scope and selection.
    fn request(&mut self, session: &Session) -> TreeRequest {
        let (index, scope) = (&session.index, session.scope());
        let profile = index.profile();
        let marker = session.view.selected.and_then(|marker| profile.locate(marker)).map(|(thread, _)| thread);
        let selected = session.view.selected_call.map(|selected| selected.call.thread).or(marker);
        self.followed = selected.filter(|thread| has_samples(profile, *thread)).or(self.followed);
        // The most recent of the track filter and the thread menu takes effect.
        let revision = session.view.chosen.revision();
        if std::mem::replace(&mut self.tracks, revision) != revision && scope.threads_with_selection().is_some() {
            self.chosen = None;
        }
        let of_scope = scope.threads_with_selection().map(|threads| {
            threads.iter().copied().filter(|thread| has_samples(profile, *thread)).collect::<Vec<ThreadId>>()
        });
        let of_scope = of_scope.filter(|threads| !threads.is_empty());
        let chosen = self.chosen.clone().or(of_scope).or_else(|| self.followed.map(|thread| vec![thread]));
        if chosen.is_none() {
            // The initial thread, until a marker of another thread is selected.
            self.followed = busiest(profile);
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
            self.entries.unwrap_or_else(|| default_entries(profile, &threads))
        } else {
            None
        };
        TreeRequest {
            kind: self.kind,
            entries,
            range: scope.range(),
            transforms: self.trail.list().to_vec(),
            // V8 also samples idle threads; its own tools hide those samples.
            without_idle: self.without_idle.unwrap_or(profile.meta.capabilities.idle_is_sampled),
            implementation: self.implementation,
            measure: if entries.is_some() { Measure::Time } else { self.measure(profile, &threads) },
            grouping: self.grouping,
            search: self.search.trim().to_owned(),
            threads,
        }
    }

    /// Measure of the costs. The default follows the tools of the recording's format: times for V8, otherwise weights.
    fn measure(&self, profile: &Profile, threads: &[ThreadId]) -> Measure {
        let tables = || threads.iter().filter_map(|thread| self.kind.table(profile, *thread));
        let default = if profile.meta.capabilities.sums_by_time { Measure::Time } else { Measure::Weight };
        let has_time = tables().all(|table| table.weight.is_empty());
        if has_time { self.measure.unwrap_or(default) } else { Measure::Weight }
    }

    /// Updates the tree to the current request.
    fn follow(&mut self, session: &Session, view: SampleView) {
        let (request, least) = (self.request(session), self.least);
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
        if let Some(built) = self.task.poll_newest() {
            self.set(built);
        }
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

/// True if a thread has calls from the importer, which the event log shows with the trace events.
pub(crate) fn has_log(profile: &Profile) -> bool {
    !profile.stacks.is_empty() && profile.threads_with_ids().any(|(id, _)| has_entries(profile, id))
}

/// True if a thread has samples of any kind.
pub(crate) fn has_samples(profile: &Profile, thread: ThreadId) -> bool {
    let samples = profile.thread(thread).samples.as_ref();
    samples.is_some_and(|samples| {
        !samples.cpu.is_empty() || !samples.js_allocations.is_empty() || !samples.native_allocations.is_empty()
    })
}

/// The thread with the most non-idle samples; main threads come first.
fn busiest(profile: &Profile) -> Option<ThreadId> {
    let idle = profile.categories.iter().position(|category| category.name == "Idle");
    let idle = idle.and_then(|at| u16::try_from(at).ok());
    let count = |thread: ThreadId| {
        let samples = profile.samples(thread)?;
        let stacks = samples.cpu.stack.iter().filter_map(|stack| profile.stacks.category.get(*stack as usize));
        Some(stacks.filter(|category| Some(**category) != idle).count())
    };
    let threads = profile.threads_with_ids().filter(|(id, _)| has_samples(profile, *id));
    let key =
        |(id, thread): &(ThreadId, &flowline_profile::Thread)| (thread.is_main, count(*id), std::cmp::Reverse(id.0));
    threads.max_by_key(key).map(|(id, _)| id)
}

/// Id of a tree's or list's widget.
pub(crate) fn samples_id(view: SampleView) -> Id {
    Id::unique(("samples", view as u8))
}

/// Shows the samples; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut SampleTrees,
    view: SampleView,
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    state.follow(session, view);
    let profile = session.index.profile();
    let copying = tools::show(ui, session, state, view, palette);
    let Some(built) = &state.built else {
        let is_sampled = profile.threads_with_ids().any(|(id, _)| has_samples(profile, id));
        ui.weak(if is_sampled { "Counting…" } else { "This recording has no samples." });
        return Vec::new();
    };
    if built.tree.whole.is_zero() {
        ui.add_space(4.0);
        ui.weak(nothing(built, &state.trail));
        return Vec::new();
    }
    if view == SampleView::EventLog && !built.tree.has_entries() {
        ui.add_space(4.0);
        ui.weak("The event log shows trace events and calls of Chrome threads, not samples.");
        return Vec::new();
    }
    if !built.has(view, state.least) {
        ui.weak("Counting…");
        return Vec::new();
    }
    match view {
        SampleView::CallTree | SampleView::BottomUp => tree::show(ui, session, state, view, copying, palette),
        SampleView::Functions => function_list::show(ui, session, state, copying, palette),
        SampleView::Flame => flame::show(ui, session, state, palette),
        SampleView::EventLog => return event_log::show(ui, session, state, copying, palette),
    }
    Vec::new()
}

/// Explains an empty tree.
fn nothing(built: &SampleResult, trail: &Trail) -> &'static str {
    match built.count {
        (0, _) if built.request.range.is_some() => "This thread has no samples in the range.",
        (0, _) => "This thread has no samples.",
        (all, unknown) if all == unknown => "The stacks of all samples are unknown.",
        _ if !built.request.search.is_empty() => "No stacks match the filter.",
        _ if !trail.list().is_empty() => "The transforms remove all samples.",
        _ if built.tree.has_entries() && built.request.range.is_some() => {
            "No events or calls of this kind in the range."
        }
        _ if built.tree.has_entries() => "No events or calls of this kind.",
        _ => "No functions of this kind were sampled.",
    }
}
