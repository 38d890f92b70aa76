//! The chart outlines the entries of the tree row under the pointer or, with the keyboard, of the selected row.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::index::{Arrangement, Index};
use flowline::scene::{Emphasis, Scene};
use flowline::ui::{KeyMap, TableKind};
use flowline::view::Command;
use serde_json::json;

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

/// A thread with the slices Task > Parse, Parse, and another thread with a shorter Parse.
fn window() -> Window {
    let slice = |tid: u32, name: &str, ts: u32, dur: u32| json!({"ph": "X", "pid": 1, "tid": tid, "name": name, "ts": ts, "dur": dur});
    let events =
        json!([slice(1, "Task", 0, 9), slice(1, "Parse", 1, 2), slice(1, "Parse", 4, 2), slice(2, "Parse", 0, 3)]);
    let profile = read_bytes(serde_json::to_vec(&events).expect("JSON")).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1000.0), 1.0);
    window.apply(Command::ExpandAll);
    window
}

impl Window {
    fn show_tree(&mut self, table: TableKind) {
        self.shell().state.table = Some(table);
        self.wait("the tree", |window| !window.panels().is_busy());
    }

    /// Number of boxes that the chart outlines.
    fn lit(&self) -> usize {
        let mut scene = Scene::default();
        let frame = scene.build(&self.session().scene_input());
        frame.instances.markers.iter().filter(|marker| marker.emphasis() == Emphasis::Linked as u32).count()
    }

    #[track_caller]
    fn point_at_row(&mut self, role: Role, start: &str) {
        let place = self.node_with_prefix(role, start).rect.center();
        self.point_at(place);
    }
}

#[test]
fn rows_under_the_pointer_outline_their_slices() {
    let mut window = window();
    for (table, role) in [
        (TableKind::CallTree, Role::TreeItem),
        (TableKind::BottomUp, Role::TreeItem),
        (TableKind::Functions, Role::Row),
        (TableKind::EventLog, Role::TreeItem),
    ] {
        window.show_tree(table);
        assert_eq!(window.lit(), 0, "{table:?}: no row is chosen");
        window.point_at_row(role, "Task, ");
        assert_eq!(window.lit(), 1, "{table:?}");
        if table != TableKind::EventLog {
            window.point_at_row(role, "Parse, ");
            assert_eq!(window.lit(), 2, "{table:?}: those of the tree's thread");
        }
        let chart = window.chart();
        window.point_at(chart.center());
        assert_eq!(window.lit(), 0, "{table:?}: the pointer has left the table");
    }
}

#[test]
fn the_selected_row_outlines_its_slices_while_its_table_is_shown() {
    let mut window = window();
    window.key(Key::Y);
    window.wait("the tree", |window| !window.panels().is_busy());
    assert_eq!(window.lit(), 0, "the first row was not chosen");
    window.key(Key::ArrowDown);
    assert!(window.heard().starts_with("Parse, "), "{}", window.heard());
    assert_eq!(window.lit(), 2);
    window.show_tree(TableKind::Markers);
    assert_eq!(window.lit(), 0, "another table");
    window.show_tree(TableKind::Flame);
    let graph = "Flame graph, arrow keys move, Enter zooms to a box, Backspace resets the zoom";
    window.harness.get_by_label(graph).focus();
    window.settle();
    window.key(Key::ArrowUp);
    assert_eq!(window.lit(), 1, "the box of the flame graph");
    window.click(Role::Button, "Close table");
    assert_eq!((window.lit(), window.table()), (0, None));
    assert!(window.view().lit.is_none());
}
