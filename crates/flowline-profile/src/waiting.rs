//! Reading text without keeping the window waiting. Text is read from a mapped file; if the system has dropped its pages, reading
//! one takes longer than a frame may. So the window tries first whether everything it needs is in memory; if not, another
//! thread reads it, and the next frames show it.

use std::cell::Cell;

/// How this thread reads text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// As it comes; the system reads ahead.
    Sequential,
    /// At random places: the system is asked for each by itself. Otherwise, some machines read megabytes around each.
    Random,
    /// Only what is in memory, and so far everything was.
    InMemory,
    /// Nothing any more, because something was not in memory.
    Refused,
}

thread_local! {
    static MANNER: Cell<Manner> = const { Cell::new(Manner::Sequential) };
}

/// Restores the manner, also after a panic.
struct Restore(Manner);

impl Drop for Restore {
    fn drop(&mut self) {
        MANNER.set(self.0);
    }
}

/// Runs work on this thread that reads no text that is not in memory; `None` if it wanted to. What it found is void then: texts
/// that it did not read look as if they were missing. The system is asked to read them meanwhile.
pub fn without_waiting<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _restore = Restore(MANNER.replace(Manner::InMemory));
    let found = work();
    (MANNER.get() == Manner::InMemory).then_some(found)
}

/// Runs work on this thread that reads a few texts at random places.
pub fn with_random_access<T>(work: impl FnOnce() -> T) -> T {
    let _restore = Restore(MANNER.replace(Manner::Random));
    work()
}

/// Whether this thread reads whatever it needs. What is kept for all must not be made otherwise.
#[must_use]
pub fn may_wait() -> bool {
    matches!(MANNER.get(), Manner::Sequential | Manner::Random)
}

/// Whether this thread may do something that takes longer than a frame. If not, the work counts as not done.
#[must_use]
pub fn may_take_long() -> bool {
    !before_reading(|| false).refuse
}

/// What to do before a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BeforeReading {
    /// The system is asked for it.
    pub(super) fetch: bool,
    /// It must not be read.
    pub(super) refuse: bool,
}

/// What to do before a text is read. `is_in_memory` is only asked where it matters.
#[inline]
pub(super) fn before_reading(is_in_memory: impl FnOnce() -> bool) -> BeforeReading {
    match MANNER.get() {
        Manner::Sequential => BeforeReading { fetch: false, refuse: false },
        Manner::Random => BeforeReading { fetch: true, refuse: false },
        Manner::InMemory if is_in_memory() => BeforeReading { fetch: false, refuse: false },
        Manner::InMemory | Manner::Refused => {
            MANNER.set(Manner::Refused);
            BeforeReading { fetch: true, refuse: true }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: BeforeReading = BeforeReading { fetch: false, refuse: false };

    fn unasked() -> BeforeReading {
        before_reading(|| unreachable!("nobody asks"))
    }

    #[test]
    fn only_work_that_finds_everything_in_memory_counts() {
        assert_eq!(unasked(), READ);
        assert_eq!(without_waiting(|| before_reading(|| true)), Some(READ));
        let refused = without_waiting(|| {
            let first = before_reading(|| false);
            assert_eq!([first, unasked()], [BeforeReading { fetch: true, refuse: true }; 2]);
            assert!(!may_wait());
        });
        assert_eq!(refused, None);
        assert_eq!(with_random_access(unasked), BeforeReading { fetch: true, refuse: false });
        assert!(may_take_long() && without_waiting(may_take_long).is_none(), "what takes long counts as not done");
        let panicked = std::panic::catch_unwind(|| without_waiting(|| panic!("work may fail")));
        assert!(panicked.is_err() && may_wait() && unasked() == READ, "that was over, too");
    }
}
