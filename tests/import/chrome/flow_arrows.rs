//! Arrows of flows between slices: several steps that share a start, reused ids, and flows on asynchronous operations.

use super::check::{Case, check, every_reader};

/// Expects arrows: id, and names of the slices at both ends, in the order of flows and of ends.
fn arrows(input: &str, expected: &[(&str, &str, &str)]) {
    every_reader(input, |found| {
        let mut arrows = Vec::new();
        for flow in &found.flows {
            let name = |step: usize| {
                let (_, track, slice) = flow.steps[step];
                found.tracks[track].slices[slice].name.clone()
            };
            arrows.extend(flow.arrows.iter().map(|(from, to)| (flow.id.clone(), name(*from), name(*to))));
        }
        arrows.sort();
        let expected: Vec<_> =
            expected.iter().map(|(id, from, to)| (id.to_string(), from.to_string(), to.to_string())).collect();
        assert_eq!(arrows, expected, "{input}");
    });
}

const SLICES: &str = r#"{"ph":"X","name":"launch","pid":1,"ts":0,"dur":5},{"ph":"X","name":"again","pid":1,"ts":50,"dur":5},
    {"ph":"X","name":"k1","pid":2,"ts":10,"dur":5},{"ph":"X","name":"k2","pid":2,"ts":20,"dur":5},
    {"ph":"X","name":"k3","pid":2,"ts":30,"dur":5},{"ph":"X","name":"k4","pid":2,"ts":60,"dur":5}"#;

/// Flow events with id 7: phase, process, time.
fn steps(steps: &[(&str, u32, i64)]) -> String {
    let event = |(ph, pid, ts): &(&str, u32, i64)| format!(r#"{{"ph":"{ph}","bp":"e","id":7,"pid":{pid},"ts":{ts}}}"#);
    format!("[{},{SLICES}]", steps.iter().map(event).collect::<Vec<_>>().join(","))
}

#[test]
fn one_start_has_many_targets() {
    let launch = [("s", 1, 0), ("f", 2, 10), ("f", 2, 20), ("f", 2, 30)];
    arrows(&steps(&launch), &[("7", "launch", "k1"), ("7", "launch", "k2"), ("7", "launch", "k3")]);
    every_reader(&steps(&launch), |found| assert_eq!((found.flows.len(), found.flows[0].steps.len()), (1, 4)));
}

#[test]
fn a_step_continues_from_the_start_and_later_targets_from_the_step() {
    let steps_after = [("s", 1, 0), ("f", 2, 10), ("t", 2, 20), ("f", 2, 30)];
    arrows(&steps(&steps_after), &[("7", "k2", "k3"), ("7", "launch", "k1"), ("7", "launch", "k2")]);
}

#[test]
fn each_start_begins_a_new_flow() {
    let twice = [("s", 1, 0), ("f", 2, 10), ("s", 1, 50), ("f", 2, 60)];
    arrows(&steps(&twice), &[("7", "again", "k4"), ("7", "launch", "k1")]);
    every_reader(&steps(&twice), |found| assert_eq!(found.flows.len(), 2));
}

#[test]
fn targets_without_a_start_have_no_arrows() {
    arrows(&steps(&[("f", 2, 10), ("f", 2, 20)]), &[]);
    // A start that binds to no slice starts no arrow.
    arrows(&steps(&[("s", 1, 7), ("f", 2, 10), ("f", 2, 20)]), &[]);
}

#[test]
fn an_end_before_its_start_in_the_file_is_kept() {
    let input = r#"[{"ph":"X","name":"l","pid":1,"ts":5,"dur":5},{"ph":"X","name":"k","pid":2,"ts":5,"dur":5},
        {"ph":"f","bp":"e","id":7,"ts":5,"pid":2},{"ph":"s","id":7,"ts":5,"pid":1}]"#;
    arrows(input, &[("7", "l", "k")]);
}

#[test]
fn a_flow_event_binds_to_the_async_slice_with_its_time_thread_and_category() {
    check(Case {
        input: r#"[{"name":"Task","cat":"x","ph":"X","ts":0,"dur":5,"pid":1,"tid":1},
                   {"name":"Frame","cat":"a","ph":"b","id2":{"local":"0x1"},"ts":3,"pid":1,"tid":1},
                   {"name":"Frame","cat":"a","ph":"s","id":1,"ts":3,"pid":1,"tid":1},
                   {"name":"Shown","cat":"a","ph":"n","id2":{"local":"0x1"},"ts":20,"pid":1,"tid":1},
                   {"name":"Frame","cat":"a","ph":"f","bp":"e","id":1,"ts":20,"pid":1,"tid":1},
                   {"name":"Frame","cat":"a","ph":"e","id2":{"local":"0x1"},"ts":20,"pid":1,"tid":1},
                   {"name":"Task2","cat":"x","ph":"X","ts":30,"dur":5,"pid":1,"tid":1}]"#,
        slices: &[("1/1", "Task", 0, 5, 0), ("1/1", "Task2", 30, 35, 0), ("async 1", "Frame", 3, 20, 0)],
        instants: &[("async 1", "Shown", 20, 1)],
        flows: &[("1", &["Frame", "Shown"]), ("0x1", &["Frame", "Shown"])],
        ..Case::default()
    });
    // A thread slice with the same category takes precedence, unless the async slice has the flow event's own name.
    for (name, expected) in [("Other", "Task"), ("Frame", "Frame")] {
        let input = format!(
            r#"[{{"name":"Task","cat":"a","ph":"X","ts":3,"dur":9,"pid":1,"tid":1}},
                {{"name":"{name}","cat":"a","ph":"s","id":1,"ts":3,"pid":1,"tid":1}},
                {{"name":"Frame","cat":"a","ph":"S","id":"0x1","ts":3,"pid":1,"tid":1}},
                {{"name":"Frame","cat":"a","ph":"F","id":"0x1","ts":9,"pid":1,"tid":1}},
                {{"name":"{name}","cat":"a","ph":"f","id":1,"ts":9,"pid":1,"tid":1}}]"#
        );
        // At 9, only the end of the async slice matches.
        arrows(&input, &[("1", expected, "Frame")]);
    }
}

#[test]
fn slices_of_an_operation_have_no_arrows() {
    arrows(r#"[{"ph":"b","name":"a","pid":1,"ts":0,"id":1},{"ph":"n","name":"b","pid":1,"ts":1,"id":1}]"#, &[]);
}

#[test]
fn a_reused_async_id_is_a_new_operation() {
    let pair = |ts: i64, name: &str| {
        format!(
            r#"{{"ph":"b","name":"{name}","pid":1,"ts":{ts},"id":0}},{{"ph":"e","name":"{name}","pid":1,"ts":{},"id":0}}"#,
            ts + 2
        )
    };
    let pairs: Vec<String> = (0..183).map(|at| pair(at * 3, "compile")).collect();
    every_reader(&format!("[{}]", pairs.join(",")), |found| {
        assert!(found.flows.is_empty(), "single pairs are not flows")
    });
    // An operation lasts while any of its slices is open.
    let input = r#"[{"ph":"b","name":"a","pid":1,"ts":0,"id":1},{"ph":"b","name":"in","pid":1,"ts":1,"id":1},
        {"ph":"e","name":"a","pid":1,"ts":2,"id":1},{"ph":"n","name":"point","pid":1,"ts":3,"id":1},
        {"ph":"e","name":"in","pid":1,"ts":4,"id":1},{"ph":"n","name":"late","pid":1,"ts":5,"id":1},
        {"ph":"b","name":"next","pid":1,"ts":6,"id":1},{"ph":"n","name":"last","pid":1,"ts":6,"id":1},
        {"ph":"e","name":"next","pid":1,"ts":7,"id":1}]"#;
    every_reader(input, |found| {
        let names = |flow: &super::reference::Flow| {
            flow.steps
                .iter()
                .map(|(_, track, slice)| found.tracks[*track].slices[*slice].name.clone())
                .collect::<Vec<_>>()
        };
        let flows: Vec<_> = found.flows.iter().map(names).collect();
        assert_eq!(flows, [vec!["a", "in", "point", "late"], vec!["next", "last"]]);
    });
}

#[test]
fn a_constant_async_id_makes_no_flows() {
    // A compiler writes nested pairs with one id for everything.
    let nested = |id: u32, ts: i64| {
        let event = |ph: &str, name: &str, at: i64| {
            format!(r#"{{"ph":"{ph}","name":"{name}","pid":1,"ts":{},"id":{id}}}"#, ts + at)
        };
        [event("b", "Source", 0), event("b", "Source", 1), event("e", "Source", 2), event("e", "Source", 3)].join(",")
    };
    let flows = |operations: &[String], expected: usize| {
        every_reader(&format!("[{}]", operations.join(",")), |found| {
            assert_eq!(found.flows.len(), expected, "{operations:?}");
        });
    };
    let compiler: Vec<String> = (0..40).map(|at| nested(0, at * 10)).collect();
    flows(&compiler, 0);
    // An id that is used twice, or beside other ids, names its operations.
    flows(&compiler[..2], 2);
    flows(&[&compiler[..], &[nested(7, 900)]].concat(), 41);
}

#[test]
fn a_reused_bind_id_begins_a_new_flow_with_several_targets() {
    let slice = |name: &str, ts: i64, flags: &str| {
        format!(r#"{{"ph":"X","name":"{name}","pid":1,"ts":{ts},"dur":1,"bind_id":"0x9",{flags}}}"#)
    };
    let (out, into, both) = (r#""flow_out":true"#, r#""flow_in":true"#, r#""flow_in":true,"flow_out":true"#);
    let input = [
        slice("a", 0, out),
        slice("b", 10, into),
        slice("c", 20, into),
        slice("d", 30, both),
        slice("e", 40, into),
        slice("f", 50, out),
        slice("g", 60, into),
    ];
    let expected = [("0x9", "a", "b"), ("0x9", "a", "c"), ("0x9", "a", "d"), ("0x9", "d", "e"), ("0x9", "f", "g")];
    arrows(&format!("[{}]", input.join(",")), &expected);
    // The target comes before its start in the file.
    let reversed: Vec<String> = [slice("to", 5, into), slice("from", 5, out)].to_vec();
    arrows(&format!("[{}]", reversed.join(",")), &[("0x9", "from", "to")]);
}
