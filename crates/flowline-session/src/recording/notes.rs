//! Notes of an open recording: creating notes for the selection, and describing notes in text.

use super::open_recording::Session;
use flowline_format::format_duration_ns;
use flowline_index::modifications::{Modifications, breadcrumbs, entry_of_call, entry_of_marker};
use flowline_profile::notes::{Entry, EntryLocation, Note, NoteKind};
use flowline_profile::{Implementation, MarkerId, Ns, TimeRange};
use flowline_view::{Command, NoteCommand, NoteId, NotesView};

impl Session {
    /// Replaces all notes with those that were read with the recording.
    pub fn set_notes(&mut self, notes: Vec<Note>) {
        self.view.notes = NotesView::new(notes);
    }

    /// Shows the notes stored in the recording itself; returns warnings about parts that could not be read.
    pub fn read_own_notes(&mut self) -> Vec<String> {
        let read = Modifications::read(&self.index);
        let problems = read.problems();
        if !read.notes.is_empty() {
            self.set_notes(read.notes);
        }
        problems
    }

    /// Opens the notes' breadcrumbs: they become the window's committed ranges.
    pub fn open_breadcrumbs(&mut self) {
        let windows: Vec<TimeRange> = breadcrumbs(&self.view.notes.list).collect();
        self.view.open_windows(&windows);
    }

    /// The entry of a marker.
    #[must_use]
    pub fn entry_of(&self, marker: MarkerId) -> Option<Entry> {
        entry_of_marker(self.index.profile(), marker)
    }

    /// The entry of the selected marker or call.
    #[must_use]
    pub fn selected_entry(&self) -> Option<Entry> {
        if let Some(marker) = self.view.selected {
            return self.entry_of(marker);
        }
        let selected = self.view.selected_call?;
        let lasting = entry_of_call(self.index.profile(), selected.call);
        lasting.filter(|_| selected.call.functions == Implementation::All).or_else(|| {
            let name = self.selected_call_card().map(|card| card.heading.clone()).unwrap_or_default();
            Some(Entry { place: EntryLocation::Call(selected.call), name, times: Some(selected.times), key: None })
        })
    }

    /// A new note for the selection: a label on the marker or call, else the range, else a bookmark at a time.
    #[must_use]
    pub fn note_for_selection(&self, time: Ns) -> Note {
        let range = || self.view.range.map(NoteKind::Range);
        let newer = if self.view.range_is_newer { range() } else { None };
        let label = || self.selected_entry().map(NoteKind::Label);
        let kind = newer.or_else(label).or_else(range).unwrap_or(NoteKind::Bookmark(time));
        Note { kind, text: String::new() }
    }

    /// Completes a pending link at the target of a selecting command.
    pub(crate) fn link_to_selected(&mut self, command: &Command) {
        let selects = matches!(command, Command::Select(Some(_)) | Command::SelectCall(Some(_)));
        if selects
            && self.view.notes.link_from.is_some()
            && let Some(entry) = self.selected_entry()
        {
            self.view.apply(Command::Note(NoteCommand::LinkTo(entry)));
        }
    }

    /// Subject of a note: "Layout", "parse to Layout", "4.2 ms".
    #[must_use]
    pub fn note_subject(&self, note: &Note) -> String {
        let name = |entry: &Entry| match (&entry.times, &entry.key) {
            (Some(_), _) if entry.name.is_empty() => "(anonymous)".to_owned(),
            (Some(_), _) => entry.name.clone(),
            (None, Some(key)) => format!("{key} (not in this recording)"),
            (None, None) => "not in this recording".to_owned(),
        };
        match &note.kind {
            NoteKind::Label(entry)
            | NoteKind::Hidden(entry)
            | NoteKind::HiddenAround(entry, _)
            | NoteKind::Expandable(entry) => name(entry),
            NoteKind::Link(from, to) => format!("{} to {}", name(from), name(to)),
            NoteKind::Range(range) | NoteKind::Breadcrumb(range) => format_duration_ns(range.len()),
            NoteKind::Bookmark(_) => String::new(),
        }
    }

    /// A note as a sentence, for screen readers and copying: "Label on Layout at 12.5 ms: slow".
    #[must_use]
    pub fn note_text(&self, id: NoteId) -> Option<String> {
        let note = self.view.notes.get(id)?;
        let subject = self.note_subject(note);
        let what = match &note.kind {
            NoteKind::Label(_) => format!("Label on {subject}"),
            NoteKind::Range(_) => format!("Range of {subject}"),
            NoteKind::Link(..) => format!("Link from {subject}"),
            NoteKind::Bookmark(_) => "Bookmark".to_owned(),
            kind => format!("{} {subject}", kind.name()),
        };
        let time = note.kind.times().map(|times| format!(" at {}", self.view.clock().position(times.start)));
        let text = if note.text.is_empty() { String::new() } else { format!(": {}", note.text) };
        Some(format!("{what}{}{text}", time.unwrap_or_default()))
    }
}
