//! The table of all commands.

use egui::Key;

use super::availability::Requirement;
use super::command_row::{CommandRow, Section};
use super::key_binding::{KeyBinding, alt, alt_shift, copy, ctrl, ctrl_shift, hold, key, shift, shift_copy, text};
use super::ui_command::{FlowAction, NoteAction, SelectionAction as Select, UiCommand, ViewAction, WindowAction};
use crate::hidden_panels::PanelKind;
use crate::tables::TableKind;
use flowline_insights::report::MetricKind;
use flowline_profile::ColorBy;
use flowline_profile::Direction::{Back, Forward};
use flowline_profile::notes::HiddenPart;
use flowline_view::MoveDirection;

type Keys = &'static [KeyBinding];

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

const fn view(action: ViewAction, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::View(action), id, title, keys)
}

const fn select(action: Select, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::Selection(action), id, title, keys)
}

const fn path_to(kind: MetricKind, id: &'static str, title: &'static str) -> CommandRow {
    select(Select::PathTo(kind), id, title, &[]).needs(Requirement::LateMoment(kind))
}

const fn flow(action: FlowAction, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::Flow(action), id, title, keys)
}

const fn note(action: NoteAction, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::Note(action), id, title, keys)
}

const fn window(action: WindowAction, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::Window(action), id, title, keys)
}

const NAVIGATION: &[CommandRow] = &[
    view(
        ViewAction::Move(MoveDirection::ZoomIn),
        "zoom-in",
        "Zoom in",
        &[hold(Key::W), text("+"), text("=").unlisted()],
    )
    .firefox(&[hold(Key::Q), text("+"), text("=").unlisted()]),
    view(ViewAction::Move(MoveDirection::ZoomOut), "zoom-out", "Zoom out", &[hold(Key::S), text("-")])
        .firefox(&[hold(Key::E), text("-")]),
    view(ViewAction::Move(MoveDirection::Left), "pan-left", "Pan left", &[hold(Key::A)]),
    view(ViewAction::Move(MoveDirection::Right), "pan-right", "Pan right", &[hold(Key::D)]),
    view(ViewAction::Move(MoveDirection::Up), "scroll-up", "Scroll up", &[]).firefox(&[hold(Key::W)]),
    view(ViewAction::Move(MoveDirection::Down), "scroll-down", "Scroll down", &[]).firefox(&[hold(Key::S)]),
    view(ViewAction::Page(Back), "page-up", "Scroll up a page", &[key(Key::PageUp).repeating()]),
    view(ViewAction::Page(Forward), "page-down", "Scroll down a page", &[key(Key::PageDown).repeating()]),
    view(ViewAction::Edge(Back), "go-to-start", "Go to the start", &[key(Key::Home).repeating()]),
    view(ViewAction::Edge(Forward), "go-to-end", "Go to the end", &[key(Key::End).repeating()]),
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
        .needs(Requirement::Nothing),
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
    ),
    select(
        Select::RowNeighbor(Back),
        "row-above",
        "Select a marker in the row above",
        &[key(Key::ArrowUp).repeating()],
    ),
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
    .needs(Requirement::Nothing),
];

const MEASURING: &[CommandRow] = &[
    select(Select::Measure, "measure", "Measure from or to the pointer", &[key(Key::M)]),
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
    view(ViewAction::HideThread, "hide-thread", "Hide the marker's thread", &[key(Key::H)]),
    view(ViewAction::OnlyThread, "only-thread", "Show only the marker's thread", &[key(Key::O)]),
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

const PANELS: &[CommandRow] = &[
    window(WindowAction::Table(TableKind::Selection), "selection", "Toggle selection summary", &[shift(Key::I)]),
    window(WindowAction::Table(TableKind::Markers), "marker-table", "Toggle marker table", &[key(Key::T)]),
    window(WindowAction::Table(TableKind::FlowTree), "flow-tree", "Toggle flow tree", &[shift(Key::T)]),
    window(WindowAction::Table(TableKind::AllFlows), "flow-table", "Toggle table of all flows", &[ctrl(Key::T)]),
    window(WindowAction::Table(TableKind::Statistics), "statistics", "Toggle statistics", &[key(Key::I)]),
    window(WindowAction::Table(TableKind::Insights), "insights", "Toggle insights", &[shift(Key::G)])
        .needs(Requirement::Insights),
    window(WindowAction::Table(TableKind::Network), "network", "Toggle network requests", &[shift(Key::N)]),
    window(
        WindowAction::Table(TableKind::CriticalPath),
        "critical-path-table",
        "Toggle critical path table",
        &[shift(Key::K)],
    ),
    window(WindowAction::Table(TableKind::Query), "query", "Toggle SQL query", &[shift(Key::Q)]),
    window(
        WindowAction::Table(TableKind::Notes),
        "notes-table",
        "Toggle list of notes",
        &[ctrl(Key::N).not_while_typing()],
    ),
    window(WindowAction::Table(TableKind::CallTree), "call-tree", "Toggle call tree", &[key(Key::Y)]),
    window(WindowAction::Table(TableKind::BottomUp), "bottom-up", "Toggle bottom-up tree", &[shift(Key::Y)]),
    window(WindowAction::Table(TableKind::Functions), "functions", "Toggle function list", &[]),
    window(WindowAction::Table(TableKind::Flame), "flame-graph", "Toggle flame graph", &[ctrl(Key::Y)]),
    window(WindowAction::Table(TableKind::EventLog), "event-log", "Toggle event log", &[]),
    window(WindowAction::Panel(PanelKind::Overview), "overview", "Toggle overview", &[alt(Key::Num1)]),
    window(WindowAction::Panel(PanelKind::Milestones), "milestones", "Toggle milestones and notes", &[]),
    window(WindowAction::Panel(PanelKind::Labels), "labels", "Toggle label column", &[alt(Key::Num2)]),
    window(
        WindowAction::Panel(PanelKind::Details),
        "details",
        "Toggle details of the selected marker",
        &[alt(Key::Num3)],
    ),
    window(WindowAction::Panel(PanelKind::Drawer), "drawer", "Toggle table drawer", &[alt(Key::Num4)]),
    window(WindowAction::Panel(PanelKind::Flows), "flow-panel", "Toggle rows of the flow panel", &[alt(Key::Num5)]),
];

const PROGRAM: &[CommandRow] = &[
    window(WindowAction::Open, "open", "Open a recording…", &[ctrl(Key::O)]).needs(Requirement::Nothing),
    window(WindowAction::OpenExample, "open-example", "Open the example", &[]).needs(Requirement::Nothing),
    window(WindowAction::Compare, "compare", "Compare with a recording…", &[ctrl_shift(Key::O)])
        .needs(Requirement::Nothing),
    window(WindowAction::CompareStatistics, "compare-statistics", "Compare statistics of both recordings", &[])
        .needs(Requirement::SecondRecording),
    window(WindowAction::GroupStatistics, "group-statistics", "Group statistics by a field…", &[]),
    window(WindowAction::CompareScopes, "compare-scopes", "Compare statistics of two ranges or threads", &[]),
    window(WindowAction::Reload, "reload", "Reload the file", &[key(Key::F5).while_typing()])
        .needs(Requirement::Nothing),
    window(WindowAction::Close, "close", "Close the recording", &[ctrl(Key::W)]).needs(Requirement::Nothing),
    window(WindowAction::CloseSecond, "close-second", "Close the second recording", &[])
        .needs(Requirement::SecondRecording),
    window(WindowAction::SaveImage, "save-image", "Save image…", &[ctrl(Key::S)]),
    window(WindowAction::SaveRange, "save-range", "Save range as recording…", &[]).needs(Requirement::Cuttable),
    window(WindowAction::CopyLink, "copy-link", "Copy link", &[ctrl_shift(Key::C), shift_copy().unlisted()]),
    window(WindowAction::CopyNotesLink, "copy-notes-link", "Copy link with notes", &[]).needs(Requirement::Notes),
    window(WindowAction::CopyCommand, "copy-command", "Copy as command", &[]),
    window(WindowAction::Warnings, "warnings", "Toggle import warnings", &[]),
    window(WindowAction::Theme, "theme", "Toggle light and dark theme", &[ctrl_shift(Key::L)])
        .needs(Requirement::Nothing),
    window(
        WindowAction::Scale(Some(Forward)),
        "scale-up",
        "Make the interface larger",
        &[
            ctrl(Key::Plus).repeating(),
            ctrl_shift(Key::Plus).repeating().unlisted(),
            ctrl(Key::Equals).repeating().unlisted(),
            ctrl_shift(Key::Equals).repeating().unlisted(),
        ],
    )
    .needs(Requirement::Nothing),
    window(
        WindowAction::Scale(Some(Back)),
        "scale-down",
        "Make the interface smaller",
        &[ctrl(Key::Minus).repeating(), ctrl_shift(Key::Minus).repeating().unlisted()],
    )
    .needs(Requirement::Nothing),
    window(WindowAction::Scale(None), "scale-reset", "Reset interface size", &[ctrl(Key::Num0).repeating()])
        .needs(Requirement::Nothing),
    window(
        WindowAction::FullScreen,
        "full-screen",
        "Toggle full screen",
        &[key(Key::F11).while_typing(), shift(Key::F11).while_typing().unlisted()],
    )
    .needs(Requirement::Nothing),
    window(WindowAction::Help, "help", "Show keys and search syntax", &[text("?")]).needs(Requirement::Nothing),
    window(WindowAction::Settings, "settings", "Settings…", &[ctrl(Key::Comma)]).needs(Requirement::Nothing),
    window(WindowAction::Presets, "presets", "Presets…", &[]),
    window(WindowAction::About, "about", "About Flowline", &[]).needs(Requirement::Nothing),
    window(WindowAction::FrameTime, "frame-times", "Toggle frame times", &[key(Key::F3)]).needs(Requirement::Nothing),
    window(WindowAction::Quit, "quit", "Quit", &[ctrl(Key::Q)]).needs(Requirement::Nothing),
];
