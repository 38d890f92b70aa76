//! Layout shifts: clusters, what caused them, and damaged events.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::insights::{InsightName, InsightState, Insights};
use flowline::insights::layout_shifts::{CulpritKind, LayoutShifts, ShiftCulprits};
use flowline::insights::report::{MetricKind, MetricValue, Sections};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::interaction_facts::{data, value};
use crate::recording::read_bytes;

/// An event of the page's process; times are in milliseconds.
fn event(name: &str, phase: &str, ms: f64, args: Value) -> Value {
    json!({"name": name, "ph": phase, "s": "t", "cat": "loading", "pid": 7, "tid": 7, "ts": ms * 1e3, "args": args})
}

fn slice(name: &str, [start, end]: [f64; 2], args: Value) -> Value {
    let mut slice = event(name, "X", start, args);
    slice["dur"] = json!((end - start) * 1e3);
    slice
}

fn shift(ms: f64, score: Value, is_after_input: bool) -> Value {
    let nodes =
        json!([{"debug_name": "IMG id='hero'", "old_rect": [8, 226, 640, 331], "new_rect": [8, 230, 640, "?"]}]);
    let data = json!({"weighted_score_delta": score, "had_recent_input": is_after_input, "impacted_nodes": nodes});
    event("LayoutShift", "I", ms, json!({"frame": "MAIN", "data": data}))
}

fn page(navigations: &[f64]) -> Vec<Value> {
    let frames = json!([{"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}, {"frame": "INNER", "parent": "MAIN", "url": "http://b.test/", "processId": 7,
        "isOutermostMainFrame": false, "isInPrimaryMainFrame": false}]);
    let navigation = |frame: &str, ms: f64| {
        let url = format!("http://{}.test/", frame.to_lowercase());
        let data = json!({"navigationId": format!("{frame}{ms}"), "documentLoaderURL": url});
        event("navigationStart", "R", ms, json!({"frame": frame, "data": data}))
    };
    let mut events = vec![event("TracingStartedInBrowser", "I", 0.0, json!({"data": {"frames": frames}}))];
    events.extend(navigations.iter().map(|ms| navigation("MAIN", *ms)));
    events.push(navigation("INNER", 2_001.0));
    events
}

fn index(events: Vec<Value>) -> Index {
    let text = json!({"traceEvents": events}).to_string().into_bytes();
    Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack)
}

/// Clusters: start and end in milliseconds, number of shifts, navigation.
fn clusters(index: &Index) -> Vec<(f64, f64, usize, Option<u32>)> {
    let all = LayoutShifts::of(index).clusters().iter();
    all.map(|own| (own.times.start.as_ms(), own.times.end.as_ms(), own.shifts.len(), own.navigation)).collect()
}

/// Chrome before version 90 states no weighted scores.
#[test]
fn shifts_without_a_weight_count_only_in_the_main_frame() {
    let old = |ms: f64, score: f64, is_main: bool| {
        let data = json!({"score": score, "had_recent_input": false, "is_main_frame": is_main});
        event("LayoutShift", "I", ms, json!({"frame": if is_main { "MAIN" } else { "INNER" }, "data": data}))
    };
    let of = |shifts: Vec<Value>| index(page(&[1_000.0]).into_iter().chain(shifts).collect());
    let state = |index: &Index| {
        let list = Insights::of(index).list();
        let own = list.iter().find(|own| own.name == InsightName::ClsCulprits && own.navigation == Some(0));
        let finding = &own.expect("the insight").finding;
        assert!(finding.state != InsightState::Unknown || !finding.unknown.is_empty(), "a reason");
        finding.state
    };
    let main = of(vec![old(2_000.0, 0.05, true), old(2_100.0, 0.01, true)]);
    let score = LayoutShifts::of(&main).score(Some(0)).expect("a score");
    assert!((score - 0.06).abs() < 1e-9, "{score}");
    assert_eq!(state(&main), InsightState::Informative);
    let inner = of(vec![old(2_000.0, 0.4, false)]);
    let all = LayoutShifts::of(&inner);
    assert_eq!((all.shifts().len(), all.clusters().len(), all.dropped().count()), (1, 1, 0));
    assert_eq!(all.score(Some(0)), None);
    assert!(all.unknown(Some(0)).is_some_and(|reason| reason.contains("no weight")));
    assert_eq!(state(&inner), InsightState::Unknown);
    let both = of(vec![old(2_000.0, 0.4, false), old(2_100.0, 0.2, true)]);
    assert_eq!((LayoutShifts::of(&both).score(Some(0)), state(&both)), (None, InsightState::Fail), "at least 0.2");
}

#[test]
fn a_cluster_ends_by_a_gap_by_its_length_and_by_a_navigation() {
    let mut events = page(&[1_000.0, 20_000.0, 30_000.0]);
    events.push(event("End", "I", 60_000.0, json!({})));
    events.push(shift(500.0, json!(0.01), false));
    for at in 0..7 {
        events.push(shift(2_000.0 + 900.0 * f64::from(at), json!(0.02), false));
    }
    events.push(shift(9_500.0, json!(0.3), true));
    events.push(shift(10_000.0, json!(0.05), false));
    events.push(shift(11_000.0, json!(0.05), false));
    events.push(shift(19_800.0, json!(0.05), false));
    events.push(shift(20_000.0, json!(0.05), false));
    events.push(shift(20_100.0, json!(0.05), false));
    events.push(shift(29_900.0, json!(0.0), false));
    let index = index(events);
    let expected = [
        (500.0, 1_000.0, 1, None),
        (2_000.0, 7_000.0, 6, Some(0)),
        (7_400.0, 8_400.0, 1, Some(0)),
        (10_000.0, 12_000.0, 2, Some(0)),
        // A navigation at the time of a shift does not lie before it.
        (19_800.0, 20_000.0, 2, Some(0)),
        (20_100.0, 21_100.0, 1, Some(1)),
        (29_900.0, 30_000.0, 1, Some(1)),
    ];
    assert_eq!(clusters(&index), expected);
    let all = LayoutShifts::of(&index);
    let after_input: Vec<_> = all.shifts().iter().filter(|shift| shift.is_after_input).collect();
    assert_eq!((after_input.len(), after_input[0].cluster, after_input[0].navigation), (1, None, Some(0)));
    assert_eq!(all.score(Some(2)), Some(0.0), "no shifts, but they are recorded");
    assert!((all.score(Some(0)).expect("a score") - 0.12).abs() < 1e-9);
    let nodes = &all.shifts()[0].nodes;
    assert_eq!(
        (nodes[0].name.as_str(), nodes[0].old, nodes[0].new),
        ("IMG id='hero'", Some([8.0, 226.0, 640.0, 331.0]), None)
    );
    let state = |navigation| data(&index, InsightName::ClsCulprits, navigation).0.finding.state;
    let found = [None, Some(0), Some(1), Some(2)].map(state);
    let (fail, informative) = (InsightState::Fail, InsightState::Informative);
    assert_eq!(found, [informative, fail, informative, InsightState::Pass]);
}

#[test]
fn scores_are_unknown_where_shifts_are_not_recorded() {
    let task =
        json!({"name": "RunTask", "ph": "X", "cat": "toplevel", "pid": 7, "tid": 7, "ts": 0, "dur": 5, "args": {}});
    let index = index(vec![task]);
    assert_eq!(LayoutShifts::of(&index).score(None), None);
    let (own, _) = data(&index, InsightName::ClsCulprits, None);
    assert_eq!(own.finding.state, InsightState::Unknown);
    assert!(own.finding.unknown[0].contains("loading"), "{:?}", own.finding.unknown);
}

/// A page on which everything that can move its layout happens before the third `PrePaint`.
fn culprits() -> Index {
    let mut events = page(&[100.0]);
    let font = |id: &str, mime: &str, start: f64, end: f64| {
        let event = |name: &str, ms: f64, data: Value| event(name, "I", ms, json!({"data": data}));
        let url = format!("http://a.test/{id}.woff2");
        [
            event("ResourceSendRequest", start, json!({"requestId": id, "url": url, "resourceType": "Font"})),
            event("ResourceReceiveResponse", end - 1.0, json!({"requestId": id, "mimeType": mime, "statusCode": 200})),
            event("ResourceFinish", end, json!({"requestId": id, "finishTime": end / 1e3})),
        ]
    };
    let animation = |id: &str, phase: &str, ms: f64, data: Value| {
        json!({"name": "Animation", "ph": phase, "cat": "a", "pid": 7, "tid": 7, "ts": ms * 1e3, "id2": {"local": id},
            "args": {"data": data}})
    };
    let paint = |node: i64, start: f64| {
        slice("PaintImage", [start, start + 1.0], json!({"data": {"nodeId": node, "url": "http://a.test/late.png"}}))
    };
    for start in [1_000.0, 2_000.0, 3_000.0, 4_000.0] {
        events.push(slice("PrePaint", [start, start + 10.0], json!({})));
    }
    for ms in [1_005.0, 2_500.0, 3_000.0, 3_010.0, 4_005.0] {
        events.push(shift(ms, json!(0.05), false));
    }
    events.extend(font("near", "font/woff2", 150.0, 2_600.0));
    events.extend(font("far", "font/woff2", 150.0, 2_400.0));
    events.extend(font("text", "text/plain", 150.0, 2_700.0));
    events.extend(font("before", "font/woff2", 150.0, 1_900.0));
    events.push(slice("RenderFrameImpl::createChildFrame", [2_000.5, 2_002.0], json!({})));
    events.push(event("domLoading", "R", 2_001.0, json!({"frame": "INNER"})));
    events.push(slice("RenderFrameImpl::createChildFrame", [2_300.0, 2_301.0], json!({})));
    let running = json!({"displayName": "grow"});
    for (id, failed) in [("0x1", 8224), ("0x2", 0)] {
        events.push(animation(id, "b", 500.0, running.clone()));
        events.push(animation(id, "n", 600.0, json!({"compositeFailed": failed, "unsupportedProperties": ["top"]})));
        events.push(animation(id, "e", 2_900.0, json!({})));
    }
    events.push(event("LayoutImageUnsized", "I", 900.0, json!({"data": {"nodeId": 5}})));
    events.extend([paint(6, 1_020.0), paint(5, 3_020.0), paint(6, 3_030.0)]);
    index(events)
}

#[test]
fn culprits_are_what_changed_right_before_a_shift() {
    let index = culprits();
    let (shifts, culprits) = (LayoutShifts::of(&index), ShiftCulprits::of(&index));
    let names = |at: usize| -> Vec<(CulpritKind, &str)> {
        culprits.of_shift(at).iter().map(|culprit| (culprit.kind, culprit.name.as_str())).collect()
    };
    let all = vec![
        (CulpritKind::Font, "http://a.test/near.woff2"),
        (CulpritKind::Iframe, "http://inner.test/"),
        (CulpritKind::Animation, "grow"),
        (CulpritKind::UnsizedImage, "http://a.test/late.png"),
    ];
    assert_eq!(shifts.shifts().len(), 5);
    assert_eq!([0, 1, 4].map(names), [vec![], vec![], vec![]], "nothing changed, or no PrePaint contains the shift");
    assert_eq!([2, 3].map(names), [all.clone(), all], "the ends of a PrePaint are part of it");
    let animation = &culprits.of_shift(2)[2];
    let reasons = ["TARGET_HAS_INVALID_COMPOSITING_STATE", "UNSUPPORTED_CSS_PROPERTY"];
    assert_eq!(
        (animation.reasons.as_slice(), animation.properties.as_slice()),
        (&reasons[..], &["top".to_owned()][..])
    );
    let (own, facts) = data(&index, InsightName::ClsCulprits, Some(0));
    assert_eq!(value(&facts, "shifts")[2]["unsized_images"], json!([{"node": 5, "url": "http://a.test/late.png"}]));
    assert_eq!(own.finding.markers.len(), 5 + 4);
    let expected = "CLS 0.200 from 4 shifts: font near.woff2, inserted frame inner.test, animation grow";
    assert_eq!(own.finding.summary, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn every_shift_is_in_one_cluster_or_excused(
        made in prop::collection::vec((0_u16..20_000, 0_u8..8, 0_u8..10), 0..60),
        navigations in prop::collection::vec(0_u16..20_000, 0..4),
    ) {
        let mut events = page(&navigations.iter().map(|ms| f64::from(*ms)).collect::<Vec<_>>());
        let mut damaged = 0;
        for (ms, score, kind) in &made {
            let score = match kind {
                9 => json!("much"),
                8 => json!(-1),
                _ => json!(f64::from(*score) / 100.0),
            };
            damaged += u32::from(*kind >= 8);
            events.push(shift(f64::from(*ms), score, *kind == 7));
            events.push(slice("PrePaint", [f64::from(*ms), f64::from(*ms) + 2.0], json!(null)));
            events.push(event("LayoutImageUnsized", "I", f64::from(*ms), json!({"data": kind})));
        }
        let index = index(events);
        let (all, end) = (LayoutShifts::of(&index), index.profile().meta.range.end);
        prop_assert_eq!(all.dropped().count(), damaged);
        let mut seen = vec![0; all.shifts().len()];
        for (number, cluster) in all.clusters().iter().enumerate() {
            let sum: f64 = cluster.shifts.iter().map(|at| all.shifts()[*at].score).sum();
            prop_assert!((cluster.score - sum).abs() < 1e-9);
            prop_assert!(cluster.times.end <= end.max(cluster.times.start) && cluster.times.len() <= 5_000_000_000);
            prop_assert!(cluster.shifts.contains(&cluster.worst));
            for at in &cluster.shifts {
                let shift = &all.shifts()[*at];
                prop_assert!(cluster.times.start <= shift.time && shift.time <= cluster.times.end);
                prop_assert_eq!(shift.cluster, Some(number));
                prop_assert!(index.profile().locate(shift.marker).is_some());
                seen[*at] += 1;
            }
        }
        for (shift, count) in all.shifts().iter().zip(seen) {
            prop_assert_eq!(count, i32::from(!shift.is_after_input));
        }
        let ordered = all.clusters().windows(2).all(|pair| pair[0].times.end <= pair[1].times.start);
        prop_assert!(ordered, "{:?}", all.clusters());
        prop_assert!(Insights::of(&index).list().iter().any(|own| own.name == InsightName::ClsCulprits));
    }
}

#[test]
fn a_score_says_why_a_greater_shift_does_not_count() {
    let note = |events: Vec<Value>, navigation: Option<u32>| {
        let index = index(events);
        let sections = Sections::of(&index).list();
        let own = sections.iter().find(|own| own.navigation == navigation).expect("a section");
        let cls = own.metric(MetricKind::Cls).expect("a figure").clone();
        (cls.value, cls.note)
    };
    let mut events = page(&[1_000.0, 20_000.0]);
    events.extend([shift(2_000.0, json!(0.701), true), shift(3_000.0, json!(0.01), true)]);
    let text = "2 shifts of up to 0.701 followed inputs and do not count";
    assert_eq!(note(events.clone(), Some(0)), (Some(MetricValue::Score(0.0)), text.to_owned()));
    events.push(shift(21_000.0, json!(0.2), false));
    assert_eq!(note(events.clone(), Some(1)), (Some(MetricValue::Score(0.2)), String::new()), "its own shift counts");
    let text = "1 shift of 0.200 belongs to another navigation";
    let mut other = page(&[1_000.0, 20_000.0]);
    other.push(shift(21_000.0, json!(0.2), false));
    assert_eq!(note(other, Some(0)), (Some(MetricValue::Score(0.0)), text.to_owned()));
}
