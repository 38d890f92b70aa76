//! State of the flow tree: its rows, and the source they are built from.

use std::sync::Arc;

use super::columns::FlowTreeColumn;
use super::members::{Members, SortOrder};
use super::outline::{Outline, TreeItem};
use crate::widgets::table::{self, Scroll, Widths};
use flowline_index::Index;
use flowline_profile::{FlowId, MarkerId};
use flowline_session::{FlowTitleCache, Job, PoolTask, Task};
use flowline_view::{Command, FlowCommand, ViewState};

/// Flows with at most this many markers are sorted synchronously; larger ones on the pool.
const QUICK_MARKERS: usize = 20_000;

/// The part of the view that the tree is built from.
#[derive(Clone, Debug, PartialEq)]
struct TreeSource {
    selected: Option<MarkerId>,
    entered: Vec<FlowId>,
}

/// Background sorting of flows; the key is the sort order and the flows.
type Orders = Task<(SortOrder, Vec<FlowId>), Vec<(FlowId, Members)>>;

/// State of the tree.
pub struct FlowTree {
    pub(super) outline: Outline,
    source: Option<TreeSource>,
    /// The source expected after the tree's own commands are applied; it does not trigger a rebuild.
    expected: Option<TreeSource>,
    pub(super) sort: SortOrder,
    orders: Orders,
    /// True until the flows that are sorted on the pool have their new order.
    is_resorted: bool,
    pub(super) titles: FlowTitleCache,
    pub(super) widths: Widths,
    pub(super) scroll: Scroll,
}

impl FlowTree {
    /// Creates a tree; `wake` is called when flows have been sorted.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            outline: Outline::new(),
            source: None,
            expected: None,
            sort: (FlowTreeColumn::Start, false),
            orders: Task::new(wake),
            is_resorted: false,
            titles: FlowTitleCache::default(),
            widths: Widths::default(),
            scroll: Scroll::default(),
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

    /// Rebuilds the tree if its source changed. A newly shown tree always follows the view.
    pub(super) fn follow(&mut self, index: &Index, view: &ViewState, is_new: bool) {
        let now = TreeSource { selected: view.selected, entered: view.flows.entered.clone() };
        if !is_new && self.source.as_ref() == Some(&now) {
            return;
        }
        let expected = self.expected.take().as_ref() == Some(&now);
        self.source = Some(now.clone());
        if expected && !is_new {
            return;
        }
        let graph = index.flows();
        let selected = now.selected.filter(|marker| !graph.flows_of(*marker).is_empty());
        let roots = match selected {
            Some(marker) => vec![TreeItem::Marker(marker, None)],
            None => now.entered.iter().map(|flow| TreeItem::Flow(*flow)).collect(),
        };
        if roots != self.outline.roots() {
            self.outline.set_roots(graph, roots, &now.entered);
            self.scroll.reveal(0);
        }
    }

    /// Computes the source that will result from the tree's own commands.
    pub(super) fn expect(&mut self, view: &ViewState, commands: &[Command]) {
        let mut expected = TreeSource { selected: view.selected, entered: view.flows.entered.clone() };
        for command in commands {
            if let Command::Reveal(marker) | Command::ZoomToMarker(marker) = command {
                expected.selected = Some(*marker);
            } else if let Command::Flow(FlowCommand::Enter(flows)) = command {
                expected.entered.clone_from(flows);
            }
        }
        if self.source.as_ref() != Some(&expected) {
            self.expected = Some(expected);
        }
    }

    /// Sorts newly expanded flows: small ones synchronously, the rest on the pool.
    pub(super) fn keep_order(&mut self, index: &Arc<Index>) {
        let (graph, cursor) = (index.flows(), self.outline.cursor());
        self.poll(index);
        let (quick, slow): (Vec<FlowId>, Vec<FlowId>) =
            self.outline.missing().into_iter().partition(|flow| graph.members(*flow).len() <= QUICK_MARKERS);
        if !quick.is_empty() {
            self.outline.set_members(graph, Outline::arrange(index, &quick, self.sort));
        }
        if self.outline.cursor() != cursor {
            self.scroll.reveal(self.outline.cursor());
        }
        let key = (self.sort, slow);
        if key.1.is_empty() || (self.orders.is_running() && self.orders.is_for(&key)) {
            return;
        }
        let index = Arc::clone(index);
        let (sort, flows) = key.clone();
        self.orders.replace(key, move |_| Outline::arrange(&index, &flows, sort));
    }

    pub(super) fn sort_by(&mut self, index: &Index, column: FlowTreeColumn) {
        self.sort =
            table::pressed(self.sort, column, column == FlowTreeColumn::Duration || column == FlowTreeColumn::Contents);
        self.orders.cancel();
        self.outline.forget_orders(index.flows());
        self.scroll.restart(Some(self.outline.cursor()));
        self.is_resorted = true;
    }
}

impl Job for FlowTree {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.orders]
    }

    fn poll(&mut self, index: &Arc<Index>) {
        while let Some((_, found)) = self.orders.poll() {
            self.outline.set_members(index.flows(), found);
            if std::mem::take(&mut self.is_resorted) {
                self.scroll.restart(Some(self.outline.cursor()));
            }
        }
    }
}
