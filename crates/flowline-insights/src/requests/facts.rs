//! Facts of requests, read from their events once for all insights.

use std::collections::BTreeMap;

use rayon::prelude::*;

use flowline_index::network::{Network, NetworkRequest, NetworkRequestId};
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, Profile, StringId, Value};

/// At most this many addresses of the stack of an initiator are kept.
const MAX_CALLERS: usize = 64;

/// Facts of a request beyond those of [`NetworkRequest`]. Texts are empty if they are not recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestFact {
    /// Its id; that of a document is the id of its navigation.
    pub(crate) id: String,
    /// The frame that requested it.
    pub(crate) frame: String,
    /// True if a link element asked to load it early.
    pub(crate) is_link_preload: bool,
    /// The priority that the page asked for: `high`, `auto`.
    pub(crate) priority_hint: String,
    /// Kind of its initiator: `parser`, `script`, `other`.
    pub(crate) initiator_kind: String,
    /// The way in which it was asked for: `img`, `fetch`.
    pub(crate) fetch_kind: String,
    /// Addresses of the functions that asked for it, the innermost first, each once.
    pub(crate) callers: Vec<String>,
    /// True if a worker sent it.
    pub(crate) is_of_worker: bool,
    /// Time at which the first byte of the response arrived.
    pub(crate) first_byte: Option<Ns>,
    /// Time at which the network service had finished; the end of the request if that is not recorded.
    pub(crate) finished: Option<Ns>,
    /// The marker of the response headers.
    pub(crate) response: Option<MarkerId>,
    /// The marker of the end.
    pub(crate) finish: Option<MarkerId>,
}

/// The facts of all requests of a trace of Chrome, by request.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestFacts {
    all: Vec<RequestFact>,
    by_id: BTreeMap<String, NetworkRequestId>,
}

/// Names of the events that are read.
#[derive(Clone, Copy)]
struct Names {
    response: Option<StringId>,
    finish: Option<StringId>,
}

impl RequestFacts {
    /// The facts of a request.
    pub(crate) fn get(&self, id: NetworkRequestId) -> Option<&RequestFact> {
        self.all.get(id.index())
    }

    /// The request with an id.
    pub(crate) fn find(&self, id: &str) -> Option<NetworkRequestId> {
        self.by_id.get(id).copied()
    }
}

impl Derived for RequestFacts {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        if !profile.source.holds_events() {
            return Self::default();
        }
        let find = |name| profile.strings.find(name);
        let names = Names { response: find("ResourceReceiveResponse"), finish: find("ResourceFinish") };
        let network = index.network();
        let requests: Vec<(NetworkRequestId, &NetworkRequest)> = network.iter().collect();
        let all: Vec<RequestFact> =
            requests.par_iter().map(|(id, request)| read(profile, network, (*id, request), names)).collect();
        let mut by_id = BTreeMap::new();
        for ((id, _), fact) in requests.iter().zip(&all).filter(|(_, fact)| !fact.id.is_empty()) {
            // Of several processes that sent a document, the last one that got a response counts.
            match fact.response {
                Some(_) => _ = by_id.insert(fact.id.clone(), *id),
                None => _ = by_id.entry(fact.id.clone()).or_insert(*id),
            }
        }
        Self { all, by_id }
    }
}

/// Reads the events of a request. Of several of a kind, the last one counts.
fn read(
    profile: &Profile,
    network: &Network,
    (id, request): (NetworkRequestId, &NetworkRequest),
    names: Names,
) -> RequestFact {
    let mut fact = RequestFact::default();
    read_sent(&mut fact, profile, request.marker);
    for marker in network.markers(id) {
        let Some((thread, local)) = profile.locate(*marker) else { continue };
        let name = Some(profile.thread(thread).markers.name(local));
        if name == names.response {
            fact.response = Some(*marker);
        } else if name == names.finish {
            fact.finish = Some(*marker);
        }
    }
    let data = |marker: Option<MarkerId>| {
        let (thread, local) = profile.locate(marker?)?;
        profile.payload(thread, local).get("data").cloned()
    };
    // A response from the memory cache states the times of another request.
    let response = data(fact.response).filter(|_| request.cache != "memory");
    fact.first_byte = response.and_then(|data| first_byte(data.get("timing")?));
    if let Some(data) = data(fact.finish) {
        let seconds = data.get("finishTime").and_then(Value::as_f64).filter(|seconds| *seconds != 0.0);
        fact.finished = Some(seconds.and_then(|seconds| Ns::from_ms(seconds * 1e3)).unwrap_or(request.end));
    }
    fact
}

fn read_sent(fact: &mut RequestFact, profile: &Profile, marker: MarkerId) {
    let Some((thread, local)) = profile.locate(marker) else { return };
    let payload = profile.payload(thread, local);
    let Some(data) = payload.get("data") else { return };
    let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    fact.is_of_worker = profile.thread(thread).name.ends_with("Worker thread");
    fact.id = data.get("requestId").map(Value::display_js).unwrap_or_default();
    fact.frame = text(data, "frame");
    fact.is_link_preload = data.get("isLinkPreload").is_some_and(Value::is_truthy);
    fact.priority_hint = text(data, "fetchPriorityHint");
    if let Some(initiator) = data.get("initiator") {
        fact.initiator_kind = text(initiator, "type");
        fact.fetch_kind = text(initiator, "fetchType");
    }
    let Some(Value::List(stack)) = data.get("stackTrace") else { return };
    for url in stack.iter().filter_map(|call| call.get("url")?.as_str()).filter(|url| !url.is_empty()) {
        if fact.callers.len() < MAX_CALLERS && !fact.callers.iter().any(|known| known == url) {
            fact.callers.push(url.to_owned());
        }
    }
}

/// The first byte of the response: in old versions, only the end of the headers is recorded.
fn first_byte(timing: &Value) -> Option<Ns> {
    let request = timing.get("requestTime")?.as_f64().and_then(|seconds| Ns::from_ms(seconds * 1e3))?;
    let at = |key: &str| {
        let ms = timing.get(key)?.as_f64().filter(|ms| *ms >= 0.0)?;
        Ns::from_ms(ms).map(|since| request + since)
    };
    at("receiveHeadersStart").or_else(|| at("receiveHeadersEnd"))
}
