//! What is kept of a recording's view from one run to the next.

use super::super::kept_notes::KeptNotes;
use super::super::notes_files::read_notes;
use super::super::saved_view::SavedViewFile;
use super::App;
use crate::ui::Message;

impl App {
    /// Shows what was saved when the recording was last open.
    pub(super) fn restore(&mut self) {
        let Some(session) = &mut self.shell.session else { return };
        self.saved_view = SavedViewFile::for_recording(&session.path);
        let Some(saved) = self.saved_view.as_mut().and_then(|file| file.read(&session.index)) else { return };
        session.view.flows = saved.flows;
        if !saved.hidden.is_empty() || !saved.order.is_default() {
            session.view.edit_tracks(|tracks| (tracks.hidden, tracks.order) = (saved.hidden, saved.order));
        }
        self.shell.flow_height = saved.height.unwrap_or(self.shell.flow_height);
        if let Some((panels, tables)) = self.shell.panels.as_mut().zip(saved.tables) {
            panels.set_layouts(tables);
        }
    }

    /// Shows the notes of a recording: those kept for it, else its own; and those of the option besides.
    pub(super) fn restore_notes(&mut self) {
        let Some(session) = &mut self.shell.session else { return };
        let mut problems = session.read_own_notes();
        self.kept_notes = KeptNotes::for_recording(&session.path);
        let id = self.kept_notes.as_ref().map(|kept| kept.id().clone());
        if let Some(kept) = &mut self.kept_notes {
            kept.assume(&session.view.notes.list);
            if let Some(read) = kept.read(&session.index) {
                problems.extend(read.problems);
                if kept.is_readable() {
                    session.set_notes(read.notes);
                }
            }
        }
        // It is about the first recording only.
        if let Some(file) = self.options.notes.take() {
            match read_notes(&file, &session.index, id.as_ref()) {
                Ok(read) => {
                    problems.extend(read.problems);
                    let mut notes = session.view.notes.list.to_vec();
                    let added: Vec<_> = read.notes.into_iter().filter(|note| !notes.contains(note)).collect();
                    notes.extend(added);
                    session.set_notes(notes);
                }
                Err(problem) => problems.push(format!("{}: {problem}", file.display())),
            }
        }
        session.open_breadcrumbs();
        if !problems.is_empty() {
            self.tell(Message { title: "Notes".into(), text: problems.join("\n") });
        }
    }

    /// Saves entered and pinned flows and the columns of tables at once, because the program may be killed.
    pub(super) fn remember(&mut self) {
        let open = self.shell.session.as_ref().zip(self.shell.panels.as_ref());
        if let Some((file, (session, panels))) = self.saved_view.as_mut().zip(open) {
            file.write(
                &session.index,
                (&session.view.flows, &session.view.tracks),
                self.shell.flow_height,
                &panels.layouts(),
            );
        }
        // What is being dragged is written where it is dropped.
        let is_dragging = self.frame_runner.context.input(|input| input.pointer.any_down());
        let open = self.shell.session.as_ref().zip(self.kept_notes.as_mut()).filter(|_| !is_dragging);
        let failed = open.and_then(|(session, kept)| kept.write(&session.index, &session.view.notes.list));
        if let Some(text) = failed {
            self.tell(Message { title: "The notes could not be kept".into(), text });
        }
    }
}
