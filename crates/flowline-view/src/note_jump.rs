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
        if matches!(note.kind, NoteKind::Range(_)) {
            self.bring_range_into_view(times);
        } else if times.len() > self.axis.visible().len() {
            self.zoom_around(times);
        } else {
            self.bring_into_view(times);
        }
    }

    /// Brings a range into view entirely; a visible part could be only its end.
    pub(super) fn bring_range_into_view(&mut self, range: TimeRange) {
        let visible = self.axis.visible();
        if range.start < visible.start || range.end > visible.end {
            self.zoom_around(range);
        }
    }

    fn zoom_around(&mut self, range: TimeRange) {
        let margin = Ns(range.len() / 10);
        self.perform(Command::ZoomTo(TimeRange::new(range.start - margin, range.end + margin)));
    }
}
