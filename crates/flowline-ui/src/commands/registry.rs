//! The table of all commands.

use egui::Key;

use super::availability::Requirement;
use super::command_row::{CommandRow, Section};
use super::key_binding::{alt, alt_shift, copy, ctrl, ctrl_shift, hold, key, shift, text};
use super::program_rows::{PANELS, PROGRAM};
use super::reach::{Reach, Target};
use super::row_builders::{flow, note, path_to, select, view, window};
use super::ui_command::{FlowAction, NoteAction, SelectionAction as Select, ViewAction, WindowAction};
use flowline_insights::report::MetricKind;
use flowline_profile::ColorBy;
use flowline_profile::Direction::{Back, Forward};
use flowline_profile::notes::HiddenPart;
use flowline_view::MoveDirection;

/// All commands.
pub(crate) const REGISTRY: &[Section] = &[
    Section { title: "Zoom and scroll", rows: NAVIGATION },
    Section { title: "Search", rows: SEARCH },
    Section { title: "Selection", rows: SELECTION },
    Section { title: "Measuring", rows: MEASURING },
    Section { title: "Flows and waits", rows: FLOWS },
    Section { title: "Rows and tracks", rows: ROWS },
    Section { title: "Notes and hiding", rows: NOTES },
    Section { title: "Tables and panels", rows: PANELS },
    Section { title: "Recordings and window", rows: PROGRAM },
];

const NAVIGATION: &[CommandRow] = &[
    view(
        ViewAction::Move(MoveDirection::ZoomIn),
        "zoom-in",
        "Zoom in",
        &[hold(Key::W), text("+"), text("=").unlisted()],
    )
    .firefox(&[hold(Key::Q), text("+"), text("=").unlisted()])
    .targets(Target::Pointed),
    view(ViewAction::Move(MoveDirection::ZoomOut), "zoom-out", "Zoom out", &[hold(Key::S), text("-")])
        .firefox(&[hold(Key::E), text("-")])
        .targets(Target::Pointed),
    view(ViewAction::Move(MoveDirection::Left), "pan-left", "Pan left", &[hold(Key::A)]).targets(Target::Pointed),
    view(ViewAction::Move(MoveDirection::Right), "pan-right", "Pan right", &[hold(Key::D)]).targets(Target::Pointed),
    view(ViewAction::Move(MoveDirection::Up), "scroll-up", "Scroll up", &[])
        .firefox(&[hold(Key::W)])
        .targets(Target::Pointed),
    view(ViewAction::Move(MoveDirection::Down), "scroll-down", "Scroll down", &[])
        .firefox(&[hold(Key::S)])
        .targets(Target::Pointed),
    view(ViewAction::Page(Back), "page-up", "Scroll up a page", &[key(Key::PageUp).repeating()])
        .targets(Target::Pointed)
        .reaches(Reach::ScrollsHelp),
    view(ViewAction::Page(Forward), "page-down", "Scroll down a page", &[key(Key::PageDown).repeating()])
        .targets(Target::Pointed)
        .reaches(Reach::ScrollsHelp),
    view(ViewAction::Edge(Back), "go-to-start", "Go to the start", &[key(Key::Home).repeating()])
        .reaches(Reach::ScrollsHelp),
    view(ViewAction::Edge(Forward), "go-to-end", "Go to the end", &[key(Key::End).repeating()])
        .reaches(Reach::ScrollsHelp),
    view(ViewAction::ZoomToSelection, "zoom-to-selection", "Zoom to the selection", &[key(Key::F).repeating()])
        .needs(Requirement::Selection),
    view(
        ViewAction::ZoomToAll,
        "zoom-to-all",
        "Show the whole recording",
        &[key(Key::Num0).repeating(), shift(Key::Num0).repeating().unlisted()],
    ),
    view(ViewAction::ZoomBack, "zoom-back", "Return to the previous view", &[key(Key::Backspace).repeating()]),
    view(
        ViewAction::Confirm { back: false },
        "confirm",
        "Commit the selected range, enter the marker's flows, or go to the next hit",
        &[key(Key::Enter).repeating()],
    ),
];

const SEARCH: &[CommandRow] = &[
    window(WindowAction::Search, "search", "Search markers", &[text("/"), ctrl(Key::F).repeating()]),
    view(ViewAction::ClearSearch, "clear-search", "Clear the search", &[]).needs(Requirement::Search),
    view(
        ViewAction::Confirm { back: true },
        "confirm-back",
        "Commit the selected range, or go to the previous hit",
        &[shift(Key::Enter).repeating()],
    ),
    window(WindowAction::Find, "find", "Find a thread, process, marker, flow or command by name", &[ctrl(Key::P)])
        .needs(Requirement::Nothing)
        .reaches(Reach::Palette),
    select(Select::SearchSource, "search-source", "Search source code for the selected name", &[key(Key::U)]),
];

const SELECTION: &[CommandRow] = &[
    select(
        Select::Sibling(Forward),
        "next-in-row",
        "Select the next marker in the row",
        &[key(Key::ArrowRight).repeating()],
    ),
    select(
        Select::Sibling(Back),
        "previous-in-row",
        "Select the previous marker in the row",
        &[key(Key::ArrowLeft).repeating()],
    ),
    select(
        Select::RowNeighbor(Forward),
        "row-below",
        "Select a marker in the row below",
        &[key(Key::ArrowDown).repeating()],
    )
    .reaches(Reach::ScrollsHelp),
    select(
        Select::RowNeighbor(Back),
        "row-above",
        "Select a marker in the row above",
        &[key(Key::ArrowUp).repeating()],
    )
    .reaches(Reach::ScrollsHelp),
    select(Select::Nested(Back), "parent", "Select the parent slice", &[alt(Key::ArrowUp)]),
    select(Select::Nested(Forward), "longest-child", "Select the longest child slice", &[alt(Key::ArrowDown)]),
    select(Select::History(Back), "select-back", "Go back to the previous selection", &[alt_shift(Key::ArrowLeft)]),
    select(
        Select::History(Forward),
        "select-forward",
        "Go forward to the next selection",
        &[alt_shift(Key::ArrowRight)],
    ),
    select(Select::LongTask(Forward), "next-long-task", "Select the next long task", &[alt(Key::Period)])
        .needs(Requirement::LongTasks),
    select(Select::LongTask(Back), "previous-long-task", "Select the previous long task", &[alt(Key::Comma)])
        .needs(Requirement::LongTasks),
    select(Select::BadFrame(Forward), "next-late-frame", "Select the next late or dropped frame", &[])
        .needs(Requirement::Frames),
    select(Select::BadFrame(Back), "previous-late-frame", "Select the previous late or dropped frame", &[])
        .needs(Requirement::Frames),
    select(Select::ToggleRow, "toggle-row", "Add the marker's row to the selection or remove it", &[key(Key::Space)]),
    select(
        Select::MarkerRange { extend: false },
        "select-time-range",
        "Select the time range of the selected marker",
        &[key(Key::R)],
    )
    .needs(Requirement::SelectedItem),
    select(
        Select::MarkerRange { extend: true },
        "extend-time-range",
        "Extend the selected range to the selected marker",
        &[shift(Key::R)],
    )
    .needs(Requirement::SelectedItem),
    select(Select::VisibleRange, "select-visible-range", "Select the visible range", &[]),
    select(Select::ClearRange, "clear-range", "Clear the selected range", &[]).needs(Requirement::SelectedRange),
    select(Select::ClearRows, "clear-rows", "Clear selected rows", &[]).needs(Requirement::SelectedRows),
    window(WindowAction::BoxMode, "box-mode", "Toggle box mode", &[key(Key::B)]),
    select(Select::Copy, "copy", "Copy the selected marker", &[copy()]),
    window(
        WindowAction::Escape,
        "escape",
        "Close the topmost window or menu, or clear the selection",
        &[key(Key::Escape).with_any_modifiers().repeating().while_typing()],
    )
    .needs(Requirement::Nothing)
    .reaches(Reach::Everywhere),
];

const MEASURING: &[CommandRow] = &[
    select(Select::Measure, "measure", "Measure from or to the pointer", &[key(Key::M)]).targets(Target::Pointed),
    select(Select::MeasureSelection, "measure-selection", "Measure the selection", &[shift(Key::M)])
        .needs(Requirement::Selection),
    select(Select::ClearMeasurement, "clear-measurement", "Clear the measurement", &[]).needs(Requirement::Measurement),
    select(Select::SetOrigin, "set-time-origin", "Set time origin to the selected marker's start", &[key(Key::Z)])
        .needs(Requirement::SelectedMarker),
    select(Select::ResetOrigin, "reset-time-origin", "Reset time origin", &[shift(Key::Z)])
        .needs(Requirement::TimeOrigin),
    select(Select::NavigationOrigin, "navigation-origin", "Toggle time origin at the main navigation", &[alt(Key::Z)])
        .needs(Requirement::Navigation),
];

const FLOWS: &[CommandRow] = &[
    flow(FlowAction::Along(Forward), "next-in-flow", "Select the next marker of the flow", &[text("]")]),
    flow(FlowAction::Along(Back), "previous-in-flow", "Select the previous marker of the flow", &[text("[")]),
    flow(FlowAction::Choose(Forward), "next-flow", "Choose the marker's next flow", &[alt(Key::CloseBracket)]),
    flow(FlowAction::Choose(Back), "previous-flow", "Choose the marker's previous flow", &[alt(Key::OpenBracket)]),
    flow(FlowAction::Pin, "pin-flow", "Pin or unpin the flow", &[key(Key::P)]),
    flow(FlowAction::RenamePin, "rename-pin", "Rename the pinned flow", &[key(Key::F2)]).needs(Requirement::PinnedFlow),
    flow(FlowAction::UnpinAll, "unpin-all", "Unpin all flows", &[]).needs(Requirement::PinnedFlow),
    flow(FlowAction::ViewAll, "view-all", "Show only the flow's markers, or all markers", &[key(Key::V)]),
    flow(FlowAction::Zoom, "zoom-to-flow", "Zoom to the entered flow", &[shift(Key::F)])
        .needs(Requirement::EnteredFlow),
    flow(FlowAction::Leave, "leave-flow", "Leave the entered flow", &[]).needs(Requirement::EnteredFlow),
    flow(FlowAction::History(Back), "flow-back", "Go back in flow history", &[alt(Key::ArrowLeft)]),
    flow(FlowAction::History(Forward), "flow-forward", "Go forward in flow history", &[alt(Key::ArrowRight)]),
    flow(
        FlowAction::Chain { direction: Forward, all: false },
        "follow-outgoing",
        "Follow outgoing flows one more step",
        &[text(".")],
    )
    .needs(Requirement::EnteredFlow),
    flow(
        FlowAction::Chain { direction: Forward, all: true },
        "follow-all-outgoing",
        "Follow outgoing flows to the end",
        &[text(">")],
    )
    .needs(Requirement::EnteredFlow),
    flow(
        FlowAction::Chain { direction: Back, all: false },
        "follow-incoming",
        "Follow incoming flows one more step back",
        &[text(",")],
    )
    .needs(Requirement::EnteredFlow),
    flow(
        FlowAction::Chain { direction: Back, all: true },
        "follow-all-incoming",
        "Follow incoming flows back to the first",
        &[text("<")],
    )
    .needs(Requirement::EnteredFlow),
    flow(FlowAction::ResetChain, "reset-chain", "Show only one step in each direction", &[])
        .needs(Requirement::EnteredFlow),
    flow(FlowAction::Connections, "connections", "Toggle all connections of the entered flow", &[key(Key::C)]),
    flow(FlowAction::Path, "flow-path", "Toggle the path of the entered flow", &[key(Key::G)]),
    select(
        Select::CriticalPath,
        "critical-path",
        "Toggle the critical path to the selected marker or range",
        &[key(Key::K)],
    ),
    select(Select::Insight(Forward), "next-insight", "Show the next insight on the chart", &[text("}")])
        .needs(Requirement::Insights),
    select(Select::Insight(Back), "previous-insight", "Show the previous insight on the chart", &[text("{")])
        .needs(Requirement::Insights),
    path_to(MetricKind::Lcp, "path-to-lcp", "Critical path to LCP"),
    path_to(MetricKind::Fcp, "path-to-fcp", "Critical path to FCP"),
    path_to(MetricKind::Inp, "path-to-inp", "Critical path to INP"),
    path_to(MetricKind::Load, "path-to-load", "Critical path to Load"),
];

const ROWS: &[CommandRow] = &[
    view(ViewAction::Layout, "layout", "Toggle rows by name and stack rows", &[key(Key::L)]),
    view(ViewAction::FlowLanes, "flow-lanes", "Toggle the layout by object", &[key(Key::J)]),
    view(ViewAction::EmptyRows, "empty-rows", "Toggle rows that are empty in the visible range", &[shift(Key::L)]),
    view(ViewAction::HideThread, "hide-thread", "Hide the marker's thread", &[key(Key::H)])
        .targets(Target::PointedMarker),
    view(ViewAction::OnlyThread, "only-thread", "Show only the marker's thread", &[key(Key::O)])
        .targets(Target::PointedMarker),
    view(ViewAction::ShowThreads, "show-threads", "Show all threads", &[shift(Key::H)]),
    view(ViewAction::MoveTrack(Back), "move-track-up", "Move the thread up", &[alt_shift(Key::ArrowUp)]),
    view(ViewAction::MoveTrack(Forward), "move-track-down", "Move the thread down", &[alt_shift(Key::ArrowDown)]),
    view(ViewAction::ResetOrder, "reset-track-order", "Reset track order", &[]),
    view(ViewAction::ExpandAll, "expand-all", "Expand all threads", &[]),
    view(ViewAction::CollapseAll, "collapse-all", "Collapse all threads", &[]),
    view(ViewAction::FollowView, "follow-view", "Toggle tables of the visible range", &[]),
    view(ViewAction::AllMarkers, "all-markers", "Toggle markers that the recording hides", &[]),
    view(ViewAction::IdleThreads, "idle-threads", "Toggle idle threads", &[]),
    view(ViewAction::Compact, "compact", "Toggle compact rows", &[]),
    view(ViewAction::ColorBy(ColorBy::Kind), "color-by-kind", "Color by kind of work", &[]),
    view(ViewAction::ColorBy(ColorBy::Category), "color-by-category", "Color by category", &[]),
    view(ViewAction::ColorBy(ColorBy::Name), "color-by-name", "Color by name", &[]),
    view(ViewAction::ColorBy(ColorBy::File), "color-by-file", "Color by file", &[]),
];

const NOTES: &[CommandRow] = &[
    note(NoteAction::Add, "add-note", "Add a note to the selection, or a bookmark at the pointer", &[key(Key::N)]),
    note(NoteAction::Link, "link-markers", "Link the selected marker to another one", &[alt(Key::N)]),
    note(NoteAction::Edit, "edit-note", "Edit the selected note", &[]).needs(Requirement::SelectedNote),
    note(NoteAction::Delete, "delete-note", "Delete the selected note", &[key(Key::Delete)])
        .needs(Requirement::SelectedNote),
    note(NoteAction::Show, "show-notes", "Toggle notes on the chart", &[]),
    window(WindowAction::SaveNotes, "save-notes", "Save notes as…", &[]).needs(Requirement::Notes),
    window(WindowAction::SaveTrace, "save-trace", "Save trace with notes…", &[]).needs(Requirement::NotesOfTrace),
    note(NoteAction::Hide(None), "hide", "Hide the selected entry", &[key(Key::X)]),
    note(
        NoteAction::Hide(Some(HiddenPart::Children)),
        "hide-children",
        "Hide children of the selected entry",
        &[shift(Key::X)],
    ),
    note(
        NoteAction::Hide(Some(HiddenPart::Repeating)),
        "hide-repeating",
        "Hide descendants with the name of the selected entry",
        &[alt(Key::X)],
    ),
    note(NoteAction::Hide(Some(HiddenPart::Name)), "hide-name", "Hide entries with this name in the thread", &[]),
    note(
        NoteAction::ShowHidden,
        "show-hidden",
        "Show hidden entries inside the selected entry, else all",
        &[alt_shift(Key::X)],
    ),
    note(NoteAction::ShowAllHidden, "show-all-hidden", "Show all hidden entries", &[]),
    note(NoteAction::Undo, "undo", "Undo", &[ctrl(Key::Z).repeating().not_while_typing()])
        .needs(Requirement::UndoableChange),
    note(NoteAction::Redo, "redo", "Redo", &[ctrl_shift(Key::Z).repeating().not_while_typing()])
        .needs(Requirement::UndoneChange),
];
