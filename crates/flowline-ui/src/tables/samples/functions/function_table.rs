//! State of the function list: its order and its cursor.

use std::sync::Arc;

use crate::tables::samples::row;
use crate::widgets::table::Scroll;
use flowline_index::samples::{FunctionRow, Measure};
use flowline_profile::Profile;

/// State of the list.
#[derive(Debug)]
pub(crate) struct FunctionTable {
    /// Sorted column, and true if descending.
    pub(super) sort: (usize, bool),
    /// Row numbers in display order; `None` until they are sorted.
    pub(super) order: Option<Arc<Vec<u32>>>,
    /// Function of the cursor's row.
    pub(super) cursor: Option<u32>,
    pub(super) scroll: Scroll,
}

impl Default for FunctionTable {
    fn default() -> Self {
        Self { sort: (2, true), order: None, cursor: None, scroll: Scroll::default() }
    }
}

impl FunctionTable {
    /// Discards the order, so that the next frame sorts the rows again.
    pub(crate) fn forget_order(&mut self) {
        self.order = None;
    }

    pub(super) fn order(&mut self, profile: &Profile, rows: &[FunctionRow], measure: Measure) -> Arc<Vec<u32>> {
        if let Some(order) = &self.order {
            return Arc::clone(order);
        }
        let mut order: Vec<u32> = (0..).take(rows.len()).collect();
        let row = |at: &u32| &rows[*at as usize];
        let (column, is_descending) = self.sort;
        match column {
            0 | 1 => order.sort_by(|a, b| row(a).total.size(measure).total_cmp(&row(b).total.size(measure))),
            2 => order.sort_by(|a, b| row(a).own.size(measure).total_cmp(&row(b).own.size(measure))),
            3 => {
                order.sort_by(|a, b| row(a).total.size(measure.other()).total_cmp(&row(b).total.size(measure.other())))
            }
            4 => order.sort_by_cached_key(|at| row::name(profile, row(at).func).to_lowercase()),
            _ => order.sort_by_cached_key(|at| row::place(profile, row(at).func)),
        }
        if is_descending {
            order.reverse();
        }
        let order = Arc::new(order);
        self.order = Some(Arc::clone(&order));
        order
    }
}
