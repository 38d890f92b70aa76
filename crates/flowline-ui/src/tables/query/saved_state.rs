//! Saved state of the query tab: the query and those that were run.

use super::history::QueryHistory;
use super::state::QueryTable;
use crate::table_state::{self, Members};
use flowline_profile::Value;

impl QueryTable {
    /// State to save.
    pub(crate) fn choices(&self) -> Value {
        let mut members = Members::default();
        members.text("text", &self.text);
        members.list("history", self.history.queries().iter().map(|query| table_state::text(query)).collect());
        members.object()
    }

    /// Restores saved state.
    pub(crate) fn set_choices(&mut self, value: &Value) {
        self.insert(table_state::string(value, "text").to_owned());
        let queries = table_state::items(value.get("history")).iter();
        self.history = QueryHistory::with(queries.filter_map(Value::as_str).map(str::to_owned));
    }
}
