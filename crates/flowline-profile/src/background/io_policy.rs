//! I/O policy of a thread, so that reading text does not block the window. Text is read from a mapped file; if the
//! system has evicted its pages, reading one takes longer than a frame. The window therefore first tries to work with
//! the pages in memory; if that fails, another thread reads the text, and a later frame shows it.

use std::cell::Cell;

/// I/O policy of this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IoMode {
    /// Reads anything; the system reads ahead.
    Sequential,
    /// Reads at random offsets, each of which is prefetched separately. Otherwise, some systems read megabytes around
    /// each offset.
    Random,
    /// Reads only from memory; so far, everything was in memory.
    InMemory,
    /// Reads nothing more, because something was not in memory.
    Refused,
}

thread_local! {
    static MANNER: Cell<IoMode> = const { Cell::new(IoMode::Sequential) };
}

/// Restores the policy, even after a panic.
struct Restore(IoMode);

impl Drop for Restore {
    fn drop(&mut self) {
        MANNER.set(self.0);
    }
}

/// Runs work on this thread with blocking reads disabled; `None` if it needed text that is not in memory. In that case
/// its results are invalid, because unread texts look as if they were missing. The system reads these texts in the
/// meantime.
pub fn no_blocking_io<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _restore = Restore(MANNER.replace(IoMode::InMemory));
    let found = work();
    (MANNER.get() == IoMode::InMemory).then_some(found)
}

/// Runs work on this thread that reads a few texts at random offsets.
pub fn with_random_access<T>(work: impl FnOnce() -> T) -> T {
    let _restore = Restore(MANNER.replace(IoMode::Random));
    work()
}

/// True if this thread may block on I/O. Shared caches must only be filled in this case.
#[must_use]
#[inline]
pub fn may_block() -> bool {
    matches!(MANNER.get(), IoMode::Sequential | IoMode::Random)
}

/// True if this thread may do something that takes longer than a frame. If it returns false, the current work is
/// treated as incomplete.
#[must_use]
#[inline]
pub fn may_take_long() -> bool {
    !before_reading(|| false).refuse
}

/// Actions before a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BeforeReading {
    /// Prefetch the text.
    pub(crate) fetch: bool,
    /// Do not read the text.
    pub(crate) refuse: bool,
}

/// Determines the actions before a text is read. `is_in_memory` is only called if needed.
#[inline]
pub(crate) fn before_reading(is_in_memory: impl FnOnce() -> bool) -> BeforeReading {
    match MANNER.get() {
        IoMode::Sequential => BeforeReading { fetch: false, refuse: false },
        IoMode::Random => BeforeReading { fetch: true, refuse: false },
        IoMode::InMemory if is_in_memory() => BeforeReading { fetch: false, refuse: false },
        IoMode::InMemory | IoMode::Refused => {
            MANNER.set(IoMode::Refused);
            BeforeReading { fetch: true, refuse: true }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: BeforeReading = BeforeReading { fetch: false, refuse: false };

    fn unasked() -> BeforeReading {
        before_reading(|| unreachable!("must not be called"))
    }

    #[test]
    fn work_that_needs_unread_text_has_no_result() {
        assert_eq!(unasked(), READ);
        assert_eq!(no_blocking_io(|| before_reading(|| true)), Some(READ));
        let refused = no_blocking_io(|| {
            let first = before_reading(|| false);
            assert_eq!([first, unasked()], [BeforeReading { fetch: true, refuse: true }; 2]);
            assert!(!may_block());
        });
        assert_eq!(refused, None);
        assert_eq!(with_random_access(unasked), BeforeReading { fetch: true, refuse: false });
        assert!(may_take_long() && no_blocking_io(may_take_long).is_none(), "slow work is treated as incomplete");
        let panicked = std::panic::catch_unwind(|| no_blocking_io(|| panic!("work may fail")));
        assert!(panicked.is_err() && may_block() && unasked() == READ, "the policy is restored after a panic");
    }
}
