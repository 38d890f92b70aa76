//! Accepted spellings of events: containers, cut files, numbers as text, missing parts, metadata. Run by every reader.

use super::check::{Case, check, every_reader, profile};
use super::compare::shown_names;

/// Two events that form one slice, in every container. The slice survives any cut after the second event.
#[test]
fn arrays_and_objects_may_be_cut_and_have_extra_commas() {
    let events = r#"{"name":"a","args":{"t":"},{\""},"pid":52,"ts":524,"tid":53,"ph":"B"},"#.to_owned()
        + "\r\n {\"name\":\"a\",\"pid\":52,\"ts\":560,\"tid\":53,\"ph\":\"E\"}";
    let before =
        r#"{"otherData":{"traceEvents":[{"ph":"X","ts":1,"name":"decoy"}]},"displayTimeUnit":"ns","traceEvents": "#;
    let forms = [
        format!("[{events}]"),
        format!("[\r\n{events},"),
        format!("[{events},{{}},{{ }},]"),
        format!("[{events}, {{\"name\":\"b\",\"ph\":\"X\",\"pid\":1,\"args\":{{\"x\":\"{{"),
        format!("{{\"traceEvents\":[{events}],\"metadata\":{{\"a\":[1]}}}}"),
        format!("{before}[{events},],}}"),
        format!("{before}[{events}"),
    ];
    for form in forms {
        every_reader(&form, |found| {
            assert_eq!(found.tracks.len(), 1, "{form}");
            let slices = &found.tracks[0].slices;
            assert_eq!(slices.len(), 1, "{form}");
            assert_eq!((slices[0].start_ns, slices[0].end_ns), (524_000, Some(560_000)), "{form}");
            assert_eq!(slices[0].args["t"], "},{\"", "{form}");
        });
    }
}

#[test]
fn times_are_read_from_decimal_text_to_the_nearest_nanosecond() {
    let cases = [
        ("0.0005", 1),
        ("-0.0005", -1),
        ("\"1922234740.1235\"", 1_922_234_740_124),
        ("1.5e3", 1_500_000),
        ("4007199254740993", 4_007_199_254_740_993_000),
        ("9007199254740.993", 9_007_199_254_740_993),
        ("0.00049999999999999999999", 0),
    ];
    for (text, ns) in cases {
        every_reader(&format!(r#"[{{"ph":"X","pid":1,"name":"a","ts":{text},"dur":0}}]"#), |found| {
            assert_eq!(found.tracks[0].slices[0].start_ns, ns, "{text}");
        });
    }
}

#[test]
fn an_end_is_rounded_once() {
    let cases = [
        ("0.0004", "0.0014", (0, 2)),
        ("\"0.0004\"", "\"0.0014\"", (0, 2)),
        ("0.0004", "10.0004", (0, 10_001)),
        ("5.0006", "5.0002", (5_001, 10_001)),
        ("0.0005", "0.0005", (1, 1)),
        ("0.0005", "0", (1, 1)),
        ("-1.0005", "0.0005", (-1_001, -1_000)),
        ("-1.0009", "0.0004", (-1_001, -1_001)),
        ("1922234740.1234", "1.0009", (1_922_234_740_123, 1_922_234_741_124)),
        ("1.5e-3", "0.0004", (2, 2)),
    ];
    for (start, dur, expected) in cases {
        every_reader(&format!(r#"[{{"ph":"X","pid":1,"name":"a","ts":{start},"dur":{dur}}}]"#), |found| {
            let slice = &found.tracks[0].slices[0];
            assert_eq!((slice.start_ns, slice.end_ns), (expected.0, Some(expected.1)), "{start} + {dur}");
        });
    }
    let ends_together = r#"[{"ph":"X","name":"parent","pid":1,"tid":1,"ts":0.0004,"dur":10.0004},
                            {"ph":"X","name":"child","pid":1,"tid":1,"ts":5.0006,"dur":5.0002}]"#;
    every_reader(ends_together, |found| assert_eq!(found.warnings.values().sum::<u64>(), 0));
}

#[test]
fn an_event_without_a_usable_time_is_dropped() {
    check(Case {
        input: r#"[{"ph":"X","pid":1,"name":"a","dur":1},{"ph":"B","pid":1,"name":"a","ts":"now"},
                   {"ph":"i","pid":1,"name":"a","ts":NaN},
                   {"ph":"C","pid":1,"name":"a","ts":1e300,"args":{"v":1}},{"ph":"s","pid":1,"id":1,"ts":true},
                   {"ph":"X","pid":1,"name":"kept","ts":-3,"dur":1}]"#,
        slices: &[("1/1", "kept", -3, -2, 0)],
        warnings: &[("bad_time", 5)],
        ..Case::default()
    });
}

#[test]
fn process_and_thread_ids_are_text_and_a_missing_tid_is_the_pid() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":5,"ts":1},{"ph":"E","name":"a","pid":"5","tid":"5","ts":2},
                   {"ph":"X","name":"b","pid":"0x5","tid":5,"ts":1,"dur":1},{"ph":"X","name":"c","ts":1,"dur":1},
                   {"ph":"X","name":"d","tid":7,"ts":1,"dur":1}]"#,
        slices: &[("5/5", "a", 1, 2, 0), ("0x5/5", "b", 1, 2, 0), ("/", "c", 1, 2, 0), ("/7", "d", 1, 2, 0)],
        ..Case::default()
    });
}

#[test]
fn equal_numbers_are_the_same_process_and_thread() {
    check(Case {
        input: r#"[{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"worker"}},
                   {"ph":"X","name":"a","ts":1,"dur":10,"pid":1,"tid":2},{"ph":"X","name":"b","ts":3,"dur":2,"pid":1.0,"tid":2.0},
                   {"ph":"X","name":"c","ts":6,"dur":2,"pid":"\u0031","tid":2.000},
                   {"ph":"X","name":"text","ts":3,"dur":2,"pid":"1.0","tid":2.5}]"#,
        slices: &[("1/2", "a", 1, 11, 0), ("1/2", "b", 3, 5, 1), ("1/2", "c", 6, 8, 1), ("1.0/2.5", "text", 3, 5, 0)],
        ..Case::default()
    });
}

#[test]
fn a_textual_id_is_a_name() {
    let profile = profile(
        br#"[{"ph":"X","name":"Import","ts":10,"dur":50,"pid":"Process","tid":"GUIThread"},
             {"ph":"X","name":"load","ts":20,"dur":10,"pid":"Process","tid":"AudioThread"},
             {"ph":"X","name":"load","ts":20,"dur":10,"pid":"0x1f","tid":"-7"},{"ph":"X","name":"load","ts":20,"dur":1,"pid":"2nd"}]"#,
    );
    let processes: Vec<&str> = profile.processes.iter().map(|process| process.name.as_str()).collect();
    assert_eq!(processes, ["2nd", "Process", "Process 0x1f"]);
    let threads: Vec<&str> = profile.threads.iter().map(|thread| thread.name.as_str()).collect();
    assert_eq!(threads, ["2nd", "AudioThread", "GUIThread", "Thread -7"]);
}

#[test]
fn times_beyond_64_bit_nanoseconds_are_relative_to_the_first_one() {
    let text = r#"{"traceEvents": [{"ph": "M", "name": "process_name", "ts": 0, "pid": 1, "args": {"name": "app"}},
        {"ph": "X", "name": "a", "ts": 1733900000000000000, "dur": 500000, "pid": 1, "tid": 1},
        {"ph": "X", "name": "b", "ts": "1733900000000100000.5", "dur": 100000, "pid": 1, "tid": 1},
        {"ph": "X", "name": "early", "ts": 1733899999999999999, "dur": 1, "pid": 1, "tid": 2},
        {"ph": "X", "name": "lost", "ts": 5, "dur": 1, "pid": 1, "tid": 2}]}"#;
    let profile = profile(text.as_bytes());
    let ranges: Vec<(i64, i64)> = profile
        .threads
        .iter()
        .flat_map(|thread| thread.markers.times().ranges())
        .map(|range| (range.start.0, range.end.0))
        .collect();
    assert_eq!(ranges, [(0, 500_000_000), (100_000_500, 200_000_500), (-1_000, 0)]);
    assert_eq!(profile.processes[0].name, "app");
    let list = profile.warnings.list();
    let warnings: Vec<_> =
        list.iter().map(|warning| (warning.kind.name(), warning.count, warning.first.as_str())).collect();
    assert!(
        matches!(warnings[..], [("bad_time", 1, bad), ("far_times", 1, far)]
        if bad.starts_with("ts is out of range") && far == "the time origin is 1733900000000000000 us on the input's clock"),
        "{warnings:?}"
    );
}

#[test]
fn invalid_json_words_are_null_inside_args_only() {
    let input = r#"[{"ph":"X","pid":1,"name":"NaN","ts":1,"dur":1,
                     "args":{"a":NaN,"b":[-Infinity,Infinity],"c":"say NaN","d":1}}]"#;
    every_reader(input, |found| {
        let slice = &found.tracks[0].slices[0];
        assert_eq!(slice.name, "NaN");
        assert_eq!(slice.args, serde_json::json!({"a": null, "b": [null, null], "c": "say NaN", "d": 1}));
    });
}

#[test]
fn non_events_and_undrawn_events_are_counted() {
    let input = r#"[{},{"name":"x"},{"ph":"","ts":1},7,"{}",null,[{"ph":"B"}],{"ph":"k","ts":1},{"ph":"w"},
                                    {"ph":"(","ts":1},{"ph":"q","ts":1},
                    {"ph":"k","ts":2,"args":{"ph":"B"}}]"#;
    every_reader(input, |found| {
        assert!(found.tracks.is_empty());
        let count = |kind: &str| found.warnings.get(kind).copied();
        assert_eq!(count("missing_part"), Some(2));
        assert_eq!(count("wrong_type"), Some(4));
        assert_eq!(count("not_drawn"), Some(5));
        let phases: Vec<_> = found.not_drawn.iter().map(|(phase, count)| (&**phase, *count)).collect();
        assert_eq!(phases, [("(", 1), ("k", 2), ("q", 1), ("w", 1)]);
    });
}

#[test]
fn the_last_metadata_names_processes_and_threads() {
    let input = r#"[{"ph":"M","name":"process_name","pid":1,"args":{"name":"old"}},
                    {"ph":"M","name":"process_name","pid":"1","args":{"name":"Browser"}},
                    {"ph":"M","name":"process_labels","pid":1,"args":{"labels":"tab"}},
                    {"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":-5}},
                    {"ph":"M","name":"thread_name","pid":1,"tid":2,"ts":9,"args":{"name":"old"}},
                    {"ph":"M","name":"thread_name","pid":1,"tid":2,"ts":3,"args":{"name":"Main"}},
                    {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":3}},
                    {"ph":"M","name":"thread_name","pid":1,"args":{"name":"of the process's number"}},
                    {"ph":"M","name":"num_cpus","pid":1,"args":{"number":4}}]"#;
    every_reader(input, |found| {
        let names = ["process 1: Browser: tab", "thread 1/1: of the process's number", "thread 1/2: Main"];
        assert_eq!(shown_names(found), names);
        assert!(found.warnings.is_empty());
    });
}
