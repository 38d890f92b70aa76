//! The pictures of a layout shift, in details and tooltip: elements are outlined to scale of the viewport.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Rect, vec2};
use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::layout_shifts::LayoutShifts;
use flowline::profile::MarkerId;
use flowline::scene::{ItemKind, TrackHeading};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

/// An image in one color.
const IMAGE: &str = include_str!("../../../fixtures/screenshot.txt");
/// Places of the element before and after, in pixels of a screen with two of them per pixel of the page. The viewport has
/// 400 × 300 pixels of the page.
const OLD: [f64; 4] = [80.0, 60.0, 400.0, 120.0];
const NEW: [f64; 4] = [80.0, 300.0, 400.0, 120.0];

/// An event of the page's main thread; times are in milliseconds.
fn event(name: &str, ms: i64, args: Value) -> Value {
    json!({"name": name, "ph": "I", "s": "t", "cat": "loading", "pid": 7, "tid": 7, "ts": ms * 1000, "args": args})
}

fn viewport() -> Value {
    let corners = [0, 0, 400, 0, 400, 300, 0, 300];
    event("PaintTimingVisualizer::Viewport", 20, json!({"data": {"dpr": 2, "viewport_rect": corners}}))
}

fn shift(is_main: bool) -> Value {
    // The second element is shown only afterwards, the third one is out of view.
    let nodes = json!([{"debug_name": "IMG id='hero'", "old_rect": OLD, "new_rect": NEW},
        {"debug_name": "P", "old_rect": [0, 0, 0, 0], "new_rect": [0, 0, 800, 60]},
        {"debug_name": "FOOTER", "old_rect": [0, 900, 800, 60], "new_rect": [0, 1200, 800, 60]}]);
    let data = json!({"weighted_score_delta": 0.12, "had_recent_input": false, "is_main_frame": is_main,
        "impacted_nodes": nodes});
    event("LayoutShift", 500, json!({"frame": "MAIN", "data": data}))
}

fn screenshot(ms: i64) -> Value {
    json!({"name": "Screenshot", "cat": "disabled-by-default-devtools.screenshot", "ph": "O", "id": "0x1", "pid": 7,
        "tid": 7, "ts": ms * 1000, "args": {"snapshot": IMAGE.trim()}})
}

/// A window with a page and some events; the shift is selected.
fn window(more: &[Value]) -> Window {
    let frames = json!([{"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let mut events = vec![
        json!({"name": "thread_name", "ph": "M", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}}),
        event("TracingStartedInBrowser", 0, json!({"data": {"frames": frames}})),
        event("Last", 1000, json!({})),
    ];
    events.extend_from_slice(more);
    let text = json!({"traceEvents": events}).to_string().into_bytes();
    let index = Arc::new(Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.wait("the track", |window| window.says("Layout shifts, ") && !window.session().is_busy());
    let marker = own(&window);
    window.apply(Command::Reveal(marker));
    window.settle();
    window
}

fn own(window: &Window) -> MarkerId {
    LayoutShifts::of(&window.session().index).shifts()[0].marker
}

impl Window {
    /// The pictures whose names begin with a text.
    fn pictures(&self, name: &str) -> Vec<(String, Rect)> {
        self.nodes_with_prefix(Role::Image, name).into_iter().map(|node| (node.text, node.rect)).collect()
    }
}

/// Asserts that an outline is on its picture where its element is in the viewport of 800 × 600 pixels of the screen.
#[track_caller]
fn is_to_scale(picture: Rect, outline: Rect, [left, top, width, height]: [f64; 4]) {
    assert!((picture.width() / picture.height() - 800.0 / 600.0).abs() < 0.02, "the viewport's shape: {picture:?}");
    #[expect(clippy::cast_possible_truncation, reason = "places on screen")]
    let at = |x: f64, y: f64| {
        picture.min + vec2((x / 800.0) as f32 * picture.width(), (y / 600.0) as f32 * picture.height())
    };
    let (from, to) = (at(left, top), at(left + width, top + height));
    assert!(
        outline.min.distance(from) <= 1.0 && outline.max.distance(to) <= 1.0,
        "{outline:?} from {from:?} to {to:?}"
    );
}

#[test]
fn the_details_outline_the_elements_before_and_after_to_scale() {
    for with_screenshots in [true, false] {
        let mut events = vec![viewport(), shift(true)];
        if with_screenshots {
            events.extend([screenshot(100), screenshot(450), screenshot(550)]);
        }
        let window = window(&events);
        let missing = if with_screenshots { "" } else { ", no screenshot" };
        let (before, after) = (window.pictures("Before the shift, "), window.pictures("After the shift, "));
        assert_eq!(before[0].0, format!("Before the shift, 1 element outlined{missing}"));
        assert_eq!(after[0].0, format!("After the shift, 2 elements outlined{missing}"));
        let outline = |name: &str| window.pictures(name)[0].1;
        is_to_scale(before[0].1, outline("IMG id='hero' before the shift"), OLD);
        is_to_scale(after[0].1, outline("IMG id='hero' after the shift"), NEW);
        is_to_scale(after[0].1, outline("P after the shift"), [0.0, 0.0, 800.0, 60.0]);
        assert!(window.pictures("FOOTER").is_empty(), "it is out of view");
    }
}

#[test]
fn the_tooltip_shows_the_same_pictures() {
    let mut window = window(&[viewport(), shift(true), screenshot(450), screenshot(550)]);
    window.apply(Command::Select(None));
    assert!(window.pictures("Before the shift").is_empty(), "nothing is selected");
    let place = {
        let (input, chart) = (window.session().scene_input(), window.chart());
        let is_it = |kind: &ItemKind| matches!(kind, ItemKind::Track(TrackHeading { track, .. }) if track.kind == "layout-shifts");
        let item = input.visible_items().iter().find(|item| is_it(&item.kind)).copied().expect("a heading");
        let time = LayoutShifts::of(&window.session().index).shifts()[0].time;
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = chart.min.x + window.view().axis.pixel(time) as f32;
        egui::pos2(x, input.item_y(&item) + input.item_height(&item) / 2.0)
    };
    window.point_at(place);
    window.wait("the pictures", |window| !window.pictures("Before the shift").is_empty());
    let (before, after) = (window.pictures("Before the shift")[0].1, window.pictures("After the shift")[0].1);
    is_to_scale(before, window.pictures("IMG id='hero' before")[0].1, OLD);
    is_to_scale(after, window.pictures("IMG id='hero' after")[0].1, NEW);
    let screen = window.harness.ctx.content_rect();
    assert!(screen.contains_rect(before) && screen.contains_rect(after) && after.min.x >= before.max.x);
}

#[test]
fn without_a_place_nothing_is_outlined_and_the_details_say_why() {
    let cases = [
        (vec![shift(true), screenshot(450)], "The size of the viewport is not recorded."),
        (
            vec![viewport(), shift(false), screenshot(450)],
            "The shift is in a frame inside the page. The place of the frame is not recorded.",
        ),
    ];
    for (events, reason) in cases {
        let window = window(&events);
        assert!(window.has(Role::Label, reason), "{reason} in {:#?}", window.texts());
        assert_eq!(window.pictures("Before the shift")[0].0, "Before the shift");
        assert!(window.pictures("IMG id='hero'").is_empty());
    }
    // With neither a viewport nor screenshots, there are no pictures.
    let window = window(&[shift(true)]);
    assert!(window.pictures("Before the shift").is_empty() && !window.says("The size of the viewport"));
}
