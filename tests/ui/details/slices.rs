//! The details of slices: payloads and surrounding slices as trees, by mouse and keys, with screen reader texts.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Node, Window, session};
use crate::recording::{Recording, instant};
use crate::tables::flow_table::CTRL_SHIFT;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, vec2};
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Index};
use flowline::profile::MarkerId;
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

const ALT: Modifiers = Modifiers::ALT;

/// A window that shows a trace, with a marker selected.
fn trace(trace: &Value, selected: u32) -> Window {
    let profile = read(trace.to_string().into_bytes(), &Progress::default()).expect("a trace").profile;
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1400.0), 1.0);
    window.apply(Command::Select(Some(MarkerId(selected))));
    window
}

fn slice(name: &str, start: f64, length: f64) -> Value {
    json!({"name": name, "cat": "test", "ph": "X", "pid": 1, "tid": 1, "ts": start, "dur": length})
}

fn with(mut event: Value, members: &Value) -> Value {
    let members = members.as_object().expect("members").clone();
    event.as_object_mut().expect("an event").extend(members);
    event
}

/// Nested slices: a 1..8, b 2..7 in it, c 3..5 in b.
fn nested() -> Value {
    json!([slice("a", 1.0, 7.0), slice("b", 2.0, 5.0), slice("c", 3.0, 2.0)])
}

impl Window {
    fn branches(&self) -> Vec<String> {
        self.items(Role::TreeItem).into_iter().map(|node| node.text).collect()
    }

    fn branch(&self, start: &str) -> Node {
        self.node_with_prefix(Role::TreeItem, start)
    }

    /// Text copied by a button.
    fn copied_by_press(&mut self, label: &str) -> Vec<String> {
        let pos = self.get(Role::Button, label).rect.center();
        let press = |pressed| {
            let modifiers = Modifiers::NONE;
            Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers }
        };
        self.pause();
        let copied = self.copied_by([Event::PointerMoved(pos), press(true), press(false)]);
        self.settle();
        copied
    }

    /// Text copied by an entry of a node's context menu.
    fn copied_by_menu(&mut self, node: &Node, entry: &str) -> Vec<String> {
        let place = node.rect.center();
        self.pause();
        self.event(Event::PointerMoved(place));
        self.button(place, PointerButton::Secondary, true, Modifiers::NONE);
        self.button(place, PointerButton::Secondary, false, Modifiers::NONE);
        self.settle();
        self.copied_by_press(entry)
    }
}

#[test]
fn a_slice_shows_its_self_time() {
    let window = trace(&nested(), 0);
    assert!(window.has(Role::Label, "Self, 28.6%: 2.0 µs"), "{:#?}", window.texts());
    assert!(window.has(Role::Label, "Duration: 7.0 µs"), "{:#?}", window.texts());
    assert_eq!(
        window.branches(),
        ["Contains, 1 slice, 2 in total, expanded", "b, 71.4%, 5.0 µs"],
        "no callers, no stack, nothing else in the event"
    );
}

#[test]
fn callers_and_contents_are_reached_by_clicks_and_keys() {
    let mut window = trace(&nested(), 2);
    assert_eq!(window.branches(), ["a, 7.0 µs", "b, 5.0 µs"]);
    let place = window.branch("a, ").rect.center();
    window.click_at(place);
    assert_eq!(window.selected(), MarkerId(0));
    window.chord(ALT, Key::ArrowDown);
    assert_eq!(window.selected(), MarkerId(1), "the longest slice in it");
    window.chord(ALT, Key::ArrowDown);
    window.chord(ALT, Key::ArrowDown);
    assert_eq!(window.selected(), MarkerId(2), "the last slice has no contents");
    window.chord(ALT, Key::ArrowUp);
    assert_eq!(window.selected(), MarkerId(1));
    window.chord(ALT, Key::ArrowUp);
    window.chord(ALT, Key::ArrowUp);
    assert_eq!(window.selected(), MarkerId(0), "the first slice has no caller");
}

#[test]
fn contents_are_grouped_by_name_and_expand() {
    let children = (0..45).map(|at| slice("Task", f64::from(at) * 10.0, 5.0));
    let events: Vec<Value> =
        std::iter::once(slice("Loop", 0.0, 1000.0)).chain(children).chain([slice("Layout", 600.0, 300.0)]).collect();
    let mut window = trace(&Value::Array(events), 0);
    assert_eq!(
        window.branches(),
        ["Contains, 46 slices, expanded", "Layout, 30.0%, 300.0 µs", "Task, 45 times, 22.5%, 225.0 µs, collapsed"]
    );
    let place = window.branch("Task").rect.center();
    window.click_at(place);
    let branches = window.branches();
    assert_eq!(branches.len(), 3 + 40 + 1, "{branches:#?}");
    assert_eq!(branches[3], "Task, 0.000 ms, 5.0 µs");
    let more = window.branch("Show 5 more").rect.center();
    window.click_at(more);
    assert_eq!(window.branches().len(), 3 + 45);
    let third = window.branch("Task, 0.020 ms").rect.center();
    window.click_at(third);
    assert_eq!(window.view().selected, Some(MarkerId(3)), "the slice is selected");
}

#[test]
fn arguments_are_a_tree_that_can_be_copied() {
    let args = json!({"n": 1, "data": {"url": "http://example.com/a/long/address", "list": [1, {"deep key": "x"}]}});
    let mut window = trace(&json!([with(slice("a", 0.0, 5.0), &json!({"args": args}))]), 0);
    assert!(!window.nodes_with_prefix(Role::DisclosureTriangle, "Arguments").is_empty());
    let expected =
        ["data, 2 fields, expanded", "list, 2 items, collapsed", "url, http://example.com/a/long/address", "n, 1"];
    assert_eq!(window.branches(), expected, "keys have the order of the test's writer");
    let copied = window.copied_by_press("Copy all");
    let copied: Value = serde_json::from_str(&copied[0]).expect("JSON");
    assert_eq!(copied, args);
    let list = window.branch("list");
    assert_eq!(window.copied_by_menu(&list, "Copy value"), ["[1,{\"deep key\":\"x\"}]"]);
    assert_eq!(window.copied_by_menu(&list, "Copy path"), ["args.data.list"]);

    // By keys only: the focus is on the row that was pressed last.
    window.click_at(list.rect.center());
    assert!(window.heard().starts_with("list, 2 items, expanded"), "{}", window.heard());
    window.keys(&[Key::ArrowDown, Key::ArrowDown]);
    assert_eq!(window.heard(), "1, 1 field, collapsed");
    window.keys(&[Key::ArrowRight, Key::ArrowRight]);
    assert_eq!(window.heard(), "deep key, x");
    assert_eq!(window.copied_by([Event::Copy]), ["\"x\""]);
    assert_eq!(window.copied_by_key(Key::C, CTRL_SHIFT), ["args.data.list[1][\"deep key\"]"]);
    window.keys(&[Key::ArrowLeft, Key::Enter]);
    assert_eq!(window.heard(), "1, 1 field, collapsed");
    window.keys(&[Key::Home, Key::ArrowLeft]);
    assert_eq!(window.heard(), "data, 2 fields, collapsed");
    assert_eq!(window.branches().len(), 2);
    window.keys(&[Key::Escape]);
    assert_eq!(window.selected(), MarkerId(0), "Escape first restores the focus");
}

#[test]
fn expanded_arguments_stay_expanded_for_the_next_marker() {
    let event = |at: f64| with(slice("a", at, 5.0), &json!({"args": {"small": {"x": 1}, "n": at}}));
    let mut window = trace(&json!([event(0.0), event(10.0)]), 0);
    assert!(window.branch("small").text.ends_with("collapsed"));
    let place = window.branch("small").rect.center();
    window.click_at(place);
    assert!(window.branch("small").text.ends_with("expanded"));
    window.apply(Command::Select(Some(MarkerId(1))));
    assert!(window.branch("small").text.ends_with("expanded"));
}

#[test]
fn an_event_shows_its_stack_and_other_members() {
    let event = with(slice("a", 0.0, 5.0), &json!({"sf": 2, "tts": 5, "tdur": 1.5, "id": "0x7", "odd": {"x": [1]}}));
    let frames = json!({"1": {"name": "main", "category": "app"}, "2": {"name": "load", "parent": 1}});
    let mut window = trace(&json!({"traceEvents": [event], "stackFrames": frames}), 0);
    window.wait("the stack", |window| window.says("Stack, 2 frames, expanded"));
    assert!(window.says("CPU, 30.0%: 1.5 µs"), "{:#?}", window.texts());
    let expected = ["Rest of the event, 2 fields, collapsed", "load", "main, app"];
    assert_eq!(window.branches(), expected);
    let frame = window.branch("load");
    assert_eq!(window.copied_by_menu(&frame, "Copy stack"), ["load\nmain (app)\n"]);
    let frame = window.branch("main");
    assert_eq!(window.copied_by_menu(&frame, "Copy frame"), ["main (app)"]);
    let more = window.branch("Rest of").rect.center();
    window.click_at(more);
    assert_eq!(window.branches()[1..3], ["id, 0x7", "odd, 1 field, collapsed"]);
    let member = window.branch("odd");
    assert_eq!(window.copied_by_menu(&member, "Copy path"), ["odd"]);
    assert_eq!(window.copied_by_menu(&member, "Copy value"), ["{\"x\":[1]}"]);
}

#[test]
fn two_events_form_one_slice_with_both_sets_of_members() {
    let event = |ph: &str, ts: f64, more: Value| {
        with(json!({"name": "a", "cat": "test", "ph": ph, "pid": 1, "tid": 1, "ts": ts}), &more)
    };
    let begin = event("B", 1.0, json!({"tts": 10, "args": {"x": 1, "y": {"z": 2}}, "own": 1}));
    let end = event("E", 9.0, json!({"tts": "12.25", "args": {"x": 3}, "stack": ["root", "leaf"]}));
    let mut window = trace(&json!([begin, end]), 0);
    assert!(window.says("CPU, 28.1%: 2.3 µs"), "the difference of the thread's clock: {:#?}", window.texts());
    window.wait("the stack", |window| window.says("Stack, 2 frames, expanded"));
    let copied = window.copied_by_press("Copy all");
    assert_eq!(
        serde_json::from_str::<Value>(&copied[0]).expect("JSON"),
        json!({"x": 3, "x (begin)": 1, "y": {"z": 2}})
    );
    let branches = window.branches();
    assert!(branches.windows(2).any(|rows| rows == ["At the end, 2 frames, expanded", "leaf"]), "{branches:?}");
    assert!(window.has(Role::TreeItem, "Rest of the event, 1 field, collapsed"));
}

#[test]
fn hostile_arguments_do_not_block_the_window() {
    let deep = format!("{}1{}", "{\"a\":[".repeat(10_000), "]}".repeat(10_000));
    let wide = format!("[{}0]", "{\"k\":[]},".repeat(300_000));
    let long = format!("\"{}\"", "x\\u0000\\n\u{1F600}".repeat(8_000));
    for args in [deep.clone(), wide.clone(), long.clone(), "null".into(), "7".into(), "[]".into(), "{\"a\":NaN".into()]
    {
        let text = format!(
            "[{{\"name\":\"a\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5,\"args\":{{\"v\":{args}}}}},\
             {{\"name\":\"b\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":7,\"dur\":5,\"args\":{args}}}]"
        );
        let Ok(imported) = read(text.into_bytes(), &Progress::default()) else { continue };
        let index = Arc::new(Index::build(Arc::new(imported.profile), Arrangement::Stack));
        let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1200.0, 700.0), 1.0);
        for marker in 0..2 {
            window.apply(Command::Select(Some(MarkerId(marker))));
            let branches = window.branches();
            assert!(branches.iter().all(|text| text.len() < 3_000), "short rows");
            for _ in 0..12 {
                let Some(collapsed) =
                    window.items(Role::TreeItem).into_iter().find(|node| node.text.ends_with("collapsed"))
                else {
                    break;
                };
                window.click_at(collapsed.rect.center());
            }
        }
    }
}

#[test]
fn a_million_children_do_not_block_the_window() {
    let children: Vec<String> = (0..300_000)
        .map(|at| format!("{{\"name\":\"t{}\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":{at},\"dur\":0.5}}", at % 1_000))
        .collect();
    let text = format!(
        "[{{\"name\":\"all\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":300000}},{}]",
        children.join(",")
    );
    let profile = read(text.into_bytes(), &Progress::default()).expect("a trace").profile;
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.apply(Command::Select(Some(MarkerId(0))));
    window.wait("the contents", |window| window.says("Contains, 300,000 slices"));
    assert!(window.has(Role::Label, "Self, 50.0%: 150.00 ms"));
    assert!(window.says("300 times"));
}

/// A window with one marker of a Firefox recording.
fn firefox(payload: Value, schemas: Value) -> Window {
    let recording = Recording::of(vec![instant("Odd", 1.0).with(payload)]).schemas(schemas);
    let [(_, profile), _] = recording.read_both();
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.apply(Command::Select(Some(MarkerId(0))));
    window
}

#[test]
fn nested_firefox_payloads_are_trees() {
    let payload =
        json!({"type": "Odd", "n": 1, "timings": {"mark": 2.5, "phases": [{"name": "one"}]}, "stack": {"samples": []}});
    let window = firefox(payload.clone(), json!([]));
    let told = window.branches();
    assert!(told.contains(&"n, 1".to_owned()) && told.contains(&"mark, 2.5".to_owned()), "{told:#?}");
    assert!(told.iter().any(|row| row.starts_with("timings, ")) && !told.iter().any(|row| row.starts_with("stack")));
    let card = window.card(MarkerId(0));
    let line = card.lines.iter().find(|(label, _)| label == "timings").expect("a line");
    assert!(line.1.contains("mark: 2.5"), "the tooltip has it on a line: {}", line.1);

    let fields = json!([{"key": "n", "label": "Number", "format": "integer"}]);
    let window = firefox(payload, json!([{"name": "Odd", "display": [], "fields": fields, "data": fields}]));
    let told = window.branches();
    assert_eq!(told[0], "Number, 1", "{told:#?}");
    assert!(told[1].starts_with("timings, 2 fields"), "{told:#?}");

    let window = firefox(json!({"type": "Odd", "n": 1, "list": "a"}), json!([]));
    assert_eq!(window.branches(), ["list, a", "n, 1"]);
}

/// The details of an asynchronous slice name the thread that ended it, if it is another one than the one that began it.
#[test]
fn an_asynchronous_slice_names_the_threads_of_its_ends() {
    let thread =
        |tid: u32, name: &str| json!({"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": {"name": name}});
    let event = |ph: &str, name: &str, tid: u32, ts: u32| json!({"ph": ph, "pid": 1, "tid": tid, "cat": "net", "name": name, "id": name, "ts": ts});
    let events = json!([
        thread(1, "Main"),
        thread(2, "Socket"),
        event("b", "dns", 1, 0),
        event("e", "dns", 2, 9000),
        event("b", "cache", 1, 20_000),
        event("e", "cache", 1, 29_000),
    ]);
    let profile = crate::recording::read_bytes(events.to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(profile.into(), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let profile = window.profile();
    let marker = |name: &str| {
        let all = (0..profile.marker_count()).map(MarkerId::new);
        all.into_iter().find(|marker| crate::recording::flows::name_of(&profile, *marker) == name).expect("a marker")
    };
    for (name, ended) in [("dns", true), ("cache", false)] {
        window.apply(Command::Select(Some(marker(name))));
        window.wait("the details", |window| !window.session().is_busy());
        let all = window.texts().join("\n");
        assert!(all.contains("Began on") && all.contains("Main, Process 1"), "{name}: {all}");
        assert_eq!(all.contains("Ended on") && all.contains("Socket, Process 1"), ended, "{name}: {all}");
    }
}

#[test]
fn durations_of_minutes_are_exact_in_the_details() {
    for (length, exact) in [(120_329_118.0, "2 m 0.3 s (120.329118 s)"), (7_200_000_000.0, "2 h 00 m (7,200 s)")] {
        let window = trace(&json!([slice("long", 0.0, length), slice("next", length, 5.0)]), 0);
        assert!(window.says(exact), "{exact}: {:#?}", window.texts());
        let card = window.session().selected_card().expect("a card").to_text();
        assert!(card.contains(&format!("Duration: {exact}")), "{card}");
    }
    let short = trace(&json!([slice("short", 0.0, 59_000_000.0)]), 0);
    let card = short.session().selected_card().expect("a card").to_text();
    assert!(card.lines().any(|line| line == "Duration: 59.000 s"), "{card}");
}
