//! Hiding and showing entries by keys and menus, reflected in selection, search, tables and screen reader texts.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::{LocalMarker, MarkerId, Ns, ThreadId, TimeRange};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

const THREAD: ThreadId = ThreadId(0);

fn trace(metadata: Value) -> Vec<u8> {
    let slice = |name: &str, ms: i64, long: i64| json!({"name": name, "ph": "X", "pid": 9, "tid": 9, "ts": ms * 1000, "dur": long * 1000, "args": {}});
    let events = [
        slice("task", 0, 400),
        slice("layout", 10, 300),
        slice("paint", 20, 100),
        slice("layout", 30, 50),
        slice("paint", 150, 100),
    ];
    json!({"traceEvents": events, "metadata": metadata}).to_string().into_bytes()
}

fn window(metadata: Value) -> Window {
    let profile = read_bytes(trace(metadata)).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut session = session(index, Path::new(""));
    assert_eq!(session.read_own_notes(), [""; 0]);
    session.open_breadcrumbs();
    let mut window = Window::showing(session, KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.settle();
    window
}

impl Window {
    fn named(&self, name: &str, number: usize) -> MarkerId {
        let profile = self.profile();
        let all = (0..profile.thread(THREAD).markers.len()).map(LocalMarker::new);
        let mut own = all.filter(|local| profile.marker_name(THREAD, *local) == name);
        profile.thread(THREAD).global(own.nth(number).expect("a marker"))
    }

    /// Names on each row.
    fn row_names(&mut self) -> Vec<String> {
        self.wait("the rows", |window| !window.session().is_busy());
        self.settle();
        let session = self.session();
        let layout = session.list().shown().layout(&session.index, Arrangement::Stack, THREAD).expect("rows");
        let name = |marker: &LocalMarker| self.profile().marker_name(THREAD, *marker).to_owned();
        (0..layout.rows.len()).map(|row| layout.rows.row(row).iter().map(name).collect::<Vec<_>>().join(" ")).collect()
    }

    fn select(&mut self, name: &str, number: usize) {
        let marker = self.named(name, number);
        self.apply(Command::Reveal(marker));
        self.settle();
    }

    fn selected_name(&self) -> Option<String> {
        let (thread, local) = self.profile().locate(self.view().selected?)?;
        Some(self.profile().marker_name(thread, local).to_owned())
    }
}

const ALL: [&str; 4] = ["task", "layout", "paint paint", "layout"];

#[test]
fn keys_hide_entries_and_show_them_again() {
    let mut window = window(Value::Null);
    assert_eq!(window.row_names(), ALL);
    window.select("layout", 0);
    window.key(Key::X);
    assert_eq!(window.row_names(), ["task", "paint paint", "layout"]);
    assert_eq!(window.selected_name().as_deref(), Some("task"), "the selection moves to the enclosing entry");
    assert!(window.says("Thread Thread 9, 5 markers, 1 hidden, expanded"), "{:?}", window.texts());
    assert!(window.says("Hidden: 1 entry"));
    window.chord(Modifiers::ALT | Modifiers::SHIFT, Key::X);
    assert_eq!(window.row_names(), ALL, "the hidden contents of the task");

    window.select("layout", 0);
    window.chord(Modifiers::SHIFT, Key::X);
    assert_eq!(window.row_names(), ["task", "layout"]);
    window.chord(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.row_names(), ALL);
    window.chord(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(window.row_names(), ["task", "layout"]);
    window.apply(Command::ShowHidden(None));
    assert_eq!(window.row_names(), ALL);

    window.chord(Modifiers::ALT, Key::X);
    assert_eq!(window.row_names(), ["task", "layout", "paint paint"]);
    window.apply(Command::Select(None));
    window.chord(Modifiers::ALT | Modifiers::SHIFT, Key::X);
    assert_eq!(window.row_names(), ALL, "without a selection, all entries are shown");
}

#[test]
fn hidden_hits_are_found_and_shown_by_a_jump() {
    let mut window = window(Value::Null);
    window.select("layout", 0);
    window.chord(Modifiers::SHIFT, Key::X);
    assert_eq!(window.row_names(), ["task", "layout"]);
    window.apply(Command::Search("paint".to_owned()));
    window.wait_for_search("paint");
    window.settle();
    assert_eq!(window.session().hits().map(flowline::index::search::Hits::total), Some(2));
    window.key(Key::Enter);
    window.settle();
    assert_eq!(window.row_names(), ALL, "going to a hit shows it");
    assert_eq!(window.selected_name().as_deref(), Some("paint"));
    window.chord(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.row_names(), ["task", "layout"]);
}

#[test]
fn arrow_keys_skip_hidden_entries() {
    let mut window = window(Value::Null);
    window.select("layout", 0);
    window.key(Key::X);
    window.row_names();
    window.key(Key::ArrowDown);
    window.settle();
    assert_eq!(window.selected_name().as_deref(), Some("paint"));
    window.key(Key::ArrowRight);
    window.settle();
    assert_eq!(window.view().selected, Some(window.named("paint", 1)));
}

#[test]
fn menus_hide_and_show_entries() {
    let mut window = window(Value::Null);
    window.select("paint", 0);
    window.chord(Modifiers::SHIFT, Key::F10);
    window.settle();
    assert!(window.has(Role::Button, "Hide") || window.says("Hide"), "{:?}", window.texts());
    window.key(Key::Escape);
    window.apply(Command::Select(None));
    window.settle();
}

#[test]
fn saved_modifications_of_a_trace_are_applied() {
    let window_of = |min: i64, max: i64| json!({"min": min, "max": max, "range": max - min});
    let modifications = json!({"modifications": {
        "entriesModifications": {"hiddenEntries": ["r-1", "r-4"], "expandableEntries": ["r-0"]},
        "initialBreadcrumb": {"window": window_of(0, 400_000),
            "child": {"window": window_of(10_000, 300_000), "child": {"window": window_of(20_000, 120_000), "child": null}}},
        "annotations": {"entryLabels": [], "labelledTimeRanges": [], "linksBetweenEntries": []},
    }});
    let mut window = window(modifications);
    assert_eq!(window.row_names(), ["task", "paint", "layout"]);
    let ms = |from: i64, to: i64| TimeRange::new(Ns(from * 1_000_000), Ns(to * 1_000_000));
    assert_eq!(window.view().breadcrumbs.ranges(), [ms(10, 300), ms(20, 120)]);
    crate::harness::window::near(&window, window.view().axis.visible().start.0, ms(20, 120).start.0, 1.0);
    window.key(Key::Backspace);
    window.settle();
    assert_eq!(window.view().breadcrumbs.ranges(), [ms(10, 300)]);
    window.apply(Command::ShowHidden(Some(THREAD)));
    assert_eq!(window.row_names(), ALL);
    let kinds: Vec<&str> = window.view().notes.list.iter().map(|note| note.kind.name()).collect();
    assert_eq!(kinds, ["breadcrumb"; 3], "no row can be expanded any more");
}
