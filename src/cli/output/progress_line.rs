//! Progress of a load: a bar on a terminal; otherwise only a message if the load waits for another program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use flowline_import::{Phase, Progress};
use flowline_terminal as terminal;

/// Interval between two updates.
const INTERVAL: Duration = Duration::from_millis(60);
/// Minimum wait for another program before it is reported.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows the progress of a load until it is finished.
pub(crate) struct ProgressLine {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Shows the progress until [`ProgressLine::finish`].
    pub(crate) fn start(name: &str, progress: &Arc<Progress>) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (name, progress, stop) = (terminal::visible(name), Arc::clone(progress), Arc::clone(&done));
        let follow = move || {
            if terminal::has_terminal() {
                draw_bar(name, &progress, &stop);
            } else {
                say_waiting(&name, &progress, &stop);
            }
        };
        let thread = std::thread::Builder::new().name("flowline-progress".into()).spawn(follow);
        Self { done, thread: thread.ok() }
    }

    /// Removes the bar.
    pub(crate) fn finish(mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // Failures of the progress bar are ignored.
            let _failed = thread.join();
        }
    }
}

fn draw_bar(name: String, progress: &Progress, stop: &AtomicBool) {
    let bar = ProgressBar::new(1);
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:32} {percent:>3}% {msg}") {
        bar.set_style(style);
    }
    bar.set_prefix(name);
    while !stop.load(Ordering::Relaxed) {
        let (phase, amount, total) = progress.get();
        bar.set_length(total.max(1));
        bar.set_position(if total == 0 { 0 } else { amount });
        bar.set_message(match phase {
            phase if phase.is_waiting() => phase.name().to_owned(),
            Phase::Read | Phase::Scan | Phase::Write => format!("{} ({} MB)", phase.name(), amount / 1_000_000),
            _ => format!("{} ({amount} of {total} threads)", phase.name()),
        });
        std::thread::park_timeout(INTERVAL);
    }
    bar.finish_and_clear();
}

/// Reports once if the load waits for another program for long.
fn say_waiting(name: &str, progress: &Progress, stop: &AtomicBool) {
    let began = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let (phase, ..) = progress.get();
        if phase.is_waiting() && began.elapsed() >= PATIENCE {
            return terminal::error_line(&format!("flowline: {name}: {} (press Ctrl+C to cancel)", phase.name()));
        }
        std::thread::park_timeout(INTERVAL);
    }
}

/// A progress bar for a known number of items; shown only on a terminal.
pub(crate) struct CountLine(Option<ProgressBar>);

impl CountLine {
    /// Shows a bar until [`CountLine::finish`].
    pub(crate) fn start(what: &'static str, total: u64) -> Self {
        if !terminal::has_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::new(total.max(1));
        if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:32} {percent:>3}%") {
            bar.set_style(style);
        }
        bar.set_prefix(what);
        Self(Some(bar))
    }

    /// Sets the number of finished items.
    pub(crate) fn set(&self, done: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(done);
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}
