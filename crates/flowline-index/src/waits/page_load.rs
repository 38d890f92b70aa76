//! The page load that a milestone or an event belongs to, and the requests that it waited for. Only what the recording
//! states counts: the browser's own verdict that a request blocked rendering, the image that was painted, the initiators.

use super::milestones::window_of;
use crate::Index;
use crate::network::{NetworkRequest, NetworkRequestId, PhaseKind};
use flowline_profile::{LocalMarker, MarkerId, Ns, ProcessId, Profile, StringId, ThreadId, Value};

/// The event at which a navigation of Chrome begins.
const NAVIGATION: &str = "navigationStart";
/// The event that names the address of a painted image, by the node that shows it.
const IMAGE: &str = "LargestImagePaint::Candidate";
/// The paint whose image is known.
const LARGEST: &str = "largestContentfulPaint::Candidate";
/// The paint of a navigation without a new document, which waits for no document.
const SOFT: &str = "largestContentfulPaint::CandidateForSoftNavigation";
/// Kinds of resources for which the `load` event does not wait.
const NOT_AWAITED: [&str; 7] = ["XHR", "Fetch", "EventSource", "Ping", "WebSocket", "Preflight", "CSPViolationReport"];
/// Ways of asking for a resource for which the `load` event does not wait.
const NOT_AWAITED_FETCHES: [&str; 3] = ["fetch", "xmlhttprequest", "beacon"];

/// A request that had delivered what something else waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Delivery {
    /// The time at which it had.
    pub(super) time: Ns,
    /// The request.
    pub(super) request: NetworkRequestId,
}

/// The reason why a task sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Initiator {
    /// The content that the task handled.
    pub(super) content: Delivery,
    /// True if a script asked, which something else may have called later.
    pub(super) is_script: bool,
}

/// A page load of Chrome.
pub(super) struct PageLoad<'a> {
    index: &'a Index,
    process: ProcessId,
    frame: String,
    document: Option<NetworkRequestId>,
    /// Its start.
    pub(super) start: Ns,
    /// The marker of its navigation.
    pub(super) navigation: MarkerId,
}

impl<'a> PageLoad<'a> {
    /// The page load of a marker: by the id of its navigation, or else the latest of its frame.
    pub(super) fn of(index: &'a Index, marker: MarkerId) -> Option<Self> {
        let profile = index.profile();
        let (thread, local) = profile.locate(marker)?;
        if profile.marker_name(thread, local) == SOFT {
            return None;
        }
        let payload = profile.payload_in(profile.thread(thread), local);
        let data = payload.get("data");
        let frame = text(payload.get("frame")).or_else(|| text(data?.get("frame")))?;
        let id = data.and_then(|data| text(data.get("navigationId")));
        let time = profile.thread(thread).markers.start(local);
        let (start, navigation, id) = navigation(profile, &frame, id.as_deref(), time)?;
        let is_document = |own: &NetworkRequest| own.resource.is_empty() || own.resource == "Document";
        let requests = index.network().iter().filter(|(_, own)| is_document(own));
        let document = requests.filter(|(_, own)| own.start >= start || own.end >= start).find(|(_, own)| {
            let sent = sent(profile, own);
            text(sent.get("requestId")).is_some_and(|own| Some(&own) == id.as_ref())
        });
        let process = profile.thread(thread).process;
        Some(Self { index, process, frame, document: document.map(|(id, _)| id), start, navigation })
    }

    /// True for the request of the document.
    pub(super) fn is_document(&self, request: NetworkRequestId) -> bool {
        self.document == Some(request)
    }

    /// The last request that a paint waited for before a time: the painted image, requests that blocked rendering, and the
    /// first part of the document.
    pub(super) fn before_paint(&self, milestone: MarkerId, time: Ns) -> Option<Delivery> {
        let image = self.image(milestone).and_then(|image| self.delivered(image, time));
        let blocking = self.blocking(time).max();
        let document = self.document.and_then(|document| self.first_part(document, time));
        image.into_iter().chain(blocking).chain(document).max()
    }

    /// The last request that the `load` event waited for before a time.
    pub(super) fn before_load(&self, time: Ns) -> Option<Delivery> {
        let mut ended: Vec<(Delivery, &NetworkRequest)> = self.ended(time).collect();
        ended.sort_unstable_by_key(|(own, _)| std::cmp::Reverse(*own));
        let is_awaited = |own: &NetworkRequest| {
            let sent = sent(self.index.profile(), own);
            let way = sent.get("initiator").and_then(|initiator| text(initiator.get("fetchType"))).unwrap_or_default();
            !NOT_AWAITED.contains(&own.resource.as_str()) && !NOT_AWAITED_FETCHES.contains(&way.as_str())
        };
        ended.into_iter().find(|(_, own)| is_awaited(own)).map(|(own, _)| own)
    }

    /// The last request that the parser waited for before a time.
    pub(super) fn before_parsed(&self, time: Ns) -> Option<Delivery> {
        let document = self.document.and_then(|document| self.delivered(document, time));
        document.into_iter().chain(self.scripts(time)).max()
    }

    /// The request whose content made a task before a time send a request: a script of its stack, or else the document or
    /// style sheet that names it. The parser of the document may also have waited for a script.
    pub(super) fn initiator_of(&self, id: NetworkRequestId, time: Ns) -> Option<Initiator> {
        let own = self.index.network().get(id)?;
        let sent = sent(self.index.profile(), own);
        let initiator = sent.get("initiator")?;
        let is_script = text(initiator.get("type")).as_deref() == Some("script");
        let callers = match sent.get("stackTrace") {
            Some(Value::List(calls)) if is_script => calls.as_slice(),
            _ => &[],
        };
        let urls = callers.iter().filter_map(|call| text(call.get("url"))).chain(text(initiator.get("url")));
        let asking = urls.into_iter().find_map(|url| self.before(&url, id, own.start))?;
        let content = self.delivered(asking, time);
        let scripts = self.is_document(asking).then(|| self.scripts(time).max()).flatten();
        let content = content.into_iter().chain(scripts).max()?;
        Some(Initiator { content, is_script })
    }

    /// The last request for an address that began before a time.
    fn before(&self, url: &str, except: NetworkRequestId, time: Ns) -> Option<NetworkRequestId> {
        let is_of = |own: &NetworkRequest| own.url == url || own.redirects.iter().any(|redirect| redirect.url == url);
        let found = self.index.network().iter().filter(|(id, own)| *id != except && own.start <= time && is_of(own));
        found.max_by_key(|(_, own)| own.start).map(|(id, _)| id)
    }

    /// The requests of the page that ended before a time.
    fn ended(&self, time: Ns) -> impl Iterator<Item = (Delivery, &'a NetworkRequest)> + use<'a> {
        let (process, start) = (self.process, self.start);
        let own = move |own: &NetworkRequest| own.process == process && own.start >= start && own.end <= time;
        let requests = self.index.network().iter().filter(move |(_, request)| own(request));
        requests.map(|(id, own)| (Delivery { time: own.end, request: id }, own))
    }

    /// The requests of the frame that blocked rendering and ended before a time.
    fn blocking(&self, time: Ns) -> impl Iterator<Item = Delivery> + use<'_, 'a> {
        let is_blocking = |own: &NetworkRequest| match own.render_blocking.as_str() {
            "blocking" => true,
            "in_body_parser_blocking" => {
                own.priority == "VeryHigh" || own.priority == "High" && own.resource == "Script"
            }
            _ => false,
        };
        let found = self.ended(time).filter(move |(_, own)| is_blocking(own));
        found.filter(|(_, own)| self.is_of_frame(own)).map(|(own, _)| own)
    }

    /// The scripts that the parser waited for and that ended before a time.
    fn scripts(&self, time: Ns) -> impl Iterator<Item = Delivery> + use<'_, 'a> {
        let stops = |own: &NetworkRequest| {
            own.resource == "Script" && matches!(own.render_blocking.as_str(), "blocking" | "in_body_parser_blocking")
        };
        let found = self.ended(time).filter(move |(_, own)| stops(own));
        found.filter(|(_, own)| self.is_of_frame(own)).map(|(own, _)| own)
    }

    fn is_of_frame(&self, own: &NetworkRequest) -> bool {
        text(sent(self.index.profile(), own).get("frame")).is_some_and(|frame| frame == self.frame)
    }

    /// The request of the image that a largest paint shows.
    fn image(&self, milestone: MarkerId) -> Option<NetworkRequestId> {
        let profile = self.index.profile();
        let (thread, local) = profile.locate(milestone)?;
        if profile.marker_name(thread, local) != LARGEST {
            return None;
        }
        let payload = profile.payload_in(profile.thread(thread), local);
        let node = payload.get("data")?.get("nodeId").and_then(Value::as_i64)?;
        let mut painted: Option<(Ns, String)> = None;
        for (id, marker) in named(profile, IMAGE, |process| process == self.process) {
            let payload = profile.payload_in(profile.thread(id), marker);
            let Some(data) = payload.get("data") else { continue };
            if data.get("DOMNodeId").and_then(Value::as_i64) != Some(node) {
                continue;
            }
            let time = profile.thread(id).markers.start(marker);
            if let Some(url) = text(data.get("imageUrl"))
                && painted.as_ref().is_none_or(|(known, _)| *known <= time)
            {
                painted = Some((time, url));
            }
        }
        let (time, url) = painted?;
        let is_own = |own: &NetworkRequest| {
            let is_of = own.url == url || own.redirects.iter().any(|redirect| redirect.url == url);
            is_of && self.start <= own.start && own.start <= time
        };
        self.index.network().iter().find(|(_, own)| is_own(own)).map(|(id, _)| id)
    }

    /// The part of a request that had arrived before a time: all of it, or the last phase until then.
    fn delivered(&self, request: NetworkRequestId, time: Ns) -> Option<Delivery> {
        let own = self.index.network().get(request)?;
        if own.end <= time {
            return Some(Delivery { time: own.end, request });
        }
        let parts = self.parts(request).filter(|part| *part <= time);
        parts.max().map(|time| Delivery { time, request })
    }

    /// The first part of a request, if it arrived before a time.
    fn first_part(&self, request: NetworkRequestId, time: Ns) -> Option<Delivery> {
        let first = self.parts(request).min().filter(|first| *first <= time)?;
        Some(Delivery { time: first, request })
    }

    /// The times of the events of a request after it was sent.
    fn parts(&self, request: NetworkRequestId) -> impl Iterator<Item = Ns> + use<'a> {
        const PARTS: [&str; 3] = ["ResourceReceiveResponse", "ResourceReceivedData", "ResourceFinish"];
        let (profile, network) = (self.index.profile(), self.index.network());
        let is_part = |(thread, local): &(ThreadId, LocalMarker)| PARTS.contains(&profile.marker_name(*thread, *local));
        let events = network.markers(request).iter().filter_map(|marker| profile.locate(*marker)).filter(is_part);
        events.map(|(thread, local)| profile.thread(thread).markers.start(local))
    }

    /// The first byte of the document of a milestone's window in a Firefox profile, if it arrived before a time.
    pub(super) fn document_of_window(index: &Index, milestone: MarkerId, time: Ns) -> Option<Delivery> {
        let profile = index.profile();
        let (thread, local) = profile.locate(milestone)?;
        let start = profile.thread(thread).markers.start(local);
        let url = &profile.page_of(window_of(profile, milestone)?)?.url;
        let process = profile.thread(thread).process;
        let is_own = |own: &NetworkRequest| own.process == process && own.url == *url && own.end >= start;
        let (request, own) = index.network().iter().find(|(_, own)| is_own(own))?;
        let first = own.segments().into_iter().find(|phase| phase.kind == PhaseKind::Download)?.start;
        (start <= first && first <= time).then_some(Delivery { time: first, request })
    }
}

/// The data of the event that sent a request.
fn sent(profile: &Profile, request: &NetworkRequest) -> Value {
    let place = profile.locate(request.marker);
    let payload = place.map(|(thread, local)| profile.payload_in(profile.thread(thread), local));
    payload.and_then(|payload| payload.get("data").cloned()).unwrap_or(Value::Null)
}

/// A nonempty text.
fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The markers with a name in the processes that are wanted.
fn named(
    profile: &Profile,
    name: &str,
    is_wanted: impl Fn(ProcessId) -> bool,
) -> impl Iterator<Item = (ThreadId, LocalMarker)> {
    let name: Option<StringId> = profile.strings.find(name);
    let threads = profile.threads_with_ids().filter(move |(_, thread)| name.is_some() && is_wanted(thread.process));
    threads.flat_map(move |(id, thread)| {
        let attributes = thread.markers.attributes();
        let numbers: Vec<bool> = attributes.items().iter().map(|own| Some(own.name) == name).collect();
        let has = numbers.iter().any(|own| *own);
        let all = attributes.numbers().enumerate().filter(move |(_, number)| has && numbers[*number]);
        all.map(move |(marker, _)| (id, LocalMarker::new(marker)))
    })
}

/// A navigation of a frame to a document: start, marker, id. Without an id, the latest one before a time.
fn navigation(profile: &Profile, frame: &str, id: Option<&str>, time: Ns) -> Option<(Ns, MarkerId, Option<String>)> {
    let mut found: Option<(Ns, MarkerId, Option<String>)> = None;
    for (thread, marker) in named(profile, NAVIGATION, |_| true) {
        let thread = profile.thread(thread);
        let payload = profile.payload_in(thread, marker);
        let Some(data) = payload.get("data") else { continue };
        let (own, start) = (text(data.get("navigationId")), thread.markers.start(marker));
        let has_document = data.get("documentLoaderURL").is_none_or(|url| url.as_str() != Some(""));
        let is_wanted = id.is_none_or(|id| own.as_deref() == Some(id));
        let is_latest = start <= time && found.as_ref().is_none_or(|(known, ..)| *known <= start);
        if has_document && is_wanted && is_latest && text(payload.get("frame")).as_deref() == Some(frame) {
            found = Some((start, thread.global(marker), own));
        }
    }
    found
}
