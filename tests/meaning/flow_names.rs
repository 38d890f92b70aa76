//! Flows by name: `ID;TIME` and `ID`, as accepted by lookups and by the search terms `flow:` and `-flow:`.
//! Every case is read in raw and in processed form with the same result.

use crate::recording::Recording;
use crate::recording::flows::{both, names, point, recording_of};
use flowline::index::FlowGraph;
use flowline::index::flows::FlowName;
use flowline::index::search::{Query, flow_query, run};
use flowline::profile::{FlowId, Ns, Profile};
use serde_json::json;

/// One id with three uses, 100 ms into the recording's clock, and ids that look like flow names.
fn reused() -> Recording {
    let rows = vec![
        point("p1", 101.0, "Flow", json!({"flow": "@Id"})),
        point("p2", 103.0, "Term", json!({"flow": "@Id"})),
        point("p3", 105.5, "Term", json!({"flow": "@Id"})),
        point("p4", 107.25, "Flow", json!({"flow": "@Id"})),
        point("q1", 102.0, "Flow", json!({"flow": "@a;b"})),
        point("q2", 102.0, "Term", json!({"flow": "@a;7"})),
        point("q3", 104.0, "Flow", json!({"flow": "@a;7"})),
        point("c1", 104.0, "Flow", json!({"flow": "@say a, b"})),
        point("text", 104.0, "TermThenFlow", json!({"text": "says Flow:Nobody"})),
    ];
    let mut recording = recording_of(vec![rows]);
    recording.tracks[0].samples = vec![100.0, 110.0];
    recording
}

#[test]
fn flows_are_found_by_id_and_displayed_time() {
    for (form, profile, graph) in both(&reused()) {
        for (name, expected) in [
            ("Id", "p1 p2/p3/p4"),
            ("id", ""),
            ("Id;0", ""),
            ("Id;0.999999", ""),
            ("Id;1", "p1 p2"),
            ("Id;4", "p1 p2"),
            ("Id;5.499999", "p1 p2"),
            ("Id;5.5", "p3"),
            ("Id;7.25", "p4"),
            ("Id; 7.25 ms", "p4"),
            ("Id;1e9", "p4"),
            ("Id;-5", ""),
            ("Id;", ""),
            ("nobody;5", ""),
            ("a;b", "q1"),
            ("a;b;2", "q1"),
            ("a;b;1", ""),
            ("a;7", "q2/q3"),
            ("a;7;3", "q2"),
            ("a;7;4", "q3"),
            ("say a, b;4", "c1"),
        ] {
            let found = graph.find(&profile, &FlowName::parse(name));
            let members = |flow: &FlowId| names(&profile, graph.members(*flow).iter().copied()).join(" ");
            let found: Vec<String> = found.iter().map(members).collect();
            assert_eq!(found.join("/"), expected, "{name} ({form})");
        }
        for flow in graph.iter() {
            let name = graph.name(&profile, flow);
            assert_eq!(graph.find(&profile, &name), [flow], "{name}");
            let later = FlowName::new(name.id.clone(), name.time.map(|time| time + Ns(1)));
            assert_eq!(graph.find(&profile, &later), [flow], "{later}");
        }
        let uses = graph.with_id(&profile, "Id");
        assert_eq!(graph.next_use(uses[0]), Some(uses[1]));
        assert_eq!(graph.next_use(uses[2]), None);
    }
}

fn found(profile: &Profile, graph: &FlowGraph, query: &str) -> String {
    let hits = run(profile, graph, &Query::parse(query), &|| true).expect("not canceled");
    names(profile, hits.iter(profile)).join(" ")
}

#[test]
fn flow_terms_find_the_markers_of_flows() {
    for (form, profile, graph) in both(&reused()) {
        for (query, expected) in [
            ("flow:Id", "p1 p2 p3 p4"),
            ("FLOW:Id", "p1 p2 p3 p4"),
            ("flow:Id;1.5", "p1 p2"),
            ("flow:Id;1.5,flow:Id;6", "p1 p2 p3"),
            ("flow:a;7", "q2 q3"),
            ("flow:a;7;2", "q2"),
            ("flow:\"say a, b\"", "c1"),
            ("flow:\"say a, b\";4, name:q1", "q1 c1"),
            ("-flow:Id", "q1 q2 q3 c1 text"),
            ("-flow:Id;1,-flow:a;7", "q1 c1 text p3 p4"),
            ("name:p,-flow:Id;5.5", "p1 p2 p4"),
            ("flow:Id;0", ""),
            ("-flow:Id;0", "p1 q1 q2 p2 q3 c1 text p3 p4"),
            ("flow:nobody;1", ""),
            ("flow:nobody", "text"),
            ("-flow:nobody,name:q", "q1 q2 q3"),
        ] {
            assert_eq!(found(&profile, &graph, query), expected, "\"{query}\" ({form})");
        }
        for flow in graph.iter() {
            let query = flow_query(&graph.name(&profile, flow));
            let members = names(&profile, graph.members(flow).iter().copied()).join(" ");
            assert_eq!(found(&profile, &graph, &query), members, "\"{query}\"");
        }
    }
}

/// Ids that contain syntax of searches and of flow names.
const ODD_IDS: [&str; 18] = [
    "", " ", " x ", "x y", "a,b", "a;b", "a;", ";", "b;7", "a;7.50", "a;007", "a; 7ms", "a:b", "flow:a", "-a", "\"",
    "\"a\"", "a\",b",
];

#[test]
fn every_id_has_a_working_name() {
    let row = |(at, id): (u32, &&str)| point(&format!("m{at}"), f64::from(at), "Flow", json!({"flow": id}));
    let rows = (0..).zip(&ODD_IDS).map(row).collect();
    let mut missed = Vec::new();
    for (form, profile, graph) in both(&recording_of(vec![rows])) {
        assert_eq!(graph.len(), ODD_IDS.len());
        for flow in graph.iter() {
            let name = graph.name(&profile, flow);
            assert_eq!(name.id, ODD_IDS[flow.index()]);
            assert_eq!(graph.with_id(&profile, &name.id), [flow]);
            let marker = format!("m{}", flow.0);
            let mut check = |way: &str, text: &str, holds: bool| {
                if !holds {
                    missed.push(format!("{way} of id {:?}: {text} ({form})", name.id));
                }
            };
            check("look-up", &name.to_string(), graph.find(&profile, &FlowName::parse(&name.to_string())) == [flow]);
            check("look-up without time", &name.id, graph.find(&profile, &FlowName::parse(&name.id)) == [flow]);
            for name in [FlowName::new(name.id.clone(), None), name.clone()] {
                let query = flow_query(&name);
                check("search", &query, found(&profile, &graph, &query) == marker);
                let or = format!("{query},name:none");
                check("search, and another term,", &or, found(&profile, &graph, &or) == marker);
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
