//! The details at a glance: key facts, notices of harm, time by kind, and one stack.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use egui::accesskit::Role;
use egui::vec2;
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Index};
use flowline::profile::MarkerId;
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

fn trace(events: &[Value], selected: u32) -> Window {
    let text = serde_json::to_vec(events).expect("JSON");
    let profile = read(text, &Progress::default()).expect("a trace").profile;
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1400.0), 1.0);
    window.apply(Command::Select(Some(MarkerId(selected))));
    window
}

fn slice(name: &str, start_ms: f64, length_ms: f64, args: Value) -> Value {
    json!({"ph": "X", "pid": 1, "tid": 1, "cat": "devtools.timeline", "name": name, "ts": start_ms * 1000.0,
        "dur": length_ms * 1000.0, "args": args})
}

fn frames(count: usize) -> Value {
    let frame = |at: usize| json!({"functionName": format!("f{at}"), "url": "https://a.test/js/app.js", "lineNumber": at, "columnNumber": 7});
    (0..count).map(frame).collect()
}

/// A task of 100 ms with a script that forces layout twice, and layout after the script.
fn long_task() -> Vec<Value> {
    vec![
        json!({"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "CrRendererMain"}}),
        slice("RunTask", 0.0, 100.0, json!({})),
        slice("FunctionCall", 10.0, 60.0, json!({"data": {"stackTrace": frames(7)}})),
        slice("Layout", 20.0, 10.0, json!({"beginData": {"stackTrace": frames(2)}})),
        slice("UpdateLayoutTree", 40.0, 5.0, json!({})),
        slice("Layout", 80.0, 10.0, json!({})),
    ]
}

#[test]
fn harm_is_said_first() {
    let mut window = trace(&long_task(), 1);
    let says = |window: &Window, texts: &[&str]| {
        for text in texts {
            assert!(window.says(text), "{text}: {:#?}", window.texts());
        }
    };
    says(&window, &["Part of a long task, blocks 50", "Forces layout 2 times, 15"]);
    window.apply(Command::Select(Some(MarkerId(2))));
    says(&window, &["Part of a long task", "Forced by f0, app.js:0:7"]);
    window.apply(Command::Select(Some(MarkerId(3))));
    says(&window, &["Forced by FunctionCall"]);
    window.apply(Command::Select(Some(MarkerId(4))));
    assert!(!window.says("Forced by"), "no script is around it: {:#?}", window.texts());
    window.apply(Command::Select(Some(MarkerId(0))));
    says(&window, &["Long task, blocks 50", "Forces layout 2 times"]);
    // A click on a notice selects the longest forced layout, whose details name the script and the line.
    let notice = window.node_with_prefix(Role::Button, "Forces layout 2 times").rect.center();
    window.click_at(notice);
    assert_eq!(window.selected(), MarkerId(2));
    says(&window, &["Forced by f0, app.js:0:7"]);
    // A click on the notice selects the task.
    window.apply(Command::Select(Some(MarkerId(1))));
    let notice = window.node_with_prefix(Role::Button, "Part of a long task").rect.center();
    window.click_at(notice);
    assert_eq!(window.selected(), MarkerId(0));
}

#[test]
fn time_is_shown_by_kind() {
    let window = trace(&long_task(), 0);
    let rows: Vec<String> = ["Scripting", "Rendering", "System"]
        .iter()
        .map(|kind| window.node_with_prefix(Role::Label, &format!("{kind}, ")).text)
        .collect();
    // Scripting: 60 ms without 15 ms of style and layout; rendering: these and 10 ms after it; the rest is the task.
    for (row, (part, share)) in rows.iter().zip([("45", "45"), ("25", "25"), ("30", "30")]) {
        assert!(row.contains(&format!(", {part}")) && row.contains(&format!(", {share}")), "{rows:?}");
    }
}

#[test]
fn the_stack_is_shown_once_and_unfolds() {
    let mut window = trace(&long_task(), 1);
    window.wait("the stack", |window| window.says("Stack, 7 frames"));
    let frames = |window: &Window| window.nodes_with_prefix(Role::TreeItem, "f").len();
    assert_eq!(frames(&window), 3, "{:#?}", window.texts());
    let more = window.node_with_prefix(Role::TreeItem, "4 more frames").rect.center();
    window.click_at(more);
    assert_eq!(frames(&window), 7);
    let stacks = window.nodes_with_prefix(Role::DisclosureTriangle, "Stack");
    assert_eq!(stacks.len(), 1);
}

#[test]
fn the_name_and_the_payload_can_be_copied_from_the_menu() {
    let mut window = trace(&long_task(), 2);
    window.press("More actions");
    assert!(window.has(Role::Button, "Copy name") && window.has(Role::Button, "Copy raw JSON"));
    window.press("Show in chart");
    assert!(!window.has(Role::Button, "Copy raw JSON"), "the menu closes");
}
