//! speedscope files.

use flowline::profile::samples::WeightUnit;

use super::{calls, expected, read, refused, samples, warnings};

fn file(frames: &[&str], profiles: &[&str]) -> String {
    let frames: Vec<String> = frames.iter().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect();
    format!(
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json","name":"run","shared":{{"frames":[{}]}},"profiles":[{}]}}"#,
        frames.join(","),
        profiles.join(",")
    )
}

fn evented(unit: &str, end: &str, events: &[(&str, &str, u32)]) -> String {
    let event = |(kind, at, frame): &(&str, &str, u32)| format!(r#"{{"type":"{kind}","at":{at},"frame":{frame}}}"#);
    let events: Vec<String> = events.iter().map(event).collect();
    format!(
        r#"{{"type":"evented","name":"e","unit":"{unit}","startValue":0,"endValue":{end},"events":[{}]}}"#,
        events.join(",")
    )
}

#[test]
fn a_sample_starts_after_the_preceding_weights() {
    for (unit, unit_ns, expected_unit) in [
        ("nanoseconds", 1, WeightUnit::Nanoseconds),
        ("microseconds", 1_000, WeightUnit::Microseconds),
        ("milliseconds", 1_000_000, WeightUnit::Milliseconds),
        ("seconds", 1_000_000_000, WeightUnit::Seconds),
        ("bytes", 1_000, WeightUnit::Bytes),
        ("none", 1_000, WeightUnit::Plain),
    ] {
        let profile = format!(
            r#"{{"type":"sampled","name":"main thread","unit":"{unit}","startValue":10,"endValue":20,"samples":[[0,1],[0],[],[0,1]],"weights":[1,2,3,1]}}"#
        );
        let profile = read(file(&["a", "b"], &[&profile]));
        let thread = &profile.threads[0];
        assert_eq!(
            samples(&profile, thread),
            expected(&[
                (10 * unit_ns, "a;b", 1.0),
                (11 * unit_ns, "a", 2.0),
                (13 * unit_ns, "", 3.0),
                (16 * unit_ns, "a;b", 1.0)
            ])
        );
        let own = thread.samples.as_ref().expect("samples");
        assert_eq!((own.cpu.weight_unit, own.calls.is_none()), (expected_unit, true));
        assert_eq!((profile.meta.range.start.0, profile.meta.range.end.0), (10 * unit_ns, 20 * unit_ns));
        assert_eq!((thread.name.as_str(), profile.processes[0].name.as_str()), ("main thread", "run"));
        assert_eq!((profile.meta.kind.id(), warnings(&profile)), ("speedscope", vec![]));
    }
}

#[test]
fn recorded_calls_are_preserved() {
    let events = [
        ("O", "1.5", 0),
        ("O", "2", 1),
        ("C", "3", 1),
        ("O", "3", 1),
        ("C", "4", 1),
        ("C", "5", 0),
        ("O", "7", 1),
        ("C", "8", 1),
    ];
    let profile = read(file(&["a", "b"], &[&evented("milliseconds", "9", &events)]));
    let thread = &profile.threads[0];
    const MS: i64 = 1_000_000;
    let call = |start: i64, end: i64, path: &str, depth| (start, end, path.to_owned(), depth);
    assert_eq!(
        calls(&profile, thread),
        [
            call(1_500_000, 5 * MS, "a", 0),
            call(2 * MS, 3 * MS, "a;b", 1),
            call(3 * MS, 4 * MS, "a;b", 1),
            call(7 * MS, 8 * MS, "b", 0),
        ]
    );
    assert_eq!(
        samples(&profile, thread),
        expected(&[
            (1_500_000, "a", 0.5),
            (2 * MS, "a;b", 1.0),
            (3 * MS, "a;b", 1.0),
            (4 * MS, "a", 1.0),
            (5 * MS, "", 2.0),
            (7 * MS, "b", 1.0),
        ])
    );
    assert_eq!((profile.meta.range.end.0, warnings(&profile)), (9 * MS, vec![]));
}

#[test]
fn calls_without_length_stay_with_their_callers() {
    let events = [("O", "1", 0), ("O", "1", 1), ("C", "1", 1), ("O", "1", 1), ("C", "2", 1), ("C", "2", 0)];
    let profile = read(file(&["a", "b"], &[&evented("none", "2", &events)]));
    let found = calls(&profile, &profile.threads[0]);
    let call = |start: i64, end: i64, path: &str, depth| (start, end, path.to_owned(), depth);
    assert_eq!(found, [call(1000, 2000, "a", 0), call(1000, 2000, "a;b", 1), call(1000, 1000, "a;b", 1)]);
}

#[test]
fn frames_have_positions_and_equal_ones_are_one_function() {
    let text = r#"{"profiles":[{"type":"sampled","name":"","unit":"none","startValue":0,"endValue":1,"samples":[[0,1,2,3]],"weights":[1]}],
        "shared":{"frames":[{"name":"f","file":"a.py","line":3,"col":7},{"name":"f","file":"a.py","line":4},{"name":"f"},{"name":"f"}]}}"#;
    let profile = read(text);
    let tables = &profile.stacks;
    assert_eq!((tables.funcs.len(), tables.len()), (3, 4));
    let [first, second, ..] = &tables.funcs[..] else { panic!("functions") };
    assert_eq!((first.line, first.column, second.line), (3, 7, 4));
    assert_eq!(tables.file(flowline::profile::FuncId(0)), "a.py");
    assert_eq!(profile.threads[0].name, "Profile 1");
}

#[test]
fn damaged_events_are_counted_and_calls_are_completed() {
    let events = [
        ("C", "0", 1),
        ("O", "1", 0),
        ("O", "2", 1),
        ("O", "3", 2),
        ("C", "4", 1),
        ("O", "3.5", 1),
        ("O", "5", 9),
        ("X", "6", 0),
        ("C", "7", 1),
    ];
    let profile = read(file(&["a", "b", "c"], &[&evented("seconds", "10", &events)]));
    const S: i64 = 1_000_000_000;
    let call = |start: i64, end: i64, path: &str, depth| (start, end, path.to_owned(), depth);
    assert_eq!(
        calls(&profile, &profile.threads[0]),
        [
            call(S, 10 * S, "a", 0),
            call(2 * S, 4 * S, "a;b", 1),
            call(3 * S, 4 * S, "a;b;c", 2),
            call(4 * S, 7 * S, "a;b", 1),
        ]
    );
    let mut kinds = warnings(&profile);
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [("bad_time", 1), ("index_out_of_range", 1), ("missing_part", 1), ("unmatched_end", 1), ("unmatched_start", 2)]
    );
    let last = samples(&profile, &profile.threads[0]).pop().expect("a sample");
    assert_eq!(last, (7 * S, "a".to_owned(), 3.0));
}

#[test]
fn damaged_samples_keep_their_positions() {
    let profile = r#"{"type":"sampled","unit":"parsecs","samples":[[0,7,1],4,[1],[0]],"weights":[1,"x",2]}"#;
    let profile = read(file(&["a", "b"], &[profile]));
    assert_eq!(samples(&profile, &profile.threads[0]), expected(&[(0, "a;b", 1.0), (1000, "", 0.0), (1000, "b", 2.0)]));
    let mut kinds = warnings(&profile);
    kinds.sort_unstable();
    assert_eq!(kinds, [("column_length", 1), ("index_out_of_range", 1), ("wrong_type", 3)]);
}

#[test]
fn cut_files_keep_the_part_before_the_cut() {
    let sampled = r#"{"type":"sampled","unit":"none","weights":[1,2,3],"samples":[[0],[0,1],[1]]}"#;
    let whole = file(&["a", "b"], &[&evented("none", "9", &[("O", "1", 0), ("C", "2", 0)]), sampled]);
    let mut last = 0;
    let start = whole.find("\"profiles\"").expect("profiles") + 12;
    for end in start..whole.len() {
        let profile = read(&whole[..end]);
        let count: usize = profile.threads.iter().map(|thread| samples(&profile, thread).len()).sum();
        assert!(count >= last, "{end}");
        assert!(profile.warnings.list().iter().any(|warning| warning.kind.name() == "truncated"), "{end}");
        last = count;
    }
    assert_eq!(last, 4);
}

#[test]
fn other_json_is_not_detected_as_speedscope() {
    for text in [
        r#"{"$schema":"https://json-schema.org/draft","shared":{"strings":[]},"profiles":{}}"#,
        r#"{"profiles":[1,2],"shared":[]}"#,
        r#"{"profiles":[{"type":"other"}]}"#,
    ] {
        assert!(refused(text).contains("the JSON is not a known recording format"), "{}", refused(text));
    }
}
