//! The computed result of a [`TreeRequest`].

use std::sync::Arc;

use super::function_tree::FunctionTree;
use super::grouped::GroupedTree;
use super::sample_view::SampleView;
use super::sparks::Sparks;
use flowline_index::Index;
use flowline_index::samples::entries::{Work, has_work};
use flowline_index::samples::{
    CallNodes, CallTree, EntryLog, FunctionList, FunctionRow, Groups, Implementation, InvertedTree, TreeRequest,
};
use flowline_profile::samples::WeightUnit;
use flowline_profile::{DisplayClock, Ns};

/// The computed result of a request.
pub(super) struct SampleResult {
    pub(super) request: TreeRequest,
    pub(super) tree: Arc<CallTree>,
    /// Distribution of its samples over time.
    pub(super) sparks: Arc<Sparks>,
    /// The call tree with its groups; taken out while it is drawn.
    pub(super) calls: Option<GroupedTree<Arc<CallTree>>>,
    /// The bottom-up tree, once requested.
    pub(super) inverted: Option<GroupedTree<InvertedTree>>,
    /// All functions, once requested.
    pub(super) functions: Option<Arc<Vec<FunctionRow>>>,
    /// The event log, once requested.
    pub(super) log: Option<EntryLog>,
    /// Minimum duration of the entries in `log`.
    pub(super) least: Ns,
    /// True if kinds of work describe the events of the tree.
    pub(super) has_work: bool,
    /// Self times by kind of work; empty for samples.
    pub(super) work: Vec<(Work, Ns)>,
    /// Number of samples, and number of those without a stack.
    pub(super) count: (usize, usize),
    /// True if a sample lasts until the next one; otherwise only its weight counts.
    pub(super) has_time: bool,
    pub(super) unit: WeightUnit,
    /// The clock of displayed times.
    pub(super) clock: DisplayClock,
}

/// Reusable parts of the previous result: nodes, and the tree if the samples are the same.
pub(super) struct KnownParts {
    pub(super) nodes: Option<Arc<CallNodes>>,
    pub(super) tree: Option<(Arc<CallTree>, Arc<Sparks>)>,
}

/// True if no transform or filter excludes events or calls.
pub(super) fn shows_all(request: &TreeRequest) -> bool {
    request.transforms.is_empty() && request.search.is_empty() && request.implementation == Implementation::All
}

impl SampleResult {
    /// Computes the data that a view needs.
    pub(super) fn new(index: &Index, request: TreeRequest, known: KnownParts, (view, least): (SampleView, Ns)) -> Self {
        let profile = index.profile();
        let selection = request.selection(profile);
        let (tree, sparks) = known.tree.unwrap_or_else(|| {
            let nodes = known.nodes.unwrap_or_else(|| Arc::new(request.nodes(profile)));
            let tree = Arc::new(request.tree(profile, nodes));
            let sparks = Arc::new(Sparks::new(&tree, &selection));
            (tree, sparks)
        });
        let groups = Groups::new(profile, request.grouping, &tree).map(Arc::new);
        let has_work = tree.has_entries() && has_work(profile);
        let (count, has_time) = (selection.count(), tree.has_entries() || selection.has_time());
        let table = request.threads.iter().find_map(|thread| request.kind.table(profile, *thread));
        Self {
            calls: Some(GroupedTree::new(Arc::clone(&tree), groups.clone(), |groups, tree, node| {
                (groups.of_root(&tree.nodes, node), tree.costs(node))
            })),
            inverted: (view == SampleView::BottomUp).then(|| {
                let inverted = InvertedTree::grouped(Arc::clone(&tree), groups.as_deref());
                GroupedTree::new(inverted, groups, |_, tree, node| (tree.group(node), tree.group_costs(node)))
            }),
            functions: (view == SampleView::Functions).then(|| Arc::new(FunctionList::new(&tree).rows)),
            log: if view == SampleView::EventLog { EntryLog::new(&tree.nodes, request.range, least) } else { None },
            least,
            has_work,
            work: match &tree.nodes.entries {
                None => Vec::new(),
                Some(_) if !has_work => Vec::new(),
                Some(list) if shows_all(&request) => list.summary(profile, request.range),
                Some(_) => tree.times_by_work(profile),
            },
            count,
            has_time,
            unit: table.map(|table| table.weight_unit).unwrap_or_default(),
            clock: profile.clock(),
            tree,
            sparks,
            request,
        }
    }

    /// True if it contains the data that a view needs.
    pub(super) fn has(&self, view: SampleView, least: Ns) -> bool {
        match view {
            // Without entries, there is no log to compute.
            SampleView::EventLog => !self.tree.has_entries() || (self.log.is_some() && self.least == least),
            SampleView::CallTree | SampleView::Flame => true,
            SampleView::BottomUp => self.inverted.is_some(),
            SampleView::Functions => self.functions.is_some(),
        }
    }
}
