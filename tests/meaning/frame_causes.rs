//! Why a frame came late or not at all: which part of the browser worked meanwhile, and what the main thread ran.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::frames::{FrameCause, FramePart, FrameState, FrameThreads, Frames};
use serde_json::{Value, json};

use crate::recording::{self, Recording, Track, interval, read_bytes};

/// A slice of a thread of a process, in milliseconds.
fn slice((pid, tid): (u32, u32), name: &str, ms: f64, length: f64) -> Value {
    json!({"name": name, "ph": "X", "cat": "devtools.timeline", "pid": pid, "tid": tid, "ts": ms * 1e3, "dur": length * 1e3})
}

/// A page with frames every 10 ms, of which the second one lasts from 20 to 120 ms, and the third one is dropped.
fn page() -> Vec<Value> {
    let frames = json!([{"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let name = |pid: u32, tid: u32, name: &str| json!({"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}});
    let at = |name: &str, ms: f64, args: Value| {
        json!({"name": name, "ph": "I", "s": "t", "cat": "disabled-by-default-devtools.timeline.frame", "pid": 7, "tid": 8,
            "ts": ms * 1e3, "args": args})
    };
    let mut events = vec![
        name(7, 7, "CrRendererMain"),
        name(7, 8, "Compositor"),
        name(9, 7, "CrRendererMain"),
        name(3, 3, "CrGpuMain"),
        json!({"name": "TracingStartedInBrowser", "ph": "I", "s": "t", "pid": 1, "tid": 1, "ts": 0, "cat": "x",
            "args": {"data": {"frames": frames}}}),
        json!({"name": "SetLayerTreeId", "ph": "I", "s": "t", "cat": "x", "pid": 7, "tid": 7, "ts": 1,
            "args": {"data": {"frame": "MAIN", "layerTreeId": 3}}}),
    ];
    for (number, ms) in [(1, 10.0), (2, 20.0), (12, 120.0), (13, 130.0), (14, 140.0), (15, 150.0)] {
        let args = json!({"frameSeqId": number, "layerTreeId": 3});
        events.push(at("BeginFrame", ms, args.clone()));
        let dropped = json!({"frameSeqId": number, "layerTreeId": 3, "hasPartialUpdate": false});
        events.push(if number == 12 { at("DroppedFrame", ms + 1.0, dropped) } else { at("DrawFrame", ms + 1.0, args) });
    }
    events
}

fn index(events: &[Value]) -> Index {
    let text = json!({"traceEvents": events}).to_string().into_bytes();
    Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack)
}

/// The causes of all frames.
fn causes(index: &Index) -> Vec<Option<FrameCause>> {
    let (frames, threads) = (Frames::of(index), FrameThreads::of(index));
    frames.list().iter().map(|frame| threads.cause(index, frames, frame)).collect()
}

/// Names and milliseconds of the slices of a cause.
fn ran(index: &Index, cause: &FrameCause) -> Vec<(String, f64)> {
    let slice = |(marker, time): &(_, flowline::profile::Ns)| {
        let (thread, local) = index.profile().locate(*marker).expect("a marker");
        (index.profile().marker_name(thread, local).to_owned(), time.as_ms())
    };
    cause.slices.iter().map(slice).collect()
}

#[test]
fn late_frames_name_the_longest_slices_of_their_main_thread() {
    let main = (7, 7);
    let mut events = page();
    events.extend([
        // It began before the frame; only its time in the frame counts.
        slice(main, "RunTask", 5.0, 25.0),
        slice(main, "ParseHTML", 5.0, 25.0),
        // A task that only wraps a script is named by it, and a script that runs several things by itself.
        slice(main, "RunTask", 35.0, 40.0),
        slice(main, "FunctionCall", 36.0, 38.0),
        slice(main, "Layout", 37.0, 15.0),
        slice(main, "Paint", 55.0, 15.0),
        slice(main, "RunTask", 80.0, 5.0),
        slice(main, "RunTask", 90.0, 2.0),
        slice(main, "RunTask", 125.0, 4.0),
        slice((9, 7), "RunTask", 20.0, 100.0),
        slice((7, 8), "Commit", 30.0, 10.0),
        slice((3, 3), "GPUTask", 40.0, 20.0),
    ]);
    let index = index(&events);
    let states: Vec<_> = Frames::of(&index).list().iter().map(|own| (own.state, own.is_late)).collect();
    assert_eq!(states[1..3], [(FrameState::Shown, true), (FrameState::Dropped, false)]);
    let all = causes(&index);
    assert_eq!((&all[0], &all[3]), (&None, &None), "in time");
    let late = all[1].as_ref().expect("a late frame");
    assert_eq!((late.late, late.busy.map(flowline::profile::Ns::as_ms)), (Some(FramePart::MainThread), Some(57.0)));
    let expected = [("FunctionCall".to_owned(), 38.0), ("ParseHTML".to_owned(), 10.0), ("RunTask".to_owned(), 5.0)];
    assert_eq!(ran(&index, late), expected);
    let dropped = all[2].as_ref().expect("a dropped frame");
    assert_eq!((dropped.late, ran(&index, dropped)), (None, vec![("RunTask".to_owned(), 4.0)]), "4 ms are no cause");
}

#[test]
fn the_part_that_worked_longest_was_late() {
    for (place, part) in [((7, 8), FramePart::Compositor), ((3, 3), FramePart::Gpu), ((7, 7), FramePart::MainThread)] {
        let mut events = page();
        events.push(slice((7, 7), "RunTask", 40.0, 20.0));
        events.push(slice((7, 8), "Draw", 40.0, 20.0));
        events.push(slice((3, 3), "GPUTask", 40.0, 20.0));
        events.push(slice(place, "Work", 70.0, 30.0));
        let index = index(&events);
        let late = causes(&index)[1].clone().expect("a late frame");
        assert_eq!((late.late, late.busy.map(flowline::profile::Ns::as_ms)), (Some(part), Some(50.0)), "{place:?}");
    }
    // Nothing is guessed.
    let index = index(&page());
    assert_eq!(causes(&index)[1], Some(FrameCause::default()));
}

#[test]
fn frames_of_firefox_are_awaited_from_their_content_on() {
    let vsyncs = (0..12).map(|at| interval("VsyncTimestamp", f64::from(at) * 10.0, f64::from(at) * 10.0 + 0.1));
    let content = vec![interval("RefreshDriverTick", 11.0, 70.0), interval("Styles", 12.0, 50.0)];
    let mut own = Recording::of(content);
    let track = |name: &str, rows| Track { name: name.into(), process: 0, samples: vec![0.0, 120.0], rows };
    let compositor: Vec<_> = vsyncs.chain([interval("CONTENT_FRAME_TIME", 11.0, 82.0)]).collect();
    own.tracks.push(track("Compositor", compositor));
    own.tracks.push(track("Renderer", vec![interval("Composite #1", 5.0, 6.0), interval("Composite #2", 81.0, 83.0)]));
    let index = Index::build(Arc::new(recording::read(&own.raw())), Arrangement::Stack);
    let frames = Frames::of(&index).list();
    let at = frames.iter().position(|frame| frame.is_late).expect("a late frame");
    let late = causes(&index)[at].clone().expect("a cause");
    assert_eq!(late.late, Some(FramePart::MainThread), "a slow tick: {late:?}");
}
