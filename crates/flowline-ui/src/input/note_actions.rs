//! Commands for notes and hidden entries.

use super::CommandInput;
use super::pointed::pixel_at_pointer;
use crate::commands::NoteAction;
use flowline_view::{Command, NoteCommand};

/// The command for an action, if any.
pub(super) fn command(input: CommandInput<'_>, action: NoteAction) -> Option<Command> {
    let CommandInput { ui, session, .. } = input;
    let notes = &session.view.notes;
    match action {
        NoteAction::Add => {
            let time = session.view.axis.time(pixel_at_pointer(ui, session));
            Some(Command::Note(NoteCommand::Add(session.note_for_selection(time))))
        }
        NoteAction::Link => {
            let entry = session.selected_entry()?;
            let is_begun = notes.link_from.is_some();
            Some(Command::Note(if is_begun { NoteCommand::LinkTo(entry) } else { NoteCommand::LinkFrom(Some(entry)) }))
        }
        NoteAction::Edit => notes.selected.map(|note| Command::Note(NoteCommand::Ask(Some(note)))),
        NoteAction::Delete => notes.selected.map(|note| Command::Note(NoteCommand::Delete(note))),
        NoteAction::Show => Some(Command::Note(NoteCommand::Show(!notes.shown))),
        NoteAction::Hide(part) => session.hide(session.selected_entry()?, part),
        NoteAction::ShowHidden => {
            let inside = session.selected_entry().and_then(|entry| session.show_inside(&entry));
            Some(inside.unwrap_or(Command::ShowHidden(None)))
        }
        NoteAction::ShowAllHidden => Some(Command::ShowHidden(None)),
        NoteAction::Undo => Some(Command::Undo),
        NoteAction::Redo => Some(Command::Redo),
    }
}
