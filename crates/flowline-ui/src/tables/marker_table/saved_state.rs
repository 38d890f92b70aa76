//! Saved state of the marker table.

use super::state::MarkerTable;
use crate::table_state::{self, Members};
use flowline_profile::Value;
use flowline_session::MarkerColumn;

impl MarkerTable {
    /// State to save: columns, their widths, and the sort order.
    pub(crate) fn choices(&self) -> Value {
        let mut members = Members::default();
        members.add("columns", table_state::columns(&self.columns, MarkerColumn::title));
        members.add("widths", table_state::widths(&self.widths));
        members.add("sort", table_state::sort(self.sort.0.title(), self.sort.1));
        members.object()
    }

    /// Restores saved state.
    pub(crate) fn set_choices(&mut self, value: &Value) {
        let columns = table_state::read_columns(value.get("columns"), &MarkerColumn::ALL, MarkerColumn::title);
        columns.into_iter().for_each(|columns| self.columns = columns);
        self.widths = table_state::read_widths(value);
        let sort = table_state::read_sort(value.get("sort"), &MarkerColumn::ALL, MarkerColumn::title);
        self.sort = sort.unwrap_or(self.sort);
    }
}
