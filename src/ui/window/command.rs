//! What widgets and keys ask for: changes of the view, and of the window around it.

use crate::ui::tables::TableKind;
use crate::view::Command;

/// A change of the window or of the view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WindowCommand {
    /// For the open recording.
    View(Command),
    /// Choose a file.
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
    /// Put the text cursor into the search box.
    FocusSearch,
}

impl From<Command> for WindowCommand {
    fn from(command: Command) -> Self {
        Self::View(command)
    }
}
