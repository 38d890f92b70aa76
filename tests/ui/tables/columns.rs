//! Table columns: visibility and widths.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, vec2};
use flowline::session::{MarkerColumn, time_text};

use crate::harness::window::Window;

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

impl Window {
    fn edge(&self, column: &str) -> Pos2 {
        self.get(Role::Splitter, &format!("Width of {column}")).rect.center()
    }

    fn double_click_at(&mut self, place: Pos2) {
        self.pause();
        self.event(egui::Event::PointerMoved(place));
        for pressed in [true, false, true, false] {
            self.button(place, egui::PointerButton::Primary, pressed, Modifiers::NONE);
        }
        self.settle();
    }

    fn first_row(&self) -> Vec<String> {
        let row = self.nodes().into_iter().find(|node| node.role == Role::Row).expect("a row");
        row.text.split(", ").map(str::to_owned).collect()
    }
}

#[track_caller]
fn open_table() -> Window {
    let mut window = Window::example();
    window.key(Key::T);
    window.wait("the table", |window| !window.panels().marker_table.rows().is_empty());
    window
}

#[test]
fn columns_can_be_shown_and_hidden() {
    let mut window = open_table();
    assert_eq!(window.panels().marker_table.columns(), MarkerColumn::USUAL);
    assert!(window.all(Role::Button, "End").is_empty());
    window.press("Columns");
    for column in ["End", "Category", "Process", "Duration", "Thread", "Details"] {
        window.click(Role::CheckBox, column);
    }
    window.key(Key::Escape);
    let shown =
        [MarkerColumn::Start, MarkerColumn::End, MarkerColumn::Name, MarkerColumn::Category, MarkerColumn::Process];
    assert_eq!(window.panels().marker_table.columns(), shown);
    assert!(window.all(Role::Splitter, "Width of Details").is_empty());
    let profile = window.profile();
    let first = window.panels().marker_table.rows()[0];
    let (id, local) = profile.locate(first).expect("a marker");
    let (markers, process) = (&profile.thread(id).markers, profile.process_of(id));
    let expected = [
        time_text(profile.clock().show(markers.start(local))),
        time_text(profile.clock().show(markers.end(local))),
        profile.marker_name(id, local).to_owned(),
        profile.category_name(markers.category(local)).to_owned(),
        format!("{} ({})", process.name, process.pid),
    ];
    assert_eq!(window.first_row().join(", "), expected.join(", "));

    // Sorts by a column that was hidden before.
    window.press("End");
    let end = |window: &Window, row: usize| {
        let marker = window.panels().marker_table.rows()[row];
        window.view().times_of(marker).expect("a marker").end
    };
    let count = window.panels().marker_table.rows().len();
    window.wait("the new order", |window| {
        !window.panels().is_busy() && (1..count).all(|row| end(window, row - 1) <= end(window, row))
    });
    window.press("Columns");
    window.press("Reset columns");
    assert_eq!(window.panels().marker_table.columns(), MarkerColumn::USUAL);
    // One column remains after all are unchecked.
    for column in MarkerColumn::USUAL {
        window.click(Role::CheckBox, column.title());
    }
    assert_eq!(window.panels().marker_table.columns(), [MarkerColumn::Details]);
}

#[test]
fn a_column_can_be_widened_and_reset() {
    let mut window = open_table();
    let places = |window: &Window| ["Start", "Duration", "Name", "Thread"].map(|column| window.edge(column).x);
    let before = places(&window);
    let from = window.edge("Name");
    window.drag(from, from + vec2(80.0, 0.0), Modifiers::NONE);
    let after = places(&window);
    assert_eq!(before[..2], after[..2], "columns to the left do not move");
    assert!((after[2] - before[2] - 80.0).abs() < 1.0, "{before:?} {after:?}");
    let rows = window.panels().marker_table.rows().len();
    window.get(Role::Table, &format!("Marker table, {} rows", flowline::format::format_count(rows as u64)));
    window.double_click_at(window.edge("Name"));
    assert!(window.panels().marker_table.widths().chosen().all(|(title, _)| title != "Name"));
    window.press("Columns");
    window.press("Reset column widths");
    window.key(Key::Escape);
    assert_eq!(places(&window), before);
    assert_eq!(window.panels().marker_table.widths().chosen().count(), 0);
}

#[test]
fn all_tables_have_column_edges_and_keep_their_widths() {
    let mut window = open_table();
    for (modifiers, key, column) in [(CTRL, Key::T, "Id"), (Modifiers::NONE, Key::I, "Count")] {
        window.chord(modifiers, key);
        window.wait("the table", |window| {
            !window.panels().is_busy() && !window.all(Role::Splitter, &format!("Width of {column}")).is_empty()
        });
        let from = window.edge(column);
        window.drag(from, from + vec2(30.0, 0.0), Modifiers::NONE);
        assert!((window.edge(column).x - from.x - 30.0).abs() < 1.0, "{column}");
    }
    let layouts = window.panels().layouts();
    let width = |table: &str, column: &str| layouts.get(table)?.get("widths")?.get(column)?.as_f64();
    assert!(width("flows", "Id").is_some() && width("statistics", "Count").is_some(), "{layouts:?}");
    // The same recording, completely loaded.
    let index = std::sync::Arc::clone(&window.session().index);
    let session = crate::harness::window::session(index, std::path::Path::new(""));
    let wake: flowline::session::Wake = std::sync::Arc::new(|| {});
    window.shell().open(session, &wake);
    assert_eq!(window.panels().layouts(), layouts);
}
