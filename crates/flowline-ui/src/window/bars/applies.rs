//! Menus list only the commands that have an effect.

use crate::commands::{CommandContext, UiCommand};

/// True if everything that a command needs is there.
pub(super) fn applies(command: impl Into<UiCommand>, context: CommandContext<'_>) -> bool {
    command.into().row().is_some_and(|row| row.requirement.is_met(context))
}
