//! The notes of a recording as they are shown and edited.
//!
//! A note is known by its position in the list. The list is shared by the history of edits and copied on change.

use std::collections::BTreeSet;
use std::sync::Arc;

use flowline_profile::notes::{Entry, Note, NoteKind};

/// A note, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteId(pub usize);

/// A change of the notes.
#[derive(Clone, Debug, PartialEq)]
pub enum NoteCommand {
    /// Add a note, select it, and ask for its text.
    Add(Note),
    /// Change what a note says.
    Edit(NoteId, String),
    /// Move a note to another moment, range or entry.
    Move {
        /// The note.
        note: NoteId,
        /// Where it goes; of the same kind as before.
        to: NoteKind,
        /// Whether this goes on with the last change, as while something is dragged: both are undone together.
        continues: bool,
    },
    /// Delete a note.
    Delete(NoteId),
    /// Select a note, or none.
    Select(Option<NoteId>),
    /// Ask for the text of a note, or stop asking.
    Ask(Option<NoteId>),
    /// Begin a link at an entry, or give it up.
    LinkFrom(Option<Entry>),
    /// End the link that was begun.
    LinkTo(Entry),
    /// Hide an entry, or what is around it, unless it is hidden so already.
    Hide(NoteKind),
    /// Delete several notes, by position: those that hide something that is to be seen again.
    Unhide(Vec<NoteId>),
    /// Show or hide all notes over the chart.
    Show(bool),
}

/// The notes, and what is done with them.
#[derive(Clone, Debug)]
pub struct NotesView {
    /// All notes, in the order in which they were added.
    pub list: Arc<Vec<Note>>,
    /// The selected one.
    pub selected: Option<NoteId>,
    /// The one whose text is asked for.
    pub asked: Option<NoteId>,
    /// Where the link begins that is being added.
    pub link_from: Option<Entry>,
    /// Whether they are drawn over the chart.
    pub shown: bool,
}

impl Default for NotesView {
    fn default() -> Self {
        Self { list: Arc::default(), selected: None, asked: None, link_from: None, shown: true }
    }
}

impl NotesView {
    /// Notes that were read with a recording.
    #[must_use]
    pub fn new(list: Vec<Note>) -> Self {
        Self { list: Arc::new(list), ..Self::default() }
    }

    /// A note.
    #[must_use]
    pub fn get(&self, id: NoteId) -> Option<&Note> {
        self.list.get(id.0)
    }

    /// The selected note.
    #[must_use]
    pub fn selected_note(&self) -> Option<(NoteId, &Note)> {
        let id = self.selected?;
        Some((id, self.get(id)?))
    }

    /// Those that people write and read, by start; those of which no time is known come last.
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

    /// Applies a change. What refers to a note that is not there does nothing.
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
                // A link from something to itself says nothing.
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
        // An entry has one label, as in DevTools: what is there already is edited.
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
            // Where nothing is hidden any more, nothing is expandable.
            let hides = |note: &Note| matches!(note.kind, NoteKind::Hidden(_) | NoteKind::HiddenAround(..));
            if !self.list.iter().any(hides) {
                Arc::make_mut(&mut self.list).retain(|note| !matches!(note.kind, NoteKind::Expandable(_)));
            }
            (self.selected, self.asked) = (None, None);
        }
    }

    /// Replaces the list by an earlier or later one.
    pub(super) fn set_list(&mut self, list: Arc<Vec<Note>>) {
        self.list = list;
        (self.selected, self.asked) = (None, None);
    }
}
