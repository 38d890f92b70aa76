//! Showing only the markers of one flow, and going back.

use std::collections::BTreeSet;

use super::open_recording::{Session, StateBeforeFlow};
use flowline_index::search::flow_query;
use flowline_profile::{FlowId, ThreadId};
use flowline_view::{Command, Tracks};

impl Session {
    /// Searches for a flow's markers and shows every thread that has one. If these are already shown, restores the
    /// previous search and tracks.
    pub(crate) fn view_all(&mut self, flow: FlowId) {
        let (profile, graph) = (self.index.profile(), self.index.flows());
        let search = flow_query(&graph.name(profile, flow));
        let is_on = self.before_flow.as_ref().is_some_and(|before| before.search_before == self.view.search);
        if is_on && search == self.view.search {
            let Some(before) = self.before_flow.take() else { return };
            self.view.edit_tracks(|tracks| tracks.restore(&before.tracks));
            self.view.apply(Command::Search(before.search));
            return;
        }
        let threads: BTreeSet<ThreadId> =
            graph.members(flow).iter().filter_map(|marker| profile.locate(*marker)).map(|place| place.0).collect();
        // Switching from one flow to another keeps the original state to go back to.
        self.before_flow = match self.before_flow.take().filter(|_| is_on) {
            Some(before) => Some(StateBeforeFlow { search_before: search.clone(), ..before }),
            None => {
                let (tracks, before) = (Tracks::clone(&self.view.tracks), self.view.search.clone());
                Some(StateBeforeFlow { search_before: search.clone(), search: before, tracks })
            }
        };
        self.view.apply(Command::ShowThreads(threads.into_iter().collect()));
        self.view.apply(Command::Search(search));
    }

    /// True if only a flow's markers are shown.
    #[must_use]
    pub fn shows_only(&self, flow: FlowId) -> bool {
        let is_on = |before: &StateBeforeFlow| before.search_before == self.view.search;
        self.before_flow.as_ref().is_some_and(is_on)
            && self.view.search == flow_query(&self.index.flows().name(self.index.profile(), flow))
    }
}
