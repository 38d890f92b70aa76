//! More of the open recording is shown, its rest or its flows, and what the user is doing goes on.

use std::sync::Arc;

use super::Shell;
use crate::canvas::state::CanvasState;
use crate::window::command::WindowCommand;
use flowline_profile::Value;
use flowline_session::{Session, transfer_view};
use flowline_view::{Command, MoveDirection};

/// What was shown of a recording before more of it was opened.
pub struct ShownBefore {
    /// The recording as far as it was known.
    pub session: Session,
    /// Choices in tables since it was opened.
    choices: Value,
    canvas: CanvasState,
    pending: Vec<WindowCommand>,
    held: Vec<(egui::Key, MoveDirection)>,
}

impl Shell {
    /// Closes a recording of which more is about to be opened.
    pub fn take_part(&mut self) -> Option<ShownBefore> {
        let session = self.session.take()?;
        let choices = self.panels.as_ref().map_or(Value::Null, |panels| panels.choices());
        Some(ShownBefore {
            session,
            choices: changed(&self.first_choices, choices),
            canvas: std::mem::take(&mut self.canvas),
            pending: std::mem::take(&mut self.pending),
            held: std::mem::take(&mut self.held),
        })
    }

    /// Shows in the open recording what was shown of it before: the view, choices in tables, and keys that are held. If no marker
    /// was added, a drag goes on, too, and what widgets have asked for is done.
    pub fn carry_over(&mut self, before: ShownBefore) {
        let Some((session, panels)) = self.session.as_mut().zip(self.panels.as_mut()) else { return };
        transfer_view(&before.session, session);
        panels.set_choices(&before.choices);
        self.held = before.held;
        if Arc::ptr_eq(before.session.index.profile(), session.index.profile()) {
            self.canvas = before.canvas.without_cards();
            self.pending = before.pending.into_iter().filter(|command| !is_about_a_note(command)).collect();
        }
    }
}

/// Notes get other numbers.
const fn is_about_a_note(command: &WindowCommand) -> bool {
    let (WindowCommand::View(command) | WindowCommand::In(_, command)) = command else { return false };
    matches!(command, Command::Note(_) | Command::RevealNote(_))
}

/// The members of an object that are not the same in `first`.
fn changed(first: &Value, now: Value) -> Value {
    let Value::Object(members) = now else { return Value::Null };
    Value::Object(members.into_iter().filter(|(table, choices)| first.get(table) != Some(choices)).collect())
}
