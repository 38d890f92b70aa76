//! Slices, instants, counters and names from a few events: one case per rule, run by every reader.
//!
//! Most values come from the test suites of Catapult and Perfetto. Where Flowline's rules differ, the values follow
//! Flowline.
//! Times are in microseconds. An event without tid belongs to the thread whose number equals its pid.

use flowline::profile::WarningKind;
use serde_json::json;

use super::check::{Case, OPEN, check, every_reader, profile};

#[test]
fn ends_close_begins_one_after_the_other() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":52,"tid":53,"ts":520},{"ph":"E","name":"a","pid":52,"tid":53,"ts":560},
                   {"ph":"B","name":"b","pid":52,"tid":53,"ts":629},{"ph":"E","name":"b","pid":52,"tid":53,"ts":631}]"#,
        slices: &[("52/53", "a", 520, 560, 0), ("52/53", "b", 629, 631, 0)],
        ..Case::default()
    });
}

#[test]
fn begins_inside_begins_nest() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":1,"ts":1},{"ph":"B","name":"b","pid":1,"ts":2},
                   {"ph":"B","name":"c","pid":1,"ts":3},
                   {"ph":"E","name":"c","pid":1,"ts":5},{"ph":"E","name":"b","pid":1,"ts":7},
                   {"ph":"E","name":"a","pid":1,"ts":8}]"#,
        slices: &[("1/1", "a", 1, 8, 0), ("1/1", "b", 2, 7, 1), ("1/1", "c", 3, 5, 2)],
        ..Case::default()
    });
}

#[test]
fn simultaneous_ends_may_come_in_any_order() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":1,"ts":0},{"ph":"B","name":"b","pid":1,"ts":1},
                   {"ph":"E","name":"a","pid":1,"ts":9},{"ph":"E","name":"b","pid":1,"ts":9}]"#,
        slices: &[("1/1", "a", 0, 9, 0), ("1/1", "b", 1, 9, 1)],
        ..Case::default()
    });
    // The innermost `b` gets the first end with its name. A begin without an end is incomplete.
    check(Case {
        input: r#"[{"ph":"B","name":"b","pid":1,"ts":0},{"ph":"B","name":"a","pid":1,"ts":1},
                   {"ph":"B","name":"b","pid":1,"ts":2},{"ph":"B","name":"c","pid":1,"ts":3},
                   {"ph":"E","name":"a","pid":1,"ts":9},{"ph":"E","name":"b","pid":1,"ts":9,"args":{"end":1}},
                   {"ph":"E","name":"b","pid":1,"ts":12},{"ph":"E","name":"c","pid":1,"ts":12}]"#,
        slices: &[("1/1", "b", 0, 12, 0), ("1/1", "a", 1, 9, 1), ("1/1", "b", 2, 9, 2), ("1/1", "c", 3, 9, 3)],
        incomplete: &["c"],
        warnings: &[("unmatched_start", 1), ("unmatched_end", 1)],
        ..Case::default()
    });
    // Many simultaneous ends, outermost first, with repeated names and without names.
    let begin = |at: i64, name: &str| format!(r#"{{"ph":"B","name":"{name}","pid":1,"ts":{at}}}"#);
    let end = |name: &str| format!(r#"{{"ph":"E","name":"{name}","pid":1,"ts":999}}"#);
    for names in [200, 7, 1] {
        let name = |at: i64| format!("n{}", at % names);
        let mut events: Vec<String> = (0..200).map(|at| begin(at, &name(at))).collect();
        events.extend((0..200).map(|at| if at % 9 == 8 { end("") } else { end(&name(at)) }));
        every_reader(&format!("[{}]", events.join(",")), |found| {
            let slices = &found.tracks[0].slices;
            assert_eq!(slices.len(), 200);
            // Ends without a name may take an end meant for another slice, but with equal numbers of begins and ends
            // few are left.
            let incomplete = slices.iter().filter(|slice| slice.incomplete).count();
            assert!(incomplete <= 22 && (names > 1 || incomplete == 0), "{incomplete} of {names} names");
        });
    }
}

#[test]
fn an_end_before_any_begin_is_dropped() {
    check(Case {
        input: r#"[{"ph":"E","name":"a","pid":1,"ts":1},{"ph":"B","name":"a","pid":1,"ts":4},
                   {"ph":"E","name":"a","pid":1,"ts":5}]"#,
        slices: &[("1/1", "a", 4, 5, 0)],
        warnings: &[("unmatched_end", 1)],
        ..Case::default()
    });
}

#[test]
fn an_end_with_another_name_only_sets_the_threads_last_time() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":52,"ts":520},{"ph":"E","name":"b","pid":52,"ts":560}]"#,
        slices: &[("52/52", "a", 520, 560, 0)],
        incomplete: &["a"],
        warnings: &[("unmatched_end", 1), ("unmatched_start", 1)],
        ..Case::default()
    });
}

#[test]
fn an_end_without_name_closes_the_innermost() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":1,"ts":1},{"ph":"B","name":"b","pid":1,"ts":2},
                   {"ph":"E","pid":1,"ts":3},{"ph":"E","name":"","pid":1,"ts":4}]"#,
        slices: &[("1/1", "a", 1, 4, 0), ("1/1", "b", 2, 3, 1)],
        ..Case::default()
    });
}

#[test]
fn an_end_also_closes_the_slices_inside() {
    check(Case {
        input: r#"[{"ph":"B","name":"A","pid":0,"ts":0},{"ph":"B","name":"B","pid":0,"ts":1},
                   {"ph":"E","name":"A","pid":0,"ts":10},{"ph":"X","name":"Z","pid":0,"ts":10,"dur":1}]"#,
        slices: &[("0/0", "A", 0, 10, 0), ("0/0", "B", 1, 10, 1), ("0/0", "Z", 10, 11, 0)],
        incomplete: &["B"],
        warnings: &[("unmatched_start", 1)],
        ..Case::default()
    });
}

#[test]
fn complete_slices_are_not_paired() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":1,"ts":0},{"ph":"X","name":"a","pid":1,"ts":2,"dur":2},
                   {"ph":"E","name":"a","pid":1,"ts":3},
                   {"ph":"X","name":"x","pid":1,"ts":20,"dur":4},{"ph":"E","pid":1,"ts":21}]"#,
        slices: &[("1/1", "a", 0, 3, 0), ("1/1", "a", 2, 4, OPEN), ("1/1", "x", 20, 24, 0)],
        warnings: &[("overlapping", 1), ("unmatched_end", 1)],
        ..Case::default()
    });
}

#[test]
fn unordered_events_pair_in_time_order() {
    check(Case {
        input: r#"[{"ph":"E","name":"a","pid":0,"ts":9},{"ph":"E","name":"b","pid":0,"ts":10},
                   {"ph":"B","name":"a","pid":0,"ts":0},{"ph":"B","name":"b","pid":0,"ts":1}]"#,
        slices: &[("0/0", "a", 0, 9, 0), ("0/0", "b", 1, 9, 1)],
        incomplete: &["b"],
        warnings: &[("unmatched_end", 1), ("unmatched_start", 1)],
        ..Case::default()
    });
}

#[test]
fn args_merge_with_the_end_winning_and_the_first_category_wins() {
    let input = r#"[{"ph":"B","name":"a","pid":1,"ts":1,"args":{"x":1,"y":{"deep":1}}},
                    {"ph":"E","name":"a","cat":"late","pid":1,"ts":2,"args":{"y":{"w":2},"z":3}},
                    {"ph":"B","name":"b","cat":"early","pid":1,"ts":3},{"ph":"E","cat":"late","pid":1,"ts":4},
                    {"ph":"B","name":"c","pid":1,"ts":5,"args":{"x":1}},{"ph":"E","pid":1,"ts":6,"args":[]},
                    {"ph":"B","name":"d","pid":1,"ts":7,"args":"text"},{"ph":"E","pid":1,"ts":8,"args":{"z":3}}]"#;
    every_reader(input, |found| {
        let [a, b, c, d] = &found.tracks[0].slices[..] else { panic!("four slices") };
        assert_eq!((&a.args, &*a.cat), (&json!({"x": 1, "y": {"deep": 1, "w": 2}, "z": 3}), "late"));
        assert_eq!(b.cat, "early");
        // Args that are not objects are the argument `args`.
        assert_eq!((&c.args, &d.args), (&json!({"x": 1, "args": []}), &json!({"args": "text", "z": 3})));
    });
}

#[test]
fn a_begin_without_end_lasts_until_its_threads_last_time() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":1,"tid":1,"ts":1},{"ph":"B","name":"b","pid":1,"tid":2,"ts":1},
                   {"ph":"E","name":"b","pid":1,"tid":2,"ts":2},{"ph":"B","name":"c","pid":1,"tid":3,"ts":1},
                   {"ph":"X","name":"d","pid":1,"tid":3,"ts":4,"dur":5},
                   {"ph":"s","id":1,"pid":1,"tid":3,"ts":99,"bp":"e"}]"#,
        slices: &[("1/1", "a", 1, 1, 0), ("1/2", "b", 1, 2, 0), ("1/3", "c", 1, 9, 0), ("1/3", "d", 4, 9, 1)],
        incomplete: &["a", "c"],
        warnings: &[("unmatched_start", 2), ("unbound_flow", 1)],
        ..Case::default()
    });
}

#[test]
fn several_begins_without_end_last_equally_long() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":1,"ts":1},{"ph":"B","name":"b1","pid":1,"ts":2},
                   {"ph":"E","name":"b1","pid":1,"ts":3},{"ph":"B","name":"b2","pid":1,"ts":3}]"#,
        slices: &[("1/1", "a", 1, 3, 0), ("1/1", "b1", 2, 3, 1), ("1/1", "b2", 3, 3, 2)],
        incomplete: &["a", "b2"],
        warnings: &[("unmatched_start", 2)],
        ..Case::default()
    });
}

#[test]
fn a_complete_slice_without_duration_is_incomplete() {
    check(Case {
        input: r#"[{"ph":"X","name":"a","pid":1,"ts":629,"dur":1},{"ph":"X","name":"b","pid":1,"ts":730,"dur":20},
                   {"ph":"X","name":"c","pid":1,"ts":740},
                   {"ph":"X","name":"alone","pid":2,"ts":1000},
                   {"ph":"X","name":"unreadable","pid":3,"ts":7,"dur":"soon"}]"#,
        slices: &[
            ("1/1", "a", 629, 630, 0),
            ("1/1", "b", 730, 750, 0),
            ("1/1", "c", 740, 750, 1),
            ("2/2", "alone", 1000, 1000, 0),
            ("3/3", "unreadable", 7, 7, 0),
        ],
        incomplete: &["alone", "c", "unreadable"],
        warnings: &[("unmatched_start", 3), ("bad_time", 1)],
        ..Case::default()
    });
}

#[test]
fn a_negative_duration_moves_nothing() {
    check(Case {
        input: r#"[{"ph":"X","name":"a","pid":1,"ts":10,"dur":8},{"ph":"X","name":"b","pid":1,"ts":20,"dur":8},
                   {"ph":"X","name":"c","pid":1,"ts":30,"dur":8},{"ph":"B","name":"open","pid":1,"ts":40},
                   {"ph":"X","name":"broken","pid":1,"ts":35,"dur":-35}]"#,
        slices: &[
            ("1/1", "a", 10, 18, 0),
            ("1/1", "b", 20, 28, 0),
            ("1/1", "c", 30, 38, 0),
            ("1/1", "broken", 35, 35, 1),
            ("1/1", "open", 40, 40, 0),
        ],
        incomplete: &["open"],
        warnings: &[("negative_duration", 1), ("unmatched_start", 1)],
        ..Case::default()
    });
}

#[test]
fn a_counter_without_a_value_is_no_counter() {
    check(Case {
        input: r#"[{"ph":"C","name":"good","pid":1,"ts":10,"args":{"v":1}},{"ph":"C","name":"empty","pid":1,"ts":10},
                   {"ph":"C","name":"none","pid":1,"ts":10,"args":{}},{"ph":"C","name":"null","pid":1,"ts":10,"args":null},
                   {"ph":"C","name":"word","pid":1,"ts":10,"args":{"v":"n/a"}}]"#,
        counters: &[("1", "good", "", "v", &[(10, 1.0)])],
        warnings: &[("missing_part", 3), ("wrong_type", 1)],
        ..Case::default()
    });
    for (input, counters) in [
        (r#"[{"ph":"C","name":"empty","pid":1,"ts":10}]"#, 0),
        (
            r#"[{"ph":"C","name":"gap","pid":1,"ts":1,"args":{"v":NaN}},{"ph":"C","name":"gap","pid":1,"ts":2,"args":{"v":1}}]"#,
            1,
        ),
    ] {
        assert_eq!(profile(input.as_bytes()).counters.len(), counters, "{input}");
    }
}

#[test]
fn a_duration_that_outlasts_everything_by_far_is_reported() {
    let kernels = |last: &str| {
        let kernels: Vec<String> = (0..50)
            .map(|at| format!(r#"{{"ph":"X","name":"k","ts":{},"dur":80,"pid":0,"tid":7}},"#, at * 100))
            .collect();
        format!(r#"[{}{{"ph":"X","name":"odd","ts":5000,"dur":{last},"pid":0,"tid":20}}]"#, kernels.concat())
    };
    let count = |text: &str| profile(text.as_bytes()).warnings.count(WarningKind::ExtremeDuration);
    assert_eq!(count(&kernels("610791801000000")), 1);
    assert_eq!(count(&kernels("80")), 0);
    // Long recordings have long slices.
    assert_eq!(count(r#"[{"ph":"X","name":"all","ts":0,"dur":610791801000000,"pid":0,"tid":20}]"#), 0);
    assert_eq!(
        count(r#"[{"ph":"B","name":"open","ts":0,"pid":0,"tid":20},{"ph":"i","ts":610791801000000,"pid":0,"tid":20}]"#),
        0
    );
}

#[test]
fn a_partly_overlapping_slice_keeps_its_length() {
    check(Case {
        input: r#"[{"ph":"X","name":"outer","pid":1,"ts":100,"dur":100},
                   {"ph":"X","name":"inner","pid":1,"ts":150,"dur":100}]"#,
        slices: &[("1/1", "outer", 100, 200, 0), ("1/1", "inner", 150, 250, OPEN)],
        warnings: &[("overlapping", 1)],
        ..Case::default()
    });
}

#[test]
fn containment_decides_nesting_for_every_phase() {
    check(Case {
        input: r#"[{"ph":"X","name":"short","pid":1,"ts":20,"dur":1},{"ph":"B","name":"long","pid":1,"ts":20},
                   {"ph":"E","name":"long","pid":1,"ts":22},
                   {"ph":"X","name":"first","pid":1,"ts":30,"dur":2},{"ph":"B","name":"second","pid":1,"ts":30},
                   {"ph":"E","name":"second","pid":1,"ts":32}]"#,
        slices: &[
            ("1/1", "long", 20, 22, 0),
            ("1/1", "short", 20, 21, 1),
            ("1/1", "first", 30, 32, 0),
            ("1/1", "second", 30, 32, 1),
        ],
        ..Case::default()
    });
}

#[test]
fn an_instant_at_the_end_is_inside_but_an_adjoining_slice_is_not() {
    check(Case {
        input: r#"[{"ph":"X","name":"a","pid":1,"ts":1000,"dur":3000},
                   {"ph":"X","name":"b1","pid":1,"ts":1000,"dur":2000},{"ph":"X","name":"b2","pid":1,"ts":4000,"dur":0},
                   {"ph":"X","name":"p","pid":2,"ts":1000,"dur":0},{"ph":"X","name":"q","pid":2,"ts":1000,"dur":0},
                   {"ph":"X","name":"left","pid":3,"ts":1000,"dur":2000},
                   {"ph":"X","name":"right","pid":3,"ts":3000,"dur":1000}]"#,
        slices: &[
            ("1/1", "a", 1000, 4000, 0),
            ("1/1", "b1", 1000, 3000, 1),
            ("1/1", "b2", 4000, 4000, 1),
            ("2/2", "p", 1000, 1000, 0),
            ("2/2", "q", 1000, 1000, 1),
            ("3/3", "left", 1000, 3000, 0),
            ("3/3", "right", 3000, 4000, 0),
        ],
        ..Case::default()
    });
}

#[test]
fn instants_go_to_the_thread_the_process_or_the_recording() {
    check(Case {
        input: r#"[{"ph":"B","name":"a","pid":1,"ts":1},{"ph":"I","name":"i1","pid":1,"ts":2},
                   {"ph":"i","name":"i2","pid":1,"ts":4,"s":"t"},
                   {"ph":"E","name":"a","pid":1,"ts":4},{"ph":"R","name":"mark","pid":1,"ts":3},
                   {"ph":"i","name":"p","pid":1,"ts":3,"s":"p"},{"ph":"I","name":"g","ts":3,"s":"g"}]"#,
        slices: &[("1/1", "a", 1, 4, 0)],
        instants: &[
            ("1/1", "i1", 2, 1),
            ("1/1", "i2", 4, 1),
            ("1/1", "mark", 3, 1),
            ("process 1", "p", 3, 0),
            ("global", "g", 3, 0),
        ],
        ..Case::default()
    });
}

#[test]
fn objects_have_a_life_and_snapshots() {
    check(Case {
        input: r#"[{"ph":"N","name":"Tree","pid":2,"tid":1,"id":"0x1","ts":5},
                   {"ph":"O","name":"Tree","pid":2,"tid":1,"id":"0x1","ts":8,"args":{"snapshot":{"layers":3}}},
                   {"ph":"D","name":"Tree","pid":2,"tid":1,"id":"0x1","ts":25},
                   {"ph":"N","name":"Tree","pid":2,"tid":1,"id":"0x1","ts":30},
                   {"ph":"b","name":"Tree","cat":"Tree","pid":2,"tid":1,"id":"0x1","ts":6},
                   {"ph":"e","name":"Tree","cat":"Tree","pid":2,"tid":1,"id":"0x1","ts":7},
                   {"ph":"O","name":"Screenshot","pid":1,"tid":1,"id":"0x1","ts":2,"args":{"snapshot":"/9j/4A=="}},
                   {"ph":"O","name":"Screenshot","pid":1,"tid":1,"id":"0x1","ts":3},
                   {"ph":"v","name":"periodic_interval","pid":2,"tid":1,"id":"0xd","ts":9},
                   {"ph":"V","name":"detail","pid":2,"tid":1,"id":"0xd","ts":40}]"#,
        slices: &[("async 2", "Tree", 5, 25, 0), ("async 2", "Tree", 30, 40, 0), ("async 2", "Tree", 6, 7, 0)],
        instants: &[
            ("async 2", "Tree", 8, 1),
            ("async 1", "Screenshot", 2, 0),
            ("async 1", "Screenshot", 3, 0),
            ("process 2", "periodic_interval", 9, 0),
            ("process 2", "detail", 40, 0),
        ],
        incomplete: &["Tree"],
        warnings: &[("unmatched_start", 1)],
        ..Case::default()
    });
}

#[test]
fn arguments_of_any_type_are_kept_and_merged() {
    let input = r#"[{"ph":"B","name":"a","pid":1,"ts":1,"args":{"params":{"url":"u","deep":{"x":1}},"n":1}},
                    {"ph":"E","name":"a","pid":1,"ts":2,"args":{"params":{"status":200,"deep":{"y":2}},"n":{"m":2}}},
                    {"ph":"X","name":"b","pid":1,"ts":3,"dur":1,"args":"text"},
                    {"ph":"X","name":"c","pid":1,"ts":5,"dur":1,"args":[1,"two"]}]"#;
    every_reader(input, |found| {
        let args: Vec<_> = found.tracks[0].slices.iter().map(|slice| slice.args.clone()).collect();
        let merged = serde_json::json!({"params": {"url": "u", "deep": {"x": 1, "y": 2}, "status": 200}, "n": {"m": 2}, "n (begin)": 1});
        assert_eq!(args, [merged, serde_json::json!({"args": "text"}), serde_json::json!({"args": [1, "two"]})]);
    });
}

#[test]
fn a_counter_has_one_series_per_argument() {
    check(Case {
        input: r#"[{"ph":"C","name":"c","pid":1,"ts":0,"args":{"v":0,"w":7}},
                   {"ph":"C","name":"c","pid":1,"ts":20,"args":{"v":"0","w":1}},
                   {"ph":"C","name":"c","pid":1,"ts":10,"args":{"v":10.5,"w":"4"}},
                   {"ph":"C","name":"c","pid":1,"ts":30,"args":{"v":"much","w":NaN}}]"#,
        counters: &[
            ("1", "c", "", "v", &[(0, 0.0), (10, 10.5), (20, 0.0)]),
            ("1", "c", "", "w", &[(0, 7.0), (10, 4.0), (20, 1.0)]),
        ],
        warnings: &[("wrong_type", 1)],
        ..Case::default()
    });
}

#[test]
fn counters_are_identified_by_process_name_and_id() {
    check(Case {
        input: r#"[{"ph":"C","name":"c","cat":"foo","pid":1,"ts":0,"id":0,"args":{"v":0}},
                   {"ph":"C","name":"c","cat":"foo","pid":1,"ts":10,"id":0,"args":{"v":10}},
                   {"ph":"C","name":"c","cat":"foo","pid":1,"ts":10,"id":1,"args":{"v":10}},
                   {"ph":"C","name":"c","cat":"bar","pid":1,"ts":20,"id":"1","args":{"v":30}},
                   {"ph":"C","name":"c","pid":2,"ts":5,"args":{"v":5}}]"#,
        counters: &[
            ("1", "c", "0", "v", &[(0, 0.0), (10, 10.0)]),
            ("1", "c", "1", "v", &[(10, 10.0), (20, 30.0)]),
            ("2", "c", "", "v", &[(5, 5.0)]),
        ],
        ..Case::default()
    });
}

#[test]
fn begin_and_end_keep_every_value_of_a_key() {
    use serde_json::{Value, json};
    let kinds = [json!(null), json!("text"), json!(7), json!([1, "two"]), json!({"a": 1, "b": [2]})];
    for begin in &kinds {
        // An equal value, each other kind, and another value of each kind.
        let others = [json!("other"), json!(8), json!([]), json!({"a": 5, "c": 3}), json!({})];
        for end in kinds.iter().chain(&others) {
            let input = json!([
                {"ph": "B", "name": "n", "pid": 1, "tid": 1, "ts": 0, "args": {"k": begin, "first": 1}},
                {"ph": "E", "name": "n", "pid": 1, "tid": 1, "ts": 9, "args": {"k": end, "last": 2}},
            ]);
            every_reader(&input.to_string(), |found| {
                let args = &found.tracks[0].slices[0].args;
                assert_eq!((&args["first"], &args["last"]), (&json!(1), &json!(2)), "{begin} {end}");
                let at_begin = args.get("k (begin)");
                match (begin, end) {
                    (begin, Value::Null) => assert_eq!((&args["k"], at_begin), (begin, None), "{begin} {end}"),
                    (Value::Object(begin), Value::Object(end)) => {
                        assert_eq!(at_begin, None);
                        let merged = &args["k"];
                        for (key, value) in end {
                            assert_eq!(&merged[key], value);
                        }
                        for (key, value) in begin {
                            let moved = &merged[format!("{key} (begin)")];
                            assert!(&merged[key] == value || moved == value, "{key} of {begin:?} in {merged}");
                        }
                    }
                    (begin, end) => {
                        let moved = Some(begin).filter(|begin| !begin.is_null() && *begin != end);
                        assert_eq!((&args["k"], at_begin), (end, moved), "{begin} {end}");
                    }
                }
            });
        }
    }
}

#[test]
fn a_value_of_the_begin_never_replaces_another_argument() {
    let input = r#"[{"ph":"B","name":"n","pid":1,"tid":1,"ts":0,"args":{"k":"a","k (begin)":"own"}},
                    {"ph":"E","name":"n","pid":1,"tid":1,"ts":9,"args":{"k":[1]}}]"#;
    every_reader(input, |found| {
        let expected = serde_json::json!({"k": [1], "k (begin)": "own", "k (begin) (begin)": "a"});
        assert_eq!(found.tracks[0].slices[0].args, expected);
    });
}
