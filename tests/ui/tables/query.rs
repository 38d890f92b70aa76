//! The query tab by keyboard, mouse and screen reader.

use std::path::Path;
use std::sync::atomic::Ordering;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, vec2};
use flowline::profile::{MarkerId, Ns, TimeRange};
use flowline::session::{TableFile, TableFormat};
use flowline::ui::{AppRequest, SavedView, TableKind};

use serde_json::json;

use crate::harness::query::{markers, query_window, start, window_about, window_of};
use crate::harness::window::{Window, example};

#[test]
fn rows_reveal_markers_by_mouse_and_keys() {
    let (mut window, engine) = query_window();
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
    let (mut window, _) = query_window();
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
fn numbers_of_another_recording_select_no_markers() {
    let profile = example();
    let profile = profile.profile();
    let range = profile.meta.range;
    let facts =
        |slices: usize, length: i64| json!({"slices": slices, "start_ns": range.start.0, "duration_ns": length});
    let count = profile.marker_count();
    // The chart shows the beginning: the engine has more slices, or as many in another time.
    for other in [facts(count + 1, range.len()), facts(count, range.len() + 1)] {
        let mut window = window_about(other);
        window.query("SELECT slices");
        assert!(window.says("3 rows, 4.20 ms; rows select markers when the whole recording is loaded"));
        let first = window.rows_of_table()[0].clone();
        window.click(Role::Row, &first);
        let (_, start, length) = markers()[0];
        let range = TimeRange::new(Ns(start), Ns(start + length));
        assert_eq!((window.view().selected, window.view().range), (None, Some(range)), "the time of the row");
        window.query("SELECT ranges");
        assert!(window.says("3 rows, 4.20 ms"), "rows without numbers need no advice");
    }
    let mut window = window_about(facts(count, range.len()));
    window.query("SELECT slices");
    assert!(window.says("3 rows, 4.20 ms"));
    let first = window.rows_of_table()[0].clone();
    window.click(Role::Row, &first);
    assert_eq!(window.selected(), MarkerId(markers()[0].0));
}

#[test]
fn the_key_runs_the_query_wherever_the_focus_is() {
    let (mut window, engine) = query_window();
    let command = Modifiers::COMMAND | Modifiers::CTRL;
    let run = |window: &mut Window, place: &str| {
        let before = engine.queries.lock().expect("no panic").len();
        window.chord(command, Key::Enter);
        window.wait(place, |_| engine.queries.lock().expect("no panic").len() == before + 1);
        window.wait("the result", |window| !window.session().has_background_work());
        window.settle();
    };
    window.type_text("SELECT slices");
    window.key(Key::Escape);
    if window.get(Role::MultilineTextInput, "SQL query").focused {
        // The first key closes the suggestions.
        window.key(Key::Escape);
    }
    assert!(!window.get(Role::MultilineTextInput, "SQL query").focused);
    assert!(window.says("Press Ctrl+Enter to run the query."));
    run(&mut window, "a query after Escape");
    let first = window.rows_of_table()[0].clone();
    window.click(Role::Row, &first);
    let before = window.view().axis.visible();
    run(&mut window, "a query from the rows");
    assert_eq!(window.view().axis.visible(), before, "the key does not zoom to the row");
    // A focused button is not pressed.
    window.press("Run");
    window.wait("the result", |window| !window.session().has_background_work());
    run(&mut window, "a query from a button");
    // Other text fields keep their keys.
    window.chord(command, Key::F);
    window.type_text("Runnable");
    let count = engine.queries.lock().expect("no panic").len();
    window.chord(command, Key::Enter);
    window.settle();
    assert_eq!(engine.queries.lock().expect("no panic").len(), count, "the search field has the focus");
}

#[test]
fn errors_show_their_place() {
    let (mut window, _) = query_window();
    window.query("SELECT broken");
    assert!(window.says("Line 1, column 8: There is no table broken. Did you mean slice?"), "{:?}", window.texts());
    window.query("SELECT none");
    assert!(window.says("The query returned no rows."));
}

#[test]
fn a_dead_engine_costs_the_query_and_can_be_started_again() {
    let (mut window, engine) = query_window();
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
    let (mut window, _) = query_window();
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
    let (mut window, _) = query_window();
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
    let (mut window, _) = query_window();
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
fn the_key_that_opens_the_tab_is_not_typed() {
    let (mut window, _) = window_of(vec2(1440.0, 900.0));
    let modifiers = Modifiers::SHIFT;
    let press = Event::Key { key: Key::Q, physical_key: None, pressed: true, repeat: false, modifiers };
    window.together([press, Event::Text("Q".into())]);
    window.settle();
    assert_eq!((window.table(), window.query_text().as_str()), (Some(TableKind::Query), ""));
    window.type_text("a");
    assert_eq!(window.query_text(), "a", "the editor has the focus");
}

#[test]
fn an_example_can_be_inserted() {
    let (mut window, engine) = query_window();
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
    let (mut window, _) = query_window();
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
    let (mut window, _) = query_window();
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
    window.query("SELECT ranges");
    let first = window.rows_of_table()[0].clone();
    window.click(Role::Row, &first);
    assert!(window.view().range.is_some());
    assert_eq!(window.table(), Some(TableKind::Query), "the sums of the range do not replace the rows");
}
