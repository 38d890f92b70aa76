//! State of the marker table. Rows are sorted on the pool.

use std::sync::Arc;

use rayon::prelude::*;

use crate::widgets::table::{Scroll, Widths};
use flowline_format::DurationUnit;
use flowline_index::Index;
use flowline_index::nesting::self_times;
use flowline_profile::{HiddenTypes, MarkerId, MarkerSurface, Ns, Profile};
use flowline_scene::{Scope, ScopeKey};
use flowline_session::{Job, MarkerColumn, PoolTask, Task, ordered_shown};

/// Inputs of the rows; rows with another key are stale.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TableKey {
    scope: ScopeKey,
    column: MarkerColumn,
    descending: bool,
    /// True if the table includes markers that their schema hides from tables.
    shows_all: bool,
}

/// State of the table.
pub struct MarkerTable {
    pub(super) orders: Task<TableKey, (Vec<MarkerId>, DurationUnit)>,
    /// Unit of the durations: that of the longest row.
    pub(super) unit: DurationUnit,
    pub(super) rows: Arc<Vec<MarkerId>>,
    /// Computes the self times of all markers while their column is visible.
    self_times: Task<(), Vec<Ns>>,
    pub(super) known_self_times: Option<Arc<Vec<Ns>>>,
    pub(super) sort: (MarkerColumn, bool),
    /// Visible columns, from left to right.
    pub(super) columns: Vec<MarkerColumn>,
    pub(super) widths: Widths,
    pub(super) scroll: Scroll,
    /// True until a newly opened table has rows to focus.
    pub(super) wants_focus: bool,
    pub(super) revealed: Option<MarkerId>,
}

impl MarkerTable {
    /// Creates a table; `wake` is called when the rows have been sorted.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            orders: Task::new(Arc::clone(&wake)),
            unit: DurationUnit::default(),
            rows: Arc::default(),
            self_times: Task::new(wake),
            known_self_times: None,
            sort: (MarkerColumn::Start, false),
            columns: MarkerColumn::USUAL.to_vec(),
            widths: Widths::default(),
            scroll: Scroll::default(),
            wants_focus: false,
            revealed: None,
        }
    }

    /// Filtered rows, in order.
    #[must_use]
    pub fn rows(&self) -> &[MarkerId] {
        &self.rows
    }

    /// Visible columns, from left to right.
    #[must_use]
    pub fn columns(&self) -> &[MarkerColumn] {
        &self.columns
    }

    /// Sets the visible columns; an empty list selects the default ones.
    pub fn set_columns(&mut self, columns: &[MarkerColumn]) {
        let columns = if columns.is_empty() { &MarkerColumn::USUAL } else { columns };
        self.columns = MarkerColumn::ALL.into_iter().filter(|column| columns.contains(column)).collect();
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

    pub(super) fn follow(&mut self, index: &Arc<Index>, scope: &Scope, shows_all: bool) {
        let (column, descending) = self.sort;
        let key = TableKey { scope: scope.key(), column, descending, shows_all };
        if !self.orders.is_for(&key) {
            let (index, scope) = (Arc::clone(index), scope.clone());
            self.orders.replace(key, move |_| {
                let profile = index.profile();
                let hidden =
                    if shows_all { HiddenTypes::default() } else { HiddenTypes::new(profile, MarkerSurface::Table) };
                let rows = ordered_shown(profile, &scope, &hidden, (column, descending));
                let unit = DurationUnit::of_longest(longest(profile, &rows));
                (rows, unit)
            });
        }
        let is_shown = self.columns.contains(&MarkerColumn::SelfTime);
        if is_shown && self.known_self_times.is_none() && !self.self_times.is_for(&()) {
            let index = Arc::clone(index);
            self.self_times.replace((), move |_| all_self_times(index.profile()));
        }
        self.poll(index);
    }

    fn set_rows(&mut self, rows: Vec<MarkerId>) {
        self.rows = Arc::new(rows);
        // The offset belongs to other rows or another order. The selected row is shown if there is one.
        self.scroll.scroll_to_top();
        self.revealed = None;
    }
}

impl Job for MarkerTable {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.orders, &self.self_times]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some((rows, unit)) = self.orders.poll_newest() {
            self.unit = unit;
            self.set_rows(rows);
        }
        if let Some(times) = self.self_times.poll_newest() {
            self.known_self_times = Some(Arc::new(times));
        }
    }
}

/// Duration of the longest of these markers.
fn longest(profile: &Profile, rows: &[MarkerId]) -> i64 {
    let length = |marker: &MarkerId| {
        let (thread, local) = profile.locate(*marker)?;
        let markers = &profile.thread(thread).markers;
        Some((markers.end(local) - markers.start(local)).0)
    };
    rows.par_iter().filter_map(length).max().unwrap_or(0)
}

/// Self times of all markers, indexed by marker id.
fn all_self_times(profile: &Profile) -> Vec<Ns> {
    let of_threads: Vec<Vec<Ns>> = profile.threads.par_iter().with_max_len(1).map(self_times).collect();
    of_threads.concat()
}
