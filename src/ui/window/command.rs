//! Commands of widgets and keys: changes to the view and to the window around it.

use crate::ui::tables::TableKind;
use crate::view::Command;

/// A change to the window or the view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WindowCommand {
    /// A command for the open recording.
    View(Command),
    /// Show the file dialog.
    OpenDialog,
    /// Show a table, or none.
    ShowTable(Option<TableKind>),
    /// Show or hide the details.
    ToggleDetails,
    /// Show or hide the help.
    ToggleHelp,
    /// Show or hide the notes on the recording.
    ToggleWarnings,
    /// Switch between dark and light.
    SwitchTheme,
    /// Show or hide frame times.
    ToggleFrameTime,
    /// Let plain drags on the chart select boxes, or pan again.
    ToggleBoxMode,
    /// Move the keyboard focus to the search box.
    FocusSearch,
}

impl From<Command> for WindowCommand {
    fn from(command: Command) -> Self {
        Self::View(command)
    }
}
