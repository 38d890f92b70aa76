//! Tracks of interactions and layout shifts: keyboard, mouse, details, and screen reader texts.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Pos2, pos2, vec2};
use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::interactions::Interactions;
use flowline::insights::layout_shifts::LayoutShifts;
use flowline::profile::{Ns, TimeRange};
use flowline::scene::{ItemKind, TrackHeading};
use flowline::ui::KeyMap;
use flowline::view::{Command, TrackId};
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

/// An event of the page's process; times are in milliseconds.
fn event(name: &str, ph: &str, ms: i64, args: Value) -> Value {
    json!({"name": name, "ph": ph, "s": "t", "cat": "loading", "pid": 7, "tid": 7, "ts": ms * 1000, "args": args})
}

fn interaction(kind: &str, id: i64, [start, first, last, end]: [i64; 4]) -> Vec<Value> {
    let data = json!({"type": kind, "interactionId": id, "timeStamp": start + 1, "processingStart": first + 1,
        "processingEnd": last + 1, "duration": end - start});
    let half = |ph: &str, ms: i64, args: Value| {
        let mut half = event("EventTiming", ph, ms, args);
        half["id"] = json!(format!("{kind}{id}"));
        half
    };
    vec![half("b", start, json!({"data": data})), half("e", end, json!({}))]
}

fn window(overlaps: bool) -> Window {
    let name = json!({"name": "thread_name", "ph": "M", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}});
    let mut task = event("RunTask", "X", 10, json!({}));
    task["dur"] = json!(900_000);
    let mut events = vec![name, task];
    events.extend(interaction("pointerdown", 3, [100, 108, 320, 332]));
    events.extend(interaction("click", 3, [110, 120, 320, 332]));
    let second = if overlaps { 200 } else { 400 };
    events.extend(interaction("keydown", 4, [second, second + 10, second + 20, second + 50]));
    for (ms, score) in [(500, 0.081), (700, 0.024)] {
        let nodes =
            json!([{"debug_name": "IMG id='hero'", "old_rect": [8, 226, 640, 331], "new_rect": [8, 230, 640, 327]}]);
        let data = json!({"weighted_score_delta": score, "had_recent_input": false, "impacted_nodes": nodes});
        events.push(event("LayoutShift", "I", ms, json!({"data": data})));
    }
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.wait("the tracks", |window| window.says("Interactions, ") && window.says("Layout shifts, "));
    window.settle();
    window
}

impl Window {
    /// A place on the heading of a track.
    pub(super) fn on_track(&self, kind: &str, ms: i64) -> Pos2 {
        let (input, chart) = (self.session().scene_input(), self.chart());
        let is_it =
            |kind_of: &ItemKind| matches!(kind_of, ItemKind::Track(TrackHeading { track, .. }) if track.kind == kind);
        let item = input.visible_items().iter().find(|item| is_it(&item.kind)).copied().expect("a heading");
        let time = self.session().index.extent().start + Ns((ms - 10) * 1_000_000);
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = chart.min.x + self.view().axis.pixel(time) as f32;
        pos2(x, input.item_y(&item) + input.item_height(&item) / 2.0)
    }
}

#[test]
fn the_tracks_are_above_the_threads_and_state_inp_and_cls() {
    let window = window(false);
    let headings = window.session().list().items().iter().filter_map(|item| match item.kind {
        ItemKind::Track(heading) => Some(heading.track.kind),
        ItemKind::Thread(_) => Some("thread"),
        _ => None,
    });
    let order: Vec<&str> = headings.take(3).collect();
    assert_eq!(order, ["interactions", "layout-shifts", "thread"]);
    for name in ["Interactions, 2 interactions, INP 232 ms", "Layout shifts, 2 shifts, CLS 0.105"] {
        assert!(window.has(Role::Label, name), "{name} in {:?}", window.texts());
    }
}

#[test]
fn overlapping_interactions_have_rows_that_can_be_collapsed() {
    let mut window = window(true);
    let heights = |window: &Window| {
        let items = window.session().list().items().iter();
        let own = items.filter(|item| {
            item.kind.track_rows(&window.session().scene_input()).is_some_and(|(track, _)| track.kind == "interactions")
        });
        own.map(|item| item.height).collect::<Vec<f64>>()
    };
    assert_eq!(heights(&window), [20.0, 20.0], "the heading shows the first row");
    let heading = window.get(Role::DisclosureTriangle, "Interactions, 2 interactions, INP 232 ms, expanded");
    window.click_at(heading.rect.center());
    window.settle();
    assert_eq!(heights(&window), [20.0]);
    assert!(window.has(Role::DisclosureTriangle, "Interactions, 2 interactions, INP 232 ms, collapsed"));
    window.chord(egui::Modifiers::COMMAND, egui::Key::Z);
    window.settle();
    assert_eq!(heights(&window), [20.0, 20.0]);
}

#[test]
fn a_click_selects_the_interaction_and_its_details_list_the_parts() {
    let mut window = window(false);
    let index = Arc::clone(&window.session().index);
    let own = Interactions::of(&index).list()[0].clone();
    let place = window.on_track("interactions", 200);
    window.point_at(place);
    window.settle();
    assert_eq!(window.view().hovered, Some(own.marker));
    let reason = "Delay 8 ms, handlers 212 ms, paint 12 ms";
    assert!(window.says(reason), "the tooltip states the parts: {:?}", window.texts());
    window.click_at(place);
    window.settle();
    assert_eq!(window.selected(), own.marker);
    let card = window.card(own.marker).to_text();
    let lines = [
        "Interaction: pointerdown, 232 ms to next paint",
        "Rating: needs improvement",
        "Input delay: 8.00 ms",
        "Handlers: 212.00 ms",
        "Presentation: 12.00 ms",
    ];
    for line in lines {
        assert!(card.contains(line), "{line} in {card}");
    }
    assert!(window.says("pointerdown, 232 ms to next paint"), "{:?}", window.texts());
    // A nested event says where it counts, and is on no row.
    let nested = Interactions::of(&index).list()[1].marker;
    assert!(window.card(nested).to_text().contains("Counted with: "), "{}", window.card(nested).to_text());
    let kind = flowline::scene::track_kind("interactions").expect("a kind");
    assert!(kind.entry_of(&index, nested).is_none() && kind.entry_of(&index, own.marker).is_some());
}

#[test]
fn a_click_selects_the_shift_and_its_details_list_score_and_elements() {
    let mut window = window(false);
    let index = Arc::clone(&window.session().index);
    let shift = LayoutShifts::of(&index).shifts()[0].clone();
    let place = window.on_track("layout-shifts", 500) + vec2(4.0, 0.0);
    window.click_at(place);
    window.settle();
    assert_eq!(window.selected(), shift.marker);
    let card = window.card(shift.marker).to_text();
    let lines = [
        "Score: 0.081",
        "Cluster: 0.105 from 2 shifts, needs improvement",
        "Moved element: IMG id='hero': 640 × 331 at 8, 226, then 640 × 327 at 8, 230",
    ];
    for line in lines {
        assert!(card.contains(line), "{line} in {card}");
    }
}

#[test]
fn counts_refer_to_the_range_and_a_search_lists_tracks_with_hits() {
    let mut window = window(false);
    let start = window.profile().meta.range.start;
    let ms = |ms: i64| start + Ns((ms - 10) * 1_000_000);
    window.apply(Command::SelectRange(Some(TimeRange::new(ms(350), ms(600)))));
    window.wait("the counts", |window| window.says("Interactions, 1 interaction"));
    window.wait("the counts", |window| window.says("Layout shifts, 1 shift"));
    window.apply(Command::SelectRange(None));
    window.apply(Command::Search("name:LayoutShift".to_owned()));
    window.wait_for_search("name:LayoutShift");
    window.settle();
    let listed = window.session().list().items().iter().filter_map(|item| match item.kind {
        ItemKind::Track(heading) => Some(heading.track),
        _ => None,
    });
    let tracks: Vec<TrackId> = listed.collect();
    assert_eq!(tracks.iter().map(|track| track.kind).collect::<Vec<_>>(), ["layout-shifts"]);
}
