//! Counts in the toolbar and above tables: short, complete for screen readers, and in places that they never leave.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, vec2};
use flowline::format::{format_count, format_counted};
use flowline::ui::TableKind;
use flowline::view::Command;

use crate::harness::window::{Window, found};

impl Window {
    /// The label that begins with a count, as one above a table does.
    fn count_label(&self, place: Rect, noun: &str) -> (String, Rect) {
        let is_count = |text: &str| text.contains(noun) && text.starts_with(|first: char| first.is_ascii_digit());
        let nodes = self.nodes();
        let own = nodes
            .iter()
            .find(|node| node.role == Role::Label && is_count(&node.text) && place.contains(node.rect.center()));
        own.map(|node| (node.text.clone(), node.rect))
            .unwrap_or_else(|| panic!("no count of {noun} in {:#?}", self.texts()))
    }

    /// The part of the window below the edge of the drawer.
    fn drawer(&self) -> Rect {
        let edge = self.get(Role::Splitter, "Height of the table").rect;
        Rect::from_min_max(edge.left_bottom(), self.harness.ctx.content_rect().max)
    }
}

#[test]
fn the_number_of_hits_stays_within_the_search_field() {
    for width in [1600.0, 1440.0, 1100.0, 900.0] {
        let mut window = Window::example();
        window.harness.set_size(vec2(width, 900.0));
        window.settle();
        let total = window.profile().marker_count();
        for query in ["e", "task", "nothing is named so"] {
            window.apply(Command::Search(query.to_owned()));
            window.wait_for_search(query);
            let hits = found(&window.profile(), query).total();
            let text = format!("{} of {}", format_count(hits as u64), format_counted(total as u64, "marker"));
            let label = window.get(Role::Label, &text).rect;
            let field = window.get(Role::TextInput, "Search markers").rect;
            let close = window.get(Role::Button, "Clear the search").rect;
            assert!(
                label.min.x >= field.max.x - 1.0 && label.max.x <= close.max.x,
                "{width}: {label:?} {field:?} {close:?}"
            );
            assert!(label.height() <= 40.0, "{width}: one line");
        }
    }
}

#[test]
fn tables_count_what_they_list_of_all_that_there_is() {
    let mut window = Window::example();
    window.key(Key::T);
    window.wait("the rows", |window| !window.panels().is_busy());
    let rows = window.profile().marker_count();
    let (text, rect) = window.count_label(window.drawer(), "row");
    assert!(text.ends_with(" rows") && rect.height() <= 20.0, "{text} {rect:?}");
    let listed: String = text.chars().filter(char::is_ascii_digit).collect();
    assert!((1..=rows).contains(&listed.parse::<usize>().expect("a count")), "{text} of {rows}");
    window.apply(Command::Search("task".to_owned()));
    window.wait_for_search("task");
    window.wait("the rows", |window| !window.panels().is_busy());
    let hits = found(&window.profile(), "task").total();
    assert_eq!(window.count_label(window.drawer(), "row").0, format_counted(hits as u64, "row"));
    window.apply(Command::Search(String::new()));
    // Flows: those that are listed, of all.
    window.chord(Modifiers { ctrl: true, command: true, ..Modifiers::NONE }, Key::T);
    assert_eq!(window.table(), Some(TableKind::AllFlows));
    let flows = |window: &mut Window| {
        window.wait("the flows", |window| !window.panels().is_busy() && !window.session().is_busy());
        let (text, rect) = window.count_label(window.drawer(), "flow");
        assert!(rect.height() <= 20.0, "{text} {rect:?}");
        let numbers = text.split(' ').filter_map(|part| part.replace(',', "").parse::<usize>().ok());
        numbers.collect::<Vec<usize>>()
    };
    let all = flows(&mut window);
    window.apply(Command::Search("task".to_owned()));
    window.wait_for_search("task");
    let some = flows(&mut window);
    assert_eq!(all.last(), some.last(), "of the same number of flows");
    assert!(some[0] <= all[0], "{some:?} after {all:?}");
}

#[test]
fn counts_above_tables_stay_in_the_window_at_every_width() {
    for width in [1600.0, 1200.0, 1000.0, 800.0] {
        let mut window = Window::example();
        window.harness.set_size(vec2(width, 900.0));
        window.settle();
        for (key, held) in [(Key::T, Modifiers::NONE), (Key::N, Modifiers::SHIFT), (Key::I, Modifiers::NONE)] {
            window.chord(held, key);
            window.wait("the table", |window| !window.panels().is_busy() && !window.session().is_busy());
            let drawer = window.drawer();
            let is_count = |text: &str| text.starts_with(|first: char| first.is_ascii_digit()) && text.len() < 40;
            for node in window.nodes().iter().filter(|node| node.role == Role::Label && is_count(&node.text)) {
                let is_in_strip = (drawer.min.y..drawer.min.y + 70.0).contains(&node.rect.center().y);
                assert!(!is_in_strip || drawer.contains_rect(node.rect), "{width}: {node:?} in {drawer:?}");
            }
        }
    }
}
