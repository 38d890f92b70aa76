//! Notes in links. Files of views contain none, because notes have a store of their own.

use super::format::SavedNote;
use super::names::{Names, range, read_range, time};
use flowline_index::modifications::entry_of_marker;
use flowline_profile::notes::{Entry, Note, NoteKind};
use flowline_session::Session;

/// Maximum number of notes in a link, so that it stays a word of a command line.
const MAX_NOTES: usize = 200;

/// The notes that a link can name: those on moments, ranges and markers.
pub(super) fn saved(notes: &[Note], names: &Names<'_>) -> Vec<SavedNote> {
    notes.iter().filter_map(|note| saved_note(note, names)).take(MAX_NOTES).collect()
}

fn saved_note(note: &Note, names: &Names<'_>) -> Option<SavedNote> {
    let marker = |entry: &Entry| names.marker(entry.marker()?);
    let plain = SavedNote { text: note.text.clone(), ..SavedNote::default() };
    Some(match &note.kind {
        NoteKind::Bookmark(time) => SavedNote { at: Some(time.0), ..plain },
        NoteKind::Range(times) => SavedNote { range: Some(range(*times)), ..plain },
        NoteKind::Label(entry) => SavedNote { on: Some(marker(entry)?), ..plain },
        NoteKind::Link(from, to) => SavedNote { on: Some(marker(from)?), to: Some(marker(to)?), ..plain },
        NoteKind::Breadcrumb(_) | NoteKind::Hidden(_) | NoteKind::HiddenAround(..) | NoteKind::Expandable(_) => {
            return None;
        }
    })
}

/// Adds the notes of a link to those of a recording. Equal notes are not repeated.
pub(super) fn show(saved: &[SavedNote], session: &mut Session, names: &Names<'_>) {
    let mut notes = session.view.notes.list.to_vec();
    let read: Vec<Note> = saved.iter().take(MAX_NOTES).filter_map(|saved| note_of(saved, session, names)).collect();
    notes.extend(read.into_iter().filter(|note| !session.view.notes.list.contains(note)));
    if notes.len() > session.view.notes.list.len() {
        session.set_notes(notes);
    }
}

fn note_of(saved: &SavedNote, session: &Session, names: &Names<'_>) -> Option<Note> {
    let profile = session.index.profile();
    let entry = |saved| entry_of_marker(profile, names.find_marker(saved)?);
    let kind = match (&saved.on, &saved.to) {
        (Some(from), Some(to)) => NoteKind::Link(entry(from)?, entry(to)?),
        (Some(on), None) => NoteKind::Label(entry(on)?),
        (None, _) => match (saved.range, saved.at) {
            (Some(times), _) => NoteKind::Range(read_range(times)?),
            (None, at) => NoteKind::Bookmark(time(at?)?),
        },
    };
    Some(Note { kind, text: saved.text.clone() })
}
