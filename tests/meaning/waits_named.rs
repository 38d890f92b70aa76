//! Names of blockers: tasks use the name of the posted function, message loops are skipped, network waits are network.

use std::sync::Arc;

use flowline::import::{self, Progress};
use flowline::index::flows::{FlowRules, RuleMatcher};
use flowline::index::network::PhaseKind;
use flowline::index::waits::{CriticalPath, PathKind, PathOptions, blocking};
use flowline::index::{Arrangement, Index};
use flowline::profile::{MarkerId, Ns, ThreadId, TimeRange};

use crate::recording::flows::name_of;

fn trace(events: &str) -> Index {
    let profile = import::read(format!("[{events}]").into_bytes(), &Progress::default()).expect("a trace").profile;
    Index::build(Arc::new(profile), Arrangement::Stack)
}

/// Two tasks with the same name inside a message loop, and a time without tasks.
const TASKS: &str = r#"
    {"ph":"X","name":"RunLoop::Run","pid":1,"tid":1,"ts":0,"dur":1000},
    {"ph":"X","name":"RunTask","pid":1,"tid":1,"ts":100,"dur":300,"args":{"src_file":"cc/raster/tiles.cc","src_func":"FinishDecode"}},
    {"ph":"X","name":"RunTask","pid":1,"tid":1,"ts":400,"dur":100,"args":{"src_file":"base/timer.cc","src_func":"OnTimer"}},
    {"ph":"X","name":"RunTask","pid":1,"tid":1,"ts":600,"dur":50,"args":{"src_file":"cc/raster/tiles.cc","src_func":"FinishDecode"}},
    {"ph":"X","name":"RunTask","pid":1,"tid":1,"ts":700,"dur":20}"#;

#[test]
fn blockers_are_named_by_posted_function_and_loops_are_no_blockers() {
    let index = trace(TASKS);
    let profile = index.profile();
    let at = |us: i64| profile.time_zero() + Ns(us * 1_000);
    let found = blocking(&index, ThreadId(0), TimeRange { start: at(50), end: at(900) }).expect("a thread");
    let blockers: Vec<(String, i64, usize)> =
        found.blockers.iter().map(|blocker| (blocker.text(profile), blocker.ns / 1_000, blocker.count)).collect();
    let expected = [("RunTask FinishDecode", 350, 2), ("RunTask OnTimer", 100, 1), ("RunTask", 20, 1)];
    assert_eq!(blockers, expected.map(|(text, us, count)| (text.to_owned(), us, count)));
    assert_eq!((found.idle, found.unknown / 1_000), (0, 380));
}

#[test]
fn flows_of_traces_are_named_by_the_posted_function() {
    let index = trace(
        r#"{"ph":"X","name":"Work","pid":1,"tid":1,"ts":0,"dur":50},
           {"ph":"s","name":"PostTask","cat":"c","id":1,"pid":1,"tid":1,"ts":10},
           {"ph":"X","name":"RunTask","pid":1,"tid":2,"ts":100,"dur":20,"args":{"src_file":"cc/raster/tiles.cc","src_func":"FinishDecode"}},
           {"ph":"f","bp":"e","name":"PostTask","cat":"c","id":1,"pid":1,"tid":2,"ts":100},
           {"ph":"s","name":"Send message","cat":"c","id":2,"pid":1,"tid":1,"ts":20},
           {"ph":"X","name":"Receive message","pid":1,"tid":2,"ts":200,"dur":9,"args":{"chrome_mojo_event_info":{"mojo_interface_tag":"blink.mojom.Widget"}}},
           {"ph":"f","bp":"e","name":"Send message","cat":"c","id":2,"pid":1,"tid":2,"ts":200},
           {"ph":"s","name":"Plain","cat":"c","id":3,"pid":1,"tid":1,"ts":30},
           {"ph":"f","bp":"e","name":"Plain","cat":"c","id":3,"pid":1,"tid":2,"ts":105}"#,
    );
    let (profile, graph) = (index.profile(), index.flows());
    let rules = RuleMatcher::new(FlowRules::built_in(), profile);
    let mut named: Vec<(String, String)> = graph
        .iter()
        .map(|flow| {
            let label = rules.appearance(profile, graph, index.source().styles, flow).label;
            (label, rules.type_of(profile, graph, flow))
        })
        .collect();
    named.sort();
    let expected = [
        ("Plain: FinishDecode", "cc/raster/tiles::FinishDecode"),
        ("PostTask: FinishDecode", "cc/raster/tiles::FinishDecode"),
        ("Send message: blink.mojom.Widget", "blink.mojom.Widget"),
    ];
    assert_eq!(named, expected.map(|(label, kind)| (label.to_owned(), kind.to_owned())));
}

#[test]
fn a_wait_for_a_response_is_a_network_segment() {
    let index = crate::support::example();
    let profile = index.profile();
    let all = (0..profile.marker_count()).map(MarkerId::new);
    let is_load = |marker: &MarkerId| {
        let (thread, local) = profile.locate(*marker).expect("a marker");
        let payload = profile.payload(thread, local);
        let url = payload.get("url").and_then(|url| url.as_str()).unwrap_or_default();
        name_of(profile, *marker) == "load" && url.ends_with("aurora-hero-3840.jpg")
    };
    let load = all.into_iter().find(is_load).expect("the image's load event");
    let path = CriticalPath::to_marker(&index, load, PathOptions::default());
    let total = |kind: PathKind| {
        path.segments.iter().filter(move |segment| segment.kind == kind).map(|segment| segment.range.len())
    };
    // The server took 1,049 ms to answer. The socket thread is not reported as a blocker for that.
    let longest = total(PathKind::Network).max().expect("a network segment");
    assert!((1_040_000_000..1_060_000_000).contains(&longest), "{longest}");
    let segment = path.segments.iter().max_by_key(|segment| segment.range.len()).expect("a segment");
    let phases = segment.phases(&index);
    let waiting = phases.iter().find(|(kind, _)| *kind == PhaseKind::Waiting).expect("it waited for the first byte");
    assert!(waiting.1 > 1_040_000_000, "{phases:?}");
    assert_eq!(phases.iter().map(|(_, ns)| ns).sum::<i64>(), longest, "{phases:?}");
    let on_sockets = |thread: ThreadId| profile.thread(thread).name == "Socket Thread";
    let long_wait = |at: &&flowline::index::waits::PathSegment| {
        at.kind == PathKind::Wait && on_sockets(at.thread) && at.range.len() > 5_000_000 && at.blocking.is_some()
    };
    assert_eq!(path.segments.iter().find(long_wait), None);
    let covered: i64 = path.segments.iter().map(|segment| segment.range.len()).sum();
    assert_eq!(covered, path.range().len());
}
