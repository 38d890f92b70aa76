//! Network requests of the flows of a Firefox profile. Request markers are not members of flows. A request belongs to
//! the flow of an interval that is open when the request starts, if that flow refers to the request's URL or is the
//! flow of a channel.

use foldhash::HashMap;

use super::requests_by_flow::FlowRequests;
use crate::Index;
use crate::network::NetworkRequestId;
use flowline_profile::{FlowId, MarkerId, Ns, TimeRange, get_or_build, may_block};

/// Name prefix of the first marker of a channel's flow.
const CHANNEL: &str = "nsHttpChannel::";

/// The network request of a flow that was in progress for at least half of a range.
#[must_use]
pub fn request_during(index: &Index, flow: FlowId, range: TimeRange) -> Option<NetworkRequestId> {
    let id = index.flow_requests().under_way(index.network(), flow, range)?;
    let request = index.network().get(id)?;
    let common = request.end.min(range.end).0.saturating_sub(request.start.max(range.start).0);
    (common >= range.len() / 2).then_some(id)
}

impl Index {
    /// The network request of each flow, built on first use.
    pub(crate) fn flow_requests(&self) -> &FlowRequests {
        get_or_build(&self.flow_requests, || {
            debug_assert!(may_block(), "a shared value must be complete");
            find(self)
        })
    }
}

/// Finds the flow of each request. Requests of traces are joined from events, so their flows are not needed.
fn find(index: &Index) -> FlowRequests {
    let profile = index.profile();
    let mut found: HashMap<FlowId, Vec<NetworkRequestId>> = HashMap::default();
    if profile.source.holds_events() {
        return FlowRequests(found);
    }
    for (id, request) in index.network().iter() {
        for marker in index.network().markers(id) {
            for flow in request_flows(index, *marker, &request.url) {
                let own = found.entry(flow).or_default();
                if own.last() != Some(&id) {
                    own.push(id);
                }
            }
        }
    }
    FlowRequests(found)
}

/// The flows of the request that a marker represents, those of inner intervals first. Reads the resources of flows, and
/// arranges the intervals of the thread on first use.
pub(crate) fn request_flows(index: &Index, marker: MarkerId, url: &str) -> Vec<FlowId> {
    let (profile, flows) = (index.profile(), index.flows());
    let Some((thread, local)) = profile.locate(marker) else { return Vec::new() };
    let start = profile.thread(thread).markers.start(local);
    let stack = index.thread_stack(thread);
    let (innermost, _) = stack.innermost_before(Ns(start.0.saturating_add(1)));
    let on = innermost.into_iter().flat_map(|marker| std::iter::once(marker).chain(stack.ancestors(marker)));
    let of_interval = on.map(|marker| profile.thread(thread).global(marker)).flat_map(|marker| flows.flows_of(marker));
    let is_about = |flow: &FlowId| {
        let first = flows.members(*flow).first().and_then(|marker| profile.locate(*marker));
        let is_channel = first.is_some_and(|(thread, local)| profile.marker_name(thread, local).starts_with(CHANNEL));
        is_channel || flows.resource(profile, *flow).as_deref() == Some(url)
    };
    of_interval.copied().filter(is_about).collect()
}
