//! Text of a wait of a flow: its reason and its parts.

use flowline_format::format_duration_ns;
use flowline_index::Index;
use flowline_index::flows::TimelineSegment;
use flowline_index::network::PhaseKind;
use flowline_index::waits::{
    NetworkWait, WaitActivity, blocking, has_intervals, network_part, open_during, request_during,
};
use flowline_profile::{FlowId, Profile, ThreadId, TimeRange, TrackKind};
use flowline_scene::{BlockerText, WaitParts, phases_text};

/// The blocker that explains at least half of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    /// The server had not answered the flow's network request.
    Server,
    /// The flow's network request was on its way.
    Network,
    /// This ran on the thread.
    Blocker(String),
}

/// The reason and the parts of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitText {
    /// "43.00 ms behind Runnable nsRefreshDriver", or "43.00 ms for the server": its main reason in a few words.
    pub brief: String,
    /// The blockers, longest first.
    pub blockers: Vec<BlockerText>,
    /// The remaining time: "9.00 ms idle", "3.00 ms unknown"; or a note that the blocker is unknown, and the phases of the
    /// flow's network request.
    pub rest: Vec<String>,
    length: String,
    reason: Option<Reason>,
}

impl WaitText {
    pub(super) fn new(index: &Index, flow: FlowId, wait: &TimelineSegment) -> Self {
        let profile = index.profile();
        let phases = phases_during(index, flow, wait.range);
        let thread = profile.locate(wait.marker).map(|(thread, _)| thread);
        let activity = thread.and_then(|thread| blocking(index, thread, wait.range));
        let reason = reason(wait.range, &phases, activity.as_ref(), profile);
        let length = format_duration_ns(wait.range.len());
        let brief = match &reason {
            Some(Reason::Server) => format!("{length} for the server"),
            Some(Reason::Network) => format!("{length} for the network"),
            Some(Reason::Blocker(name)) => format!("{length} behind {name}"),
            None => format!("{length} waiting"),
        };
        let mut parts = activity.map_or_else(WaitParts::default, |activity| WaitParts::new(&activity, profile));
        let request = phases_text(&phases);
        if !request.is_empty() {
            parts.rest.push(format!("its request: {request}"));
        } else if parts == WaitParts::default() {
            parts.rest.extend(thread.map(|thread| no_blocker(profile, thread, wait)));
        }
        Self { brief, blockers: parts.blockers, rest: parts.rest, length, reason }
    }

    /// "Waited for the server" or "Waited behind Runnable nsRefreshDriver", if this explains at least half of the wait; else
    /// "Waited".
    #[must_use]
    pub fn title(&self) -> String {
        match &self.reason {
            Some(Reason::Server) => "Waited for the server".to_owned(),
            Some(Reason::Network) => "Waited for the network".to_owned(),
            Some(Reason::Blocker(name)) => format!("Waited behind {name}"),
            None => "Waited".to_owned(),
        }
    }

    /// True if the flow's network request explains at least half of the wait.
    #[must_use]
    pub const fn is_for_network(&self) -> bool {
        matches!(self.reason, Some(Reason::Server | Reason::Network))
    }

    /// True if the title states what explains at least half of the wait.
    #[must_use]
    pub const fn has_reason(&self) -> bool {
        self.reason.is_some()
    }

    /// "Waited behind Runnable nsRefreshDriver, 43.00 ms"; without a main reason "Waited 43.00 ms: 9.00 ms behind Task, 34.00
    /// ms unknown".
    #[must_use]
    pub fn headline(&self) -> String {
        match self.reason {
            Some(_) => format!("{}, {}", self.title(), self.length),
            None => self.sentence(),
        }
    }

    /// "Waited 43.00 ms: 31.00 ms behind Runnable nsRefreshDriver, 9.00 ms idle, 3.00 ms unknown".
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.parts() {
            parts if parts.is_empty() => format!("Waited {}", self.length),
            parts => format!("Waited {}: {parts}", self.length),
        }
    }

    /// "31.00 ms behind Runnable nsRefreshDriver, 9.00 ms idle, 3.00 ms unknown".
    #[must_use]
    pub fn parts(&self) -> String {
        let blockers = self.blockers.iter().map(|blocker| blocker.text.as_str());
        blockers.chain(self.rest.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
    }

    /// True if the title states all that is known.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.rest.is_empty() && self.blockers.len() < 2 && (self.reason.is_some() || self.blockers.is_empty())
    }
}

/// The blocker that explains at least half of a wait: the flow's request on the network, or else the longest blocker. A response that
/// waits to be processed has left the network.
fn reason(
    wait: TimeRange,
    phases: &[(PhaseKind, i64)],
    activity: Option<&WaitActivity>,
    profile: &Profile,
) -> Option<Reason> {
    if let Some(part) = network_part(phases, wait) {
        return Some(match part {
            NetworkWait::Server => Reason::Server,
            NetworkWait::Network => Reason::Network,
        });
    }
    activity?.main().map(|blocker| Reason::Blocker(blocker.text(profile)))
}

/// Why no blocker of a wait is known.
fn no_blocker(profile: &Profile, thread: ThreadId, wait: &TimelineSegment) -> String {
    let name = profile.long_name(thread);
    if profile.thread(thread).kind != TrackKind::Thread {
        return format!("blocker unknown: {name} is no thread");
    }
    let open = open_during(profile, thread, wait.range, wait.marker);
    let open = open.and_then(|(marker, ns)| Some((profile.locate(marker)?, ns)));
    match open {
        Some(((thread, local), ns)) => {
            let (open, ns) = (profile.marker_name(thread, local), format_duration_ns(ns));
            format!("blocker unknown: {open} was open on {name} for {ns}, but may not have occupied it")
        }
        None if has_intervals(profile, thread) => format!("blocker unknown: {name} had no other interval open"),
        None => format!("blocker unknown: {name} has no intervals"),
    }
}

/// The phases of the flow's network request during a wait.
fn phases_during(index: &Index, flow: FlowId, wait: TimeRange) -> Vec<(PhaseKind, i64)> {
    let request = request_during(index, flow, wait).and_then(|request| index.network().get(request));
    request.map_or_else(Vec::new, |request| request.phases_in(wait))
}
