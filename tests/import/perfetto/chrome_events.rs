//! Chrome's packets with data in older formats: metadata, and events as JSON text.

use super::*;

/// A packet with a bundle of events.
fn bundle(bundle: &Message) -> Message {
    message().number(10, 1).message(5, bundle)
}

/// A JSON text of a type: 0 for events of programs, 1 for those of the system.
fn json_text(kind: u64, text: &str) -> Message {
    message().number(1, kind).text(2, text)
}

#[test]
fn json_events_are_events_of_the_recording() {
    let clocks = [clock(6, 5_000_000), clock(3, 1_000_000)];
    let events = r#"{"pid":7,"tid":8,"ts":1000.5,"ph":"X","dur":2,"name":"one","cat":"c","args":{"ts":1}},
        {"ts":"1010","pid":7,"tid":8,"ph":"B","name":"two"}"#;
    let more = r#",[{"pid":7,"tid":8,"ts":1012,"ph":"E"},{"pid":7,"tid":9,"name":"thread_name","ph":"M","args":{"name":"io"}},
        {"pid":7,"tid":9,"ts":1013,"ph":"C","name":"count","args":{"value":3}}]"#;
    let packets = [
        message().message(6, &snapshot(&clocks)),
        bundle(&message().message(5, &json_text(0, events))),
        thread(2, 7, 8, "main"),
        event(5_011_000, INSTANT, 2, "of a packet"),
        bundle(&message().message(5, &json_text(0, more)).message(5, &json_text(0, ""))),
    ];
    let expected = [
        "Process 7/main one 5000500..5002500 0",
        "Process 7/main two 5010000..5012000 0",
        "Process 7/main of a packet 5011000 1",
    ];
    let found = slices(&packets);
    assert_eq!(
        found.iter().filter(|slice| !slice.contains("/io")).collect::<Vec<_>>(),
        expected.iter().collect::<Vec<_>>()
    );
    let read = read(&packets);
    assert_eq!(slice_named(&read, "one").args, serde_json::json!({"ts": 1}));
    assert_eq!(read.warnings.len(), 0);
    let profile = flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace");
    let samples: Vec<_> =
        profile.profile.counters[0].series[0].samples.iter().map(|at| (at.time.0, at.value)).collect();
    assert_eq!(samples, [(5_013_000, 3.0)]);
}

#[test]
fn data_in_older_formats_that_is_not_read_is_counted() {
    let lines = "# tracer: nop\n\n sh-1 [000] 1.0: sched_switch: a\n sh-1 [000] 1.1: sched_switch: b\n";
    let packets = [
        thread(2, 7, 8, "main"),
        event(10, INSTANT, 2, "a"),
        bundle(&message().message(1, &message().text(1, "old")).text(4, lines)),
        // Two events with damage, text of the system, and text whose rest has no known boundaries.
        bundle(&message().message(5, &json_text(0, r#"{"ph":"i","ts":1,"pid":7,"tid":8,"name":"b"},7,{"ph":x}"#))),
        bundle(&message().message(5, &json_text(1, "anything")).message(5, &json_text(0, r#"{"ph":"i","na"#))),
        bundle(&message().message(5, &message().bytes(2, b"{\"ph\":\"i\",\"name\":\"\xff\"}"))),
    ];
    assert_eq!(slices(&packets), ["Process 7/main a 10 0", "Process 7/main b 1000 0"]);
    assert_eq!(warned(&read(&packets), "not_drawn"), 8);
}

#[test]
fn metadata_of_chrome_is_that_of_the_recording() {
    let metadata = message()
        .message(2, &message().text(1, "product-version").text(2, "HeadlessChrome/140.0"))
        .message(2, &message().text(1, "config").text(5, r#"{"included":["a"]}"#))
        .message(2, &message().text(1, "no json").text(5, "{"))
        .message(2, &message().text(1, "cpus").number(4, 8))
        .message(2, &message().text(1, "is small").number(3, 1));
    let packets = [bundle(&metadata), thread(2, 7, 8, "main"), event(10, INSTANT, 2, "a")];
    let profile =
        flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace").profile;
    assert_eq!(profile.meta.product, "HeadlessChrome/140.0");
    let (_, place) = profile.parts.iter().find(|(name, _)| name == "metadata").expect("metadata");
    let text = &profile.source.bytes()[usize::try_from(*place).expect("in memory")..];
    let value = serde_json::Deserializer::from_slice(text).into_iter::<serde_json::Value>().next();
    let expected = serde_json::json!({
        "product-version": "HeadlessChrome/140.0", "config": {"included": ["a"]}, "no json": "{", "cpus": 8, "is small": true,
    });
    assert_eq!(value.expect("a value").expect("valid"), expected);
}
