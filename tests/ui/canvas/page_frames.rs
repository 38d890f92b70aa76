//! The track of frames: keyboard, mouse, details, screen reader texts.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Pos2, pos2, vec2};
use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::frames::Frames;
use flowline::profile::{Direction, MarkerId, Ns, TimeRange};
use flowline::scene::{ItemKind, TrackHeading};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

fn compositor(name: &str, ms: i64, mut args: Value) -> Value {
    args["layerTreeId"] = json!(3);
    json!({"name": name, "ph": "I", "s": "t", "cat": "disabled-by-default-devtools.timeline.frame", "pid": 7, "tid": 8,
        "ts": ms * 1000, "args": args})
}

fn main_thread(name: &str, ms: i64, long: i64, args: Value) -> Value {
    json!({"name": name, "ph": "X", "cat": "devtools.timeline", "pid": 7, "tid": 7, "ts": ms * 1000, "dur": long * 1000,
        "args": args})
}

/// Frames that begin at these times: three of 10 ms, a late one of 80 ms, a dropped one of 50 ms, one of 10 ms; the last one
/// has no end.
const STARTS: [i64; 7] = [100, 110, 120, 130, 210, 260, 270];
const DROPPED: usize = 4;

fn window() -> Window {
    let frames = json!([{"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let thread =
        |tid: u32, name: &str| json!({"name": "thread_name", "ph": "M", "pid": 7, "tid": tid, "args": {"name": name}});
    let mut events = vec![
        thread(7, "CrRendererMain"),
        thread(8, "Compositor"),
        json!({"name": "TracingStartedInBrowser", "ph": "I", "s": "t", "pid": 1, "tid": 1, "ts": 0, "cat": "x",
            "args": {"data": {"frames": frames}}}),
        main_thread("SetLayerTreeId", 1, 0, json!({"data": {"frame": "MAIN", "layerTreeId": 3}})),
        main_thread("RunTask", 130, 70, json!({})),
        main_thread("RunTask", 380, 20, json!({})),
    ];
    for (number, ms) in STARTS.into_iter().enumerate() {
        events.push(compositor("BeginFrame", ms, json!({"frameSeqId": number})));
        let outcome = if number == DROPPED { "DroppedFrame" } else { "DrawFrame" };
        events.push(compositor(outcome, ms + 1, json!({"frameSeqId": number, "hasPartialUpdate": false})));
    }
    let text = json!({"traceEvents": events}).to_string().into_bytes();
    let index = Arc::new(Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.wait("the track", |window| window.says("Frames, "));
    window.key(Key::Num0);
    window
}

impl Window {
    /// The marker of a frame.
    fn frame(&self, number: usize) -> MarkerId {
        Frames::of(&self.session().index).list()[number].marker
    }

    /// The middle of a frame on its track.
    fn on_frame(&self, number: usize) -> Pos2 {
        let (input, chart) = (self.session().scene_input(), self.chart());
        let is_it =
            |kind: &ItemKind| matches!(kind, ItemKind::Track(TrackHeading { track, .. }) if track.kind == "frames");
        let item = input.visible_items().iter().find(|item| is_it(&item.kind)).copied().expect("a heading");
        let times = Frames::of(&self.session().index).list()[number].times;
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = chart.min.x + self.view().axis.pixel(Ns(times.start.0.midpoint(times.end.0))) as f32;
        pos2(x, input.item_y(&item) + input.item_height(&item) / 2.0)
    }
}

#[test]
fn the_track_is_the_topmost_of_its_page_and_counts_late_and_dropped_frames() {
    let window = window();
    let items = window.session().list().items().iter();
    let mut kinds = items.filter_map(|item| match item.kind {
        ItemKind::Track(heading) => Some(heading.track.kind),
        ItemKind::Thread(_) => Some("thread"),
        _ => None,
    });
    assert_eq!(kinds.next(), Some("frames"));
    assert!(window.has(Role::Label, "Frames, 6 frames, 1 late, 1 dropped"), "{:#?}", window.texts());
}

#[test]
fn arrow_keys_step_along_the_frames_and_stop_at_the_ends() {
    let mut window = window();
    let place = window.on_frame(2);
    window.click_at(place);
    assert_eq!(window.selected(), window.frame(2));
    for number in [3, 4, 5] {
        window.key(Key::ArrowRight);
        assert_eq!(window.selected(), window.frame(number), "to the right");
    }
    window.key(Key::ArrowRight);
    assert_eq!(window.selected(), window.frame(5), "the last one");
    for number in (0..5).rev() {
        window.key(Key::ArrowLeft);
        assert_eq!(window.selected(), window.frame(number), "to the left");
    }
    window.key(Key::ArrowLeft);
    assert_eq!(window.selected(), window.frame(0), "the first one");
    // F zooms to the frame, Escape ends the selection.
    window.key(Key::F);
    let (times, visible) = (window.view().times_of(window.frame(0)).expect("a marker"), window.view().axis.visible());
    assert!(visible.start <= times.start && times.start <= visible.end && visible.len() < 100_000_000, "{visible:?}");
    window.key(Key::Escape);
    assert_eq!(window.view().selected, None);
}

#[test]
fn the_pointer_and_the_details_state_what_became_of_a_frame() {
    let mut window = window();
    let place = window.on_frame(DROPPED);
    window.point_at(place);
    assert_eq!(window.view().hovered, Some(window.frame(DROPPED)));
    window.click_at(place);
    assert_eq!(window.selected(), window.frame(DROPPED));
    let card = window.card(window.frame(DROPPED)).to_text();
    for line in ["Frame: Dropped, 50.00 ms", "Budget: 10.00 ms"] {
        assert!(card.contains(line), "{line} in {card}");
    }
    window.key(Key::ArrowLeft);
    let card = window.card(window.selected()).to_text();
    for line in ["Frame: Shown, late, 80.00 ms", "Over budget: by 70.00 ms, 7 intervals missed"] {
        assert!(card.contains(line), "{line} in {card}");
    }
}

#[test]
fn the_count_follows_the_selected_range_and_a_search() {
    let mut window = window();
    let start = window.session().index.extent().start;
    let ms = |ms: i64| start + Ns(ms * 1_000_000);
    let first = Frames::of(&window.session().index).list()[0].times.start;
    let at = |own: i64| first + Ns((own - STARTS[0]) * 1_000_000);
    assert!(ms(0) <= at(STARTS[0]), "frames are within the recording");
    window.apply(Command::SelectRange(Some(TimeRange::new(at(125), at(205)))));
    window.wait("the count", |window| window.says("Frames, 2 frames"));
    window.apply(Command::SelectRange(None));
    window.apply(Command::Search("name:DroppedFrame".to_owned()));
    window.wait_for_search("name:DroppedFrame");
    window.settle();
    let lists_frames = |window: &Window| {
        let items = window.session().list().items().iter();
        items
            .filter_map(|item| item.kind.track_rows(&window.session().scene_input()))
            .any(|(track, _)| track.kind == "frames")
    };
    assert!(lists_frames(&window), "the dropped frame is found");
    window.apply(Command::Search("name:RunTask".to_owned()));
    window.wait_for_search("name:RunTask");
    window.settle();
    assert!(!lists_frames(&window), "no frame is found");
}

#[test]
fn a_step_to_a_bad_frame_begins_at_the_view_and_scrolls_to_the_track() {
    let mut window = window();
    let ms = |from: i64, to: i64| TimeRange::new(Ns(from * 1_000_000), Ns(to * 1_000_000));
    // The late frame begins at 130 ms, the dropped one at 210 ms. In view, direction, and the frame that is next.
    let cases = [
        (ms(90, 400), Direction::Forward, Some(3)),
        (ms(140, 400), Direction::Forward, Some(4)),
        (ms(130, 400), Direction::Forward, Some(3)),
        (ms(220, 400), Direction::Forward, None),
        (ms(90, 400), Direction::Back, Some(4)),
        (ms(90, 200), Direction::Back, Some(3)),
        (ms(90, 120), Direction::Back, None),
    ];
    for (shown, direction, expected) in cases {
        window.apply(Command::Select(None));
        window.apply(Command::Show(shown));
        window.apply(Command::Scroll(10_000.0));
        window.settle();
        let command = window.session().next_bad_frame(direction);
        assert_eq!(command.is_some(), expected.is_some(), "{shown:?} {direction:?}");
        let (Some(command), Some(frame)) = (command, expected) else { continue };
        window.apply(command);
        window.settle();
        assert_eq!(window.selected(), window.frame(frame), "{shown:?} {direction:?}");
        // Its place on the track is in the chart.
        assert!(window.chart().contains(window.on_frame(frame)), "{shown:?} {direction:?}");
    }
    // From a selected frame in view, the step goes on from there.
    window.apply(Command::Show(ms(90, 400)));
    window.apply(Command::Select(Some(window.frame(3))));
    window.apply(window.session().next_bad_frame(Direction::Forward).expect("the dropped frame"));
    window.settle();
    assert_eq!(window.selected(), window.frame(4));
    assert_eq!(window.session().next_bad_frame(Direction::Forward), None);
}
