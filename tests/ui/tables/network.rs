//! Network requests in the chart and in the drawer: keyboard, mouse, and screen reader texts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2, vec2};
use flowline::index::network::PhaseKind;
use flowline::index::{Arrangement, Index};
use flowline::profile::{Ns, TimeRange};
use flowline::scene::{Item, ItemKind, TrackHeading};
use flowline::ui::{KeyMap, TableKind};
use flowline::view::{Command, RowSelection, RowSet, TrackId};
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

fn event(name: &str, ts: i64, data: Value) -> Value {
    json!({"name": name, "ph": "I", "s": "t", "cat": "d", "pid": 9, "tid": 9, "ts": ts, "args": {"data": data}})
}

/// A request with its start, response and end in milliseconds.
fn request(id: &str, url: &str, [asked, answered, done]: [i64; 3]) -> Vec<Value> {
    let send =
        json!({"requestId": id, "url": url, "requestMethod": "GET", "priority": "High", "resourceType": "Script"});
    let seconds = |ms: i64| ms as f64 / 1e3;
    let timing = json!({"requestTime": seconds(asked + 1), "sendStart": 1.0, "sendEnd": 2.0,
        "receiveHeadersEnd": (answered - asked - 1) as f64});
    let response = json!({"requestId": id, "statusCode": 200, "mimeType": "text/javascript", "timing": timing});
    let finish = json!({"requestId": id, "encodedDataLength": 1234, "finishTime": seconds(done)});
    vec![
        event("ResourceSendRequest", asked * 1000, send),
        event("ResourceReceiveResponse", answered * 1000, response),
        event("ResourceFinish", done * 1000, finish),
    ]
}

fn window() -> Window {
    let mut events = vec![event("First", 1, json!({})), event("Last", 400_000, json!({}))];
    events.extend(request("1", "http://a.test/one.js", [100, 160, 200]));
    events.extend(request("2", "http://a.test/two.css", [120, 150, 320]));
    events.extend(request("3", "http://b.test/three.js", [300, 310, 330]));
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.wait("the requests", |window| window.session().index.network_if_built().is_some());
    window.settle();
    window
}

impl Window {
    fn requests(&mut self) -> Vec<String> {
        self.wait("the table", |window| !window.panels().is_busy());
        self.settle();
        let rows = self.items(Role::Row).into_iter().map(|node| node.text);
        rows.filter(|text| text.contains("://")).collect()
    }

    fn network_rows(&self) -> usize {
        // The heading of an expanded track shows its first row.
        let is_row = |kind: &ItemKind| match kind {
            ItemKind::TrackRow(row) => row.track.kind == "network",
            ItemKind::Track(heading) => heading.track.kind == "network" && heading.expanded,
            _ => false,
        };
        self.session().list().items().iter().filter(|item| is_row(&item.kind)).count()
    }
}

#[test]
fn the_table_lists_sorts_and_filters_requests() {
    let mut window = window();
    window.chord(Modifiers::SHIFT, Key::N);
    assert_eq!(window.shell().state.table, Some(TableKind::Network));
    let rows = window.requests();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(
        rows[0].starts_with("http://a.test/one.js, Status 200, text/javascript, High, Received 1.2 KB"),
        "{rows:?}"
    );
    assert!(rows[0].contains("Duration 100.00 ms") && rows[0].contains("Receiving 40.00 ms"), "{rows:?}");
    window.press("Duration");
    let rows = window.requests();
    assert!(rows[0].contains("two.css") && rows[2].contains("three.js"), "the longest first: {rows:?}");
    window.click(Role::TextInput, "Filter requests");
    window.type_text("script -b.test");
    let rows = window.requests();
    assert_eq!(rows.len(), 2, "both from a.test are scripts: {rows:?}");
    assert!(window.says("2 of 3 requests"));
}

#[test]
fn the_details_of_a_request_state_each_fact_once() {
    let mut window = window();
    let request = window.session().index.network().requests()[0].marker;
    window.apply(Command::Select(Some(request)));
    window.settle();
    // The description of the chart is for those who do not see the panel.
    let is_in_panel = |text: &str| !text.starts_with("GraphicsDocument");
    let is_size = |text: &String| is_in_panel(text) && (text.contains("1.2 KB") || text.contains("1,234 bytes"));
    let sizes: Vec<String> = window.texts().into_iter().filter(is_size).collect();
    assert_eq!(sizes.len(), 1, "{sizes:?}");
    // The event repeats what the lines above it state.
    assert!(window.has(Role::TreeItem, "data, 5 fields, collapsed"), "{:#?}", window.texts());
}

#[test]
fn the_table_applies_the_active_filters() {
    let mut window = window();
    window.chord(Modifiers::SHIFT, Key::N);
    let zero = window.profile().meta.range.start;
    let ms = |time: i64| flowline::profile::Ns(zero.0 - zero.0 % 1_000_000 + time * 1_000_000);
    window.apply(Command::SelectRange(Some(TimeRange::new(ms(325), ms(340)))));
    let rows = window.requests();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].contains("three.js"));
    window.apply(Command::SelectRange(None));
    window.apply(Command::Search("two.css".to_owned()));
    window.wait_for_search("two.css");
    let rows = window.requests();
    assert!(rows.len() == 1 && rows[0].contains("two.css"), "{rows:?}");
}

#[test]
fn a_row_selects_the_marker_and_its_details_show_the_phases() {
    let mut window = window();
    window.chord(Modifiers::SHIFT, Key::N);
    let rows = window.requests();
    let first = rows[0].clone();
    window.click(Role::Row, &first);
    window.settle();
    let network = window.session().index.network();
    let selected = window.view().selected.expect("a marker");
    let request = network.request_of(selected).and_then(|id| network.get(id)).expect("a request");
    assert_eq!(request.url, "http://a.test/one.js");
    let card = window.card(selected).to_text();
    for line in [
        "Request: GET http://a.test/one.js",
        "Request duration: 100.00 ms, finished",
        "Waiting: 57.00 ms",
        "Receiving: 40.00 ms",
    ] {
        assert!(card.contains(line), "{line} in {card}");
    }
}

#[test]
fn the_track_collapses_and_its_bars_can_be_selected() {
    let mut window = window();
    assert_eq!(window.network_rows(), 2, "the third request fits behind the first");
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Network, 3 requests, ");
    assert!(heading.text.ends_with(" bytes, expanded") || heading.text.ends_with("B, expanded"), "{heading:?}");
    let network = Arc::clone(&window.session().index);
    let network = network.network();
    let second = network.requests()[1].clone();
    let place = {
        let (input, chart) = (window.session().scene_input(), window.chart());
        let is_first = |kind: &ItemKind| matches!(kind, ItemKind::TrackRow(row) if row.row == 1);
        let item = input.visible_items().iter().find(|item| is_first(&item.kind)).copied().expect("a row");
        let middle = flowline::profile::Ns(second.start.0.midpoint(second.end.0));
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = chart.min.x + window.view().axis.pixel(middle) as f32;
        pos2(x, input.item_y(&item) + input.item_height(&item) / 2.0)
    };
    window.point_at(place);
    window.settle();
    assert_eq!(window.view().hovered, Some(second.marker));
    for phase in ["Waiting: ", "Receiving: "] {
        assert!(!window.nodes_with_prefix(Role::Label, phase).is_empty(), "{phase}: {:#?}", window.texts());
    }
    window.click_at(place);
    window.settle();
    assert_eq!(window.view().selected, Some(second.marker));
    let track = TrackId::new("network", second.process.0);
    window.apply(Command::ToggleTrack(track));
    window.settle();
    assert_eq!(window.network_rows(), 0);
    let heading = ItemKind::Track(TrackHeading { track, expanded: false });
    assert!(window.session().list().items().iter().any(|item| item.kind == heading));
}

#[test]
fn track_and_table_show_the_same_count() {
    let mut window = window();
    let start = window.profile().meta.range.start;
    window.chord(Modifiers::SHIFT, Key::N);
    for ([from, to], count) in [([0, 90], 0), ([110, 130], 2), ([310, 340], 2), ([0, 400], 3)] {
        let range = TimeRange::new(start + Ns(from * 1_000_000), start + Ns(to * 1_000_000));
        window.apply(Command::SelectRange(Some(range)));
        let requests = if count == 1 { "1 request".to_owned() } else { format!("{count} requests") };
        window.wait("the count", |window| window.says(&format!("Network, {requests}")));
        assert_eq!(window.requests().len(), count, "{from} to {to}");
    }
}

#[test]
fn further_lanes_are_in_the_table_and_a_selected_request_has_its_lane() {
    let mut events = vec![event("First", 1, json!({})), event("Last", 400_000, json!({}))];
    for number in 0..9 {
        events.extend(request(&number.to_string(), &format!("http://a.test/{number}.js"), [100 + number, 160, 200]));
    }
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.wait("the requests", |window| window.session().index.network_if_built().is_some());
    window.settle();
    assert_eq!(window.network_rows(), 6);
    let more = window.node_with_prefix(Role::Button, "3 more network requests");
    window.click_at(more.rect.center());
    window.settle();
    assert_eq!(window.table(), Some(TableKind::Network));
    // A selected request of a lane that is not listed is shown, and its lane goes with the selection.
    let network = window.session().index.network();
    let track = network.track(flowline::profile::ProcessId(0)).expect("a track");
    let hidden = track.row(Some(7)).expect("a lane").numbers().next().expect("a bar");
    let marker = track.bars()[hidden as usize].marker;
    window.apply(Command::Reveal(marker));
    window.settle();
    assert_eq!(window.network_rows(), 7);
    let rows = window.session().list().items().iter().filter_map(|item| match item.kind {
        ItemKind::TrackRow(row) => Some(row.row),
        _ => None,
    });
    assert_eq!(rows.collect::<Vec<u32>>(), [1, 2, 3, 4, 5, 7]);
    assert!(window.has(Role::Button, "2 more network requests, open the table"));
    window.apply(Command::Select(None));
    window.settle();
    assert_eq!(window.network_rows(), 6);
}

#[test]
fn a_request_is_known_by_its_file() {
    let mut window = window();
    let send = window.session().index.network().requests()[0].marker;
    window.apply(Command::Select(Some(send)));
    window.wait("the details", |window| window.details_of(send));
    assert!(window.has(Role::Label, "one.js"), "{:#?}", window.texts());
    assert!(window.says("ResourceSendRequest"), "the name of its event: {:#?}", window.texts());
    assert!(window.says("one.js, 100.00 ms, "), "the status bar: {:#?}", window.texts());
    window.key(Key::K);
    window.wait("the path", |window| window.session().critical.path().is_some());
    window.settle();
    assert!(window.says("Critical path to one.js"), "{:#?}", window.texts());
    window.chord(Modifiers::SHIFT, Key::K);
    window.wait("the rows", |window| window.items(Role::Row).iter().any(|row| row.text.contains("one.js")));
}

#[test]
fn the_table_has_the_focus_and_a_filter_by_key() {
    let mut window = window();
    window.chord(Modifiers::SHIFT, Key::N);
    assert_eq!(window.requests().len(), 3);
    assert!(window.node_with_prefix(Role::Table, "Network requests").focused, "{:#?}", window.texts());
    window.key(Key::ArrowDown);
    let selected = window.view().selected;
    assert!(selected.is_some(), "the arrow keys move in the table");
    window.type_text("/");
    assert!(window.get(Role::TextInput, "Filter requests").focused, "{:#?}", window.texts());
    window.type_text("three");
    assert_eq!(window.requests().len(), 1);
    assert_eq!(window.view().search, "", "the search of markers is another one");
}

#[test]
fn a_failed_request_says_so_in_its_status() {
    let failed = json!({"requestId": "1", "didFail": true, "finishTime": 0.2});
    let mut events = vec![event("First", 1, json!({})), event("Last", 400_000, json!({}))];
    let sent = request("1", "http://a.test/one.js", [100, 160, 200]).swap_remove(0);
    events.extend([sent, event("ResourceFinish", 200_000, failed)]);
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.wait("the requests", |window| window.session().index.network_if_built().is_some());
    window.chord(Modifiers::SHIFT, Key::N);
    let rows = window.requests();
    assert!(rows[0].contains("Status failed"), "{rows:?}");
}

#[test]
fn the_phases_of_a_request_under_the_pointer_stay_visible() {
    let mut window = window();
    window.key(Key::Num0);
    let marker = window.session().index.network().requests()[0].marker;
    let drawn = |window: &Window| {
        let mut scene = flowline::scene::Scene::default();
        let frame = scene.build(&window.session().scene_input());
        (frame.instances.rects.len(), frame.texts.iter().filter(|text| text.text.contains("one.js")).count())
    };
    let (rects, labels) = drawn(&window);
    assert_eq!(labels, 1);
    let place = {
        let (input, times) = (window.session().scene_input(), window.view().times_of(marker).expect("a marker"));
        let is_heading = |item: &&Item| matches!(item.kind, ItemKind::Track(own) if own.track.kind == "network");
        let item = input.visible_items().iter().find(is_heading).copied().expect("the first lane");
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = window.chart().min.x + window.view().axis.pixel(times.start) as f32 + 12.0;
        pos2(x, input.item_y(&item) + input.item_height(&item) / 2.0)
    };
    window.point_at(place);
    window.settle();
    assert_eq!(window.view().hovered, Some(marker));
    let (with_hover, labels) = drawn(&window);
    assert!(with_hover > rects, "its phases are drawn over the lit bar: {with_hover} and {rects}");
    assert_eq!(labels, 1, "but not its label again");
}

/// Requests in the summary of a collapsed track overlap. The selected one has its label and keeps its phases.
#[test]
fn a_selected_request_of_a_collapsed_track_has_its_label_and_phases() {
    let mut window = window();
    window.key(Key::Num0);
    let index = Arc::clone(&window.session().index);
    let requests = index.network().requests().to_vec();
    let labels = |window: &Window| -> Vec<String> {
        let mut scene = flowline::scene::Scene::default();
        scene.build(&window.session().scene_input()).texts.iter().map(|text| text.text.to_string()).collect()
    };
    let phases = |window: &Window| {
        let mut scene = flowline::scene::Scene::default();
        scene.build(&window.session().scene_input()).instances.rects.len()
    };
    let expanded = phases(&window);
    let track = TrackId::new("network", requests[0].process.0);
    for is_collapsed in [false, true] {
        for (request, name) in requests.iter().zip(["one.js", "two.css"]) {
            window.apply(Command::Select(None));
            let before = phases(&window);
            window.apply(Command::Select(Some(request.marker)));
            window.settle();
            let shown = labels(&window);
            assert!(shown.iter().any(|text| text.contains(name)), "{name}, collapsed {is_collapsed}: {shown:?}");
            assert!(phases(&window) >= before && before > 0, "{name}: its phases stay visible");
        }
        window.apply(Command::Select(None));
        window.apply(Command::ToggleTrack(track));
        window.settle();
    }
    assert_eq!(phases(&window), expanded);
}

#[test]
fn a_box_over_bars_sums_their_requests_bytes_and_phases() {
    let mut window = window();
    let index = Arc::clone(&window.session().index);
    let (process, track) = index.network().tracks().next().expect("a track");
    let row: Vec<_> = track.row(Some(0)).into_iter().flat_map(|row| row.numbers()).collect();
    assert_eq!((track.rows(), row.len()), (2, 2), "the first and the third request share a row");
    let mut rows = RowSelection::default();
    rows.tracks.insert(TrackId::new("network", process.0), row_set(0));
    window.apply(Command::SelectBox(Some(index.extent()), rows));
    let sums = "Also: 2 requests (2.5 KB, longest 100.00 ms, 130.00 ms in progress, ";
    window.wait("the sums", |window| window.says(sums));
    // A plain sum over both requests.
    let mut phases: BTreeMap<_, i64> = BTreeMap::new();
    for bar in row {
        let request = index.network().get(track.bars()[bar as usize].request).expect("a request");
        for phase in request.segments().into_iter().filter(|phase| phase.kind != PhaseKind::Unknown) {
            *phases.entry(phase.kind).or_default() += (phase.end - phase.start).0;
        }
    }
    let phases: Vec<_> = phases.into_iter().collect();
    assert!(phases.len() > 1 && phases.iter().map(|(_, time)| time).sum::<i64>() <= 130_000_000, "{phases:?}");
    let text = format!("{sums}{})", flowline::scene::phases_text(&phases));
    assert!(window.says(&text), "{text} in {:?}", window.texts());
    // A box over another row has the other request only.
    let mut rows = RowSelection::default();
    rows.tracks.insert(TrackId::new("network", process.0), row_set(1));
    window.apply(Command::SelectBox(Some(index.extent()), rows));
    window.wait("the sums", |window| window.says("Also: 1 request (1.2 KB, longest 200.00 ms, "));
}

fn row_set(row: u32) -> RowSet {
    let mut rows = RowSet::default();
    rows.insert(row..row + 1);
    rows
}
