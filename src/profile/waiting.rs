//! Work that must not wait for the disk. Text is read from a mapped file; if the system has dropped its pages, reading one takes
//! milliseconds, longer than a frame may. So the window tries first whether everything it needs is in memory; if not, another
//! thread reads it, and the next frames show it.

use std::cell::Cell;

/// What this thread does about text that is not in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    /// It reads it.
    Waits,
    /// It would not read it, but has not had to refuse so far.
    Refuses,
    /// It did not read some.
    Refused,
}

thread_local! {
    static PATIENCE: Cell<Patience> = const { Cell::new(Patience::Waits) };
}

/// Restores how it was, also after a panic.
struct Restore(Patience);

impl Drop for Restore {
    fn drop(&mut self) {
        PATIENCE.set(self.0);
    }
}

/// Runs work on this thread that reads no text that is not in memory; `None` if it wanted to. What it found is void then: texts
/// that it did not read look as if they were missing.
pub fn without_waiting<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _restore = Restore(PATIENCE.replace(Patience::Refuses));
    let found = work();
    (PATIENCE.get() == Patience::Refuses).then_some(found)
}

/// Whether this thread reads whatever it needs. What is kept for all must not be made otherwise.
#[must_use]
pub fn may_wait() -> bool {
    PATIENCE.get() == Patience::Waits
}

/// Whether text must not be read here. `is_in_memory` is only asked where it matters.
#[inline]
pub(super) fn must_not_read(is_in_memory: impl FnOnce() -> bool) -> bool {
    match PATIENCE.get() {
        Patience::Waits => false,
        // One refusal is enough: what is read from now on is void.
        Patience::Refused => true,
        Patience::Refuses if is_in_memory() => false,
        Patience::Refuses => {
            PATIENCE.set(Patience::Refused);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_that_finds_everything_in_memory_counts() {
        assert!(!must_not_read(|| unreachable!("nobody asks")));
        assert_eq!(without_waiting(|| must_not_read(|| true)), Some(false));
        assert_eq!(without_waiting(|| (must_not_read(|| false), must_not_read(|| true))), None);
        assert!(!must_not_read(|| unreachable!("that was over")));
        let panicked = std::panic::catch_unwind(|| without_waiting(|| panic!("work may fail")));
        assert!(panicked.is_err() && !must_not_read(|| unreachable!("that was over, too")));
    }
}
