//! The network requests of flows.

use foldhash::HashMap;

use crate::network::{Network, NetworkRequestId};
use flowline_profile::{FlowId, TimeRange};

/// Requests by flow.
#[derive(Clone, Debug, Default)]
pub struct FlowRequests(pub(super) HashMap<FlowId, Vec<NetworkRequestId>>);

impl FlowRequests {
    /// The request of a flow that was in progress for the longest time in a range.
    #[must_use]
    pub fn under_way(&self, network: &Network, flow: FlowId, range: TimeRange) -> Option<NetworkRequestId> {
        let common = |id: &NetworkRequestId| {
            let request = network.get(*id)?;
            let length = request.end.min(range.end).0.saturating_sub(request.start.max(range.start).0);
            (length > 0).then_some((length, *id))
        };
        let longest =
            self.0.get(&flow)?.iter().filter_map(common).max_by_key(|(length, id)| (*length, std::cmp::Reverse(*id)));
        longest.map(|(_, id)| id)
    }
}
