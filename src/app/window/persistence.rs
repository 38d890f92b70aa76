//! State that persists between runs: the view and the notes of a recording, and the user's settings.

use std::time::{Duration, Instant};

use super::app::App;
use crate::app::files::{NotesStore, SavedViewFile, WindowSettings, read_notes};
use flowline_format::format_counted;
use flowline_ui::{RecentFacts, Toast};

/// Delay before unsaved changes are written, because checking for changes in every frame would be too slow.
const PAUSE: Duration = Duration::from_millis(400);

impl App {
    /// Shows the view from the command-line link, otherwise the saved view of the recording.
    ///
    /// Returns true if there was a view to show.
    pub(super) fn restore(&mut self) -> bool {
        let Some(session) = self.shell.session() else { return false };
        let mut restored = false;
        self.saved_view = SavedViewFile::for_recording(&session.path);
        // The option applies only to the first recording.
        if let Some(view) = self.options.view.take() {
            let missing = self.shell.show_view(&view);
            restored = true;
            if missing > 0 {
                let things = format_counted(missing as u64, "item");
                let text = format!("This recording does not contain {things} from the link.");
                self.tell(Toast::failure("View partly restored", text));
            }
        } else {
            match self.saved_view.as_mut().map(SavedViewFile::read) {
                Some(Ok(Some(view))) => {
                    let _missing = self.shell.show_view(&view);
                    restored = true;
                }
                Some(Err(text)) => self.tell(Toast::failure("Could not restore the view", text)),
                Some(Ok(None)) | None => {}
            }
        }
        let shown = self.shell.saved_view();
        self.saved_view.iter_mut().for_each(|file| file.assume(shown.clone()));
        restored
    }

    /// Shows the notes of a recording: those from the notes store, otherwise its own, plus those of the option. Applies
    /// the committed ranges in the notes unless a view was `restored`.
    pub(super) fn restore_notes(&mut self, restored: bool) {
        let Some(session) = self.shell.session_mut() else { return };
        // Those of a link, so far.
        let linked = session.view.notes.list.to_vec();
        let mut problems = session.read_own_notes();
        self.saved_notes = NotesStore::for_recording(&session.path);
        let id = self.saved_notes.as_ref().map(|kept| kept.id().clone());
        if let Some(kept) = &mut self.saved_notes {
            kept.assume(&session.view.notes.list);
            if let Some(read) = kept.read(&session.index) {
                problems.extend(read.problems);
                if kept.is_readable() {
                    session.set_notes(read.notes);
                }
            }
        }
        // The option applies only to the first recording.
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
        let mut notes = session.view.notes.list.to_vec();
        let added: Vec<_> = linked.into_iter().filter(|note| !notes.contains(note)).collect();
        if !added.is_empty() {
            notes.extend(added);
            session.set_notes(notes);
        }
        if !restored {
            session.open_breadcrumbs();
        }
        if !problems.is_empty() {
            self.tell(Toast::failure("Some notes could not be shown", problems.join("\n")));
        }
    }

    /// Writes changed notes immediately and schedules saving the view.
    pub(super) fn schedule_save(&mut self) {
        // During a drag, changes are not final yet.
        if self.frame_runner.context.input(|input| input.pointer.any_down()) {
            return;
        }
        self.remember_due.get_or_insert_with(|| Instant::now() + PAUSE);
        let Some((session, kept)) = self.shell.session_mut().zip(self.saved_notes.as_mut()) else { return };
        let written = kept.write(&session.index, &session.view.notes.list);
        if !written.others.is_empty() {
            session.view.merge_notes(&written.others);
            kept.assume(&session.view.notes.list);
            self.frame_runner.context.request_repaint();
        }
        if let Some(text) = written.problem {
            self.tell(Toast::failure("Could not save the notes", text));
        }
    }

    /// Writes the view and the settings if they changed.
    pub(super) fn remember(&mut self) {
        self.remember_due = None;
        self.describe_recent();
        let closed = self.shell.closed_view.take();
        let view = closed.or_else(|| self.shell.saved_view());
        let failed = self.saved_view.as_mut().zip(view).and_then(|(file, view)| file.write(view));
        if let Some(text) = failed {
            self.tell(Toast::failure("Could not save the view", text));
        }
        let kept = WindowSettings {
            theme: self.shell.theme,
            scale: self.frame_runner.context.zoom_factor(),
            collapsed: self.shell.state.collapsed,
            keys: self.shell.keys,
            preferences: self.shell.preferences.clone(),
        };
        if let Some(text) = self.settings_file.write(kept) {
            self.tell(Toast::failure("Could not save the settings", text));
        }
        match self.presets_file.write(&self.shell.presets) {
            Ok(Some(presets)) => self.shell.presets = presets,
            Ok(None) => {}
            Err(text) => self.tell(Toast::failure("Could not save the presets", text)),
        }
    }

    /// Stores facts about the open recording in the list of recent ones, once per recording.
    fn describe_recent(&mut self) {
        let Some(session) = self.shell.session().filter(|_| self.job.is_none() && !self.is_described) else { return };
        if let Some(facts) = RecentFacts::of(session) {
            let path = session.path.clone();
            self.is_described = true;
            self.shell.recent = self.recent.describe(&path, &facts);
        }
    }

    /// Writes all changes before the program ends.
    pub(super) fn save_on_exit(&mut self) {
        self.remember();
        if let (Some(session), Some(kept)) = (self.shell.session(), &mut self.saved_notes) {
            // The window is closing, so errors cannot be shown.
            let _failed = kept.write(&session.index, &session.view.notes.list);
        }
        // The panel sizes of the last window apply to the next recording.
        let _failed = self.settings_file.write_sizes(self.shell.panel_sizes());
    }
}
