//! Flows of a real recording, in raw and in processed form, compared with another program (the flow prototype of the
//! Firefox Profiler): counts, members, reused ids, parents, connections.
//!
//! If the recording is missing, each test prints a notice and runs the same comparison on its own recording.
//!
//! Intentional differences: a flow ends with its latest end (`endMax`). A parent contains its child; the reference only
//! requires that the parent is open at the child's start, but excludes intervals that are not stack-based from the
//! children. In this recording both select the same markers, so Flowline's result mirrors the outgoing flows of the
//! reference. The reference pairs different flows, Flowline pairs by flow first; this changes no flow of this
//! recording.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use crate::recording::Recording;
use crate::recording::flows::{point, recording_of, span};
use crate::recording::real::{self, by_key, list, ns, thread_of};
use flowline::index::FlowGraph;
use flowline::index::flows::FlowName;
use flowline::profile::{FlowId, LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId};
use serde_json::{Value, json};

/// One form of the recording with its graph.
struct Form {
    name: &'static str,
    profile: &'static Profile,
    graph: FlowGraph,
    keys: BTreeMap<String, ThreadId>,
}

/// Reference results and both forms. If they are missing: a synthetic recording and its own facts.
fn facts() -> &'static (Value, [Form; 2]) {
    static READ: OnceLock<(Value, [Form; 2])> = OnceLock::new();
    READ.get_or_init(|| {
        let expected = real::expected("firefox-1s-flows").unwrap_or_else(own_facts);
        let (raw, processed) = real::both_forms(own_recording);
        let form = |(name, profile)| Form { name, profile, graph: FlowGraph::build(profile), keys: by_key(profile) };
        (expected, [("raw", raw), ("processed", processed)].map(form))
    })
}

fn own_recording() -> Recording {
    let mut own = recording_of(vec![
        vec![
            span("outer", 1.0, 5.0, "FlowStack", json!({"flow": "@a"})),
            span("inner", 2.0, 3.0, "Flow", json!({"flow": "@b"})),
            span("call", 4.0, 4.5, "FlowStack", json!({"flow": "@c"})),
            point("close", 6.0, "Term", json!({"flow": "@a"})),
        ],
        vec![
            point("again", 0.5, "Flow", json!({"flow": "@a"})),
            span("late", 1.0, 2.25, "Flow", json!({"flow": "@b"})),
        ],
    ]);
    own.starts.push(own.starts[0] + 10.0);
    own.tracks[1].process = 1;
    own
}

/// Expected reference results for the synthetic recording.
fn own_facts() -> Value {
    let (main, child) = ("p0/100/7/Thread 0", "p1/101/7/Thread 1");
    let flow = |id: &str, start: f64, end: f64, members: Value| json!({"id": id, "start": start, "endMax": end, "members": members});
    let none = json!({"count": 0, "flows": []});
    let one = |id: &str, start: f64| json!({"count": 1, "flows": [{"id": id, "start": start}]});
    json!({
        "flows": 4, "distinctIds": 3, "reusedIds": 1, "flowsWhoseIdIsReused": 2, "mostReusedId": {"id": "a", "flows": 2},
        "flowMarkers": 6, "uniqueMemberships": 6, "flowsSpanningThreads": 1, "flowsSpanningProcesses": 1,
        "markersWithParentContext": 2, "parentChildLinks": 1,
        "connectionsAllFlows": {
            "direct": 0, "incoming": 2, "outgoing": 1, "flowsWithDirect": 0, "flowsWithIncoming": 2,
            "maxDirect": 0, "maxIncoming": 1
        },
        "flowsWithBothIncomingAndOutgoing": 0,
        "uniqueMembersHistogram": [[1, 2], [2, 2]],
        "flowMarkersPerThread": [[main, 4], [child, 2]],
        "largestFlows": [flow("a", 1.0, 6.0, json!(2))],
        "randomFlows": [
            flow("a", 1.0, 6.0, json!([[main, "outer", 1.0], [main, "close", 6.0]])),
            flow("b", 2.0, 12.25, json!([[main, "inner", 2.0], [child, "late", 11.0]])),
            flow("a", 10.5, 10.5, json!([[child, "again", 10.5]])),
        ],
        "randomFlowsWith4OrMoreMembers": [],
        "connected": [
            {"id": "a", "start": 1.0, "direct": none, "incoming": none, "outgoing": one("c", 4.0)},
            {"id": "b", "start": 2.0, "direct": none, "incoming": one("a", 1.0), "outgoing": none},
        ],
        "connectedWithBoth": [],
    })
}

impl Form {
    fn start(&self, flow: FlowId) -> Ns {
        self.graph.range(self.profile, flow).start
    }

    fn place(&self, marker: MarkerId) -> (ThreadId, LocalMarker) {
        self.profile.locate(marker).expect("a marker")
    }

    /// The flow that the reference identifies by id and start.
    fn flow(&self, wanted: &Value) -> FlowId {
        let start = ns(&wanted["start"]).expect("a start");
        let id = wanted["id"].as_str().expect("an id").to_owned();
        let found = self.graph.find(self.profile, &FlowName::new(id, Some(self.profile.clock().show(start))));
        assert_eq!(found.len(), 1, "{}: {wanted}", self.name);
        assert_eq!(self.start(found[0]), start, "{}: {wanted}", self.name);
        found[0]
    }

    /// Ids and starts of flows.
    fn names(&self, flows: impl IntoIterator<Item = FlowId>) -> Vec<(String, Ns)> {
        flows.into_iter().map(|flow| (self.graph.id_text(self.profile, flow), self.start(flow))).collect()
    }

    /// Parents by the reference's rule: of the thread's stack-based intervals that have a flow and are open at the
    /// start of a flow marker, the one that started last.
    fn reference_parents(&self) -> BTreeMap<MarkerId, MarkerId> {
        let mut parents = BTreeMap::new();
        for thread in &self.profile.threads {
            let mut open: Vec<(Ns, MarkerId)> = Vec::new();
            for local in (0..thread.markers.len()).map(LocalMarker::new) {
                let (marker, flags) = (thread.global(local), thread.markers.flags(local));
                if self.graph.flows_of(marker).is_empty() {
                    continue;
                }
                while open.pop_if(|(end, _)| *end < thread.markers.start(local)).is_some() {}
                parents.extend(open.last().map(|(_, parent)| (marker, *parent)));
                if flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT) {
                    open.push((thread.markers.end(local), marker));
                }
            }
        }
        parents
    }

    /// Incoming flows by the reference's rule.
    fn reference_incoming(&self, flow: FlowId, parents: &BTreeMap<MarkerId, MarkerId>) -> BTreeSet<FlowId> {
        let parents = self.graph.members(flow).iter().filter_map(|marker| parents.get(marker));
        parents.flat_map(|parent| self.graph.flows_of(*parent)).copied().filter(|other| *other != flow).collect()
    }

    /// True if the reference counts a marker among its parent's children.
    fn is_reference_child(&self, marker: MarkerId) -> bool {
        let (thread, local) = self.place(marker);
        let flags = self.profile.thread(thread).markers.flags(local);
        flags.has(MarkerFlags::INSTANT) || flags.has(MarkerFlags::STACK_BASED)
    }

    /// Outgoing flows by the reference's rule.
    fn reference_outgoing(&self, flow: FlowId) -> BTreeSet<FlowId> {
        let children = self.graph.members(flow).iter().flat_map(|marker| self.graph.children(*marker));
        let children = children.filter(|child| self.is_reference_child(*child));
        let flows = children.flat_map(|child| self.graph.flows_of(child)).copied();
        flows.filter(|other| *other != flow).collect()
    }
}

#[test]
fn counts_of_flows_members_and_ids_match() {
    let (expected, forms) = facts();
    for form in forms {
        let (profile, graph) = (form.profile, &form.graph);
        let mut ids: HashMap<String, usize> = HashMap::new();
        let mut histogram: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut over_threads, mut over_processes) = (0, 0);
        for flow in graph.iter() {
            *ids.entry(graph.id_text(profile, flow)).or_default() += 1;
            *histogram.entry(graph.members(flow).len()).or_default() += 1;
            let threads: BTreeSet<ThreadId> = graph.members(flow).iter().map(|marker| form.place(*marker).0).collect();
            let processes: BTreeSet<_> = threads.iter().map(|thread| profile.thread(*thread).process).collect();
            over_threads += usize::from(threads.len() > 1);
            over_processes += usize::from(processes.len() > 1);
        }
        let reused: Vec<usize> = ids.values().copied().filter(|uses| *uses > 1).collect();
        for (key, found) in [
            ("flows", graph.len()),
            ("distinctIds", ids.len()),
            ("reusedIds", reused.len()),
            ("flowsWhoseIdIsReused", reused.iter().sum()),
            ("flowMarkers", graph.flow_markers()),
            ("uniqueMemberships", graph.memberships()),
            ("flowsSpanningThreads", over_threads),
            ("flowsSpanningProcesses", over_processes),
            ("markersWithParentContext", form.reference_parents().len()),
        ] {
            assert_eq!(json!(found), expected[key], "{key} ({})", form.name);
        }
        let most = &expected["mostReusedId"];
        assert_eq!(json!(graph.with_id(profile, most["id"].as_str().expect("an id")).len()), most["flows"]);
        assert_eq!(
            json!(histogram.into_iter().collect::<Vec<_>>()),
            expected["uniqueMembersHistogram"],
            "{}",
            form.name
        );
        assert!(graph.warnings().list().is_empty(), "{}: {:?}", form.name, graph.warnings());
    }
}

#[test]
fn flow_marker_counts_match_on_every_thread() {
    let (expected, forms) = facts();
    for form in forms {
        let mut counts: BTreeMap<ThreadId, usize> = BTreeMap::new();
        for (id, thread) in form.profile.threads_with_ids() {
            let markers = (0..thread.markers.len()).map(|index| thread.global(LocalMarker::new(index)));
            let count = markers.filter(|marker| !form.graph.flows_of(*marker).is_empty()).count();
            if count > 0 {
                counts.insert(id, count);
            }
        }
        for wanted in list(expected, "flowMarkersPerThread") {
            let found = counts.remove(&thread_of(&form.keys, &wanted[0])).unwrap_or(0);
            assert_eq!(json!(found), wanted[1], "{wanted} ({})", form.name);
        }
        assert!(counts.is_empty(), "{}: threads missing from the reference: {counts:?}", form.name);
    }
}

#[test]
fn members_and_ends_of_flows_match() {
    let (expected, forms) = facts();
    for form in forms {
        let (profile, graph) = (form.profile, &form.graph);
        for wanted in list(expected, "largestFlows") {
            let flow = form.flow(wanted);
            assert_eq!(json!(graph.members(flow).len()), wanted["members"], "{wanted}");
            assert_eq!(Some(graph.range(profile, flow).end), ns(&wanted["endMax"]), "{wanted}");
        }
        let random = list(expected, "randomFlows").iter().chain(list(expected, "randomFlowsWith4OrMoreMembers"));
        for wanted in random {
            let flow = form.flow(wanted);
            assert_eq!(Some(graph.range(profile, flow).end), ns(&wanted["endMax"]), "{wanted}");
            let found = graph.members(flow).iter().map(|marker| {
                let (thread, local) = form.place(*marker);
                let start = profile.thread(thread).markers.start(local);
                (thread, profile.marker_name(thread, local), start)
            });
            let member = |member: &'static Value| {
                let name = member[1].as_str().expect("a name");
                (thread_of(&form.keys, &member[0]), name, ns(&member[2]).expect("a start"))
            };
            assert!(found.eq(list(wanted, "members").iter().map(member)), "{wanted} ({})", form.name);
        }
    }
}

#[test]
fn connection_counts_match() {
    let (expected, forms) = facts();
    let all = &expected["connectionsAllFlows"];
    for form in forms {
        // Incoming and outgoing by the reference's rule, then by Flowline's, then direct: sum, flows with any, maximum.
        let mut sums = [[0; 3]; 5];
        let mut with_both = 0;
        let parents = form.reference_parents();
        for flow in form.graph.iter() {
            let found = form.graph.connections(&[flow]);
            let (incoming, outgoing) = (form.reference_incoming(flow, &parents), form.reference_outgoing(flow));
            assert!(outgoing.iter().all(|other| found.outgoing.contains(other)), "{}: {flow:?}", form.name);
            assert!(found.incoming.iter().all(|other| incoming.contains(other)), "{}: {flow:?}", form.name);
            with_both += usize::from(!incoming.is_empty() && !outgoing.is_empty());
            let ours = [found.incoming.len(), found.outgoing.len(), found.direct.len()];
            for (sum, count) in sums.iter_mut().zip([incoming.len(), outgoing.len()].into_iter().chain(ours)) {
                *sum = [sum[0] + count, sum[1] + usize::from(count > 0), sum[2].max(count)];
            }
        }
        let [incoming, outgoing, ours_in, ours_out, direct] = sums;
        let wanted = |keys: [&str; 3]| json!(keys.map(|key| &all[key]));
        assert_eq!(json!(incoming), wanted(["incoming", "flowsWithIncoming", "maxIncoming"]), "{}", form.name);
        assert_eq!(json!(direct), wanted(["direct", "flowsWithDirect", "maxDirect"]), "{}", form.name);
        assert_eq!(ours_out[0], ours_in[0], "{}: incoming and outgoing flows mirror each other", form.name);
        assert_eq!(json!(outgoing[0]), all["outgoing"], "{}", form.name);
        assert_eq!(json!(with_both), expected["flowsWithBothIncomingAndOutgoing"], "{}", form.name);
        // If the parents differ, the reference's parent does not contain the child.
        let times = |marker: MarkerId| {
            let (thread, local) = form.place(marker);
            let markers = &form.profile.thread(thread).markers;
            (markers.start(local), markers.end(local))
        };
        for (child, parent) in &parents {
            if form.graph.parent(*child) != Some(*parent) {
                assert!(times(*child).1 > times(*parent).1, "{}: {child:?} in {parent:?}", form.name);
            }
        }
        let links = parents.keys().filter(|marker| form.is_reference_child(**marker)).count();
        assert_eq!(json!(links), expected["parentChildLinks"], "{}", form.name);
    }
}

#[test]
fn connected_flows_match() {
    let (expected, forms) = facts();
    for form in forms {
        let parents = form.reference_parents();
        for wanted in list(expected, "connected").iter().chain(list(expected, "connectedWithBoth")) {
            let flow = form.flow(wanted);
            let found = form.graph.connections(&[flow]);
            let lists = [
                ("incoming", form.names(form.reference_incoming(flow, &parents))),
                ("direct", form.names(found.direct)),
                ("outgoing", form.names(form.reference_outgoing(flow))),
            ];
            for (key, found) in lists {
                let context = format!("{key} of {} at {} ({})", wanted["id"], wanted["start"], form.name);
                assert_eq!(json!(found.len()), wanted[key]["count"], "{context}");
                let name = |flow: &Value| {
                    (flow["id"].as_str().expect("an id").to_owned(), ns(&flow["start"]).expect("a start"))
                };
                let listed: BTreeSet<_> = list(&wanted[key], "flows").iter().map(name).collect();
                let found: BTreeSet<_> = found.into_iter().collect();
                // The reference lists at most 300 flows.
                let same = if listed.len() < 300 { listed == found } else { listed.is_subset(&found) };
                assert!(same, "{context}: {found:?}, reference {listed:?}");
            }
        }
    }
}

#[test]
fn both_forms_have_the_same_flows() {
    let (_, [raw, processed]) = facts();
    let described = |form: &'static Form| {
        let key: HashMap<ThreadId, &String> = form.keys.iter().map(|(key, thread)| (*thread, key)).collect();
        let members = move |flow: FlowId| {
            let place = |marker: &MarkerId| {
                let (thread, local) = form.place(*marker);
                (key[&thread], local)
            };
            form.graph.members(flow).iter().map(place).collect::<Vec<_>>()
        };
        form.graph.iter().map(move |flow| {
            (form.graph.id_text(form.profile, flow), form.graph.range(form.profile, flow), members(flow))
        })
    };
    assert!(described(raw).eq(described(processed)));
}

#[test]
fn every_flow_is_found_by_its_name() {
    for form in &facts().1 {
        let (profile, graph) = (form.profile, &form.graph);
        for flow in graph.iter() {
            let name = graph.name(profile, flow);
            let found = graph.find(profile, &FlowName::parse(&name.to_string()));
            // Of uses of one id that start together, only the last one has a unique name.
            let named = graph.next_use(flow).filter(|next| form.start(*next) == form.start(flow)).unwrap_or(flow);
            assert_eq!(found, [named], "{name} ({})", form.name);
        }
    }
}
