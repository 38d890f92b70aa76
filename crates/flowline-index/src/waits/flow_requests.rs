//! Network requests of the flows of a Firefox profile. Request markers are not members of flows. A request belongs to
//! the flow of an interval that is open when the request starts, if that flow refers to the request's URL or is the
//! flow of a channel.

use foldhash::HashMap;

use crate::Index;
use crate::network::NetworkRequestId;
use flowline_profile::{FlowId, Ns, TimeRange};

/// Name prefix of the first marker of a channel's flow.
const CHANNEL: &str = "nsHttpChannel::";

/// The network request of a flow that was in progress for at least half of a range.
#[must_use]
pub fn request_during(index: &Index, flow: FlowId, range: TimeRange) -> Option<NetworkRequestId> {
    let id = index.flow_requests().under_way(index, flow, range)?;
    let request = index.network().get(id)?;
    let common = request.end.min(range.end).0.saturating_sub(request.start.max(range.start).0);
    (common >= range.len() / 2).then_some(id)
}

/// Requests by flow.
#[derive(Clone, Debug, Default)]
pub struct FlowRequests(HashMap<FlowId, Vec<NetworkRequestId>>);

impl FlowRequests {
    /// Finds the flow of each request. Requests of traces are joined from events, so their flows are not needed.
    #[must_use]
    pub fn build(index: &Index) -> Self {
        let (profile, flows) = (index.profile(), index.flows());
        let mut found: HashMap<FlowId, Vec<NetworkRequestId>> = HashMap::default();
        if profile.source.member().is_some() {
            return Self(found);
        }
        for (id, request) in index.network().iter() {
            let Some((thread, _)) = profile.locate(request.marker) else { continue };
            let stack = index.thread_stack(thread);
            let (innermost, _) = stack.innermost_before(Ns(request.start.0.saturating_add(1)));
            let on = innermost.into_iter().flat_map(|marker| std::iter::once(marker).chain(stack.ancestors(marker)));
            let of_interval =
                on.map(|marker| profile.thread(thread).global(marker)).flat_map(|marker| flows.flows_of(marker));
            let is_about = |flow: &&FlowId| {
                let first = flows.members(**flow).first().and_then(|marker| profile.locate(*marker));
                let is_channel =
                    first.is_some_and(|(thread, local)| profile.marker_name(thread, local).starts_with(CHANNEL));
                is_channel || flows.resource(profile, **flow).as_ref() == Some(&request.url)
            };
            for flow in of_interval.filter(is_about) {
                found.entry(*flow).or_default().push(id);
            }
        }
        Self(found)
    }

    /// The request of a flow that was in progress for the longest time in a range.
    #[must_use]
    pub fn under_way(&self, index: &Index, flow: FlowId, range: TimeRange) -> Option<NetworkRequestId> {
        let common = |id: &NetworkRequestId| {
            let request = index.network().get(*id)?;
            let length = request.end.min(range.end).0.saturating_sub(request.start.max(range.start).0);
            (length > 0).then_some((length, *id))
        };
        let longest =
            self.0.get(&flow)?.iter().filter_map(common).max_by_key(|(length, id)| (*length, std::cmp::Reverse(*id)));
        longest.map(|(_, id)| id)
    }
}
