//! Network requests of traces. Events with the same id form one request, as in Chrome DevTools.
//!
//! A redirected request has several URLs. Its start is the one that the browser process reports, if there is one. Ids
//! are unique in most traces; if two processes each have a complete request with the same id, these are two requests.

use std::collections::BTreeSet;

use super::chrome_event::{Event, EventName, Response, Sent, What};
use super::phase::PhaseKind;
use super::request::{NetworkRequest, Outcome, Redirect};
use flowline_profile::{MarkerId, Ns, ProcessId};

/// URL schemes of network requests.
const SCHEMES: [&str; 5] = ["http:", "https:", "file:", "blob:", "filesystem:"];

/// Joins events into requests, each with all its markers. Unfinished requests end at the end of `range`.
pub(super) fn join(mut events: Vec<Event>, range: (Ns, Ns)) -> Vec<(NetworkRequest, Vec<MarkerId>)> {
    let is_socket = |event: &Event| matches!(event.what, What::Socket(..));
    events.sort_unstable_by(|a, b| {
        let key = |event: &Event| (is_socket(event), event.time, event.marker);
        (is_socket(a), &a.id).cmp(&(is_socket(b), &b.id)).then_with(|| key(a).cmp(&key(b)))
    });
    let mut found = Vec::new();
    for same in events.chunk_by(|a, b| is_socket(a) == is_socket(b) && a.id == b.id) {
        let joined = if is_socket(&same[0]) { by_process(same) } else { split(same) };
        let request = |events: &Vec<&Event>| {
            let request = if is_socket(events[0]) { socket(events, range) } else { request(events, range.1) };
            Some((request?, events.iter().map(|event| event.marker).collect()))
        };
        found.extend(joined.iter().filter_map(request));
    }
    found
}

/// The events of each process, by process id.
fn by_process(events: &[Event]) -> Vec<Vec<&Event>> {
    let processes: BTreeSet<ProcessId> = events.iter().map(|event| event.process).collect();
    let of = |process| events.iter().filter(|event| event.process == process).collect();
    if processes.len() == 1 { vec![events.iter().collect()] } else { processes.into_iter().map(of).collect() }
}

/// Separates requests with the same id in several processes. Events of a process without a complete request belong to
/// the request that sends next, otherwise to the last one.
fn split(events: &[Event]) -> Vec<Vec<&Event>> {
    let having = |is: fn(&What) -> bool| -> BTreeSet<ProcessId> {
        events.iter().filter(|event| is(&event.what)).map(|event| event.process).collect()
    };
    let senders = having(|what| matches!(what, What::Send(_)));
    let answered = having(|what| matches!(what, What::Response(_) | What::Finish(_)));
    let whole: Vec<ProcessId> = senders.intersection(&answered).copied().collect();
    if whole.len() < 2 {
        return vec![events.iter().collect()];
    }
    let place = |process: ProcessId| whole.binary_search(&process).ok();
    let sends = events.iter().filter(|event| matches!(event.what, What::Send(_)));
    let sends: Vec<(Ns, usize)> = sends.filter_map(|event| Some((event.time, place(event.process)?))).collect();
    let mut parts: Vec<Vec<&Event>> = vec![Vec::new(); whole.len()];
    for event in events {
        let next = sends.partition_point(|(time, _)| *time < event.time).min(sends.len() - 1);
        parts[place(event.process).unwrap_or(sends[next].1)].push(event);
    }
    parts
}

/// Builds a request from events in time order; `None` if no URL with a known scheme is requested.
fn request(events: &[&Event], range_end: Ns) -> Option<NetworkRequest> {
    let mut request = NetworkRequest { end: range_end, ..NetworkRequest::default() };
    let (mut wills, mut sends, mut received) = (Vec::new(), Vec::new(), 0);
    let (mut response, mut finish, mut blocking, mut is_cached) = (None, None, None, false);
    for event in events {
        match &event.what {
            What::WillSend => wills.push(event.time),
            What::Send(sent) => sends.push((*event, &**sent)),
            What::Response(found) => response = Some((event.time, &**found)),
            What::Data(bytes) => received += bytes,
            What::Finish(found) => finish = Some((event.time, found)),
            What::Priority(priority) => request.priority.clone_from(priority),
            What::Blocking(status) => blocking = Some(status),
            What::Cached => is_cached = true,
            What::Socket(..) => {}
        }
    }
    let ((_, last), (first, _)) = (sends.last()?, sends.first()?);
    if !SCHEMES.iter().any(|scheme| last.url.starts_with(scheme)) {
        return None;
    }
    let (last_event, _) = sends.last()?;
    request.start = wills.first().copied().unwrap_or(first.time);
    let asked = wills.last().copied().unwrap_or(last_event.time);
    (request.marker, request.process) = (last_event.marker, last_event.process);
    request.redirects = redirects(&sends, &wills);
    describe(&mut request, last, blocking, is_cached);
    if let Some((_, found)) = response {
        request.status = found.status;
        (request.mime, request.protocol) = (found.mime.clone(), found.protocol.clone());
    }
    let whole = finish.map_or(Some(received).filter(|bytes| *bytes > 0), |(_, finish)| finish.encoded);
    (request.encoded_bytes, request.decoded_bytes) = (whole, finish.and_then(|(_, finish)| finish.decoded));
    if let (Some((_, found)), "") = (response, request.cache.as_str()) {
        // A response that was fetched before it was requested does not come from the disk cache.
        let is_fetched = finish.is_none_or(|(_, finish)| finish.encoded != Some(0));
        request.cache = match (found.from_service_worker, found.from_cache && !is_fetched) {
            (true, _) => "service worker".to_owned(),
            (_, true) => "disk".to_owned(),
            _ => String::new(),
        };
    }
    let mut network_end = None;
    if let Some((time, finish)) = finish {
        request.outcome = if finish.failed { Outcome::Failed } else { Outcome::Finished };
        (request.end, network_end) = (time, Some(finish.finished.unwrap_or(time)));
    }
    let known = events.last().map_or(request.start, |event| event.time);
    if request.outcome == Outcome::Unfinished {
        request.end = request.end.max(known);
    }
    request.end = request.end.max(request.start);
    phases(&mut request, asked, response, (network_end, is_cached));
    request.has_bad_clock = request.is_contradictory(&request.phases);
    Some(request)
}

/// Fills in the fields from the last send event.
fn describe(request: &mut NetworkRequest, last: &Sent, blocking: Option<&String>, is_cached: bool) {
    request.url.clone_from(&last.url);
    request.method.clone_from(&last.method);
    request.resource.clone_from(&last.resource);
    request.initiator.clone_from(&last.initiator);
    request.initiator_position = last.initiator_position;
    request.initial_priority.clone_from(&last.priority);
    if request.priority.is_empty() {
        request.priority.clone_from(&last.priority);
    }
    let status = blocking.unwrap_or(&last.blocking);
    status.as_str().clone_into(&mut request.render_blocking);
    if request.render_blocking.is_empty() {
        "non_blocking".clone_into(&mut request.render_blocking);
    }
    if is_cached {
        "memory".clone_into(&mut request.cache);
    }
}

/// All URLs except the last one, each with the time from its request to the next request.
fn redirects(sends: &[(&Event, &Sent)], wills: &[Ns]) -> Vec<Redirect> {
    let redirect = |(at, pair): (usize, &[(&Event, &Sent)])| {
        let will = |at: usize| wills.get(at).copied();
        let (start, end) = will(at).zip(will(at + 1)).unwrap_or((pair[0].0.time, pair[1].0.time));
        Redirect { url: pair[0].1.url.clone(), start, end: end.max(start), marker: pair[0].0.marker }
    };
    sends.windows(2).enumerate().map(redirect).collect()
}

/// Adds the phases from the timing data of the response. Responses from the memory cache contain the timing of another
/// request, which is ignored.
fn phases(
    request: &mut NetworkRequest,
    asked: Ns,
    response: Option<(Ns, &Response)>,
    (network_end, is_cached): (Option<Ns>, bool),
) {
    let Some((answered, response)) = response else {
        if asked > request.start {
            request.add(PhaseKind::Redirect, Some(request.start), Some(asked));
        }
        return;
    };
    request.add(PhaseKind::Redirect, Some(request.start), Some(asked));
    let end = network_end.map(|_| request.end);
    let Some(timing) = response.timing.filter(|_| !is_cached) else {
        request.add(PhaseKind::Queued, Some(asked), Some(asked));
        request.add(PhaseKind::Stalled, Some(request.start), Some(answered));
        request.add(PhaseKind::Download, Some(answered), end);
        return;
    };
    let taken = timing.request;
    request.add(PhaseKind::Queued, Some(asked.min(taken)), Some(taken));
    let later = |time: Option<Ns>| time.filter(|time| *time > taken);
    let next = [timing.dns[0], timing.connect[0], timing.sent[0]].into_iter().find_map(later);
    let next = next.or_else(|| later(Some(taken + (answered - asked))));
    request.add(PhaseKind::Stalled, Some(taken), Some(next.unwrap_or(taken)));
    request.add(PhaseKind::Dns, timing.dns[0], timing.dns[1]);
    request.add(PhaseKind::Connect, timing.connect[0], timing.connect[1]);
    request.add(PhaseKind::Tls, timing.tls[0], timing.tls[1]);
    request.add(PhaseKind::Sent, timing.sent[0], timing.sent[1]);
    request.add(PhaseKind::Waiting, timing.sent[1], timing.headers_end);
    request.add(PhaseKind::Download, timing.headers_end, network_end);
    request.add(PhaseKind::Processing, network_end, end);
}

/// A `WebSocket`, from its creation to its destruction. A missing end is replaced by that edge of the recording.
fn socket(events: &[&Event], range: (Ns, Ns)) -> Option<NetworkRequest> {
    let time = |wanted: EventName| {
        events
            .iter()
            .find(|event| matches!(&event.what, What::Socket(name, ..) if *name == wanted))
            .map(|event| event.time)
    };
    let first = events.first()?;
    let (created, destroyed) = (time(EventName::SocketCreate), time(EventName::SocketDestroy));
    let mut request = NetworkRequest {
        resource: "WebSocket".to_owned(),
        process: first.process,
        marker: first.marker,
        start: created.unwrap_or(range.0.min(first.time)),
        end: destroyed.unwrap_or_else(|| range.1.max(events.last().map_or(first.time, |event| event.time))),
        outcome: if destroyed.is_some() { Outcome::Finished } else { Outcome::Unfinished },
        ..NetworkRequest::default()
    };
    request.end = request.end.max(request.start);
    for event in events {
        if let What::Socket(EventName::SocketCreate, url, protocol) = &event.what {
            (request.url, request.protocol, request.marker) = (url.clone(), protocol.clone(), event.marker);
        }
    }
    let (asked, answered) = (time(EventName::SocketRequest), time(EventName::SocketResponse));
    request.add(PhaseKind::Waiting, asked, answered);
    request.add(PhaseKind::Open, answered, Some(request.end));
    request.has_bad_clock = request.is_contradictory(&request.phases);
    Some(request)
}
