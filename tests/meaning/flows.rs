//! Flows: members, parents of markers, connections and chains.
//! Every case is read in raw and in processed form with the same result.

use crate::recording::flows::{
    all_markers, both, cases, check_lookups, name_of, names, point, recording_of, span, typed,
};
use crate::recording::{self, Recording, Row, closing, instant, interval, opening};
use flowline::index::FlowGraph;
use flowline::profile::Direction;
use flowline::profile::{FlowId, Profile};
use serde_json::{Value, json};

/// Id, start, end (in milliseconds) and members of every flow.
fn flows(profile: &Profile, graph: &FlowGraph) -> Value {
    let flow = |flow: FlowId| {
        let range = graph.range(profile, flow);
        let members = names(profile, graph.members(flow).iter().copied());
        json!([graph.id_text(profile, flow), range.start.as_ms(), range.end.as_ms(), members])
    };
    graph.iter().map(flow).collect()
}

/// Names of parent and child for every marker with a parent.
fn links(profile: &Profile, graph: &FlowGraph) -> Value {
    let link = |child| graph.parent(child).map(|parent| json!([name_of(profile, parent), name_of(profile, child)]));
    all_markers(profile).filter_map(link).collect()
}

/// Connected flows of every flow.
fn connected(graph: &FlowGraph) -> Value {
    let numbers = |flows: Vec<FlowId>| flows.iter().map(|flow| flow.0).collect::<Vec<_>>();
    let of_flow = |flow: FlowId| {
        let found = graph.connections(&[flow]);
        let lists = [found.incoming, found.direct, found.outgoing].map(numbers);
        lists.iter().any(|list| !list.is_empty()).then(|| json!([flow.0, lists[0], lists[1], lists[2]]))
    };
    graph.iter().filter_map(of_flow).collect()
}

/// Converts numbers to floats, so that 1 and 1.0 compare equal.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        other => other.clone(),
    }
}

/// Flows as (id, members), with the members joined into one string.
fn brief(profile: &Profile, graph: &FlowGraph) -> Vec<(String, String)> {
    let members = |flow| names(profile, graph.members(flow).iter().copied()).join(" ");
    graph.iter().map(|flow| (graph.id_text(profile, flow), members(flow))).collect()
}

fn check(recording: &Recording, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(id, members)| ((*id).to_owned(), (*members).to_owned())).collect();
    for (form, profile, graph) in both(recording) {
        assert_eq!(brief(&profile, &graph), expected, "{form}");
        assert!(graph.warnings().list().is_empty(), "{form}: {:?}", graph.warnings());
    }
}

#[test]
fn conformance_cases_pass() {
    let cases = cases();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for case in list(&cases["cases"]) {
        let row = |row: &Value| {
            let (name, start) = (row[0].as_str().expect("a name"), row[1].as_f64().expect("a start"));
            let marker = row[2].as_f64().map_or_else(|| instant(name, start), |end| interval(name, start, end));
            marker.with(typed(row[3].as_str().expect("a type"), row[4].clone()))
        };
        let threads = list(&case["threads"]).iter().map(|rows| list(rows).iter().map(row).collect()).collect();
        for (form, profile, graph) in both(&recording_of(threads)) {
            let context = format!("{} ({form})", case["case"]);
            assert_eq!(plain(&flows(&profile, &graph)), plain(&case["flows"]), "{context}");
            assert_eq!(links(&profile, &graph), json!(list(&case["links"])), "{context}");
            assert_eq!(connected(&graph), json!(list(&case["connected"])), "{context}");
            assert!(graph.warnings().list().is_empty(), "{context}: {:?}", graph.warnings());
        }
    }
}

#[test]
fn an_id_can_be_text_or_a_string_table_index() {
    let rows = vec![
        point("text", 1.0, "Flow", json!({"flow": "id"})),
        point("index", 2.0, "Flow", json!({"flow": "@id"})),
        point("digits", 3.0, "Flow", json!({"flow": "0"})),
        point("empty", 4.0, "Two", json!({"flow1": "", "flow2": "@0"})),
        point("empty index", 5.0, "Term", json!({"flow": "@"})),
    ];
    check(&recording_of(vec![rows]), &[("id", "text index"), ("0", "digits empty"), ("", "empty empty index")]);
}

#[test]
fn escapes_do_not_change_an_id() {
    let ids = ["é/\u{1f600}\"", "ESC 1", "ESC 2", "other"];
    let rows = ids.iter().zip(["plain", "one", "two", "other"]);
    let rows = rows.map(|(id, name)| point(name, 1.0, "Flow", json!({"flow": format!("@{id}")}))).collect();
    let texts = vec![point("text", 2.0, "Flow", json!({"flow": "ESC 1"}))];
    let recording = recording_of(vec![rows, texts]);
    for written in [recording.raw(), recording.processed()] {
        let text = recording::text(&written);
        let text = text.replace("ESC 1", r#"\u00e9\/\ud83d\ude00\""#).replace("ESC 2", r#"\u00E9/😀\u0022"#);
        // Keys may contain escapes too.
        let text = text.replacen(r#"{"flow":"#, r#"{"fl\u006fw":"#, 1);
        let profile = recording::read_bytes(text.into_bytes()).expect("readable");
        let graph = FlowGraph::build(&profile);
        check_lookups(&profile, &graph);
        let expected = [(ids[0], "plain one two text"), ("other", "other")];
        assert_eq!(brief(&profile, &graph), expected.map(|(id, members)| (id.to_owned(), members.to_owned())));
        assert_eq!(graph.with_id(&profile, ids[0]), [FlowId(0)]);
    }
}

#[test]
fn the_last_value_of_a_repeated_key_wins() {
    let rows = vec![point("marker", 1.0, "Two", json!({"flow1": "first", "flow2": "second"}))];
    for written in [recording_of(vec![rows.clone()]).raw(), recording_of(vec![rows]).processed()] {
        let text = recording::text(&written).replace(r#""flow2":"second""#, r#""flow1":"second""#);
        let profile = recording::read_bytes(text.into_bytes()).expect("readable");
        assert_eq!(brief(&profile, &FlowGraph::build(&profile)), [("second".to_owned(), "marker".to_owned())]);
    }
}

#[test]
fn ids_are_shared_by_all_processes_on_one_clock() {
    let mut recording = recording_of(vec![
        vec![point("send", 12.0, "Flow", json!({"flow": "@id"})), point("reply", 14.0, "Term", json!({"flow": "@id"}))],
        vec![
            point("before", 0.5, "Flow", json!({"flow": "@something else"})),
            span("handle", 3.0, 9.0, "FlowStack", json!({"flow": "@id"})),
            point("after", 5.0, "Flow", json!({"flow": "@id"})),
        ],
    ]);
    recording.starts.push(recording.starts[0] + 10.0);
    recording.tracks[1].process = 1;
    check(&recording, &[("something else", "before"), ("id", "send handle reply"), ("id", "after")]);
}

#[test]
fn pairs_belong_to_the_flows_of_both_halves() {
    let half = |row: Row, kind: &str, fields: Value| row.with(typed(kind, fields));
    let rows = vec![
        half(opening("start only", 1.0), "Flow", json!({"flow": "@a"})),
        half(closing("start only", 2.0), "Flow", json!({})),
        half(opening("end only", 1.1), "Flow", json!({})),
        half(closing("end only", 2.1), "Flow", json!({"flow": "@a"})),
        half(opening("one each", 1.2), "Two", json!({"flow1": "@a"})),
        half(closing("one each", 2.2), "Two", json!({"flow2": "@b"})),
        half(opening("end wins", 1.3), "Flow", json!({"flow": "@lost"})),
        half(closing("end wins", 2.3), "Flow", json!({"flow": "@b"})),
        half(opening("null wins", 1.4), "Flow", json!({"flow": "@lost"})),
        half(closing("null wins", 2.4), "Flow", json!({"flow": null})),
        half(opening("bare end", 1.5), "Flow", json!({"flow": "@b"})),
        closing("bare end", 2.5),
        opening("bare start", 1.6),
        half(closing("bare start", 2.6), "Flow", json!({"flow": "@b"})),
        half(opening("untyped end", 1.7), "Two", json!({"flow1": "@b"})),
        closing("untyped end", 2.7).with(json!({"flow2": "@c"})),
        half(opening("unmatched", 1.8), "Flow", json!({"flow": "@c"})),
    ];
    let of_b = "one each end wins bare end bare start untyped end";
    check(
        &recording_of(vec![rows]),
        &[("a", "start only end only one each"), ("b", of_b), ("c", "untyped end unmatched")],
    );
}

#[test]
fn overlapping_pairs_with_the_same_name_keep_their_flows() {
    let half = |row: Row, id: &str| row.with(typed("FlowStack", json!({"flow": format!("@{id}")})));
    let rows = vec![
        half(opening("Run", 1.0), "a"),
        half(opening("Run", 2.0), "b"),
        half(closing("Run", 3.0), "a"),
        half(closing("Run", 4.0), "b"),
    ];
    for (form, profile, graph) in both(&recording_of(vec![rows])) {
        let expected = json!([["a", 1.0, 3.0, ["Run"]], ["b", 2.0, 4.0, ["Run"]]]);
        assert_eq!(flows(&profile, &graph), expected, "{form}");
    }
}

#[test]
fn a_terminating_field_of_an_end_applies_from_the_start() {
    let rows = vec![
        point("first", 0.5, "Flow", json!({"flow": "@x"})),
        opening("pair", 1.0),
        point("between", 3.0, "Flow", json!({"flow": "@x"})),
        closing("pair", 5.0).with(typed("Term", json!({"flow": "@x"}))),
        point("after", 6.0, "Flow", json!({"flow": "@x"})),
    ];
    check(&recording_of(vec![rows]), &[("x", "first pair"), ("x", "between after")]);
}

/// Causes and effects: a to b and c, b to d, d to e and back to a.
fn ring() -> Recording {
    let step = |at: f64, from: &str, to: &[&str]| {
        let mut rows = vec![span(from, at, at + 9.0, "FlowStack", json!({"flow": format!("@{from}")}))];
        rows.extend(to.iter().map(|to| point(to, at + 1.0, "Flow", json!({"flow": format!("@{to}")}))));
        rows
    };
    let steps = [step(0.0, "a", &["b", "c"]), step(10.0, "b", &["d"]), step(20.0, "d", &["e", "a"])];
    recording_of(vec![steps.concat()])
}

#[test]
fn chains_advance_step_by_step_and_end() {
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(FlowId);
    for (_, profile, graph) in both(&ring()) {
        let ids: Vec<String> = graph.iter().map(|flow| graph.id_text(&profile, flow)).collect();
        assert_eq!(ids, ["a", "b", "c", "d", "e"]);
        for (from, direction, steps, limit, expected, complete, limited) in [
            (&[a][..], Direction::Forward, 9, 99, vec![vec![b, c], vec![d], vec![e]], true, false),
            (&[a], Direction::Forward, 4, 99, vec![vec![b, c], vec![d], vec![e]], true, false),
            // The search does not look beyond the requested steps.
            (&[a], Direction::Forward, 3, 99, vec![vec![b, c], vec![d], vec![e]], false, false),
            (&[a], Direction::Forward, 2, 99, vec![vec![b, c], vec![d]], false, false),
            (&[a], Direction::Forward, 0, 99, vec![], false, false),
            (&[a], Direction::Forward, 9, 4, vec![vec![b, c], vec![d], vec![e]], true, false),
            (&[a], Direction::Forward, 9, 3, vec![vec![b, c], vec![d]], false, true),
            (&[a], Direction::Forward, 9, 1, vec![vec![b]], false, true),
            (&[a], Direction::Forward, 9, 0, vec![], false, true),
            (&[a], Direction::Forward, 2, 3, vec![vec![b, c], vec![d]], false, false),
            (&[a], Direction::Back, 9, 99, vec![vec![d], vec![b]], true, false),
            (&[e], Direction::Back, 9, 99, vec![vec![d], vec![b], vec![a]], true, false),
            (&[e], Direction::Back, 2, 99, vec![vec![d], vec![b]], false, false),
            (&[e], Direction::Forward, 9, 99, vec![], true, false),
            (&[c], Direction::Back, 1, 99, vec![vec![a]], false, false),
            (&[b, c], Direction::Forward, 9, 99, vec![vec![d], vec![a, e]], true, false),
            (&[a, b, c, d, e], Direction::Back, 1, 0, vec![], true, false),
            (&[], Direction::Forward, 9, 99, vec![], true, false),
            (&[FlowId(77)], Direction::Back, 9, 99, vec![], true, false),
        ] {
            let chain = graph.chain(from, direction, steps, limit);
            let context = format!("{from:?} {direction:?}, {steps} steps, at most {limit}");
            assert_eq!((&chain.steps, chain.complete, chain.limited), (&expected, complete, limited), "{context}");
            assert_eq!((chain.len(), chain.is_empty()), (expected.concat().len(), expected.is_empty()), "{context}");
        }
        assert_eq!(graph.step(&[a, d], Direction::Forward), [a, b, c, e], "steps include the requested flows");
        let found = graph.connections(&[a, d]);
        assert_eq!(
            (found.incoming, found.direct, found.outgoing),
            (vec![b], vec![], vec![b, c, e]),
            "connections exclude them"
        );
    }
}
