//! With the switch "Visible range", tables and trees show what is in view, like with a selected range.

use egui::accesskit::Role;
use flowline::profile::{Ns, TimeRange};
use flowline::ui::TableKind;
use flowline::view::Command;

use crate::harness::window::Window;

/// Tables of the scope, and the role of their rows.
const TABLES: [(TableKind, Role); 6] = [
    (TableKind::Markers, Role::Row),
    (TableKind::AllFlows, Role::Row),
    (TableKind::Statistics, Role::Row),
    (TableKind::Network, Role::Row),
    (TableKind::CallTree, Role::TreeItem),
    (TableKind::Functions, Role::Row),
];

fn rows(window: &mut Window, role: Role) -> Vec<String> {
    window.wait("the rows", |window| !window.panels().is_busy() && !window.session().is_busy());
    window.settle();
    // Names of tables state the number of their rows.
    let is_of_table = |node: &crate::harness::window::Node| [role, Role::Table, Role::Tree].contains(&node.role);
    window.nodes().into_iter().filter(is_of_table).map(|node| node.text).collect()
}

#[test]
fn the_switch_makes_tables_and_trees_follow_the_window() {
    let mut window = Window::example();
    let extent = window.session().index.extent();
    let part = TimeRange::new(extent.start + Ns(extent.len() / 3), extent.start + Ns(extent.len() / 2));
    for (table, role) in TABLES {
        window.apply(Command::Show(extent));
        window.shell().state.table = Some(table);
        let whole = rows(&mut window, role);
        assert!(!window.get(Role::Button, "Visible range").selected, "{table:?}");
        window.apply(Command::Show(part));
        assert_eq!(rows(&mut window, role), whole, "{table:?} ignores the view at first");
        window.press("Visible range");
        let shown = rows(&mut window, role);
        assert_ne!(shown, whole, "{table:?} follows the view");
        // The same as for a selected range.
        let visible = window.view().axis.visible();
        window.press("Visible range");
        window.apply(Command::SelectRange(Some(visible)));
        let selected = rows(&mut window, role);
        if table != TableKind::Statistics {
            assert_eq!(selected, shown, "{table:?}");
        }
        window.apply(Command::SelectRange(None));
        assert_eq!(rows(&mut window, role), whole, "{table:?} shows everything again");
    }
}

#[test]
fn rows_change_with_the_view_and_belong_to_it() {
    let mut window = Window::example();
    let extent = window.session().index.extent();
    window.shell().state.table = Some(TableKind::Markers);
    rows(&mut window, Role::Row);
    window.press("Visible range");
    for part in [2, 4, 7] {
        let start = extent.start + Ns(extent.len() / 10 * part);
        window.apply(Command::Show(TimeRange::new(start, start + Ns(extent.len() / 12))));
        rows(&mut window, Role::Row);
        let visible = window.view().axis.visible();
        let listed = window.panels().marker_table.rows().to_vec();
        let is_in = |marker| window.view().times_of(marker).is_some_and(|own| visible.overlaps(own.start, own.end));
        assert!(!listed.is_empty() && listed.iter().all(|marker| is_in(*marker)), "{part}");
    }
}
