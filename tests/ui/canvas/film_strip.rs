//! Screenshots: the lane of the overview, the preview at the pointer, the picture in the details.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Vec2, pos2, vec2};
use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::page_load::Screenshots;
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::json;

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

/// An image in one color.
const IMAGE: &str = include_str!("../../../fixtures/screenshot.txt");

/// A trace with screenshots at 10, 40 and 90 ms, the second one damaged.
fn window(size: Vec2) -> Window {
    let screenshot = |ms: i64, data: &str| {
        json!({"name": "Screenshot", "cat": "disabled-by-default-devtools.screenshot", "ph": "O", "id": "0x1", "pid": 7,
            "tid": 7, "ts": ms * 1000, "args": {"snapshot": data}})
    };
    let task = |ms: i64| json!({"name": "RunTask", "ph": "X", "pid": 7, "tid": 7, "ts": ms * 1000, "dur": 4000});
    let events = [
        task(0),
        screenshot(10, IMAGE.trim()),
        screenshot(40, "/9j/4AAQ damaged"),
        screenshot(90, IMAGE.trim()),
        task(96),
    ];
    let text = json!({"traceEvents": events}).to_string().into_bytes();
    let index = Arc::new(Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, size, 1.0);
    window.settle();
    window.wait("the lanes", |window| !window.session().is_busy() && window.session().scope().lanes().is_some());
    window.settle();
    window
}

#[test]
fn the_lane_shows_the_screenshot_at_the_pointer() {
    let mut window = window(vec2(1600.0, 1000.0));
    assert_eq!(window.session().canvas.regions.overview.height, 96.0);
    assert!(window.has(Role::Label, "3 screenshots"));
    let lane = window.get(Role::Image, "Screenshots").rect;
    let at = |part: f32| pos2(lane.min.x + part * lane.width(), lane.center().y);
    // Before the first one there is nothing to show, and a damaged one is left out.
    for (part, shown) in [(0.05, None), (0.2, Some("10")), (0.6, None), (0.95, Some("90"))] {
        window.event(egui::Event::PointerMoved(at(part)));
        window.settle();
        let found =
            window.nodes().iter().find(|node| node.text.starts_with("Screenshot at ")).map(|node| node.text.clone());
        let wanted = shown.map(|ms| format!("Screenshot at {ms}.000 ms"));
        assert_eq!(found, wanted, "at {part}");
    }
    window.event(egui::Event::PointerMoved(pos2(lane.center().x, lane.max.y + 300.0)));
    window.settle();
    assert!(!window.nodes().iter().any(|node| node.text.starts_with("Screenshot at ")));
}

#[test]
fn small_windows_have_no_lane_and_the_details_show_a_selected_screenshot() {
    let mut window = window(vec2(1120.0, 700.0));
    assert_eq!(window.session().canvas.regions.overview.height, 64.0);
    assert!(!window.has(Role::Image, "Screenshots"));
    let screens = Screenshots::of(&window.session().index).list().to_vec();
    for (screenshot, is_shown) in screens.iter().zip([true, false, true]) {
        window.apply(Command::Reveal(screenshot.marker));
        window.settle();
        assert_eq!(window.has(Role::Image, "Screenshot"), is_shown, "{screenshot:?}");
    }
}
