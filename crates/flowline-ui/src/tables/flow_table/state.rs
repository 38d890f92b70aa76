//! State of the flow table. Counting, filtering and sorting run on the pool.

use std::sync::Arc;

use egui::Id;

use super::columns::FlowColumn;
use super::facts::{self, FlowCounts, Flows};
use super::filter::{self, Filter};
use super::flow_times::{self, FlowTimes};
use crate::widgets::table::{Scroll, Widths};
use flowline_format::DurationUnit;
use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_profile::FlowId;
use flowline_scene::{Scope, ScopeKey};
use flowline_session::{FlowTitleCache, Job, PoolTask, Task};

/// Filter, sorting column, true if it is descending, and scope.
type OrderKey = (String, FlowColumn, bool, ScopeKey);

/// State of the table.
pub struct FlowTable {
    pub(super) counts: Arc<FlowCounts>,
    counting: Task<(), FlowCounts>,
    pub(super) is_counted: bool,
    /// Run and wait times of all flows; computed on first use.
    pub(super) timelines: Option<Arc<[FlowTimes]>>,
    living: Task<(), Vec<FlowTimes>>,
    pub(super) rows: Arc<Vec<FlowId>>,
    /// Unit of the durations: that of the longest flow.
    pub(super) unit: DurationUnit,
    ordering: Task<OrderKey, (Vec<FlowId>, DurationUnit)>,
    pub(super) sort: (FlowColumn, bool),
    pub(super) filter: String,
    pub(super) cursor: Option<FlowId>,
    /// The cursor's row, if its flow matches the filter.
    pub(super) cursor_row: Option<usize>,
    /// True if the user or the entered flow has placed the cursor. Until then, it is on the first row.
    pub(super) is_placed: bool,
    /// True if the cursor moves to the first row of the next result.
    pub(super) moves_to_first: bool,
    pub(super) titles: Arc<FlowTitleCache>,
    /// Visible columns, from left to right.
    pub(super) columns: Vec<FlowColumn>,
    pub(super) widths: Widths,
    pub(super) scroll: Scroll,
}

impl FlowTable {
    /// Creates a table; `wake` is called when counts or sorted rows are ready.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            counts: Arc::default(),
            counting: Task::new(Arc::clone(&wake)),
            is_counted: false,
            timelines: None,
            living: Task::new(Arc::clone(&wake)),
            rows: Arc::default(),
            unit: DurationUnit::default(),
            ordering: Task::new(wake),
            sort: (FlowColumn::Start, false),
            filter: String::new(),
            cursor: None,
            cursor_row: None,
            is_placed: false,
            moves_to_first: false,
            titles: Arc::default(),
            columns: FlowColumn::USUAL.to_vec(),
            widths: Widths::default(),
            scroll: Scroll::default(),
        }
    }

    /// Filtered flows, in order.
    #[must_use]
    pub fn rows(&self) -> &[FlowId] {
        &self.rows
    }

    /// Visible columns, from left to right.
    #[must_use]
    pub fn columns(&self) -> &[FlowColumn] {
        &self.columns
    }

    /// Sets the visible columns; an empty list selects the default ones.
    pub fn set_columns(&mut self, columns: &[FlowColumn]) {
        let columns = if columns.is_empty() { &FlowColumn::USUAL } else { columns };
        self.columns = FlowColumn::ALL.into_iter().filter(|column| columns.contains(column)).collect();
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

    /// Filters the table to the flows of a kind.
    pub(crate) fn show_kind(&mut self, kind: &str) {
        self.filter = filter::only(kind);
        self.moves_to_first = true;
    }

    /// Starts counting on first use, then keeps the rows up to date with filter and sort order.
    pub(super) fn follow(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>, scope: &Scope) {
        if !self.titles.is_for(rules) {
            self.titles = Arc::new(FlowTitleCache::new(rules));
            self.ordering.cancel();
            // Kinds and run times depend on the rules.
            self.counting.cancel();
            self.is_counted = false;
            self.living.cancel();
            self.timelines = None;
        }
        if !self.is_counted && !self.counting.is_for(&()) {
            let (index, rules) = (Arc::clone(index), Arc::clone(rules));
            self.counting.replace((), move |running| facts::count(&index, &rules, &|| running.is_wanted()));
        }
        self.poll(index);
        let key = (self.filter.trim().to_owned(), self.sort.0, self.sort.1, scope.key());
        let filter = Filter::parse(&key.0);
        let needs_timelines = self.sort.0.needs_timelines() || filter.needs_timelines();
        if needs_timelines || self.columns.iter().any(|column| column.needs_timelines()) {
            self.follow_flow_times(index, rules);
        }
        if self.is_counted && (self.timelines.is_some() || !needs_timelines) && !self.ordering.is_for(&key) {
            let (index, rules, counts) = (Arc::clone(index), Arc::clone(rules), Arc::clone(&self.counts));
            let (timelines, sort, scope) = (self.timelines.clone(), self.sort, scope.clone());
            self.ordering.replace(key, move |running| {
                let flows = Flows { index: &index, rules: &rules, counts: &counts, timelines: timelines.as_deref() };
                let rows = flows.rows(&filter, &scope, sort, &|| running.is_wanted());
                let unit = DurationUnit::of_column(rows.iter().map(|flow| flows.facts(*flow).length));
                (rows, unit)
            });
        }
        self.poll(index);
    }

    /// Starts computing the run and wait times of all flows, once.
    fn follow_flow_times(&mut self, index: &Arc<Index>, rules: &Arc<RuleMatcher>) {
        if self.timelines.is_none() && !self.living.is_for(&()) {
            let (index, rules) = (Arc::clone(index), Arc::clone(rules));
            self.living.replace((), move |running| flow_times::totals(&index, &rules, &|| running.is_wanted()));
        }
    }

    fn set_counts(&mut self, counts: FlowCounts) {
        self.counts = Arc::new(counts);
        self.is_counted = true;
    }

    fn set_rows(&mut self, rows: Vec<FlowId>) {
        self.rows = Arc::new(rows);
        if std::mem::take(&mut self.moves_to_first) || !self.is_placed {
            (self.cursor, self.is_placed) = (self.rows.first().copied().or(self.cursor), false);
        }
        self.cursor_row = self.rows.iter().position(|flow| Some(*flow) == self.cursor);
        self.scroll.restart(self.cursor_row);
    }

    /// Sorts by a column in its natural direction and moves to the first row.
    pub(super) fn apply_preset(&mut self, column: FlowColumn) {
        let sort = (column, column.is_amount());
        self.moves_to_first = self.sort != sort;
        self.sort = sort;
        if !self.moves_to_first {
            self.move_to(0);
        }
    }

    pub(super) fn move_to(&mut self, row: usize) {
        if let Some(flow) = self.rows.get(row) {
            (self.cursor, self.cursor_row, self.is_placed) = (Some(*flow), Some(row), true);
            self.scroll.reveal(row);
        }
    }
}

impl Job for FlowTable {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.counting, &self.living, &self.ordering]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(counts) = self.counting.poll_newest() {
            self.set_counts(counts);
        }
        if let Some(timelines) = self.living.poll_newest() {
            self.timelines = Some(timelines.into());
        }
        if let Some((rows, unit)) = self.ordering.poll_newest() {
            self.unit = unit;
            self.set_rows(rows);
        }
    }
}

/// Id of the table's widget.
pub(crate) fn flows_id() -> Id {
    Id::unique("flow table")
}

pub(super) fn filter_id() -> Id {
    Id::unique("flow filter")
}
