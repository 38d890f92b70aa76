//! A table that the user opens gets the keyboard, whichever it is.

use egui::{Key, Modifiers};
use flowline::ui::TableKind;

use crate::harness::window::Window;

#[test]
fn opened_tables_get_the_keyboard_until_escape() {
    let keys = [
        (Modifiers::NONE, Key::T, TableKind::Markers, "Marker table, "),
        (Modifiers::SHIFT, Key::N, TableKind::Network, "Network requests, "),
        (Modifiers::NONE, Key::I, TableKind::Statistics, "Statistics"),
        (Modifiers::CTRL | Modifiers::COMMAND, Key::T, TableKind::AllFlows, "Flow table, "),
        (Modifiers::SHIFT, Key::G, TableKind::Insights, "Insights, "),
        (Modifiers::NONE, Key::Y, TableKind::CallTree, "Call tree"),
    ];
    let mut window = Window::example();
    for (modifiers, key, table, name) in keys {
        window.chord(modifiers, key);
        assert_eq!(window.table(), Some(table));
        window.wait(name, |window| !window.panels().is_busy() && !window.focused_tables().is_empty());
        let focused = window.focused_tables();
        assert!(focused.len() == 1 && focused[0].starts_with(name), "{name}: {focused:?}");
        window.key(Key::Escape);
        assert!(window.focused_tables().is_empty(), "{name}: the chart has the keys again");
        assert_eq!(window.table(), Some(table), "{name}: it stays open");
    }
}

#[test]
fn a_table_that_opens_does_not_move_the_chart_or_the_selection() {
    let mut window = Window::example();
    let (marker, _) = window.marker_with_fields();
    window.apply(flowline::view::Command::Select(Some(marker)));
    let before = window.view().axis.visible();
    window.key(Key::T);
    window.wait("the table", |window| !window.panels().is_busy() && !window.focused_tables().is_empty());
    assert_eq!((window.view().axis.visible(), window.view().selected), (before, Some(marker)));
    window.key(Key::ArrowDown);
    assert_ne!(window.view().selected, Some(marker), "arrow keys move the cursor of the table");
}
