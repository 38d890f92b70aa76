//! Parts of traces.

use flowline::profile::{Ns, WarningKind};
use proptest::prelude::*;
use serde_json::Value;

use super::{CutOptions, check, flows, read};
use crate::chrome::{is_refused, nested_threads, recordings};

/// A part of a random trace. Its times come from a small set, so that parts often start and end at events.
fn parts() -> impl Strategy<Value = (i64, i64, Option<&'static str>)> {
    (-4..20_i64, 1..12_i64, prop::sample::select(vec![None, None, Some("a"), Some("b")]))
}

fn agree(text: &str, (start, length, name): (i64, i64, Option<&str>), has_flows: bool) {
    if is_refused(text.as_bytes()) {
        return;
    }
    let whole = read(text.as_bytes());
    let range = CutOptions::range(start * 1000, (start + length) * 1000);
    for part in [CutOptions::EVERYTHING, range, CutOptions { name, ..range }] {
        let cut = check(&whole, &part);
        if has_flows {
            assert_eq!(flows(&read(&cut), &part), flows(&whole, &part), "{part:?}\n{text}\n{}", cut.escape_ascii());
        }
        if !text.contains("NaN") && !text.contains("Infinity") {
            serde_json::from_slice::<Value>(&cut).unwrap_or_else(|error| panic!("{error}: {}", cut.escape_ascii()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_part_of_any_trace_matches_the_whole(text in recordings(), part in parts()) {
        agree(&text, part, false);
    }

    #[test]
    fn parts_of_nested_threads_keep_their_flows(text in nested_threads(), part in parts()) {
        agree(&text, part, true);
    }
}

/// The events of a part.
fn events(text: &[u8]) -> Vec<Value> {
    let value: Value = serde_json::from_slice(text).expect("JSON");
    let list = if value.is_array() { &value } else { &value["traceEvents"] };
    list.as_array().expect("a list").clone()
}

#[test]
fn text_is_copied_unchanged() {
    let event = r#"{ "ph":"X", "name" : "é\u0041", "pid":1,"tid":1,"ts":10.5,"dur":2 ,"args":{"k": [1.0e3]} }"#;
    let text = format!(
        r#"{{"displayTimeUnit":"ns","traceEvents":[{{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1}},{event},
           {{"ph":"X","name":"b","pid":1,"tid":1,"ts":15,"dur":1}},{{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{{"name":"main"}}}},
           {{"ph":"X","name":"c","pid":1,"tid":1,"ts":20,"dur":1}}],"metadata":{{"k": [1,  2]}}}}"#
    );
    let cut = check(&read(text.as_bytes()), &CutOptions::range(11_000, 12_000));
    let cut = String::from_utf8(cut).expect("UTF-8");
    assert!(cut.contains(event), "{cut}");
    assert!(cut.starts_with(r#"{"displayTimeUnit":"ns","traceEvents":["#), "{cut}");
    assert!(cut.ends_with("],\"metadata\":{\"k\": [1,  2]}}\n"), "{cut}");
    // The first and the last event preserve the clock; metadata is kept.
    let names: Vec<Value> = events(cut.as_bytes()).iter().map(|event| event["name"].clone()).collect();
    assert_eq!(names, ["a", "éA", "thread_name", "c"]);
}

#[test]
fn json_lines_stay_lines_and_open_lists_are_closed() {
    let lines = "{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":1}\n{\"ph\":\"X\",\"name\":\"b\",\"ts\":5,\"dur\":1}\n\
                 {\"ph\":\"X\",\"name\":\"c\",\"ts\":7,\"dur\":1}\n";
    let cut = check(&read(lines.as_bytes()), &CutOptions::range(0, 1000));
    let names: Vec<String> = String::from_utf8(cut)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("one event per line")["name"].to_string())
        .collect();
    assert_eq!(names, ["\"a\"", "\"c\""]);
    let open = r#"[{"ph":"X","name":"a","ts":0,"dur":1},{"ph":"X","name":"b","ts":5,"dur":1},{"ph":"X","na"#;
    assert_eq!(events(&check(&read(open.as_bytes()), &CutOptions::EVERYTHING)).len(), 2);
}

#[test]
fn a_flow_does_not_continue_an_excluded_one() {
    let slice = |name: &str, tid: u32, ts: u32| {
        format!(r#"{{"ph":"X","name":"{name}","cat":"c","pid":1,"tid":{tid},"ts":{ts},"dur":5}}"#)
    };
    let step = |ph: &str, tid: u32, ts: u32| {
        format!(r#"{{"ph":"{ph}","name":"flow","cat":"d","id":1,"pid":1,"tid":{tid},"ts":{ts},"bp":"e"}}"#)
    };
    let list = [
        slice("keep", 1, 0),
        step("s", 1, 1),
        slice("keep", 2, 10),
        step("f", 2, 11),
        slice("other", 1, 20),
        step("s", 1, 21),
        slice("keep", 2, 30),
        step("f", 2, 31),
    ];
    let whole = read(format!("[{}]", list.join(",")).as_bytes());
    let part = CutOptions { name: Some("keep"), ..CutOptions::EVERYTHING };
    let again = read(&check(&whole, &part));
    assert_eq!(flows(&again, &part), flows(&whole, &part));
    assert_eq!(flows(&again, &part).len(), 1, "the second flow has one member in the part");
}

#[test]
fn a_flow_event_between_two_slices_keeps_its_binding() {
    let event = |ph: &str, name: &str, ts: u32| {
        format!(r#"{{"ph":"{ph}","name":"{name}","cat":"c","pid":1,"tid":1,"ts":{ts}}}"#)
    };
    let step = |ph: &str, ts: u32| {
        format!(r#"{{"ph":"{ph}","name":"flow","cat":"d","id":1,"pid":1,"tid":1,"ts":{ts},"bp":"e"}}"#)
    };
    // The second flow starts at 10, where `deep` ends and `next` starts; `deep` is deeper because of `outer`.
    let list = [
        event("B", "first", 0),
        step("s", 1),
        event("E", "first", 2),
        event("B", "outer", 4),
        event("B", "deep", 5),
        event("E", "deep", 10),
        event("E", "outer", 10),
        step("s", 10),
        event("B", "next", 10),
        event("E", "next", 30),
        event("B", "last", 40),
        step("t", 41),
        event("E", "last", 42),
        event("B", "last", 43),
        step("t", 44),
        event("E", "last", 45),
    ];
    let whole = read(format!("[{}]", list.join(",")).as_bytes());
    let part = CutOptions::range(20_000, 50_000);
    let again = read(&check(&whole, &part));
    assert_eq!(flows(&again, &part), flows(&whole, &part));
    assert_eq!(flows(&again, &part)[0].len(), 2, "`next` is not a member");
}

#[test]
fn a_short_part_keeps_the_clock_of_the_whole() {
    let slice = |ts: u64| format!(r#"{{"ph":"X","name":"a","pid":1,"tid":1,"ts":{ts},"dur":1}}"#);
    let trace = |times: &[u64]| {
        let list: Vec<String> = times.iter().map(|time| slice(*time)).collect();
        read(format!("[{}]", list.join(",")).as_bytes())
    };
    // Nearly all markers of the part lie within a hundredth of the trace, which has one clock. It lasts more
    // than a day, so its parts could have two.
    let even: Vec<u64> = (0..=1000).map(|at| at * 100_000_000).collect();
    let whole = trace(&even);
    assert_eq!((whole.main_cluster(), whole.time_zero()), (None, Ns(0)));
    let text = check(&whole, &CutOptions::range(50_000_000_000_000, 51_000_000_000_000));
    assert_eq!(read(&text).warnings.count(WarningKind::SeveralClocks), 0);
    let names = |text: &[u8]| -> Vec<String> { events(text).iter().map(|event| event["name"].to_string()).collect() };
    assert_eq!(names(&text).first().map(String::as_str), Some("\"flowline_clock\""));
    // A long part keeps its clock without help.
    let text = check(&whole, &CutOptions::range(10_000_000_000_000, 90_000_000_000_000));
    assert!(!names(&text).contains(&"\"flowline_clock\"".to_owned()));

    // The part lies in the middle of the whole recording's main part.
    let far = |time: &u64| time + 1_000_000_000_000_000;
    let two: Vec<u64> = [0].into_iter().chain(even.iter().map(far)).collect();
    let whole = trace(&two);
    assert_eq!(whole.time_zero(), Ns(1_000_000_000_000_000_000));
    let text = check(&whole, &CutOptions::range(1_000_050_000_000_000_000, 1_000_051_000_000_000_000));
    let again = read(&text).main_cluster().expect("a main part");
    assert_eq!((again.range, again.outside), (whole.main_cluster().expect("a main part").range, 1));
}

#[test]
fn invalid_clocks_are_ignored() {
    let trace = |args: &str| {
        let clock = format!(r#"{{"ph":"M","name":"flowline_clock","args":{args}}}"#);
        let slice = |ts: i64| format!(r#"{{"ph":"X","name":"a","pid":1,"tid":1,"ts":{ts},"dur":1}}"#);
        let day = 86_400_000_000;
        read(format!("[{},{},{},{clock}]", slice(0), slice(day), slice(day + 1)).as_bytes()).time_zero()
    };
    let without = trace("{\"other\":1}");
    assert_eq!(without, Ns(86_400_000_000_000), "the main part, without a stated clock");
    assert_eq!(trace("{}"), Ns(0));
    assert_eq!(trace(r#"{"start":86400000001000,"end":86400000002000}"#), Ns(86_400_000_001_000));
    let reversed = r#"{"start":86400000002000,"end":86400000001000}"#;
    for args in [reversed, "[]", "7", r#"{"start":"a","end":1e99}"#, r#"{"start":86400000000000}"#] {
        assert_eq!(trace(args), without, "{args}");
    }
    // A range outside the recording.
    assert_eq!(trace(r#"{"start":-9223372036854775808,"end":9223372036854775807}"#), Ns(0));
}

#[test]
fn counters_and_samples_are_cut_by_time() {
    let counter = |ts: u32| format!(r#"{{"ph":"C","name":"n","pid":1,"ts":{ts},"args":{{"v":{ts}}}}}"#);
    let list: Vec<String> = (0..10).map(|at| counter(at * 10)).collect();
    let whole = read(format!("[{}]", list.join(",")).as_bytes());
    let times =
        |text: &[u8]| -> Vec<u64> { events(text).iter().map(|event| event["ts"].as_u64().expect("ts")).collect() };
    // The first and the last sample preserve the clock. The sample before the range provides the counter's value at its
    // start.
    assert_eq!(times(&check(&whole, &CutOptions::range(25_000, 40_000))), [0, 20, 30, 90]);
}
