//! Selecting counters, and going back and forward through the history of selections.

use crate::command::Command;
use crate::selection_history::SelectedEntry;
use crate::view_state::ViewState;
use flowline_profile::Direction;

impl ViewState {
    /// Records the selection after a command.
    pub(crate) fn note_selection(&mut self) {
        let call = || self.selected_call.map(SelectedEntry::Call);
        let selected = self.selected.map(SelectedEntry::Marker).or_else(call);
        self.selections.note(selected);
    }

    /// Applies a command for the selection; ignores other commands.
    pub(crate) fn apply_to_selection(&mut self, command: &Command) {
        match *command {
            Command::Reveal(marker) => {
                self.revealed = Some(marker);
                self.reveal_marker(marker);
            }
            Command::RevealOnTrack { marker, times } => {
                self.revealed = Some(marker);
                self.reveal_on_track(marker, times);
            }
            Command::SelectCounter(counter, time) => {
                (self.selected, self.selected_call, self.counter) = (None, None, Some((counter, time)));
            }
            Command::StepSelection(direction) => self.step_selection(direction),
            _ => {}
        }
    }

    /// Goes to another entry of the history of selections.
    fn step_selection(&mut self, direction: Direction) {
        match self.selections.step(direction) {
            Some(SelectedEntry::Marker(marker)) => self.perform(Command::Reveal(marker)),
            Some(SelectedEntry::Call(call)) => self.perform(Command::RevealCall(call)),
            None => {}
        }
    }
}
