//! Saved state of the network table.

use super::columns::Column;
use super::state::NetworkTable;
use crate::table_state::{self, Members};
use flowline_profile::Value;

impl Column {
    const fn title(self) -> &'static str {
        self.layout().title
    }
}

impl NetworkTable {
    /// State to save: columns, their widths, the sort order, and the filter.
    pub(crate) fn choices(&self) -> Value {
        let mut members = Members::default();
        members.add("columns", table_state::columns(&self.columns, Column::title));
        members.add("widths", table_state::widths(&self.widths));
        members.add("sort", table_state::sort(self.sort.0.title(), self.sort.1));
        members.text("filter", &self.filter);
        members.object()
    }

    /// Restores saved state.
    pub(crate) fn set_choices(&mut self, value: &Value) {
        let columns = table_state::read_columns(value.get("columns"), &Column::ALL, Column::title);
        columns.into_iter().for_each(|columns| self.columns = columns);
        self.widths = table_state::read_widths(value);
        let sort = table_state::read_sort(value.get("sort"), &Column::ALL, Column::title);
        self.sort = sort.unwrap_or(self.sort);
        table_state::string(value, "filter").clone_into(&mut self.filter);
    }
}
