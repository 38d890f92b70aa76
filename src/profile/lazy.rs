//! Values that are built when they are first asked for, on the pool or elsewhere.

use std::sync::OnceLock;

/// The value of a slot, built now if necessary. It is built outside of the lock, because building uses the pool: a thread of
/// the pool that waits for a part of its work takes another job meanwhile, and if that job asked for the same value, it would
/// wait for a lock that its own thread holds. Two jobs that ask at once both build the value, and one of the results is
/// dropped.
pub fn get_or_build<T>(slot: &OnceLock<T>, build: impl FnOnce() -> T) -> &T {
    slot.get().unwrap_or_else(|| {
        let built = build();
        slot.get_or_init(|| built)
    })
}
