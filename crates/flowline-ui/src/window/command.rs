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
    /// A command for the recording that was last clicked.
    View(Command),
    /// A command for one of the recordings.
    In(Pane, Command),
    /// Show the file dialog.
    OpenDialog,
    /// Open a recording that was opened before.
    OpenRecent(PathBuf),
    /// Show the file dialog for a recording to compare with.
    CompareDialog,
    /// Align the second recording.
    Align(Alignment),
    /// Do what a key does.
    Perform(Action),
    /// Open the field that finds anything by name, or close it.
    ToggleFinder,
    /// Close the recording that was chosen last.
    CloseRecording,
    /// Close the second recording.
    CloseOther,
    /// Compare the statistics of both recordings.
    CompareRecordings,
    /// Show a table, or none.
    ShowTable(Option<TableKind>),
    /// Put a panel away, or show it again.
    TogglePanel(PanelKind),
    /// Show or hide the help.
    ToggleHelp,
    /// Show or hide the warnings about the recording.
    ToggleWarnings,
    /// Switch between dark and light.
    SwitchTheme,
    /// Show or hide frame times.
    ToggleFrameTime,
    /// Let plain drags on the chart select boxes, or pan again.
    ToggleBoxMode,
    /// Keep tooltips after clicks, or none.
    ToggleTooltips,
    /// Move the keyboard focus to the search box.
    FocusSearch,
}

impl From<Command> for WindowCommand {
    fn from(command: Command) -> Self {
        Self::View(command)
    }
}
