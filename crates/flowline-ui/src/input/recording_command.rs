//! Turns commands of the registry into commands for an open recording.

use super::command_input::CommandInput;
use super::{flow_actions, note_actions, selection_actions, view_actions};
use crate::commands::{FlowAction, NoteAction, SelectionAction, ViewAction};
use flowline_view::Command;

/// A command of the registry that applies to a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordingAction {
    /// Changes the visible time range, or the rows.
    View(ViewAction),
    /// Changes the selection, or uses it.
    Selection(SelectionAction),
    /// Concerns flows.
    Flow(FlowAction),
    /// Concerns notes and hidden entries.
    Note(NoteAction),
}

/// The command for the recording; `None` if there is nothing to do.
pub(crate) fn recording_command(input: CommandInput<'_>, action: RecordingAction) -> Option<Command> {
    match action {
        RecordingAction::View(action) => view_actions::command(input, action),
        RecordingAction::Selection(action) => selection_actions::command(input, action),
        RecordingAction::Flow(action) => flow_actions::command(input, action),
        RecordingAction::Note(action) => note_actions::command(input, action),
    }
}
