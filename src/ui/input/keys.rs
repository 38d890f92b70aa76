//! Key bindings. They apply unless a text box has the focus.

use crate::profile::Direction;
use crate::ui::tables::TableKind;
use crate::view::MoveDirection;
use egui::{Context, Event, Key, Modifiers};

/// A set of key bindings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyMap {
    /// W/S zoom, A/D pan.
    #[default]
    Flowline,
    /// As in the Firefox Profiler: Q/E zoom, W/S scroll rows, A/D pan.
    Firefox,
}

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Zoom in.
    ZoomIn,
    /// Zoom out.
    ZoomOut,
    /// Move in a direction while a key is held down.
    Hold(MoveDirection, Key),
    /// Scroll a page of rows down or up.
    Page(Direction),
    /// Zoom to the selection.
    ZoomSelection,
    /// Show the whole recording.
    ZoomAll,
    /// Zoom to the selected range, enter the selected marker's flows, or go to the next hit.
    Confirm {
        /// Whether Shift is held: the previous hit.
        back: bool,
    },
    /// Return to the previous view.
    Back,
    /// Select the next or previous marker on the row.
    Sibling(Direction),
    /// Select a marker on the row below (forward) or above.
    RowNeighbour(Direction),
    /// Select the longest child slice (forward), or the enclosing slice.
    Nested(Direction),
    /// Focus the search box.
    Search,
    /// Open a file.
    Open,
    /// Open a file to compare with.
    Compare,
    /// Show or hide a table.
    Table(TableKind),
    /// Switch the arrangement.
    Layout,
    /// Show tapes, or the rows of threads again.
    Tapes,
    /// Hide rows that are empty in the view, or show them again.
    EmptyRows,
    /// Switch light and dark.
    Theme,
    /// Show frame times.
    FrameTime,
    /// Show or hide the help.
    Help,
    /// Close the topmost window, or clear range, search or selection.
    Escape,
    /// Copy the selected marker.
    Copy,
    /// Select the next or previous marker of the flow.
    AlongFlow(Direction),
    /// Choose the next or previous of the selected marker's flows.
    ChooseFlow(Direction),
    /// Pin or unpin the flow.
    Pin,
    /// Go back or forward in the history of entered flows.
    FlowHistory(Direction),
    /// Show all markers of the flow.
    ViewAll,
    /// Toggle between all connections and those of one marker.
    Connections,
    /// Show or hide the flow's path over the chart.
    Path,
    /// Zoom to the entered flow.
    ZoomFlow,
    /// Hide the thread of the marker.
    HideThread,
    /// Hide all other threads.
    OnlyThread,
    /// Show hidden threads again.
    ShowThreads,
    /// Let plain drags on the chart select boxes, or pan again.
    BoxMode,
    /// Choose the row of the selected marker, too, or leave it out.
    ToggleRow,
    /// Select the time of the selected marker.
    MarkerRange {
        /// Whether the selected range is widened to it.
        widen: bool,
    },
    /// Look up the name of the marker or call at hand in the browser's source.
    LookUp,
    /// Add a note on what is selected, or at the pointer.
    Note,
    /// Begin a link at what is selected, or end it there.
    LinkNote,
    /// Delete the selected note.
    DeleteNote,
    /// Undo the last change.
    Undo,
    /// Do again what was undone.
    Redo,
    /// Put the next edge of the measuring tool at the pointer.
    Measure,
    /// Measure what is selected.
    MeasureSelection,
    /// Show the critical path to the selected marker, or hide it.
    CriticalPath,
    /// Show times relative to the selected marker.
    ZeroHere,
    /// Show times relative to the beginning again.
    ZeroReset,
    /// Follow incoming or outgoing flows one step farther, or all the way.
    Chain {
        /// Back for incoming flows, forward for outgoing ones.
        direction: Direction,
        /// Whether to go all the way.
        all: bool,
    },
}

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
        ("Shift+drag, drag on the ruler", "select a range of time"),
        ("Alt+drag", "select a box: rows and a range of time (with Shift: add it; with Ctrl: not to markers' edges)"),
        ("B", "box mode: a plain drag selects a box"),
        ("Space", "choose the row of the selected marker, too, or leave it out; in the label column a row or a thread"),
        ("R  Shift+R", "select the time of the selected marker / widen the range to it"),
        ("Ctrl+click, Shift+click on a thread", "pick it, too, or put it back / pick all from the last one to it"),
        ("M  Shift+M", "measure: put edge A, then B, at the pointer, then clear them / measure what is selected"),
        ("N  Alt+N", "note on the selected marker or range, else a bookmark at the pointer / link two markers"),
        ("Ctrl+N  Delete", "all notes / delete the selected one"),
        ("Ctrl+Z  Ctrl+Shift+Z", "undo a change of notes, folding or hiding / do it again"),
        ("Enter", "narrow everything to the selected range (Backspace goes back); else enter the marker's flows"),
        ("F", "zoom to the selection"),
        ("H  O  Shift+H", "hide the marker's thread / show only it / show all threads"),
        ("0", "show the whole recording"),
        ("click", "select a marker, keep its tooltip"),
        ("double click", "zoom to a marker"),
        ("→ / ←", "next / previous marker on the row"),
        ("↓ / ↑", "marker on the row below / above"),
        ("Alt+↑ / Alt+↓", "the slice around the selected one / the longest slice in it"),
        ("] / [", "next / previous marker of the flow"),
        ("Alt+] / Alt+[", "choose among the marker's flows"),
        ("P", "pin or unpin the flow"),
        ("Alt+← / Alt+→", "back / forward through the flows entered"),
        ("V", "show the flow's markers only; again: what was shown before"),
        ("U", "look up the name of the marker or function in the source of the browser (Firefox, Chromium)"),
        ("C  G", "all connections of the entered flow; its path over the chart"),
        (",  .", "follow incoming / outgoing flows one step farther (with Shift: all the way)"),
        ("Z  Shift+Z", "show times relative to the selected marker's start / to the beginning again"),
        ("K  Shift+K", "critical path to the end of the selected marker / its table"),
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
        ("Ctrl+C", "copy the selected marker"),
        ("Ctrl+O", "open a file (or drop one on the window)"),
        ("Ctrl+Shift+O", "open a second file below, to compare both (or drop it with Shift)"),
        ("Ctrl+Shift+L", "switch between dark and light"),
        ("F3", "show frame times"),
        ("Esc", "close what is open, then deselect"),
        ("?", "this help"),
    ]);
    all
}

/// The actions of this frame's keys. While a text box has the focus, only Escape and some Ctrl combinations act.
#[must_use]
pub(crate) fn actions(context: &Context, map: KeyMap) -> Vec<Action> {
    let typing = context.text_edit_focused();
    context.input(|input| {
        let mut actions: Vec<Action> = Vec::new();
        // The text event after a key pressed with Alt belongs to that key; it is no action of its own.
        let mut alt = false;
        for event in &input.events {
            match event {
                Event::Key { key, pressed: true, modifiers, repeat, .. } => {
                    alt = modifiers.alt;
                    actions.extend(action(*key, *modifiers, map, typing, *repeat));
                }
                Event::Text(text) if !typing && !alt => actions.extend(text_action(text)),
                Event::Copy if !typing => actions.push(Action::Copy),
                _ => {}
            }
        }
        actions
    })
}

/// The action of a character whose key depends on the keyboard layout.
fn text_action(text: &str) -> Option<Action> {
    match text {
        "?" => Some(Action::Help),
        "/" => Some(Action::Search),
        "+" | "=" => Some(Action::ZoomIn),
        "-" => Some(Action::ZoomOut),
        "]" => Some(Action::AlongFlow(Direction::Forward)),
        "[" => Some(Action::AlongFlow(Direction::Back)),
        "." => Some(Action::Chain { direction: Direction::Forward, all: false }),
        "," => Some(Action::Chain { direction: Direction::Back, all: false }),
        ">" => Some(Action::Chain { direction: Direction::Forward, all: true }),
        "<" => Some(Action::Chain { direction: Direction::Back, all: true }),
        _ => None,
    }
}

fn action(key: Key, modifiers: Modifiers, map: KeyMap, typing: bool, repeat: bool) -> Option<Action> {
    if modifiers.command {
        return match key {
            Key::F => Some(Action::Search),
            Key::O if modifiers.shift && !repeat => Some(Action::Compare),
            Key::O if !repeat => Some(Action::Open),
            Key::T if !repeat => Some(Action::Table(TableKind::AllFlows)),
            Key::Y if !repeat => Some(Action::Table(TableKind::Flame)),
            Key::N if !repeat && !typing => Some(Action::Table(TableKind::Notes)),
            Key::Z if modifiers.shift && !typing => Some(Action::Redo),
            Key::Z if !typing => Some(Action::Undo),
            Key::L if modifiers.shift && !repeat => Some(Action::Theme),
            _ => None,
        };
    }
    if key == Key::Escape {
        return Some(Action::Escape);
    }
    if modifiers.alt && !typing {
        return match key {
            Key::N if !repeat => Some(Action::LinkNote),
            Key::CloseBracket => Some(Action::ChooseFlow(Direction::Forward)),
            Key::OpenBracket => Some(Action::ChooseFlow(Direction::Back)),
            Key::ArrowLeft => Some(Action::FlowHistory(Direction::Back)),
            Key::ArrowRight => Some(Action::FlowHistory(Direction::Forward)),
            Key::ArrowUp => Some(Action::Nested(Direction::Back)),
            Key::ArrowDown => Some(Action::Nested(Direction::Forward)),
            _ => None,
        };
    }
    if typing || modifiers.alt {
        return None;
    }
    match key {
        Key::W | Key::A | Key::S | Key::D | Key::Q | Key::E if !repeat => {
            direction(key, map).map(|direction| Action::Hold(direction, key))
        }
        Key::PageDown => Some(Action::Page(Direction::Forward)),
        Key::PageUp => Some(Action::Page(Direction::Back)),
        Key::F if modifiers.shift => Some(Action::ZoomFlow),
        Key::F => Some(Action::ZoomSelection),
        Key::P if !repeat => Some(Action::Pin),
        Key::V if !repeat => Some(Action::ViewAll),
        Key::C if !repeat => Some(Action::Connections),
        Key::G if !repeat => Some(Action::Path),
        Key::H if modifiers.shift && !repeat => Some(Action::ShowThreads),
        Key::H if !repeat => Some(Action::HideThread),
        Key::O if !repeat => Some(Action::OnlyThread),
        Key::U if !repeat => Some(Action::LookUp),
        Key::B if !repeat => Some(Action::BoxMode),
        Key::Z if modifiers.shift && !repeat => Some(Action::ZeroReset),
        Key::Z if !repeat => Some(Action::ZeroHere),
        Key::K if modifiers.shift && !repeat => Some(Action::Table(TableKind::CriticalPath)),
        Key::K if !repeat => Some(Action::CriticalPath),
        Key::Space if !repeat => Some(Action::ToggleRow),
        Key::R if !repeat => Some(Action::MarkerRange { widen: modifiers.shift }),
        Key::M if modifiers.shift && !repeat => Some(Action::MeasureSelection),
        Key::M if !repeat => Some(Action::Measure),
        Key::Num0 => Some(Action::ZoomAll),
        Key::Enter => Some(Action::Confirm { back: modifiers.shift }),
        Key::Backspace => Some(Action::Back),
        Key::ArrowRight => Some(Action::Sibling(Direction::Forward)),
        Key::ArrowLeft => Some(Action::Sibling(Direction::Back)),
        Key::ArrowDown => Some(Action::RowNeighbour(Direction::Forward)),
        Key::ArrowUp => Some(Action::RowNeighbour(Direction::Back)),
        Key::T if modifiers.shift && !repeat => Some(Action::Table(TableKind::FlowTree)),
        Key::T if !repeat => Some(Action::Table(TableKind::Markers)),
        Key::I if !repeat => Some(Action::Table(TableKind::Statistics)),
        Key::N if modifiers.shift && !repeat => Some(Action::Table(TableKind::Network)),
        Key::N if !repeat => Some(Action::Note),
        Key::Delete if !repeat => Some(Action::DeleteNote),
        Key::Y if modifiers.shift && !repeat => Some(Action::Table(TableKind::BottomUp)),
        Key::Y if !repeat => Some(Action::Table(TableKind::CallTree)),
        Key::L if modifiers.shift && !repeat => Some(Action::EmptyRows),
        Key::L if !repeat => Some(Action::Layout),
        Key::J if !repeat => Some(Action::Tapes),
        Key::F3 if !repeat => Some(Action::FrameTime),
        _ => None,
    }
}

/// The direction of a motion key.
const fn direction(key: Key, map: KeyMap) -> Option<MoveDirection> {
    Some(match (map, key) {
        (KeyMap::Flowline, Key::W) | (KeyMap::Firefox, Key::Q) => MoveDirection::ZoomIn,
        (KeyMap::Flowline, Key::S) | (KeyMap::Firefox, Key::E) => MoveDirection::ZoomOut,
        (KeyMap::Firefox, Key::W) => MoveDirection::Up,
        (KeyMap::Firefox, Key::S) => MoveDirection::Down,
        (_, Key::A) => MoveDirection::Left,
        (_, Key::D) => MoveDirection::Right,
        _ => return None,
    })
}
