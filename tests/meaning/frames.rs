//! Frames: those of Chrome partition time, those of Firefox follow the display; damaged events never stop the rest.

use std::collections::BTreeSet;
use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::frames::{FrameState, Frames, MissedReason, PageFrame};
use flowline::insights::overview::{OverviewLanes, Responsiveness};
use flowline::profile::{Ns, TimeRange};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::recording::{self, Recording, Row, Track, instant, interval, read_bytes};

/// An instant of the compositor in a process, at a time in milliseconds.
fn compositor(pid: u32, name: &str, ms: f64, args: Value) -> Value {
    json!({"name": name, "ph": "I", "s": "t", "cat": "disabled-by-default-devtools.timeline.frame", "pid": pid,
        "tid": pid + 1, "ts": ms * 1e3, "args": args})
}

fn frame(name: &str, ms: f64, number: i64) -> Value {
    compositor(7, name, ms, json!({"frameSeqId": number, "layerTreeId": 3}))
}

fn main_thread(name: &str, ms: f64, length: f64, args: Value) -> Value {
    let detail = if name == "RunTask" { "disabled-by-default-" } else { "" };
    json!({"name": name, "ph": "X", "cat": format!("{detail}devtools.timeline"), "pid": 7, "tid": 7, "ts": ms * 1e3,
        "dur": length * 1e3, "args": args})
}

/// A page whose main frame has layer tree 3 in process 7.
fn page() -> Vec<Value> {
    let frames = json!([{"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let name =
        |tid: u32, name: &str| json!({"name": "thread_name", "ph": "M", "pid": 7, "tid": tid, "args": {"name": name}});
    vec![
        name(7, "CrRendererMain"),
        name(8, "Compositor"),
        json!({"name": "TracingStartedInBrowser", "ph": "I", "s": "t", "pid": 1, "tid": 1, "ts": 0, "cat": "x",
            "args": {"data": {"frames": frames}}}),
        main_thread("SetLayerTreeId", 1.0, 0.0, json!({"data": {"frame": "MAIN", "layerTreeId": 3}})),
    ]
}

fn index(events: Vec<Value>) -> Index {
    let text = json!({"traceEvents": events}).to_string().into_bytes();
    Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack)
}

fn seen(own: &PageFrame) -> (Option<i64>, &'static str, f64, f64, bool) {
    (own.sequence, own.state.name(), own.times.start.as_ms(), own.times.end.as_ms(), own.is_late)
}

#[test]
fn a_frame_lasts_until_the_next_one_begins() {
    let mut events = page();
    for (number, ms) in [(1, 10.0), (2, 20.0), (3, 30.0), (4, 40.0), (5, 50.0), (8, 80.0)] {
        events.push(frame("BeginFrame", ms, number));
    }
    let dropped = |ms: f64, number: i64, partial: bool| {
        compositor(7, "DroppedFrame", ms, json!({"frameSeqId": number, "layerTreeId": 3, "hasPartialUpdate": partial}))
    };
    events.extend([
        frame("DrawFrame", 11.0, 1),
        dropped(29.0, 2, false),
        dropped(39.0, 3, true),
        frame("DrawFrame", 41.0, 4),
        frame("DrawFrame", 51.0, 5),
        frame("DrawFrame", 81.0, 8),
        // Frames of other trees, and those without numbers, do not count.
        compositor(7, "BeginFrame", 60.0, json!({"frameSeqId": 6, "layerTreeId": 4})),
        compositor(7, "DrawFrame", 61.0, json!({"layerTreeId": 3})),
    ]);
    let index = index(events);
    let frames = Frames::of(&index);
    let all: Vec<_> = frames.list().iter().map(seen).collect();
    assert_eq!(
        all,
        [
            (Some(1), "shown", 10.0, 20.0, false),
            (Some(2), "dropped", 20.0, 30.0, false),
            (Some(3), "partial", 30.0, 40.0, false),
            (Some(4), "shown", 40.0, 50.0, false),
            (Some(5), "shown", 50.0, 80.0, true),
        ]
    );
    assert_eq!((frames.budget(), frames.is_budget_assumed()), (Ns(10_000_000), false));
    assert_eq!(frames.list()[4].missed_refreshes(frames.budget()), 2);
    let counts = frames.counts(index.extent(), |_| true).expect("frames");
    assert_eq!((counts.shown + counts.partial, counts.late, counts.dropped), (4, 1, 1));
}

#[test]
fn the_main_threads_work_belongs_to_the_frame_that_shows_it() {
    let mut events = page();
    events.extend([
        frame("BeginFrame", 10.0, 1),
        frame("DrawFrame", 11.0, 1),
        main_thread("RunTask", 12.0, 10.0, json!({})),
        main_thread("BeginMainThreadFrame", 14.0, 0.0, json!({"data": {"frameId": 77}, "layerTreeId": 3})),
        frame("BeginFrame", 20.0, 2),
        main_thread("Commit", 20.5, 1.0, json!({"layerTreeId": 3, "frameSeqId": 1})),
        frame("DrawFrame", 21.8, 2),
        compositor(7, "ActivateLayerTree", 21.9, json!({"layerTreeId": 3, "frameId": 77})),
        frame("BeginFrame", 30.0, 3),
        frame("DrawFrame", 31.0, 3),
    ]);
    let index = index(events);
    let own = &Frames::of(&index).list()[1];
    assert_eq!((own.sequence, own.main_frame), (Some(2), Some(77)));
    let (thread, work) = own.main_work.expect("work");
    assert_eq!(index.profile().thread(thread).name, "CrRendererMain");
    assert_eq!(work, TimeRange::new(Ns(12_000_000), Ns(21_500_000)), "from the start of the task to the commit");
}

/// Tasks of other categories contain those that DevTools shows, and begin before them.
#[test]
fn a_frame_is_idle_until_the_task_that_changes_the_page() {
    let states = |category: &str| -> Vec<&'static str> {
        let mut events = page();
        let mut task = main_thread("RunTask", 9.0, 20.0, json!({}));
        task["cat"] = json!(category);
        events.extend([
            frame("BeginFrame", 10.0, 1),
            frame("DrawFrame", 11.0, 1),
            task,
            main_thread("BeginMainThreadFrame", 14.0, 0.0, json!({"data": {"frameId": 77}, "layerTreeId": 3})),
            compositor(7, "NeedsBeginFrameChanged", 15.0, json!({"data": {"needsBeginFrame": 1}, "layerTreeId": 3})),
            main_thread("Commit", 16.0, 1.0, json!({"layerTreeId": 3, "frameSeqId": 1})),
            frame("BeginFrame", 20.0, 2),
            frame("DrawFrame", 21.0, 2),
            frame("BeginFrame", 30.0, 3),
            frame("DrawFrame", 31.0, 3),
        ]);
        Frames::of(&index(events)).list().iter().map(|own| own.state.name()).collect()
    };
    assert_eq!(states("disabled-by-default-lighthouse"), ["idle", "shown"]);
    assert_eq!(states("disabled-by-default-devtools.timeline"), ["shown", "shown"]);
}

#[test]
fn frames_without_numbers_are_unknown() {
    let mut events = page();
    events.push(compositor(7, "BeginFrame", 10.0, json!({"layerTreeId": 3})));
    let index = index(events);
    let frames = Frames::of(&index);
    assert!(frames.list().is_empty() && frames.reason().is_some_and(|reason| reason.contains("frameSeqId")));
}

/// A random event, which may be damaged.
fn any_event() -> impl Strategy<Value = Value> {
    let names = [
        "BeginFrame",
        "DrawFrame",
        "DroppedFrame",
        "NeedsBeginFrameChanged",
        "ActivateLayerTree",
        "RequestMainThreadFrame",
        "Commit",
        "BeginMainThreadFrame",
        "RunTask",
        "SetLayerTreeId",
    ];
    let value = prop_oneof![
        8 => (-3_i64..12).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!("x")),
        1 => Just(json!(i64::MAX)),
    ];
    let tree = prop_oneof![8 => Just(json!(3)), 1 => Just(json!(4)), 1 => Just(Value::Null)];
    (0..names.len(), 0_u32..400, value, tree, any::<bool>()).prop_map(move |(name, ms, number, tree, flag)| {
        let args = json!({"frameSeqId": number, "layerTreeId": tree, "hasPartialUpdate": flag,
            "data": {"needsBeginFrame": i64::from(flag), "frameId": number, "frame": "MAIN", "layerTreeId": tree}});
        let ms = f64::from(ms) / 4.0;
        match names[name] {
            "Commit" | "BeginMainThreadFrame" | "RunTask" | "SetLayerTreeId" => main_thread(names[name], ms, 0.5, args),
            name => compositor(7, name, ms, args),
        }
    })
}

proptest! {
    #[test]
    fn frames_partition_time(events in prop::collection::vec(any_event(), 0..120)) {
        let index = index(page().into_iter().chain(events).collect());
        let frames = Frames::of(&index).list();
        for own in frames {
            prop_assert!(!own.times.is_empty());
            prop_assert!(index.profile().locate(own.marker).is_some());
            prop_assert!(own.markers.iter().all(|marker| index.profile().locate(*marker).is_some()));
        }
        for pair in frames.windows(2) {
            prop_assert_eq!(pair[0].times.end, pair[1].times.start);
        }
    }
}

/// A profile with a display that refreshes every 10 ms, and these rows on the thread that draws.
fn firefox(composites: Vec<Row>, compositor: Vec<Row>) -> Index {
    let mut own = Recording::of(vec![interval("RefreshDriverTick", 20.0, 45.0), interval("Styles", 21.0, 40.0)]);
    let vsyncs = (0..8).map(|number| instant("VsyncTimestamp", f64::from(number) * 10.0));
    let rows = vsyncs.chain(compositor).collect();
    own.tracks.push(Track { name: "Compositor".into(), process: 0, samples: vec![], rows });
    own.tracks.push(Track { name: "Renderer".into(), process: 0, samples: vec![], rows: composites });
    Index::build(Arc::new(recording::read(&own.raw())), Arrangement::Stack)
}

#[test]
fn a_refresh_without_a_composite_is_missed_for_a_reason() {
    let composites = vec![interval("Composite #1", 2.0, 4.0), interval("Composite #2", 41.0, 55.0)];
    let compositor = vec![interval("CONTENT_FRAME_TIME", 20.0, 54.0), instant("SkippedComposite", 12.0)];
    let index = firefox(composites, compositor);
    let frames = Frames::of(&index);
    assert_eq!(frames.budget(), Ns(10_000_000));
    let shown: Vec<_> = frames.list().iter().filter(|own| own.state == FrameState::Shown).collect();
    assert_eq!(shown.len(), 2);
    assert_eq!((shown[0].content, shown[0].is_late), (Some(0), false));
    assert_eq!((shown[1].content, shown[1].is_late), (Some(1), true), "34 ms are more than two budgets");
    assert_eq!(shown[1].vsync, Some(Ns(40_000_000)));
    assert_eq!(shown[1].main_work.map(|(_, work)| work.len()), Some(25_000_000), "the tick that made the content");
    let missed: Vec<_> = frames.list().iter().filter(|own| own.state == FrameState::Missed).collect();
    let reasons: Vec<_> = missed.iter().map(|own| (own.times.start.as_ms(), own.reason.expect("a reason"))).collect();
    // From 20 to 30 ms, the content began at the refresh, not before it.
    let expected =
        [(10.0, MissedReason::Skipped), (30.0, MissedReason::ContentPending), (50.0, MissedReason::CompositorBusy)];
    assert_eq!(reasons, expected);
}

#[test]
fn arguments_may_be_written_in_any_form() {
    let mut events = page();
    let dropped = |ms: f64, number: i64, partial: bool| {
        compositor(7, "DroppedFrame", ms, json!({"frameSeqId": number, "layerTreeId": 3, "hasPartialUpdate": partial}))
    };
    for number in 1..9 {
        let ms = f64::from(number) * 10.0;
        events.push(frame("BeginFrame", ms, i64::from(number)));
        events.push(match number % 3 {
            0 => dropped(ms + 1.0, i64::from(number), number % 2 == 0),
            _ => frame("DrawFrame", ms + 1.0, i64::from(number)),
        });
    }
    events.push(main_thread("BeginMainThreadFrame", 42.0, 1.0, json!({"layerTreeId": 3, "data": {"frameId": 77}})));
    events.push(main_thread("Commit", 44.0, 1.0, json!({"layerTreeId": 3, "frameSeqId": 4})));
    events.push(compositor(7, "ActivateLayerTree", 46.0, json!({"layerTreeId": 3, "frameId": 77})));
    let text = json!({"traceEvents": events}).to_string();
    let frames = |text: &str| -> Vec<PageFrame> {
        let profile = read_bytes(text.as_bytes().to_vec()).expect("a trace");
        Frames::of(&Index::build(Arc::new(profile), Arrangement::Stack)).list().to_vec()
    };
    let expected = frames(&text);
    assert!(expected.len() > 5 && expected.iter().any(|own| own.main_work.is_some()), "{expected:?}");
    let forms: [&[(&str, &str)]; 6] = [
        &[("\"layerTreeId\":3", "\"layerTreeId\":3.0")],
        &[("\"layerTreeId\":3", " \"layerTreeId\" : 3 ")],
        &[("\"layerTreeId\"", "\"layerTree\\u0049d\"")],
        &[("\"frameSeqId\":", "\"more\":{\"frameSeqId\":[1,{}]},\"frameSeqId\":")],
        &[
            ("\"hasPartialUpdate\":true", "\"hasPartialUpdate\":1"),
            ("\"hasPartialUpdate\":false", "\"hasPartialUpdate\":0"),
        ],
        &[("\"MAIN\"", "\"M\\u0041IN\""), ("\"frameId\":77", "\"frameId\":7.7e1")],
    ];
    for form in forms {
        let other = form.iter().fold(text.clone(), |text, (from, to)| text.replace(from, to));
        assert!(other != text && frames(&other) == expected, "{form:?}");
    }
}

#[test]
fn the_first_lane_shows_jank_if_samples_have_delays() {
    let lanes = |delays: &[(f64, f64)]| {
        let samples: Vec<Value> = delays.iter().map(|(ms, delay)| json!([null, ms, delay])).collect();
        let mut raw = Recording::of(vec![interval("LongTask", 10.0, 90.0)]).raw();
        raw["threads"][0]["processName"] = json!("Web Content");
        raw["threads"][0]["samples"] = json!({"schema": {"stack": 0, "time": 1, "eventDelay": 2}, "data": samples});
        let index = Index::build(Arc::new(recording::read(&raw)), Arrangement::Stack);
        let lanes = OverviewLanes::build(&index, index.extent(), &BTreeSet::new(), false);
        lanes.responsiveness
    };
    let own = lanes(&[(100.0, 70.0), (101.0, 0.0), (200.0, 60.0), (201.0, 55.0), (202.0, 0.0)]).expect("a lane");
    let Responsiveness::Jank(periods) = &own else { panic!("{own:?}") };
    let periods: Vec<_> = periods.iter().map(|own| (own.start.as_ms(), own.end.as_ms())).collect();
    // The delay falls twice, so two periods overlap and are one.
    assert_eq!(periods, [(30.0, 100.0), (140.0, 201.0)]);
    // Zeros are no delays.
    let own = lanes(&[(100.0, 0.0), (101.0, 0.0)]).expect("a lane");
    assert_eq!((own.name(), own.count()), ("Long tasks", 1));
}
