//! Commands that widgets return: changes to the view and to the window around it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::commands::{UiCommand, WindowAction};
use crate::tables::TableKind;
use flowline_session::Alignment;
use flowline_view::{Command, Pane, Preset, Theme};

/// A change to the window or the view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WindowCommand {
    /// Run a command of the registry.
    Run(UiCommand),
    /// A command for the active recording.
    View(Command),
    /// A command for one of the recordings.
    In(Pane, Command),
    /// Open a recent recording.
    OpenRecent(PathBuf),
    /// Align the second recording.
    Align(Alignment),
    /// Show a table, or hide the drawer (`None`).
    ShowTable(Option<TableKind>),
    /// Show the search and the threads of a preset in the active recording.
    ShowPreset(Arc<Preset>),
    /// Switch to a theme.
    Theme(Theme),
}

impl From<Command> for WindowCommand {
    fn from(command: Command) -> Self {
        Self::View(command)
    }
}

impl From<WindowAction> for WindowCommand {
    fn from(action: WindowAction) -> Self {
        Self::Run(UiCommand::Window(action))
    }
}
