//! Interactions: their parts, which of them count, and damaged events.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::insights::{InsightName, InsightState};
use flowline::insights::interactions::{Interaction, InteractionCategory, Interactions};
use flowline::insights::page_load::PageId;
use flowline::profile::Ns;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::interaction_facts::{data, value};
use crate::recording::{self, Recording, Track, interval, read_bytes};

/// The page's clock is this many milliseconds ahead of the trace.
const AHEAD: f64 = 1_000.0;

/// An event of an interaction, in milliseconds: start, handlers, end.
fn timing(kind: &str, id: i64, [start, first, last, end]: [f64; 4]) -> [Value; 2] {
    event(kind, (id, 7, &format!("{kind}{start}")), [start, first, last, end])
}

fn event(kind: &str, (id, pid, key): (i64, u32, &str), [start, first, last, end]: [f64; 4]) -> [Value; 2] {
    let data = json!({"type": kind, "interactionId": id, "timeStamp": start + AHEAD, "processingStart": first + AHEAD,
        "processingEnd": last + AHEAD, "duration": end - start, "frame": "MAIN",
        "enqueuedToMainThreadTime": start + 1.0 + AHEAD, "commitFinishTime": last + 1.0 + AHEAD});
    half("b", pid, key, start, json!({"data": data}))
        .into_iter()
        .chain([half("e", pid, key, end, json!({})).remove(0)])
        .collect::<Vec<_>>()
        .try_into()
        .expect("two halves")
}

fn half(phase: &str, pid: u32, key: &str, ms: f64, args: Value) -> Vec<Value> {
    vec![json!({"name": "EventTiming", "ph": phase, "cat": "devtools.timeline", "id": key, "pid": pid, "tid": pid,
        "ts": ms * 1e3, "args": args})]
}

fn page(navigations: &[f64]) -> Vec<Value> {
    let frames = json!([{"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let started = json!({"name": "TracingStartedInBrowser", "ph": "I", "s": "t", "pid": 1, "tid": 1, "ts": 0, "cat": "x",
        "args": {"data": {"frames": frames}}});
    let navigation = |ms: &f64| {
        let data = json!({"navigationId": ms.to_string(), "documentLoaderURL": "http://a.test/"});
        json!({"name": "navigationStart", "ph": "R", "pid": 7, "tid": 7, "ts": ms * 1e3, "cat": "x",
            "args": {"frame": "MAIN", "data": data}})
    };
    [started].into_iter().chain(navigations.iter().map(navigation)).collect()
}

fn index(events: Vec<Value>) -> Index {
    let text = json!({"traceEvents": events}).to_string().into_bytes();
    Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack)
}

fn ms(own: &Interaction) -> [f64; 4] {
    let end = own.end.expect("an end");
    [own.start, own.processing_start, own.processing_end, end].map(Ns::as_ms)
}

#[test]
fn the_first_event_of_a_paint_stands_for_the_others() {
    let mut events = page(&[100.0]);
    events.extend(timing("pointerdown", 5, [200.0, 210.0, 220.0, 500.0]));
    events.extend(timing("click", 5, [230.0, 240.0, 400.0, 500.0]));
    events.extend(timing("pointerup", 5, [229.0, 205.0 + 30.0, 236.0, 500.0]));
    events.extend(timing("keydown", 6, [210.0, 410.0, 420.0, 500.0]));
    events.extend(timing("pointerover", 0, [100.0, 110.0, 120.0, 900.0]));
    events.extend(timing("click", 8, [600.0, 610.0, 620.0, 600.5]));
    let index = index(events);
    let all = Interactions::of(&index);
    let shown: Vec<_> = all.list().iter().map(|own| (own.event.as_str(), own.is_nested)).collect();
    assert_eq!(shown, [("pointerdown", false), ("keydown", false), ("pointerup", true), ("click", true)]);
    assert_eq!(ms(&all.list()[0]), [200.0, 210.0, 400.0, 500.0], "the handlers of all");
    assert_eq!(ms(&all.list()[3]), [230.0, 240.0, 400.0, 500.0], "a nested one keeps its own times");
    assert_eq!(all.list()[0].page, PageId::Frame("MAIN".to_owned()));
    assert_eq!(all.list()[1].category, InteractionCategory::Keyboard);
    assert_eq!(all.list()[0].queued, Some(Ns(201_000_000)));
    assert_eq!(all.list()[0].committed, None, "it lies within the handlers of the others");
    assert_eq!(all.list()[3].committed, Some(Ns(401_000_000)));
    assert_eq!(all.dropped().count(), 0);
    let (inp, facts) = data(&index, InsightName::InpBreakdown, Some(0));
    assert_eq!(inp.finding.state, InsightState::Fail);
    assert_eq!((value(&facts, "type"), value(&facts, "inp_ns")), (json!("pointerdown"), json!(300_000_000)));
    assert_eq!(inp.finding.late, Some(all.list()[0].marker));
}

#[test]
fn one_of_fifty_interactions_is_skipped() {
    for (count, skipped) in [(1, 0), (49, 0), (50, 1), (99, 1), (100, 2), (600, 9)] {
        let mut events = page(&[1.0]);
        for at in 0..count {
            let start = 10.0 + f64::from(at) * 1_000.0;
            let id = i64::from(at) + 1;
            events.extend(timing("click", id, [start, start + 1.0, start + 2.0, start + 10.0 + f64::from(at)]));
            // A shorter one of the same interaction does not count.
            events.extend(timing("pointerdown", id, [start + 0.5, start + 1.0, start + 2.0, start + 9.0]));
        }
        let index = index(events);
        let inp = Interactions::of(&index).inp(Some(0)).expect("an interaction");
        let expected = 10.0 + f64::from(count - 1 - skipped);
        assert_eq!(inp.length().map(Ns::as_ms), Some(expected), "of {count}");
    }
}

#[test]
fn interactions_belong_to_the_navigation_in_which_they_begin() {
    let mut events = page(&[100.0, 1_000.0]);
    events.extend(timing("click", 1, [50.0, 55.0, 60.0, 70.0]));
    events.extend(timing("click", 2, [900.0, 910.0, 950.0, 1_150.0]));
    let index = index(events);
    let navigations: Vec<_> = Interactions::of(&index).list().iter().map(|own| own.navigation).collect();
    assert_eq!(navigations, [None, Some(0)]);
    let state = |navigation| data(&index, InsightName::InpBreakdown, navigation).0.finding;
    assert_eq!(state(None).state, InsightState::Informative);
    assert_eq!(state(Some(0)).state, InsightState::Fail);
    assert_eq!(state(Some(1)).unknown, ["no interaction recorded"]);
}

#[test]
fn ids_are_those_of_a_process() {
    let mut events = page(&[1.0]);
    events.push(json!({"name": "RunTask", "ph": "X", "cat": "x", "pid": 8, "tid": 8, "ts": 5, "dur": 5, "args": {}}));
    events.extend(event("click", (3, 7, "0x1"), [100.0, 110.0, 120.0, 180.0]));
    events.extend(event("keydown", (4, 8, "0x1"), [150.0, 160.0, 170.0, 300.0]));
    let index = index(events);
    let all = Interactions::of(&index);
    let found: Vec<_> = all.list().iter().map(|own| (own.event.as_str(), ms(own)[3])).collect();
    assert_eq!(found, [("click", 180.0), ("keydown", 300.0)]);
    let pid = |own: &Interaction| index.profile().process_of(own.thread).pid.to_string();
    assert_eq!(all.list().iter().map(pid).collect::<Vec<_>>(), ["7", "8"]);
    assert_eq!(all.dropped().count(), 0);
}

/// The id of an event stands for the input, so the end of another event of this input tells the paint.
#[test]
fn the_end_of_another_event_of_an_input_replaces_a_missing_one() {
    let mut events = page(&[1.0]);
    events.extend(event("click", (3, 7, "0x1"), [100.0, 110.0, 120.0, 180.0]).into_iter().take(1));
    events.extend(event("click", (0, 7, "0x1"), [100.0, 110.0, 120.0, 190.0]));
    // Without any end, the paint is not recorded.
    events.extend(event("keydown", (4, 7, "0x2"), [300.0, 310.0, 320.0, 380.0]).into_iter().take(1));
    let index = index(events);
    let all = Interactions::of(&index);
    let found: Vec<_> = all.list().iter().map(|own| (own.event.as_str(), ms(own))).collect();
    assert_eq!(found, [("click", [100.0, 110.0, 120.0, 190.0])]);
    assert_eq!(all.inp(Some(0)).map(|own| own.id), Some(Some(3)));
    assert_eq!(all.dropped().count(), 1);
}

#[test]
fn damaged_events_are_left_out_and_counted() {
    let mut events = page(&[1.0]);
    events.extend(half("b", 7, "alone", 20.0, timing("click", 1, [20.0, 21.0, 22.0, 23.0])[0]["args"].clone()));
    events.extend(half("e", 7, "end", 30.0, json!({})));
    events.extend(timing("click", 2, [100.0, 99.0, 120.0, 180.0]));
    events.extend(timing("click", 3, [200.0, 230.0, 220.0, 280.0]));
    events.extend(timing("click", 4, [300.0, 310.0, 320.0, 380.0]));
    let mut wrong = timing("click", 5, [400.0, 410.0, 420.0, 480.0]);
    wrong[0]["args"]["data"]["processingEnd"] = json!(1e300);
    events.extend(wrong);
    let mut text = timing("click", 6, [500.0, 510.0, 520.0, 580.0]);
    text[0]["args"]["data"]["processingEnd"] = json!("soon");
    events.extend(text);
    let index = index(events);
    let all = Interactions::of(&index);
    assert_eq!(all.list().iter().map(|own| own.id).collect::<Vec<_>>(), [Some(4)]);
    assert_eq!(all.dropped().count(), 5);
}

#[test]
fn handlers_that_outlast_the_paint_end_with_it() {
    let mut events = page(&[1.0]);
    events.extend(timing("click", 1, [100.0, 110.0, 5_000.0, 180.0]));
    let index = index(events);
    assert_eq!(ms(&Interactions::of(&index).list()[0]), [100.0, 110.0, 180.0, 180.0]);
}

/// A `DOMEvent` with times in milliseconds: event time, handlers.
fn dom(kind: &str, [time, start, end]: [f64; 3], window: i64) -> recording::Row {
    let payload = json!({"type": "DOMEvent", "eventType": kind, "latency": start - time, "innerWindowID": window});
    interval("DOMEvent", start, end).with(payload)
}

fn firefox() -> Index {
    let presented = |name: &str, start: f64, end: f64| interval(&format!("{name} Payload Presented"), start, end);
    let parent = vec![
        dom("pointerdown", [10.0, 11.0, 11.5], 2),
        dom("click", [10.02, 12.0, 12.5], 2),
        dom("keydown", [900.0, 901.0, 902.0], 2),
    ];
    let content = vec![
        dom("pointerdown", [10.01, 15.0, 16.0], 40),
        dom("mousedown", [10.01, 16.0, 17.0], 40),
        dom("pointerup", [10.03, 17.0, 18.0], 40),
        dom("click", [10.03, 18.0, 250.0], 40),
        dom("mousemove", [20.0, 21.0, 22.0], 40),
        dom("keydown", [400.0, 410.0, 420.0], 40),
        dom("keypress", [401.0, 420.0, 430.0], 40),
        dom("keyup", [450.0, 451.0, 452.0], 40),
        dom("keydown", [500.0, 501.0, 502.0], 40),
        dom("keypress", [501.0, 502.0, 503.0], 40),
    ];
    let compositor = vec![
        presented("MouseUpFollowedByClick", 10.05, 300.0),
        presented("KeyPress", 401.0, 440.0),
        presented("ContentPaint", 501.0, 505.0),
        presented("APZScroll", 450.0, 460.0),
    ];
    let mut own = Recording::of(parent);
    own.starts.push(1_000.0);
    let track = |name: &str, process, rows| Track { name: name.into(), process, samples: vec![0.0, 1_000.0], rows };
    own.tracks.push(track("Compositor", 0, compositor));
    own.tracks.push(track("GeckoMain", 1, content));
    let mut processed = own.processed();
    for (at, name) in ["Parent Process", "Parent Process", "Isolated Web Content"].iter().enumerate() {
        processed["threads"][at]["processName"] = json!(name);
    }
    Index::build(Arc::new(recording::read(&processed)), Arrangement::ByName)
}

#[test]
fn events_of_firefox_with_one_time_are_one_input() {
    let index = firefox();
    let all = Interactions::of(&index);
    let found: Vec<_> = all.list().iter().map(|own| (own.event.as_str(), own.press, own.end.map(Ns::as_ms))).collect();
    let expected = [
        ("click", Some(0), Some(300.0)),
        ("keydown", Some(1), None),
        ("keypress", Some(1), Some(440.0)),
        ("keyup", Some(1), None),
        ("keydown", Some(2), None),
        ("keypress", Some(2), None),
        ("keydown", Some(3), None),
    ];
    assert_eq!(found, expected, "inputs of the parent that a page got as well are left out");
    let click = &all.list()[0];
    assert_eq!(ms(click), [10.01, 15.0, 250.0, 300.0]);
    assert_eq!((click.markers.len(), click.page.clone()), (4, PageId::Window(40)));
    assert!(click.is_long() && click.presented_by.is_some());
    assert_eq!(all.inp_of_window(40), Some(click));
    assert_eq!(all.inp_of_window(2), None, "nothing was presented");
    assert_eq!(all.inp(None), None, "only Chrome numbers interactions");
}

/// A random event: kind, id, times as multiples of 5 ms, damage.
type Made = (u8, i64, [u8; 4], u8);

fn made(events: &[Made]) -> Index {
    let mut all = page(&[50.0, 400.0]);
    for (kind, id, times, damage) in events {
        let kind = ["click", "pointerdown", "keydown", "other"][usize::from(kind % 4)];
        let mut pair = event(kind, (*id, 7 + u32::from(damage % 2), "0x1"), times.map(|time| f64::from(time) * 5.0));
        let data = &mut pair[0]["args"]["data"];
        match damage / 2 {
            1 => data["timeStamp"] = json!(-1e18),
            2 => data["processingEnd"] = json!(null),
            3 => data["duration"] = json!(-5),
            4 => *data = json!("text"),
            5 => data["commitFinishTime"] = json!(1e12),
            _ => {}
        }
        let skipped = usize::from(damage % 7 == 6);
        all.extend(pair.into_iter().skip(skipped));
    }
    index(all)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn parts_add_up_and_markers_exist(events in prop::collection::vec((0_u8..4, 0_i64..4, any::<[u8; 4]>(), 0_u8..16), 0..40)) {
        let index = made(&events);
        let all = Interactions::of(&index);
        let mut kept = std::collections::BTreeSet::new();
        for (at, own) in all.list().iter().enumerate() {
            let presentation = own.presentation().expect("all paints are known");
            prop_assert_eq!(Some(own.input_delay() + own.processing() + presentation), own.length());
            prop_assert!([own.input_delay(), own.processing(), presentation].iter().all(|part| part.0 >= 0));
            prop_assert!(index.profile().locate(own.marker).is_some());
            prop_assert_eq!(all.of_marker(own.marker), Some(at));
            if !own.is_nested {
                let process = index.profile().thread(own.thread).process;
                prop_assert!(kept.insert((process, own.category, own.end)), "two for one paint");
            }
        }
        prop_assert!(all.list().is_sorted_by_key(|own| own.start));
        for navigation in [None, Some(0), Some(1)] {
            let own: Vec<_> = all.list().iter().filter(|own| own.navigation == navigation && !own.is_nested).collect();
            let longest = own.iter().filter_map(|own| own.length()).max();
            prop_assert_eq!(all.inp(navigation).and_then(Interaction::length), longest, "fewer than 50");
        }
    }
}
