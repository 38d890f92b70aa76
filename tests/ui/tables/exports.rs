//! Table exports: the dialog, and the files as seen by plain readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::app::{OutputGuard, save_table};
use flowline::index::{Arrangement, Index};
use flowline::profile::MarkerId;
use flowline::session::{TableFile, TableFormat};
use flowline::ui::{AppRequest, KeyMap, SaveProgress};
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;
use crate::support::csv::records;

/// Names that need escaping.
const NAMES: [&str; 6] = ["plain", "a,b", "say \"x\"", "two\r\nlines\n", "tab\t\\ |*_", "é Ω"];

fn window() -> Window {
    let event = |(at, name): (usize, &&str)| {
        let args = json!({"text": name});
        json!({"name": name, "cat": "c,d", "ph": "X", "ts": at * 10, "dur": 9 - at, "pid": 1, "tid": at % 2, "args": args})
    };
    let trace = Value::from(NAMES.iter().enumerate().map(event).collect::<Vec<_>>());
    let profile = read_bytes(trace.to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window =
        Window::showing(session(index, Path::new("made up.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.key(Key::T);
    window.wait("the table", |window| !window.panels().marker_table.rows().is_empty());
    window
}

/// A unique path in the temporary folder: tests run in parallel.
fn temporary(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("flowline-{}-{number}-{name}", std::process::id()))
}

/// Requests an export in a format. Returns the proposed name and the table.
fn exported(window: &mut Window, format: TableFormat) -> (String, TableFile) {
    window.harness.state_mut().requests.clear();
    window.press("Export…");
    window.click(Role::RadioButton, format.name());
    window.press("Save");
    let requests = window.harness.state().requests.clone();
    let [AppRequest::WriteTable { path, format: asked, table }] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(*asked, format);
    (path.file_name().expect("a name").to_string_lossy().into_owned(), table.clone())
}

/// The exported text in a format.
fn written(table: &TableFile, format: TableFormat) -> String {
    let path = temporary(&format!("written{}", format.ending()));
    let rows = save_table(&OutputGuard::default(), table, &path, format, &mut |_| true).expect("written");
    assert_eq!(rows, Some(table.len() as u64));
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::remove_file(path).expect("removed");
    text
}

fn names(window: &Window, rows: &[MarkerId]) -> Vec<String> {
    let profile = window.profile();
    let name = |marker: &MarkerId| {
        let (id, local) = profile.locate(*marker).expect("a marker");
        profile.marker_name(id, local).to_owned()
    };
    rows.iter().map(name).collect()
}

#[test]
fn markers_are_exported_in_the_tables_order() {
    let mut window = window();
    window.press("Export…");
    window.get(Role::TextInput, "Path of the file");
    assert!(window.says("6 rows, in table order"));
    window.key(Key::Escape);
    assert!(window.all(Role::TextInput, "Path of the file").is_empty(), "Escape closes the dialog");

    window.press("Name");
    window.wait("the order", |window| !window.panels().is_busy());
    let rows = window.panels().marker_table.rows().to_vec();
    let expected = names(&window, &rows);
    assert_ne!(expected, NAMES, "not in time order");
    for format in TableFormat::ALL {
        let (name, table) = exported(&mut window, format);
        assert_eq!(name, format!("made up markers{}", format.ending()));
        let text = written(&table, format);
        let found: Vec<String> = match format {
            TableFormat::Csv => {
                let records = records(&text);
                let column = records[0].iter().position(|title| title == "name").expect("a column");
                records[1..].iter().map(|record| record[column].clone()).collect()
            }
            TableFormat::Tsv => {
                let column = text.lines().next().expect("titles").split('\t').position(|title| title == "name");
                let field = |line: &str| line.split('\t').nth(column.expect("a column")).expect("a field").to_owned();
                let plain = |field: String| {
                    // Backslashes are unescaped last.
                    let marked = field.replace("\\\\", "\u{1}").replace("\\t", "\t");
                    marked.replace("\\n", "\n").replace("\\r", "\r").replace('\u{1}', "\\")
                };
                text.lines().skip(1).map(field).map(plain).collect()
            }
            TableFormat::Json => {
                let rows: Vec<Value> = serde_json::from_str(&text).expect("JSON");
                for row in &rows {
                    assert_eq!(row["data"]["text"], row["name"], "{row}");
                }
                rows.iter().map(|row| row["name"].as_str().expect("a name").to_owned()).collect()
            }
            TableFormat::Markdown => {
                assert_eq!(text.lines().count(), NAMES.len() + 2);
                assert!(text.contains("| two  lines  |") && text.contains("\\|\\*\\_"), "{text}");
                continue;
            }
        };
        assert_eq!(found, expected, "{format:?}");
    }
}

#[test]
fn the_file_has_the_columns_of_the_table() {
    let mut window = window();
    window.press("Columns");
    for column in ["Self", "Category", "Details", "Thread"] {
        window.click(Role::CheckBox, column);
    }
    window.key(Key::Escape);
    window.wait("the self times", |window| !window.panels().is_busy());
    let row = window.nodes().into_iter().find(|node| node.role == Role::Row).expect("a row").text;
    assert!(row.contains(", 9.0 µs, 9.0 µs, "), "length and self time: {row}");
    let (_, table) = exported(&mut window, TableFormat::Csv);
    let rows = records(&written(&table, TableFormat::Csv));
    assert_eq!(rows[0], ["displayed_start_ns", "duration_ns", "self_ns", "name", "category"]);
    assert!(rows.len() == 7 && rows[1..].iter().all(|row| row[1] == row[2] && row[4] == "c,d"), "{rows:?}");
    let (_, table) = exported(&mut window, TableFormat::Json);
    let objects: Vec<Value> = serde_json::from_str(&written(&table, TableFormat::Json)).expect("JSON");
    assert_eq!(
        objects[0],
        json!({"displayed_start_ns": 0, "duration_ns": 9000, "self_ns": 9000, "name": "plain", "category": "c,d"})
    );
}

#[test]
fn an_export_has_the_times_that_the_table_shows() {
    let mut window = window();
    // A time origin that is not the start of the recording.
    let second = window.panels().marker_table.rows()[1];
    window.apply(flowline::view::Command::ZeroAt(Some(second)));
    window.settle();
    let profile = window.profile();
    let clock = window.view().clock();
    assert_ne!(clock, profile.clock());
    let (_, table) = exported(&mut window, TableFormat::Json);
    let objects: Vec<Value> = serde_json::from_str(&written(&table, TableFormat::Json)).expect("JSON");
    for (object, marker) in objects.iter().zip(window.panels().marker_table.rows().to_vec()) {
        let (id, local) = profile.locate(marker).expect("a marker");
        let start = clock.show(profile.thread(id).markers.start(local)).0;
        assert_eq!((&object["displayed_start_ns"], object.get("start_ns")), (&json!(start), None), "{object}");
    }
    assert_eq!(objects[1]["displayed_start_ns"], 0, "{objects:?}");
}

#[test]
fn a_stopped_or_failed_export_keeps_the_existing_file() {
    let mut window = window();
    let (_, table) = exported(&mut window, TableFormat::Csv);
    let path = temporary("stopped.csv");
    std::fs::write(&path, "before").expect("a file");
    assert_eq!(
        save_table(&OutputGuard::default(), &table, &path, TableFormat::Csv, &mut |_| false).expect("no error"),
        None
    );
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "before");
    std::fs::remove_file(&path).expect("removed");
    assert!(
        save_table(&OutputGuard::default(), &table, &path.join("none.csv"), TableFormat::Csv, &mut |_| true).is_err()
    );
    assert!(!path.exists());
}

#[test]
fn the_recording_is_not_overwritten() {
    let path = temporary("recording.json");
    std::fs::write(&path, "[]").expect("a file");
    let index = Arc::clone(&window().session().index);
    let mut window = Window::showing(session(index, &path), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.key(Key::T);
    window.wait("the table", |window| !window.panels().marker_table.rows().is_empty());
    window.press("Export…");
    window.click(Role::TextInput, "Path of the file");
    window.chord(Modifiers::COMMAND, Key::A);
    window.type_text(&path.display().to_string());
    assert!(window.says("This is the recording itself."));
    window.press("Replace");
    window.key(Key::Enter);
    assert_eq!(window.harness.state().requests, []);
    std::fs::remove_file(&path).expect("removed");
}

#[test]
fn enter_replaces_a_file_only_after_a_warning() {
    let path = temporary("there.csv");
    std::fs::write(&path, "kept").expect("a file");
    let mut window = window();
    window.press("Export…");
    let requests = |window: &Window| window.harness.state().requests.len();
    let before = requests(&window);
    let field = window.get(Role::TextInput, "Path of the file");
    assert!(field.focused);
    window.chord(Modifiers::COMMAND, Key::A);
    window.type_text("/no such folder/x.csv");
    window.key(Key::Enter);
    assert!(window.says("No such folder.") && requests(&window) == before);
    assert!(window.get(Role::TextInput, "Path of the file").focused, "the text can be corrected");
    window.chord(Modifiers::COMMAND, Key::A);
    window.type_text(&path.with_extension("png").display().to_string());
    assert!(window.says("The file name should end in “.csv”."));
    window.chord(Modifiers::COMMAND, Key::A);
    window.type_text(&path.display().to_string());
    // Enter may come before the warning has been shown.
    window.key(Key::Enter);
    assert!(window.says("The file exists and will be replaced.") && requests(&window) == before);
    window.key(Key::Enter);
    assert_eq!(requests(&window), before + 1);
    std::fs::remove_file(&path).expect("removed");
}

#[test]
fn progress_is_shown_and_can_be_stopped() {
    let mut window = window();
    let file = Arc::new(SaveProgress::new("table.csv".into(), 2_000));
    window.shell().saving.push(Arc::clone(&file));
    assert!(file.report(1_500));
    window.settle();
    assert!(window.says("Writing table.csv") && window.says("1,500 rows"));
    window.press("Cancel");
    assert!(!file.report(1_600), "writing stops");
    file.end();
    window.settle();
    assert!(!window.says("Writing table.csv") && window.shell().saving.is_empty());
}

#[test]
fn statistics_and_flows_can_be_exported() {
    let mut window = Window::example();
    window.key(Key::I);
    window.wait("the statistics", |window| !window.panels().is_busy() && !window.says("Counting…"));
    let (name, table) = exported(&mut window, TableFormat::Json);
    assert_eq!(name, "statistics.json");
    let groups: Vec<Value> = serde_json::from_str(&written(&table, TableFormat::Json)).expect("JSON");
    let count: u64 = groups.iter().map(|group| group["Count"].as_u64().expect("a number")).sum();
    assert_eq!(count, window.profile().marker_count() as u64);
    assert!(groups[0]["Total (ms)"].is_number(), "{}", groups[0]);

    window.chord(Modifiers { ctrl: true, command: true, ..Modifiers::NONE }, Key::T);
    window.wait("the flows", |window| !window.panels().is_busy() && !window.panels().flow_table.rows().is_empty());
    let (_, table) = exported(&mut window, TableFormat::Csv);
    let rows = records(&written(&table, TableFormat::Csv));
    assert_eq!(rows.len(), window.session().index.flows().len() + 1);
    assert_eq!(rows[0][..3], ["Label", "Id", "Start (ms, displayed clock)"]);
}
