//! The line of tools above a table in windows that are too narrow for it, and tabs that stay in place.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Rect, Vec2, vec2};
use flowline::profile::{MarkerId, Ns, TimeRange};
use flowline::ui::{KeyMap, TableKind};
use flowline::view::Command;

use crate::harness::window::{Window, example, session};

const MORE: &str = "More tools";

fn window(size: Vec2, table: TableKind) -> Window {
    let mut window = Window::showing(session(example(), Path::new("")), KeyMap::Flowline, size, 1.0);
    window.wait("the rows", |window| !window.session().is_busy());
    window.shell().state.table = Some(table);
    window.settle();
    window.wait("the table", |window| !window.panels().is_busy());
    window
}

/// The line of tools: a strip below the tabs.
fn strip(window: &Window) -> Rect {
    let tabs = window.get(Role::Button, "Close table").rect;
    Rect::from_min_max(egui::pos2(0.0, tabs.max.y), egui::pos2(10_000.0, tabs.max.y + 36.0))
}

/// Names of the buttons and fields that are wholly in the line.
fn tools(window: &Window) -> Vec<String> {
    let strip = strip(window);
    let is_tool = |role: Role| matches!(role, Role::Button | Role::TextInput | Role::CheckBox);
    let nodes = window.nodes().into_iter().filter(|node| is_tool(node.role) && strip.contains(node.rect.center()));
    nodes.map(|node| node.text).filter(|name| name != MORE).collect()
}

#[test]
fn tools_that_do_not_fit_are_in_a_menu() {
    let tables =
        [TableKind::CallTree, TableKind::BottomUp, TableKind::Statistics, TableKind::AllFlows, TableKind::Notes];
    let mut narrow = 0;
    for table in tables {
        let wide = tools(&window(vec2(2400.0, 1000.0), table));
        for width in [1280.0, 1000.0, 700.0] {
            let mut window = window(vec2(width, 800.0), table);
            let shown = tools(&window);
            let line = strip(&window);
            let is_cut = |name: &String| window.all(Role::Button, name).iter().any(|node| node.rect.max.x > width);
            assert!(!shown.iter().any(is_cut), "{table:?} at {width}: {shown:?} in {line:?}");
            let missing: Vec<&String> = wide.iter().filter(|name| !shown.contains(name)).collect();
            assert_eq!(missing.is_empty(), !window.has(Role::Button, MORE), "{table:?} at {width}: {missing:?}");
            if missing.is_empty() {
                continue;
            }
            narrow += 1;
            window.press(MORE);
            for name in missing {
                let is_there =
                    window.nodes().iter().any(|node| node.text == *name && !line.contains(node.rect.center()));
                assert!(is_there, "{name} of {table:?} at {width}: {:#?}", window.texts());
            }
        }
    }
    assert!(narrow > 4, "only {narrow} lines are too long");
}

#[test]
fn a_tool_in_the_menu_works() {
    let mut window = window(vec2(700.0, 800.0), TableKind::CallTree);
    window.press(MORE);
    let before = window.get(Role::Button, "Native");
    assert!(!before.selected);
    window.press("Native");
    assert!(window.get(Role::Button, "Native").selected, "the menu stays open");
    window.press("Groups above the first level of the tree");
    window.press("Group by file");
    window.wait("the groups", |window| !window.panels().is_busy());
}

#[test]
fn a_selection_moves_no_tab() {
    for size in [vec2(1440.0, 900.0), vec2(1000.0, 700.0)] {
        let mut window = window(size, TableKind::Statistics);
        let places = |window: &Window| -> Vec<(String, Rect)> {
            let line = window.get(Role::Button, "Close table").rect;
            let nodes = window.nodes().into_iter().filter(|node| node.role == Role::Button);
            let tabs = nodes.filter(|node| (node.rect.center().y - line.center().y).abs() < 4.0);
            // What narrows the table down is at the other end of the line.
            let tabs = tabs.filter(|node| node.rect.max.x < line.min.x - 80.0);
            tabs.map(|node| (node.text, node.rect)).collect()
        };
        let before = places(&window);
        assert!(before.iter().any(|(name, _)| name == "Selection"), "{before:?}");
        let visible = window.view().axis.visible();
        let range = TimeRange::new(visible.start, visible.start + Ns(visible.len() / 3));
        let select = Command::Select(Some(MarkerId(400)));
        for command in [Command::SelectRange(Some(range)), select, Command::SelectRange(None)] {
            window.apply(command);
            assert_eq!(places(&window), before, "{size:?}");
        }
    }
}
