//! Input: splits it into batches, and turns commands of the registry into commands for the open recording.

pub(crate) mod batches;
mod command_input;
mod flow_actions;
pub(crate) mod focus;
mod note_actions;
pub(crate) mod path_target;
mod pointed;
mod recording_command;
mod selection_actions;
mod view_actions;

pub(crate) use command_input::CommandInput;
pub(crate) use recording_command::recording_command;
