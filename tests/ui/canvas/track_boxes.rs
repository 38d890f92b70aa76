//! Boxes over network requests and entries of custom tracks, whose markers are on several threads; and notes at their
//! bars.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, pos2, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::notes::{Entry, EntryLocation, Note, NoteKind};
use flowline::profile::{MarkerId, TimeRange};
use flowline::scene::{Anchor, Item, ItemKind, SelectedShare};
use flowline::ui::KeyMap;
use flowline::view::{Command, NoteCommand, RowSelection};
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::flows::name_of;
use crate::recording::read_bytes;

fn event(name: &str, tid: u32, ms: i64, data: Value) -> Value {
    json!({"name": name, "ph": "I", "s": "t", "cat": "d", "pid": 9, "tid": tid, "ts": ms * 1000, "args": {"data": data}})
}

/// A request with its start, response and end in milliseconds. Thread 9 sends it, thread 8 receives the response.
fn request(id: &str, url: &str, [asked, answered, done]: [i64; 3]) -> Vec<Value> {
    let send =
        json!({"requestId": id, "url": url, "requestMethod": "GET", "priority": "High", "resourceType": "Script"});
    let response = json!({"requestId": id, "statusCode": 200, "mimeType": "text/javascript"});
    vec![
        event("ResourceSendRequest", 9, asked, send),
        event("ResourceReceiveResponse", 8, answered, response),
        event("ResourceFinish", 8, done, json!({"requestId": id, "encodedDataLength": 1234})),
    ]
}

/// An entry of a custom track with times in milliseconds.
fn measure(name: &str, track: &str, [start, end]: [i64; 2]) -> Vec<Value> {
    let detail = json!({"devtools": {"track": track}}).to_string();
    let event = |ph: &str, ms: i64, args: Value| {
        json!({"name": name, "ph": ph, "cat": "blink.user_timing", "pid": 9, "tid": 9, "ts": ms * 1000,
            "id2": {"local": name}, "args": args})
    };
    vec![event("b", start, json!({"detail": detail})), event("e", end, json!({}))]
}

fn window() -> Window {
    let mut events = vec![json!({"name": "Task", "ph": "X", "pid": 9, "tid": 9, "ts": 0, "dur": 400_000})];
    events.extend(request("1", "http://a.test/one.js", [100, 160, 200]));
    events.extend(request("2", "http://a.test/two.css", [120, 150, 320]));
    events.extend(measure("load", "Data", [100, 200]));
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1200.0), 1.0);
    window.wait("the tracks", |window| {
        let index = &window.session().index;
        index.network_if_built().is_some() && index.custom_tracks_if_built().is_some()
    });
    window.apply(Command::ZoomToAll);
    window
}

impl Window {
    /// The item of a row of a track or, for `None`, of its collapsed heading.
    #[track_caller]
    fn item_of_track(&self, kind: &str, wanted: Option<u32>) -> Item {
        let is_it = |item: &&Item| match item.kind {
            ItemKind::TrackRow(row) => row.track.kind == kind && Some(row.row) == wanted,
            // The heading of an expanded network track shows its first row.
            ItemKind::Track(heading) => {
                heading.track.kind == kind && wanted == (heading.expanded && kind == "network").then_some(0)
            }
            _ => false,
        };
        *self.session().list().items().iter().find(is_it).expect("the row of a track")
    }

    /// A position in an item at a share of the chart's width.
    fn place_in(&self, item: &Item, along: f32) -> Pos2 {
        let input = self.session().scene_input();
        let y = (input.item_y(item) + input.item_height(item) / 2.0) / input.scale;
        pos2(self.chart().min.x + self.chart().width() * along, y)
    }

    /// The markers of a marker table that shows the selected rows: names, by start.
    #[track_caller]
    fn table_names(&mut self) -> Vec<String> {
        self.wait("the markers", |window| !window.panels().is_busy() && !window.session().is_busy());
        let (profile, rows) = (self.profile(), self.panels().marker_table.rows().to_vec());
        let mut rows: Vec<MarkerId> = rows.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        rows.sort_by_key(|marker| self.view().times_of(*marker).expect("a marker").start);
        rows.into_iter().map(|marker| name_of(&profile, marker)).collect()
    }

    #[track_caller]
    fn marker_named(&self, name: &str) -> MarkerId {
        let profile = self.profile();
        let mut all = (0..profile.marker_count()).map(MarkerId::new);
        all.find(|marker| name_of(&profile, *marker) == name).expect(name)
    }
}

const EVENTS: [&str; 3] = ["ResourceSendRequest", "ResourceReceiveResponse", "ResourceFinish"];

#[test]
fn a_box_selects_the_markers_of_requests() {
    let mut window = window();
    window.key(Key::T);
    let row = window.item_of_track("network", Some(1));
    let (from, to) = (window.place_in(&row, 0.02), window.place_in(&row, 0.98) + vec2(0.0, 1.0));
    window.drag(from, to, Modifiers::ALT.plus(Modifiers::CTRL).plus(Modifiers::COMMAND));
    let ItemKind::TrackRow(shown) = row.kind else { panic!("a row") };
    let choice = window.view().chosen.rows.clone();
    let tracks: Vec<_> = choice.tracks.iter().map(|(track, rows)| (*track, rows.iter().collect::<Vec<_>>())).collect();
    assert_eq!((tracks, choice.threads.len() + choice.rows.len()), (vec![(shown.track, vec![1])], 0));
    assert_eq!(window.table_names(), EVENTS, "of both threads");
    let count = window.session().scene_input().count_in_box(&choice, window.view().range);
    assert_eq!((count.markers, count.is_least), (3, false));
    assert!(window.has(Role::Button, "Clear: 1 row of network requests"), "{:#?}", window.texts());
    let share = |window: &Window, item: &Item| window.session().scene_input().selected_share(&item.kind);
    assert_eq!(share(&window, &row), SelectedShare::All);
    let other = window.item_of_track("network", Some(0));
    assert_eq!(share(&window, &other), SelectedShare::None);

    // A collapsed track stands for all of its rows.
    window.apply(Command::ToggleTrack(shown.track));
    let heading = window.item_of_track("network", None);
    assert_eq!(share(&window, &heading), SelectedShare::Some);
    let all = window.session().scene_input().rows_of(&heading.kind);
    assert_eq!(all.tracks[&shown.track].len(), 2);
    window.apply(Command::SelectBox(None, all));
    assert_eq!(window.table_names().len(), 6);

    // Markers on other selected rows count once.
    let thread = window.profile().threads_with_ids().find(|(_, thread)| thread.tid == "8").expect("a thread").0;
    let mut both = window.view().chosen.rows.clone();
    both.threads.insert(thread);
    window.apply(Command::SelectBox(None, both.clone()));
    assert_eq!(window.table_names().len(), 6);
    assert_eq!(window.session().scene_input().count_in_box(&both, None).markers, 6);
    window.press("Clear: thread Thread 8, 2 rows of network requests");
    assert!(window.view().chosen.is_empty());
}

#[test]
fn the_network_table_and_searches_follow_a_box() {
    let mut window = window();
    let row = window.item_of_track("network", Some(1));
    let rows = window.session().scene_input().rows_of(&row.kind);
    window.apply(Command::SelectBox(None, rows.clone()));
    window.chord(Modifiers::SHIFT, Key::N);
    window.wait("the table", |window| !window.panels().is_busy());
    let requests: Vec<String> =
        window.items(Role::Row).into_iter().map(|node| node.text).filter(|text| text.contains("://")).collect();
    assert!(requests.len() == 1 && requests[0].contains("two.css"), "{requests:?}");
    window.apply(Command::Search("name:ResourceFinish".into()));
    window.wait_for_search("name:ResourceFinish");
    window.key(Key::T);
    assert_eq!(window.table_names(), ["ResourceFinish"]);
    assert_eq!(window.session().scene_input().count_in_box(&rows, None).markers, 1);
}

#[test]
fn a_box_selects_entries_of_custom_tracks() {
    let mut window = window();
    window.key(Key::T);
    let heading = window.item_of_track("custom_tracks", None);
    let (from, to) = (window.place_in(&heading, 0.02), window.place_in(&heading, 0.98) + vec2(0.0, 1.0));
    window.drag(from, to, Modifiers::ALT.plus(Modifiers::CTRL).plus(Modifiers::COMMAND));
    assert_eq!(window.table_names(), ["load"]);
    assert!(window.has(Role::Button, "Clear: 1 row of custom tracks"), "{:#?}", window.texts());
}

#[test]
fn statistics_of_a_box_count_markers_that_overlap_it() {
    let mut window = window();
    let selected = |window: &Window, text: &str| window.get(Role::Button, text).selected;
    window.key(Key::I);
    assert!(selected(&window, "Starts inside") && !selected(&window, "Overlaps"));
    let row = window.item_of_track("custom_tracks", None);
    let rows = window.session().scene_input().rows_of(&row.kind);
    let load = window.view().times_of(window.marker_named("load")).expect("a marker");
    let middle = TimeRange::new(load.start + flowline::profile::Ns(1_000_000), load.end);
    window.apply(Command::SelectBox(Some(middle), rows.clone()));
    assert!(selected(&window, "Overlaps") && !selected(&window, "Starts inside"));
    window.wait("the statistics", |window| window.items(Role::Row).iter().any(|node| node.text.starts_with("load")));
    window.press("Starts inside");
    window.wait("the statistics", |window| window.says("No matching markers start in the range."));
    window.apply(Command::SelectBox(None, RowSelection::default()));
    window.apply(Command::SelectBox(Some(middle), rows));
    assert!(selected(&window, "Starts inside"), "the user's choice stays");
}

#[test]
fn notes_are_at_the_bars_of_their_requests_and_entries() {
    let mut window = window();
    let network = Arc::clone(&window.session().index);
    let request = network.network().requests()[1].clone();
    let note = |window: &Window, marker: MarkerId| {
        let times = window.view().times_of(marker);
        let entry = Entry { place: EntryLocation::Marker(marker), name: String::new(), times, key: None };
        Note { kind: NoteKind::Label(entry), text: "a note".into() }
    };
    let anchored = |window: &Window| match window.session().scene_input().placed_notes() {
        [placed] => match placed.anchor {
            Some(Anchor::Entry(rect)) => rect,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let is_on = |window: &Window, item: &Item| {
        let (input, rect) = (window.session().scene_input(), anchored(window));
        (rect.y - input.item_y(item)).abs() < 0.5
    };
    let added = note(&window, request.marker);
    window.apply(Command::Note(NoteCommand::Add(added)));
    let row = window.item_of_track("network", Some(1));
    assert!(is_on(&window, &row));
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let length = (window.view().axis.pixel(request.end) - window.view().axis.pixel(request.own_start())) as f32;
    assert!((anchored(&window).width - length).abs() < 1.5, "as long as the bar: {:?}", anchored(&window));
    let ItemKind::TrackRow(shown) = row.kind else { panic!("a row") };
    window.apply(Command::ToggleTrack(shown.track));
    let heading = window.item_of_track("network", None);
    assert!(is_on(&window, &heading), "on the line of the collapsed track");

    window.apply(Command::Note(NoteCommand::Delete(flowline::view::NoteId(0))));
    let added = note(&window, window.marker_named("load"));
    window.apply(Command::Note(NoteCommand::Add(added)));
    let heading = window.item_of_track("custom_tracks", None);
    assert!(is_on(&window, &heading));
}
