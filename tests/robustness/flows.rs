//! Damaged or numerous flow fields: valid data is kept and the rest is counted. No single id, marker or schema slows
//! down building or queries.

use std::collections::BTreeMap;

use crate::recording::flows::{both, check_lookups, names, point, recording_of, span, typed};
use crate::recording::{self, Recording, Row, Track, closing, instant, opening};
use flowline::index::flows::FlowName;
use flowline::index::{FlowGraph, Index};
use flowline::profile::{Arrangement, Direction, FlowId, LocalMarker, MarkerId, Ns, Profile, WarningKind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Ids with their members, joined into one string.
fn brief(profile: &Profile, graph: &FlowGraph) -> Vec<(String, String)> {
    let members = |flow| names(profile, graph.members(flow).iter().copied()).join(" ");
    graph.iter().map(|flow| (graph.id_text(profile, flow), members(flow))).collect()
}

fn texts(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(id, members)| ((*id).to_owned(), (*members).to_owned())).collect()
}

fn counts(graph: &FlowGraph) -> [u64; 2] {
    [WarningKind::WrongType, WarningKind::IndexOutOfRange].map(|kind| graph.warnings().count(kind))
}

#[test]
fn wrong_types_and_invalid_indexes_are_counted_and_skipped() {
    for (value, expected) in [
        (json!({"id": 1}), [1, 0]),
        (json!({}), [1, 0]),
        (json!(true), [1, 0]),
        (json!(false), [1, 0]),
        (json!(1.5), [1, 0]),
        (json!(-1), [1, 0]),
        (json!(1e300), [1, 0]),
        (json!([[1], {"a": 1}]), [2, 0]),
        (json!([]), [0, 0]),
        (json!(99_999), [0, 1]),
        (json!(u64::MAX), [0, 1]),
        (Value::Null, [0, 0]),
    ] {
        let rows = vec![
            point("before", 1.0, "Flow", json!({"flow": "@a"})),
            point("bad", 2.0, "Two", json!({"flow1": value, "flow2": "@a"})),
            span("only bad", 3.0, 4.0, "FlowStack", json!({"flow": value})),
            point("after", 3.5, "Term", json!({"flow": "@a"})),
            point("reused", 4.0, "Flow", json!({"flow": "@a"})),
        ];
        for (form, profile, graph) in both(&recording_of(vec![rows])) {
            let context = format!("{value} ({form})");
            assert_eq!(brief(&profile, &graph), texts(&[("a", "before bad after"), ("a", "reused")]), "{context}");
            assert_eq!(graph.links(), 0, "{context}: a marker without a flow is not a parent");
            assert_eq!(counts(&graph), expected.map(|count| count * 2), "{context}");
            if let Some(warning) = graph.warnings().list().first() {
                assert!(warning.first.contains("thread 0, marker 1"), "{context}: {}", warning.first);
                assert!(warning.first.contains("flow1"), "{context}: {}", warning.first);
            }
            let of_index = Index::build(profile.into(), Arrangement::ByName).warnings();
            assert_eq!(of_index.list(), graph.warnings().list(), "{context}");
        }
    }
}

#[test]
fn damaged_halves_are_paired_and_counted() {
    for bad in [json!({}), json!([[]]), json!(1.5), json!(true), json!(-7), json!(4_000_000_000_u64)] {
        let rows = vec![
            opening("pair", 1.0).with(typed("Two", json!({"flow1": bad, "flow2": "@a"}))),
            closing("pair", 2.0).with(typed("Two", json!({"flow1": bad}))),
            opening("open", 3.0).with(typed("Term", json!({"flow": bad}))),
            closing("closed", 4.0).with(typed("Term", json!({"flow": bad}))),
        ];
        for (form, profile, graph) in both(&recording_of(vec![rows])) {
            assert_eq!(brief(&profile, &graph), texts(&[("a", "pair")]), "{bad} ({form})");
            assert_eq!(counts(&graph).iter().sum::<u64>(), 3, "{bad} ({form})");
        }
    }
}

#[test]
fn non_string_entries_of_a_string_table_are_invalid_indexes() {
    let rows = vec![
        point("good", 1.0, "Flow", json!({"flow": "@good"})),
        point("bad", 2.0, "Flow", json!({"flow": "@BAD"})),
        point("bad too", 3.0, "Flow", json!({"flow": "@BAD"})),
    ];
    let recording = recording_of(vec![rows]);
    for written in [recording.raw(), recording.processed()] {
        for other in ["null", "7", "{}", "[\"BAD\"]"] {
            let text = recording::text(&written).replace("\"BAD\"", other);
            let profile = recording::read_bytes(text.into_bytes()).expect("readable");
            let graph = FlowGraph::build(&profile);
            assert_eq!(brief(&profile, &graph), texts(&[("good", "good")]), "{other}");
            assert_eq!(counts(&graph), [0, 2], "{other}");
        }
    }
}

#[test]
fn invalid_ids_do_not_affect_others() {
    let ids: Vec<String> = (0..200).map(|number| format!("id {number:03}")).collect();
    let row = |(at, id): (u32, &String)| point(id, f64::from(at), "Flow", json!({"flow": format!("@<{id}>")}));
    let recording = recording_of(vec![(0..).zip(&ids).map(row).collect()]);
    for written in [recording.raw(), recording.processed()] {
        // Every fourth id is not UTF-8, every fourth is a lone surrogate; some of them are equal after decoding.
        let mut bytes = recording::text(&written).into_bytes();
        for number in (0..200).filter(|number| number % 4 < 2) {
            let wanted = format!("\"<id {number:03}>\"");
            let at = bytes.windows(wanted.len()).position(|text| text == wanted.as_bytes()).expect("the id");
            let broken: &[u8] = if number % 4 == 0 { b"\xff\xfe" } else { b"\\ud800" };
            let shown = format!(" {}", number / 40);
            bytes.splice(at + 1..at + wanted.len() - 1, [broken, shown.as_bytes()].concat());
        }
        let profile = recording::read_bytes(bytes).expect("readable");
        let graph = FlowGraph::build(&profile);
        check_lookups(&profile, &graph);
        let mut of_text: BTreeMap<String, Vec<FlowId>> = BTreeMap::new();
        for flow in graph.iter() {
            of_text.entry(graph.id_text(&profile, flow)).or_default().push(flow);
        }
        let lost: Vec<&String> =
            of_text.iter().filter(|(id, flows)| graph.with_id(&profile, id) != **flows).map(|(id, _)| id).collect();
        assert!(lost.is_empty(), "{} of {} ids are not found: {lost:?}", lost.len(), of_text.len());
        assert_eq!(of_text.len(), 110, "equal strings are one id");
        assert_eq!(graph.len(), 110);
    }
}

#[test]
fn unknown_flows_and_markers_have_no_connections() {
    let rows = vec![point("one", 1.0, "Flow", json!({"flow": "@a"})), instant("none", 2.0)];
    let empty = recording_of(vec![vec![instant("none", 1.0)], vec![]]);
    let without_fields = Recording::of(vec![instant("none", 1.0)]);
    for (_, profile, graph) in [recording_of(vec![rows]), empty, without_fields].iter().flat_map(both) {
        for flow in [FlowId::new(graph.len()), FlowId(77), FlowId(u32::MAX)] {
            assert!(!graph.contains(flow) && graph.members(flow).is_empty());
            assert_eq!(graph.id_text(&profile, flow), "");
            assert_eq!(graph.range(&profile, flow), flowline::profile::TimeRange::default());
            assert_eq!(graph.position(&profile, flow, MarkerId(0)), None);
            assert_eq!(graph.sibling(&profile, flow, MarkerId(0), Direction::Forward), None);
            assert_eq!(graph.members_between(&profile, flow, Ns(0), Ns(9)), 0..0);
            assert_eq!(graph.next_use(flow), None);
            assert_eq!(graph.connections(&[flow]), Default::default());
            assert!(graph.chain(&[flow], Direction::Forward, 3, 9).is_empty());
        }
        for marker in [MarkerId::new(profile.marker_count()), MarkerId(1 << 20), MarkerId(u32::MAX)] {
            assert!(graph.flows_of(marker).is_empty());
            assert_eq!((graph.parent(marker), graph.children(marker).len()), (None, 0));
        }
        assert_eq!(graph.connections(&[]), Default::default());
    }
}

#[test]
fn one_id_in_a_hundred_thousand_markers_takes_linear_time() {
    const COUNT: usize = 100_000;
    let row = |thread: usize, at: usize| {
        let kind = if at % 25_000 == 24_999 { "Term" } else { "Flow" };
        let time = f64::from(u32::try_from(at).expect("small"));
        point(["even", "odd"][thread], time, kind, json!({"flow": "@busy"}))
    };
    let thread = |thread: usize| (0..COUNT).filter(|at| at % 2 == thread).map(|at| row(thread, at)).collect();
    for (form, profile) in recording_of(vec![thread(0), thread(1)]).read_both() {
        let graph = FlowGraph::build(&profile);
        assert_eq!((graph.len(), graph.memberships(), graph.flow_markers()), (4, COUNT, COUNT), "{form}");
        let marker = |at: usize| MarkerId::new(at / 2 + (at % 2) * (COUNT / 2));
        for flow in graph.iter() {
            let first = flow.index() * 25_000;
            let members: Vec<MarkerId> = (first..first + 25_000).map(marker).collect();
            assert_eq!(graph.members(flow), members, "{form}");
            for at in [0, 1, 12_345, 24_999] {
                assert_eq!(graph.position(&profile, flow, members[at]), Some(at));
                assert_eq!(
                    graph.sibling(&profile, flow, members[at], Direction::Forward),
                    members.get(at + 1).copied()
                );
            }
            let start = graph.range(&profile, flow).start;
            let later = |ms: i64| start + Ns(ms * 1_000_000);
            assert_eq!(graph.members_between(&profile, flow, later(10), later(19)), 10..20);
            assert_eq!(graph.members_between(&profile, flow, later(-5), later(-1)), 0..0);
            assert_eq!(graph.members_between(&profile, flow, later(25_000), later(30_000)), 25_000..25_000);
        }
        assert_eq!(graph.find(&profile, &FlowName::parse("busy;99999")), [FlowId(3)]);
        assert!(graph.connections(&[FlowId(1)]).direct.is_empty());
    }
}

/// A marker in `flows` flows, with that many fields in its schema, inside a stack-based marker in as many flows.
fn hub(flows: usize) -> Recording {
    let key = |at: usize| format!("flow{at}");
    let fields: Vec<Value> = (0..flows).map(|at| json!({"key": key(at), "format": "flow-id"})).collect();
    let schema =
        |name: &str, stack: bool| json!({"name": name, "display": [], "fields": fields, "isStackBased": stack});
    let payload = |kind: &str, prefix: &str| {
        let names = (0..flows).map(|at| (key(at), json!(format!("@{prefix}{at}")))).collect::<Map<_, _>>();
        typed(kind, Value::Object(names))
    };
    let mut rows = vec![
        recording::interval("outer", 1.0, 9.0).with(payload("HubStack", "cause")),
        instant("inner", 2.0).with(payload("Hub", "effect")),
    ];
    // Every flow of the outer marker has one more member.
    let alone = |at: usize| instant("alone", 3.0).with(typed("Hub", json!({"flow7": format!("@cause{at}")})));
    rows.extend((0..flows).map(alone));
    let mut recording = recording_of(vec![rows]).schemas(json!([schema("Hub", false), schema("HubStack", true)]));
    recording.tracks.push(Track { name: "Empty".into(), ..Track::default() });
    recording
}

#[test]
fn a_marker_in_two_thousand_flows_takes_linear_time() {
    const COUNT: u32 = 2_000;
    for (form, profile) in hub(COUNT as usize).read_both() {
        let graph = FlowGraph::build(&profile);
        assert_eq!((graph.len(), graph.memberships()), (4_000, 6_000), "{form}");
        let causes: Vec<FlowId> = (0..COUNT).map(FlowId).collect();
        let effects: Vec<FlowId> = (COUNT..2 * COUNT).map(FlowId).collect();
        assert_eq!(graph.flows_of(MarkerId(0)), causes, "{form}");
        assert_eq!(graph.flows_of(MarkerId(1)), effects, "{form}");
        for (at, flow) in (0_u32..).zip(&causes).step_by(333) {
            assert_eq!(graph.id_text(&profile, *flow), format!("cause{at}"));
            assert_eq!(graph.members(*flow), [MarkerId(0), MarkerId(at + 2)]);
            let found = graph.connections(&[*flow]);
            let others: Vec<FlowId> = causes.iter().copied().filter(|other| other != flow).collect();
            assert_eq!(found.direct, others);
            // The single markers are children too, of flows that share the outer one.
            assert_eq!(found.outgoing, [&others[..], &effects].concat());
            assert_eq!(found.incoming, others);
        }
        let all = graph.connections(&causes);
        assert_eq!((all.incoming, all.direct, all.outgoing), (vec![], vec![], effects.clone()), "{form}");
        let back = graph.chain(&effects, Direction::Back, 9, 1_500);
        assert_eq!((back.len(), back.limited), (1_500, true), "{form}");
    }
}

/// Values of flow fields, mostly valid.
fn value() -> impl Strategy<Value = String> {
    let good = prop_oneof!["[0-9]", "\"[ab]\"", "\"\\\\\\\\u006[12]\""];
    let bad = prop_oneof![
        Just("null"),
        Just("true"),
        Just("{\"a\":[1]}"),
        Just("[[]]"),
        Just("-1"),
        Just("1.0"),
        Just("1e3"),
        Just("NaN"),
        Just("18446744073709551616"),
        Just("\"\\ud800\""),
        Just("\"\\"),
        Just("}"),
        Just("]"),
        Just(""),
    ];
    prop_oneof![3 => good, 1 => bad.prop_map(str::to_owned)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn arbitrary_values_never_panic(values in prop::collection::vec(value(), 6), raw: bool, cut in 0_usize..4_000) {
        let kinds = ["Two", "FlowThenTerm", "TermThenFlow", "FlowStack", "TermStack", "TwoTerm"];
        let keys = ["flow1", "flow", "end", "flow", "flow", "end2"];
        let rows: Vec<Row> = (0_u32..).zip(kinds.iter().zip(keys)).map(|(at, (kind, key))| {
            let row = span("marker", f64::from(at), f64::from(at) + 3.0, kind, json!({"flow2": "@a", "end1": "@b"}));
            Row { data: { let mut data = row.data.clone(); data[key] = json!(format!("VALUE{at}")); data }, ..row }
        }).collect();
        let recording = recording_of(vec![rows]);
        let mut text = recording::text(&if raw { recording.raw() } else { recording.processed() });
        for (at, value) in values.iter().enumerate() {
            text = text.replace(&format!("\"VALUE{at}\""), value);
        }
        let mut bytes = text.into_bytes();
        bytes.truncate(bytes.len().saturating_sub(cut.saturating_sub(2_000)));
        if let Ok(profile) = recording::read_bytes(bytes) {
            let graph = FlowGraph::build(&profile);
            check_lookups(&profile, &graph);
            prop_assert!(profile.threads.iter().all(|thread| thread.markers.is_empty()
                || graph.flows_of(thread.global(LocalMarker(0))).len() <= 2));
        }
    }
}
