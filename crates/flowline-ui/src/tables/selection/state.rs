//! State of the selection summary.

use std::sync::Arc;

use super::answer::{Answer, Question};
use crate::tables::TableKind;
use flowline_index::Index;
use flowline_session::{Job, PoolTask, Session, SummaryReach, Task, Wake};

/// State of the selection summary.
pub struct SelectionTable {
    task: Task<Question, Answer>,
    /// How much the sums cover while nothing is selected.
    pub(super) reach: SummaryReach,
    pub(super) answer: Option<Answer>,
    /// True if a selection that begins opens the tab, because the details are closed.
    pub(crate) opens: bool,
    /// True if something was selected in the last frame.
    had_selection: bool,
    /// The table that the tab replaced when a selection began.
    replaced: Option<TableKind>,
}

impl SelectionTable {
    /// Creates the state; `wake` is called when sums are ready.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            task: Task::new(wake),
            reach: SummaryReach::default(),
            answer: None,
            opens: false,
            had_selection: false,
            replaced: None,
        }
    }

    /// Starts missing sums of the scope. While a range is being dragged, every frame has another scope: the running
    /// computation is completed and shown, and the newest range follows.
    pub(super) fn follow(&mut self, session: &Session) {
        let question = self.question(session);
        self.take();
        if self.is_current(session) || self.task.is_running_for(&question) {
            return;
        }
        let has_same_tracks = |running: &Question| {
            running.scope.without_range() == question.scope.without_range() && running.threads == question.threads
        };
        self.task.retain(has_same_tracks);
        if self.task.is_running() {
            return;
        }
        let (index, scope) = (Arc::clone(&session.index), session.scope().clone());
        self.task.replace(question.clone(), move |running| {
            let found = Answer::compute(&index, &scope, &question, &|| running.is_wanted());
            found.unwrap_or_else(|| Answer::nothing(&scope, &question))
        });
    }

    /// The subject of the sums. A range without selected rows or threads is that of one thread, unless the user wants more.
    fn question(&self, session: &Session) -> Question {
        let threads = if offers_reach(session) { session.summary_threads(self.reach) } else { None };
        Question { scope: session.scope().key(), threads }
    }

    /// True if the sums belong to the current scope.
    pub(super) fn is_current(&self, session: &Session) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.question == self.question(session))
    }

    fn take(&mut self) {
        if let Some(answer) = self.task.poll_newest() {
            self.answer = Some(answer);
        }
    }

    /// The table to show after `shown`: a selection that begins while the details are closed shows the sums, and its end
    /// shows the table before.
    pub(crate) fn table_after(&mut self, session: &Session, shown: TableKind) -> TableKind {
        let has_selection = has_selection(session);
        let had_selection = std::mem::replace(&mut self.had_selection, has_selection);
        if shown != TableKind::Selection {
            self.replaced = None;
        }
        match (had_selection, has_selection) {
            // Rows of a query select ranges, one after the other.
            (false, true) if self.opens && !matches!(shown, TableKind::Selection | TableKind::Query) => {
                self.replaced = Some(shown);
                TableKind::Selection
            }
            (true, false) => self.replaced.take().unwrap_or(shown),
            _ => shown,
        }
    }
}

/// True if a range is selected but no rows and no threads, so that the user chooses how much the sums cover.
pub(super) fn offers_reach(session: &Session) -> bool {
    let scope = session.scope();
    scope.range().is_some() && scope.rows().is_none() && scope.selected_threads().is_none()
}

/// True if a range or tracks are selected.
pub(crate) fn has_selection(session: &Session) -> bool {
    let scope = session.scope();
    scope.selected().is_some() || scope.rows().is_some() || scope.selected_threads().is_some()
}

impl Job for SelectionTable {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        self.take();
    }
}
