//! Queries of the recordings, and the engine that runs them.

use std::sync::Arc;

use super::{PaneContents, Shell};
use crate::tables::query::QueryRequest;
use flowline_session::QueryEngine;
use flowline_view::Pane;

impl Shell {
    /// Sets the engine for the queries of recordings that are open now or later.
    pub fn set_query_engine(&mut self, engine: Arc<dyn QueryEngine>) {
        self.query_engine = Some(engine);
        let engine = self.query_engine.clone();
        self.panes.iter_mut().for_each(|pane| pane.session.set_query_engine(engine.clone()));
    }

    /// Carries out a request of the query tab.
    pub(super) fn query(&mut self, pane: Pane, request: QueryRequest) {
        if let Some(PaneContents { session, panels, .. }) = self.pane_mut(pane) {
            panels.query.carry_out(request, session);
        }
    }
}
