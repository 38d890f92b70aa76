//! The order of the rows of a result.

use std::cmp::Ordering;
use std::sync::Arc;

use flowline_index::Index;
use flowline_session::{Field, Job, PoolTask, QueryId, QueryResult, QueryRun, Task, Wake};

/// A column and true for a descending order.
pub(super) type Sort = (usize, bool);

/// A result and its order.
type OrderKey = (QueryId, Sort);

/// Sorts the rows of the shown result on the pool.
pub(super) struct RowOrder {
    /// `None` for the order of the query.
    pub(super) sort: Option<Sort>,
    task: Task<OrderKey, Vec<u32>>,
    /// The newest finished order.
    rows: Option<(OrderKey, Arc<Vec<u32>>)>,
    /// True if the order has changed since [`Self::has_changed`] was called.
    is_changed: bool,
}

impl RowOrder {
    pub(super) fn new(wake: Wake) -> Self {
        Self { sort: None, task: Task::new(wake), rows: None, is_changed: false }
    }

    /// Returns to the order of the query.
    pub(super) fn reset(&mut self) {
        (self.sort, self.rows) = (None, None);
        self.task.cancel();
    }

    /// Sorts the rows of a complete result by a heading that was pressed: first ascending, then descending, then as the query
    /// returned them.
    pub(super) fn press(&mut self, column: usize) {
        self.sort = match self.sort {
            Some((by, false)) if by == column => Some((column, true)),
            Some((by, true)) if by == column => None,
            _ => Some((column, false)),
        };
        self.is_changed |= self.sort.is_none();
    }

    /// Follows a result.
    pub(super) fn follow(&mut self, run: &QueryRun) {
        let Some(sort) = self.sort.filter(|_| run.is_done()) else { return };
        let key = (run.id, sort);
        let is_known = self.rows.as_ref().is_some_and(|(known, _)| *known == key);
        if !is_known && !self.task.is_for(&key) {
            let result = run.result.clone();
            self.task.replace(key, move |_| sorted(&result, sort));
        }
    }

    /// The rows of a result in their order; `None` for that of the query. Until rows are sorted, their last order is shown.
    pub(super) fn rows(&self, run: QueryId) -> Option<Arc<Vec<u32>>> {
        let rows = self.rows.as_ref().filter(|((of, _), _)| *of == run && self.sort.is_some());
        rows.map(|(_, rows)| Arc::clone(rows))
    }

    /// True if the rows have another order than at the last call.
    pub(super) const fn has_changed(&mut self) -> bool {
        std::mem::replace(&mut self.is_changed, false)
    }

    /// True while rows are sorted.
    pub(super) const fn is_sorting(&self) -> bool {
        self.task.is_running()
    }
}

impl Job for RowOrder {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        while let Some((key, rows)) = self.task.poll() {
            self.rows = Some((key, Arc::new(rows)));
            self.is_changed = true;
        }
    }
}

fn rank(field: Field<'_>) -> u8 {
    match field {
        Field::Boolean(_) => 0,
        Field::Integer(_) | Field::Real(_) => 1,
        Field::Text(_) => 2,
        Field::Null => 3,
    }
}

fn compare(a: Field<'_>, b: Field<'_>) -> Ordering {
    match (a, b) {
        (Field::Integer(a), Field::Integer(b)) => a.cmp(&b),
        (Field::Real(a), Field::Real(b)) => a.total_cmp(&b),
        (Field::Text(a), Field::Text(b)) => a.cmp(b),
        (Field::Boolean(a), Field::Boolean(b)) => a.cmp(&b),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// The numbers of the rows in an order. Rows without a value come last in either direction, equal rows as in the query.
fn sorted(result: &QueryResult, (column, descending): Sort) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..u32::try_from(result.rows()).unwrap_or(u32::MAX)).collect();
    rows.sort_by(|a, b| {
        let [a, b] = [a, b].map(|row| result.get(*row as usize, column));
        match compare(a, b) {
            order if descending && a != Field::Null && b != Field::Null => order.reverse(),
            order => order,
        }
    });
    rows
}
