//! Hiding and showing entries of an open recording.

use super::open_recording::Session;
use crate::rows::is_hide;
use flowline_index::hidden::{FilteredRowsKey, HideScope, notes_hiding, notes_hiding_in};
use flowline_profile::notes::{Entry, EntryLocation, HiddenPart, NoteKind};
use flowline_profile::{Implementation, ThreadId};
use flowline_view::{Command, NoteCommand, NoteId};

impl Session {
    /// Updates hidden entries. Entries to be revealed are shown again, and the selection moves off newly hidden
    /// entries. Returns a number that changes with the built rows and with the hidden entries.
    pub(crate) fn refresh_hidden(&mut self, rows_built: u64) -> u64 {
        self.show_revealed();
        let merged = self.rows.take_merged();
        if !merged.is_empty() {
            self.hidden.show_merged(&self.index, merged);
        }
        let choice = FilteredRowsKey {
            arrangement: self.view.arrangement,
            calls: self.view.call_functions,
            charts_built: if self.hidden.has_any() { rows_built } else { 0 },
        };
        self.hidden.follow(&self.index, &self.view.notes.list, choice);
        let number = self.hidden.shown().number;
        if std::mem::replace(&mut self.hidden.left, number) != number {
            self.move_selection_off_hidden();
        }
        rows_built + number
    }

    /// Shows an entry to be revealed, together with the entries hidden along with it.
    fn show_revealed(&mut self) {
        let marker = self.view.reveal.and_then(|marker| Some((marker, self.index.profile().locate(marker)?)));
        if let Some((marker, (thread, local))) = marker
            && self.hidden.shown().hides(thread, local)
        {
            let entry = self.entry_of(marker);
            self.unhide(entry.as_ref(), HideScope::Itself);
        }
        if let Some(selected) = self.view.selected_call.filter(|_| self.view.reveal_call)
            && self.hidden.shown().hides_call(selected.call)
        {
            let entry = self.selected_entry();
            self.unhide(entry.as_ref(), HideScope::Itself);
        }
    }

    fn unhide(&mut self, entry: Option<&Entry>, whose: HideScope) {
        let notes = entry.map(|entry| self.hiding(entry, whose)).unwrap_or_default();
        if !notes.is_empty() {
            self.view.apply(Command::Note(NoteCommand::Unhide(notes)));
        }
    }

    fn hiding(&self, entry: &Entry, whose: HideScope) -> Vec<NoteId> {
        let notes = notes_hiding(self.index.profile(), &self.view.notes.list, entry, whose);
        notes.into_iter().map(NoteId).collect()
    }

    /// If the selected marker has been hidden, selects its innermost visible parent or nothing.
    fn move_selection_off_hidden(&mut self) {
        let profile = self.index.profile();
        let shown = self.hidden.shown();
        let selected = self.view.selected.filter(|selected| Some(*selected) != self.view.reveal);
        let hidden =
            selected.filter(|marker| profile.locate(*marker).is_some_and(|(thread, local)| shown.hides(thread, local)));
        if let Some(marker) = hidden {
            let parent = shown.visible_parent(profile, marker);
            self.view.apply(Command::Select(parent));
        }
        let call = self.view.selected_call.filter(|_| !self.view.reveal_call);
        if call.is_some_and(|selected| self.hidden.shown().hides_call(selected.call)) {
            self.view.apply(Command::SelectCall(None));
        }
    }

    /// The command that hides an entry or its surroundings; `None` for entries that cannot be hidden.
    #[must_use]
    pub fn hide(&self, mut entry: Entry, part: Option<HiddenPart>) -> Option<Command> {
        let can_be_hidden = match entry.place {
            EntryLocation::Marker(_) => true,
            EntryLocation::Call(call) => call.functions == Implementation::All,
            EntryLocation::Times | EntryLocation::Unknown => false,
        };
        entry.key = None;
        let kind = match part {
            None => NoteKind::Hidden(entry),
            Some(part) => NoteKind::HiddenAround(entry, part),
        };
        can_be_hidden.then_some(Command::Note(NoteCommand::Hide(kind)))
    }

    /// Number of hidden entries whose innermost visible parent is an entry.
    #[must_use]
    pub fn hidden_inside(&self, entry: &Entry) -> u32 {
        let shown = self.list().shown();
        match entry.place {
            EntryLocation::Marker(marker) => {
                let place = self.index.profile().locate(marker);
                place.map_or(0, |(thread, local)| shown.inside(thread, local))
            }
            EntryLocation::Call(call) => shown.inside_call(call),
            EntryLocation::Times | EntryLocation::Unknown => 0,
        }
    }

    /// The command that shows the entries hidden inside an entry; `None` if there are none.
    #[must_use]
    pub fn show_inside(&self, entry: &Entry) -> Option<Command> {
        let notes = self.hiding(entry, HideScope::Inside);
        (!notes.is_empty()).then_some(Command::Note(NoteCommand::Unhide(notes)))
    }

    /// Shows the hidden entries of a thread again, or all of them.
    pub(crate) fn show_hidden(&mut self, thread: Option<ThreadId>) {
        let list = &self.view.notes.list;
        let notes: Vec<usize> = match thread {
            Some(thread) => notes_hiding_in(self.index.profile(), list, thread),
            None => (0..list.len()).filter(|at| is_hide(&list[*at])).collect(),
        };
        if !notes.is_empty() {
            let notes = notes.into_iter().map(NoteId).collect();
            self.view.apply(Command::Note(NoteCommand::Unhide(notes)));
        }
    }
}
