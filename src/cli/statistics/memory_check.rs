//! Keeps a command within the memory limit: long work polls [`MemoryCheck::goes_on`] and stops if it returns false.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::cli::opening::Opening;
use flowline_import::Budget;

/// Interval in milliseconds between two checks of the memory use.
const INTERVAL: u64 = 5;
/// Headroom in bytes that must be available until the next check.
const STEP: u64 = 64 << 20;

/// Polls memory use and stops work that would exceed the limit.
#[derive(Debug)]
pub(super) struct MemoryCheck {
    budget: Budget,
    began: Instant,
    /// Time of the next check, in milliseconds.
    due: AtomicU64,
    is_exceeded: AtomicBool,
}

impl MemoryCheck {
    pub(super) fn new(opening: &Opening) -> Self {
        let (due, is_exceeded) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { budget: opening.import.budget, began: Instant::now(), due, is_exceeded }
    }

    /// Returns false once the limit is reached, and from then on.
    pub(super) fn goes_on(&self) -> bool {
        if self.is_exceeded.load(Ordering::Relaxed) {
            return false;
        }
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if now >= self.due.load(Ordering::Relaxed) {
            self.due.store(now + INTERVAL, Ordering::Relaxed);
            if self.budget.check(STEP).is_err() {
                self.is_exceeded.store(true, Ordering::Relaxed);
            }
        }
        !self.is_exceeded.load(Ordering::Relaxed)
    }

    /// Returns the error for stopped work.
    pub(super) fn error(&self) -> anyhow::Error {
        if self.is_exceeded.load(Ordering::Relaxed) {
            let advice = "select fewer markers with --range, --search or --thread, or use another --by";
            return anyhow::anyhow!("not enough memory for so many groups; {advice}");
        }
        anyhow::anyhow!("the command was canceled")
    }
}
