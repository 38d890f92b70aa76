//! Key bindings. They apply unless a text box has the focus.

use crate::hidden_panels::PanelKind;
use crate::tables::TableKind;
use egui::{Context, Event, Key, Modifiers};
use flowline_profile::Direction;
use flowline_profile::notes::HiddenPart;
use flowline_view::MoveDirection;

/// A set of key bindings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyMap {
    /// W/S zoom, A/D pan.
    #[default]
    Flowline,
    /// Bindings of the Firefox Profiler: Q/E zoom, W/S scroll rows, A/D pan.
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
        /// True if Shift is down: the previous hit.
        back: bool,
    },
    /// Return to the previous view.
    Back,
    /// Select the next or previous marker in the row.
    Sibling(Direction),
    /// Select a marker in the row below (forward) or above (back).
    RowNeighbour(Direction),
    /// Select the longest child slice (forward), or the enclosing slice (back).
    Nested(Direction),
    /// Focus the search box.
    Search,
    /// Open a file.
    Open,
    /// Open a file to compare with.
    Compare,
    /// Toggle a table.
    Table(TableKind),
    /// Switch between rows by name and stack rows.
    Layout,
    /// Toggle rows that are empty in the visible range.
    EmptyRows,
    /// Toggle the light and dark theme.
    Theme,
    /// Toggle the frame time display.
    FrameTime,
    /// Toggle the help.
    Help,
    /// Close the topmost window, or clear range, search or selection.
    Escape,
    /// Copy the selected marker.
    Copy,
    /// Toggle the layout by flow.
    FlowLanes,
    /// Go to the start or the end of the viewable range.
    Edge(Direction),
    /// Open or close the finder.
    Find,
    /// Close the active recording.
    Close,
    /// Quit the program.
    Quit,
    /// Reload the recording's file.
    Reload,
    /// Toggle full screen.
    FullScreen,
    /// Copy the command that renders the window's contents.
    CopyCommand,
    /// Show the save dialog for an image of the window.
    SavePicture,
    /// Copy the command that opens the recording with the current view.
    CopyLink,
    /// Toggle a panel.
    Panel(PanelKind),
    /// Make the interface larger (forward) or smaller (back), or reset its size (`None`).
    Scale(Option<Direction>),
    /// Move the focused track up or down.
    MoveTrack(Direction),
    /// Select the next or previous marker of the flow.
    AlongFlow(Direction),
    /// Activate the next or previous of the selected marker's flows.
    ChooseFlow(Direction),
    /// Pin or unpin the flow.
    Pin,
    /// Rename the pinned flow.
    NamePin,
    /// Go back or forward in the history of entered flows.
    FlowHistory(Direction),
    /// Show all markers of the flow.
    ViewAll,
    /// Toggle between all connections and those of one marker.
    Connections,
    /// Toggle the flow's path across the chart.
    Path,
    /// Zoom to the entered flow.
    ZoomFlow,
    /// Hide the thread of the marker.
    HideThread,
    /// Hide the selected entry (`None`), or another part of its tree.
    HideEntry(Option<HiddenPart>),
    /// Show everything hidden inside the selected entry; without a selection, all hidden entries.
    ShowHidden,
    /// Hide all other threads.
    OnlyThread,
    /// Show all hidden threads.
    ShowThreads,
    /// Toggle box mode: dragging on the chart selects a box instead of panning.
    BoxMode,
    /// Toggle the selected marker's row in the row selection.
    ToggleRow,
    /// Select the time range of the selected marker.
    MarkerRange {
        /// True if the selected range is extended to the marker instead of replaced.
        widen: bool,
    },
    /// Search for the name of the hovered or selected marker or call in the browser's source.
    LookUp,
    /// Set the next edge of the measuring tool at the pointer.
    Measure,
    /// Measure the selection.
    MeasureSelection,
    /// Toggle the critical path to the selected marker.
    CriticalPath,
    /// Set the time origin to the selected marker's start.
    ZeroHere,
    /// Reset the time origin.
    ZeroReset,
    /// Add a note to the selection, or a bookmark at the pointer.
    Note,
    /// Start a link at the selected entry, or end it there.
    LinkNote,
    /// Delete the selected note.
    DeleteNote,
    /// Undo the last change.
    Undo,
    /// Redo the last undone change.
    Redo,
    /// Follow incoming or outgoing flows one more step, or all the way.
    Chain {
        /// Back for incoming flows, forward for outgoing ones.
        direction: Direction,
        /// True to go all the way.
        all: bool,
    },
}

/// The actions of this frame's keys. While a text box has the focus, only Escape and some Ctrl combinations act.
#[must_use]
pub(crate) fn actions(context: &Context, map: KeyMap) -> Vec<Action> {
    let typing = context.text_edit_focused();
    context.input(|input| {
        let mut actions: Vec<Action> = Vec::new();
        // The text event after a key pressed with Alt or Ctrl belongs to that key; it must not trigger another action.
        let mut held = false;
        for event in &input.events {
            match event {
                Event::Key { key, pressed: true, modifiers, repeat, .. } => {
                    held = modifiers.alt || modifiers.command || modifiers.ctrl;
                    actions.extend(action(*key, *modifiers, map, typing, *repeat));
                }
                Event::Text(text) if !typing && !held => actions.extend(text_action(text)),
                Event::Copy if !typing && !input.modifiers.shift && !input.modifiers.alt => actions.push(Action::Copy),
                Event::Copy if !typing && input.modifiers.shift && !input.modifiers.alt => {
                    actions.push(Action::CopyLink);
                }
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
    if key == Key::Escape {
        return Some(Action::Escape);
    }
    let Modifiers { alt, ctrl, shift, mac_cmd, command } = modifiers;
    match (command || ctrl || mac_cmd, alt, shift) {
        (true, false, shift) => with_command(key, shift, repeat, typing),
        (false, false, _) if key == Key::F11 && !repeat => Some(Action::FullScreen),
        (false, false, false) if key == Key::F5 && !repeat => Some(Action::Reload),
        _ if typing => None,
        (false, true, shift) => with_alt(key, shift),
        (false, false, true) => with_shift(key, repeat),
        (false, false, false) => plain(key, map, repeat),
        (true, true, _) => None,
    }
}

fn with_command(key: Key, shift: bool, repeat: bool, typing: bool) -> Option<Action> {
    if key == Key::F && !shift {
        return Some(Action::Search);
    }
    match key {
        Key::Z if typing => None,
        Key::Z if shift => Some(Action::Redo),
        Key::Z => Some(Action::Undo),
        // If `+` needs Shift and Shift is released first, the next press counts as a repeat.
        Key::Plus | Key::Equals => Some(Action::Scale(Some(Direction::Forward))),
        Key::Minus => Some(Action::Scale(Some(Direction::Back))),
        Key::Num0 if !shift => Some(Action::Scale(None)),
        _ if repeat => None,
        Key::C if shift => Some(Action::CopyLink),
        Key::O if shift => Some(Action::Compare),
        Key::L if shift => Some(Action::Theme),
        _ if shift => None,
        Key::O => Some(Action::Open),
        Key::N if !typing => Some(Action::Table(TableKind::Notes)),
        Key::P => Some(Action::Find),
        Key::S => Some(Action::SavePicture),
        Key::W => Some(Action::Close),
        Key::Q => Some(Action::Quit),
        Key::T => Some(Action::Table(TableKind::AllFlows)),
        Key::Y => Some(Action::Table(TableKind::Flame)),
        _ => None,
    }
}

const fn with_alt(key: Key, shift: bool) -> Option<Action> {
    match (key, shift) {
        (Key::ArrowUp, true) => Some(Action::MoveTrack(Direction::Back)),
        (Key::ArrowDown, true) => Some(Action::MoveTrack(Direction::Forward)),
        (Key::X, true) => Some(Action::ShowHidden),
        (_, true) => None,
        (Key::N, _) => Some(Action::LinkNote),
        (Key::Num1, _) => Some(Action::Panel(PanelKind::Overview)),
        (Key::Num2, _) => Some(Action::Panel(PanelKind::Labels)),
        (Key::Num3, _) => Some(Action::Panel(PanelKind::Details)),
        (Key::Num4, _) => Some(Action::Panel(PanelKind::Drawer)),
        (Key::Num5, _) => Some(Action::Panel(PanelKind::Flows)),
        (Key::X, _) => Some(Action::HideEntry(Some(HiddenPart::Repeating))),
        (Key::CloseBracket, _) => Some(Action::ChooseFlow(Direction::Forward)),
        (Key::OpenBracket, _) => Some(Action::ChooseFlow(Direction::Back)),
        (Key::ArrowLeft, _) => Some(Action::FlowHistory(Direction::Back)),
        (Key::ArrowRight, _) => Some(Action::FlowHistory(Direction::Forward)),
        (Key::ArrowUp, _) => Some(Action::Nested(Direction::Back)),
        (Key::ArrowDown, _) => Some(Action::Nested(Direction::Forward)),
        _ => None,
    }
}

/// Actions of keys with Shift. `0` acts the same as without Shift, because some keyboards need Shift for digits.
const fn with_shift(key: Key, repeat: bool) -> Option<Action> {
    match key {
        Key::Enter => Some(Action::Confirm { back: true }),
        Key::Num0 => Some(Action::ZoomAll),
        _ if repeat => None,
        Key::F => Some(Action::ZoomFlow),
        Key::H => Some(Action::ShowThreads),
        Key::K => Some(Action::Table(TableKind::CriticalPath)),
        Key::L => Some(Action::EmptyRows),
        Key::M => Some(Action::MeasureSelection),
        Key::N => Some(Action::Table(TableKind::Network)),
        Key::R => Some(Action::MarkerRange { widen: true }),
        Key::T => Some(Action::Table(TableKind::FlowTree)),
        Key::X => Some(Action::HideEntry(Some(HiddenPart::Children))),
        Key::Y => Some(Action::Table(TableKind::BottomUp)),
        Key::Z => Some(Action::ZeroReset),
        _ => None,
    }
}

fn plain(key: Key, map: KeyMap, repeat: bool) -> Option<Action> {
    match key {
        Key::PageDown => Some(Action::Page(Direction::Forward)),
        Key::PageUp => Some(Action::Page(Direction::Back)),
        Key::Home => Some(Action::Edge(Direction::Back)),
        Key::End => Some(Action::Edge(Direction::Forward)),
        Key::F => Some(Action::ZoomSelection),
        Key::Num0 => Some(Action::ZoomAll),
        Key::Enter => Some(Action::Confirm { back: false }),
        Key::Backspace => Some(Action::Back),
        Key::ArrowRight => Some(Action::Sibling(Direction::Forward)),
        Key::ArrowLeft => Some(Action::Sibling(Direction::Back)),
        Key::ArrowDown => Some(Action::RowNeighbour(Direction::Forward)),
        Key::ArrowUp => Some(Action::RowNeighbour(Direction::Back)),
        _ if repeat => None,
        Key::W | Key::A | Key::S | Key::D | Key::Q | Key::E => {
            direction(key, map).map(|direction| Action::Hold(direction, key))
        }
        Key::P => Some(Action::Pin),
        Key::F2 => Some(Action::NamePin),
        Key::V => Some(Action::ViewAll),
        Key::C => Some(Action::Connections),
        Key::G => Some(Action::Path),
        Key::H => Some(Action::HideThread),
        Key::O => Some(Action::OnlyThread),
        Key::X => Some(Action::HideEntry(None)),
        Key::U => Some(Action::LookUp),
        Key::B => Some(Action::BoxMode),
        Key::Z => Some(Action::ZeroHere),
        Key::K => Some(Action::CriticalPath),
        Key::Space => Some(Action::ToggleRow),
        Key::R => Some(Action::MarkerRange { widen: false }),
        Key::M => Some(Action::Measure),
        Key::T => Some(Action::Table(TableKind::Markers)),
        Key::I => Some(Action::Table(TableKind::Statistics)),
        Key::Y => Some(Action::Table(TableKind::CallTree)),
        Key::L => Some(Action::Layout),
        Key::J => Some(Action::FlowLanes),
        Key::N => Some(Action::Note),
        Key::Delete => Some(Action::DeleteNote),
        Key::F3 => Some(Action::FrameTime),
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
