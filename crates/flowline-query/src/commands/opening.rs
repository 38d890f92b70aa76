//! Progress of opening a recording: a line on a terminal, or messages to the window.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use flowline_import::{Phase, Progress};
use flowline_terminal::{has_terminal, status_line};

/// Interval between two updates. Cached recordings open before the first one.
const INTERVAL: Duration = Duration::from_millis(150);

/// A thread that reports progress until this is dropped.
pub(super) struct Opening {
    /// Dropped to end the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The state of a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OpeningState {
    /// Name of the phase.
    pub(super) phase: &'static str,
    /// Finished part of the phase in percent, if it is known.
    pub(super) percent: Option<u64>,
}

impl OpeningState {
    fn of(progress: &Progress) -> Self {
        let (phase, done, total) = progress.get();
        let is_counted = total > 0 && !phase.is_waiting() && phase != Phase::Flows;
        Self { phase: phase.name(), percent: is_counted.then(|| done.min(total).saturating_mul(100) / total) }
    }
}

impl Opening {
    /// Calls `report` with each new state.
    pub(super) fn watch(progress: &Arc<Progress>, mut report: impl FnMut(OpeningState) + Send + 'static) -> Self {
        let (stop, stopped) = channel();
        let progress = Arc::clone(progress);
        let follow = move || {
            let mut last = None;
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let state = OpeningState::of(&progress);
                if last.replace(state) != Some(state) {
                    report(state);
                }
            }
        };
        // Without a thread, there is no report.
        let thread = std::thread::Builder::new().name("query progress".into()).spawn(follow);
        Self { stop: Some(stop), thread: thread.ok() }
    }

    /// Shows a line on the terminal, if standard error is one.
    pub(super) fn show(progress: &Arc<Progress>) -> Option<Self> {
        has_terminal().then(|| {
            let mut line = Line { is_shown: false };
            Self::watch(progress, move |state| line.show(state))
        })
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.stop = None;
        // A panic of the thread was printed, and costs the report only.
        let _panicked = self.thread.take().map(JoinHandle::join);
    }
}

/// The line on the terminal, removed at the end.
struct Line {
    is_shown: bool,
}

impl Line {
    fn show(&mut self, state: OpeningState) {
        self.is_shown = true;
        let percent = state.percent.map(|percent| format!(" {percent} %")).unwrap_or_default();
        status_line(&format!("{}{percent}", state.phase));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.is_shown {
            status_line("");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn states_are_reported_once_until_the_end() {
        let (progress, seen) = (Arc::new(Progress::default()), Arc::new(Mutex::new(Vec::new())));
        let to = Arc::clone(&seen);
        let opening = Opening::watch(&progress, move |state| to.lock().expect("no panic").push(state));
        progress.begin(Phase::Parse, 8);
        progress.set(2);
        std::thread::sleep(4 * INTERVAL);
        progress.begin(Phase::Flows, 0);
        std::thread::sleep(4 * INTERVAL);
        drop(opening);
        let count = seen.lock().expect("no panic").len();
        progress.begin(Phase::Index, 1);
        std::thread::sleep(2 * INTERVAL);
        let seen = seen.lock().expect("no panic");
        let expected = [
            OpeningState { phase: Phase::Parse.name(), percent: Some(25) },
            OpeningState { phase: Phase::Flows.name(), percent: None },
        ];
        assert_eq!((&seen[..], count), (&expected[..], 2));
    }
}
