//! Writing to the terminal: JSON lines to standard output, messages and progress to standard error.

use std::io::{BufWriter, IsTerminal, StdoutLock, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::import::{Phase, Progress};
use crate::profile::text::format_counted;

/// Buffered standard output.
pub(super) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, std::io::stdout().lock())
}

/// Prints one line to standard error.
pub(super) fn error_line(text: &str) {
    // Nothing can be done when standard error is closed.
    let _closed = writeln!(std::io::stderr(), "{text}");
}

/// A progress bar on a terminal; nothing elsewhere.
pub(super) struct ProgressLine {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Shows a load until [`ProgressLine::finish`].
    pub(super) fn start(name: &str, progress: &Arc<Progress>) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        if !std::io::stderr().is_terminal() {
            return Self { done, thread: None };
        }
        let (name, progress, stop) = (name.to_owned(), Arc::clone(progress), Arc::clone(&done));
        let thread = std::thread::Builder::new().name("flowline-progress".into()).spawn(move || {
            let bar = ProgressBar::new(1);
            if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:32} {percent:>3}% {msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(name);
            while !stop.load(Ordering::Relaxed) {
                let (phase, amount, total) = progress.get();
                bar.set_length(total.max(1));
                bar.set_position(amount);
                bar.set_message(match phase {
                    Phase::Read | Phase::Scan => format!("{} ({} MB)", phase.name(), amount / 1_000_000),
                    _ => format!("{} ({amount} of {})", phase.name(), format_counted(total, "thread")),
                });
                std::thread::sleep(Duration::from_millis(60));
            }
            bar.finish_and_clear();
        });
        Self { done, thread: thread.ok() }
    }

    /// Removes the bar.
    pub(super) fn finish(mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A failure of the progress bar is ignored.
            let _failed = thread.join();
        }
    }
}
