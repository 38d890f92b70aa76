//! Insights and milestones of navigations of Chrome, on a small page load with facts by hand, and their properties on damaged
//! and random traces.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::insights::{Fact, Finding, InsightName, InsightState, Insights, fact};
use flowline::insights::page_load::{Milestone, MilestoneKind, Milestones};
use flowline::profile::Ns;
use serde_json::{Value, json};

use crate::insight_facts::{check, check_milestones};
use crate::recording::read_bytes;

const PAGE: &str = include_str!("../../fixtures/cases/page.json");
const FACTS: &str = include_str!("../../fixtures/cases/page.insights.expected.json");

fn index(text: Vec<u8>) -> Option<Index> {
    Some(Index::build(Arc::new(read_bytes(text).ok()?), Arrangement::Stack))
}

fn page() -> Vec<Value> {
    let page: Value = serde_json::from_str(PAGE).expect("JSON");
    page["traceEvents"].as_array().expect("events").clone()
}

fn of_events(events: &[Value]) -> Index {
    index(json!({"traceEvents": events}).to_string().into_bytes()).expect("a trace")
}

fn finding(index: &Index, name: InsightName, navigation: u32) -> &Finding {
    let own = Insights::of(index).list().iter().find(|own| own.name == name && own.navigation == Some(navigation));
    &own.expect("the insight").finding
}

fn largest(index: &Index) -> Vec<&Milestone> {
    let all = Milestones::of(index).all().iter();
    all.filter(|own| own.kind == MilestoneKind::LargestContentfulPaint && own.time.is_some()).collect()
}

fn event(name: &str, us: i64, args: &Value) -> Value {
    json!({"name": name, "ph": "I", "cat": "loading", "pid": 7, "tid": 7, "ts": us, "args": args})
}

/// Checks that all markers of insights exist, and that the parts of the largest paint add up.
fn check_properties(index: &Index) {
    for own in Insights::of(index).list() {
        let finding = &own.finding;
        for marker in finding.markers.iter().chain(&finding.late) {
            assert!(index.profile().locate(*marker).is_some(), "{:?} refers to {marker:?}", own.name);
        }
        assert!(finding.range.is_none_or(|range| range.start <= range.end), "{:?}: {:?}", own.name, finding.range);
        assert!(finding.state != InsightState::Unknown || !finding.unknown.is_empty(), "{:?} says why", own.name);
        let part = |name| match fact(&finding.data, name) {
            Some(Fact::Duration(time)) => Some(time.0),
            _ => None,
        };
        if own.name != InsightName::LcpBreakdown || !finding.unknown.is_empty() || part("ttfb_ns").is_none() {
            continue;
        }
        let parts = ["ttfb_ns", "load_delay_ns", "load_duration_ns", "render_delay_ns"];
        let sum: i64 = parts.into_iter().filter_map(part).sum();
        assert_eq!(Some(sum), part("lcp_ns"));
    }
}

#[test]
fn the_small_page_has_its_facts() {
    let index = index(PAGE.as_bytes().to_vec()).expect("a trace");
    let expected: Value = serde_json::from_str(FACTS).expect("JSON");
    let (mut same, mut differences) = (0, Vec::new());
    let facts = expected["insights"].as_array().expect("insights");
    check(&index, "page", facts, (&mut same, &mut differences));
    check_milestones(&index, "page", &expected["milestones"], (&mut same, &mut differences));
    assert!(differences.is_empty(), "{same} agree, but {differences:#?}");
    assert!(same > 100, "{same}");
    check_properties(&index);
    let summary = &finding(&index, InsightName::LcpBreakdown, 0).summary;
    assert_eq!(summary, "1.300 s: 753.00 ms server, 12.00 ms wait, 435.00 ms download, 100.00 ms to the screen");
}

#[test]
fn a_largest_paint_is_final_after_an_input() {
    let so_far = |events: &[Value]| -> Vec<bool> {
        let index = of_events(events);
        largest(&index).iter().map(|own| own.is_so_far).collect()
    };
    let mut events = page();
    assert_eq!(so_far(&events), [false, true], "the second navigation ends with the recording");
    events.push(event("EventDispatch", 6_300_000, &json!({"data": {"type": "mousemove"}})));
    assert_eq!(so_far(&events), [false, true], "moving a pointer is no input");
    events.push(event("EventDispatch", 6_300_000, &json!({"data": {"type": "keydown"}})));
    assert_eq!(so_far(&events), [false, false]);
}

#[test]
fn a_page_that_was_committed_out_of_sight_is_prerendered() {
    let committed = |is_primary: bool| {
        let data =
            json!({"frame": "MAIN", "processId": 7, "isOutermostMainFrame": true, "isInPrimaryMainFrame": is_primary});
        let mut events = page();
        events.push(event("FrameCommittedInBrowser", 6_000_500, &json!({"data": data})));
        let index = of_events(&events);
        largest(&index).iter().map(|own| own.is_prerendered).collect::<Vec<bool>>()
    };
    assert_eq!(committed(true), [false, false]);
    assert_eq!(committed(false), [false, true]);
}

#[test]
fn a_soft_navigation_has_only_its_largest_paint() {
    let mut events = page();
    let context = json!({"performanceTimelineNavigationId": 5, "URL": "http://shop.test/soft", "firstContentfulPaint": 6_600_000});
    events.push(event("SoftNavigationStart", 6_500_000, &json!({"frame": "MAIN", "context": context})));
    let data = json!({"performanceTimelineNavigationId": 5, "candidateIndex": 1});
    events.push(event("largestContentfulPaint::CandidateForSoftNavigation", 6_700_000, &json!({"data": data})));
    let index = of_events(&events);
    let breakdown = finding(&index, InsightName::LcpBreakdown, 2);
    assert_eq!(fact(&breakdown.data, "lcp_ns"), Some(&Fact::Duration(Ns(200_000_000))));
    assert_eq!(fact(&breakdown.data, "ttfb_ns"), Some(&Fact::Unknown));
    let others = [
        InsightName::LcpDiscovery,
        InsightName::RenderBlocking,
        InsightName::NetworkDependencyTree,
        InsightName::DocumentLatency,
        InsightName::CharacterSet,
    ];
    let all = Insights::of(&index).list();
    assert!(!all.iter().any(|own| own.navigation == Some(2) && others.contains(&own.name)));
    assert!(all.iter().any(|own| own.navigation == Some(2) && own.name == InsightName::ModernHttp));
}

#[test]
fn a_paint_without_navigation_id_says_so() {
    let mut events = page();
    for paint in events.iter_mut().filter(|own| own["name"] == "firstPaint") {
        paint["args"]["data"].as_object_mut().expect("data").remove("navigationId");
    }
    let index = of_events(&events);
    let blocking = finding(&index, InsightName::RenderBlocking, 0);
    assert_eq!(
        (blocking.state, &*blocking.unknown),
        (InsightState::Unknown, &["firstPaint has no navigation id".into()][..])
    );
}

#[test]
fn many_navigations_and_long_chains_stay_cheap() {
    let mut events = page();
    for number in 0..3_000_i64 {
        let us = 8_000_000 + number * 10;
        let data = json!({"navigationId": format!("more{number}"), "documentLoaderURL": "http://shop.test/"});
        events.push(event("navigationStart", us, &json!({"frame": "MAIN", "data": data})));
    }
    let send = |number: i64| {
        let parent = if number == 0 {
            "http://shop.test/page.html".into()
        } else {
            format!("http://shop.test/{}.js", number - 1)
        };
        let data = json!({"requestId": format!("8.{number}"), "frame": "MAIN", "url": format!("http://shop.test/{number}.js"),
            "resourceType": "Script", "priority": "High", "initiator": {"type": "parser", "url": parent}});
        event("ResourceSendRequest", 2_500_000 + number, &json!({"data": data}))
    };
    events.extend((0..2_000).map(send));
    let index = of_events(&events);
    check_properties(&index);
    let tree = finding(&index, InsightName::NetworkDependencyTree, 0);
    let Some(Fact::List(chains)) = fact(&tree.data, "chains") else { panic!("chains") };
    let length = |chain: &Fact| if let Fact::List(links) = chain { links.len() } else { 0 };
    assert_eq!(chains.iter().map(length).max(), Some(2_001), "the document and all scripts");
}

#[test]
fn damaged_and_random_traces_have_insights_without_panics() {
    let mut random = fastrand::Rng::with_seed(46);
    let events = page();
    for _ in 0..60 {
        let mut text = PAGE.as_bytes().to_vec();
        for _ in 0..random.usize(1..30) {
            let at = random.usize(..text.len());
            text[at] = *random.choice(b"0123456789-\"{}[],:eE.xNAV").expect("bytes");
        }
        index(text).iter().for_each(check_properties);
        let mut events = events.clone();
        random.shuffle(&mut events);
        events.truncate(random.usize(1..=events.len()));
        for own in &mut events {
            if random.u8(..4) == 0 {
                own["ts"] = json!(*random.choice(&[0, 1, 1_500_000, i64::MAX / 1_000, -5]).expect("times"));
            }
            if random.u8(..4) == 0 {
                let odd =
                    [Value::Null, json!([]), json!({"data": 5}), json!({"data": {"timing": {"requestTime": 1e300}}})];
                own["args"] = random.choice(&odd).expect("arguments").clone();
            }
            if random.u8(..4) == 0 {
                own["pid"] = json!(random.u8(1..9));
            }
        }
        let text = json!({"traceEvents": events}).to_string().into_bytes();
        index(text).iter().for_each(check_properties);
    }
}
