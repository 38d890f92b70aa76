//! Counters in the window: texts in the label column, collapsing, searching, and reading values with the pointer.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use crate::recording::{self, Recording, Track, interval};
use egui::accesskit::Role;
use egui::{Key, Pos2, pos2, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::{Counter, CounterId, Ns, ProcessId, Sample, Series, TimeRange};
use flowline::scene::{CounterItem, ItemKind};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

fn counter(name: &str, category: &str, samples: &[(f64, f64)]) -> Value {
    let data: Vec<Value> = samples.iter().map(|(time, count)| json!([time, count])).collect();
    json!({"name": name, "category": category, "samples": {"schema": {"time": 0, "count": 1}, "data": data}})
}

/// Two processes: the first with memory and bandwidth, the second with seven counters; one counter has two series.
fn window() -> Window {
    let rows = vec![interval("Styles", 0.0, 100.0)];
    let mut recording = Recording::of(rows.clone());
    recording.starts = vec![1000.0, 1000.0];
    recording.tracks[0].samples = vec![0.0, 100.0];
    recording.tracks.push(Track { name: "GeckoMain".into(), process: 1, samples: vec![0.0, 100.0], rows });
    let mut raw = recording.raw();
    let memory = [(0.0, 5e6), (50.0, 3e6), (80.0, -1e6), (100.0, 0.0)];
    let bandwidth = [(0.0, 0.0), (50.0, 100_000.0), (100.0, 0.0)];
    raw["counters"] = json!([counter("malloc", "Memory", &memory), counter("eth0", "Bandwidth", &bandwidth)]);
    let many = (0..7).map(|number| counter(&format!("level {number}"), "Other", &[(0.0, 1.0), (100.0, 2.0)]));
    raw["processes"][0]["counters"] = many.collect();
    let mut profile = recording::read(&raw);
    let series = |name: &str, values: [f64; 2]| Series {
        name: name.into(),
        samples: [(0, values[0]), (50_000_000, values[1])]
            .map(|(time, value)| Sample { time: Ns(time), value })
            .into_iter()
            .collect(),
    };
    profile.counters.push(Counter {
        name: "queues".into(),
        process: Some(ProcessId::new(0)),
        series: vec![series("high", [1.0, 3.0]), series("low", [4.0, 0.5])],
        ..Counter::default()
    });
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window =
        Window::showing(session(index, Path::new("made up.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.apply(Command::Show(TimeRange::new(Ns(0), Ns(100_000_000))));
    window
}

/// The middle of a counter's item at a time.
fn place_of(window: &Window, number: usize, time: i64) -> Pos2 {
    let session = window.session();
    let input = session.scene_input();
    let counter = CounterId::new(number);
    let item = input.visible_items().iter().find(|item| item.kind == ItemKind::Counter(CounterItem { counter }));
    let item = item.expect("the counter is on screen");
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = input.regions.chart.x + session.view.axis.pixel(Ns(time)) as f32;
    pos2(x, input.item_y(item) + input.item_height(item) / 2.0) / input.scale
}

#[test]
fn counters_are_accessible_with_their_range() {
    let window = window();
    for text in ["Counter Memory, 0 B to 3.00 MB", "Counter Bandwidth, 0 B/s to 2.00 MB/s", "Counter queues, 0 to 5"] {
        window.get(Role::Label, text);
    }
    window.get(Role::DisclosureTriangle, "Counters of Process, 3, expanded");
    window.get(Role::DisclosureTriangle, "Counters of Process, 7, expanded");
    assert!(window.says("Counter level 6"), "many counters are initially listed while there is room");
    let order = ["Counters of Process, 3", "Counter Bandwidth", "Counter Memory", "Counter queues", "Thread GeckoMain"];
    let nodes = window.nodes();
    let top = |text: &str| nodes.iter().find(|node| node.text.starts_with(text)).expect("on screen").rect.min.y;
    assert!(order.map(top).is_sorted(), "counters are sorted by name between the process and its threads");
}

#[test]
fn a_click_on_the_heading_collapses_and_expands() {
    let mut window = window();
    window.click(Role::DisclosureTriangle, "Counters of Process, 7, expanded");
    assert!(!window.says("Counter level"));
    window.click(Role::DisclosureTriangle, "Counters of Process, 7, collapsed");
    assert!(window.has(Role::Label, "Counter level 6, 0/s to 20/s"), "{:#?}", window.texts());
    window.click(Role::DisclosureTriangle, "Counters of Process, 3, expanded");
    assert!(window.has(Role::DisclosureTriangle, "Counters of Process, 3, collapsed"));
    assert!(!window.says("Counter Memory"));
    window.click(Role::DisclosureTriangle, "Counters of Process, 3, collapsed");
    assert!(window.says("Counter Memory"));
    let process = window.node_with_prefix(Role::DisclosureTriangle, "Process Process, pid 100");
    window.click_at(process.rect.center());
    assert!(!window.says("Counter Memory") && window.says("Counter level 6"), "they collapse with their process");
}

#[test]
fn a_search_keeps_counters_with_matching_names() {
    let mut window = window();
    window.click(Role::DisclosureTriangle, "Counters of Process, 7, expanded");
    window.apply(Command::Search("memory".into()));
    window.wait_for_search("memory");
    assert!(
        window.says("Counter Memory") && !window.says("Counter Bandwidth") && !window.says("Counters of Process, 7")
    );
    window.apply(Command::Search("level 3".into()));
    window.wait_for_search("level 3");
    assert!(window.says("Counter level 3") && !window.says("Counter level 4"), "counters with hits are not collapsed");
    window.apply(Command::Search("styles, LOW".into()));
    window.wait_for_search("styles, LOW");
    assert!(window.says("Counter queues") && !window.says("Counter Memory"), "a series has a label too");
    window.apply(Command::Search(String::new()));
    window.wait("all tracks", |window| window.session().search().is_none());
    assert!(window.says("Counter Memory") && !window.says("Counter level 3"));
}

#[test]
fn the_pointer_reads_values() {
    let mut window = window();
    let queues = window.profile().counters.len() - 1;
    window.point_at(place_of(&window, queues, 20_000_000));
    for text in ["queues", "5", "high 1, low 4"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    assert!(window.says("queues, 5, Process (pid 100)"), "the status line shows it too");
    window.point_at(place_of(&window, queues, 70_000_000));
    for text in ["high 3, low 0.5", "3.5"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Process Process, pid 100").rect.center();
    window.point_at(heading);
    assert!(!window.has(Role::Label, "high 3, low 0.5"), "the tooltip follows the pointer");
    window.point_at(place_of(&window, 0, 60_000_000));
    for text in ["Memory", "3.00 MB"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    for text in ["malloc, Memory, Process (pid 100), ", "relative to the recording's minimum"] {
        assert!(window.says(text), "{text}: {:#?}", window.texts());
    }
    window.point_at(place_of(&window, 1, 20_000_000));
    assert!(window.has(Role::Label, "2.00 MB/s"), "{:#?}", window.texts());
    let before = window.view().axis;
    window.click_at(place_of(&window, 1, 20_000_000));
    assert!(window.view().selected.is_none() && window.view().axis == before, "a counter is not selected");
}

#[test]
fn a_click_shows_the_details_of_a_counter() {
    let mut window = window();
    let queues = window.profile().counters.len() - 1;
    window.click_at(place_of(&window, queues, 20_000_000));
    window.point_at(egui::pos2(5.0, 5.0));
    for text in ["queues", "Value: 5", "Minimum: 3.5", "high: 1", "low: 4"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    window.click_at(place_of(&window, queues, 70_000_000));
    assert!(window.has(Role::Label, "high: 3") && !window.has(Role::Label, "high: 1"));
    window.key(Key::Escape);
    assert_eq!(window.view().counter, None);
    assert!(!window.has(Role::Label, "high: 3"));
}

#[test]
fn statistics_go_to_the_maximum() {
    let mut window = window();
    window.shell().set_table_height(400.0);
    window.click(Role::DisclosureTriangle, "Counters of Process, 3, expanded");
    window.key(Key::I);
    window.click(Role::Button, "Statistics of counters");
    window.wait("the counters", |window| window.says("Counters, 11 series"));
    assert!(!window.says("Counter Memory"), "its counters are collapsed");
    let row = window.node_with_prefix(Role::Row, "Memory");
    // 5 MB are added at the start and 3 MB at 50 ms, so the level is highest from 50 to 80 ms.
    assert!(row.text.contains("Max at"), "{}", row.text);
    window.click_at(row.rect.center());
    window.key(Key::Enter);
    let marked = window.view().measure.expect("the moment is marked");
    assert_eq!((marked.a, marked.b), (Ns(50_000_000), None));
    window.settle();
    assert!(window.says("Counter Memory"), "the group is expanded");
    window.key(Key::Home);
    let row = window.node_with_prefix(Role::Row, "Memory");
    window.choose(&row, "Go to minimum");
    assert_eq!(window.view().measure.map(|measure| measure.a), Some(Ns(0)));
}

#[test]
fn a_box_takes_counters() {
    let mut window = window();
    window.key(Key::I);
    let place = |number| place_of(&window, number, 50_000_000);
    let (from, to) = (place(0), place(1));
    let chart = window.chart();
    window.drag(
        pos2(chart.min.x + 20.0, from.y),
        pos2(chart.max.x - 20.0, to.y),
        egui::Modifiers::ALT.plus(egui::Modifiers::CTRL).plus(egui::Modifiers::COMMAND),
    );
    let chosen = window.view().chosen.rows.clone();
    assert_eq!(
        chosen.counters.iter().copied().collect::<Vec<_>>(),
        [CounterId::new(0), CounterId::new(1)],
        "{chosen:?}"
    );
    assert!(window.view().range.is_some(), "the box has times, too");
    assert!(window.says("2 counters"), "{:#?}", window.texts());
    // Statistics of counters list those of the box.
    window.press("Statistics of counters");
    window.wait("the counters", |window| !window.panels().is_busy());
    window.settle();
    let rows: Vec<String> = window.items(Role::Row).into_iter().map(|node| node.text).collect();
    assert!(
        rows.len() == 2 && ["Bandwidth", "Memory"].iter().all(|name| rows.iter().any(|row| row.starts_with(name))),
        "{rows:#?}"
    );
}
