//! The table of all flows: keyboard only, with screen reader texts; and keyboard helpers for tests of tables.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Node, Window, session};
use crate::recording::flows::{point, recording_of};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, OutputCommand, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::index::{Arrangement, Index};
use flowline::profile::{FlowId, TimeRange};
use flowline::session::Job;
use flowline::ui::KeyMap;
use serde_json::json;

pub(crate) const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
pub(crate) const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..CTRL };

impl Window {
    pub(crate) fn items(&self, role: Role) -> Vec<Node> {
        self.nodes().into_iter().filter(|node| node.role == role).collect()
    }

    /// The screen reader text of the focused node.
    #[track_caller]
    pub(crate) fn heard(&self) -> String {
        let nodes = self.nodes();
        let told: Vec<&Node> = nodes.iter().filter(|node| node.focused).collect();
        assert_eq!(told.len(), 1, "exactly one node has the focus: {:#?}", self.texts());
        told[0].text.clone()
    }

    pub(crate) fn keys(&mut self, keys: &[Key]) {
        keys.iter().for_each(|key| self.key(*key));
    }

    /// All text copied during some events, one event per frame.
    pub(crate) fn copied_by(&mut self, events: impl IntoIterator<Item = Event>) -> Vec<String> {
        let mut copied = Vec::new();
        for event in events {
            self.together([event]);
            copied.extend(self.harness.output().platform_output.commands.iter().filter_map(|command| match command {
                OutputCommand::CopyText(text) => Some(text.clone()),
                _ => None,
            }));
        }
        self.settle();
        copied
    }

    /// Presses a key once and returns the copied text.
    pub(crate) fn copied_by_key(&mut self, key: Key, modifiers: Modifiers) -> Vec<String> {
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        self.copied_by([event(true), event(false)])
    }

    /// Chooses an entry of the menu that copies rows, by keyboard.
    #[track_caller]
    pub(crate) fn copy_rows(&mut self, entry: &str) -> Vec<String> {
        self.press("Copy rows");
        self.press_by_key(entry)
    }

    /// Focuses a button like a screen reader does, and presses it.
    pub(crate) fn press_by_key(&mut self, button: &str) -> Vec<String> {
        let full = self.node_with_prefix(Role::Button, button).text;
        self.harness.get_by_role_and_label(Role::Button, &full).focus();
        self.settle();
        self.copied_by_key(Key::Enter, Modifiers::NONE)
    }

    fn open_flows(&mut self) {
        self.chord(CTRL, Key::T);
        self.wait("the flows", |window| !window.items(Role::Row).is_empty());
        self.wait_for_flows();
    }

    fn wait_for_flows(&mut self) {
        self.wait("the order", |window| !window.panels().flow_table.is_busy());
    }

    fn table_rows(&self) -> Vec<FlowId> {
        self.panels().flow_table.rows().to_vec()
    }
}

/// Numbers of members, threads and processes of a flow, and its length.
fn facts(window: &Window, flow: FlowId) -> [i64; 4] {
    let (index, profile) = (&window.session().index, window.profile());
    let members = index.flows().members(flow);
    let threads: HashSet<_> = members.iter().map(|marker| profile.locate(*marker).expect("a marker").0).collect();
    let processes: HashSet<_> = threads.iter().map(|thread| profile.thread(*thread).process).collect();
    let length = index.flows().range(&profile, flow).len();
    let count = |count: usize| i64::try_from(count).expect("few");
    [count(members.len()), count(threads.len()), count(processes.len()), length]
}

#[test]
fn the_table_finds_the_longest_flow() {
    let mut window = Window::example();
    window.open_flows();
    let all: Vec<FlowId> = window.session().index.flows().iter().collect();
    assert_eq!(window.table_rows(), all);
    window.get(Role::Table, "Flow table, 467 rows");
    assert!(window.items(Role::Row).len() < 40, "only visible rows exist");
    for (button, at) in [("Longest", 3), ("Most markers", 0), ("Most threads", 1), ("Most processes", 2)] {
        window.press_by_key("Sort flows");
        window.press(button);
        window.wait_for_flows();
        let mut expected = all.clone();
        expected.sort_by_key(|flow| std::cmp::Reverse(facts(&window, *flow)[at]));
        assert_eq!(window.table_rows(), expected, "{button}");
        window.harness.get_by_label("Flow table, 467 rows").focus();
        window.settle();
        let heard = window.heard();
        let [markers, threads, processes, _] = facts(&window, expected[0]);
        assert!(
            heard.contains(&format!(", {markers} markers, {threads} threads, {processes} processes")),
            "{button}: {heard}"
        );
    }
    let heading = window.node_with_prefix(Role::Button, "Length");
    window.click_at(heading.rect.center());
    window.wait_for_flows();
    let lengths: Vec<i64> = window.table_rows().iter().map(|flow| facts(&window, *flow)[3]).collect();
    assert!(lengths.iter().rev().is_sorted(), "the first press sorts the longest first");
}

#[test]
fn kinds_can_be_excluded_by_menu_and_appear_as_filters() {
    let mut window = Window::example();
    window.open_flows();
    let (index, profile) = (Arc::clone(&window.session().index), window.profile());
    let first_name = |flow: &FlowId| {
        let (thread, local) = profile.locate(index.flows().members(*flow)[0]).expect("a marker");
        profile.marker_name(thread, local).to_owned()
    };
    window.click(Role::Button, "Kinds");
    window.click(Role::CheckBox, "task");
    window.wait_for_flows();
    let others: Vec<FlowId> =
        index.flows().iter().filter(|flow| first_name(flow) != "EventQueueInternal::PutEvent").collect();
    assert_eq!(window.table_rows(), others);
    assert!(window.says("140 of 467 flows"), "{:?}", window.texts());
    window.click(Role::Button, "Hide all");
    window.wait_for_flows();
    assert!(window.table_rows().is_empty());
    window.click(Role::Button, "Show all");
    window.wait_for_flows();
    assert_eq!(window.table_rows().len(), 467);
}

#[test]
fn flows_are_entered_pinned_and_copied_from_the_table() {
    let mut window = Window::example();
    window.open_flows();
    let rows = window.table_rows();
    let first = window.heard();
    assert!(first.contains(", id ") && first.contains(", starts at "), "{first}");
    window.keys(&[Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::ArrowDown]);
    window.key(Key::Enter);
    assert_eq!(window.view().flows.entered, [rows[2]]);
    assert!(window.heard().ends_with(", entered"), "{}", window.heard());
    window.key(Key::P);
    assert_eq!(window.view().flows.pinned, [rows[2]]);
    assert!(window.heard().ends_with(", entered, pinned"), "{}", window.heard());
    window.key(Key::PageDown);
    window.key(Key::End);
    window.key(Key::Enter);
    assert_eq!(window.view().flows.entered, [rows[466]]);
    assert_eq!(window.view().selected, None, "no key reached the chart");
    let id = window.session().index.flows().id_text(&window.profile(), rows[466]);
    let copied = window.copied_by([Event::Copy]);
    assert_eq!(copied.len(), 1, "{copied:?}");
    assert!(copied[0].contains(&format!("\t{id}\t")) && copied[0].matches('\t').count() == 8, "{copied:?}");
    let tsv = window.copied_by_key(Key::C, CTRL_SHIFT).concat();
    assert!(
        tsv.starts_with(
            "Label\tId\tStart (ms)\tLength (ms)\tWait (ms)\tLongest wait (ms)\tMarkers\tThreads\tProcesses\n"
        ),
        "{tsv}"
    );
    assert_eq!(tsv.lines().count(), 468);
    assert_eq!(window.copy_rows("Copy Markdown").concat().lines().count(), 469);
    assert_eq!(window.copy_rows("Copy text").concat().lines().count(), 468);

    let row = window.items(Role::Row)[2].clone();
    let range = |window: &Window| -> TimeRange { window.view().axis.visible() };
    let before = range(&window);
    window.click_at(row.rect.center());
    let clicked = window.view().flows.entered[0];
    assert!(row.text.contains(&window.session().index.flows().id_text(&window.profile(), clicked)), "a click enters");
    for pressed in [true, false, true, false] {
        window.button(row.rect.center(), egui::PointerButton::Primary, pressed, Modifiers::NONE);
    }
    window.settle();
    let times = window.session().index.flows().range(&window.profile(), clicked);
    let now = range(&window);
    assert!(now != before && now.start <= times.start && now.end >= times.end, "a double-click zooms to it");
}

#[test]
fn the_table_can_be_filtered() {
    let mut window = Window::example();
    window.open_flows();
    window.keys(&[Key::ArrowDown; 8]);
    let rows = window.table_rows();
    let (eighth, heard) = (rows[8], window.heard());
    let label = heard.split(", id ").next().expect("a label").to_lowercase();
    window.type_text("/");
    assert!(window.get(Role::TextInput, "Filter flows").focused, "/ focuses the filter");
    assert!(!window.get(Role::TextInput, "Search markers").focused);
    window.type_text(&label);
    window.wait_for_flows();
    let found = window.table_rows();
    assert!(found.contains(&eighth) && found.len() < rows.len(), "{label}: {}", found.len());
    assert!(window.says(&format!("{} of 467 flows", found.len())), "{:#?}", window.texts());
    window.key(Key::Enter);
    assert!(window.view().flows.entered.is_empty(), "Enter only focuses the table");
    assert_eq!(window.heard(), heard, "the cursor stays on the same flow");
    assert!(window.items(Role::Row).iter().all(|row| row.text.to_lowercase().contains(&label)));

    window.type_text("/");
    let clear = |window: &mut Window, length: usize| (0..length).for_each(|_| window.key(Key::Backspace));
    clear(&mut window, label.len());
    let filter = "threads:>2 markers:<50, processes:>2";
    window.type_text(filter);
    window.wait_for_flows();
    let holds = |window: &Window, flow: &FlowId| {
        let [markers, threads, processes, _] = facts(window, *flow);
        (threads > 2 && markers < 50) || processes > 2
    };
    let expected: Vec<FlowId> = rows.iter().copied().filter(|flow| holds(&window, flow)).collect();
    assert!(!expected.is_empty() && expected.len() < rows.len());
    assert_eq!(window.table_rows(), expected);
    clear(&mut window, filter.len());
    window.type_text("no flow says this");
    window.wait_for_flows();
    assert!(window.says("No flow matches “no flow says this”."));
    clear(&mut window, 17);
    window.wait_for_flows();
    assert_eq!(window.table_rows(), rows);
    window.key(Key::ArrowDown);
    assert_eq!(window.heard(), heard, "the flow at the cursor is shown again");
    assert_eq!(window.view().search, "");
}

#[test]
fn a_recording_without_flows_has_empty_tables() {
    let [(_, profile), _] = recording_of(vec![vec![point("Alone", 1.0, "Plain", json!({}))]]).read_both();
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.chord(Modifiers::SHIFT, Key::T);
    assert!(window.says("This recording has no flows."));
    window.chord(CTRL, Key::T);
    window.wait("the table", |window| !window.panels().flow_table.is_busy());
    assert!(window.says("This recording has no flows."));
    window.keys(&[Key::ArrowDown, Key::Enter, Key::P, Key::Home, Key::End, Key::PageDown, Key::Escape]);
    window.get(Role::Table, "Flow table, 0 rows");
}
