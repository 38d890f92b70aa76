//! Asyncs and flows from a few events: one case per rule, run by every reader. Times are in microseconds.
//!
//! Every async id with two or more slices or instants is also a flow.

use super::check::{Case, check, every_reader};

#[test]
fn asyncs_with_one_id_nest_by_name() {
    check(Case {
        input: r#"[{"ph":"b","name":"l1","cat":"foo","pid":52,"tid":53,"ts":524,"id":72},
                   {"ph":"b","name":"l2","cat":"foo","pid":52,"ts":525,"id":72},
                   {"ph":"b","name":"l3","cat":"foo","pid":52,"ts":526,"id":"72"},
                   {"ph":"n","name":"i","cat":"foo","pid":52,"ts":527,"id":72},
                   {"ph":"e","name":"l3","cat":"foo","pid":52,"ts":531,"id":72},
                   {"ph":"e","cat":"foo","pid":52,"ts":532,"id":72},
                   {"ph":"e","name":"l1","cat":"foo","pid":52,"ts":533,"id":72}]"#,
        slices: &[("async 52", "l1", 524, 533, 0), ("async 52", "l2", 525, 532, 1), ("async 52", "l3", 526, 531, 2)],
        instants: &[("async 52", "i", 527, 3)],
        flows: &[("72", &["l1", "l2", "l3", "i"])],
        ..Case::default()
    });
}

#[test]
fn open_asyncs_last_until_the_end_and_unmatched_ends_start_with_their_id() {
    check(Case {
        input: r#"[{"ph":"b","name":"a","pid":1,"ts":10,"id":1},{"ph":"b","name":"open","pid":1,"ts":20,"id":1},
                   {"ph":"e","name":"a","pid":1,"ts":30,"id":1},
                   {"ph":"e","name":"strange","pid":1,"ts":40,"id":1},
                   {"ph":"b","name":"other","pid":1,"ts":90,"id":2},{"ph":"e","name":"other","pid":1,"ts":99,"id":2}]"#,
        slices: &[
            ("async 1", "strange", 10, 40, 0),
            ("async 1", "a", 10, 30, 1),
            ("async 1", "open", 20, 99, super::check::OPEN),
            ("async 1", "other", 90, 99, 0),
        ],
        incomplete: &["open", "strange"],
        flows: &[("1", &["strange", "a", "open"])],
        warnings: &[("unmatched_end", 1), ("unmatched_start", 1), ("overlapping", 1)],
        ..Case::default()
    });
}

#[test]
fn local_ids_belong_to_their_process_and_global_ones_join_processes() {
    check(Case {
        input: r#"[{"ph":"b","name":"a","pid":52,"ts":524,"id2":{"local":72}},
                   {"ph":"b","name":"b","pid":54,"ts":525,"id2":{"local":72}},
                   {"ph":"e","name":"b","pid":54,"ts":560,"id2":{"local":72}},
                   {"ph":"e","name":"a","pid":52,"ts":565,"id2":{"local":72}}]"#,
        slices: &[("async 52", "a", 524, 565, 0), ("async 54", "b", 525, 560, 0)],
        ..Case::default()
    });
    check(Case {
        input: r#"[{"ph":"b","name":"b","pid":54,"ts":525,"id2":{"global":72}},
                   {"ph":"b","name":"a","pid":52,"ts":524,"id2":{"global":72}},
                   {"ph":"e","name":"b","pid":54,"ts":560,"id2":{"global":72}},
                   {"ph":"e","name":"a","pid":52,"ts":565,"id2":{"global":72}}]"#,
        slices: &[("async 52", "a", 524, 565, 0), ("async 52", "b", 525, 560, 1)],
        flows: &[("72", &["a", "b"])],
        ..Case::default()
    });
}

#[test]
fn asyncs_differ_by_category_scope_and_kind_of_id() {
    check(Case {
        input: r#"[{"ph":"b","name":"a","cat":"x","pid":1,"ts":1,"id":1},
                   {"ph":"b","name":"a","cat":"y","pid":1,"ts":1,"id":1},
                   {"ph":"b","name":"a","cat":"x","scope":"s","pid":1,"ts":1,"id":1},
                   {"ph":"b","name":"a","cat":"x","pid":1,"ts":1,"id2":{"global":1}},
                   {"ph":"e","name":"a","cat":"x","pid":1,"ts":2,"id":1},
                   {"ph":"e","name":"a","cat":"y","pid":1,"ts":3,"id":1},
                   {"ph":"e","name":"a","cat":"x","scope":"s","pid":1,"ts":4,"id":1},
                   {"ph":"e","name":"a","cat":"x","pid":1,"ts":5,"id2":{"global":1}}]"#,
        slices: &[
            ("async 1", "a", 1, 2, 0),
            ("async 1", "a", 1, 3, 0),
            ("async 1", "a", 1, 4, 0),
            ("async 1", "a", 1, 5, 0),
        ],
        ..Case::default()
    });
}

#[test]
fn legacy_steps_extend_to_the_next_event_and_p_steps_from_the_previous() {
    let input = r#"[{"ph":"F","name":"a","pid":52,"ts":560,"id":72,"args":{"z":3}},
                    {"ph":"T","name":"a","pid":9,"ts":548,"id":72,"args":{"step":"s1","y":2}},
                    {"ph":"S","name":"a","pid":52,"ts":524,"id":72,"args":{"x":1}}]"#;
    check(Case {
        input,
        slices: &[("async 52", "a", 524, 560, 0), ("async 52", "s1", 548, 560, 1)],
        flows: &[("72", &["a", "s1"])],
        ..Case::default()
    });
    every_reader(input, |found| {
        assert_eq!(found.tracks[0].slices[0].args, serde_json::json!({"x": 1, "z": 3}));
        assert_eq!(found.tracks[0].slices[1].args["y"], 2);
    });
    check(Case {
        input: r#"[{"ph":"S","name":"a","pid":1,"ts":10,"id":1},
                   {"ph":"p","name":"a","pid":1,"ts":20,"id":1,"args":{"step":"s1"}},
                   {"ph":"p","name":"a","pid":1,"ts":25,"id":1,"args":{"step":5}},
                   {"ph":"F","name":"a","pid":1,"ts":30,"id":1}]"#,
        slices: &[("async 1", "a", 10, 30, 0), ("async 1", "s1", 10, 20, 1), ("async 1", "a", 20, 25, 1)],
        flows: &[("1", &["a", "s1", "a"])],
        ..Case::default()
    });
}

#[test]
fn mixed_legacy_steps_become_instants() {
    check(Case {
        input: r#"[{"ph":"S","name":"a","pid":1,"ts":10,"id":1},
                   {"ph":"T","name":"a","pid":1,"ts":15,"id":1,"args":{"step":"t"}},
                   {"ph":"p","name":"a","pid":1,"ts":20,"id":1,"args":{"step":"p"}},
                   {"ph":"F","name":"a","pid":1,"ts":30,"id":1}]"#,
        slices: &[("async 1", "a", 10, 30, 0)],
        instants: &[("async 1", "t", 15, 1), ("async 1", "p", 20, 1)],
        flows: &[("1", &["a", "t", "p"])],
        warnings: &[("mixed_steps", 1)],
        ..Case::default()
    });
}

#[test]
fn legacy_starts_last_until_the_end_or_the_next_start() {
    check(Case {
        input: r#"[{"ph":"S","name":"a","pid":1,"ts":10,"id":1},{"ph":"S","name":"a","pid":1,"ts":20,"id":1},
                   {"ph":"F","name":"a","pid":1,"ts":30,"id":1},
                   {"ph":"F","name":"a","pid":1,"ts":40,"id":1},{"ph":"S","name":"b","pid":1,"ts":1,"id":1},
                   {"ph":"T","name":"b","pid":1,"ts":5,"id":1}]"#,
        slices: &[
            ("async 1", "a", 10, 40, 0),
            ("async 1", "a", 10, 20, 0),
            ("async 1", "a", 20, 30, 1),
            ("async 1", "b", 1, 40, 0),
            ("async 1", "b", 5, 40, 1),
        ],
        incomplete: &["a", "a", "b", "b"],
        flows: &[("1", &["a", "a"]), ("1", &["b", "b"])],
        warnings: &[("unmatched_end", 1), ("unmatched_start", 2)],
        ..Case::default()
    });
}

/// Slices on two threads: from 547 to 647, from 570 to 670, and at 770.
const TWO_THREADS: &str = r#"{"ph":"X","name":"slice1","cat":"foo","pid":52,"ts":547,"dur":100},
    {"ph":"X","name":"slice2","cat":"foo","pid":70,"ts":570,"dur":100},
    {"ph":"X","name":"slice3","cat":"foo","pid":70,"ts":770,"dur":1000}"#;

/// Expects the slices of the only flow, from 548 on one thread to 580 on the other, with `member` in both events.
fn bound_by(member: &str, expected: [&str; 2]) {
    let input = format!(
        r#"[{{"ph":"s","name":"flow",{member},"pid":52,"ts":548,"id":72}},
            {{"ph":"f","name":"flow",{member},"pid":70,"ts":580,"id":72}},{TWO_THREADS}]"#
    );
    every_reader(&input, |found| {
        let names: Vec<_> =
            found.flows[0].steps.iter().map(|&(_, track, slice)| &*found.tracks[track].slices[slice].name).collect();
        assert_eq!(names, expected, "{member}");
        assert_eq!(found.flows.len(), 1);
        assert_eq!(found.flows[0].id, "72");
    });
}

#[test]
fn a_flow_end_binds_to_the_next_slice_or_with_bp_e_to_the_enclosing_one() {
    bound_by(r#""cat":"foo""#, ["slice1", "slice3"]);
    bound_by(r#""cat":"input""#, ["slice1", "slice2"]);
    bound_by(r#""cat":"toplevel,ipc.flow""#, ["slice1", "slice2"]);
    bound_by(r#""cat":"foo","bp":"e""#, ["slice1", "slice2"]);
    bound_by(r#""cat":"foo","bp":"z""#, ["slice1", "slice3"]);
}

#[test]
fn a_flow_end_frees_the_id() {
    check(Case {
        input: r#"[{"ph":"B","name":"aSlice","pid":1,"ts":547},
                   {"ph":"s","name":"a","cat":"foo","pid":1,"ts":548,"id":72},{"ph":"E","pid":1,"ts":549},
                   {"ph":"B","name":"bSlice","pid":1,"ts":559},
                   {"ph":"t","name":"a","cat":"foo","pid":1,"ts":560,"id":"72"},{"ph":"E","pid":1,"ts":561},
                   {"ph":"f","name":"a","cat":"foo","pid":1,"ts":580,"id":72},
                   {"ph":"B","name":"cSlice","pid":1,"ts":581},
                   {"ph":"s","name":"a","cat":"foo","pid":1,"ts":581,"id":72},
                   {"ph":"s","name":"b","cat":"foo","pid":1,"ts":581,"id":72},{"ph":"E","pid":1,"ts":582}]"#,
        slices: &[("1/1", "aSlice", 547, 549, 0), ("1/1", "bSlice", 559, 561, 0), ("1/1", "cSlice", 581, 582, 0)],
        flows: &[("72", &["aSlice", "bSlice", "cSlice"]), ("72", &["cSlice"]), ("72", &["cSlice"])],
        ..Case::default()
    });
}

/// Both orders are tested, because one of them equals the order of the hashed ids.
#[test]
fn a_flow_binds_to_the_first_of_simultaneous_asyncs_in_the_file() {
    for (first, second) in [("a", "b"), ("b", "a")] {
        let event = |name: &str, ph: &str, ts: u32| {
            format!(r#"{{"ph":"{ph}","name":"{name}","cat":"x","pid":1,"tid":1,"ts":{ts},"id":"{name}"}}"#)
        };
        let list = [event(first, "b", 5), event(second, "b", 5), event("a", "e", 9), event("b", "e", 9)].join(",");
        let text = format!(r#"[{list},{{"ph":"s","name":"flow","cat":"x","pid":1,"tid":1,"ts":5,"id":7}}]"#);
        every_reader(&text, |read| {
            let flow = read.flows.iter().find(|flow| flow.id == "7").expect("a flow");
            let (_, track, slice) = flow.steps[0];
            assert_eq!(read.tracks[track].slices[slice].name, first);
        });
    }
}

#[test]
fn a_flow_binds_to_the_deepest_enclosing_slice_including_ends() {
    check(Case {
        input: r#"[{"ph":"X","name":"out","cat":"x","pid":1,"ts":10,"dur":20},
                   {"ph":"X","name":"in","cat":"x","pid":1,"ts":12,"dur":8},
                   {"ph":"i","name":"point","cat":"x","pid":1,"ts":20},
                   {"ph":"s","id":1,"pid":1,"ts":20},{"ph":"s","id":2,"pid":1,"ts":21},
                   {"ph":"s","id":3,"pid":1,"ts":31},{"ph":"f","id":4,"pid":1,"ts":11},
                   {"ph":"f","id":5,"pid":1,"ts":13}]"#,
        slices: &[("1/1", "out", 10, 30, 0), ("1/1", "in", 12, 20, 1)],
        instants: &[("1/1", "point", 20, 2)],
        // A simultaneous instant is the deepest.
        flows: &[("1", &["point"]), ("2", &["out"]), ("4", &["in"])],
        warnings: &[("unbound_flow", 2)],
        ..Case::default()
    });
}

#[test]
fn touching_slices_bind_starts_to_the_deepest_and_ends_to_the_next() {
    check(Case {
        input: r#"[{"ph":"X","name":"left","cat":"x","pid":1,"ts":0,"dur":10},
                   {"ph":"X","name":"in","cat":"x","pid":1,"ts":2,"dur":8},
                   {"ph":"X","name":"right","cat":"x","pid":1,"ts":10,"dur":10},
                   {"ph":"X","name":"part","cat":"x","pid":1,"ts":10,"dur":1},
                   {"ph":"s","id":1,"pid":1,"ts":10},{"ph":"f","id":2,"pid":1,"ts":10}]"#,
        slices: &[
            ("1/1", "left", 0, 10, 0),
            ("1/1", "in", 2, 10, 1),
            ("1/1", "right", 10, 20, 0),
            ("1/1", "part", 10, 11, 1),
        ],
        // Among equally deep slices the last one, among those that start there the first one, which is longer.
        flows: &[("1", &["part"]), ("2", &["right"])],
        ..Case::default()
    });
    check(Case {
        input: r#"[{"ph":"X","name":"left","pid":1,"ts":0,"dur":10,"cat":"x"},
                   {"ph":"X","name":"in","pid":1,"ts":2,"dur":8},
                   {"ph":"X","name":"right","pid":1,"ts":10,"dur":10,"cat":"x"},
                   {"ph":"s","id":1,"pid":1,"ts":10,"cat":"y"}]"#,
        slices: &[("1/1", "left", 0, 10, 0), ("1/1", "in", 2, 10, 1), ("1/1", "right", 10, 20, 0)],
        flows: &[("1", &["in"])],
        ..Case::default()
    });
}

#[test]
fn a_slice_with_the_same_time_and_category_is_preferred() {
    check(Case {
        input: r#"[{"ph":"X","name":"out","cat":"x","pid":1,"ts":10,"dur":20},
                   {"ph":"X","name":"in","cat":"y","pid":1,"ts":10,"dur":8},
                   {"ph":"i","name":"point","cat":"z","pid":1,"ts":15},
                   {"ph":"s","id":1,"cat":"x","pid":1,"ts":10},{"ph":"s","id":2,"cat":"z","pid":1,"ts":15},
                   {"ph":"f","id":3,"cat":"z","pid":1,"ts":15},{"ph":"s","id":4,"cat":"x","pid":1,"ts":15}]"#,
        slices: &[("1/1", "out", 10, 30, 0), ("1/1", "in", 10, 18, 1)],
        instants: &[("1/1", "point", 15, 2)],
        flows: &[("1", &["out"]), ("2", &["point"]), ("3", &["point"]), ("4", &["point"])],
        ..Case::default()
    });
}

#[test]
fn local_flow_ids_belong_to_their_process() {
    check(Case {
        input: r#"[{"ph":"X","name":"a","pid":1,"ts":1,"dur":9},{"ph":"X","name":"b","pid":2,"ts":1,"dur":9},
                   {"ph":"s","pid":1,"ts":2,"id2":{"local":"0x1"}},{"ph":"t","pid":2,"ts":3,"id2":{"local":"0x1"}},
                   {"ph":"s","pid":1,"ts":2,"id2":{"global":"0x2"}},{"ph":"t","pid":2,"ts":3,"id2":{"global":"0x2"}}]"#,
        slices: &[("1/1", "a", 1, 10, 0), ("2/2", "b", 1, 10, 0)],
        flows: &[("0x1", &["a"]), ("0x1", &["b"]), ("0x2", &["a", "b"])],
        ..Case::default()
    });
}

#[test]
fn bind_id_flows_connect_the_slices_themselves() {
    check(Case {
        input: r#"[{"ph":"X","name":"SenderA","pid":1,"ts":3002,"dur":10,"bind_id":"0x402","flow_out":true},
                   {"ph":"X","name":"SenderB","pid":2,"ts":0,"dur":10,"bind_id":"0x403","flow_out":true,
                    "flow_in":false},
                   {"ph":"X","name":"Blergh","pid":3,"ts":1001,"dur":100,"bind_id":"0x403","flow_in":true},
                   {"ph":"X","name":"Other","pid":4,"ts":3200,"dur":500,"bind_id":"0x402","flow_in":true,
                    "flow_out":true},
                   {"ph":"X","name":"Some","pid":5,"ts":3331,"dur":400,"bind_id":"0x402","flow_in":true},
                   {"ph":"B","name":"SomeOther","pid":3,"ts":3333,"bind_id":"0x402","flow_in":true},
                   {"ph":"E","name":"SomeOther","pid":3,"ts":4330},
                   {"ph":"n","name":"point","pid":6,"ts":3000,"id":1,"bind_id":1026,"flow_out":true},
                   {"ph":"X","name":"none","pid":7,"ts":1,"dur":1,"bind_id":"0x402"}]"#,
        slices: &[
            ("1/1", "SenderA", 3002, 3012, 0),
            ("2/2", "SenderB", 0, 10, 0),
            ("3/3", "Blergh", 1001, 1101, 0),
            ("3/3", "SomeOther", 3333, 4330, 0),
            ("4/4", "Other", 3200, 3700, 0),
            ("5/5", "Some", 3331, 3731, 0),
            ("7/7", "none", 1, 2, 0),
        ],
        instants: &[("async 6", "point", 3000, 0)],
        flows: &[
            ("0x402", &["SenderA", "Other", "Some", "SomeOther"]),
            ("0x403", &["SenderB", "Blergh"]),
            ("1026", &["point"]),
        ],
        ..Case::default()
    });
}
