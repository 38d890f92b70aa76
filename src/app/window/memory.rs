//! What is kept from one run to the next: the view and the notes of a recording, and the user's settings.

use std::time::{Duration, Instant};

use super::super::kept_notes::KeptNotes;
use super::super::notes_files::read_notes;
use super::super::saved_view::SavedViewFile;
use super::super::settings_file::Kept;
use super::App;
use flowline_format::format_counted;
use flowline_ui::Message;

/// Changes are written so long after the first one that was not: to find out whether something changed takes longer than a
/// frame should be held up again and again.
const PAUSE: Duration = Duration::from_millis(400);

impl App {
    /// Shows the view that the link of the command line has, or else what was kept when the recording was last open.
    ///
    /// Whether there was something to show.
    pub(super) fn restore(&mut self) -> bool {
        let Some(session) = &self.shell.session else { return false };
        let mut restored = false;
        self.saved_view = SavedViewFile::for_recording(&session.path);
        // It is about the first recording only.
        if let Some(view) = self.options.view.take() {
            let missing = self.shell.show_view(&view);
            restored = true;
            if missing > 0 {
                let things = format_counted(missing as u64, "thing");
                let text = format!("{things} that the link names cannot be found in this recording.");
                self.tell(Message { title: "Not all of the view is here".into(), text });
            }
        } else {
            match self.saved_view.as_mut().map(SavedViewFile::read) {
                Some(Ok(Some(view))) => {
                    let _missing = self.shell.show_view(&view);
                    restored = true;
                }
                Some(Err(text)) => self.tell(Message { title: "The view was not restored".into(), text }),
                Some(Ok(None)) | None => {}
            }
        }
        let shown = self.shell.saved_view();
        self.saved_view.iter_mut().for_each(|file| file.assume(shown.clone()));
        restored
    }

    /// Shows the notes of a recording: those kept for it, else its own; and those of the option besides. The ranges to which
    /// the recording's own view was narrowed count unless another view was `restored`.
    pub(super) fn restore_notes(&mut self, restored: bool) {
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
        if !restored {
            session.open_breadcrumbs();
        }
        if !problems.is_empty() {
            self.tell(Message { title: "Notes".into(), text: problems.join("\n") });
        }
    }

    /// Writes changed notes at once, and lets the view be written soon.
    pub(super) fn remember_soon(&mut self) {
        // What is being dragged is written where it is dropped.
        if self.frame_runner.context.input(|input| input.pointer.any_down()) {
            return;
        }
        self.remember_due.get_or_insert_with(|| Instant::now() + PAUSE);
        let Some((session, kept)) = self.shell.session.as_mut().zip(self.kept_notes.as_mut()) else { return };
        let written = kept.write(&session.index, &session.view.notes.list);
        if !written.others.is_empty() {
            session.view.take_in_notes(&written.others);
            kept.assume(&session.view.notes.list);
            self.frame_runner.context.request_repaint();
        }
        if let Some(text) = written.problem {
            self.tell(Message { title: "The notes could not be kept".into(), text });
        }
    }

    /// Writes view and settings if they changed.
    pub(super) fn remember(&mut self) {
        self.remember_due = None;
        let closed = self.shell.closed_view.take();
        let view = closed.or_else(|| self.shell.saved_view());
        let failed = self.saved_view.as_mut().zip(view).and_then(|(file, view)| file.write(view));
        if let Some(text) = failed {
            self.tell(Message { title: "The view could not be kept".into(), text });
        }
        let kept = Kept { theme: self.shell.theme, scale: self.frame_runner.context.zoom_factor() };
        if let Some(text) = self.settings_file.write(kept) {
            self.tell(Message { title: "The settings could not be kept".into(), text });
        }
    }

    /// Writes all that changed, at the end.
    pub(super) fn remember_at_the_end(&mut self) {
        self.remember();
        if let (Some(session), Some(kept)) = (&self.shell.session, &mut self.kept_notes) {
            // There is nobody left to be told.
            let _failed = kept.write(&session.index, &session.view.notes.list);
        }
        // The sizes of the last window are those of the next recording.
        let _failed = self.settings_file.write_sizes(self.shell.panel_sizes());
    }
}
