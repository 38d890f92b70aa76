//! Handles requests from the widgets to the application.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::app::App;
use super::native_window::AppEvent;
use crate::app::files::{RecordingId, store_part_state, write_notes};
use crate::app::loading::{AlignBy, CompareWith};
use crate::app::output::{AnnotatedTrace, InputFile, InputFiles, OutputGuard, save_range, save_stacks, save_table};
use flowline_format::format_counted;
use flowline_import::Progress;
use flowline_import::cut::Removal;
use flowline_index::modifications::with_breadcrumbs;
use flowline_load::Origin;
use flowline_session::{TableFile, TableFormat};
use flowline_ui::{
    AppRequest, FollowedWork, NotesFile, NotesFormat, RecordingPart, SaveProgress, StackFormat, Toast, TreeStacks,
};
use flowline_view::Pane;
use winit::window::Fullscreen;

/// Interval at which the window shows the progress of an export.
const INTERVAL: Duration = Duration::from_millis(100);

/// Opens a file in a new window, which is a separate process.
fn open_in_new_window(path: &Path) -> std::io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--").arg(path).stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.spawn()?;
    // Reap the child so that it does not become a zombie.
    let wait = move || _ = child.wait();
    std::thread::Builder::new().name("flowline-window".into()).spawn(wait).map(|_| ())
}

/// Returns the file name of a path, for a toast.
pub(super) fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into())
}

impl App {
    /// Handles a request.
    pub(super) fn answer(&mut self, request: AppRequest) {
        match request {
            AppRequest::OpenFile(path) => self.start_loading(Origin::File(path)),
            AppRequest::OpenExample => self.start_loading(Origin::Example),
            AppRequest::OpenInNewWindow(path) => {
                if let Err(error) = open_in_new_window(&path) {
                    self.tell(Toast::failure("Could not open a new window", error.to_string()));
                }
            }
            AppRequest::ApplyPreferences => self.apply_preferences(),
            AppRequest::RemoveFromRecent(path) => self.shell.recent = self.recent.remove(&path),
            AppRequest::OpenSecondFile(path) => {
                self.start_comparing(CompareWith { origin: Origin::File(path), align: AlignBy::default() });
            }
            AppRequest::OpenWithoutLimit => self.open_anyway(),
            AppRequest::CancelLoading => {
                self.waiting = None;
                let loading = self.shell.loading.as_ref().map(|loading| loading.name.clone());
                self.cancel_loading();
                let canceled = loading.map(|name| Toast::report(format!("Loading {name} was canceled")));
                canceled.into_iter().for_each(|toast| self.tell(toast));
            }
            AppRequest::DropRecording => {
                self.remember();
                (self.waiting, self.asked, self.saved_view) = (None, None, None);
                self.file_watches = [None, None];
                self.cancel_loading();
                if let Some(native) = &self.native {
                    native.window.set_title("Flowline");
                }
            }
            AppRequest::Quit => self.quits = true,
            AppRequest::ToggleFullScreen => {
                if let Some(native) = &self.native {
                    let is_full = native.window.fullscreen().is_some();
                    native.window.set_fullscreen((!is_full).then_some(Fullscreen::Borderless(None)));
                }
            }
            AppRequest::OpenInEditor(place) => {
                if let Err(text) = self.options.settings.open(&place) {
                    self.tell(Toast::failure("Could not open the source location", text));
                }
            }
            AppRequest::OpenInBrowser(url) => {
                if let Err(text) = self.options.settings.open_link(&url) {
                    self.tell(Toast::failure("Could not open the URL", text));
                }
            }
            AppRequest::WriteStacks { path, format, stacks } => self.save(path, format, stacks),
            AppRequest::WriteNotes { path, format, notes } => self.save_notes(path, format, notes),
            AppRequest::WriteImage { path, format } => {
                // The image must not show the report about the previous one.
                self.shell.clear_reports();
                self.wanted_picture = Some((path, format));
                self.frame_runner.context.request_repaint();
            }
            AppRequest::WritePart { path, part } => self.save_part(path, *part),
            AppRequest::WriteTable { path, format, table } => self.export(path, format, table),
        }
    }

    /// Applies the settings that the user has changed in the window.
    fn apply_preferences(&mut self) {
        self.options.settings.preferences = self.shell.preferences.clone();
        self.shell.opener_advice = self.options.settings.opener_advice();
        self.options.import.budget.limit = self.options.memory_limit.or(self.shell.preferences.max_memory);
        self.remember();
    }

    /// Returns the guard for files that the window writes: the open recordings and the rules are never replaced.
    pub(super) fn output_guard(&self) -> OutputGuard {
        let mut inputs = InputFiles::default();
        for session in Pane::ALL.into_iter().filter_map(|pane| self.shell.session_of(pane)) {
            inputs = inputs.with(InputFile::Recording, &session.path);
        }
        if let Some(rules) = &self.options.rules.file {
            inputs = inputs.with(InputFile::FlowRules, rules);
        }
        OutputGuard::new(inputs)
    }

    /// Shows a toast.
    pub(super) fn tell(&mut self, toast: Toast) {
        self.shell.toast(toast);
        self.frame_runner.context.request_repaint();
    }

    /// Writes stacks to a file on a separate thread.
    fn save(&mut self, path: PathBuf, format: StackFormat, stacks: TreeStacks) {
        let (proxy, guard) = (self.proxy.clone(), self.output_guard());
        let work = move || {
            let written = save_stacks(&guard, &stacks, &path, format);
            let toast = match written {
                Ok(count) => {
                    Toast::saved(format!("Saved {} in {}", format_counted(count as u64, "stack"), name(&path)), &path)
                }
                Err(error) => Toast::failure("Could not save the stacks", format!("{}: {error}", path.display())),
            };
            // After the event loop has ended, the toast is dropped.
            let _ended = proxy.send_event(AppEvent::Told(toast));
        };
        if let Err(error) = std::thread::Builder::new().name("flowline-save".into()).spawn(work) {
            self.tell(Toast::failure("Could not save the stacks", error.to_string()));
        }
    }
    /// Writes notes, or a copy of the trace that contains them, on a separate thread.
    fn save_notes(&mut self, path: PathBuf, form: NotesFormat, file: NotesFile) {
        const FAILURE: &str = "Could not save the notes";
        let (proxy, guard) = (self.proxy.clone(), self.output_guard());
        let work = move || {
            let written = match form {
                NotesFormat::File => {
                    let id = RecordingId::of_file(&file.recording).ok();
                    let written = write_notes(&guard, &path, &file.index, id.as_ref(), &file.notes);
                    written.map_err(anyhow::Error::from).map(|()| 0)
                }
                NotesFormat::Trace => {
                    let notes = with_breadcrumbs(file.index.profile(), &file.notes, &file.windows);
                    AnnotatedTrace::new(&file.index, &notes, file.arrangement.as_deref()).and_then(|trace| {
                        trace.write_file(&guard, &path)?;
                        Ok(trace.omitted)
                    })
                }
            };
            let toast = match written {
                Ok(0) => Toast::saved(format!("Saved {}", name(&path)), &path),
                Ok(omitted) => {
                    let count = format_counted(omitted as u64, "note");
                    Toast::saved(format!("Saved {} without {count} that traces cannot represent", name(&path)), &path)
                }
                Err(error) => Toast::failure(FAILURE, format!("{}: {error}", path.display())),
            };
            let _ended = proxy.send_event(AppEvent::Told(toast));
        };
        if let Err(error) = std::thread::Builder::new().name("flowline-notes".into()).spawn(work) {
            self.tell(Toast::failure(FAILURE, error.to_string()));
        }
    }

    /// Writes a table to a file on a separate thread; the window shows the progress.
    fn export(&mut self, path: PathBuf, format: TableFormat, table: TableFile) {
        const FAILURE: &str = "Could not export the table";
        let mut guard = self.output_guard();
        for session in Pane::ALL.into_iter().filter_map(|pane| self.shell.session_of(pane)) {
            guard = guard.reading(&session.index.profile().source);
        }
        let (saving, proxy) = (Arc::new(SaveProgress::new(name(&path), table.len() as u64)), self.proxy.clone());
        self.shell.saving.push(Arc::clone(&saving));
        let work = move || {
            let mut shown = Instant::now();
            let mut goes_on = |done| {
                if shown.elapsed() >= INTERVAL {
                    shown = Instant::now();
                    let _ended = proxy.send_event(AppEvent::Redraw);
                }
                saving.report(done)
            };
            let toast = match save_table(&guard, &table, &path, format, &mut goes_on) {
                Ok(Some(rows)) => {
                    Toast::saved(format!("Exported {} to {}", format_counted(rows, "row"), name(&path)), &path)
                }
                Ok(None) => Toast::report(format!("Export canceled, {} was not written", name(&path))),
                Err(error) => Toast::failure(FAILURE, format!("{}: {error}", path.display())),
            };
            saving.end();
            let _ended = proxy.send_event(AppEvent::Told(toast));
        };
        self.start_writing("flowline-export", FAILURE, work);
    }

    /// Starts to write a file, the last one in the list of files being saved, on a separate thread.
    fn start_writing(&mut self, thread: &str, failure: &str, work: impl FnOnce() + Send + 'static) {
        match std::thread::Builder::new().name(thread.into()).spawn(work) {
            Ok(thread) => {
                self.exports.retain(|thread| !thread.is_finished());
                self.exports.push(thread);
            }
            Err(error) => {
                self.shell.saving.pop();
                self.tell(Toast::failure(failure, error.to_string()));
            }
        }
    }

    /// Writes a part of a recording to a file on a separate thread; the window shows the progress.
    fn save_part(&mut self, path: PathBuf, part: RecordingPart) {
        const FAILURE: &str = "Could not save the range";
        let (progress, proxy, guard) = (Arc::new(Progress::default()), self.proxy.clone(), self.output_guard());
        let (shown, stopped) = (Arc::clone(&progress), Arc::clone(&progress));
        let bytes = move || {
            let (_, done, total) = shown.get();
            (done, total)
        };
        let followed = FollowedWork { progress: Box::new(bytes), stop: Box::new(move || stopped.cancel()) };
        let saving = Arc::new(SaveProgress::following(name(&path), followed));
        self.shell.saving.push(Arc::clone(&saving));
        let work = move || {
            let removal = Removal { urls: part.removes_urls, screenshots: part.removes_screenshots };
            let toast = match save_range(&guard, &part.index, part.range, removal, &path, &progress) {
                Ok(true) => match store_part_state(&path, &part) {
                    None => Toast::saved_recording(format!("Saved {} in {}", part.length, name(&path)), &path),
                    Some(problem) => Toast::failure("The file is saved, but opens with all of its times", problem),
                },
                Ok(false) => Toast::report(format!("Saving canceled, {} was not written", name(&path))),
                Err(error) => Toast::failure(FAILURE, format!("{}: {error}", path.display())),
            };
            saving.end();
            let _ended = proxy.send_event(AppEvent::Told(toast));
        };
        self.start_writing("flowline-save", FAILURE, work);
    }

    /// Stops exports and waits until they have removed what they wrote.
    pub(super) fn end_exports(&mut self) {
        self.shell.saving.iter().for_each(|file| file.stop());
        for thread in self.exports.drain(..) {
            // A thread that panicked has removed its file, too.
            let _ended = thread.join();
        }
    }
}
