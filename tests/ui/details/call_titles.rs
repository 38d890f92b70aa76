//! Calls in the window: titles of details and the status bar, the raw name beside them, and the palette.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Index};
use flowline::profile::MarkerId;
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

fn slice(name: &str, start_ms: i64, length_ms: i64, args: Value) -> Value {
    json!({"ph": "X", "pid": 1, "tid": 1, "cat": "devtools.timeline", "name": name, "ts": start_ms * 1_000,
        "dur": length_ms * 1_000, "args": args})
}

fn call(name: &str, line: i64) -> Value {
    json!({"data": {"functionName": name, "url": "https://a.test/js/app.js", "lineNumber": line, "columnNumber": 7}})
}

/// Markers 1 and 3 surround calls; 2, 4 and 5 are calls, the last one the longest of `tick`.
fn window() -> Window {
    let events = [
        json!({"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "CrRendererMain"}}),
        slice("RunTask", 0, 100, json!({})),
        slice("EventDispatch", 1, 20, json!({"data": {"type": "click"}})),
        slice("FunctionCall", 2, 15, call("onClick", 20)),
        slice("TimerFire", 30, 10, json!({"data": {"timerId": 3}})),
        slice("FunctionCall", 31, 5, call("tick", 9)),
        slice("FunctionCall", 50, 8, call("tick", 9)),
    ];
    let profile = read(serde_json::to_vec(&events).expect("JSON"), &Progress::default()).expect("a trace").profile;
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1400.0), 1.0)
}

#[test]
fn details_have_the_title_of_a_call_and_its_raw_name() {
    let mut window = window();
    for (marker, title, name) in [
        (1, "click: onClick, app.js:20", "EventDispatch"),
        (2, "onClick, app.js:20", "FunctionCall"),
        (3, "Timer fired: tick, app.js:9", "TimerFire"),
    ] {
        window.apply(Command::Select(Some(MarkerId(marker))));
        let card = window.card(MarkerId(marker));
        assert_eq!((card.heading.as_str(), card.name.as_deref()), (title, Some(name)));
        assert!(window.says(title) && window.says(name), "{title}: {:#?}", window.texts());
    }
}

#[test]
fn the_palette_finds_called_functions() {
    let mut window = window();
    window.chord(CTRL, Key::P);
    window.wait("the names", |window| !window.says("Collecting names"));
    window.type_text("tick app.js");
    let options = window.nodes().into_iter().filter(|node| node.role == Role::ListBoxOption);
    let options: Vec<String> = options.map(|node| node.text).collect();
    assert!(options[0].starts_with("tick, app.js:9, function, 2 calls"), "{options:?}");
    window.key(Key::Enter);
    assert_eq!(window.selected(), MarkerId(5), "the longest call");
}
