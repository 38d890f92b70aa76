//! Custom tracks in the chart: keyboard, mouse, and screen reader texts.

use std::path::Path;
use std::sync::Arc;

use egui::{pos2, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::{Ns, TimeRange};
use flowline::scene::{ItemKind, TrackHeading, TrackRow};
use flowline::ui::KeyMap;
use flowline::view::{Command, TrackId};
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

/// A measure with times in milliseconds.
fn measure(name: &str, [start, end]: [i64; 2], devtools: Value) -> Vec<Value> {
    let detail = json!({"devtools": devtools}).to_string();
    let event = |ph: &str, ms: i64, args: Value| {
        json!({"name": name, "ph": ph, "cat": "blink.user_timing", "pid": 9, "tid": 9, "ts": ms * 1000,
            "id2": {"local": name}, "args": args})
    };
    vec![event("b", start, json!({"detail": detail})), event("e", end, json!({}))]
}

fn window() -> Window {
    let mut events = vec![json!({"name": "Task", "ph": "X", "pid": 9, "tid": 9, "ts": 0, "dur": 400_000, "args": {}})];
    let properties = json!([["rows", "100"], ["deep", {"a": 1}]]);
    let load = json!({"track": "Data", "trackGroup": "App", "color": "error", "tooltipText": "loads it", "properties": properties});
    events.extend(measure("load", [100, 200], load));
    events.extend(measure("parse", [120, 180], json!({"track": "Data", "trackGroup": "App"})));
    events.extend(measure("draw", [210, 220], json!({"track": "Render", "trackGroup": "App"})));
    events.extend(measure("alone", [50, 90], json!({"track": "Solo"})));
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.wait("the tracks", |window| window.session().index.custom_tracks_if_built().is_some());
    window.settle();
    window
}

impl Window {
    fn custom_rows(&self) -> usize {
        let is_row = |kind: &ItemKind| matches!(kind, ItemKind::TrackRow(row) if row.track.kind == "custom_tracks");
        self.session().list().items().iter().filter(|item| is_row(&item.kind)).count()
    }
}

#[test]
fn tracks_have_collapsible_headings() {
    let mut window = window();
    assert_eq!(window.custom_rows(), 3, "two rows of Data, one of Render, and only a heading for Solo");
    for spoken in
        ["Custom track Solo, 1 entry, collapsed", "Custom track App, 2 tracks, 3 entries, expanded", "Data, 2 entries"]
    {
        assert!(window.says(spoken), "{spoken} in {:?}", window.texts());
    }
    window.apply(Command::ToggleTrack(TrackId::new("custom_tracks", 1)));
    window.settle();
    assert_eq!(window.custom_rows(), 0);
    window.chord(egui::Modifiers::COMMAND, egui::Key::Z);
    window.settle();
    assert_eq!(window.custom_rows(), 3, "the track is expanded again");
    window.apply(Command::Search("name:draw".to_owned()));
    window.wait_for_search("name:draw");
    window.settle();
    let headings = window.session().list().items().iter().filter(|item| matches!(item.kind, ItemKind::Track(_)));
    assert_eq!(headings.count(), 1, "only the track with hits");
}

#[test]
fn an_entry_selects_its_marker() {
    let mut window = window();
    let index = Arc::clone(&window.session().index);
    let entry = index.custom_tracks().entries().iter().find(|entry| entry.name == "load").expect("an entry").clone();
    let middle = Ns(entry.start.0.midpoint(entry.drawn_end().0) - 45_000_000);
    let track = TrackId::new("custom_tracks", 1);
    for (kind, time) in [
        (ItemKind::TrackRow(TrackRow { track, row: 0 }), middle),
        (ItemKind::Track(TrackHeading { track, expanded: false }), middle),
    ] {
        if matches!(kind, ItemKind::Track(_)) {
            window.apply(Command::ToggleTrack(track));
            window.apply(Command::Select(None));
            window.settle();
        }
        let place = {
            let (input, chart) = (window.session().scene_input(), window.chart());
            let item = input.visible_items().iter().find(|item| item.kind == kind).copied().expect("an item");
            #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
            let x = chart.min.x + window.view().axis.pixel(time) as f32;
            pos2(x, input.item_y(&item) + input.item_height(&item) / 2.0)
        };
        window.point_at(place);
        window.settle();
        assert_eq!(window.view().hovered, Some(entry.marker));
        window.click_at(place);
        window.settle();
        assert_eq!(window.view().selected, Some(entry.marker));
    }
    let card = window.card(entry.marker).to_text();
    for line in ["Track: App › Data", "Tooltip: loads it", "rows: 100", "deep: {\"a\":1}"] {
        assert!(card.contains(line), "{line} in {card}");
    }
}

#[test]
fn counts_refer_to_the_range() {
    let mut window = window();
    let start = window.profile().meta.range.start;
    let range = TimeRange::new(start + Ns(130_000_000), start + Ns(205_000_000));
    window.apply(Command::SelectRange(Some(range)));
    window.wait("the counts", |window| window.says("Custom track Solo, 0 entries"));
    assert!(window.says("Custom track App, 2 tracks, 2 entries") && window.says("Render, 0 entries"));
    window.apply(Command::SelectRange(None));
    assert!(window.says("Custom track Solo, 1 entry") && window.says("Render, 1 entry"));
}
