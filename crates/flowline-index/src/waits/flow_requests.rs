//! Network requests of the flows of a Firefox profile. Request markers are not members of flows. A request belongs to
//! the flow of an interval that is open when the request starts, if that flow refers to the request's URL or is the
//! flow of a channel.

use foldhash::HashMap;

use super::requests_by_flow::FlowRequests;
use crate::Index;
use crate::network::{NetworkRequestId, PhaseKind};
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

/// The phase of a flow's network request that covers most of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkWait {
    /// The server had not answered it.
    Server,
    /// It was on its way.
    Network,
}

/// The part of a wait that the flow's network request explains, if this is at least half of it. A response that waits to
/// be processed has left the network.
#[must_use]
pub fn network_wait(index: &Index, flow: FlowId, wait: TimeRange) -> Option<NetworkWait> {
    let request = request_during(index, flow, wait).and_then(|request| index.network().get(request))?;
    network_part(&request.phases_in(wait), wait)
}

/// Like [`network_wait`], for the phases of the request during the wait.
#[must_use]
pub fn network_part(phases: &[(PhaseKind, i64)], wait: TimeRange) -> Option<NetworkWait> {
    let of = |is_named: fn(PhaseKind) -> bool| -> i64 {
        phases.iter().filter(|(kind, _)| is_named(*kind)).map(|(_, length)| length).sum()
    };
    let all = of(|kind| kind != PhaseKind::Unknown && kind != PhaseKind::Processing);
    let is_main = all > 0 && all.saturating_mul(2) >= wait.len();
    let is_server = || 2 * of(|kind| kind == PhaseKind::Waiting) > all;
    is_main.then(|| if is_server() { NetworkWait::Server } else { NetworkWait::Network })
}

/// True if the network requests of flows are known, so that looking them up takes no time.
#[must_use]
pub fn knows_flow_requests(index: &Index) -> bool {
    index.flow_requests.get().is_some() && index.network_if_built().is_some()
}

/// Finds the network requests of flows, unless they are known. Reads payloads, so it runs on the pool.
pub fn find_flow_requests(index: &Index) {
    let _requests = index.flow_requests();
    let _network = index.network();
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
