//! The thread that posted a flow.

use crate::flows::graph::FlowGraph;
use crate::flows::rules::{MemberInfo, RuleMatcher};
use flowline_profile::{FlowId, MarkerId, Profile, ThreadId, TrackKind};

/// The origin of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PostedFrom {
    /// A thread posted the flow.
    Thread(ThreadId),
    /// The recording contains later steps of the flow, but not the posting.
    BeforeRecording,
    /// The recording does not name the thread, as for asynchronous operations.
    #[default]
    Unknown,
}

impl PostedFrom {
    /// The thread, if known.
    #[must_use]
    pub const fn thread(self) -> Option<ThreadId> {
        match self {
            Self::Thread(thread) => Some(thread),
            Self::BeforeRecording | Self::Unknown => None,
        }
    }

    /// The thread of a marker. Asynchronous operations are on tracks that are no threads, so their begin events decide.
    fn of_marker(profile: &Profile, marker: MarkerId) -> Self {
        let Some((thread, local)) = profile.locate(marker) else { return Self::Unknown };
        let owner = profile.thread(thread);
        let posted = if owner.kind == TrackKind::Async { owner.event_threads_of(local)[0] } else { Some(thread) };
        posted.map_or(Self::Unknown, Self::Thread)
    }
}

impl FlowGraph {
    /// The thread that posted a flow: the thread of its first marker, unless the trace states that this is a later
    /// step.
    #[must_use]
    pub fn posted_from(&self, profile: &Profile, flow: FlowId) -> PostedFrom {
        let Some(first) = self.members(flow).first() else { return PostedFrom::Unknown };
        let Some(explicit) = self.explicit.get(flow.index()) else { return PostedFrom::of_marker(profile, *first) };
        let flows = profile.explicit_flows.get();
        if flows.is_unposted(*explicit as usize) {
            return PostedFrom::BeforeRecording;
        }
        let steps = flows.steps(*explicit as usize);
        let is_async =
            |marker| profile.locate(marker).is_some_and(|(thread, _)| profile.thread(thread).kind == TrackKind::Async);
        match steps.first() {
            Some(posting) if !steps.is_target(0) || is_async(posting.marker) => {
                PostedFrom::of_marker(profile, posting.marker)
            }
            // A flow whose posting is in no slice.
            _ => PostedFrom::Unknown,
        }
    }
}

impl RuleMatcher {
    /// The thread that posted a flow. If its rule tells postings from runs, a flow that begins with a run was posted
    /// before the recording.
    #[must_use]
    pub fn posted_from(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> PostedFrom {
        let posted = flows.posted_from(profile, flow);
        // Traces state their postings.
        if !flows.explicit.is_empty() {
            return posted;
        }
        let rule = self.matching_rule(profile, flows, flow).map(|number| &self.rules[number]);
        let rule = rule.filter(|rule| !rule.before.is_empty() || !rule.run.is_empty());
        let first = flows.members(flow).first().and_then(|marker| MemberInfo::new(profile, *marker));
        let Some(first) = rule.and(first) else { return posted };
        let flags = profile.thread(first.thread).markers.flags(first.local);
        if self.roles(profile, flows, flow).runs(flags, first) { PostedFrom::BeforeRecording } else { posted }
    }
}
