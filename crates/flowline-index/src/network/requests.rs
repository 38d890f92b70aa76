//! All requests of a recording, joined from events or read from markers.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::chrome_event::{Event, EventName, What};
use super::request::{NetworkRequest, NetworkRequestId};
use super::rows::NetworkTrack;
use super::{channels, chrome, chrome_event, firefox, rows};
use crate::rows::Clock;
use flowline_profile::{Attributes, LocalMarker, MarkerId, ProcessId, Profile, StringId, ThreadId, TypeId};

/// The requests of a recording.
#[derive(Clone, Debug, Default)]
pub struct Network {
    requests: Vec<NetworkRequest>,
    /// All markers of requests, ascending.
    of_marker: Vec<(MarkerId, NetworkRequestId)>,
    /// The markers of each request, in time order.
    markers: Vec<Vec<MarkerId>>,
    /// The tracks of the processes with requests.
    tracks: BTreeMap<ProcessId, NetworkTrack>,
    /// True if a marker represents each request, as in Firefox profiles; in traces, requests consist of events.
    are_markers: bool,
}

/// The event names and marker types from which requests are built.
struct Sources {
    /// By name id.
    events: Vec<Option<EventName>>,
    network: Option<TypeId>,
}

/// Name of the process of Firefox that has the network connections.
const PARENT_PROCESS: &str = "Parent Process";

/// Minimum number of markers of a thread that one job scans.
const BLOCK: usize = 1 << 12;

impl Sources {
    fn new(profile: &Profile) -> Self {
        let mut events = Vec::new();
        // Only trace events have a member for their arguments; Firefox payloads do not.
        if profile.source.holds_events() {
            let found = EventName::ALL.iter().filter_map(|(name, event)| Some((profile.strings.find(name)?, *event)));
            let found: Vec<(StringId, EventName)> = found.collect();
            events.resize(found.iter().map(|(name, _)| name.index() + 1).max().unwrap_or(0), None);
            found.into_iter().for_each(|(name, event)| events[name.index()] = Some(event));
        }
        let network = profile.strings.find("Network").and_then(|name| profile.types.find(name));
        Self { events, network }
    }

    /// True if there cannot be any requests.
    fn is_empty(&self) -> bool {
        self.events.is_empty() && self.network.is_none()
    }

    fn event(&self, name: StringId) -> Option<EventName> {
        self.events.get(name.index()).copied().flatten()
    }
}

/// The markers of a thread for which `wanted` returns a value.
fn wanted<T: Send>(
    profile: &Profile,
    thread: ThreadId,
    wanted: impl Fn(LocalMarker) -> Option<T> + Sync,
) -> Vec<(LocalMarker, T)> {
    let count = profile.thread(thread).markers.len();
    (0..count)
        .into_par_iter()
        .with_min_len(BLOCK)
        .filter_map(|at| Some((LocalMarker::new(at), wanted(LocalMarker::new(at))?)))
        .collect()
}

/// The events of all threads, decoded.
fn events(profile: &Profile, sources: &Sources) -> Vec<Event> {
    let mut events = Vec::new();
    for (id, thread) in profile.threads_with_ids() {
        let found = wanted(profile, id, |marker| sources.event(thread.markers.name(marker)));
        let read = |(marker, name): (LocalMarker, EventName)| chrome_event::read(profile, id, marker, name);
        events.par_extend(found.into_par_iter().with_min_len(16).filter_map(read));
    }
    events
}

/// The parent process of a Firefox profile; profiles of old versions do not name it, but begin with it.
fn parent_process(profile: &Profile) -> Option<ProcessId> {
    let named = profile.processes.iter().position(|process| process.name == PARENT_PROCESS).map(ProcessId::new);
    named.or_else(|| profile.threads.first().map(|thread| thread.process))
}

/// The URLs of the requests of a trace, by request id.
#[derive(Clone, Debug, Default)]
pub struct RequestUrls(HashMap<String, String>);

impl RequestUrls {
    /// Reads the send events. If several have the same id, the last one is used.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        let mut sources = Sources::new(profile);
        sources.events.iter_mut().for_each(|event| *event = event.filter(|event| *event == EventName::Send));
        let mut events = events(profile, &sources);
        events.sort_by_key(|event| event.time);
        let sent = events.into_iter().filter_map(|event| match event.what {
            What::Send(sent) => Some((event.id, sent.url)),
            _ => None,
        });
        Self(sent.collect())
    }

    /// The URL of the request with an id.
    #[must_use]
    #[inline]
    pub fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }
}

impl Network {
    /// True if a recording may have requests.
    #[must_use]
    #[inline]
    pub fn may_have(profile: &Profile) -> bool {
        !Sources::new(profile).is_empty()
    }

    /// True if a process may have requests: it has markers of their type, or events of their names.
    #[must_use]
    pub fn may_have_in(profile: &Profile, process: ProcessId) -> bool {
        let sources = Sources::new(profile);
        let is_source = |own: &Attributes| {
            sources.event(own.name).is_some() || (sources.network.is_some() && own.kind() == sources.network)
        };
        let mut threads = profile.threads.iter().filter(|thread| thread.process == process);
        !sources.is_empty() && threads.any(|thread| thread.markers.attributes().items().iter().any(is_source))
    }

    /// All requests of a recording, by start.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        let sources = Sources::new(profile);
        let mut found: Vec<(NetworkRequest, Vec<MarkerId>)> = Vec::new();
        if !sources.events.is_empty() {
            let range = profile.meta.range;
            found = chrome::join(events(profile, &sources), (range.start, range.end));
        }
        if let Some(network) = sources.network.filter(|_| !profile.source.holds_events()) {
            let mut recorded = Vec::new();
            for (id, thread) in profile.threads_with_ids() {
                let markers =
                    wanted(profile, id, |marker| (thread.markers.kind(marker) == Some(network)).then_some(()));
                let read = |(marker, ()): (LocalMarker, ())| firefox::read(profile, id, marker);
                recorded.par_extend(markers.into_par_iter().with_min_len(16).map(read));
            }
            found = channels::join(recorded, parent_process(profile));
        }
        found.sort_by_key(|(request, _)| (request.start, request.marker));
        let (requests, markers): (Vec<NetworkRequest>, Vec<Vec<MarkerId>>) = found.into_iter().unzip();
        let ids = (0..).map(NetworkRequestId).zip(&markers);
        let mut of_marker: Vec<(MarkerId, NetworkRequestId)> =
            ids.flat_map(|(id, markers)| markers.iter().map(move |marker| (*marker, id))).collect();
        of_marker.sort_unstable();
        let are_markers = Self::are_markers_in(profile);
        Self { requests, of_marker, markers, tracks: BTreeMap::new(), are_markers }
    }

    /// Adds the tracks for the chart.
    pub(crate) fn with_tracks(mut self, clock: Clock) -> Self {
        self.tracks = rows::tracks(&self.requests, clock);
        self
    }

    /// True if a marker represents each request of a recording; in traces, requests consist of events.
    #[must_use]
    #[inline]
    pub fn are_markers_in(profile: &Profile) -> bool {
        !profile.source.holds_events()
    }

    /// True if a marker represents each request; see [`Network::are_markers_in`].
    #[must_use]
    #[inline]
    pub const fn are_markers(&self) -> bool {
        self.are_markers
    }

    /// All requests, by start.
    #[must_use]
    #[inline]
    pub fn requests(&self) -> &[NetworkRequest] {
        &self.requests
    }

    /// All requests with their ids.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (NetworkRequestId, &NetworkRequest)> {
        (0..).map(NetworkRequestId).zip(&self.requests)
    }

    /// True if there are no requests.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// A request.
    #[must_use]
    #[inline]
    pub fn get(&self, id: NetworkRequestId) -> Option<&NetworkRequest> {
        self.requests.get(id.index())
    }

    /// The request that a marker belongs to: the marker is a Firefox network marker, or a trace event that is part of
    /// the request.
    #[must_use]
    #[inline]
    pub fn request_of(&self, marker: MarkerId) -> Option<NetworkRequestId> {
        let found = self.of_marker.binary_search_by_key(&marker, |(known, _)| *known).ok()?;
        Some(self.of_marker[found].1)
    }

    /// The markers of a request, in time order; in Firefox profiles, first that of the page's process.
    #[must_use]
    #[inline]
    pub fn markers(&self, id: NetworkRequestId) -> &[MarkerId] {
        self.markers.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// The tracks of all processes with requests.
    #[inline]
    pub fn tracks(&self) -> impl Iterator<Item = (ProcessId, &NetworkTrack)> {
        self.tracks.iter().map(|(process, track)| (*process, track))
    }

    /// The track with the requests of a process.
    #[must_use]
    #[inline]
    pub fn track(&self, process: ProcessId) -> Option<&NetworkTrack> {
        self.tracks.get(&process)
    }
}
