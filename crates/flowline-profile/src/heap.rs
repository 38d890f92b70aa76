//! The memory on the heap of the program, as its allocator counts it, and the limit beyond which the program ends.
//!
//! Everything that importers, indexes and commands keep passes through the allocator, so this one count replaces
//! estimates of each structure. Loads watch it where they also look for cancellation, and stop with an error; the limit
//! here is for what grows between two such places. Mapped files are not on the heap: the system may drop their pages.
//!
//! A thread adds up its changes and publishes sums of 64 KiB, so that counting costs hardly any shared writes. The count
//! includes the overhead of the system allocator, and memory that was reserved but never written. It therefore only
//! decides when to look at the memory in use, which the system knows: each time half of what was left may be gone.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Bytes that a thread allocates or frees until it publishes them. Larger blocks are published before they exist.
const BATCH: i64 = 1 << 16;
/// Bytes that the system allocator adds to a block, and of which a block has a multiple.
const HEADER: usize = 8;
const GRAIN: usize = 16;
/// The smallest block with its header.
const SMALLEST: usize = 32;
/// Bytes between two comparisons of the memory in use with a limit, at least.
pub const STEP: u64 = 1 << 20;

static USED: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
/// The count at which the memory in use is compared with the limit.
static DUE: AtomicU64 = AtomicU64::new(u64::MAX);

thread_local! {
    /// Changes of this thread that are not published. No value with a destructor: the allocator uses it until a thread ends.
    static UNPUBLISHED: Cell<i64> = const { Cell::new(0) };
}

/// Bytes on the heap; 0 in programs whose allocator does not count.
#[must_use]
#[inline]
pub fn used() -> u64 {
    USED.load(Ordering::Relaxed).max(0).cast_unsigned()
}

/// The most bytes that were on the heap at once.
#[must_use]
pub fn peak() -> u64 {
    PEAK.load(Ordering::Relaxed).max(0).cast_unsigned()
}

/// Limits the memory in use; `u64::MAX` for no limit. Returns the previous limit.
pub fn set_limit(bytes: u64) -> u64 {
    DUE.store(if bytes == u64::MAX { bytes } else { bytes / 2 }, Ordering::Relaxed);
    LIMIT.swap(bytes, Ordering::Relaxed)
}

/// Compares the memory in use, and what is about to be added, with the limit. Returns the bytes that are left.
///
/// # Errors
/// The bytes that are free, if they do not suffice.
#[cold]
pub fn left_after(in_use: u64, more: u64) -> Result<u64, u64> {
    let limit = LIMIT.load(Ordering::Relaxed);
    let free = limit.saturating_sub(in_use);
    let left = limit.checked_sub(in_use.saturating_add(more)).ok_or(free)?;
    DUE.store(used().saturating_add((left / 2).max(STEP)), Ordering::Relaxed);
    Ok(left)
}

/// Counts a block that is about to be allocated. Returns true if the memory in use must be compared with the limit.
#[inline]
pub fn on_allocate(size: usize) -> bool {
    add(cost(size))
}

/// Counts a block that is freed.
#[inline]
pub fn on_free(size: usize) {
    let _never = add(-cost(size));
}

/// Counts a block that changes its size. Returns true if the memory in use must be compared with the limit.
#[inline]
pub fn on_resize(from: usize, to: usize) -> bool {
    add(cost(to) - cost(from))
}

/// Bytes that the system allocator takes for a block.
#[inline]
fn cost(size: usize) -> i64 {
    let taken = size.saturating_add(HEADER + GRAIN - 1) & !(GRAIN - 1);
    i64::try_from(taken.max(SMALLEST)).unwrap_or(i64::MAX / 4)
}

#[inline]
fn add(bytes: i64) -> bool {
    let unpublished = UNPUBLISHED.get().saturating_add(bytes);
    if unpublished.unsigned_abs() < BATCH.unsigned_abs() {
        UNPUBLISHED.set(unpublished);
        return false;
    }
    UNPUBLISHED.set(0);
    publish(unpublished)
}

#[cold]
fn publish(bytes: i64) -> bool {
    let used = USED.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
    if bytes < 0 {
        return false;
    }
    if used > PEAK.load(Ordering::Relaxed) {
        PEAK.fetch_max(used, Ordering::Relaxed);
    }
    used.max(0).cast_unsigned() > DUE.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_take_what_the_system_allocator_takes() {
        for (size, taken) in [(0, 32), (1, 32), (24, 32), (25, 48), (40, 48), (41, 64), (100_000, 100_016)] {
            assert_eq!(cost(size), taken, "{size}");
        }
        assert!(cost(usize::MAX) > 0);
    }

    /// One test, because the count is that of the program. The allocator of this test program does not count.
    #[test]
    fn sums_of_threads_decide_when_to_look_at_the_limit() {
        assert_eq!((used(), peak()), (0, 0));
        assert!(!on_allocate(1000));
        assert_eq!(used(), 0, "small changes wait");
        assert!(!on_allocate(100_000));
        assert_eq!(used(), 100_016 + 1008, "large ones take them along");
        // Changes of other threads meet in one sum.
        std::thread::spawn(|| on_free(100_000)).join().expect("counts");
        assert_eq!((used(), peak()), (1008, 101_024));

        // Half of the limit may be gone.
        assert_eq!(set_limit(10 << 20), u64::MAX);
        assert!(!on_allocate(4 << 20));
        assert!(on_allocate(2 << 20));
        // Only 4 MiB are in use, so half of the other 6 - 2 may follow.
        assert_eq!(left_after(4 << 20, 2 << 20), Ok(4 << 20));
        assert!(!on_allocate(1 << 20));
        assert!(on_allocate((1 << 20) + 1));
        assert_eq!(left_after(9 << 20, 2 << 20), Err(1 << 20));
        assert_eq!(left_after(11 << 20, 0), Err(0));
        assert_eq!(set_limit(u64::MAX), 10 << 20);
        assert!(!on_resize(0, 1 << 30));
        on_free(1 << 30);
    }
}
