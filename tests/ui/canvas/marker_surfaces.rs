//! Markers at the places that Firefox schemas name: in headings of threads, above memory counters, and on lanes of messages
//! and file accesses.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Pos2, pos2, vec2};
use flowline::index::{Arrangement, Derived, Index, MarkerSurfaces};
use flowline::profile::{MarkerId, Ns, ThreadId};
use flowline::scene::{Item, ItemKind, Scene};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::flows::name_of;
use crate::recording::{self, Recording, Row, interval};

fn schema(name: &str, place: &str) -> Value {
    json!({"name": name, "display": ["marker-chart", "marker-table", place], "data": []})
}

fn typed(name: &str, kind: &str, from: f64, to: f64) -> Row {
    interval(name, from, to).with(json!({"type": kind}))
}

/// One thread with a marker at each place, in a process with or without a memory counter.
fn window_of(schemas: Value, has_counter: bool) -> Window {
    let rows = vec![
        interval("plain", 0.0, 100.0),
        typed("click", "Overview", 10.0, 20.0),
        typed("collection", "Memory", 30.0, 40.0),
        typed("message", "Ipc", 50.0, 60.0),
        typed("read", "File", 70.0, 80.0),
    ];
    let mut recording = Recording::of(rows).schemas(schemas);
    recording.tracks[0].samples = vec![0.0, 100.0];
    let mut raw = recording.raw();
    if has_counter {
        raw["counters"] = json!([{"name": "malloc", "category": "Memory", "samples": {
            "schema": {"time": 0, "count": 1}, "data": [[0.0, 5e6], [50.0, 3e6], [100.0, 0.0]]}}]);
    }
    let index = Arc::new(Index::build(recording::read(&raw).into(), Arrangement::ByName));
    let mut window =
        Window::showing(session(index, Path::new("made up.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.wait("the places", |window| {
        MarkerSurfaces::if_built(&window.session().index).is_some() && !window.session().is_busy()
    });
    window
}

fn schemas() -> Value {
    json!([
        schema("Overview", "timeline-overview"),
        schema("Memory", "timeline-memory"),
        schema("Ipc", "timeline-ipc"),
        schema("File", "timeline-fileio"),
    ])
}

fn item(window: &Window, is_it: impl Fn(&ItemKind) -> bool) -> Item {
    *window.session().list().items().iter().find(|item| is_it(&item.kind)).expect("an item")
}

/// A point of an item: milliseconds, and points below its top.
fn place(window: &Window, item: &Item, ms: i64, below: f32) -> Pos2 {
    let input = window.session().scene_input();
    let start = window.session().index.extent().start;
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = window.chart().min.x + window.view().axis.pixel(start + Ns(ms * 1_000_000)) as f32;
    pos2(x, input.item_y(item) / input.scale + below)
}

/// Name of the marker under the pointer.
fn hovered(window: &mut Window, at: Pos2) -> Option<String> {
    window.point_at(at);
    let profile = window.profile();
    window.view().hovered.map(|marker: MarkerId| name_of(&profile, marker))
}

const THREAD: ThreadId = ThreadId(0);

fn heading(window: &Window) -> Item {
    item(window, |kind| matches!(kind, ItemKind::Thread(heading) if heading.thread == THREAD))
}

#[test]
fn markers_of_the_overview_are_in_the_heading_of_their_thread() {
    let mut window = window_of(schemas(), true);
    for expanded in [true, false] {
        if window.view().tracks.expanded.contains(&THREAD) != expanded {
            window.apply(Command::ToggleThread(THREAD));
        }
        let own = heading(&window);
        let over = place(&window, &own, 15, 4.0);
        assert_eq!(hovered(&mut window, over).as_deref(), Some("click"), "expanded {expanded}");
        window.click_at(over);
        let profile = window.profile();
        assert_eq!(name_of(&profile, window.selected()), "click");
        // Its color is in the strip, and the selection is outlined there.
        let mut scene = Scene::default();
        let frame = scene.build(&window.session().scene_input()).clone();
        let input = window.session().scene_input();
        let strip = input.item_y(&own)..input.item_y(&own) + 8.0 * input.scale;
        let is_strip = |row: usize| {
            let row = &frame.rows[row];
            strip.contains(&row.y) && row.height <= 6.0 * input.scale
        };
        let drawn = frame.instances.markers.iter().filter(|marker| is_strip(marker.row())).count();
        assert!(drawn >= 2, "the marker and its selection, expanded {expanded}: {drawn}");
        window.apply(Command::Select(None));
    }
    // The other places have their own markers.
    let own = heading(&window);
    for ms in [35, 55, 75] {
        let over = place(&window, &own, ms, 4.0);
        assert_ne!(hovered(&mut window, over).as_deref(), Some("click"));
    }
}

#[test]
fn markers_of_memory_are_above_the_memory_counter_or_else_in_the_heading() {
    let mut window = window_of(schemas(), true);
    let counter = item(&window, |kind| matches!(kind, ItemKind::Counter(_)));
    let (over, below) = (place(&window, &counter, 35, 4.0), place(&window, &counter, 35, 20.0));
    assert_eq!(hovered(&mut window, over).as_deref(), Some("collection"));
    assert_eq!(hovered(&mut window, below), None, "the values of the counter");
    assert!(window.session().pointer_hits().counter.is_some());

    let mut window = window_of(schemas(), false);
    let own = heading(&window);
    let over = place(&window, &own, 35, 4.0);
    assert_eq!(hovered(&mut window, over).as_deref(), Some("collection"));
}

#[test]
fn messages_and_file_accesses_have_lanes_below_their_thread() {
    let mut window = window_of(schemas(), true);
    for (name, ms, marker) in [("IPC", 55, "message"), ("File I/O", 75, "read")] {
        let label = window.get(Role::Label, &format!("{name} of GeckoMain, 1 marker"));
        let top = label.rect.center().y;
        let lane = item(&window, |kind| matches!(kind, ItemKind::Track(track) if track.track.kind == "thread_tracks"));
        let at = pos2(place(&window, &lane, ms, 0.0).x, top);
        assert_eq!(hovered(&mut window, at).as_deref(), Some(marker));
        window.click_at(at);
        let profile = window.profile();
        assert_eq!(name_of(&profile, window.selected()), marker);
    }
    // A search lists lanes with hits, like rows.
    window.apply(Command::Search("message".to_owned()));
    window.wait_for_search("message");
    window.settle();
    assert!(window.says("IPC of GeckoMain") && !window.says("File I/O of GeckoMain"), "{:#?}", window.texts());
    window.apply(Command::Search(String::new()));
    window.wait_for_search("");
    window.apply(Command::ToggleThread(THREAD));
    window.settle();
    assert!(!window.says("IPC of GeckoMain"), "a folded thread has no lanes");
}

/// Without markers at such places, there are no lanes.
#[test]
fn recordings_without_such_places_have_no_lanes() {
    let plain = json!([{"name": "Overview", "display": ["marker-chart", "marker-table"], "data": []}]);
    let profile = Recording::of(vec![typed("click", "Overview", 1.0, 2.0)]).schemas(plain).read_both();
    for (form, profile) in profile {
        let index = Index::build(profile.into(), Arrangement::ByName);
        assert!(MarkerSurfaces::of(&index).is_empty(), "{form}");
    }
    let trace = r#"[{"name":"work","ph":"X","pid":1,"tid":1,"ts":0,"dur":90}]"#;
    let trace = recording::read_bytes(trace.as_bytes().to_vec()).expect("a trace");
    assert!(!MarkerSurfaces::may_exist(&trace));
}
