//! The columns of statistics: their place beside long names, and what their heads state.

use egui::accesskit::Role;
use egui::{Key, vec2};

use crate::harness::window::Window;

/// A window with a trace of slices with CPU times and a very long name.
fn window_with_long_name() -> (Window, String) {
    let long = format!("void kernel<{}>", "at::GenericPackedTensorAccessor<float, 2ul, int>, ".repeat(60));
    let slice = |name: &str, ts: u64| serde_json::json!({"ph": "X", "pid": 1, "tid": 1, "ts": ts, "dur": 400, "tdur": 300, "name": name});
    let events: Vec<serde_json::Value> =
        (0..20).map(|at| slice(if at % 2 == 0 { &long } else { "short" }, at * 1000)).collect();
    let profile = crate::recording::read_bytes(serde_json::json!(events).to_string().into_bytes()).expect("a trace");
    let index = std::sync::Arc::new(flowline::index::Index::build(profile.into(), flowline::index::Arrangement::Stack));
    let session = crate::harness::window::session(index, std::path::Path::new(""));
    (Window::showing(session, flowline::ui::KeyMap::Flowline, vec2(1440.0, 900.0), 1.0), long)
}

#[test]
fn a_long_name_leaves_buttons_and_columns_in_the_drawer() {
    let (mut window, long) = window_with_long_name();
    window.key(Key::I);
    window.settle_statistics();
    let row = window.items(Role::Row).into_iter().find(|node| node.text.starts_with(&long[..40])).expect("a row");
    window.click_at(row.rect.center());
    window.settle_statistics();
    let is_inside = |rect: egui::Rect| rect.min.x >= 0.0 && rect.max.x <= 1440.0 && rect.max.y <= 900.0;
    for button in ["Longest", "Count", "Total", "Mean", "Max", "Covered"] {
        let node = window.node_with_prefix(Role::Button, button);
        assert!(is_inside(node.rect), "{button} {:?}", node.rect);
    }
    for node in window.nodes().into_iter().filter(|node| matches!(node.role, Role::Button | Role::Label)) {
        assert!(node.rect.max.x <= 1441.0, "{} {:?}", node.text, node.rect);
    }
}

#[test]
fn columns_say_what_is_covered_and_what_refers_to_whole_markers() {
    let (mut window, _) = window_with_long_name();
    window.key(Key::I);
    window.settle_statistics();
    assert!(!window.says("Busy"), "{:#?}", window.texts());
    // CPU times are shown where they are recorded.
    assert!(!window.nodes_with_prefix(Role::Button, "CPU").is_empty(), "{:#?}", window.texts());
    let rows = window.statistics_rows();
    assert!(rows[0].contains("Covered") && rows[0].contains("CPU"), "{rows:#?}");
    window.press("Columns");
    for (column, hint) in [
        ("Covered", "Time that at least one marker covers"),
        ("Total", "within the range"),
        ("Mean", "whole markers, even beyond the range"),
        ("Max", "whole marker, even beyond the range"),
        ("CPU", "whole markers"),
    ] {
        let place = window.get(Role::CheckBox, column).rect.center();
        window.point_at(place);
        window.pause();
        window.pause();
        assert!(window.says(hint), "{column}: {:#?}", window.texts());
    }
}

#[test]
fn recordings_without_cpu_times_have_no_such_column() {
    let mut window = Window::example();
    window.key(Key::I);
    window.settle_statistics();
    let has_cpu = window
        .nodes_with_prefix(Role::Button, "CPU")
        .iter()
        .any(|node| node.text.starts_with("CPU,") || node.text == "CPU");
    assert!(!has_cpu, "{:#?}", window.texts());
}
