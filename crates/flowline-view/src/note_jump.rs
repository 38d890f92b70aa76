//! Jumps from the list of notes to the target of a note.

use super::{Command, NoteId, ViewState};
use flowline_profile::notes::{EntryLocation, NoteKind};
use flowline_profile::{Ns, SelectedCall, TimeRange};

impl ViewState {
    /// Selects a note and brings its target into view.
    pub(super) fn reveal_note(&mut self, id: NoteId) {
        let Some(note) = self.notes.get(id).cloned() else { return };
        (self.notes.selected, self.notes.shown) = (Some(id), true);
        let entry = note.kind.entries().find(|entry| entry.times.is_some());
        match entry.map(|entry| (entry.place, entry.times)) {
            Some((EntryLocation::Marker(marker), _)) => self.perform(Command::Reveal(marker)),
            Some((EntryLocation::Call(call), Some(times))) => {
                self.perform(Command::RevealCall(SelectedCall { call, times }));
            }
            // Only times are known, such as those of a frame. The details must not stay on another item.
            Some(_) => self.perform(Command::Select(None)),
            None => {}
        }
        let Some(times) = note.kind.times() else { return };
        let visible = self.axis.visible();
        // A range must be entirely in view; a visible part could be only its end.
        let is_cut = |range: TimeRange| range.start < visible.start || range.end > visible.end;
        let is_range = matches!(note.kind, NoteKind::Range(_));
        if times.len() > visible.len() || (is_range && is_cut(times)) {
            let margin = Ns(times.len() / 10);
            self.perform(Command::ZoomTo(TimeRange::new(times.start - margin, times.end + margin)));
        } else {
            self.bring_into_view(times);
        }
    }
}
