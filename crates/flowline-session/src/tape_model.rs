//! Content of the layout by object: the tapes of the scope in order, and the shapes of those on screen. What needs a look at
//! every flow runs on the pool. The first tapes stand in the order of their starts at once, and a list stays until the next
//! one is there.

use std::sync::Arc;

use super::tape_order::{first_tapes, ordered_tapes};
use super::task::{Task, Wake};
use flowline_index::Index;
use flowline_index::flows::{RuleMatcher, TapeFacts, TapeShape};
use flowline_profile::FlowId;
use flowline_scene::{Item, ItemKind, Scope, ScopeKey, TapeRows, TapeShapes};
use flowline_view::{TapeOrder, TapeView};

/// Maximum members whose tapes are built per frame without the pool.
const MEMBERS_A_FRAME: usize = 4_000;

/// What a list of tapes is made of: order, revision of ticks and folds, scope, and whether the facts were known.
type RowsKey = (TapeOrder, u64, ScopeKey, bool);

/// Content of the layout by object.
pub struct TapeModel {
    facts: Option<Arc<TapeFacts>>,
    rows: Arc<TapeRows>,
    /// Counts the lists.
    number: u64,
    /// What the list shown was made of; `None` before the first whole one.
    shown: Option<RowsKey>,
    /// Shapes built so far.
    pub shapes: TapeShapes,
    counting: Task<(), TapeFacts>,
    ordering: Task<RowsKey, TapeRows>,
    shape_builds: Task<FlowId, Arc<TapeShape>>,
}

impl TapeModel {
    /// `wake` is called when the pool has a result.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        Self {
            facts: None,
            rows: Arc::default(),
            number: 0,
            shown: None,
            shapes: TapeShapes::default(),
            counting: Task::new(Arc::clone(wake)),
            ordering: Task::new(Arc::clone(wake)),
            shape_builds: Task::new(Arc::clone(wake)),
        }
    }

    /// The tapes and the number of their list.
    #[must_use]
    pub const fn rows(&self) -> (&Arc<TapeRows>, u64) {
        (&self.rows, self.number)
    }

    /// What is known of all flows, once it is.
    #[must_use]
    pub const fn facts(&self) -> Option<&Arc<TapeFacts>> {
        self.facts.as_ref()
    }

    /// Whether the list is being made.
    #[must_use]
    pub const fn is_ordering(&self) -> bool {
        self.counting.is_running() || self.ordering.is_running()
    }

    /// Whether anything is being made.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.is_ordering() || self.shape_builds.is_running()
    }

    /// Takes what the pool has made.
    pub fn poll(&mut self) {
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

    /// Waits for the pool; for pictures and tests.
    pub fn wait(&mut self) {
        let mut facts = None;
        self.counting.wait(|(), found| facts = Some(found));
        self.facts = facts.map(Arc::new).or_else(|| self.facts.take());
        let mut rows = None;
        self.ordering.wait(|key, found| rows = Some((key, found)));
        if let Some((key, rows)) = rows {
            self.set_rows(Some(key), rows);
        }
        let shapes = &mut self.shapes;
        self.shape_builds.wait(|flow, shape| shapes.insert(flow, shape));
    }

    fn set_rows(&mut self, key: Option<RowsKey>, rows: TapeRows) {
        self.rows = Arc::new(rows);
        self.number += 1;
        self.shown = key;
    }

    /// Starts the missing work for a view and a scope. Returns whether the list changed at once.
    pub fn follow(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>, view: &TapeView, scope: &Scope) -> bool {
        if !view.shown {
            return false;
        }
        if self.facts.is_none() && !self.counting.is_running() {
            let (index, rules) = (Arc::clone(index), Arc::clone(rules));
            self.counting.replace((), move |running| {
                TapeFacts::build(index.profile(), index.flows(), &rules, &|| running.is_wanted())
            });
        }
        let key = (view.order, view.revision(), scope.key(), self.facts.is_some());
        if self.shown == Some(key) || self.ordering.is_running_for(&key) {
            return false;
        }
        let needs_facts = view.order.needs_facts() || !view.ticks.is_everything();
        let is_first = self.number == 0;
        if is_first {
            self.set_rows(None, first_tapes(index, scope));
        }
        if self.facts.is_some() || !needs_facts {
            let (index, facts) = (Arc::clone(index), self.facts.clone());
            let (view, scope) = (view.clone(), scope.clone());
            self.ordering.replace(key, move |running| {
                ordered_tapes(&index, facts.as_deref(), &scope, &view, &|| running.is_wanted())
            });
        }
        is_first
    }

    /// Builds the missing shapes of the tapes on screen.
    pub fn make_shapes(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>, items: &[Item]) {
        self.shapes.begin_round();
        let mut budget = MEMBERS_A_FRAME;
        for item in items {
            let ItemKind::Tape(tape) = item.kind else { continue };
            let flow = tape.flow;
            if self.shapes.touch(flow) || self.shape_builds.is_running_for(&flow) {
                continue;
            }
            let cost = index.flows().members(flow).len();
            if cost <= budget {
                budget -= cost;
                self.shapes.insert(flow, Arc::new(TapeShape::for_flow(index, rules, flow)));
            } else {
                let (index, rules) = (Arc::clone(index), Arc::clone(rules));
                self.shape_builds.add(flow, move |_| Arc::new(TapeShape::for_flow(&index, &rules, flow)));
            }
        }
    }
}
