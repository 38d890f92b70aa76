//! Network requests: small synthetic recordings check how trace events or Firefox markers combine into requests.

use std::sync::Arc;

use flowline::index::network::{Network, NetworkRequest, Outcome, PhaseKind};
use flowline::index::{Arrangement, Index, RowItems as _};
use flowline::profile::{Ns, Profile};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::recording::read_bytes;

/// An event of a process; times are in microseconds.
fn event(name: &str, pid: u32, ts: i64, data: Value) -> Value {
    json!({"name": name, "ph": "I", "s": "t", "cat": "devtools.timeline", "pid": pid, "tid": pid, "ts": ts, "args": {"data": data}})
}

fn will(pid: u32, ts: i64, id: &str) -> Value {
    event("ResourceWillSendRequest", pid, ts, json!({"requestId": id}))
}

fn send(pid: u32, ts: i64, id: &str, url: &str) -> Value {
    let data = json!({"requestId": id, "url": url, "requestMethod": "GET", "priority": "Low", "renderBlocking": "blocking",
        "resourceType": "Script", "initiator": {"url": "http://a.test/", "lineNumber": 14, "columnNumber": 9}});
    event("ResourceSendRequest", pid, ts, data)
}

/// Response headers. `timing` is in milliseconds since `requestTime`, which is in seconds.
fn response(pid: u32, ts: i64, id: &str, timing: Value) -> Value {
    let data = json!({"requestId": id, "statusCode": 200, "mimeType": "text/javascript", "protocol": "h2", "fromCache": false,
        "fromServiceWorker": false, "timing": timing});
    event("ResourceReceiveResponse", pid, ts, data)
}

fn finish(pid: u32, ts: i64, id: &str, finish_time: f64) -> Value {
    let data = json!({"requestId": id, "didFail": false, "encodedDataLength": 500, "decodedBodyLength": 900, "finishTime": finish_time});
    event("ResourceFinish", pid, ts, data)
}

fn profile(events: Vec<Value>) -> Profile {
    read_bytes(json!({"traceEvents": events}).to_string().into_bytes()).expect("a trace")
}

fn network(events: Vec<Value>) -> Network {
    Network::build(&profile(events))
}

/// Phases of a request with a length, in microseconds.
fn phases(request: &NetworkRequest) -> Vec<(&'static str, i64, i64)> {
    let lasting = request.phases.iter().filter(|phase| phase.start != phase.end);
    lasting.map(|phase| (phase.kind.name(), phase.start.0 / 1000, phase.end.0 / 1000)).collect()
}

fn extent(request: &NetworkRequest) -> (i64, i64) {
    (request.start.0 / 1000, request.end.0 / 1000)
}

/// All phases of a connection: DNS for 0.1 ms, connecting for 0.4 ms, TLS within that.
fn full_timing() -> Value {
    json!({"requestTime": 0.0021, "dnsStart": 0.1, "dnsEnd": 0.2, "connectStart": 0.2, "connectEnd": 0.6, "sslStart": 0.3,
        "sslEnd": 0.6, "sendStart": 0.7, "sendEnd": 0.8, "receiveHeadersStart": 1.2, "receiveHeadersEnd": 1.3})
}

#[test]
fn events_with_the_same_id_form_one_request() {
    let found = network(vec![
        send(9, 2000, "r", "http://a.test/x/one.js"),
        event("ResourceChangePriority", 9, 2300, json!({"requestId": "r", "priority": "High"})),
        event("ResourceChangePriority", 9, 2400, json!({"requestId": "r", "priority": "VeryHigh"})),
        event(
            "PreloadRenderBlockingStatusChange",
            9,
            2500,
            json!({"requestId": "r", "renderBlocking": "non_blocking"}),
        ),
        response(9, 3600, "r", full_timing()),
        event("ResourceReceivedData", 9, 3700, json!({"requestId": "r", "encodedDataLength": 400})),
        finish(9, 5000, "r", 0.0045),
    ]);
    let [request] = found.requests() else { panic!("{:?}", found.requests()) };
    assert_eq!(extent(request), (2000, 5000));
    let expected = [
        ("queued", 2000, 2100),
        ("stalled", 2100, 2200),
        ("dns", 2200, 2300),
        ("connect", 2300, 2700),
        ("tls", 2400, 2700),
        ("sent", 2800, 2900),
        ("waiting", 2900, 3400),
        ("download", 3400, 4500),
        ("processing", 4500, 5000),
    ];
    assert_eq!(phases(request), expected);
    assert!(!request.has_bad_clock);
    let texts = [&request.url, &request.method, &request.mime, &request.resource, &request.protocol, &request.priority];
    let wanted = ["http://a.test/x/one.js", "GET", "text/javascript", "Script", "h2", "VeryHigh"];
    assert_eq!(texts.map(String::as_str), wanted);
    assert_eq!((request.render_blocking.as_str(), request.initiator.as_str()), ("non_blocking", "http://a.test/"));
    assert_eq!((request.initial_priority.as_str(), request.priorities().as_str()), ("Low", "Low, then VeryHigh"));
    assert_eq!(request.initiator_position, [Some(14), Some(9)]);
    // Traces count lines from 0.
    let shown = profile(vec![will(1, 1000, "r")]);
    assert_eq!(request.initiator_location(&shown), "http://a.test/:15:10");
    assert_eq!((request.status, request.encoded_bytes, request.decoded_bytes), (Some(200), Some(500), Some(900)));
    assert_eq!(request.outcome, Outcome::Finished);
    let (id, _) = found.iter().next().expect("a request");
    let markers = found.markers(id);
    assert_eq!(markers.len(), 7);
    assert!(markers.iter().all(|marker| found.request_of(*marker) == Some(id)));
}

#[test]
fn redirects_belong_to_their_request() {
    let found = network(vec![
        will(1, 1000, "r"),
        send(9, 1100, "r", "http://a.test/old"),
        will(1, 1600, "r"),
        send(9, 1700, "r", "http://a.test/new"),
        response(9, 3000, "r", full_timing()),
        finish(9, 4000, "r", 0.0),
    ]);
    let [request] = found.requests() else { panic!("{:?}", found.requests()) };
    assert_eq!((request.url.as_str(), extent(request)), ("http://a.test/new", (1000, 4000)));
    let [redirect] = &request.redirects[..] else { panic!("{:?}", request.redirects) };
    assert_eq!(
        (redirect.url.as_str(), redirect.start, redirect.end),
        ("http://a.test/old", Ns(1_000_000), Ns(1_600_000))
    );
    assert_eq!(phases(request)[..2], [("redirect", 1000, 1600), ("queued", 1600, 2100)]);
    assert_eq!(request.own_start(), Ns(1_600_000));
}

#[test]
fn requests_served_from_memory_have_no_network_phases() {
    let cached = event("ResourceMarkAsCached", 9, 2010, json!({"requestId": "r"}));
    let found = network(vec![
        send(9, 2000, "r", "http://a.test/a"),
        cached,
        response(9, 2020, "r", full_timing()),
        finish(9, 2100, "r", 0.0),
    ]);
    let request = &found.requests()[0];
    assert_eq!(phases(request), [("stalled", 2000, 2020), ("download", 2020, 2100)]);
    assert_eq!(request.cache, "memory");
}

#[test]
fn unfinished_and_failed_requests_are_marked() {
    let failed = event("ResourceFinish", 9, 2500, json!({"requestId": "f", "didFail": true, "finishTime": 0}));
    let found = network(vec![
        send(9, 2000, "u", "https://a.test/never"),
        send(9, 2200, "f", "https://a.test/fails"),
        send(9, 2100, "d", "data:text/plain,hi"),
        response(9, 2150, "without a send", full_timing()),
        failed,
        event("Other", 9, 9000, json!({})),
    ]);
    let [unfinished, failed] = found.requests() else { panic!("{:?}", found.requests()) };
    assert_eq!((unfinished.outcome, extent(unfinished)), (Outcome::Unfinished, (2000, 9000)));
    assert_eq!((failed.outcome, extent(failed)), (Outcome::Failed, (2200, 2500)));
    assert!(failed.phases.is_empty() && unfinished.phases.is_empty());
}

#[test]
fn clock_mismatches_give_negative_lengths_but_bars_stay_inside() {
    let found = network(vec![
        send(9, 2000, "r", "http://a.test/a"),
        response(9, 2400, "r", full_timing()),
        finish(9, 2500, "r", 0.00248),
    ]);
    let request = &found.requests()[0];
    assert_eq!(request.length_of(PhaseKind::Download), Some(Ns(-920_000)));
    assert!(request.has_bad_clock);
    let drawn = request.segments();
    assert!(drawn.iter().all(|phase| phase.start >= request.start && phase.end <= request.end), "{drawn:?}");
}

#[test]
fn equal_ids_in_two_processes_are_two_requests() {
    let found = network(vec![
        will(1, 1990, "1.2"),
        send(8, 2000, "1.2", "http://a.test/eight"),
        send(9, 2500, "1.2", "http://a.test/nine"),
        response(9, 2600, "1.2", json!({})),
        response(8, 2700, "1.2", json!({})),
        finish(8, 2800, "1.2", 0.0),
        finish(9, 2900, "1.2", 0.0),
    ]);
    let [eight, nine] = found.requests() else { panic!("{:?}", found.requests()) };
    assert_eq!((eight.url.as_str(), extent(eight)), ("http://a.test/eight", (1990, 2800)));
    assert_eq!((nine.url.as_str(), extent(nine)), ("http://a.test/nine", (2500, 2900)));
    assert!(eight.redirects.is_empty() && nine.redirects.is_empty());
}

#[test]
fn web_sockets_last_from_creation_to_close() {
    let socket = |name: &str, pid, ts, data: Value| {
        let mut data = data;
        data["identifier"] = 7.into();
        event(name, pid, ts, data)
    };
    let found = network(vec![
        event("Other", 9, 1000, json!({})),
        socket("WebSocketCreate", 9, 2000, json!({"url": "wss://a.test/s"})),
        socket("WebSocketSendHandshakeRequest", 9, 2100, json!({})),
        socket("WebSocketReceiveHandshakeResponse", 9, 2500, json!({})),
        socket("WebSocketDestroy", 9, 6000, json!({})),
        socket("WebSocketSendHandshakeRequest", 8, 3000, json!({})),
        event("Other", 9, 9000, json!({})),
    ]);
    let mut requests = found.requests().to_vec();
    requests.sort_by_key(|request| request.start);
    let [open, nine] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((nine.url.as_str(), extent(nine), nine.outcome), ("wss://a.test/s", (2000, 6000), Outcome::Finished));
    assert_eq!(phases(nine), [("waiting", 2100, 2500), ("open", 2500, 6000)]);
    assert_eq!((extent(open), open.outcome), ((1000, 9000), Outcome::Unfinished), "no event at its edges");
}

#[test]
fn damaged_events_are_read_as_far_as_possible() {
    let bad = [
        json!(null),
        json!(7),
        json!([]),
        json!({"requestId": null}),
        json!({"requestId": {}}),
        json!({"requestId": "r"}),
    ];
    let names = [
        "ResourceSendRequest",
        "ResourceReceiveResponse",
        "ResourceFinish",
        "ResourceChangePriority",
        "WebSocketCreate",
    ];
    let mut events = vec![send(9, 2000, "r", "http://a.test/a")];
    for name in names {
        events.extend(bad.iter().map(|data| event(name, 9, 3000, data.clone())));
    }
    let timing = json!({"requestTime": "x", "dnsStart": 1e300, "sendStart": null});
    events.push(response(9, 3100, "r", timing));
    events.push(response(9, 3200, "r", json!({"requestTime": 1e300})));
    events.push(finish(9, 1, "r", -1e300));
    let found = network(events);
    assert!(found.requests().iter().all(|request| request.start <= request.end), "{:?}", found.requests());
    let only_sends =
        network(vec![send(9, 2000, "r", "http://a.test/a"), json!({"name": "ResourceFinish", "ph": "I", "ts": 5})]);
    assert_eq!(only_sends.requests().len(), 1);
}

#[test]
fn many_unfinished_requests_with_one_id_form_one_request() {
    let mut events: Vec<Value> = (0..3000).map(|at| send(9, at, "r", "http://a.test/a")).collect();
    events.extend((0..3000).map(|at| will(1 + at % 7, i64::from(at), "r")));
    let found = network(events);
    let [request] = found.requests() else { panic!("one id") };
    assert_eq!(request.redirects.len(), 2999);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn phases_lie_within_the_request_and_in_order(steps in prop::collection::vec(1_i64..4000, 9), start in 1_i64..1_000_000) {
        // In order: send, taken, DNS, connect, TLS, sent, waiting, download, end.
        let mut at = start;
        let mut next = || { at += steps[usize::try_from(at).unwrap_or(0) % steps.len()]; at };
        let taken = next();
        let ms = |time: i64| (time - taken) as f64 / 1e3;
        let [dns, connect, tls, connected, sent, waiting, headers, finished, end] = std::array::from_fn(|_| next());
        let timing = json!({"requestTime": taken as f64 / 1e6, "dnsStart": ms(dns), "dnsEnd": ms(connect), "connectStart": ms(connect),
            "sslStart": ms(tls), "sslEnd": ms(connected), "connectEnd": ms(connected), "sendStart": ms(sent),
            "sendEnd": ms(waiting), "receiveHeadersEnd": ms(headers)});
        let found = network(vec![
            send(9, start, "r", "http://a.test/a"),
            response(9, headers, "r", timing),
            finish(9, end, "r", finished as f64 / 1e6),
        ]);
        let request = &found.requests()[0];
        prop_assert!(!request.has_bad_clock, "{request:?}");
        prop_assert!(request.phases.is_sorted_by_key(|phase| phase.start), "{:?}", request.phases);
        let drawn = request.segments();
        prop_assert!(drawn.windows(2).all(|pair| pair[0].end == pair[1].start), "{drawn:?}");
        // Nothing is known about the time between the connection and the request.
        let known = drawn.iter().filter(|segment| segment.kind != PhaseKind::Unknown);
        prop_assert_eq!(known.count(), 9, "{:?}", drawn);
        prop_assert_eq!(drawn[0].start, request.start);
        prop_assert_eq!(drawn[drawn.len() - 1].end, request.end);
    }

    #[test]
    fn bars_share_rows_without_overlaps(made in prop::collection::vec((0_i64..5000, 0_i64..900, 0_u8..6), 1..120)) {
        let mut events = Vec::new();
        for (at, (start, length, kind)) in made.iter().enumerate() {
            let (pid, id) = (8 + u32::from(at % 2 == 1), format!("{at}"));
            events.push(send(pid, *start, &id, "http://a.test/a"));
            if *kind == 1 {
                events.push(send(pid, start + length / 2, &id, "http://a.test/b"));
            }
            if *kind > 0 {
                events.push(finish(pid, start + length, &id, 0.0));
            }
        }
        let index = Index::build(Arc::new(profile(events)), Arrangement::Stack);
        let found = index.network();
        let mut bars = 0;
        for process in (0..index.profile().processes.len()).map(flowline::profile::ProcessId::new) {
            let Some(track) = found.track(process) else { continue };
            let mut seen = vec![0; track.bars().len()];
            for row in (0..track.rows()).map(Some) {
                let row = track.row(row).expect("a row");
                for at in 0..row.len() {
                    seen[row.marker(at).index()] += 1;
                    prop_assert!(at == 0 || row.packed(at - 1).end() <= row.packed(at).start());
                    prop_assert_eq!(row.position(row.marker(at).0), Some(at));
                }
            }
            prop_assert!(seen.iter().all(|count| *count == 1), "{:?}", seen);
            bars += seen.len();
        }
        let expected: usize = found.requests().iter().map(|request| 1 + request.redirects.len()).sum();
        prop_assert_eq!(bars, expected);
    }
}
