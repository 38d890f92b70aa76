//! Loads a recording on a separate thread: first the beginning of a large recording, then all of it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::comparison::AlignBy;
use super::partial_load::load_partial;
use crate::app::files::PathStamp;
use flowline_cache::Cache;
use flowline_format::{format_bytes, format_counted};
use flowline_import::{ImportError, Options, Phase, Progress};
use flowline_load::{Early, Loaded, Origin, UserRules, open_with_callbacks};
use flowline_ui::{LoadedPart, Loading};
use flowline_view::Pane;

/// Purpose of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Open the recording.
    Open,
    /// Show the recording below the open one.
    Compare(AlignBy),
}

/// Parameters of a load.
#[derive(Clone, Debug)]
pub(crate) struct LoadRequest {
    pub(crate) origin: Origin,
    pub(crate) target: Target,
    pub(crate) import: Options,
    pub(crate) cache: Cache,
    pub(crate) rules: UserRules,
}

/// A running load.
pub(crate) struct LoadJob {
    pub(crate) origin: Origin,
    pub(crate) target: Target,
    progress: Arc<Progress>,
    results: Receiver<LoadResult>,
    /// Part of the recording that is already shown.
    pub(crate) shown: LoadedPart,
    /// Stamp of the file before it was read.
    pub(crate) stamp: Option<PathStamp>,
}

/// A result of a load.
pub(crate) enum LoadResult {
    /// The beginning, or the recording without flows, to show until the rest is loaded.
    Partial(Box<Loaded>, LoadedPart),
    /// The complete recording or an error.
    Whole(Box<Result<Loaded, ImportError>>),
}

/// State of a load.
pub(crate) enum LoadState {
    Done(LoadResult),
    Running(Loading),
    /// The thread ended without a result.
    Lost,
}

impl LoadJob {
    /// Starts loading; `notify` is called for each result.
    pub(crate) fn start(request: LoadRequest, notify: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        let progress = Arc::new(Progress::default());
        let (sender, results) = channel();
        let (origin, target, worker_progress) = (request.origin.clone(), request.target.clone(), Arc::clone(&progress));
        let stamp = if let Origin::File(path) = &origin { PathStamp::of(path) } else { None };
        let work = move || {
            let LoadRequest { origin, import, cache, rules, .. } = request;
            // The receiver is gone if the load was canceled.
            let send = |arrived| {
                let _cancelled = sender.send(arrived);
                notify();
            };
            let mut on_miss = || {
                if let Some(beginning) = load_partial(&origin, &import, &rules, &worker_progress) {
                    send(LoadResult::Partial(Box::new(beginning), LoadedPart::Beginning));
                }
            };
            let mut on_picture = |loaded| send(LoadResult::Partial(Box::new(loaded), LoadedPart::AllButFlows));
            let early = Early { on_miss: &mut on_miss, on_picture: &mut on_picture };
            let whole = open_with_callbacks(&origin, import.clone(), &cache, &rules, &worker_progress, early);
            send(LoadResult::Whole(Box::new(whole)));
        };
        std::thread::Builder::new().name("flowline-load".into()).spawn(work)?;
        Ok(Self { origin, target, progress, results, shown: LoadedPart::Nothing, stamp })
    }

    pub(crate) fn cancel(&self) {
        self.progress.cancel();
    }

    /// Returns the next result, or the progress.
    pub(crate) fn state(&self) -> LoadState {
        match self.results.try_recv() {
            Ok(arrived) => LoadState::Done(arrived),
            Err(TryRecvError::Disconnected) => LoadState::Lost,
            Err(TryRecvError::Empty) => LoadState::Running(self.describe()),
        }
    }

    /// Describes the progress as text.
    fn describe(&self) -> Loading {
        let (phase, done, total) = self.progress.get();
        #[expect(clippy::cast_precision_loss, reason = "fraction of a progress bar")]
        let part = (total > 0).then(|| (done as f32 / total as f32).min(1.0));
        #[expect(clippy::cast_precision_loss, reason = "a size to display")]
        let size = |bytes: u64| format_bytes(bytes as f64);
        let megabytes = || match total {
            0 => size(done),
            total => format!("{} of {}", size(done), size(total)),
        };
        let amount = match phase {
            phase if phase.is_waiting() => String::new(),
            Phase::Flows => String::new(),
            Phase::Read | Phase::Scan | Phase::Write => megabytes(),
            // Trace events count bytes of text; other formats count threads.
            Phase::Parse if total == 0 || total > 1_000_000 => megabytes(),
            _ if total == 0 => format_counted(done, "thread"),
            _ => format!("{done} of {}", format_counted(total, "thread")),
        };
        let pane = match self.target {
            Target::Open => Pane::A,
            Target::Compare(_) => Pane::B,
        };
        Loading { name: self.origin.name(), phase: phase.name(), part, amount, shown: self.shown, pane }
    }
}
