//! Recordings with flow markers that use the payload types of `fixtures/cases/flows.json`, and their flow graphs, each
//! checked for contradicting lookups.

use flowline::index::FlowGraph;
use flowline::profile::{Direction, FlowId, MarkerId, Profile};
use serde_json::{Value, json};

use super::{Recording, Row, Track, instant, interval};

const CASES: &str = include_str!("../../../fixtures/cases/flows.json");

/// Schemas and conformance cases.
pub(crate) fn cases() -> Value {
    serde_json::from_str(CASES).expect("cases")
}

/// A recording with threads of one process and the schemas of the cases.
pub(crate) fn recording_of(threads: Vec<Vec<Row>>) -> Recording {
    let mut recording = Recording::of(Vec::new()).schemas(cases()["schemas"].clone());
    let track = |(index, rows)| Track { name: format!("Thread {index}"), process: 0, samples: vec![0.0, 6.0], rows };
    recording.tracks = threads.into_iter().enumerate().map(track).collect();
    recording
}

/// An instant with a payload type and fields.
pub(crate) fn point(name: &str, at: f64, kind: &str, fields: Value) -> Row {
    instant(name, at).with(typed(kind, fields))
}

/// An interval with a payload type and fields.
pub(crate) fn span(name: &str, start: f64, end: f64, kind: &str, fields: Value) -> Row {
    interval(name, start, end).with(typed(kind, fields))
}

/// A payload with a type.
pub(crate) fn typed(kind: &str, mut fields: Value) -> Value {
    fields["type"] = json!(kind);
    fields
}

/// The name of a marker.
pub(crate) fn name_of(profile: &Profile, marker: MarkerId) -> String {
    let (thread, local) = profile.locate(marker).expect("a marker");
    profile.marker_name(thread, local).to_owned()
}

/// The names of markers.
pub(crate) fn names(profile: &Profile, markers: impl IntoIterator<Item = MarkerId>) -> Vec<String> {
    markers.into_iter().map(|marker| name_of(profile, marker)).collect()
}

/// All markers of a recording.
pub(crate) fn all_markers(profile: &Profile) -> impl Iterator<Item = MarkerId> + use<> {
    (0..profile.marker_count()).map(|index| MarkerId(u32::try_from(index).expect("few")))
}

/// Checks an invariant of every graph: each lookup agrees with the members.
pub(crate) fn check_lookups(profile: &Profile, graph: &FlowGraph) {
    assert_eq!(graph.memberships(), graph.iter().map(|flow| graph.members(flow).len()).sum::<usize>());
    let mut flow_markers = 0;
    for marker in all_markers(profile) {
        let of: Vec<FlowId> = graph.iter().filter(|flow| graph.members(*flow).contains(&marker)).collect();
        assert_eq!(graph.flows_of(marker), of, "{marker:?}");
        flow_markers += usize::from(!of.is_empty());
        let children: Vec<MarkerId> =
            all_markers(profile).filter(|child| graph.parent(*child) == Some(marker)).collect();
        assert!(graph.children(marker).eq(children.iter().copied()), "{marker:?}");
    }
    assert_eq!(graph.flow_markers(), flow_markers);
    assert_eq!(graph.links(), all_markers(profile).filter(|marker| graph.parent(*marker).is_some()).count());
    for flow in graph.iter() {
        let members = graph.members(flow);
        for (at, &marker) in members.iter().enumerate() {
            assert_eq!(graph.position(profile, flow, marker), Some(at));
            assert_eq!(graph.sibling(profile, flow, marker, Direction::Forward), members.get(at + 1).copied());
            assert_eq!(
                graph.sibling(profile, flow, marker, Direction::Back),
                at.checked_sub(1).map(|before| members[before])
            );
        }
    }
}

/// Reads a recording in both forms and returns each form with its checked graph.
pub(crate) fn both(recording: &Recording) -> [(&'static str, Profile, FlowGraph); 2] {
    recording.read_both().map(|(form, profile)| {
        let graph = FlowGraph::build(&profile);
        check_lookups(&profile, &graph);
        (form, profile, graph)
    })
}
