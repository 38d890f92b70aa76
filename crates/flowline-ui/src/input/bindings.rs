//! The key bindings in words, for the help.

use super::keys::KeyMap;

/// The bindings for the help: keys and descriptions.
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
        ("Shift", "hold: an upright line through all parts at the pointer, with its time"),
        ("Shift+drag, drag on the ruler", "select a range of time"),
        ("Alt+drag", "select a box: rows and a range of time (with Shift: add it; with Ctrl: not to markers' edges)"),
        ("B", "box mode: a plain drag selects a box"),
        ("Space", "choose the row of the selected marker, too, or leave it out; in the label column a row or a thread"),
        ("R  Shift+R", "select the time of the selected marker / widen the range to it"),
        ("Ctrl+click, Shift+click on a thread", "pick it, too, or put it back / pick all from the last one to it"),
        ("M  Shift+M", "measure: put edge A, then B, at the pointer, then clear them / measure what is selected"),
        ("N  Alt+N", "note on what was selected last, else a bookmark at the pointer / link two markers"),
        ("Ctrl+N  Delete", "all notes / delete the selected one"),
        ("Ctrl+Z  Ctrl+Shift+Z", "undo a change of notes, folding, hiding, order, pins or zero / do it again"),
        ("Enter", "narrow everything to the selected range (Backspace goes back); else enter the marker's flows"),
        ("F", "zoom to the selection"),
        ("H  O  Shift+H", "hide the marker's thread / show only it / show all threads"),
        ("X  Shift+X  Alt+X", "hide the selected entry / what is inside it / what has its name inside it"),
        ("Alt+Shift+X", "show what is hidden inside the selected entry, else all that is hidden"),
        ("0", "show the whole recording"),
        ("Home / End", "go to the beginning / the end"),
        ("Ctrl+P", "go to a thread, a process, a name, a flow or a command by its name"),
        ("click", "select a marker, keep its tooltip"),
        ("double click", "zoom to a marker"),
        ("→ / ←", "next / previous marker on the row"),
        ("↓ / ↑", "marker on the row below / above"),
        ("Alt+↑ / Alt+↓", "the slice around the selected one / the longest slice in it"),
        ("] / [", "next / previous marker of the flow"),
        ("Alt+] / Alt+[", "choose among the marker's flows"),
        ("P  F2", "pin or unpin the flow / on the row of a pinned flow: give it a name"),
        ("Alt+← / Alt+→", "back / forward through the flows entered"),
        ("V", "show the flow's markers only; again: what was shown before"),
        ("U", "look up the name of the marker or function in the source of the browser (Firefox, Chromium)"),
        ("C  G", "all connections of the entered flow; its path over the chart"),
        (",  .", "follow incoming / outgoing flows one step farther (with Shift: all the way)"),
        ("Z  Shift+Z", "show times relative to the selected marker's start / to the beginning again"),
        ("K  Shift+K", "critical path to the end of the marker or range selected last / its table"),
        ("Shift+F", "zoom to the entered flow"),
        ("/ or Ctrl+F", "search; Enter / Shift+Enter go to the next / previous hit"),
        ("T  Shift+T  Ctrl+T", "tables: markers, flow tree, all flows"),
        ("I", "statistics of what is shown"),
        ("Shift+N", "network requests"),
        ("Y  Shift+Y  Ctrl+Y", "samples: call tree, bottom-up tree, flame graph"),
        ("in trees of samples", "arrows move and expand, * expands all, H follows the most costly path"),
        ("F  Shift+F  Shift+S  G", "there: focus on function, subtree, self, category"),
        ("M  Shift+M  C  Shift+C", "there: merge function, node; collapse function, library"),
        ("R  Shift+R  D", "there: collapse recursion, direct recursion; drop samples with the function"),
        ("in a table", "arrows move and expand, Enter enters, Space selects, P pins, / filters, Esc leaves"),
        ("L", "switch between by-name and stack rows"),
        ("J", "one row for each flow (by object), or the rows of threads again"),
        ("Shift+L", "hide rows that are empty in the view"),
        ("Ctrl+C  Ctrl+Shift+C", "copy the selected marker / a link: the command that opens this view"),
        ("Alt+1 … Alt+5", "put away, or show again: overview, labels, details, drawer, flow panel"),
        ("Ctrl + + / −  Ctrl+0", "larger / smaller interface; its usual size"),
        ("Ctrl+O", "open a file (or drop one on the window)"),
        ("Ctrl+Shift+O", "open a second file below, to compare both (or drop it with Shift)"),
        ("Ctrl+S", "save a picture of the window, as PNG or SVG"),
        ("Ctrl+W  Ctrl+Q", "close the recording (of two, the one clicked last) / end the program"),
        ("F5", "open the file again, after it has changed"),
        ("F11", "fill the screen, or leave it again"),
        ("Shift+F10, right click", "menu of what has the focus or is selected"),
        ("Alt+Shift+↑ / Alt+Shift+↓", "move the thread or process with the focus; in the label column, drag it"),
        ("Ctrl+Shift+L", "switch between dark and light"),
        ("F3", "show frame times"),
        ("Esc", "close what is open, then deselect"),
        ("?", "this help"),
    ]);
    all
}
