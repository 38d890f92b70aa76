//! Preserves the user's state when more of the open recording becomes available: the rest of it, or its flows.

use std::sync::Arc;

use super::{PaneContents, Shell};
use crate::canvas::state::CanvasState;
use crate::tables::query::QueryTable;
use crate::window::window_command::WindowCommand;
use flowline_profile::Value;
use flowline_session::{Session, transfer_view};
use flowline_view::{Command, MoveDirection};

/// State of a partially loaded recording, taken before more of it is opened.
pub struct PreviousState {
    /// The recording loaded so far.
    pub session: Session,
    /// State of the tables that changed since it was opened.
    choices: Value,
    /// The query tab, whose result stays.
    query: QueryTable,
    canvas: CanvasState,
    pending: Vec<WindowCommand>,
    held: Vec<(egui::Key, MoveDirection)>,
}

impl Shell {
    /// Takes the open recording and its state, before more of it is opened.
    pub fn take_previous_state(&mut self) -> Option<PreviousState> {
        self.panes.truncate(1);
        let PaneContents { session, panels, canvas, first_choices, flow_height, .. } = self.panes.pop()?;
        (self.table_layouts, self.flow_height) = (Some(panels.layouts()), flow_height);
        Some(PreviousState {
            session,
            choices: changed(&first_choices, panels.choices()),
            query: panels.query,
            canvas,
            pending: std::mem::take(&mut self.pending),
            held: std::mem::take(&mut self.held),
        })
    }

    /// Restores the state in the open recording: the view, the state of tables, and held keys. If no marker was added,
    /// a drag also continues, and pending commands are applied.
    pub fn carry_over(&mut self, mut before: PreviousState) {
        let Some(PaneContents { session, panels, canvas, .. }) = self.panes.first_mut() else { return };
        transfer_view(&before.session, session);
        panels.set_choices(&before.choices);
        self.held = before.held;
        if Arc::ptr_eq(before.session.index.profile(), session.index.profile()) {
            // The engine goes on, with the query that is running.
            std::mem::swap(&mut session.query, &mut before.session.query);
            panels.query = before.query;
            *canvas = before.canvas.without_cards();
            self.pending = before.pending.into_iter().filter(|command| !is_about_a_note(command)).collect();
        }
    }
}

/// True for commands with note numbers, which change between the two sessions.
const fn is_about_a_note(command: &WindowCommand) -> bool {
    let (WindowCommand::View(command) | WindowCommand::In(_, command)) = command else { return false };
    matches!(command, Command::Note(_) | Command::RevealNote(_))
}

/// The members of an object that differ from `first`.
fn changed(first: &Value, now: Value) -> Value {
    let Value::Object(members) = now else { return Value::Null };
    Value::Object(members.into_iter().filter(|(table, choices)| first.get(table) != Some(choices)).collect())
}
