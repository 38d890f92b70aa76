//! The finder's commands, with their names and keys.

use crate::hidden_panels::PanelKind;
use crate::input::keys::Action;
use crate::tables::TableKind;
use crate::window::command::WindowCommand;
use flowline_profile::Direction;
use flowline_profile::notes::HiddenPart;
use flowline_view::{Command, FlowCommand};

/// Effect of a command.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CommandEffect {
    /// The action of a key.
    Action(Action),
    /// The command of a button.
    Window(Box<WindowCommand>),
}

/// A command with its name and its key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedCommand {
    pub(crate) name: &'static str,
    pub(crate) key: &'static str,
    pub(crate) does: CommandEffect,
}

/// All commands; without a recording, only those that do not need one.
pub(crate) fn named_commands(has_recording: bool) -> Vec<NamedCommand> {
    let key = |(name, key, action): &(&'static str, &'static str, Action)| NamedCommand {
        name,
        key,
        does: CommandEffect::Action(*action),
    };
    let button = |(name, command): (&'static str, WindowCommand)| NamedCommand {
        name,
        key: "",
        does: CommandEffect::Window(Box::new(command)),
    };
    let mut all: Vec<NamedCommand> = Vec::new();
    if has_recording {
        all.extend(VIEW.iter().chain(FLOWS).chain(TABLES).map(key));
        all.extend(buttons().into_iter().map(button));
    }
    all.extend(PROGRAM.iter().map(key));
    all
}

const VIEW: &[(&str, &str, Action)] = &[
    ("Show the whole recording", "0", Action::ZoomAll),
    ("Zoom to the selection", "F", Action::ZoomSelection),
    ("Return to the previous view", "Backspace", Action::Back),
    ("Go to the start", "Home", Action::Edge(Direction::Back)),
    ("Go to the end", "End", Action::Edge(Direction::Forward)),
    ("Search", "/", Action::Search),
    ("Toggle rows by name and stack rows", "L", Action::Layout),
    ("Toggle empty rows", "Shift+L", Action::EmptyRows),
    ("Toggle box mode", "B", Action::BoxMode),
    ("Select the time range of the selected marker", "R", Action::MarkerRange { widen: false }),
    ("Measure the selection", "Shift+M", Action::MeasureSelection),
    ("Set time origin to the selected marker's start", "Z", Action::ZeroHere),
    ("Reset time origin", "Shift+Z", Action::ZeroReset),
    ("Hide the marker's thread", "H", Action::HideThread),
    ("Show only the marker's thread", "O", Action::OnlyThread),
    ("Hide the selected entry", "X", Action::HideEntry(None)),
    ("Hide children of the selected entry", "Shift+X", Action::HideEntry(Some(HiddenPart::Children))),
    ("Hide descendants with the name of the selected entry", "Alt+X", Action::HideEntry(Some(HiddenPart::Repeating))),
    ("Hide entries with this name in the thread", "", Action::HideEntry(Some(HiddenPart::Name))),
    ("Show hidden entries inside the selected entry, else all", "Alt+Shift+X", Action::ShowHidden),
    ("Show all threads", "Shift+H", Action::ShowThreads),
    ("Toggle critical path to the selected marker", "K", Action::CriticalPath),
    ("Search source code for the selected name", "U", Action::LookUp),
    ("Copy the selected marker", "Ctrl+C", Action::Copy),
    ("Copy as command", "", Action::CopyCommand),
    ("Save image as PNG or SVG", "Ctrl+S", Action::SavePicture),
    ("Copy link", "Ctrl+Shift+C", Action::CopyLink),
    ("Toggle overview", "Alt+1", Action::Panel(PanelKind::Overview)),
    ("Toggle label column", "Alt+2", Action::Panel(PanelKind::Labels)),
    ("Toggle details of the selected marker", "Alt+3", Action::Panel(PanelKind::Details)),
    ("Toggle table drawer", "Alt+4", Action::Panel(PanelKind::Drawer)),
    ("Toggle rows of the flow panel", "Alt+5", Action::Panel(PanelKind::Flows)),
];

const FLOWS: &[(&str, &str, Action)] = &[
    ("Pin or unpin the flow", "P", Action::Pin),
    ("Zoom to the entered flow", "Shift+F", Action::ZoomFlow),
    ("Show only the flow's markers, or all markers", "V", Action::ViewAll),
    ("Toggle all connections of the entered flow", "C", Action::Connections),
    ("Toggle path of the entered flow", "G", Action::Path),
    ("Back in flow history", "Alt+←", Action::FlowHistory(Direction::Back)),
    ("Forward in flow history", "Alt+→", Action::FlowHistory(Direction::Forward)),
];

const TABLES: &[(&str, &str, Action)] = &[
    ("Toggle marker table", "T", Action::Table(TableKind::Markers)),
    ("Toggle flow tree", "Shift+T", Action::Table(TableKind::FlowTree)),
    ("Toggle table of all flows", "Ctrl+T", Action::Table(TableKind::AllFlows)),
    ("Toggle statistics", "I", Action::Table(TableKind::Statistics)),
    ("Toggle network requests", "Shift+N", Action::Table(TableKind::Network)),
    ("Toggle critical path table", "Shift+K", Action::Table(TableKind::CriticalPath)),
    ("Toggle call tree", "Y", Action::Table(TableKind::CallTree)),
    ("Toggle bottom-up tree", "Shift+Y", Action::Table(TableKind::BottomUp)),
    ("Toggle function list", "", Action::Table(TableKind::Functions)),
    ("Toggle flame graph", "Ctrl+Y", Action::Table(TableKind::Flame)),
    ("Toggle event log", "", Action::Table(TableKind::EventLog)),
];

const PROGRAM: &[(&str, &str, Action)] = &[
    ("Open a recording", "Ctrl+O", Action::Open),
    ("Compare with a recording", "Ctrl+Shift+O", Action::Compare),
    ("Reload the file", "F5", Action::Reload),
    ("Close the recording", "Ctrl+W", Action::Close),
    ("Toggle light and dark theme", "Ctrl+Shift+L", Action::Theme),
    ("Toggle full screen", "F11", Action::FullScreen),
    ("Make the interface larger", "Ctrl++", Action::Scale(Some(Direction::Forward))),
    ("Make the interface smaller", "Ctrl+−", Action::Scale(Some(Direction::Back))),
    ("Reset interface size", "Ctrl+0", Action::Scale(None)),
    ("Help: keys and search", "?", Action::Help),
    ("Toggle frame times", "F3", Action::FrameTime),
    ("Quit", "Ctrl+Q", Action::Quit),
];

fn buttons() -> Vec<(&'static str, WindowCommand)> {
    let flow = |command| WindowCommand::View(Command::Flow(command));
    vec![
        ("Unpin all flows", flow(FlowCommand::UnpinAll)),
        ("Leave the entered flow", flow(FlowCommand::Leave)),
        ("Show all hidden entries", WindowCommand::View(Command::ShowHidden(None))),
        ("Expand all threads", WindowCommand::View(Command::ExpandAll)),
        ("Collapse all threads", WindowCommand::View(Command::CollapseAll)),
        ("Reset track order", WindowCommand::View(Command::ResetOrder)),
        ("Toggle pinned tooltips on click", WindowCommand::ToggleTooltips),
        ("Clear the search", WindowCommand::View(Command::Search(String::new()))),
        ("Show import warnings", WindowCommand::ToggleWarnings),
        ("Compare statistics of both recordings", WindowCommand::CompareRecordings),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_names_are_unique() {
        let mut names: Vec<&str> = named_commands(true).iter().map(|command| command.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(named_commands(false).iter().all(|command| command.does != CommandEffect::Action(Action::ZoomAll)));
    }
}
