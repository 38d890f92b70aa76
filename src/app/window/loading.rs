//! Loading while the window is open: the recording itself, and a second one for a comparison. Recordings load one at a
//! time; the second waits for the first.

use std::sync::Arc;

use super::app::{App, WindowOptions};
use super::native_window::AppEvent;
use crate::app::files::{FileWatch, carried};
use crate::app::loading::{
    AlignBy, CompareWith, LoadJob, LoadRequest, LoadResult, LoadState, Target, decompression_question,
};
use flowline_import::{ImportError, Options};
use flowline_load::{Loaded, Origin};
use flowline_session::{Alignment, Pairing, Session, Wake, transfer_view};
use flowline_ui::{LoadedPart, PaneContents, PreviousState, Toast};
use flowline_view::Pane;

impl App {
    /// Opens a recording; the open recording is closed once the new one is loaded.
    pub(super) fn start_loading(&mut self, origin: Origin) {
        self.waiting = None;
        let import = self.options.import.clone();
        self.start_loading_with(origin, import, Target::Open);
    }

    /// Opens a second recording once the first is loaded.
    pub(super) fn start_comparing(&mut self, with: CompareWith) {
        if self.job.as_ref().is_some_and(|job| job.target == Target::Open) {
            self.waiting = Some(with);
        } else if !self.shell.panes.is_empty() {
            let import = self.options.import.clone();
            self.start_loading_with(with.origin, import, Target::Compare(with.align));
        }
    }

    /// Loads the recording of the decompression question without a limit on growth, up to the limit of unpacked text.
    pub(super) fn open_anyway(&mut self) {
        if let Some((origin, target)) = self.asked.take() {
            let import = Options { max_expansion: None, ..self.options.import.clone() };
            self.start_loading_with(origin, import, target);
        }
    }

    fn start_loading_with(&mut self, origin: Origin, import: Options, target: Target) {
        self.cancel_loading();
        (self.asked, self.shell.question) = (None, None);
        let WindowOptions { cache, rules, .. } = self.options.clone();
        let proxy = self.proxy.clone();
        // After the event loop has ended, no redraw is needed.
        let notify = move || _ = proxy.send_event(AppEvent::Redraw);
        match LoadJob::start(LoadRequest { origin, target, import, cache, rules }, notify) {
            Ok(job) => self.job = Some(job),
            Err(error) => self.shell.error = Some(error.to_string()),
        }
    }

    pub(super) fn cancel_loading(&mut self) {
        if let Some(job) = self.job.take() {
            job.cancel();
            self.stop_awaiting_flows();
        }
        self.shell.loading = None;
    }

    /// Keeps the shown parts of recordings without waiting for their flows.
    fn stop_awaiting_flows(&mut self) {
        self.shell.panes.iter_mut().for_each(|pane| pane.session.stop_awaiting_flows());
    }

    /// Handles the result of a load, or shows its progress.
    pub(super) fn follow_loading(&mut self) {
        let Some(mut job) = self.job.take() else { return };
        match job.state() {
            LoadState::Running(loading) => {
                self.shell.loading = Some(loading);
                self.job = Some(job);
                return;
            }
            LoadState::Done(LoadResult::Partial(loaded, shown)) => {
                match job.target.clone() {
                    // The saved view belongs to the complete recording: it is neither read nor written yet.
                    Target::Open => {
                        let before = self.close_for(&job);
                        (self.saved_view, self.saved_notes) = (None, None);
                        self.show(&job.origin, *loaded);
                        self.carry_over(before);
                    }
                    Target::Compare(align) => self.show_other_part(&job, *loaded, &align),
                }
                job.shown = shown;
                self.job = Some(job);
                return;
            }
            LoadState::Done(LoadResult::Whole(result)) => match *result {
                Ok(loaded) => match job.target.clone() {
                    Target::Open => self.show_whole(&job, loaded),
                    Target::Compare(align) => self.show_other_whole(&job, loaded, &align),
                },
                Err(ImportError::Suspicious { packed, unpacked }) if matches!(job.origin, Origin::File(_)) => {
                    let limit = self.options.import.max_unpacked;
                    self.shell.question = Some(decompression_question(&job.origin, [packed, unpacked], limit));
                    self.asked = Some((job.origin, job.target));
                }
                Err(error) => {
                    self.shell.error = Some(job.origin.explain(&error));
                    self.stop_awaiting_flows();
                }
            },
            LoadState::Lost => {
                self.shell.error = Some(format!("{}: loading ended unexpectedly", job.origin.name()));
                self.stop_awaiting_flows();
            }
        }
        self.shell.loading = None;
        // The second recording waits while a question about the first is open.
        if let Some(with) = self.waiting.take_if(|_| self.asked.is_none()) {
            self.start_comparing(with);
        }
    }

    fn session(&self, origin: &Origin, loaded: Loaded) -> (Session, Wake) {
        let context = self.frame_runner.context.clone();
        let wake: Wake = Arc::new(move || context.request_repaint());
        let session = Session::with_setup(origin.path().to_owned(), loaded.index, loaded.setup, Arc::clone(&wake));
        (session, wake)
    }

    fn show(&mut self, origin: &Origin, loaded: Loaded) {
        let (session, wake) = self.session(origin, loaded);
        if let Some(native) = &self.native {
            native.window.set_title(&format!("{} – Flowline", session.name()));
        }
        self.shell.open(session, &wake);
    }

    fn show_whole(&mut self, job: &LoadJob, loaded: Loaded) {
        let before = self.close_for(job);
        self.watch(job, &loaded);
        self.pending_cache_writes.push(loaded.clone());
        self.show(&job.origin, loaded);
        if let Origin::File(path) = &job.origin {
            self.is_described = false;
            self.shell.recent = self.recent.add(path);
        }
        let restored = self.restore();
        self.restore_notes(restored);
        // The saved view wins unless the user has already navigated.
        self.carry_over(before.filter(|before| !restored || before.session.is_touched()));
    }

    /// Watches the file of a loaded recording instead of the previous file.
    fn watch(&mut self, job: &LoadJob, loaded: &Loaded) {
        let (Origin::File(path), Some(stamp)) = (&job.origin, job.stamp) else { return };
        let (proxy, changed) = (self.proxy.clone(), path.clone());
        // After the event loop has ended, the event is dropped.
        let notify = move || _ = proxy.send_event(AppEvent::FileChanged(changed));
        let source = loaded.index.profile().source.clone();
        let pane = if job.target == Target::Open { 0 } else { 1 };
        // If the thread cannot be started, the file is not watched.
        self.file_watches[pane] = FileWatch::start(path.clone(), stamp, source, notify).ok();
    }

    /// Closes the shown recording. Returns it if it is a part of the job's recording; otherwise saves its view.
    fn close_for(&mut self, job: &LoadJob) -> Option<PreviousState> {
        let part = if job.shown == LoadedPart::Nothing { None } else { self.shell.take_previous_state() };
        if part.is_none() {
            self.remember();
        }
        part
    }

    /// Carries over the view and notes of the previously shown part of the open recording.
    fn carry_over(&mut self, before: Option<PreviousState>) {
        let (Some(before), Some(session)) = (before, self.shell.session_mut()) else { return };
        let shown = &before.session;
        let carried = carried(&shown.view.notes.list, shown.index.profile(), &session.index);
        if !carried.is_empty() {
            let notes = session.view.notes.list.iter().cloned().chain(carried).collect();
            session.set_notes(notes);
        }
        self.shell.carry_over(before);
    }

    /// Resolves the alignment of the open recording and a second one.
    fn resolved(&self, align: &AlignBy, second: &Loaded) -> Result<Alignment, String> {
        match self.shell.session() {
            Some(first) => align.resolve(&first.index, &second.index),
            None => Ok(Alignment::default()),
        }
    }

    fn show_other(&mut self, origin: &Origin, loaded: Loaded, alignment: Alignment) {
        let (session, wake) = self.session(origin, loaded);
        self.shell.open_second_recording(session, alignment, &wake);
    }

    /// Shows a part of the second recording. Markers used for alignment may not be loaded yet.
    fn show_other_part(&mut self, job: &LoadJob, loaded: Loaded, align: &AlignBy) {
        let before = self.shell.take_second();
        if job.shown != LoadedPart::Nothing && before.is_none() {
            // The user has closed it.
            return;
        }
        let before = before.filter(|_| job.shown != LoadedPart::Nothing);
        let chosen = before.as_ref().and_then(alignment_of);
        let alignment = chosen.unwrap_or_else(|| self.resolved(align, &loaded).unwrap_or_default());
        self.show_other(&job.origin, loaded, alignment);
        if let (Some(before), Some(other)) = (before, self.shell.pane_mut(Pane::B)) {
            transfer_view(&before.session, &mut other.session);
        }
    }

    fn show_other_whole(&mut self, job: &LoadJob, loaded: Loaded, align: &AlignBy) {
        let has_begun = job.shown != LoadedPart::Nothing;
        let beginning = if has_begun { self.shell.take_second() } else { None };
        if has_begun && beginning.is_none() {
            // The user has closed it.
            return;
        }
        self.watch(job, &loaded);
        self.pending_cache_writes.push(loaded.clone());
        let resolved = self.resolved(align, &loaded);
        let chosen = beginning.as_ref().and_then(alignment_of);
        let alignment = match (&resolved, chosen) {
            (
                Ok(markers @ (Alignment::Moments { .. } | Alignment::Milestone { .. })),
                None | Some(Alignment::Start),
            ) => *markers,
            (_, Some(chosen)) => chosen,
            (Ok(alignment), None) => *alignment,
            (Err(_), None) => Alignment::default(),
        };
        self.show_other(&job.origin, loaded, alignment);
        if let Some(other) = self.shell.pane_mut(Pane::B) {
            // Problems are reported when the recording is opened on its own.
            let _problems = other.session.read_own_notes();
        }
        if let (Some(beginning), Some(other)) = (beginning, self.shell.pane_mut(Pane::B)) {
            transfer_view(&beginning.session, &mut other.session);
        }
        if let Err(text) = resolved {
            self.tell(Toast::failure("Aligned by start", text));
        }
    }
}

/// The alignment of a second recording.
fn alignment_of(pane: &PaneContents) -> Option<Alignment> {
    pane.pairing.as_ref().map(Pairing::alignment)
}
