//! Network requests of Firefox profiles: one marker of the type `Network` per request and process. Redirects are separate
//! requests.

use super::channels::Recorded;
use super::phase::{Phase, PhaseKind};
use super::request::{NetworkRequest, Outcome};
use flowline_profile::{LocalMarker, MarkerFlags, Ns, Profile, ThreadId, Value};

/// The request of a marker.
pub(super) fn read(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> Recorded {
    let owner = profile.thread(thread);
    let markers = &owner.markers;
    let payload = profile.payload_in(owner, marker);
    let text = |key: &str| match payload.get(key) {
        None | Some(Value::Null) => String::new(),
        Some(value) => value.display_js(),
    };
    let number = |key: &str| payload.get(key).and_then(Value::as_i64);
    let mut request = NetworkRequest {
        url: text("URI"),
        method: text("requestMethod"),
        status: number("responseStatus"),
        mime: text("contentType"),
        protocol: text("httpVersion"),
        priority: text("pri"),
        cache: cache(&text("cache")).to_owned(),
        redirected_to: text("RedirectURI"),
        encoded_bytes: number("count"),
        process: owner.process,
        marker: owner.global(marker),
        start: markers.start(marker),
        end: markers.end(marker),
        ..NetworkRequest::default()
    };
    let (status, result) = (text("status"), text("requestStatus"));
    let failed = status == "STATUS_CANCEL" || !matches!(result.as_str(), "" | "NS_OK");
    // A marker is also incomplete if only its start is missing.
    let is_incomplete = markers.flags(marker).has(MarkerFlags::INCOMPLETE);
    let has_ended = matches!(status.as_str(), "STATUS_STOP" | "STATUS_REDIRECT" | "STATUS_CANCEL");
    request.outcome = match (is_incomplete && !has_ended, failed) {
        (true, _) => Outcome::Unfinished,
        (_, true) => Outcome::Failed,
        _ => Outcome::Finished,
    };
    if request.outcome == Outcome::Failed {
        request.error = if result.is_empty() || result == "NS_OK" { "cancelled".to_owned() } else { result };
    }
    phases(&mut request, &payload, !(is_incomplete && has_ended));
    Recorded { request, channel: number("id") }
}

/// The cache that a response comes from; empty if it comes from the network.
fn cache(word: &str) -> &'static str {
    match word {
        "Hit" | "DiskStorage" => "disk",
        "MemoryStorage" => "memory",
        "Push" => "push",
        _ => "",
    }
}

/// Adds the phases between the times of a payload. Between two steps, the request is stalled. Times before the start
/// belong to a connection that was made in advance. The start may be missing.
fn phases(request: &mut NetworkRequest, payload: &Value, has_start: bool) {
    let start = request.start;
    let time = |key: &str| {
        let ms = payload.get(key)?.as_f64().filter(|ms| *ms != 0.0)?;
        Ns::from_ms(ms)
    };
    let [lookup, found] = [time("domainLookupStart"), time("domainLookupEnd")];
    let [connect, tcp, tls, connected] =
        [time("connectStart"), time("tcpConnectEnd"), time("secureConnectionStart"), time("connectEnd")];
    let [asked, first, last] = [time("requestStart"), time("responseStart"), time("responseEnd")];
    let joined = if tls.is_some() { tcp.or(tls) } else { connected.or(tcp) };
    let steps = [
        (PhaseKind::Dns, lookup, found),
        (PhaseKind::Connect, connect, joined),
        (PhaseKind::Tls, tls, connected),
        (PhaseKind::Waiting, asked, first),
        (PhaseKind::Download, first, last),
    ];
    let later = |time: Option<Ns>| time.filter(|time| *time >= start);
    let begun = steps.iter().find_map(|(_, from, _)| later(*from));
    request.add(PhaseKind::Stalled, begun.filter(|_| has_start).map(|_| start), begun);
    let mut done = None;
    for (kind, from, to) in steps {
        request.add(PhaseKind::Stalled, later(done).filter(|done| Some(*done) < from), from);
        request.add(kind, from, to);
        if from.is_some() {
            done = to;
        }
    }
    if request.outcome != Outcome::Unfinished {
        request.add(PhaseKind::Processing, last, Some(request.end));
    }
    let is_early = |phase: &Phase| {
        phase.start < start && matches!(phase.kind, PhaseKind::Dns | PhaseKind::Connect | PhaseKind::Tls)
    };
    let (early, inside): (Vec<Phase>, Vec<Phase>) = request.phases.iter().partition(|phase| is_early(phase));
    request.preconnect = early;
    request.has_bad_clock = request.is_contradictory(&inside);
    // Steps that took no time are kept; they were recorded.
    let moments = inside.into_iter().filter(|phase| phase.start == phase.end && phase.start >= start);
    let known = request.segments().into_iter().filter(|segment| segment.kind != PhaseKind::Unknown);
    let mut phases: Vec<Phase> = moments.filter(|phase| phase.kind != PhaseKind::Stalled).chain(known).collect();
    phases.sort_by_key(|phase| (phase.start, phase.end));
    request.phases = phases;
}
