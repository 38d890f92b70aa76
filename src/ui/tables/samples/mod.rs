//! Trees of samples in the drawer: call tree, bottom-up (inverted) tree, functions and flame graph.
//!
//! They show the same samples with the same transforms and filters. Nodes and numbers are computed on the pool; the previous
//! ones stay visible meanwhile. A new range only counts again.

mod export;
mod flame;
mod function_list;
mod function_tree;
mod grouped;
mod outline;
mod row;
mod sparks;
mod tools;
mod transforms;
mod tree;

use std::collections::HashMap;
use std::sync::Arc;

use egui::{Id, Ui};

use crate::index::Index;
use crate::index::samples::{
    CallNodes, CallTree, FunctionList, FunctionRow, Grouping, Groups, Implementation, InvertedTree, Measure,
    SampleKind, TreeRequest,
};
use crate::profile::samples::WeightUnit;
use crate::profile::{Ns, Profile, ThreadId};
use crate::scene::Palette;
use crate::session::{Session, Task, Wake};
use crate::view::Command;
use flame::FlameGraph;
use function_list::FunctionTable;
use grouped::GroupedTree;
use outline::Outline;
use sparks::Sparks;
use transforms::Trail;
use tree::TreeScroll;

/// The forms in which samples are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SampleView {
    /// From the roots to what they call.
    CallTree,
    /// From the functions that cost most themselves to their callers.
    BottomUp,
    /// A list of all functions.
    Functions,
    /// The call tree as boxes.
    Flame,
}

impl SampleView {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::CallTree, Self::BottomUp, Self::Functions, Self::Flame];
}

/// What has been computed of a request.
struct Built {
    request: TreeRequest,
    tree: Arc<CallTree>,
    /// When its samples were taken.
    sparks: Arc<Sparks>,
    /// The call tree with its groups; not there while it is shown.
    calls: Option<GroupedTree<Arc<CallTree>>>,
    /// The bottom-up tree, once it has been asked for.
    inverted: Option<GroupedTree<InvertedTree>>,
    /// All functions, once they have been asked for.
    functions: Option<Arc<Vec<FunctionRow>>>,
    /// Samples, and those of them without a stack.
    count: (usize, usize),
    /// Whether samples last until the next one; otherwise their weights count.
    has_time: bool,
    unit: WeightUnit,
    /// The start of the displayed clock.
    zero: Ns,
}

/// What a job starts from: what is known of the same nodes, and of the same samples, too.
struct Known {
    nodes: Option<Arc<CallNodes>>,
    tree: Option<(Arc<CallTree>, Arc<Sparks>)>,
}

impl Built {
    /// Computes what a view needs.
    fn new(index: &Index, request: TreeRequest, known: Known, view: SampleView) -> Self {
        let profile = index.profile();
        let selection = request.selection(profile);
        let (tree, sparks) = known.tree.unwrap_or_else(|| {
            let nodes = known.nodes.unwrap_or_else(|| Arc::new(request.nodes(profile)));
            let tree = Arc::new(request.tree(profile, nodes));
            let sparks = Arc::new(Sparks::new(&tree, &selection));
            (tree, sparks)
        });
        let groups = Groups::new(profile, request.grouping).map(Arc::new);
        let (count, has_time) = (selection.count(), selection.has_time());
        let table = request.threads.iter().find_map(|thread| request.kind.table(profile, *thread));
        Self {
            calls: Some(GroupedTree::new(Arc::clone(&tree), groups.clone(), |groups, tree, node| {
                let (nodes, at) = (&tree.nodes, node as usize);
                groups.group(nodes.func[at], nodes.category[at][0])
            })),
            inverted: (view == SampleView::BottomUp).then(|| {
                let inverted = InvertedTree::grouped(Arc::clone(&tree), groups.as_deref());
                GroupedTree::new(inverted, groups, |_, tree, node| tree.group(node))
            }),
            functions: (view == SampleView::Functions).then(|| Arc::new(FunctionList::new(&tree).rows)),
            count,
            has_time,
            unit: table.map(|table| table.weight_unit).unwrap_or_default(),
            zero: profile.time_zero(),
            tree,
            sparks,
            request,
        }
    }

    /// Whether it has what a view needs.
    const fn has(&self, view: SampleView) -> bool {
        match view {
            SampleView::CallTree | SampleView::Flame => true,
            SampleView::BottomUp => self.inverted.is_some(),
            SampleView::Functions => self.functions.is_some(),
        }
    }
}

/// State of the trees.
pub struct SampleTrees {
    /// Threads that the user chose; none: the tree follows the selected marker.
    chosen: Option<Vec<ThreadId>>,
    /// The thread of the last selected marker that has samples.
    followed: Option<ThreadId>,
    kind: SampleKind,
    /// Whether idle samples are left out, if the user said so.
    without_idle: Option<bool>,
    /// What is compared, if the user chose it.
    measure: Option<Measure>,
    implementation: Implementation,
    grouping: Grouping,
    search: String,
    trail: Trail,
    /// The threads that the trail belongs to, and the trails of others.
    trail_of: Vec<ThreadId>,
    trails: HashMap<Vec<ThreadId>, Trail>,
    task: Task<(TreeRequest, SampleView), Built>,
    built: Option<Built>,
    call_rows: Outline,
    caller_rows: Outline,
    /// Where the cursor of the bottom-up tree was, while it is not shown.
    caller_paths: Option<Vec<u32>>,
    scrolls: [TreeScroll; 2],
    functions: FunctionTable,
    flame: FlameGraph,
}

impl SampleTrees {
    /// `wake` is called when a tree is ready.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            chosen: None,
            followed: None,
            kind: SampleKind::Cpu,
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
        }
    }

    /// Whether a tree is being computed.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.task.is_running()
    }

    /// Waits until the tree is ready; for pictures and tests.
    pub fn wait(&mut self) {
        let mut newest = None;
        self.task.wait(|_, built| newest = Some(built));
        newest.into_iter().for_each(|built| self.set(built));
    }

    /// Shows the samples of a thread, whatever is selected.
    pub fn choose(&mut self, thread: ThreadId) {
        self.chosen = Some(vec![thread]);
    }

    /// Chooses the functions that are shown, and their groups.
    pub fn arrange(&mut self, functions: Implementation, grouping: Grouping) {
        (self.implementation, self.grouping) = (functions, grouping);
    }

    /// What the tree is to show now.
    fn request(&mut self, session: &Session) -> TreeRequest {
        let (index, scope) = (&session.index, session.scope());
        let profile = index.profile();
        let marker = session.view.selected.and_then(|marker| profile.locate(marker)).map(|(thread, _)| thread);
        let selected = session.view.selected_call.map(|selected| selected.call.thread).or(marker);
        self.followed = selected.filter(|thread| has_samples(profile, *thread)).or(self.followed);
        let chosen = self.chosen.clone().or_else(|| self.followed.map(|thread| vec![thread]));
        if chosen.is_none() {
            // Until a marker of another thread is selected.
            self.followed = busiest(profile);
        }
        let threads = chosen.unwrap_or_else(|| self.followed.into_iter().collect());
        if threads != self.trail_of {
            // Paths and functions of one thread mean little in another.
            let trail = self.trails.remove(&threads).unwrap_or_default();
            let before = std::mem::replace(&mut self.trail_of, threads.clone());
            self.trails.insert(before, std::mem::replace(&mut self.trail, trail));
        }
        let has = |kind: SampleKind| threads.iter().any(|thread| kind.is_in(profile, *thread));
        if !has(self.kind) {
            let kinds = [SampleKind::Cpu, SampleKind::NativeAllocations, SampleKind::JsAllocations];
            self.kind = kinds.into_iter().find(|kind| has(*kind)).unwrap_or(SampleKind::Cpu);
        }
        TreeRequest {
            kind: self.kind,
            range: scope.range(),
            transforms: self.trail.list().to_vec(),
            // V8 samples idle threads, too; its own tools show what was run.
            without_idle: self.without_idle.unwrap_or(profile.meta.places_from_zero),
            implementation: self.implementation,
            measure: self.measure(profile, &threads),
            grouping: self.grouping,
            search: self.search.trim().to_owned(),
            threads,
        }
    }

    /// What is compared: V8 and those who read its profiles think in times, others in samples.
    fn measure(&self, profile: &Profile, threads: &[ThreadId]) -> Measure {
        let tables = || threads.iter().filter_map(|thread| self.kind.table(profile, *thread));
        let default = if profile.meta.places_from_zero { Measure::Time } else { Measure::Weight };
        let has_time = tables().all(|table| table.weight.is_empty());
        if has_time { self.measure.unwrap_or(default) } else { Measure::Weight }
    }

    /// Keeps the tree up to date with what is shown.
    fn follow(&mut self, session: &Session, view: SampleView) {
        let request = self.request(session);
        let same = self.built.as_ref().filter(|built| built.request == request);
        if same.is_none_or(|built| !built.has(view)) {
            let key = (request.clone(), view);
            if !self.task.is_for(&key) {
                let index = Arc::clone(&session.index);
                let nodes = self.built.as_ref().filter(|built| request.has_nodes_of(&built.request));
                let known = Known {
                    nodes: nodes.map(|built| Arc::clone(&built.tree.nodes)),
                    tree: same.map(|built| (Arc::clone(&built.tree), Arc::clone(&built.sparks))),
                };
                self.task.replace(key, move |_| Built::new(&index, request, known, view));
            }
        } else {
            self.task.cancel();
        }
        if let Some(built) = self.task.poll_newest() {
            self.set(built);
        }
    }

    fn set(&mut self, mut built: Built) {
        let mut before = self.built.take();
        if let Some(before) = before.as_mut().filter(|before| before.request == built.request) {
            // The same samples, for another view.
            built.functions = built.functions.or_else(|| before.functions.take());
            if let Some(inverted) = &mut built.inverted {
                self.caller_rows.begin(inverted, self.caller_paths.take());
            } else {
                built.inverted = before.inverted.take();
            }
            self.functions.forget_order();
            self.built = Some(built);
            return;
        }
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
        self.functions.forget_order();
        self.built = Some(built);
    }
}

/// Whether anything of a thread was sampled.
pub(crate) fn has_samples(profile: &Profile, thread: ThreadId) -> bool {
    let samples = profile.thread(thread).samples.as_ref();
    samples.is_some_and(|samples| {
        !samples.cpu.is_empty() || !samples.js_allocations.is_empty() || !samples.native_allocations.is_empty()
    })
}

/// The thread with most samples that are not idle, main threads first.
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
        |(id, thread): &(ThreadId, &crate::profile::Thread)| (thread.is_main, count(*id), std::cmp::Reverse(id.0));
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
    if !built.has(view) {
        ui.weak("Counting…");
        return Vec::new();
    }
    match view {
        SampleView::CallTree | SampleView::BottomUp => tree::show(ui, session, state, view, copying, palette),
        SampleView::Functions => function_list::show(ui, session, state, copying, palette),
        SampleView::Flame => flame::show(ui, session, state, palette),
    }
    Vec::new()
}

/// Why there is nothing to show.
fn nothing(built: &Built, trail: &Trail) -> &'static str {
    match built.count {
        (0, _) if built.request.range.is_some() => "No sample of this thread lies in the range.",
        (0, _) => "This thread has no samples.",
        (all, unknown) if all == unknown => "The stacks of all samples are unknown.",
        _ if !built.request.search.is_empty() => "No stack has such a function.",
        _ if !trail.list().is_empty() => "The transforms leave no sample over.",
        _ => "No function of this kind was sampled.",
    }
}
