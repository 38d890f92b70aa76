//! Causes: the latest flow step, network event, or initiator that allowed a marker to run.

use std::cmp::Reverse;

use super::milestones::is_milestone;
use super::open_interval::innermost_open;
use super::wait_activity::loop_names;
use crate::Index;
use crate::flows::{FlowGraph, end_of, start_of};
use crate::network::NetworkRequestId;
use crate::relations::message_peer;
use flowline_profile::{FlowId, LocalMarker, MarkerId, Ns, Profile, TimeRange};

/// Maximum number of flow steps that are searched for a step of the marker.
const MOST_STEPS: usize = 1 << 12;

/// The Firefox thread on which network data arrives.
const SOCKET_THREAD: &str = "Socket Thread";

/// A cause that allowed a marker to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    /// Time from which the marker could continue: its start, or the time of a step inside it.
    pub(super) arrived: Ns,
    /// Time at which the cause posted the marker; not later than `arrived`.
    pub(super) posted: Ns,
    /// The causing marker.
    pub(super) marker: MarkerId,
    /// The network request in progress between cause and marker, if there is one.
    pub(super) request: Option<NetworkRequestId>,
}

impl Cause {
    /// The latest arrival wins, then the latest posting, then the first marker.
    #[inline]
    fn key(&self) -> (Ns, Ns, Reverse<MarkerId>) {
        (self.arrived, self.posted, Reverse(self.marker))
    }
}

/// The latest cause of a marker that arrived at or before `until`; for a request without one, its sender. `is_new` can
/// reject causes that were already visited.
pub(super) fn cause(index: &Index, marker: MarkerId, until: Ns, is_new: impl Fn(&Cause) -> bool) -> Option<Cause> {
    let sender = || sender_of_request(index, marker).filter(|cause| cause.arrived <= until && is_new(cause));
    recorded(index, marker, until, &is_new).or_else(sender)
}

/// The latest cause among flows, events of the same request, and initiators.
fn recorded(index: &Index, marker: MarkerId, until: Ns, is_new: impl Fn(&Cause) -> bool) -> Option<Cause> {
    let (profile, flows) = (index.profile(), index.flows());
    let found = flows.flows_of(marker).iter().filter_map(|flow| {
        if flows.steps(profile, *flow).is_empty() {
            previous_member(index, *flow, marker)
        } else {
            latest_step(profile, flows, *flow, marker, until)
        }
    });
    let found = found.chain(event_before(index, marker)).chain(initiated(index, marker));
    let cause = found.filter(|cause| cause.arrived <= until && is_new(cause)).max_by_key(Cause::key)?;
    // A marker that begins a flow inside its parent is part of the parent, unless the cause arrived or was posted
    // later.
    let (start, begins) = (start_of(profile, marker), |flow: &FlowId| flows.members(*flow).first() == Some(&marker));
    let parent = flows.parent(marker).filter(|_| flows.flows_of(marker).iter().any(begins));
    let parent = parent.map(|parent| start_of(profile, parent));
    let is_later = cause.arrived > start || parent.is_none_or(|parent| cause.posted >= parent);
    is_later.then_some(cause)
}

/// The initiator of a page event as its cause. The event was posted at the end of its initiator and arrived at its own
/// start. If a marker that encloses the event was already open when it was posted, the event did not wait: it ran as
/// part of that marker.
fn initiated(index: &Index, marker: MarkerId) -> Option<Cause> {
    let profile = index.profile();
    let initiator = index.initiators().of(marker)?;
    let arrived = start_of(profile, marker);
    let posted = end_of(profile, initiator).min(arrived);
    let ((thread, local), (other, _)) = profile.locate(marker).zip(profile.locate(initiator))?;
    let (markers, loops) = (&profile.thread(thread).markers, loop_names(profile));
    let was_on = |around: &LocalMarker| markers.start(*around) <= posted && !loops.contains(&markers.name(*around));
    let is_within = thread == other && index.thread_stack(thread).ancestors(local).any(|around| was_on(&around));
    (!is_within).then_some(Cause { arrived, posted, marker: initiator, request: None })
}

/// The sender of a received message, if the message had arrived by `until`: the innermost marker on the sending thread
/// at that moment, otherwise the message's own marker there.
pub(super) fn sender(index: &Index, marker: MarkerId, until: Ns) -> Option<Cause> {
    let profile = index.profile();
    let arrived = end_of(profile, marker);
    let side = message_peer(profile, marker).filter(|side| side.is_sender && arrived <= until)?;
    let posted = start_of(profile, marker);
    let sender = innermost_open(index, std::iter::once(side.thread), posted).unwrap_or(side.marker);
    Some(Cause { arrived, posted, marker: sender, request: None })
}

/// The previous member of a flow without steps, as a cause. It posts the marker at its own end, or at the marker's
/// start if that is earlier. A marker on the socket thread waited for the network if a request of the flow was in
/// progress.
fn previous_member(index: &Index, flow: FlowId, marker: MarkerId) -> Option<Cause> {
    let (profile, flows) = (index.profile(), index.flows());
    let before = flows.position(profile, flow, marker)?.checked_sub(1)?;
    let before = *flows.members(flow).get(before)?;
    let arrived = start_of(profile, marker);
    let posted = end_of(profile, before).min(arrived);
    let is_socket = profile.locate(marker).is_some_and(|(thread, _)| profile.thread(thread).name == SOCKET_THREAD);
    let gap = TimeRange { start: posted, end: arrived };
    let request = is_socket.then(|| index.flow_requests().under_way(index.network(), flow, gap)).flatten();
    Some(Cause { arrived, posted, marker: before, request })
}

/// The latest step of a marker, at or before `until`, that has a source step in another marker.
fn latest_step(profile: &Profile, flows: &FlowGraph, flow: FlowId, marker: MarkerId, until: Ns) -> Option<Cause> {
    let steps = flows.steps(profile, flow);
    let start = start_of(profile, marker);
    let end = steps.partition_point(|step| { step.time } <= until);
    let own = (0..end).rev().take(MOST_STEPS).filter(|at| steps[*at].marker == marker);
    own.into_iter().find_map(|at| {
        let source = steps[steps.source(at)?];
        let arrived = steps[at].time.max(start);
        // A step at the start of its slice does not tell when the slice posted, so use the slice's end.
        let begins = { source.time } <= start_of(profile, source.marker);
        let posted = if begins { end_of(profile, source.marker) } else { source.time };
        (source.marker != marker).then_some(Cause {
            arrived,
            posted: posted.min(arrived),
            marker: source.marker,
            request: None,
        })
    })
}

/// The previous event of a marker's network request, as a cause.
fn event_before(index: &Index, marker: MarkerId) -> Option<Cause> {
    let network = index.network();
    // Firefox has no events of a request.
    let request = network.request_of(marker).filter(|_| !network.are_markers())?;
    let events = network.markers(request);
    let at = events.iter().position(|event| *event == marker)?;
    let arrived = start_of(index.profile(), marker);
    let before = events[..at].iter().rev().find(|before| start_of(index.profile(), **before) < arrived)?;
    let posted = end_of(index.profile(), *before).min(arrived);
    Some(Cause { arrived, posted, marker: *before, request: Some(request) })
}

/// The sender of a request of a Firefox profile: the marker of the request in the process that asked for it, else the
/// interval that was open on its thread when it was sent.
fn sender_of_request(index: &Index, marker: MarkerId) -> Option<Cause> {
    let profile = index.profile();
    if profile.source.holds_events() {
        return None;
    }
    let network = index.network();
    let own = network.get(network.request_of(marker)?)?;
    let (arrived, asked) = (start_of(profile, marker), start_of(profile, own.marker));
    if marker != own.marker && asked < arrived {
        return Some(Cause { arrived, posted: asked, marker: own.marker, request: None });
    }
    let (thread, _) = profile.locate(marker)?;
    let around = innermost_open(index, std::iter::once(thread), arrived)?;
    let (_, local) = profile.locate(around)?;
    let is_work =
        !is_milestone(profile, around) && !loop_names(profile).contains(&profile.thread(thread).markers.name(local));
    is_work.then_some(Cause { arrived, posted: arrived, marker: around, request: None })
}
