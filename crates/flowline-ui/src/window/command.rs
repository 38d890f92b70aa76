//! Commands of widgets and keys: changes to the view and to the window around it.

use std::path::PathBuf;

use crate::hidden_panels::PanelKind;
use crate::input::keys::Action;
use crate::tables::TableKind;
use flowline_session::Alignment;
use flowline_view::{Command, Pane};

/// A change to the window or the view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WindowCommand {
    /// A command for the active recording.
    View(Command),
    /// A command for one of the recordings.
    In(Pane, Command),
    /// Show the file dialog.
    OpenDialog,
    /// Open a recent recording.
    OpenRecent(PathBuf),
    /// Show the file dialog for a recording to compare with.
    CompareDialog,
    /// Align the second recording.
    Align(Alignment),
    /// Perform the action of a key.
    Perform(Action),
    /// Open or close the finder.
    ToggleFinder,
    /// Close the active recording.
    CloseRecording,
    /// Close the second recording.
    CloseOther,
    /// Compare the statistics of both recordings.
    CompareRecordings,
    /// Show a table, or hide the drawer (`None`).
    ShowTable(Option<TableKind>),
    /// Toggle a panel.
    TogglePanel(PanelKind),
    /// Toggle the help.
    ToggleHelp,
    /// Toggle the list of import warnings.
    ToggleWarnings,
    /// Toggle the light and dark theme.
    SwitchTheme,
    /// Toggle the frame time display.
    ToggleFrameTime,
    /// Toggle box mode: dragging on the chart selects a box instead of panning.
    ToggleBoxMode,
    /// Toggle pinned tooltips on click.
    ToggleTooltips,
    /// Move the keyboard focus to the search box.
    FocusSearch,
}

impl From<Command> for WindowCommand {
    fn from(command: Command) -> Self {
        Self::View(command)
    }
}
