//! Content of the layout "By object": the flow lanes of the scope in order, and the shapes of lanes on screen. Work that
//! examines every flow runs on the pool. The first lanes are listed immediately in start order, and a list stays until
//! the next one is ready.

use std::sync::Arc;

use super::flow_lane_order::{first_lanes, ordered_lanes};
use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_index::flows::{LaneData, LaneShape, RuleMatcher};
use flowline_profile::FlowId;
use flowline_scene::{FlowLaneShapes, FlowLanes, Item, ItemKind, Scope, ScopeKey};
use flowline_view::{FlowLaneOrder, FlowLaneView};

/// Maximum number of members whose lanes are built per frame without the pool.
const MEMBERS_A_FRAME: usize = 4_000;

/// Inputs of a list of flow lanes: order, revision of the enabled and collapsed types, scope, and whether the facts
/// were known.
type RowsKey = (FlowLaneOrder, u64, ScopeKey, bool);

/// Content of the layout "By object".
pub struct FlowLaneModel {
    facts: Option<Arc<LaneData>>,
    rows: Arc<FlowLanes>,
    /// Revision of the list.
    number: u64,
    /// Inputs of the current list; `None` before the first complete one.
    shown: Option<RowsKey>,
    /// Shapes built so far.
    pub shapes: FlowLaneShapes,
    counting: Task<(), LaneData>,
    ordering: Task<RowsKey, FlowLanes>,
    shape_builds: Task<FlowId, Arc<LaneShape>>,
}

impl FlowLaneModel {
    /// `wake` is called when the pool has a result.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        Self {
            facts: None,
            rows: Arc::default(),
            number: 0,
            shown: None,
            shapes: FlowLaneShapes::default(),
            counting: Task::new(Arc::clone(wake)),
            ordering: Task::new(Arc::clone(wake)),
            shape_builds: Task::new(Arc::clone(wake)),
        }
    }

    /// The flow lanes and the revision of their list.
    #[must_use]
    pub const fn rows(&self) -> (&Arc<FlowLanes>, u64) {
        (&self.rows, self.number)
    }

    /// Facts about all flows, once they are known.
    #[must_use]
    pub const fn facts(&self) -> Option<&Arc<LaneData>> {
        self.facts.as_ref()
    }

    /// True while the list is being built.
    #[must_use]
    pub const fn is_ordering(&self) -> bool {
        self.counting.is_running() || self.ordering.is_running()
    }

    fn set_rows(&mut self, key: Option<RowsKey>, rows: FlowLanes) {
        self.rows = Arc::new(rows);
        self.number += 1;
        self.shown = key;
    }

    /// Starts the missing work for a view and a scope. Returns true if the list changed immediately.
    pub fn follow(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>, view: &FlowLaneView, scope: &Scope) -> bool {
        if !view.shown {
            return false;
        }
        if self.facts.is_none() && !self.counting.is_running() {
            let (index, rules) = (Arc::clone(index), Arc::clone(rules));
            self.counting.replace((), move |running| {
                LaneData::build(index.profile(), index.flows(), &rules, &|| running.is_wanted())
            });
        }
        let key = (view.order, view.revision(), scope.key(), self.facts.is_some());
        if self.shown == Some(key) || self.ordering.is_running_for(&key) {
            return false;
        }
        let needs_facts = view.order.needs_facts() || view.by_thread || !view.ticks.is_everything();
        let is_first = self.number == 0;
        if is_first {
            self.set_rows(None, first_lanes(index, scope, view.instants));
        }
        if self.facts.is_some() || !needs_facts {
            let (index, facts) = (Arc::clone(index), self.facts.clone());
            let (view, scope) = (view.clone(), scope.clone());
            self.ordering.replace(key, move |running| {
                ordered_lanes(&index, facts.as_deref(), &scope, &view, &|| running.is_wanted())
            });
        }
        is_first
    }

    /// Builds the missing shapes of the flow lanes on screen.
    pub fn make_shapes(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>, items: &[Item]) {
        self.shapes.begin_round();
        let mut budget = MEMBERS_A_FRAME;
        for item in items {
            let ItemKind::FlowLane(lane) = item.kind else { continue };
            let flow = lane.flow;
            if self.shapes.touch(flow) || self.shape_builds.is_running_for(&flow) {
                continue;
            }
            let cost = index.flows().members(flow).len();
            if cost <= budget {
                budget -= cost;
                self.shapes.insert(flow, Arc::new(LaneShape::for_flow(index, rules, flow)));
            } else {
                let (index, rules) = (Arc::clone(index), Arc::clone(rules));
                self.shape_builds.add(flow, move |_| Arc::new(LaneShape::for_flow(&index, &rules, flow)));
            }
        }
    }
}

impl Job for FlowLaneModel {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.counting, &self.ordering, &self.shape_builds]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(facts) = self.counting.poll_newest() {
            self.facts = Some(Arc::new(facts));
        }
        if let Some((key, rows)) = std::iter::from_fn(|| self.ordering.poll()).last() {
            self.set_rows(Some(key), rows);
        }
        while let Some((flow, shape)) = self.shape_builds.poll() {
            self.shapes.insert(flow, shape);
        }
    }
}
