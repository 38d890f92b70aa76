//! Texts of the key bindings for the help window.

use super::keys::KeyMap;

/// Keys and their descriptions, in display order.
#[must_use]
pub(crate) fn bindings(map: KeyMap) -> Vec<(&'static str, &'static str)> {
    let motion = match map {
        KeyMap::Flowline => {
            [("W / S, + / −, Ctrl+wheel", "zoom in / out at the pointer"), ("A / D, Shift+wheel", "pan left / right")]
        }
        KeyMap::Firefox => {
            [("Q / E, + / −, Ctrl+wheel", "zoom in / out at the pointer"), ("A / D, Shift+wheel", "pan left / right")]
        }
    };
    let mut all = motion.to_vec();
    if map == KeyMap::Firefox {
        all.push(("W / S", "scroll rows up / down"));
    }
    all.extend([
        ("wheel, PageUp / PageDown", "scroll rows"),
        ("drag", "pan and scroll"),
        ("Shift", "hold: show a vertical line with its time at the pointer, across all tracks"),
        ("Shift+drag, drag on the ruler", "select a time range"),
        ("Alt+drag", "select a box of rows and time (Shift adds to the selection, Ctrl turns off snapping)"),
        ("B", "box mode: dragging selects a box"),
        ("Space", "add the selected marker's row to the selection or remove it; in the label column, a row or thread"),
        ("R  Shift+R", "select the time range of the selected marker / extend the range to it"),
        ("Ctrl+click, Shift+click on a thread", "add it to the selection or remove it / select all up to it"),
        ("M  Shift+M", "measure: set edge A, then B, at the pointer, then clear both / measure the selection"),
        ("N  Alt+N", "add a note to the selection, else a bookmark at the pointer / link two markers"),
        ("Ctrl+N  Delete", "show all notes / delete the selected note"),
        ("Ctrl+Z  Ctrl+Shift+Z", "undo / redo changes of notes, tracks, hiding, pins and time origin"),
        ("Enter", "zoom to the selected range and commit it (Backspace: back), else enter the marker's flows"),
        ("F", "zoom to the selection"),
        ("H  O  Shift+H", "hide the marker's thread / show only this thread / show all threads"),
        ("X  Shift+X  Alt+X", "hide the selected entry / its children / its descendants with the same name"),
        ("Alt+Shift+X", "show everything hidden inside the selected entry, else all hidden entries"),
        ("0", "show the whole recording"),
        ("Home / End", "go to the start / end"),
        ("Ctrl+P", "find a thread, process, marker, flow or command by name"),
        ("click", "select a marker and pin its tooltip"),
        ("double click", "zoom to a marker"),
        ("→ / ←", "next / previous marker in the row"),
        ("↓ / ↑", "marker in the row below / above"),
        ("Alt+↑ / Alt+↓", "parent slice / longest child slice"),
        ("] / [", "next / previous marker of the flow"),
        ("Alt+] / Alt+[", "next / previous flow of the marker"),
        ("P  F2", "pin or unpin the flow / rename the pinned flow in the focused row"),
        ("Alt+← / Alt+→", "back / forward in the history of entered flows"),
        ("V", "show only the flow's markers; press again to show all"),
        ("U", "search for the marker or function in the browser's code search (Firefox, Chromium)"),
        ("C  G", "all connections of the entered flow / its path across the chart"),
        (",  .", "follow incoming / outgoing flows one more step (with Shift: all the way)"),
        ("Z  Shift+Z", "set the time origin to the selected marker's start / reset it"),
        ("K  Shift+K", "critical path to the end of the selected marker or range / its table"),
        ("Shift+F", "zoom to the entered flow"),
        ("/ or Ctrl+F", "search; Enter / Shift+Enter: next / previous hit"),
        ("T  Shift+T  Ctrl+T", "tables: markers, flow tree, all flows"),
        ("I", "statistics"),
        ("Shift+N", "network requests"),
        ("Y  Shift+Y  Ctrl+Y", "samples: call tree, bottom-up tree, flame graph"),
        ("in sample trees", "arrows move and expand, * expands all, H follows the heaviest path"),
        ("F  Shift+F  Shift+S  G", "sample trees: focus on function, subtree, self, category"),
        ("M  Shift+M  C  Shift+C", "sample trees: merge function, node; collapse function, library"),
        ("R  Shift+R  D", "sample trees: collapse recursion, direct recursion; drop samples with the function"),
        ("in a table", "arrows move and expand, Enter enters, Space selects, P pins, / filters, Esc leaves"),
        ("L", "toggle rows by name and stack rows"),
        ("J", "toggle the layout by flow: one lane per flow"),
        ("Shift+L", "toggle rows that are empty in the visible range"),
        ("Ctrl+C  Ctrl+Shift+C", "copy the selected marker / the command that opens this view"),
        ("Alt+1 … Alt+5", "toggle overview, labels, details, drawer, flow panel"),
        ("Ctrl + + / −  Ctrl+0", "larger / smaller interface / reset its size"),
        ("Ctrl+O", "open a file (or drop one on the window)"),
        ("Ctrl+Shift+O", "compare with a second file (or drop it with Shift)"),
        ("Ctrl+S", "save an image of the window as PNG or SVG"),
        ("Ctrl+W  Ctrl+Q", "close the recording (of two, the active one) / quit"),
        ("F5", "reload the file"),
        ("F11", "toggle full screen"),
        ("Shift+F10, right click", "context menu of the focused or selected item"),
        ("Alt+Shift+↑ / Alt+Shift+↓", "move the focused thread or process (or drag its label)"),
        ("Ctrl+Shift+L", "toggle light and dark theme"),
        ("F3", "toggle frame times"),
        ("Esc", "close the topmost window or menu, then clear the selection"),
        ("?", "this help"),
    ]);
    all
}
