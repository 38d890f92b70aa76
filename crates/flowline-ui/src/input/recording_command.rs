//! Turns commands of the registry into commands for an open recording.

use super::command_input::CommandInput;
use super::{flow_actions, note_actions, selection_actions, view_actions};
use crate::commands::{FlowAction, NoteAction, SelectionAction, UiCommand, ViewAction};
use crate::toast::Toast;
use flowline_view::{Command, FlowCommand};

/// The effect of a command of the registry on a recording.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// The commands for the recording, in order; empty if there is nothing to do.
    pub(crate) commands: Vec<Command>,
    /// The report.
    pub(crate) toast: Option<Toast>,
}

/// The effect of a command on the recording; nothing for commands of the window.
pub(crate) fn recording_command(input: CommandInput<'_>, command: UiCommand) -> Effect {
    let own = match command {
        UiCommand::Window(_) => None,
        UiCommand::View(action) => view_actions::command(input, action),
        UiCommand::Selection(action) => selection_actions::command(input, action),
        UiCommand::Flow(action) => flow_actions::command(input, action),
        UiCommand::Note(action) => note_actions::command(input, action),
    };
    let Some(own) = own else { return Effect::default() };
    let session = input.session;
    let before = match command {
        // Stepping along a flow makes it the active flow, as the buttons in the details do.
        UiCommand::Flow(FlowAction::Along(_)) => {
            session.selected_flow().map(|flow| Command::Flow(FlowCommand::Choose(flow)))
        }
        // The details show the moment at which the path ends.
        UiCommand::Selection(SelectionAction::PathTo(kind)) => session.late_moment(kind).map(Command::Reveal),
        _ => None,
    };
    let toast = match command {
        UiCommand::View(ViewAction::HideThread) => Some("Thread hidden"),
        UiCommand::View(ViewAction::OnlyThread) => Some("All other threads hidden"),
        _ => None,
    };
    Effect {
        commands: before.into_iter().chain([own]).collect(),
        toast: toast.map(|text| Toast::report(text).with_command("Undo", NoteAction::Undo)),
    }
}
