//! Display and editing state of a recording's notes.
//!
//! A note is identified by its position in the list. The undo history shares the list, which is copied on write.

use std::collections::BTreeSet;
use std::sync::Arc;

use flowline_profile::notes::{Entry, Note, NoteKind};

/// A note, by its position in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteId(pub usize);

/// A change of the notes.
#[derive(Clone, Debug, PartialEq)]
pub enum NoteCommand {
    /// Add a note, select it, and open its text editor.
    Add(Note),
    /// Change the text of a note.
    Edit(NoteId, String),
    /// Move a note to another moment, range or entry.
    Move {
        /// The note.
        note: NoteId,
        /// The new target, of the same kind as before.
        to: NoteKind,
        /// True if this continues the previous change, as during a drag; both are undone together.
        continues: bool,
    },
    /// Delete a note.
    Delete(NoteId),
    /// Select a note, or none.
    Select(Option<NoteId>),
    /// Open the text editor for a note, or close it.
    Ask(Option<NoteId>),
    /// Start a link at an entry, or cancel it.
    LinkFrom(Option<Entry>),
    /// Complete the link.
    LinkTo(Entry),
    /// Hide an entry, or everything around it, unless it is already hidden this way.
    Hide(NoteKind),
    /// Delete several notes, by position, to show hidden entries.
    Unhide(Vec<NoteId>),
    /// Show or hide all notes over the chart.
    Show(bool),
}

/// The notes and their editing state.
#[derive(Clone, Debug)]
pub struct NotesView {
    /// All notes, in the order in which they were added.
    pub list: Arc<Vec<Note>>,
    /// The selected note.
    pub selected: Option<NoteId>,
    /// The note whose text editor is open.
    pub asked: Option<NoteId>,
    /// Start of the link that is being added.
    pub link_from: Option<Entry>,
    /// True if the notes are shown over the chart.
    pub shown: bool,
}

impl Default for NotesView {
    fn default() -> Self {
        Self { list: Arc::default(), selected: None, asked: None, link_from: None, shown: true }
    }
}

impl NotesView {
    /// Notes that were loaded with a recording.
    #[must_use]
    #[inline]
    pub fn new(list: Vec<Note>) -> Self {
        Self { list: Arc::new(list), ..Self::default() }
    }

    /// The note with this id.
    #[must_use]
    #[inline]
    pub fn get(&self, id: NoteId) -> Option<&Note> {
        self.list.get(id.0)
    }

    /// The selected note.
    #[must_use]
    #[inline]
    pub fn selected_note(&self) -> Option<(NoteId, &Note)> {
        let id = self.selected?;
        Some((id, self.get(id)?))
    }

    /// The notes that are shown to the user, by start; notes without a time come last.
    #[must_use]
    pub fn by_time(&self) -> Vec<NoteId> {
        let shown = |id: &NoteId| self.list[id.0].kind.is_shown();
        let mut ids: Vec<NoteId> = (0..self.list.len()).map(NoteId).filter(shown).collect();
        ids.sort_by_key(|id| {
            let times = self.list[id.0].kind.times();
            (times.is_none(), times.map(|times| (times.start, times.end)), *id)
        });
        ids
    }

    /// Applies a change. Changes of nonexistent notes have no effect.
    pub fn apply(&mut self, command: NoteCommand) {
        match command {
            NoteCommand::Add(note) => self.add(note),
            NoteCommand::Edit(id, text) => {
                self.asked = None;
                if self.get(id).is_some_and(|note| note.text != text) {
                    Arc::make_mut(&mut self.list)[id.0].text = text;
                }
            }
            NoteCommand::Move { note: id, to, .. } => {
                if self.get(id).is_some_and(|note| note.kind != to && note.kind.name() == to.name()) {
                    Arc::make_mut(&mut self.list)[id.0].kind = to;
                }
            }
            NoteCommand::Delete(id) => {
                if id.0 < self.list.len() {
                    Arc::make_mut(&mut self.list).remove(id.0);
                    (self.selected, self.asked) = (None, None);
                }
            }
            NoteCommand::Select(note) => self.selected = note.filter(|note| note.0 < self.list.len()),
            NoteCommand::Ask(note) => {
                self.asked = note.filter(|note| note.0 < self.list.len());
                self.selected = self.asked.or(self.selected);
            }
            NoteCommand::LinkFrom(entry) => self.link_from = entry,
            NoteCommand::LinkTo(to) => {
                // A link from an entry to itself has no meaning.
                if let Some(from) = self.link_from.take().filter(|from| !from.is_same(&to)) {
                    self.add(Note { kind: NoteKind::Link(from, to), text: String::new() });
                }
            }
            NoteCommand::Hide(kind) => {
                if !self.list.iter().any(|note| note.kind == kind) {
                    Arc::make_mut(&mut self.list).push(Note { kind, text: String::new() });
                }
            }
            NoteCommand::Unhide(notes) => self.remove(&notes),
            NoteCommand::Show(shown) => self.shown = shown,
        }
    }

    fn add(&mut self, note: Note) {
        // As in DevTools, an entry has at most one label: adding a label again edits the existing one.
        let same = match &note.kind {
            NoteKind::Label(entry) => {
                self.list.iter().position(|known| matches!(&known.kind, NoteKind::Label(known) if known.is_same(entry)))
            }
            kind => self.list.iter().position(|known| known.kind == *kind),
        };
        let at = same.unwrap_or_else(|| {
            let list = Arc::make_mut(&mut self.list);
            list.push(note);
            list.len() - 1
        });
        (self.selected, self.asked, self.shown) = (Some(NoteId(at)), Some(NoteId(at)), true);
    }

    fn remove(&mut self, notes: &[NoteId]) {
        if notes.iter().any(|id| id.0 < self.list.len()) {
            let removed: BTreeSet<usize> = notes.iter().map(|id| id.0).collect();
            let mut at = 0;
            Arc::make_mut(&mut self.list).retain(|_| {
                at += 1;
                !removed.contains(&(at - 1))
            });
            // Without hidden entries, no entry is expandable.
            let hides = |note: &Note| matches!(note.kind, NoteKind::Hidden(_) | NoteKind::HiddenAround(..));
            if !self.list.iter().any(hides) {
                Arc::make_mut(&mut self.list).retain(|note| !matches!(note.kind, NoteKind::Expandable(_)));
            }
            (self.selected, self.asked) = (None, None);
        }
    }

    /// Replaces the list with an earlier or later version.
    pub(super) fn set_list(&mut self, list: Arc<Vec<Note>>) {
        self.list = list;
        (self.selected, self.asked) = (None, None);
    }
}
