//! The flow tree: keyboard only, with screen reader texts.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use crate::recording::flows::{point, recording_of, span};
use crate::tables::flow_table::CTRL_SHIFT;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::index::{Arrangement, Index};
use flowline::profile::{FlowId, MarkerId};
use flowline::session::time_text;
use flowline::ui::KeyMap;
use flowline::view::{Command, FlowCommand};
use serde_json::json;

impl Window {
    /// Visible rows of the tree.
    fn tree(&self) -> Vec<String> {
        // Trees in the details have rows without a level.
        let is_flow_row = |node: &crate::harness::window::Node| node.text.contains(", level ");
        self.items(Role::TreeItem).into_iter().filter(is_flow_row).map(|node| node.text).collect()
    }

    fn marker_in(&self, flows: usize) -> MarkerId {
        let index = &self.session().index;
        let graph = index.flows();
        let found =
            graph.iter().flat_map(|flow| graph.members(flow)).find(|marker| graph.flows_of(**marker).len() == flows);
        *found.expect("such a marker")
    }

    fn open_tree(&mut self) {
        self.chord(Modifiers::SHIFT, Key::T);
        self.wait("the tree", |window| !window.tree().is_empty());
    }
}

/// Two flows that share two markers, so that each leads to the other.
fn crossing() -> Window {
    let fields = |flow: &str, other: &str| json!({"flow1": flow, "flow2": other});
    let rows = vec![
        span("Begin", 1.0, 2.0, "Flow", json!({"flow": "A"})),
        span("Long", 1.5, 3.0, "Two", fields("A", "B")),
        point("Between", 2.5, "Two", fields("A", "B")),
        point("End", 4.0, "Flow", json!({"flow": "A"})),
    ];
    let [(_, profile), _] = recording_of(vec![rows]).read_both();
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1000.0), 1.0)
}

#[test]
fn the_tree_is_navigated_by_arrow_keys() {
    let mut window = crossing();
    window.apply(Command::Select(Some(MarkerId(1))));
    window.open_tree();
    assert!(window.node_with_prefix(Role::Tree, "Flow tree, 3 rows").text.contains("arrow keys"));
    let place = "thread Thread 0, process";
    let tree = window.tree();
    assert_eq!(tree.len(), 3, "{tree:#?}");
    assert!(tree[0].starts_with("Long, level 1, 1 of 1, starts at 1.500 ms, lasts 1.50 ms, "), "{}", tree[0]);
    assert!(tree[0].contains(place) && tree[0].ends_with(", 2 flows, expanded"), "{}", tree[0]);
    assert!(
        tree[1].starts_with("Flow Begin, flow A, level 2, 1 of 2, starts at 1.000 ms, lasts 3.00 ms, "),
        "{}",
        tree[1]
    );
    assert!(tree[1].ends_with(", 4 markers, collapsed"), "{}", tree[1]);
    assert!(tree[2].contains("flow1 B") || tree[2].contains("flow2 B"), "{}", tree[2]);

    assert_eq!(window.heard(), tree[0], "opening the tree focuses it");
    window.key(Key::ArrowDown);
    assert_eq!(window.heard(), tree[1]);
    window.key(Key::ArrowRight);
    assert!(window.heard().ends_with(", expanded"));
    let tree = window.tree();
    let gaps = [
        "Begin, level 3, 1 of 4, starts at 1.000 ms, lasts 1.00 ms, ",
        "Long, level 3, 2 of 4, starts at 1.500 ms, overlap 500.0 µs, ",
    ];
    for (row, text) in tree[2..4].iter().zip(gaps) {
        assert!(row.starts_with(text), "{row}");
    }
    assert!(
        tree[4].starts_with("Between, level 3, 3 of 4, starts at 2.500 ms, overlap 500.0 µs, instant, "),
        "{}",
        tree[4]
    );
    assert!(tree[5].starts_with("End, level 3, 4 of 4, starts at 4.000 ms, gap 1.00 ms, instant, "), "{}", tree[5]);
    assert!(tree[3].ends_with(", 1 other flow, collapsed") && !tree[2].contains("flow"), "{tree:#?}");

    window.key(Key::ArrowRight);
    assert_eq!(window.heard(), tree[2], "Right goes to the first child of an expanded row");
    window.key(Key::ArrowRight);
    assert_eq!(window.heard(), tree[2], "a row without children does not change");
    window.keys(&[Key::ArrowDown, Key::ArrowRight, Key::ArrowRight]);
    assert!(window.heard().contains(", level 4, 1 of 1, ") && window.heard().contains(" B, "), "{}", window.heard());
    window.keys(&[Key::ArrowLeft, Key::ArrowLeft, Key::ArrowLeft]);
    assert!(window.heard().starts_with("Flow Begin, "), "Left goes to the parent: {}", window.heard());
    window.key(Key::ArrowLeft);
    assert_eq!(window.tree().len(), 3, "Left collapses an expanded row with all its descendants");
    window.key(Key::End);
    assert!(window.heard().contains("2 of 2"));
    window.key(Key::Home);
    assert!(window.heard().starts_with("Long, level 1"));
    assert_eq!(window.selected(), MarkerId(1), "arrow keys do not affect the chart");
}

#[test]
fn cycles_can_be_expanded_repeatedly() {
    let mut window = crossing();
    window.apply(Command::Select(Some(MarkerId(1))));
    window.open_tree();
    window.key(Key::ArrowDown);
    for level in 0..20 {
        // Into the flow, to the marker shared with the other flow, into that flow.
        window.keys(&[Key::ArrowRight, Key::ArrowRight]);
        if level % 2 == 0 {
            window.key(Key::ArrowDown);
        }
        window.keys(&[Key::ArrowRight, Key::ArrowRight]);
    }
    assert!(window.heard().contains(", level 42, 1 of 1, "), "{}", window.heard());
    window.key(Key::Home);
    window.keys(&[Key::ArrowLeft]);
    assert_eq!(window.tree().len(), 1);
}

#[test]
fn the_tree_can_enter_select_and_pin() {
    let mut window = Window::example();
    let marker = window.marker_in(2);
    window.apply(Command::Select(Some(marker)));
    window.open_tree();
    let flows = window.session().index.flows().flows_of(marker).to_vec();
    window.key(Key::ArrowDown);
    window.key(Key::P);
    assert_eq!(window.view().flows.pinned, [flows[0]]);
    assert!(window.heard().ends_with(", pinned"), "{}", window.heard());
    window.keys(&[Key::ArrowRight, Key::ArrowRight, Key::ArrowDown]);
    let second = window.session().index.flows().members(flows[0])[1];
    let before = window.tree();
    window.key(Key::Space);
    assert_eq!(window.selected(), second, "Space selects the marker");
    assert_eq!(window.tree(), before, "the cursor stays");
    assert!(window.view().flows.entered.is_empty());
    window.key(Key::P);
    assert_eq!(window.view().flows.pinned, [FlowId(0); 0], "P on a marker pins the flow above it");
    window.key(Key::Home);
    window.keys(&[Key::ArrowDown, Key::ArrowDown, Key::Enter]);
    assert_eq!(window.selected(), window.session().index.flows().members(flows[0])[0]);
    assert_eq!(window.view().flows.entered, [flows[0]], "Enter enters the flow above the marker");
    window.key(Key::ArrowUp);
    assert!(window.heard().ends_with(", expanded, entered"), "{}", window.heard());

    // After hiding and showing it again, the tree belongs to the current selection.
    window.chord(Modifiers::SHIFT, Key::T);
    assert!(window.tree().is_empty());
    window.apply(Command::Select(Some(second)));
    window.open_tree();
    assert!(window.heard().contains("level 1, 1 of 1"), "{}", window.heard());
    window.key(Key::Escape);
    assert!(window.nodes().iter().all(|node| !node.focused), "Escape restores the focus");
    assert_eq!(window.view().selected, Some(second), "Escape has no other effect");
    window.key(Key::Escape);
    assert_eq!(window.view().selected, None);
    assert!(window.tree()[0].starts_with("Flow "), "without a selection, the entered flow is the root");
    window.apply(Command::Flow(FlowCommand::Leave));
    assert!(window.says("Select a marker that belongs to a flow, or enter a flow."));
}

#[test]
fn the_tree_can_be_sorted_and_copied() {
    let mut window = Window::example();
    let index = Arc::clone(&window.session().index);
    let graph = index.flows();
    let flow = graph.iter().max_by_key(|flow| graph.members(*flow).len()).expect("flows");
    window.apply(Command::Flow(FlowCommand::Enter(vec![flow])));
    window.open_tree();
    let rows = graph.members(flow).len() + 1;
    assert!(window.says(&format!("Flow tree, {rows} rows")));
    let times = |marker: &MarkerId| window.view().times_of(*marker).expect("a marker");
    let mut members: Vec<MarkerId> = graph.members(flow).to_vec();
    members.sort_by_key(|marker| std::cmp::Reverse(times(marker).len()));
    let start =
        |marker: &MarkerId| format!("starts at {}", time_text(index.profile().clock().show(times(marker).start)));
    let starts: Vec<String> = members.iter().map(start).collect();

    // An expanded row has the cursor; sorting keeps both.
    window.key(Key::End);
    let last = window.heard();
    window.press_by_key("Duration");
    assert!(window.get(Role::Button, "Duration, sorted descending").focused);
    let sorted = window.tree();
    window.harness.get_by_label_contains("Flow tree, ").focus();
    window.settle();
    let name = last.split(", level").next().expect("a name");
    assert!(window.heard().starts_with(name), "{} is {last}", window.heard());
    window.key(Key::Home);
    let tree = window.tree();
    for (row, start) in tree[1..].iter().zip(&starts) {
        assert!(row.contains(start.as_str()), "{row}: {start}");
    }
    assert!(sorted != tree || tree.len() == rows);

    let copied = window.copied_by([Event::Copy]);
    assert_eq!(copied.len(), 1, "{copied:?}");
    assert!(copied[0].starts_with("1\tflow\t"), "{copied:?}");
    assert_eq!(copied[0].matches('\t').count(), 9, "ten columns: {copied:?}");
    let tsv = window.copied_by_key(Key::C, CTRL_SHIFT).concat();
    let lines: Vec<&str> = tsv.lines().collect();
    assert_eq!(lines.len(), rows + 1, "all rows and the headings");
    assert!(lines[0].starts_with("Level\tKind\tName\tStart (ms)\tGap (ms)\tDuration (ms)\t"), "{}", lines[0]);
    assert!(lines.iter().all(|line| line.matches('\t').count() == 9));
    assert_eq!(window.copy_rows("Copy TSV"), [tsv]);
    let markdown = window.copy_rows("Copy Markdown").concat();
    assert!(markdown.starts_with("| Level | Kind | Name | Start | "), "{markdown}");
    assert_eq!(markdown.lines().count(), rows + 2);
    let text = window.copy_rows("Copy text").concat();
    assert_eq!(text.lines().count(), rows + 1);
    assert!(text.lines().nth(2).expect("a marker").contains("marker    "), "indented: {text}");
}
