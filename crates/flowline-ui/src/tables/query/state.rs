//! State of the query tab.

use std::sync::Arc;

use super::history::QueryHistory;
use super::order::RowOrder;
use super::request::QueryRequest;
use crate::widgets::table::{Scroll, Widths};
use flowline_index::Index;
use flowline_session::{Job, PoolTask, QueryId, Session, Wake};

/// The query tab of a recording.
pub struct QueryTable {
    /// The query in the editor.
    pub(super) text: String,
    pub(super) history: QueryHistory,
    /// The query whose result is shown.
    pub(super) run: Option<QueryId>,
    pub(super) order: RowOrder,
    /// Row of the result at the cursor.
    pub(super) cursor: Option<usize>,
    pub(super) widths: Widths,
    pub(super) scroll: Scroll,
    /// The text for which nothing is suggested, because it was run or inserted.
    pub(super) quiet: String,
    /// True to move the keyboard focus to the editor, because the user has opened the tab.
    pub(super) takes_focus: bool,
}

impl QueryTable {
    /// Creates the tab; `wake` is called when rows are sorted.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            text: String::new(),
            history: QueryHistory::default(),
            run: None,
            order: RowOrder::new(wake),
            cursor: None,
            widths: Widths::default(),
            scroll: Scroll::default(),
            quiet: String::new(),
            takes_focus: false,
        }
    }

    /// Moves the keyboard focus to the editor in the next frame.
    pub(crate) const fn focus_editor(&mut self) {
        self.takes_focus = true;
    }

    /// Replaces the query in the editor.
    pub(super) fn insert(&mut self, text: String) {
        self.quiet.clone_from(&text);
        self.text = text;
    }

    /// Carries out a request.
    pub(crate) fn carry_out(&mut self, request: QueryRequest, session: &mut Session) {
        let client = &mut session.query;
        match request {
            QueryRequest::Show(track) => {
                let sql = session.view.tracks.query_track(track).map(|track| track.sql.clone());
                sql.into_iter().for_each(|sql| self.insert(sql));
            }
            QueryRequest::Start => client.start(),
            QueryRequest::Cancel => self.run.into_iter().for_each(|run| client.cancel(run)),
            QueryRequest::Run if self.text.trim().is_empty() => {}
            QueryRequest::Run => {
                self.run.take().into_iter().for_each(|run| client.forget(run));
                self.history.add(&self.text);
                self.quiet.clone_from(&self.text);
                self.run = Some(client.run(&self.text));
                self.order.reset();
                self.cursor = None;
                self.scroll.scroll_to_top();
            }
        }
    }
}

impl Job for QueryTable {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        self.order.tasks()
    }

    fn poll(&mut self, index: &Arc<Index>) {
        self.order.poll(index);
    }
}
