//! The commands that can be found by name, with their keys.

use crate::hidden_panels::PanelKind;
use crate::input::keys::Action;
use crate::tables::TableKind;
use crate::window::command::WindowCommand;
use flowline_profile::Direction;
use flowline_profile::notes::HiddenPart;
use flowline_view::{Command, FlowCommand};

/// What a command does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Does {
    /// What a key does.
    Action(Action),
    /// What a button does.
    Window(Box<WindowCommand>),
}

/// A command with its name and its key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedCommand {
    pub(crate) name: &'static str,
    pub(crate) key: &'static str,
    pub(crate) does: Does,
}

/// All commands; without a recording, only those that need none.
pub(crate) fn named_commands(has_recording: bool) -> Vec<NamedCommand> {
    let key = |(name, key, action): &(&'static str, &'static str, Action)| NamedCommand {
        name,
        key,
        does: Does::Action(*action),
    };
    let button = |(name, command): (&'static str, WindowCommand)| NamedCommand {
        name,
        key: "",
        does: Does::Window(Box::new(command)),
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
    ("Back to the view before", "Backspace", Action::Back),
    ("Go to the beginning", "Home", Action::Edge(Direction::Back)),
    ("Go to the end", "End", Action::Edge(Direction::Forward)),
    ("Search", "/", Action::Search),
    ("Rows by name or as stacks", "L", Action::Layout),
    ("Hide rows that are empty in the view, or show them", "Shift+L", Action::EmptyRows),
    ("Box mode", "B", Action::BoxMode),
    ("Select the time of the selected marker", "R", Action::MarkerRange { widen: false }),
    ("Measure what is selected", "Shift+M", Action::MeasureSelection),
    ("Times from the selected marker's start", "Z", Action::ZeroHere),
    ("Times from the beginning", "Shift+Z", Action::ZeroReset),
    ("Hide the marker's thread", "H", Action::HideThread),
    ("Show only the marker's thread", "O", Action::OnlyThread),
    ("Hide the selected entry", "X", Action::HideEntry(None)),
    ("Hide what is inside the selected entry", "Shift+X", Action::HideEntry(Some(HiddenPart::Children))),
    ("Hide what has its name inside the selected entry", "Alt+X", Action::HideEntry(Some(HiddenPart::Repeating))),
    ("Hide all of its name in its thread", "", Action::HideEntry(Some(HiddenPart::Name))),
    ("Show what is hidden inside the selected entry, else all", "Alt+Shift+X", Action::ShowHidden),
    ("Show all threads", "Shift+H", Action::ShowThreads),
    ("Critical path to the selected marker", "K", Action::CriticalPath),
    ("Look the name up in the browser's source", "U", Action::LookUp),
    ("Copy the selected marker", "Ctrl+C", Action::Copy),
    ("Copy as command", "", Action::CopyCommand),
    ("Save picture: PNG or SVG", "Ctrl+S", Action::SavePicture),
    ("Copy link", "Ctrl+Shift+C", Action::CopyLink),
    ("Overview, show or put away", "Alt+1", Action::Panel(PanelKind::Overview)),
    ("Label column, show or put away", "Alt+2", Action::Panel(PanelKind::Labels)),
    ("Details of the selected marker, show or hide", "Alt+3", Action::Panel(PanelKind::Details)),
    ("Drawer with the tables, show or put away", "Alt+4", Action::Panel(PanelKind::Drawer)),
    ("Rows of the flow panel, show or put away", "Alt+5", Action::Panel(PanelKind::Flows)),
];

const FLOWS: &[(&str, &str, Action)] = &[
    ("Pin or unpin the flow", "P", Action::Pin),
    ("Zoom to the entered flow", "Shift+F", Action::ZoomFlow),
    ("Only the flow's markers, or all again", "V", Action::ViewAll),
    ("All connections of the entered flow", "C", Action::Connections),
    ("Path of the entered flow over the chart", "G", Action::Path),
    ("Back through the flows entered", "Alt+←", Action::FlowHistory(Direction::Back)),
    ("Forward through the flows entered", "Alt+→", Action::FlowHistory(Direction::Forward)),
];

const TABLES: &[(&str, &str, Action)] = &[
    ("Table of markers", "T", Action::Table(TableKind::Markers)),
    ("Table: the entered flow as a tree", "Shift+T", Action::Table(TableKind::FlowTree)),
    ("Table of all flows", "Ctrl+T", Action::Table(TableKind::AllFlows)),
    ("Table: statistics", "I", Action::Table(TableKind::Statistics)),
    ("Table of network requests", "Shift+N", Action::Table(TableKind::Network)),
    ("Table: critical path", "Shift+K", Action::Table(TableKind::CriticalPath)),
    ("Call tree of samples", "Y", Action::Table(TableKind::CallTree)),
    ("Bottom-up tree of samples", "Shift+Y", Action::Table(TableKind::BottomUp)),
    ("Functions of samples", "", Action::Table(TableKind::Functions)),
    ("Flame graph of samples", "Ctrl+Y", Action::Table(TableKind::Flame)),
    ("Event log", "", Action::Table(TableKind::EventLog)),
];

const PROGRAM: &[(&str, &str, Action)] = &[
    ("Open a recording", "Ctrl+O", Action::Open),
    ("Compare with a recording", "Ctrl+Shift+O", Action::Compare),
    ("Open the file again", "F5", Action::Reload),
    ("Close the recording", "Ctrl+W", Action::Close),
    ("Light or dark", "Ctrl+Shift+L", Action::Theme),
    ("Full screen", "F11", Action::FullScreen),
    ("Larger interface", "Ctrl++", Action::Scale(Some(Direction::Forward))),
    ("Smaller interface", "Ctrl+−", Action::Scale(Some(Direction::Back))),
    ("Usual size of the interface", "Ctrl+0", Action::Scale(None)),
    ("Keys and search: the help", "?", Action::Help),
    ("Frame times", "F3", Action::FrameTime),
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
        ("Order of the recording, nothing at the top", WindowCommand::View(Command::ResetOrder)),
        ("Keep tooltips after clicks, or none", WindowCommand::ToggleTooltips),
        ("Clear the search", WindowCommand::View(Command::Search(String::new()))),
        ("Warnings about this recording", WindowCommand::ToggleWarnings),
        ("Compare the statistics of both recordings", WindowCommand::CompareRecordings),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let mut names: Vec<&str> = named_commands(true).iter().map(|command| command.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(named_commands(false).iter().all(|command| command.does != Does::Action(Action::ZoomAll)));
    }
}
