//! Edge cases of critical paths: links other than flows (IPC messages, message loops, directly following markers),
//! waits for threads that only sleep and wake, and flows that share an id in a part.

use std::sync::Arc;

use flowline::index::marker_dependencies::add_flow_dividers;
use flowline::index::messages::message_peer;
use flowline::index::waits::{CriticalPath, PathOptions, blocking};
use flowline::index::{Arrangement, Index};
use flowline::profile::{ThreadId, TimeRange};
use serde_json::json;

use crate::recording::flows::{recording_of, span};
use crate::recording::{Recording, Row, Track, instant};
use crate::waits::{PUT, firefox, listed, marker, path_to, post, task, times, trace, work};

/// A message from one of two processes to the other.
fn message(own: usize, sending: bool, at: f64) -> Row {
    instant("IPC", at).with(json!({
        "type": "IPC", "otherPid": Recording::pid(1 - own), "messageType": "PTest::Msg_A", "messageSeqno": 5,
        "side": "parent", "direction": if sending { "sending" } else { "receiving" }, "phase": "endpoint", "sync": false,
    }))
}

#[test]
fn a_received_message_waits_from_its_send_time() {
    let mut recording = recording_of(vec![vec![work("Sender", 0.0, 20.0), message(0, true, 10.0)]]);
    recording.starts = vec![1000.0, 1000.0];
    let rows = vec![work("Busy", 12.0, 80.0), message(1, false, 90.0)];
    recording.tracks.push(Track { name: "Child".into(), process: 1, samples: vec![0.0, 100.0], rows });
    for (form, profile) in recording.read_both() {
        let index = Index::build(Arc::new(profile), Arrangement::ByName);
        let (sent, received) = (marker(&index, "IPCOut"), marker(&index, "IPCIn"));
        let side = |marker| message_peer(index.profile(), marker).map(|side| (side.marker, side.is_sender));
        assert_eq!(side(received), Some((sent, true)), "{form}");
        assert_eq!(side(sent), Some((received, false)), "{form}");
        assert_eq!(side(marker(&index, "Busy")), None, "{form}");
        assert_eq!(
            path_to(&index, "IPCIn"),
            listed(&[("unknown", "Sender", 0, 0), ("run", "Sender", 0, 10_000), ("wait", "IPCIn", 10_000, 90_000),]),
            "{form}"
        );
        let path = CriticalPath::to_marker(&index, received, PathOptions::default());
        let blocking = path.segments.last().and_then(|segment| segment.blocking.clone()).expect("a wait for a thread");
        assert_eq!((blocking.blockers[0].ns, blocking.unknown), (68_000_000, 12_000_000), "{form}");
    }
}

#[test]
fn a_message_loop_is_not_the_cause_of_its_tasks() {
    let slice = |name: &str, ts: i64, dur: i64| {
        format!(r#"{{"ph":"X","pid":1,"tid":1,"name":"{name}","ts":{ts},"dur":{dur}}}"#)
    };
    let events =
        [slice("Before", 0, 5), slice("RunLoop::Run", 10, 90), slice("RunTask", 40, 20), slice("Layout", 45, 5)];
    let index = trace(&events.join(","));
    assert_eq!(
        path_to(&index, "Layout"),
        listed(&[("unknown", "RunTask", 40, 40), ("run", "RunTask", 40, 45), ("run", "Layout", 45, 50)])
    );
}

#[test]
fn an_assumed_direct_successor_is_marked_as_followed() {
    let index = firefox(vec![vec![task("First", 0.0, 4.0, 1), work("Second", 4.0, 8.0)]]);
    let path = CriticalPath::to_marker(&index, marker(&index, "Second"), PathOptions::default());
    let kinds: Vec<&str> = path.segments.iter().map(|segment| segment.kind.name()).collect();
    assert_eq!(kinds, ["unknown", "run", "followed", "run"]);
    assert!(path.segments[2].range.is_empty() && path.range().len() == 8_000_000);
}

#[test]
fn threads_that_only_sleep_and_wake_report_idle_time() {
    let index = firefox(vec![
        vec![work("Poster", 0.0, 2.0), post(PUT, 1.0, 1)],
        vec![
            span("Awake", 0.0, 2.0, "Plain", json!({})),
            span("Awake", 5.0, 8.0, "Plain", json!({})),
            post("Tick", 5.0, 1),
        ],
    ]);
    let wait = TimeRange {
        start: times(index.profile(), marker(&index, PUT)).start,
        end: times(index.profile(), marker(&index, "Tick")).start,
    };
    let found = blocking(&index, ThreadId::new(1), wait).expect("the thread reports its activity");
    assert_eq!((found.blockers.len(), found.idle, found.unknown), (0, 3_000_000, 1_000_000));
}

#[test]
fn a_part_keeps_the_markers_that_separate_flows_of_one_id() {
    let index = firefox(vec![vec![
        post(PUT, 1.0, 7),
        task("First", 2.0, 3.0, 7),
        post(PUT, 4.0, 7),
        task("Second", 5.0, 6.0, 7),
        post(PUT, 7.0, 9),
        task("Other", 8.0, 9.0, 9),
    ]]);
    let local = |name: &str| index.profile().locate(marker(&index, name)).expect("a marker").1;
    let count = |names: &[&str]| -> usize {
        let mut markers = vec![names.iter().map(|name| local(name)).collect::<Vec<_>>()];
        add_flow_dividers(&index, &mut markers);
        markers[0].len()
    };
    assert_eq!(count(&["First", "Second", "Other"]), 5, "both postings of 7, but not the posting of 9");
    assert_eq!(count(&["First", "Other"]), 2, "one flow of an id needs no separators");
    // Markers between two flows of an id separate them.
    let index = firefox(vec![vec![
        post(PUT, 1.0, 7),
        task("First", 2.0, 3.0, 7),
        post(PUT, 4.0, 7),
        task("Between", 5.0, 6.0, 7),
        post(PUT, 7.0, 7),
        task("Last", 8.0, 9.0, 7),
        post(PUT, 10.0, 7),
    ]]);
    let local = |name: &str| index.profile().locate(marker(&index, name)).expect("a marker").1;
    let mut markers = vec![vec![local("First"), local("Last")]];
    add_flow_dividers(&index, &mut markers);
    assert_eq!(markers[0].len(), 6);
}

#[test]
fn work_inside_a_task_runner_is_the_blocker() {
    let index = firefox(vec![
        vec![work("Poster", 0.0, 20.0), post(PUT, 10.0, 1)],
        vec![
            work("RunTask", 12.0, 80.0),
            work("ThreadControllerImpl::RunTask", 13.0, 79.0),
            work("Short", 14.0, 15.0),
            work("FunctionCall", 16.0, 70.0),
            work("Deeper", 17.0, 69.0),
            work("RunTask", 81.0, 82.0),
            work("Layout", 83.0, 90.0),
            work("Inside", 84.0, 89.0),
            task("Runnable", 90.0, 95.0, 1),
        ],
    ]);
    let wait = TimeRange {
        start: times(index.profile(), marker(&index, PUT)).start,
        end: times(index.profile(), marker(&index, "Runnable")).start,
    };
    let found = blocking(&index, ThreadId::new(1), wait).expect("a thread");
    let texts: Vec<String> = found.blockers.iter().map(|blocker| blocker.text(index.profile())).collect();
    assert_eq!(texts, ["RunTask FunctionCall", "Layout", "RunTask"]);
}
