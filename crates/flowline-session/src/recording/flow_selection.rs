//! The flows that the view is about.

use super::open_recording::Session;
use flowline_profile::{FlowId, TimeRange};

impl Session {
    /// The range from the first start to the last end of the entered flows.
    #[must_use]
    pub fn entered_range(&self) -> Option<TimeRange> {
        let (profile, graph) = (self.index.profile(), self.index.flows());
        self.view.flows.entered.iter().map(|flow| graph.range(profile, *flow)).reduce(TimeRange::union)
    }

    /// The flow that keys act on: the selected marker's selected flow, else an entered flow that contains it, else its
    /// first flow.
    #[must_use]
    pub fn selected_flow(&self) -> Option<FlowId> {
        let marker_flows = self.index.flows().flows_of(self.view.selected?);
        let chosen = self.view.flows.chosen.filter(|chosen| marker_flows.contains(chosen));
        let entered = || self.view.flows.entered.iter().find(|flow| marker_flows.contains(flow)).copied();
        chosen.or_else(entered).or_else(|| marker_flows.first().copied())
    }
}
