//! Network requests of Firefox profiles: outcomes, and phases from recorded times.

use flowline::index::network::{Network, Outcome, Phase, PhaseKind};
use flowline::profile::Ns;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::recording::{Recording, interval};

fn firefox(data: Value) -> Recording {
    let mut payload = json!({"type": "Network", "id": 3, "status": "STATUS_STOP", "URI": "https://a.test/f.css", "pri": -20,
        "requestMethod": "GET", "contentType": "text/css", "responseStatus": 200, "httpVersion": "h3", "count": 77,
        "startTime": 100.0, "endTime": 200.0});
    for (key, value) in data.as_object().expect("members") {
        payload[key] = value.clone();
    }
    let start = json!({"type": "Network", "id": 3, "status": "STATUS_START", "URI": "https://a.test/f.css", "startTime": 90.0, "endTime": 100.0});
    Recording::of(vec![interval("Load 3", 90.0, 100.0).with(start), interval("Load 3", 100.0, 200.0).with(payload)])
}

/// Kind, start and end in milliseconds.
fn ms(phases: &[Phase]) -> Vec<(&'static str, i64, i64)> {
    phases.iter().map(|phase| (phase.kind.name(), phase.start.0 / 1_000_000, phase.end.0 / 1_000_000)).collect()
}

/// Kind and length in milliseconds.
fn ms_lengths(phases: &[Phase]) -> Vec<(&'static str, i64)> {
    phases.iter().map(|phase| (phase.kind.name(), phase.length().0 / 1_000_000)).collect()
}

#[test]
fn the_time_between_two_steps_is_stalled() {
    let data = json!({"domainLookupStart": 110.0, "domainLookupEnd": 111.0, "connectStart": 150.0, "tcpConnectEnd": 151.0,
        "connectEnd": 151.0, "requestStart": 152.0, "responseStart": 160.0, "responseEnd": 161.0});
    for (form, profile) in firefox(data).read_both() {
        let found = Network::build(&profile);
        let request = &found.requests()[0];
        let expected = [
            ("stalled", 20),
            ("dns", 1),
            ("stalled", 39),
            ("connect", 1),
            ("stalled", 1),
            ("waiting", 8),
            ("download", 1),
            ("processing", 39),
        ];
        assert_eq!(ms_lengths(&request.segments()), expected, "{form}");
        let sum = request.lengths().iter().map(|(_, length)| length.0).sum::<i64>();
        assert_eq!(sum, request.duration().0, "{form}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn phases_partition_any_request(times in prop::collection::vec(prop::option::of(60_i64..240), 9)) {
        let keys = ["domainLookupStart", "domainLookupEnd", "connectStart", "tcpConnectEnd", "secureConnectionStart",
            "connectEnd", "requestStart", "responseStart", "responseEnd"];
        let mut data = json!({});
        for (key, time) in keys.into_iter().zip(&times) {
            if let Some(time) = time {
                data[key] = json!(*time as f64);
            }
        }
        for (form, profile) in firefox(data).read_both() {
            let found = Network::build(&profile);
            let request = &found.requests()[0];
            let segments = request.segments();
            prop_assert_eq!(segments[0].start, request.start, "{}", form);
            prop_assert_eq!(segments[segments.len() - 1].end, request.end, "{}", form);
            prop_assert!(segments.iter().all(|segment| segment.start < segment.end), "{form}: {segments:?}");
            prop_assert!(segments.windows(2).all(|pair| pair[0].end == pair[1].start), "{form}: {segments:?}");
            let sum = request.lengths().iter().map(|(_, length)| length.0).sum::<i64>();
            prop_assert_eq!(sum, request.duration().0, "{}", form);
        }
    }
}

#[test]
fn firefox_requests_have_phases_for_recorded_times() {
    let times = json!({"domainLookupStart": 110.0, "domainLookupEnd": 120.0, "connectStart": 120.0, "tcpConnectEnd": 130.0,
        "secureConnectionStart": 130.0, "connectEnd": 140.0, "requestStart": 145.0, "responseStart": 180.0, "responseEnd": 195.0});
    for (form, profile) in firefox(times).read_both() {
        let found = Network::build(&profile);
        let [request] = found.requests() else { panic!("{form}") };
        let start = request.start.0 / 1_000_000 - 90;
        let at = |(kind, from, to): (&'static str, i64, i64)| (kind, from + start, to + start);
        let expected = [
            ("stalled", 90, 110),
            ("dns", 110, 120),
            ("connect", 120, 130),
            ("tls", 130, 140),
            ("stalled", 140, 145),
            ("waiting", 145, 180),
            ("download", 180, 195),
            ("processing", 195, 200),
        ];
        assert_eq!(ms(&request.phases), expected.map(at), "{form}");
        assert_eq!(
            (request.status, request.encoded_bytes, request.priority.as_str()),
            (Some(200), Some(77), "-20"),
            "{form}"
        );
        assert_eq!(request.length_of(PhaseKind::Stalled), Some(Ns(25_000_000)), "{form}");
        assert_eq!(found.request_of(request.marker).map(|id| found.markers(id).len()), Some(1), "{form}");
    }
}

#[test]
fn a_firefox_request_waits_from_the_end_of_its_connection() {
    let data = json!({"connectStart": 110.0, "tcpConnectEnd": 130.0, "requestStart": 145.0, "responseStart": 180.0});
    for (form, profile) in firefox(data).read_both() {
        let found = Network::build(&profile);
        let request = &found.requests()[0];
        let stalls = request.phases.iter().filter(|phase| phase.kind == PhaseKind::Stalled);
        let lengths: Vec<i64> = stalls.map(|phase| (phase.end - phase.start).0 / 1_000_000).collect();
        assert_eq!(lengths, [20, 15], "{form}");
    }
}

#[test]
fn a_firefox_request_from_before_the_recording_can_be_finished() {
    let payload = |status: &str| {
        json!({"type": "Network", "id": 3, "status": status, "URI": "https://a.test/", "startTime": 31.0, "endTime": 40.0,
            "requestStart": 33.0, "responseStart": 34.0, "responseEnd": 39.0})
    };
    for (status, outcome) in
        [("STATUS_STOP", Outcome::Finished), ("STATUS_CANCEL", Outcome::Failed), ("STATUS_START", Outcome::Unfinished)]
    {
        let rows = vec![interval("early", 0.0, 1.0), interval("Load 3", 31.0, 40.0).with(payload(status))];
        for (form, profile) in Recording::of(rows).read_both() {
            let found = Network::build(&profile);
            let request = &found.requests()[0];
            assert_eq!(request.outcome, outcome, "{form}, {status}");
            // Nothing is known about the time before its phases.
            let stalled = request.length_of(PhaseKind::Stalled);
            assert_eq!(stalled, None, "{form}, {status}");
        }
    }
}

#[test]
fn a_failed_firefox_request_has_no_unmeasured_phases() {
    let data = json!({"requestStatus": "NS_ERROR_UNKNOWN_HOST", "domainLookupStart": 110.0});
    for (form, profile) in firefox(data).read_both() {
        let found = Network::build(&profile);
        let request = &found.requests()[0];
        assert_eq!((request.outcome, request.error.as_str()), (Outcome::Failed, "NS_ERROR_UNKNOWN_HOST"), "{form}");
        let kinds: Vec<PhaseKind> = request.segments().iter().map(|phase| phase.kind).collect();
        assert_eq!(kinds, [PhaseKind::Stalled, PhaseKind::Unknown], "{form}: the end of the lookup is unknown");
    }
}

#[test]
fn an_earlier_connection_is_not_part_of_the_request() {
    let data = json!({"connectStart": 20.0, "tcpConnectEnd": 30.0, "connectEnd": 40.0, "requestStart": 110.0, "responseStart": 150.0});
    for (form, profile) in firefox(data).read_both() {
        let request = Network::build(&profile).requests()[0].clone();
        assert_eq!(ms_lengths(&request.preconnect), [("connect", 20)], "{form}");
        assert_eq!((request.length_of(PhaseKind::Connect), request.has_bad_clock), (None, false), "{form}");
        let drawn: Vec<PhaseKind> = request.segments().iter().map(|phase| phase.kind).collect();
        assert_eq!(drawn, [PhaseKind::Stalled, PhaseKind::Waiting, PhaseKind::Unknown], "{form}");
    }
}
