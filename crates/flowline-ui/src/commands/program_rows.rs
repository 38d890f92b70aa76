//! The commands for tables, panels, recordings and the window.

use egui::Key;

use super::availability::Requirement;
use super::command_row::CommandRow;
use super::key_binding::{alt, ctrl, ctrl_shift, key, shift, shift_copy, text};
use super::reach::Reach;
use super::row_builders::window;
use super::ui_command::WindowAction;
use crate::hidden_panels::PanelKind;
use crate::tables::TableKind;
use flowline_profile::Direction::{Back, Forward};

pub(super) const PANELS: &[CommandRow] = &[
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

pub(super) const PROGRAM: &[CommandRow] = &[
    window(WindowAction::Open, "open", "Open a recording…", &[ctrl(Key::O)])
        .needs(Requirement::Nothing)
        .reaches(Reach::FileDialog),
    window(WindowAction::OpenExample, "open-example", "Open the example", &[]).needs(Requirement::Nothing),
    window(WindowAction::Compare, "compare", "Compare with a recording…", &[ctrl_shift(Key::O)])
        .needs(Requirement::Nothing)
        .reaches(Reach::FileDialog),
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
        .needs(Requirement::Nothing)
        .reaches(Reach::Window),
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
    .needs(Requirement::Nothing)
    .reaches(Reach::Window),
    window(
        WindowAction::Scale(Some(Back)),
        "scale-down",
        "Make the interface smaller",
        &[ctrl(Key::Minus).repeating(), ctrl_shift(Key::Minus).repeating().unlisted()],
    )
    .needs(Requirement::Nothing)
    .reaches(Reach::Window),
    window(WindowAction::Scale(None), "scale-reset", "Reset interface size", &[ctrl(Key::Num0).repeating()])
        .needs(Requirement::Nothing)
        .reaches(Reach::Window),
    window(
        WindowAction::FullScreen,
        "full-screen",
        "Toggle full screen",
        &[key(Key::F11).while_typing(), shift(Key::F11).while_typing().unlisted()],
    )
    .needs(Requirement::Nothing)
    .reaches(Reach::Window),
    window(WindowAction::Help, "help", "Show keys and search syntax", &[text("?")]).needs(Requirement::Nothing),
    window(WindowAction::Settings, "settings", "Settings…", &[ctrl(Key::Comma)]).needs(Requirement::Nothing),
    window(WindowAction::Presets, "presets", "Presets…", &[]),
    window(WindowAction::About, "about", "About Flowline", &[]).needs(Requirement::Nothing),
    window(WindowAction::FrameTime, "frame-times", "Toggle frame times", &[key(Key::F3)])
        .needs(Requirement::Nothing)
        .reaches(Reach::Window),
    window(WindowAction::Quit, "quit", "Quit", &[ctrl(Key::Q)]).needs(Requirement::Nothing).reaches(Reach::Window),
];
