//! State of the table: unfolded rows, the cursor, and the rows themselves, which are rebuilt when something changed.

use std::sync::Arc;

use super::folds::Folds;
use super::row::{Row, RowContent};
use super::rows::build_rows;
use crate::table_state::{self, Members};
use crate::widgets::table::{Scroll, Widths};
use flowline_index::Derived;
use flowline_insights::insights::Insights;
use flowline_profile::{MarkerId, Value};
use flowline_session::{InsightReport, Session, is_focus_of};
use flowline_view::InsightFocus;

/// State of the table.
#[derive(Default)]
pub struct InsightTable {
    folds: Folds,
    /// Key of the row with the cursor.
    cursor: Option<String>,
    /// Its position among the rows.
    at: usize,
    /// True if the cursor was restored and may be out of view.
    is_restored: bool,
    /// The insight that the chart emphasized last.
    followed: Option<Arc<InsightFocus>>,
    /// True if the cursor was restored with an insight.
    keeps_cursor: bool,
    /// Changes with the above.
    revision: u64,
    /// The rows and their inputs.
    pub(super) rows: Arc<Vec<Row>>,
    made: Option<(Arc<InsightReport>, u64, Option<MarkerId>)>,
    pub(super) widths: Widths,
    pub(super) scroll: Scroll,
}

impl InsightTable {
    /// Custom column widths.
    #[must_use]
    pub const fn widths(&self) -> &Widths {
        &self.widths
    }

    /// Unfolds a row, or folds it.
    pub(super) fn toggle(&mut self, key: &str) {
        self.folds.toggle(key);
        self.revision += 1;
    }

    /// Shows one more page of a list.
    pub(super) fn show_more(&mut self, key: &str) {
        self.folds.show_more(key);
        self.revision += 1;
    }

    /// Rebuilds the rows if their inputs changed. The cursor follows the insight that the chart emphasizes.
    pub(super) fn follow(&mut self, session: &Session, report: &Arc<InsightReport>) {
        self.build(session, report);
        let focus = session.view.insight.as_ref();
        // A restored cursor stays where it was.
        let keeps_cursor = std::mem::take(&mut self.keeps_cursor);
        let is_same = |own: &InsightFocus| focus.is_some_and(|focus| focus.names_same(own));
        if self.followed.as_deref().map_or(focus.is_none(), is_same) {
            return;
        }
        self.followed = focus.cloned();
        if !keeps_cursor {
            self.go_to_focus(session, report);
        }
    }

    /// Moves the cursor to the emphasized insight, and unfolds what it is in.
    fn go_to_focus(&mut self, session: &Session, report: &Arc<InsightReport>) {
        let insights = Insights::if_built(&session.index).map_or(&[][..], |all| all.list());
        let Some(focus) = session.view.insight.as_deref() else { return };
        let Some(wanted) = insights.iter().position(|insight| is_focus_of(focus, insight)) else { return };
        // A section, and in it those that passed.
        for _ in 0..2 {
            let contains = |row: &&Row| match &row.content {
                RowContent::Section(heading) => heading.insights.contains(&wanted),
                RowContent::Passed(insights) => insights.contains(&wanted),
                _ => false,
            };
            let folded = self.rows.iter().filter(contains).find(|row| row.open == Some(false));
            let Some(key) = folded.map(|row| row.key.clone()) else { break };
            self.toggle(&key);
            self.build(session, report);
        }
        let is_wanted = |row: &Row| matches!(row.content, RowContent::Insight { position, .. } if position == wanted);
        let row = self.rows.iter().position(is_wanted);
        row.into_iter().for_each(|row| self.move_to(row));
    }

    fn build(&mut self, session: &Session, report: &Arc<InsightReport>) {
        let zero = session.view.zero;
        let is_current = |(made, revision, origin): &(Arc<InsightReport>, u64, Option<MarkerId>)| {
            Arc::ptr_eq(made, report) && (*revision, *origin) == (self.revision, zero)
        };
        if !self.made.as_ref().is_some_and(is_current) {
            self.rows = Arc::new(build_rows(session, report, &self.folds));
            self.made = Some((Arc::clone(report), self.revision, zero));
            let key = self.cursor.as_deref();
            let found = key.and_then(|key| self.rows.iter().position(|row| row.key == key));
            // The table opens at the page load that the recording shows.
            let is_main = |row: &Row| matches!(&row.content, RowContent::Section(heading) if heading.is_main);
            let main = || self.rows.iter().position(is_main);
            self.at = found.or_else(main).unwrap_or(0);
            if std::mem::take(&mut self.is_restored) {
                self.scroll.reveal(self.at);
            }
        }
    }

    /// Position of the row with the cursor.
    pub(super) const fn cursor(&self) -> usize {
        self.at
    }

    /// Moves the cursor to a row.
    pub(super) fn move_to(&mut self, row: usize) {
        if let Some(own) = self.rows.get(row) {
            (self.cursor, self.at) = (Some(own.key.clone()), row);
            self.scroll.reveal(row);
        }
    }

    /// The unfolded rows, the cursor, and the widths, for saved views.
    #[must_use]
    pub fn choices(&self) -> Value {
        let mut members = Members::default();
        members.list("toggled", self.folds.toggled().map(table_state::text).collect());
        members.text("cursor", self.cursor.as_deref().unwrap_or_default());
        members.add("widths", table_state::widths(&self.widths));
        members.object()
    }

    /// Restores them.
    pub fn set_choices(&mut self, value: &Value) {
        let keys = table_state::items(value.get("toggled")).iter().filter_map(Value::as_str);
        self.folds = Folds::restored(keys);
        self.cursor = Some(table_state::string(value, "cursor")).filter(|key| !key.is_empty()).map(str::to_owned);
        self.widths = table_state::read_widths(value);
        self.is_restored = true;
        self.keeps_cursor = self.cursor.is_some();
        self.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_and_the_cursor_are_saved() {
        let mut table = InsightTable::default();
        table.toggle("n0");
        table.toggle("n0/LongTasks");
        table.toggle("n0");
        table.cursor = Some("n0/LongTasks".into());
        table.widths.set("Insight", 300.0);
        let mut other = InsightTable::default();
        other.set_choices(&table.choices());
        assert_eq!((other.folds.is_open("n0", true), other.folds.is_open("n0/LongTasks", false)), (true, true));
        assert_eq!((other.cursor.as_deref(), other.choices()), (Some("n0/LongTasks"), table.choices()));
        other.set_choices(&Value::Null);
        assert_eq!(other.choices(), InsightTable::default().choices());
    }
}
