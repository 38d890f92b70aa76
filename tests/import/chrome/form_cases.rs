//! Accepted spellings of events: containers, cut files, numbers as text, missing parts, metadata. Run by every reader.

use super::check::{Case, check, every_reader};
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
fn a_duration_is_rounded_separately() {
    every_reader(r#"[{"ph":"X","pid":1,"name":"a","ts":"0.0004","dur":"0.0014"}]"#, |found| {
        assert_eq!((found.tracks[0].slices[0].start_ns, found.tracks[0].slices[0].end_ns), (0, Some(1)));
    });
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
