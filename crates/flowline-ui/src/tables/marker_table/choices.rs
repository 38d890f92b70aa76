//! Saved state of the marker table.

use super::MarkerTable;
use crate::choices::{self, Members};
use flowline_profile::Value;
use flowline_session::MarkerColumn;

impl MarkerTable {
    /// State to save: columns, their widths, and the sort order.
    pub(crate) fn choices(&self) -> Value {
        let mut members = Members::default();
        members.add("columns", choices::columns(&self.columns, MarkerColumn::title));
        members.add("widths", choices::widths(&self.widths));
        members.add("sort", choices::sort(self.sort.0.title(), self.sort.1));
        members.object()
    }

    /// Restores saved state.
    pub(crate) fn set_choices(&mut self, value: &Value) {
        let columns = choices::read_columns(value.get("columns"), &MarkerColumn::ALL, MarkerColumn::title);
        columns.into_iter().for_each(|columns| self.columns = columns);
        self.widths = choices::read_widths(value);
        let sort = choices::read_sort(value.get("sort"), &MarkerColumn::ALL, MarkerColumn::title);
        self.sort = sort.unwrap_or(self.sort);
    }
}
