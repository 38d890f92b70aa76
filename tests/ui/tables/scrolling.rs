//! Every table goes back to its first row when it is sorted or filtered.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Modifiers, Pos2, vec2};
use egui_kittest::kittest::NodeT as _;
use flowline::ui::{KeyMap, TableKind};
use flowline::view::{Command, FlowCommand};

use crate::harness::window::{Window, example, session};

/// Sortable tables, a column that does not sort them at first, and the name of their rows.
const TABLES: [(TableKind, &str, Role); 6] = [
    (TableKind::Markers, "Duration", Role::Row),
    (TableKind::AllFlows, "Length", Role::Row),
    (TableKind::Statistics, "Count", Role::Row),
    (TableKind::Network, "Duration", Role::Row),
    (TableKind::Functions, "Total", Role::Row),
    (TableKind::FlowTree, "Duration", Role::TreeItem),
];

impl Window {
    /// Number and place of the first visible row of the table.
    fn first_listed(&self, role: Role) -> Option<(usize, Pos2)> {
        let root = self.harness.root();
        let nodes = root.children_recursive().filter(|node| node.accesskit_node().role() == role);
        let scale = self.harness.ctx.pixels_per_point();
        let places = nodes.filter_map(|node| {
            let (node, bounds) = (node.accesskit_node(), node.accesskit_node().bounding_box()?);
            let number = node.data().position_in_set()?;
            #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
            let place = egui::pos2((bounds.x0 + 60.0) as f32, bounds.y1 as f32) / scale;
            Some((number, place))
        });
        places.min_by(|a, b| a.1.y.total_cmp(&b.1.y))
    }

    fn open_scrollable(&mut self, table: TableKind, role: Role) {
        if table == TableKind::FlowTree {
            // It lists the members of the entered flow.
            let graph = self.session().index.flows();
            let largest = graph.iter().max_by_key(|flow| graph.members(*flow).len()).expect("flows");
            self.apply(Command::Flow(FlowCommand::Enter(vec![largest])));
        }
        self.shell().state.table = Some(table);
        self.wait("the table", |window| {
            !window.panels().is_busy() && !window.session().is_busy() && window.first_listed(role).is_some()
        });
    }

    #[track_caller]
    fn scroll_down(&mut self, table: TableKind, role: Role) {
        let (number, place) = self.first_listed(role).expect("rows");
        assert_eq!(number, 0, "{table:?}");
        self.wheel(place, vec2(0.0, -30.0), Modifiers::NONE);
        let (number, _) = self.first_listed(role).expect("rows");
        assert!(number > 0, "{table:?} has more rows than fit");
    }

    #[track_caller]
    fn is_at_top(&mut self, table: TableKind, role: Role, after: &str) {
        self.wait("the rows", |window| !window.panels().is_busy() && !window.session().is_busy());
        self.settle();
        let first = self.first_listed(role).map(|(number, _)| number);
        assert_eq!(first, Some(0), "{table:?} after {after}");
    }
}

fn window() -> Window {
    let mut window = Window::showing(session(example(), Path::new("")), KeyMap::Flowline, vec2(1440.0, 560.0), 1.0);
    window.wait("the rows", |window| !window.session().is_busy());
    window
}

#[test]
fn a_sorted_table_shows_its_first_row() {
    let mut window = window();
    for (table, column, role) in TABLES {
        window.open_scrollable(table, role);
        for order in ["one order", "the other order"] {
            window.scroll_down(table, role);
            let heading = window.node_with_prefix(Role::Button, column).rect.center();
            window.click_at(heading);
            window.is_at_top(table, role, order);
        }
    }
}

#[test]
fn a_search_shows_the_first_row_of_every_table() {
    let mut window = window();
    // The tree lists flows, which a search does not change.
    for (table, _, role) in TABLES.into_iter().filter(|(table, ..)| *table != TableKind::FlowTree) {
        window.open_scrollable(table, role);
        window.scroll_down(table, role);
        if table == TableKind::Functions {
            window.click(Role::TextInput, "Filter functions");
            window.type_text("e");
        } else {
            window.apply(Command::Search("e".to_owned()));
            window.wait_for_search("e");
        }
        window.is_at_top(table, role, "a search");
        window.apply(Command::Search(String::new()));
        window.wait_for_search("");
    }
}

#[test]
fn a_chosen_row_stays_in_view() {
    let mut window = window();
    for (table, column, role) in TABLES.into_iter().take(4) {
        window.open_scrollable(table, role);
        let (_, place) = window.first_listed(role).expect("rows");
        window.click_at(place - vec2(0.0, 6.0));
        let heading = window.node_with_prefix(Role::Button, column).rect.center();
        window.click_at(heading);
        window.wait("the rows", |window| !window.panels().is_busy());
        window.settle();
        let is_chosen = |window: &Window| window.items(role).into_iter().any(|row| row.selected);
        assert!(is_chosen(&window), "{table:?}: {:#?}", window.texts());
    }
}
