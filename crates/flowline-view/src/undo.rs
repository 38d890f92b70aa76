//! Undo history: changes of notes; collapsing, hiding, order and pins of tracks; pinned flows; the time origin; the
//! emphasized insight; clearing the search; and presets.
//!
//! A step contains the state before it, shared with the view. Other commands, including those that bring something into
//! view, are not recorded.

use std::sync::Arc;

use super::{Command, FlowCommand, InsightFocus, NoteCommand, NoteId, ViewState};
use crate::history::{History, UndoStep};
use crate::track_state::Tracks;
use flowline_profile::notes::{Note, NoteChanges};
use flowline_profile::{FlowId, MarkerId, TimeRange};

/// True if a command is recorded as a step when it changes the tracks.
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
            | Command::ShowCounters(_)
            | Command::ToggleTrack(_)
            | Command::QueryTrack(_)
            | Command::ToggleEmpty(_)
            | Command::ShowIdleThreads(_)
            | Command::ToggleThreadGroup(_)
            | Command::ShowThreadGroup(_)
            | Command::Compact(_)
            | Command::ShowAllMarkers(_)
            | Command::HideThread(_)
            | Command::ShowOnly(_)
            | Command::ShowThread(_)
            | Command::HideProcess(_)
            | Command::ShowAll
            | Command::SelectTab(_)
            | Command::ShowThreads(_)
            | Command::ExpandAll
            | Command::CollapseAll
            | Command::ToggleStackChart(_)
            | Command::MoveTrack { .. }
            | Command::TogglePinnedThread(_)
            | Command::ResetOrder
    )
}

/// The state before a command that may be recorded as a step.
pub(super) enum Before {
    Notes { list: Arc<Vec<Note>>, continues: bool },
    Tracks(Arc<Tracks>),
    Pins(Vec<FlowId>),
    Zero(Option<MarkerId>),
    Search(String),
    Preset(Arc<Tracks>, String),
    Insight(Option<Arc<InsightFocus>>, TimeRange),
}

impl ViewState {
    /// True if a step can be undone, and true if a step can be redone.
    #[must_use]
    #[inline]
    pub fn can_undo(&self) -> [bool; 2] {
        [!self.history.past.is_empty(), !self.history.future.is_empty()]
    }

    /// Captures the state that a command may change.
    pub(super) fn before(&self, command: &Command) -> Option<Before> {
        match command {
            Command::Note(note) => {
                let continues = match note {
                    NoteCommand::Move { continues, .. } => *continues,
                    NoteCommand::Edit(id, _) => self.is_first_text(*id),
                    _ => false,
                };
                Some(Before::Notes { list: Arc::clone(&self.notes.list), continues })
            }
            Command::Flow(FlowCommand::TogglePin(_) | FlowCommand::UnpinAll) => {
                Some(Before::Pins(self.flows.pinned.clone()))
            }
            Command::ZeroAt(_) => Some(Before::Zero(self.zero)),
            // Typing is no step, but a cleared search cannot be typed again by heart.
            Command::Search(text) if text.is_empty() => Some(Before::Search(self.search.clone())),
            Command::ShowPreset(_) => Some(Before::Preset(Arc::clone(&self.tracks), self.search.clone())),
            Command::FocusInsight(_) => Some(Before::Insight(self.insight.clone(), self.axis.visible())),
            command if changes_tracks(command) => Some(Before::Tracks(Arc::clone(&self.tracks))),
            _ => None,
        }
    }

    /// True if a text of a note is the one that was asked for when the note was added: both are one step.
    fn is_first_text(&self, note: NoteId) -> bool {
        let is_new = self.notes.get(note).is_some_and(|own| own.text.is_empty()) && note.0 + 1 == self.notes.list.len();
        let others = self.notes.list.get(..note.0);
        let was_added_last = match self.history.past.last() {
            Some(UndoStep::Notes(before)) => others == Some(&before[..]),
            _ => false,
        };
        is_new && was_added_last && self.notes.asked == Some(note)
    }

    /// Records a step if the command changed something.
    pub(super) fn note_step(&mut self, before: Option<Before>) {
        match before {
            Some(Before::Notes { list, continues }) if list != self.notes.list => {
                let goes_on = continues && matches!(self.history.past.last(), Some(UndoStep::Notes(_)));
                if goes_on {
                    // What was undone before belongs to another course of events.
                    self.history.future.clear();
                } else {
                    self.history.push(UndoStep::Notes(list));
                }
            }
            Some(Before::Tracks(tracks)) if !tracks.is_same(&self.tracks) => {
                self.history.push(UndoStep::Tracks(tracks))
            }
            Some(Before::Pins(pins)) if pins != self.flows.pinned => self.history.push(UndoStep::Pins(pins)),
            Some(Before::Zero(zero)) if zero != self.zero => self.history.push(UndoStep::Zero(zero)),
            Some(Before::Search(text)) if !text.is_empty() => self.history.push(UndoStep::Search(text)),
            Some(Before::Preset(tracks, search)) if !tracks.is_same(&self.tracks) || search != self.search => {
                self.history.push(UndoStep::Preset(tracks, search));
            }
            Some(Before::Insight(focus, view)) if focus != self.insight => {
                self.history.push(UndoStep::Insight(focus, view));
            }
            _ => {}
        }
    }

    /// Merges changes that another window made to the notes of this recording. They are merged into the list and into
    /// all lists in the undo history, so that undoing or redoing does not revert them.
    pub fn merge_notes(&mut self, changes: &NoteChanges) {
        let History { past, future } = &mut self.history;
        for step in past.iter_mut().chain(future) {
            if let UndoStep::Notes(list) = step {
                *list = Arc::new(changes.applied_to(list));
            }
        }
        // A note that is being edited stays selected, even if its position changes.
        let chosen = [self.notes.selected, self.notes.asked];
        let notes = chosen.map(|id| id.and_then(|id| self.notes.list.get(id.0)).cloned());
        let list = Arc::new(changes.applied_to(&self.notes.list));
        self.notes.set_list(list);
        let place = |note: Note| self.notes.list.iter().rposition(|own| *own == note).map(NoteId);
        [self.notes.selected, self.notes.asked] = notes.map(|note| note.and_then(place));
    }

    /// Undoes the last step, or redoes the last undone step.
    pub(super) fn step_in_history(&mut self, again: bool) {
        let History { past, future } = &mut self.history;
        let Some(step) = (if again { future.pop() } else { past.pop() }) else { return };
        let opposite = match step {
            UndoStep::Notes(list) => {
                let now = std::mem::replace(&mut self.notes.list, Arc::clone(&list));
                self.notes.set_list(list);
                UndoStep::Notes(now)
            }
            UndoStep::Tracks(tracks) => {
                let now = Arc::clone(&self.tracks);
                self.edit_tracks(|shown| shown.restore(&tracks));
                UndoStep::Tracks(now)
            }
            UndoStep::Pins(pins) => UndoStep::Pins(std::mem::replace(&mut self.flows.pinned, pins)),
            UndoStep::Zero(zero) => {
                let now = self.zero;
                self.perform(Command::ZeroAt(zero));
                UndoStep::Zero(now)
            }
            UndoStep::Search(text) => {
                let now = self.search.clone();
                self.perform(Command::Search(text));
                UndoStep::Search(now)
            }
            UndoStep::Preset(tracks, search) => {
                let now = UndoStep::Preset(Arc::clone(&self.tracks), self.search.clone());
                self.edit_tracks(|shown| shown.restore(&tracks));
                self.perform(Command::Search(search));
                now
            }
            UndoStep::Insight(focus, view) => {
                let now = (self.insight.clone(), self.axis.visible());
                self.insight = focus;
                self.zoom_to(view);
                UndoStep::Insight(now.0, now.1)
            }
        };
        let History { past, future } = &mut self.history;
        if again { past.push(opposite) } else { future.push(opposite) }
    }
}

#[cfg(test)]
mod tests;
