//! Key bindings. Keys work wherever no text is being typed.

use crate::profile::Direction;
use crate::ui::tables::TableKind;
use crate::view::MoveDirection;
use egui::{Context, Event, Key, Modifiers};

/// Which set of bindings is in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyMap {
    /// W/S zoom, A/D pan.
    #[default]
    Flowline,
    /// As in the Firefox Profiler: Q/E zoom, W/S scroll rows, A/D pan.
    Firefox,
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Come closer.
    ZoomIn,
    /// Step back.
    ZoomOut,
    /// Move in a direction while the key is down.
    Hold(MoveDirection, Key),
    /// A page of rows down or up.
    Page(Direction),
    /// Zoom to the selection.
    ZoomSelection,
    /// Show the whole recording.
    ZoomAll,
    /// Zoom to the selected range; in a search, the next hit.
    Confirm {
        /// With Shift.
        back: bool,
    },
    /// Back to the view before.
    Back,
    /// Next or previous marker on the row.
    Sibling(Direction),
    /// Marker of the row below (forward) or above.
    RowNeighbour(Direction),
    /// The longest slice in the selected one (forward), or the one that encloses it.
    Nested(Direction),
    /// Type a search.
    Search,
    /// Open a file.
    Open,
    /// Show or hide a table.
    Table(TableKind),
    /// Switch the arrangement.
    Layout,
    /// Switch light and dark.
    Theme,
    /// Show frame times.
    FrameTime,
    /// Show or hide the help.
    Help,
    /// Close what is open.
    Escape,
    /// Copy the selected marker.
    Copy,
    /// Next or previous marker of the flow.
    AlongFlow(Direction),
    /// Mean the next or previous of the selected marker's flows.
    ChooseFlow(Direction),
    /// Pin or unpin the flow.
    Pin,
    /// Back or forward through the flows entered.
    FlowHistory(Direction),
    /// Show all markers of the flow.
    ViewAll,
    /// Draw all connections, or only those of one marker.
    Connections,
    /// Draw the path of the flow over the chart.
    Path,
    /// Zoom to the entered flow.
    ZoomFlow,
    /// Follow causes (or effects) one step farther, or all the way.
    Chain {
        /// To causes or effects.
        direction: Direction,
        /// To the end.
        all: bool,
    },
}

/// The bindings as shown in the help: keys and what they do.
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
        ("Enter", "zoom to the selected range (Backspace goes back); else enter the marker's flows"),
        ("F", "zoom to the selection"),
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
        ("V", "show the flow's markers only"),
        ("C  G", "all connections of the entered flow; its path over the chart"),
        (",  .", "follow causes / effects one step farther (with Shift: all the way)"),
        ("Shift+F", "zoom to the entered flow"),
        ("/ or Ctrl+F", "search; Enter / Shift+Enter go to the next / previous hit"),
        ("T  Shift+T  Ctrl+T", "tables: markers, flow tree, all flows"),
        ("in a table", "arrows move and expand, Enter enters, Space selects, P pins, / filters, Esc leaves"),
        ("L", "switch between by-name and stack rows"),
        ("Ctrl+C", "copy the selected marker"),
        ("Ctrl+O", "open a file (or drop one on the window)"),
        ("Ctrl+Shift+L", "switch between dark and light"),
        ("F3", "show frame times"),
        ("Esc", "close what is open, then deselect"),
        ("?", "this help"),
    ]);
    all
}

/// Reads the keys of this frame. While text is typed only Escape, and Ctrl combinations of ours, get through.
#[must_use]
pub(crate) fn actions(context: &Context, map: KeyMap) -> Vec<Action> {
    let typing = context.text_edit_focused();
    context.input(|input| {
        let mut actions: Vec<Action> = Vec::new();
        // The text of a key that is pressed with Alt comes right after it, and is no key of its own.
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

/// Characters that stand on different keys from layout to layout.
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
            Key::O if !repeat => Some(Action::Open),
            Key::T if !repeat => Some(Action::Table(TableKind::AllFlows)),
            Key::L if modifiers.shift && !repeat => Some(Action::Theme),
            _ => None,
        };
    }
    if key == Key::Escape {
        return Some(Action::Escape);
    }
    if modifiers.alt && !typing {
        return match key {
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
        Key::Num0 => Some(Action::ZoomAll),
        Key::Enter => Some(Action::Confirm { back: modifiers.shift }),
        Key::Backspace => Some(Action::Back),
        Key::ArrowRight => Some(Action::Sibling(Direction::Forward)),
        Key::ArrowLeft => Some(Action::Sibling(Direction::Back)),
        Key::ArrowDown => Some(Action::RowNeighbour(Direction::Forward)),
        Key::ArrowUp => Some(Action::RowNeighbour(Direction::Back)),
        Key::T if modifiers.shift && !repeat => Some(Action::Table(TableKind::FlowTree)),
        Key::T if !repeat => Some(Action::Table(TableKind::Markers)),
        Key::L if !repeat => Some(Action::Layout),
        Key::F3 if !repeat => Some(Action::FrameTime),
        _ => None,
    }
}

/// Where a key leads while it is down.
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
