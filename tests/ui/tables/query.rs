//! The query tab by keyboard, mouse and screen reader, with an engine in this process.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2, vec2};
use flowline::profile::{MarkerId, Ns, TimeRange, Value as Choices};
use flowline::scene::{ItemKind, TrackHeading};
use flowline::session::{TableFile, TableFormat};
use flowline::ui::{AppRequest, KeyMap, SavedView, Shell, TableKind};
use flowline::view::{Command, QUERY_TRACKS, QueryTrackCommand, Theme};
use serde_json::{Value, json};

use crate::harness::window::{Window, example, session};
use crate::support::query_engine::{Answer, Shared, StandIn};

/// Some markers with a length.
fn markers() -> Vec<(u32, i64, i64)> {
    let index = example();
    let profile = index.profile();
    let all = (0..u32::try_from(profile.marker_count()).expect("few")).map(MarkerId);
    let times = all.filter_map(|marker| {
        let (thread, local) = profile.locate(marker)?;
        let range = profile.thread(thread).markers.range(local);
        (range.len() > 1_000_000).then_some((marker.0, range.start.0, range.len()))
    });
    times.take(3).collect()
}

/// Start of the ranges without a marker.
fn start() -> i64 {
    markers()[0].1
}

fn answer(sql: &str) -> Answer {
    let has = |word: &str| sql.contains(word);
    if has("die") {
        return Answer::Death;
    }
    if has("slow") {
        return Answer::Silence;
    }
    if has("broken") {
        return Answer::Error("There is no table broken. Did you mean slice?", 1, 8);
    }
    if has("slices") {
        let columns = vec![("id", "integer"), ("ts", "integer"), ("dur", "integer"), ("name", "text")];
        let rows = markers().into_iter().enumerate();
        let row = |(at, (id, ts, dur)): (usize, (u32, i64, i64))| {
            vec![json!(id), json!(ts), json!(dur), json!(format!("row {at}"))]
        };
        return Answer::Rows(columns, rows.map(row).collect());
    }
    if has("ranges") {
        let columns = vec![("ts", "integer"), ("dur", "integer"), ("name", "text")];
        let ms = 1_000_000;
        let row = |(at, len): (i64, i64)| vec![json!(start() + at * ms), json!(len * ms), json!(format!("range {at}"))];
        return Answer::Rows(columns, [(0, 400), (100, 100), (500, 300)].map(row).into());
    }
    if has("values") {
        let columns = vec![("n", "integer"), ("share", "real"), ("text", "text"), ("yes", "boolean")];
        let rows = vec![
            vec![json!(1_234_567), json!(0.5), json!("b\tc"), json!(true)],
            vec![Value::Null, json!("NaN"), Value::Null, Value::Null],
            vec![json!(-3), json!(2.25), json!("a"), json!(false)],
        ];
        return Answer::Rows(columns, rows);
    }
    if has("many") {
        return Answer::Rows(vec![("n", "integer")], (0..100_000).map(|n| vec![json!(n * 7919 % 100_003)]).collect());
    }
    Answer::Rows(vec![("n", "integer")], Vec::new())
}

fn window_of(size: egui::Vec2) -> (Window, Arc<StandIn>) {
    let engine = StandIn::new(answer);
    let mut shell = Shell::new(KeyMap::Flowline, Theme::Dark);
    shell.set_query_engine(Arc::new(Shared(Arc::clone(&engine))));
    let wake = Arc::new(|| {});
    shell.open(session(example(), Path::new("")), &(wake as flowline::session::Wake));
    let mut window = Window::with(shell, size, 1.0);
    window.settle();
    window.wait("the rows", |window| !window.session().is_busy());
    (window, engine)
}

/// A window with the tab, opened by its key.
fn window() -> (Window, Arc<StandIn>) {
    let (mut window, engine) = window_of(vec2(1440.0, 900.0));
    window.chord(Modifiers::SHIFT, Key::Q);
    assert_eq!(window.table(), Some(TableKind::Query));
    window.wait("the engine", |window| !window.session().query.catalog().tables.is_empty());
    (window, engine)
}

impl Window {
    /// Types and runs a query.
    fn query(&mut self, sql: &str) {
        if self.all(Role::MultilineTextInput, "SQL query").iter().all(|node| !node.focused) {
            self.click(Role::MultilineTextInput, "SQL query");
        }
        self.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::A);
        self.type_text(sql);
        self.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::Enter);
        self.wait("the result", |window| !window.session().has_background_work());
        self.settle();
    }

    fn query_choices(&self, member: &str) -> Option<Choices> {
        self.panels().choices().get("query")?.get(member).cloned()
    }

    fn query_text(&self) -> String {
        self.query_choices("text").and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    fn rows_of_table(&self) -> Vec<String> {
        self.nodes().into_iter().filter(|node| node.role == Role::Row).map(|node| node.text).collect()
    }

    fn query_headings(&self) -> Vec<String> {
        let heading = |item: &flowline::scene::Item| match item.kind {
            ItemKind::Track(TrackHeading { track, .. }) if track.kind == QUERY_TRACKS => {
                Some(item.kind.label(&self.session().scene_input()).spoken)
            }
            _ => None,
        };
        self.session().list().items().iter().filter_map(heading).collect()
    }
}

#[test]
fn rows_reveal_markers_by_mouse_and_keys() {
    let (mut window, engine) = window();
    window.query("SELECT slices");
    let rows = window.rows_of_table();
    assert_eq!(rows.len(), 3, "{rows:?}");
    let (id, _, _) = markers()[0];
    assert!(rows[0].starts_with(&format!("id {id}, ts ")) && rows[0].ends_with("row 0"), "{rows:?}");
    assert!(window.says("3 rows, 4.20 ms"), "{:?}", window.texts());
    let first = rows[0].clone();
    window.click(Role::Row, &first);
    assert_eq!(window.selected(), MarkerId(id));
    window.key(Key::ArrowDown);
    assert_eq!(window.selected(), MarkerId(markers()[1].0));
    let before = window.view().axis.visible();
    window.key(Key::Enter);
    assert!(window.view().axis.visible().len() < before.len(), "Enter zooms to the marker");
    assert_eq!(window.copy().len(), 1);
    assert_eq!(engine.recordings.lock().expect("no panic")[..], [Path::new("").to_owned()]);
    assert_eq!(engine.starts.load(Ordering::Relaxed), 1);
}

#[test]
fn rows_without_a_marker_reveal_their_range() {
    let (mut window, _) = window();
    window.query("SELECT ranges");
    let second = window.rows_of_table()[1].clone();
    window.click(Role::Row, &second);
    let from = Ns(start() + 100_000_000);
    let range = TimeRange::new(from, from + Ns(100_000_000));
    assert_eq!((window.view().range, window.view().selected), (Some(range), None));
    let visible = window.view().axis.visible();
    assert!(visible.start <= range.start && range.end <= visible.end);
}

#[test]
fn errors_show_their_place() {
    let (mut window, _) = window();
    window.query("SELECT broken");
    assert!(window.says("Line 1, column 8: There is no table broken. Did you mean slice?"), "{:?}", window.texts());
    window.query("SELECT none");
    assert!(window.says("The query returned no rows."));
}

#[test]
fn a_dead_engine_costs_the_query_and_can_be_started_again() {
    let (mut window, engine) = window();
    window.query("die");
    assert!(window.says("The query engine ended unexpectedly: exit status 101."), "{:?}", window.texts());
    window.press("Start again");
    window.wait("the engine", |_| engine.starts.load(Ordering::Relaxed) == 2);
    window.query("SELECT slices");
    assert_eq!(window.rows_of_table().len(), 3);
    assert_eq!(engine.starts.load(Ordering::Relaxed), 2);
}

#[test]
fn escape_cancels_first_and_leaves_the_editor_then() {
    let (mut window, _) = window();
    window.type_text("slow");
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::Enter);
    window.wait("the query", |window| window.has(Role::Button, "Cancel"));
    window.key(Key::Escape);
    window.wait("the end", |window| window.says("The query was canceled."));
    let has_focus = |window: &Window| window.get(Role::MultilineTextInput, "SQL query").focused;
    assert!(has_focus(&window), "the editor keeps the focus");
    window.key(Key::Escape);
    assert!(!has_focus(&window) && window.table() == Some(TableKind::Query));
}

#[test]
fn words_are_completed() {
    let (mut window, _) = window();
    window.type_text("sel");
    assert!(window.has(Role::Button, "select keyword") || window.says("select"), "{:?}", window.texts());
    window.key(Key::Tab);
    assert_eq!(window.query_text(), "select");
    window.type_text(" slice.d");
    window.key(Key::ArrowDown);
    window.key(Key::Enter);
    assert_eq!(window.query_text(), "select slice.depth");
    window.type_text(", pat");
    window.key(Key::Escape);
    window.key(Key::Enter);
    assert_eq!(window.query_text(), "select slice.depth, pat\n", "after Escape, Enter begins a line");
    assert!(window.get(Role::MultilineTextInput, "SQL query").focused);
}

#[test]
fn the_history_is_walked_and_saved() {
    let (mut window, _) = window();
    for sql in ["SELECT ranges", "SELECT slices"] {
        window.query(sql);
    }
    window.type_text(" x");
    let command = Modifiers::COMMAND | Modifiers::CTRL;
    for (key, expected) in [
        (Key::ArrowUp, "SELECT slices"),
        (Key::ArrowUp, "SELECT ranges"),
        (Key::ArrowUp, "SELECT ranges"),
        (Key::ArrowDown, "SELECT slices"),
        (Key::ArrowDown, "SELECT slices x"),
    ] {
        window.chord(command, key);
        assert_eq!(window.query_text(), expected);
    }
    let view = window.shell().saved_view().expect("a view");
    let (mut other, engine) = window_of(vec2(1440.0, 900.0));
    other.shell().show_view(&SavedView::from_link(&view.to_link()).expect("a link"));
    other.settle();
    assert_eq!((other.table(), other.query_text().as_str()), (Some(TableKind::Query), "SELECT slices x"));
    assert_eq!(other.query_choices("history"), window.query_choices("history"));
    assert!(engine.queries.lock().expect("no panic").is_empty(), "a restored query does not run by itself");
}

#[test]
fn an_example_can_be_inserted() {
    let (mut window, engine) = window();
    window.press("Time by name");
    assert!(window.query_text().starts_with("-- Time by name\nSELECT name"), "{}", window.query_text());
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::Enter);
    window.wait("the query", |_| !engine.queries.lock().expect("no panic").is_empty());
}

/// The exported text of the shown result.
fn exported(window: &mut Window, format: TableFormat) -> String {
    window.harness.state_mut().requests.clear();
    window.press("Export…");
    window.click(Role::RadioButton, format.name());
    window.press("Save");
    let requests = window.harness.state().requests.clone();
    let [AppRequest::WriteTable { table, .. }] = &requests[..] else { panic!("{requests:?}") };
    let mut text = Vec::new();
    TableFile::write(table, &mut text, format, &mut |_| true).expect("memory is writable");
    String::from_utf8(text).expect("UTF-8")
}

#[test]
fn headings_sort_and_exports_keep_the_values() {
    let (mut window, _) = window();
    window.query("SELECT values");
    let firsts = |window: &Window| -> Vec<String> {
        window.rows_of_table().iter().map(|row| row.split(", ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(firsts(&window)[0], "n 1,234,567");
    window.press("n");
    window.wait("the order", |window| firsts(window)[0] == "n −3" || firsts(window)[0] == "n -3");
    assert_eq!(window.rows_of_table()[1].split(", ").next(), Some("n 1,234,567"), "NULL is last");
    assert!(window.has(Role::Button, "n, sorted ascending"));
    let csv = exported(&mut window, TableFormat::Csv);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "n,share,text,yes");
    assert!(lines[1].starts_with("-3,2.25,a,false") && lines[2].starts_with("1234567,0.5,"), "{csv}");
    window.press("n, sorted ascending");
    window.wait("the order", |window| firsts(window)[0] == "n 1,234,567");
    window.press("n, sorted descending");
    window.settle();
    assert!(window.has(Role::Button, "n"), "the third click returns to the order of the query");
}

#[test]
fn a_full_result_scrolls_to_its_end() {
    let (mut window, _) = window();
    window.query("SELECT many");
    assert!(window.says("100,000 rows, 4.20 ms"));
    let first = window.rows_of_table()[0].clone();
    window.click(Role::Row, &first);
    window.key(Key::End);
    let rows = window.nodes().into_iter().filter(|node| node.role == Role::Row);
    let last = rows.max_by(|a, b| a.rect.min.y.total_cmp(&b.rect.min.y)).expect("a row");
    assert!(last.selected && last.text.starts_with("n "), "{last:?}");
}

#[test]
fn a_result_becomes_a_track() {
    let (mut window, engine) = window();
    let whole = TimeRange::new(Ns(start()), Ns(start() + 1_000_000_000));
    window.apply(Command::Show(whole));
    window.query("SELECT ranges FROM slice");
    window.press("Show as track");
    window.wait("the track", |window| !window.query_headings().is_empty());
    assert_eq!(window.query_headings(), ["Query track Query of slice, 3 entries, expanded"]);
    assert_eq!(engine.queries.lock().expect("no panic").len(), 1, "the result is not computed again");
    // The second range is inside of the first, so there are two rows.
    let is_row = |kind: &ItemKind| matches!(kind, ItemKind::TrackRow(row) if row.track.kind == QUERY_TRACKS);
    let items: Vec<_> = window.session().list().items().iter().filter(|item| is_row(&item.kind)).copied().collect();
    assert_eq!(items.len(), 2);
    let place = {
        let (input, chart) = (window.session().scene_input(), window.chart());
        let middle = Ns(start() + 150_000_000);
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = chart.min.x + window.view().axis.pixel(middle) as f32;
        pos2(x, input.item_y(&items[1]) + input.item_height(&items[1]) / 2.0)
    };
    window.point_at(place);
    assert!(!window.nodes_with_prefix(Role::Label, "range 100").is_empty(), "{:?}", window.texts());
    window.click_at(place);
    let from = Ns(start() + 100_000_000);
    assert_eq!(window.view().range, Some(TimeRange::new(from, from + Ns(100_000_000))));
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Query track Query of slice");
    window.choose(&heading, "Remove track");
    assert!(window.query_headings().is_empty());
    window.apply(Command::Undo);
    window.wait("the track", |window| window.query_headings() == ["Query track Query of slice, 3 entries, expanded"]);
}

#[test]
fn a_track_can_be_renamed() {
    let (mut window, _) = window();
    window.query("SELECT slices");
    window.press("Show as track");
    window.wait("the track", |window| !window.query_headings().is_empty());
    let heading = window.nodes().into_iter().find(|node| node.text.starts_with("Query track ")).expect("a heading");
    window.choose(&heading, "Rename track…");
    assert!(window.get(Role::TextInput, "Track name").focused);
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::A);
    window.type_text("mine");
    window.key(Key::Enter);
    assert!(window.query_headings()[0].starts_with("Query track mine, 3 entries"), "{:?}", window.query_headings());
}

#[test]
fn tracks_are_restored_by_their_queries() {
    let (mut window, _) = window();
    for (name, sql) in [("one", "SELECT ranges"), ("two", "SELECT broken"), ("three", "SELECT slices")] {
        window.apply(Command::QueryTrack(QueryTrackCommand::Add { name: name.into(), sql: sql.into() }));
    }
    let expected = [
        "Query track one, 3 entries, expanded",
        "Query track two, failed: There is no table broken. Did you mean slice?",
    ];
    let shows = |window: &Window| {
        let headings = window.query_headings();
        headings.len() == 3 && headings[..2] == expected && headings[2].starts_with("Query track three, 3 entries")
    };
    window.wait("the tracks", shows);
    window.apply(Command::QueryTrack(QueryTrackCommand::Remove(1)));
    window.apply(Command::Undo);
    let view = window.shell().saved_view().expect("a view");
    assert!(!view.to_json().contains("range 100"), "rows are not saved");
    let (mut other, engine) = window_of(vec2(1440.0, 900.0));
    assert_eq!(other.shell().show_view(&SavedView::from_link(&view.to_link()).expect("a link")), 0);
    other.wait("the tracks", shows);
    assert_eq!(engine.queries.lock().expect("no panic").len(), 3);
}

#[test]
fn without_an_engine_the_tab_says_so() {
    let mut window = Window::example();
    window.chord(Modifiers::SHIFT, Key::Q);
    assert!(window.says("Queries are not available here."), "{:?}", window.texts());
}

#[test]
fn a_small_window_has_room_for_editor_and_rows() {
    let (mut window, _) = window_of(vec2(800.0, 500.0));
    window.chord(Modifiers::SHIFT, Key::Q);
    window.query("SELECT slices");
    let editor = window.get(Role::MultilineTextInput, "SQL query").rect;
    let row = window.nodes().into_iter().find(|node| node.role == Role::Row).expect("a row").rect;
    assert!(editor.height() >= 20.0 && row.min.y >= editor.max.y && row.max.y <= 500.0, "{editor:?} {row:?}");
}
