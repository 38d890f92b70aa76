//! The tables of mouse gestures and of keys that a focused widget handles itself.

use super::command_row::Gesture;

const fn gesture(input: &'static str, effect: &'static str) -> Gesture {
    Gesture { input, effect }
}

/// Mouse gestures.
pub(crate) const GESTURES: &[Gesture] = &[
    gesture("click", "Select a marker and show its details"),
    gesture("double click", "Zoom to a marker"),
    gesture("right click", "Open the context menu"),
    gesture("drag", "Pan and scroll"),
    gesture("wheel", "Scroll rows"),
    gesture("Ctrl+wheel", "Zoom at the pointer"),
    gesture("Shift+wheel", "Pan"),
    gesture("Shift+drag", "Select a time range"),
    gesture("drag on the ruler", "Select a time range"),
    gesture(
        "Alt+drag, or drag after B",
        "Select a box of rows and time; Shift adds to the selection, Ctrl turns off snapping",
    ),
    gesture("hold Shift", "Show a vertical line with its time at the pointer, across all tracks"),
    gesture("Ctrl+click on a thread", "Add the thread to the selection or remove it"),
    gesture("Shift+click on a thread", "Select all threads up to it"),
    gesture("drag a thread's label", "Move the thread"),
    gesture("double click on a panel's edge", "Hide the panel"),
    gesture("drop a file", "Open the file; with Shift, compare it with the open recording"),
];

/// Keys that the focused widget handles itself.
pub(crate) const WIDGET_KEYS: &[Gesture] = &[
    gesture("Shift+F10", "Open the context menu of the focused or selected item"),
    gesture("Enter, Shift+Enter", "In the search field: go to the next or previous hit, and return to the chart"),
    gesture("Space", "In the label column: add the thread or row to the selection or remove it"),
    gesture("Arrow keys", "In tables and trees: move, expand and collapse"),
    gesture("Enter", "In tables and trees: go to the item or enter the flow"),
    gesture("*", "In sample trees: expand everything inside"),
    gesture("H", "In sample trees: follow the heaviest path"),
    gesture("/", "In tables: filter"),
    gesture("P", "In tables of flows: pin or unpin the flow"),
    gesture("F2, Delete", "In the list of notes: edit or delete the note"),
    gesture("Ctrl+C, Ctrl+Shift+C", "In tables: copy the row or all rows"),
    gesture("Esc", "In tables: return to the chart"),
];
