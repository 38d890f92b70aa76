//! Derivation of markers from raw markers: pairing, network requests, screenshots, IPC messages, clocks of child
//! processes, order.
//! Every case is read in raw and in processed form with the same result.

use crate::recording::{Recording, Row, Seen, Track, brief, closing, instant, interval, opening, read, seen, warned};
use flowline::profile::{LocalMarker, MarkerFlags, Ns, Profile, ThreadId, TimeRange};
use serde_json::{Value, json};

const CASES: &str = include_str!("../../fixtures/cases/derive.json");

/// Converts numbers to floats, so that 1 and 1.0 compare equal.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), plain(value))).collect::<serde_json::Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// Reads rows in both forms and compares name, start, end and incompleteness.
fn check(recording: &Recording, expected: &[(&str, f64, Option<f64>, bool)]) -> [(&'static str, Profile); 2] {
    let both = recording.read_both();
    for (form, profile) in &both {
        let found = brief(profile, 0);
        let found: Vec<_> = found.iter().map(|(name, start, end, open)| (name.as_str(), *start, *end, *open)).collect();
        assert_eq!(found, expected, "{form}");
    }
    both
}

#[test]
fn conformance_cases_pass() {
    let cases: Value = serde_json::from_str(CASES).expect("cases");
    for case in cases["cases"].as_array().expect("a list") {
        let row = |row: &Value| Row {
            name: row[0].as_str().expect("a name").into(),
            phase: u32::try_from(row[1].as_u64().expect("a phase")).expect("small"),
            start: row[2].clone(),
            end: row[3].clone(),
            category: 0,
            data: row.get(4).cloned().unwrap_or_default(),
        };
        let rows = case["raw"].as_array().expect("rows").iter().map(row).collect();
        for (form, profile) in Recording::of(rows).read_both() {
            let found: Vec<Value> = seen(&profile, 0)
                .iter()
                .map(|s| json!([s.name, s.start.as_ms(), s.end.map(Ns::as_ms), plain(&s.data), s.incomplete]))
                .collect();
            assert_eq!(plain(&json!(found)), plain(&case["markers"]), "{} ({form})", case["case"]);
        }
    }
}

#[test]
fn a_range_is_half_open_for_instants() {
    let cases: Value = serde_json::from_str(CASES).expect("cases");
    let case = &cases["range"];
    let times = case["instants"].as_array().expect("times");
    let mut rows: Vec<Row> = times.iter().map(|time| instant(&time.to_string(), time.as_f64().expect("ms"))).collect();
    rows.extend([interval("before", 0.5, 2.2), interval("touches", 0.5, 2.3), interval("after", 5.6, 6.0)]);
    let time = |key: &str| Ns::from_ms(case[key].as_f64().expect("ms")).expect("a time");
    for (form, profile) in Recording::of(rows).read_both() {
        let markers = &profile.threads[0].markers;
        let name = |marker: LocalMarker| profile.marker_name(ThreadId(0), marker).to_owned();
        let kept: Vec<String> = markers.in_range(TimeRange::new(time("from"), time("to"))).map(name).collect();
        let mut expected: Vec<String> = case["kept"].as_array().expect("names").iter().map(Value::to_string).collect();
        expected.insert(0, "touches".into());
        assert_eq!(kept, expected, "{form}");
    }
}

#[test]
fn unmatched_starts_and_ends_are_incomplete() {
    let rows = vec![closing("A", -3.0), closing("A", 4.0), opening("A", 9.0), opening("B", 2.0), opening("B", 3.0)];
    let mut recording = Recording::of(rows);
    let expected = [
        ("A", -3.0, Some(-3.0), true),
        ("A", 0.0, Some(4.0), true),
        ("B", 2.0, Some(7.0), true),
        ("B", 3.0, Some(7.0), true),
        ("A", 9.0, Some(9.0), true),
    ];
    for (form, profile) in check(&recording, &expected) {
        assert_eq!((warned(&profile, "unmatched_end"), warned(&profile, "unmatched_start")), (2, 3), "{form}");
        assert_eq!(profile.incomplete_count(), 5, "{form}");
    }
    // Without samples, the range comes from the markers. It includes unmatched starts and ends.
    recording.tracks[0].samples.clear();
    let mut expected = expected;
    expected[1] = ("A", -3.0, Some(4.0), true);
    (expected[2].2, expected[3].2) = (Some(9.0), Some(9.0));
    check(&recording, &expected);
}

#[test]
fn pairs_are_last_in_first_out_and_the_end_decides_the_category() {
    let rows = vec![
        opening("A", 1.0).of(2).with(json!({"type": "tracing", "depth": 1})),
        opening("A", 2.0).of(3),
        closing("A", 3.0).of(4),
        closing("A", 5.0).with(json!({"type": "Text", "name": "x"})).of(1),
    ];
    for (form, profile) in check(&Recording::of(rows), &[("A", 1.0, Some(5.0), false), ("A", 2.0, Some(3.0), false)]) {
        let found = seen(&profile, 0);
        assert_eq!(found[0].data, json!({"type": "Text", "depth": 1, "name": "x"}), "{form}");
        assert_eq!((found[0].category.as_str(), found[1].category.as_str()), ("Other", "DOM"), "{form}");
        assert_eq!(found[1].data, Value::Null, "{form}");
    }
}

#[test]
fn an_end_prefers_the_start_with_its_interval_index() {
    let data = |index: u32| json!({"type": "Tr", "intervalIndex": index});
    let rows = vec![
        opening("Idx", 1.0).with(data(1)),
        opening("Idx", 2.0).with(data(2)),
        opening("Idx", 3.0),
        closing("Idx", 4.0).with(data(1)),
        closing("Idx", 5.0),
        closing("Idx", 6.0).with(data(2)),
        opening("Idx", 7.0).with(data(1)),
        closing("Idx", 8.0).with(data(9)),
    ];
    let expected = [
        ("Idx", 1.0, Some(4.0), false),
        ("Idx", 2.0, Some(6.0), false),
        ("Idx", 3.0, Some(5.0), false),
        ("Idx", 7.0, Some(8.0), false),
    ];
    check(&Recording::of(rows), &expected);
}

#[test]
fn an_end_prefers_the_start_of_its_flow() {
    let schema = json!([{"name": "Task", "display": [], "fields": [{"key": "flow", "format": "flow-id"}]}]);
    let task = |flow: &str| json!({"type": "Task", "flow": format!("@{flow}")});
    let rows = vec![
        opening("Run", 1.0).with(task("10924c9c0aaaaaaa1")),
        opening("Run", 2.0).with(task("b")),
        opening("Run", 2.5).with(task("b")),
        closing("Run", 3.0).with(task("10924c9c0aaaaaaa1")),
        closing("Run", 4.0).with(task("b")),
        closing("Run", 5.0).with(task("unheard of")),
    ];
    let expected = [("Run", 1.0, Some(3.0), false), ("Run", 2.0, Some(5.0), false), ("Run", 2.5, Some(4.0), false)];
    for (form, profile) in check(&Recording::of(rows).schemas(schema), &expected) {
        let flows: Vec<Value> = seen(&profile, 0).into_iter().map(|seen| seen.data["flow"].clone()).collect();
        assert_eq!(flows, ["10924c9c0aaaaaaa1", "unheard of", "b"], "{form}");
    }
}

#[test]
fn many_open_starts_take_linear_time() {
    let schema = json!([{"name": "Task", "display": [], "fields": [{"key": "flow", "format": "flow-id"}]}]);
    let count = 40_000_u32;
    let task = |id: u32| json!({"type": "Task", "flow": format!("{id:x}")});
    let rows = (0..count).map(|id| opening("Run", f64::from(id)).with(task(id)));
    let rows = rows.chain((0..count).map(|id| closing("Run", f64::from(count + id)).with(task(id)))).collect();
    let profile = read(&Recording::of(rows).schemas(schema).raw());
    let markers = &profile.threads[0].markers;
    assert!(
        (0..markers.len())
            .all(|index| (markers.end(LocalMarker::new(index)) - markers.start(LocalMarker::new(index))).0
                == i64::from(count) * 1_000_000)
    );
}

fn network(id: u32, status: &str, more: Value) -> Value {
    let mut data = json!({"type": "Network", "id": id, "status": status, "URI": "https://example.com/"});
    data.as_object_mut().expect("object").extend(more.as_object().expect("object").clone());
    data
}

#[test]
fn network_halves_and_redirects_form_requests() {
    let rows = vec![
        interval("Load 9", 0.5, 1.0).with(network(9, "STATUS_STOP", json!({"startTime": 0.25, "endTime": 1.0}))),
        interval("Load 1", 1.0, 1.2).with(network(1, "STATUS_START", json!({"startTime": 1.0}))),
        interval("Load 1", 1.2, 2.0).with(network(1, "STATUS_REDIRECT", json!({"startTime": 1.2, "RedirectURI": "x"}))),
        interval("Load 2", 2.0, 2.1).with(network(2, "STATUS_START", json!({"startTime": 2.0}))),
        interval("Load 2", 2.1, 4.0).with(network(2, "STATUS_STOP", json!({"startTime": 2.1}))),
        interval("Load 3", 3.0, 3.5).with(network(3, "STATUS_START", json!({"startTime": 3.0}))),
        interval("Load 4", 6.0, 6.5).with(json!({"type": "Network", "note": "neither id nor status"})),
    ];
    let expected = [
        ("Load 9", 0.0, Some(1.0), true),
        ("Load 1", 1.0, Some(2.0), false),
        ("Load 2", 2.0, Some(4.0), false),
        ("Load 3", 3.0, Some(7.0), true),
        ("Load 4", 6.0, Some(6.5), false),
    ];
    for (form, profile) in check(&Recording::of(rows), &expected) {
        let found = seen(&profile, 0);
        assert_eq!(found[1].data["RedirectURI"], "x", "{form}");
        assert_eq!(found[1].data["startTime"].as_f64(), Some(1.0), "{form}: START's");
        assert_eq!(found[1].data["fetchStart"].as_f64(), Some(1.2), "{form}: STOP's own start");
        assert_eq!(found[0].data["fetchStart"].as_f64(), Some(0.5), "{form}");
        assert_eq!(found[3].data["status"], "STATUS_START", "{form}");
        assert_eq!(warned(&profile, "unmatched_network"), 2, "{form}");
    }
}

#[test]
fn screenshots_last_until_the_next_one_of_their_window() {
    let shot =
        |window: &str| json!({"type": "CompositorScreenshot", "windowID": window, "url": "@data:", "windowWidth": 4});
    let gone = json!({"type": "CompositorScreenshotWindowDestroyed", "windowID": "w1"});
    let rows = vec![
        instant("CompositorScreenshot", 1.0).with(shot("w1")),
        instant("CompositorScreenshot", 2.0).with(shot("w2")),
        instant("CompositorScreenshot", 3.0).with(shot("w1")),
        instant("CompositorScreenshotWindowDestroyed", 5.0).with(gone),
    ];
    let shot = |start: f64, end: f64| ("CompositorScreenshot", start, Some(end), false);
    check(&Recording::of(rows), &[shot(1.0, 3.0), shot(2.0, 7.0), shot(3.0, 5.0)]);
}

/// An IPC row of a process, for the message `seqno` to or from the other process.
fn ipc(own: usize, sending: bool, phase: &str, seqno: u32, at: f64) -> Row {
    instant("IPC", at).with(json!({
        "type": "IPC", "otherPid": Recording::pid(1 - own), "messageType": "PTest::Msg_A", "messageSeqno": seqno,
        "side": "parent", "direction": if sending { "sending" } else { "receiving" }, "phase": phase, "sync": false,
    }))
}

/// A parent and a child process; the child's clock is 0.75 ms ahead.
fn two_processes(parent: Vec<Row>, child: Vec<Row>) -> Recording {
    let mut recording = Recording::of(parent);
    recording.starts = vec![1000.0, 1000.75];
    recording.tracks.push(Track { name: "Child".into(), process: 1, samples: vec![0.0, 6.0], rows: child });
    recording
}

#[test]
fn messages_appear_on_both_sides() {
    let parent = vec![
        ipc(0, true, "endpoint", 5, 1.0),
        ipc(0, true, "transferStart", 5, 1.25),
        ipc(0, true, "transferEnd", 5, 1.5),
    ];
    let child = vec![ipc(1, false, "transferEnd", 5, 1.0), ipc(1, false, "endpoint", 5, 2.0)];
    for (form, profile) in two_processes(parent, child).read_both() {
        assert_eq!(brief(&profile, 0), [("IPCOut".to_owned(), 1.0, Some(2.75), false)], "{form}");
        assert_eq!(brief(&profile, 1), [("IPCIn".to_owned(), 1.0, Some(2.75), false)], "{form}");
        let data = &seen(&profile, 0)[0].data;
        let times =
            ["startTime", "sendStartTime", "sendEndTime", "recvEndTime", "endTime"].map(|key| data[key].as_f64());
        assert_eq!(times, [1.0, 1.25, 1.5, 1.75, 2.75].map(Some), "{form}");
        assert_eq!(data.get("phase"), None, "{form}");
    }
}

#[test]
fn a_message_recorded_on_one_side_is_an_instant() {
    let mut sync = ipc(0, true, "endpoint", 8, 3.0);
    sync.data["sync"] = json!(true);
    let mut odd = ipc(0, true, "endpoint", 9, 4.0);
    odd.data.as_object_mut().expect("object").remove("messageSeqno");
    let recording =
        two_processes(vec![ipc(0, true, "endpoint", 5, 1.0), sync, odd], vec![ipc(1, false, "transferEnd", 6, 1.25)]);
    for (form, profile) in recording.read_both() {
        let point = |name: &str, at: f64| (name.to_owned(), at, Some(at), true);
        let odd = ("IPC".to_owned(), 4.0, None, false);
        assert_eq!(brief(&profile, 0), [point("IPCOut", 1.0), point("SyncIPCOut", 3.0), odd], "{form}");
        assert_eq!(brief(&profile, 1), [point("IPCIn", 2.0)], "{form}");
        assert_eq!(warned(&profile, "unmatched_ipc"), 3, "{form}");
    }
}

#[test]
fn reused_sequence_numbers_never_end_before_they_start() {
    // Sent at 1, 3 and 5; received at 0.5 (its send is not recorded), 2 and 4 on the child's clock.
    let parent = [5.0, 1.0, 3.0].map(|at| ipc(0, true, "endpoint", 7, at)).to_vec();
    let child = [2.0, 4.0, -0.5].map(|at| ipc(1, false, "endpoint", 7, at)).to_vec();
    for (form, profile) in two_processes(parent, child).read_both() {
        let out = |start: f64, end: f64, open: bool| ("IPCOut".to_owned(), start, Some(end), open);
        assert_eq!(brief(&profile, 0), [out(1.0, 2.75, false), out(3.0, 4.75, false), out(5.0, 5.0, true)], "{form}");
        let ins: Vec<(f64, Option<f64>)> = brief(&profile, 1).into_iter().map(|seen| (seen.1, seen.2)).collect();
        assert_eq!(ins, [(0.25, Some(0.25)), (1.0, Some(2.75)), (3.0, Some(4.75))], "{form}");
    }
}

#[test]
fn child_clocks_are_shifted_by_fractions_of_a_millisecond() {
    let mut recording = two_processes(vec![instant("a", 1.0)], vec![interval("b", 0.000_001, 2.5), opening("c", 1.0)]);
    recording.starts = vec![1_700_000_000_000.25, 1_700_000_000_812.572_8];
    let shift = 812_322_754;
    for (form, profile) in recording.read_both() {
        let found: Vec<(i64, Option<i64>)> =
            seen(&profile, 1).iter().map(|seen| (seen.start.0, seen.end.map(|end| end.0))).collect();
        let expected = [(shift + 1, Some(shift + 2_500_000)), (shift + 1_000_000, Some(shift + 7_000_000))];
        assert_eq!(found, expected, "{form}");
        assert_eq!(profile.meta.range, TimeRange::new(Ns(0), Ns(shift + 7_000_000)), "{form}");
        assert_eq!(profile.process_of(ThreadId(1)).pid, "101", "{form}");
    }
}

#[test]
fn markers_are_sorted_by_start_and_ties_keep_their_order() {
    let rows = vec![
        instant("late", 3.0),
        instant("tie 1", 1.0),
        interval("tie 2", 1.0, 2.0),
        opening("pair", 1.0),
        instant("early", -1.5),
        closing("pair", 6.0),
    ];
    let expected = [
        ("early", -1.5, None, false),
        ("tie 1", 1.0, None, false),
        ("tie 2", 1.0, Some(2.0), false),
        ("pair", 1.0, Some(6.0), false),
        ("late", 3.0, None, false),
    ];
    for (_, profile) in check(&Recording::of(rows), &expected) {
        assert_eq!(profile.threads[0].raw_markers, 6);
    }
}

#[test]
fn an_unused_time_may_have_any_value() {
    let mut row = instant("x", 2.0);
    row.end = json!("rubbish");
    let mut end = closing("y", 3.0);
    end.start = json!(1e300);
    let found = check(
        &Recording::of(vec![row, opening("y", 1.0), end]),
        &[("y", 1.0, Some(3.0), false), ("x", 2.0, None, false)],
    );
    for (form, profile) in found {
        assert!(profile.warnings.list().is_empty(), "{form}: {:?}", profile.warnings.list());
        let of = |seen: &Seen| seen.category.clone();
        assert!(seen(&profile, 0).iter().map(of).all(|category| category == "Idle"));
        assert!(!profile.threads[0].markers.flags(LocalMarker::new(0)).has(MarkerFlags::INSTANT));
    }
}
