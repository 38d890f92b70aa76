//! The frames of a page: they partition time, states differ by color and by pattern in both themes, and the pointer hits
//! what is drawn.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::frames::{FrameState, Frames, PageFrame};
use flowline::profile::{MarkerId, Ns, TimeRange};
use flowline::scene::primitives::LinkInstance;
use flowline::scene::{Frame, Item, ItemKind, Layer, Palette, RectInstance, Scene, TrackHeading};
use flowline::session::Session;
use flowline::view::{Command, InsightFocus, Theme};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::exact::Exact;
use crate::fixtures::{CHART, session};
use crate::random::check;
use crate::recording::read_bytes;

/// Outcome of a generated frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    Shown,
    Dropped,
    Partial,
    /// Nothing was to be shown before it.
    AfterIdle,
}

/// Length in microseconds and outcome of each frame.
type Sequence = Vec<(i64, Made)>;

fn sequence() -> impl Strategy<Value = Sequence> {
    let length = prop_oneof![6 => 8_000_i64..18_000, 1 => 1_i64..500, 2 => 18_000_i64..400_000];
    let outcome = prop_oneof![
        5 => Just(Made::Shown),
        2 => Just(Made::Dropped),
        1 => Just(Made::Partial),
        1 => Just(Made::AfterIdle),
    ];
    prop::collection::vec((length, outcome), 3..120)
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
        main_thread("SetLayerTreeId", 1, 0, json!({"data": {"frame": "MAIN", "layerTreeId": 3}})),
    ]
}

fn main_thread(name: &str, us: i64, length: i64, args: Value) -> Value {
    json!({"name": name, "ph": "X", "cat": "devtools.timeline", "pid": 7, "tid": 7, "ts": us, "dur": length, "args": args})
}

fn compositor(name: &str, us: i64, args: Value) -> Value {
    json!({"name": name, "ph": "I", "s": "t", "cat": "disabled-by-default-devtools.timeline.frame", "pid": 7, "tid": 8,
        "ts": us, "args": args})
}

fn numbered(name: &str, us: i64, number: usize) -> Value {
    compositor(name, us, json!({"frameSeqId": number, "layerTreeId": 3}))
}

fn events_of(sequence: &Sequence) -> Vec<Value> {
    let mut events = page();
    let mut us = 10_000;
    for (number, (length, made)) in sequence.iter().enumerate() {
        let args = |partial: bool| json!({"frameSeqId": number, "layerTreeId": 3, "hasPartialUpdate": partial});
        if *made == Made::AfterIdle {
            let needs = json!({"layerTreeId": 3, "data": {"needsBeginFrame": true}, "needsBeginFrame": true});
            events.push(compositor("NeedsBeginFrameChanged", us - 1, needs));
        }
        events.push(numbered("BeginFrame", us, number));
        events.push(match made {
            Made::Dropped => compositor("DroppedFrame", us, args(false)),
            Made::Partial => compositor("DroppedFrame", us, args(true)),
            Made::Shown | Made::AfterIdle => numbered("DrawFrame", us, number),
        });
        us += length;
    }
    events.push(numbered("BeginFrame", us, sequence.len()));
    events.push(numbered("DrawFrame", us, sequence.len()));
    events
}

fn built(events: &[Value]) -> Arc<Index> {
    let profile = read_bytes(json!({"traceEvents": events}).to_string().into_bytes()).expect("a trace");
    Arc::new(Index::build(Arc::new(profile), Arrangement::Stack))
}

fn index_of(sequence: &Sequence) -> Arc<Index> {
    built(&events_of(sequence))
}

fn session_for(index: &Arc<Index>, (width, scale): (u32, f32), (zoom, place): (f64, f64)) -> Session {
    let mut session = session(index, width, scale);
    let (extent, whole) = (index.extent(), index.extent().len().max(1));
    #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
    let (length, start) = ((whole as f64).powf(zoom) as i64, (whole as f64 * place) as i64);
    let start = extent.start + Ns(start);
    session.apply(Command::Show(TimeRange::new(start, start + Ns(length.clamp(1, whole)))));
    session.refresh_and_wait();
    session
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

/// The row of frames, with the middle of its line.
fn row(session: &Session) -> (Item, f32) {
    let input = session.scene_input();
    let is_it =
        |item: &&Item| matches!(item.kind, ItemKind::Track(TrackHeading { track, .. }) if track.kind == "frames");
    let item = input.visible_items().iter().find(is_it).expect("the track is listed");
    (*item, input.item_y(item) + (input.item_height(item) / 2.0).floor())
}

/// How bad a frame is, as the row orders it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Idle,
    Good,
    Warn,
    Bad,
}

fn severity(frame: &PageFrame) -> Severity {
    match frame.state {
        FrameState::Dropped | FrameState::Missed => Severity::Bad,
        FrameState::Idle => Severity::Idle,
        _ if frame.is_late => Severity::Warn,
        FrameState::Partial => Severity::Warn,
        FrameState::Shown => Severity::Good,
    }
}

/// How much a frame matters where several share a column. Late and partial frames have one color.
fn weight(frame: &PageFrame) -> (u8, i64) {
    let class = match frame.state {
        FrameState::Dropped | FrameState::Missed => 4,
        FrameState::Idle => 0,
        _ if frame.is_late => 3,
        FrameState::Partial => 2,
        FrameState::Shown => 1,
    };
    (class, frame.times.len())
}

/// The color of each column of the chart on a line.
fn colors(frame: &Frame, y: f32, (width, palette): (usize, &Palette)) -> Vec<Severity> {
    let mut seen = vec![Severity::Idle; width];
    for (batch, rects) in frame.batches_of::<RectInstance>() {
        for rect in rects.iter().filter(|rect| batch.layer == Layer::Markers && rect.fill[3] > 0) {
            let [x, top, wide, height] = rect.rect;
            let is_color = |color: [u8; 4]| color[..3] == rect.fill[..3];
            let own = match () {
                () if is_color(palette.good) => Severity::Good,
                () if is_color(palette.warn) => Severity::Warn,
                () if is_color(palette.bad) => Severity::Bad,
                () => continue,
            };
            if !(top..top + height).contains(&(y + 0.5)) {
                continue;
            }
            for (column, seen) in seen.iter_mut().enumerate() {
                if (x..x + wide).contains(&middle(column)) {
                    *seen = own;
                }
            }
        }
    }
    seen
}

/// The middle of a column of the chart.
#[expect(clippy::cast_precision_loss, reason = "a place on screen")]
fn middle(column: usize) -> f32 {
    (CHART.0 + column) as f32 + 0.5
}

#[test]
fn frames_partition_time_and_the_pointer_hits_what_is_drawn() {
    let sizes = (prop::sample::select(vec![61_u32, 256, 1024]), prop::sample::select(vec![1.0_f32, 1.25, 1.5, 2.0]));
    let zoom = (prop_oneof![1 => Just(1.0), 3 => 0.6..1.0_f64], 0.0..1.0_f64);
    check(40, (sequence(), sizes, zoom), |(made, size, zoom)| {
        let index = index_of(&made);
        let frames = Frames::of(&index).list();
        prop_assert!(
            frames.windows(2).all(|pair| pair[0].times.end == pair[1].times.start),
            "neither gaps nor overlaps"
        );
        let session = session_for(&index, size, zoom);
        let (frame, exact) = (frame_of(&session), Exact::new(&session.view.axis));
        let (input, width) = (session.scene_input(), usize::try_from(exact.width).expect("a width"));
        let (item, y) = row(&session);
        let seen = colors(&frame, y, (width, Palette::for_theme(session.view.theme)));
        for own in frames {
            let columns = exact.columns(own.times.start, own.times.end).most;
            // A worse frame that shares its columns may end there with its gap, which is a line wide.
            #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
            let gap = size.1.ceil() as i64;
            let (first, end) = ((columns.start - 1 - gap).max(0), (columns.end + 1).min(exact.width));
            if columns.is_empty() {
                continue;
            }
            let covered = usize::try_from(first).expect("inside")..usize::try_from(end.max(first)).expect("inside");
            let worst = seen[covered.clone()].iter().max().copied();
            // Of a frame that began before the view, only the gap at its end may be in view, and others may be in that gap.
            let is_only_gap = columns.start <= gap && columns.end <= 3;
            prop_assert!(
                is_only_gap || worst >= Some(severity(own)),
                "{:?} at {:?} is lost in columns {covered:?}: {seen:?}",
                own.state,
                own.times
            );
        }
        for (column, own) in seen.iter().copied().enumerate() {
            let hit = item.kind.hits(&input, &item, middle(column), y).marker();
            if own > Severity::Idle {
                let found = hit.and_then(|(marker, _)| Frames::of(&index).of_marker(marker));
                let Some((_, found)) = found else { return Err(TestCaseError::fail(format!("no hit in {column}"))) };
                prop_assert_eq!(severity(found), own, "hit in column {}", column);
                // No frame that certainly covers the column is worse, and none that is equally bad is longer.
                let at = i64::try_from(column).expect("small");
                let covers = |frame: &&PageFrame| exact.columns(frame.times.start, frame.times.end).sure.contains(&at);
                let best = frames.iter().filter(covers).map(weight).max();
                prop_assert!(best <= Some(weight(found)), "hit in column {column}: {found:?}");
            }
        }
        Ok(())
    });
}

/// A frame in each state, 100 ms long, in the order good, late, dropped, partial.
fn states() -> Arc<Index> {
    let mut made: Sequence = vec![(10_000, Made::Shown); 20];
    made.extend([(100_000, Made::Shown), (100_000, Made::Dropped), (100_000, Made::Partial), (10_000, Made::Shown)]);
    index_of(&made)
}

#[test]
fn late_dropped_and_partial_frames_differ_by_color_and_pattern_in_both_themes() {
    let index = states();
    for theme in [Theme::Dark, Theme::Light] {
        let mut session = session_for(&index, (1024, 1.0), (1.0, 0.0));
        session.view.theme = theme;
        session.refresh_and_wait();
        let (frame, palette) = (frame_of(&session), Palette::for_theme(theme));
        let (_, y) = row(&session);
        // Color and number of lines of hatching of the box of each frame.
        let looks = |own: &PageFrame| {
            #[expect(clippy::cast_possible_truncation, reason = "a place on screen")]
            let x = CHART.0 as f32 + session.view.axis.pixel(Ns(own.times.start.0.midpoint(own.times.end.0))) as f32;
            let covers = |rect: &&RectInstance| {
                let [left, top, wide, height] = rect.rect;
                (left..left + wide).contains(&x) && (top..top + height).contains(&(y + 0.5)) && rect.border_width > 0.0
            };
            let rect = frame.instances.rects.iter().find(covers).expect("a box");
            let lines = frame.batches_of::<LinkInstance>().filter(|(batch, _)| batch.layer == Layer::Markers);
            let inside = |line: &&LinkInstance| {
                line.from[0] >= rect.rect[0]
                    && line.to[0] <= rect.rect[0] + rect.rect[2]
                    && line.color[..3] == rect.border[..3]
            };
            (rect.border, lines.flat_map(|(_, lines)| lines.iter()).filter(inside).count())
        };
        let long: Vec<&PageFrame> =
            Frames::of(&index).list().iter().filter(|own| own.times.len() > 50_000_000).collect();
        let states: Vec<(FrameState, bool)> = long.iter().map(|own| (own.state, own.is_late)).collect();
        assert_eq!(states, [(FrameState::Shown, true), (FrameState::Dropped, false), (FrameState::Partial, true)]);
        let [late, dropped, _] = long[..] else { panic!("three frames") };
        let (late, dropped) = (looks(late), looks(dropped));
        assert_eq!((late.0, dropped.0), (palette.warn, palette.bad), "{theme:?}");
        assert!(late.1 > 5 && dropped.1 > 5, "{theme:?}: both are hatched, {late:?} {dropped:?}");
        let good = looks(&Frames::of(&index).list()[3]);
        assert_eq!(good, (palette.good, 0), "{theme:?}: without hatching");
        let texts: Vec<&str> = frame.texts.iter().map(|text| &*text.text).collect();
        assert!(texts.contains(&"Dropped, 100 ms") && texts.contains(&"100 ms"), "{texts:?}");
    }
}

#[test]
fn no_line_of_hatching_crosses_a_caption() {
    let index = states();
    for (scale, part) in [(1.0, 1.0), (2.0, 0.5), (1.5, 0.2)] {
        let mut session = session_for(&index, (1024, scale), (1.0, 0.0));
        let extent = index.extent();
        #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
        let start = extent.start + Ns((extent.len() as f64 * (1.0 - part)) as i64);
        session.apply(Command::Show(TimeRange::new(start, extent.end)));
        session.refresh_and_wait();
        let (frame, (_, y)) = (frame_of(&session), row(&session));
        let captions =
            frame.texts.iter().filter(|text| text.text.ends_with(" ms") && (text.y - y).abs() < 12.0 * scale);
        #[expect(clippy::cast_precision_loss, reason = "a short text")]
        let captions: Vec<(f32, f32)> =
            captions.map(|text| (text.x, text.x + text.text.chars().count() as f32 * 0.5 * text.size)).collect();
        assert!(!captions.is_empty(), "frames have captions at {scale}");
        for (_, lines) in frame.batches_of::<LinkInstance>().filter(|(batch, _)| batch.layer == Layer::Markers) {
            for line in lines {
                let crossed = captions.iter().find(|(left, right)| line.from[0] < *right && *left < line.to[0]);
                assert_eq!(crossed, None, "{line:?} at {scale}");
            }
        }
    }
}

/// The rectangles of the highlights on the row of frames: left edge, right edge, and color of the border.
fn outlines(session: &Session) -> Vec<(f32, f32, [u8; 4])> {
    let (frame, (_, y)) = (frame_of(session), row(session));
    let batches = frame.batches_of::<RectInstance>().filter(|(batch, _)| batch.layer == Layer::Highlights);
    let on_row = |rect: &&RectInstance| {
        (rect.rect[1]..rect.rect[1] + rect.rect[3]).contains(&y) && rect.border_width > 0.0 && rect.fill[3] == 0
    };
    let rects = batches.flat_map(|(_, rects)| rects.iter()).filter(on_row);
    rects.map(|rect| (rect.rect[0], rect.rect[0] + rect.rect[2], rect.border)).collect()
}

/// The edges of a frame on screen, in whole pixels.
#[expect(clippy::cast_possible_truncation, reason = "places on screen")]
fn edges(session: &Session, own: &PageFrame) -> (f32, f32) {
    let at = |time: Ns| CHART.0 as f32 + session.view.axis.pixel(time).round() as f32;
    (at(own.times.start), at(own.times.end))
}

#[test]
fn the_selected_frame_is_outlined() {
    let index = states();
    let mut session = session_for(&index, (1024, 1.0), (1.0, 0.0));
    assert!(outlines(&session).is_empty());
    let frames = Frames::of(&index).list();
    for own in frames.iter().rev().take(4) {
        session.apply(Command::Select(Some(own.marker)));
        session.refresh_and_wait();
        let (left, right) = edges(&session, own);
        let [(from, to, color)] = outlines(&session)[..] else { panic!("one outline: {:?}", outlines(&session)) };
        assert_eq!(color, Palette::for_theme(session.view.theme).select);
        assert!((from - left).abs() <= 3.0 && (to - right).abs() <= 3.0, "{from} to {to} around {left} to {right}");
        // Where several frames are near, the pointer prefers the selected one's box.
        let (item, y) = row(&session);
        let hit = item.kind.hits(&session.scene_input(), &item, left.midpoint(right), y).marker();
        assert_eq!(hit.map(|(marker, _)| marker), Some(own.marker));
    }
}

#[test]
fn frames_of_the_emphasized_insight_are_outlined() {
    let mut made: Sequence = vec![(100_000, Made::Shown); 8];
    made[4].1 = Made::Dropped;
    let mut events = events_of(&made);
    // The third frame shows the work of the first task, and the second task held up a dropped frame.
    events.push(main_thread("RunTask", 120_000, 60_000, json!({})));
    let data = json!({"layerTreeId": 3, "data": {"frameId": 77}});
    events.push(main_thread("BeginMainThreadFrame", 130_000, 0, data));
    events.push(main_thread("Commit", 175_000, 1_000, json!({"layerTreeId": 3, "frameSeqId": 1})));
    events.push(compositor("ActivateLayerTree", 190_000, json!({"layerTreeId": 3, "frameId": 77})));
    events.push(main_thread("RunTask", 430_000, 60_000, json!({})));
    let index = built(&events);
    let mut session = session_for(&index, (1024, 1.0), (1.0, 0.0));
    let profile = index.profile();
    let (thread, _) =
        profile.threads_with_ids().find(|(_, thread)| thread.name == "CrRendererMain").expect("a main thread");
    let task = |ms: i64| -> MarkerId {
        let own = profile.thread(thread);
        let markers = (0..own.markers.len()).map(flowline::profile::LocalMarker::new);
        let is_it = |marker: &flowline::profile::LocalMarker| {
            profile.marker_name(thread, *marker) == "RunTask" && own.markers.start(*marker).0 / 1_000_000 % 10_000 == ms
        };
        own.global(markers.into_iter().find(is_it).expect("a task"))
    };
    let mut focus = |markers: Vec<MarkerId>| {
        let focus = InsightFocus { name: "x".into(), markers: Some(markers.into()), ..InsightFocus::default() };
        session.view.restore_insight(Some(focus));
        session.refresh_and_wait();
        outlines(&session).iter().map(|(left, ..)| *left).collect::<Vec<f32>>()
    };
    let frames = Frames::of(&index).list();
    let shows = frames.iter().find(|own| own.main_work.is_some()).expect("a frame with work");
    let dropped = frames.iter().find(|own| own.state == FrameState::Dropped).expect("a dropped frame");
    let [first, second] = [task(120), task(430)];
    let [of_none, of_first, of_second, of_frame] =
        [vec![], vec![first], vec![second], vec![frames[1].marker]].map(&mut focus);
    let left = |own: &PageFrame| edges(&session, own).0;
    let is_at = |found: &[f32], own: &PageFrame| found.iter().any(|found| (found - left(own)).abs() <= 3.0);
    // Frames that are not its own are pale.
    let boxes = |session: &Session, layer: Layer| {
        let (frame, (_, y)) = (frame_of(session), row(session));
        let rects = frame.batches_of::<RectInstance>().filter(|(batch, _)| batch.layer == layer);
        let is_box =
            |rect: &&RectInstance| rect.border_width > 0.0 && (rect.rect[1]..rect.rect[1] + rect.rect[3]).contains(&y);
        rects.flat_map(|(_, rects)| rects.iter()).filter(is_box).map(|rect| rect.border[3]).collect::<Vec<u8>>()
    };
    let (all, own) = (boxes(&session, Layer::Markers), boxes(&session, Layer::SearchHits));
    assert!(all.len() > 4 && all.iter().all(|alpha| *alpha == 64), "{all:?}");
    assert_eq!(own, [255]);
    assert!(of_none.is_empty(), "{of_none:?}");
    assert!(is_at(&of_first, shows), "{of_first:?}");
    assert!(is_at(&of_second, dropped) && !is_at(&of_second, shows), "{of_second:?}");
    assert!(is_at(&of_frame, &frames[1]) && of_frame.len() == 1, "{of_frame:?}");
}
