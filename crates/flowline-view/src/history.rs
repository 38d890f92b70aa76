//! What can be undone: changes of the notes; folding, hiding, order and pins of tracks; pinned flows; the zero of the times
//! that are shown.
//!
//! A step holds what was there before it, shared with the view. Commands that change anything else, or bring something into
//! view, are no steps.

use std::sync::Arc;

use super::{Command, FlowCommand, NoteCommand, NoteId, Tracks, ViewState};
use flowline_profile::notes::{Note, NoteChanges};
use flowline_profile::{FlowId, MarkerId};

/// Steps that are kept.
const LIMIT: usize = 1000;

/// What a step changed, as it was before or after.
#[derive(Clone, Debug)]
enum Step {
    Notes(Arc<Vec<Note>>),
    Tracks(Arc<Tracks>),
    Pins(Vec<FlowId>),
    Zero(Option<MarkerId>),
}

/// The steps that can be undone, and those that were.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    past: Vec<Step>,
    future: Vec<Step>,
}

impl History {
    fn push(&mut self, step: Step) {
        self.future.clear();
        if self.past.len() >= LIMIT {
            self.past.remove(0);
        }
        self.past.push(step);
    }
}

/// Whether a command is a step if it changes the tracks.
const fn changes_tracks(command: &Command) -> bool {
    matches!(
        command,
        Command::ToggleProcess(_)
            | Command::ToggleThread(_)
            | Command::ToggleGroup(..)
            | Command::ToggleMoreGroups(_)
            | Command::HideEmptyRows(_)
            | Command::ToggleFlowTrack(_)
            | Command::ToggleCounters(_)
            | Command::ToggleNetwork(_)
            | Command::ToggleCustomTrack(_)
            | Command::ToggleEmpty(_)
            | Command::ShowAllMarkers(_)
            | Command::HideThread(_)
            | Command::ShowOnly(_)
            | Command::ShowThread(_)
            | Command::HideProcess(_)
            | Command::ShowAll
            | Command::ShowThreads(_)
            | Command::ExpandAll
            | Command::CollapseAll
            | Command::ToggleStackChart(_)
            | Command::MoveTrack { .. }
            | Command::TogglePinnedThread(_)
            | Command::ResetOrder
    )
}

/// What was there before a command that may be a step.
pub(super) enum Before {
    Notes { list: Arc<Vec<Note>>, continues: bool },
    Tracks(Arc<Tracks>),
    Pins(Vec<FlowId>),
    Zero(Option<MarkerId>),
}

impl ViewState {
    /// Whether there is something to undo, and something to do again.
    #[must_use]
    pub fn can_undo(&self) -> [bool; 2] {
        [!self.history.past.is_empty(), !self.history.future.is_empty()]
    }

    /// Remembers what a command may change.
    pub(super) fn before(&self, command: &Command) -> Option<Before> {
        match command {
            Command::Note(note) => {
                let continues = matches!(note, NoteCommand::Move { continues: true, .. });
                Some(Before::Notes { list: Arc::clone(&self.notes.list), continues })
            }
            Command::Flow(FlowCommand::TogglePin(_) | FlowCommand::UnpinAll) => {
                Some(Before::Pins(self.flows.pinned.clone()))
            }
            Command::ZeroAt(_) => Some(Before::Zero(self.zero)),
            command if changes_tracks(command) => Some(Before::Tracks(Arc::clone(&self.tracks))),
            _ => None,
        }
    }

    /// Adds a step if a command changed something.
    pub(super) fn note_step(&mut self, before: Option<Before>) {
        match before {
            Some(Before::Notes { list, continues }) if list != self.notes.list => {
                let goes_on = continues && matches!(self.history.past.last(), Some(Step::Notes(_)));
                if !goes_on {
                    self.history.push(Step::Notes(list));
                }
            }
            Some(Before::Tracks(tracks)) if !tracks.is_same(&self.tracks) => self.history.push(Step::Tracks(tracks)),
            Some(Before::Pins(pins)) if pins != self.flows.pinned => self.history.push(Step::Pins(pins)),
            Some(Before::Zero(zero)) if zero != self.zero => self.history.push(Step::Zero(zero)),
            _ => {}
        }
    }

    /// Takes in what another window changed in the notes of this recording: in the list, and in all lists that undoing and
    /// redoing lead to, so that neither takes it back.
    pub fn take_in_notes(&mut self, changes: &NoteChanges) {
        let History { past, future } = &mut self.history;
        for step in past.iter_mut().chain(future) {
            if let Step::Notes(list) = step {
                *list = Arc::new(changes.applied_to(list));
            }
        }
        // A note whose text is being typed stays chosen, wherever it is now.
        let chosen = [self.notes.selected, self.notes.asked];
        let notes = chosen.map(|id| id.and_then(|id| self.notes.list.get(id.0)).cloned());
        let list = Arc::new(changes.applied_to(&self.notes.list));
        self.notes.set_list(list);
        let place = |note: Note| self.notes.list.iter().rposition(|own| *own == note).map(NoteId);
        [self.notes.selected, self.notes.asked] = notes.map(|note| note.and_then(place));
    }

    /// Undoes the last step, or does the last one that was undone again.
    pub(super) fn step_in_history(&mut self, again: bool) {
        let History { past, future } = &mut self.history;
        let Some(step) = (if again { future.pop() } else { past.pop() }) else { return };
        let opposite = match step {
            Step::Notes(list) => {
                let now = std::mem::replace(&mut self.notes.list, Arc::clone(&list));
                self.notes.set_list(list);
                Step::Notes(now)
            }
            Step::Tracks(tracks) => {
                let now = Arc::clone(&self.tracks);
                self.edit_tracks(|shown| shown.restore(&tracks));
                Step::Tracks(now)
            }
            Step::Pins(pins) => Step::Pins(std::mem::replace(&mut self.flows.pinned, pins)),
            Step::Zero(zero) => {
                let now = self.zero;
                self.perform(Command::ZeroAt(zero));
                Step::Zero(now)
            }
        };
        let History { past, future } = &mut self.history;
        if again { past.push(opposite) } else { future.push(opposite) }
    }
}

#[cfg(test)]
mod tests;
