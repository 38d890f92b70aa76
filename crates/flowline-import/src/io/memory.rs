//! The memory limit of an import. A recording that is too large for the machine is refused with an error.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::proc;
use crate::error::ImportError;
use flowline_profile::heap;

/// The memory limit of an import.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Bytes that the whole program may use; `None` means the available memory of the machine.
    pub limit: Option<u64>,
}

/// Bytes reserved for other programs and for memory that no estimate includes.
const RESERVE: u64 = 64 << 20;

impl Budget {
    /// Checks that `bytes` additional bytes may be used.
    ///
    /// # Errors
    /// [`ImportError::OutOfMemory`] if not.
    pub fn check(self, bytes: u64) -> Result<(), ImportError> {
        match self.free() {
            Some(free) if bytes > free => Err(ImportError::OutOfMemory { needed: bytes, free }),
            Some(_) | None => Ok(()),
        }
    }

    /// Bytes that may be used; `None` if unknown.
    fn free(self) -> Option<u64> {
        let own = self.limit.map(|limit| limit.saturating_sub(used()));
        own.or_else(|| available().map(|free| free.saturating_sub(RESERVE)))
    }
}

/// Compares the memory in use with the budget of a load while it runs, each time that the heap has grown by half of what
/// was left (see `flowline_profile::heap`). It needs an allocator that counts.
#[derive(Debug)]
pub(crate) struct HeapWatch {
    budget: Mutex<Budget>,
    /// Bytes on the heap at the next comparison.
    due: AtomicU64,
    is_exceeded: AtomicBool,
}

impl Default for HeapWatch {
    fn default() -> Self {
        Self { budget: Mutex::default(), due: AtomicU64::new(u64::MAX), is_exceeded: AtomicBool::new(false) }
    }
}

impl HeapWatch {
    /// Begins to watch.
    pub(crate) fn begin(&self, budget: Budget) {
        *self.budget.lock().unwrap_or_else(PoisonError::into_inner) = budget;
        self.compare();
    }

    /// True from the time on when the budget is used up.
    #[inline]
    pub(crate) fn is_exceeded(&self) -> bool {
        if heap::used() > self.due.load(Ordering::Relaxed) {
            self.compare();
        }
        self.is_exceeded.load(Ordering::Relaxed)
    }

    #[cold]
    fn compare(&self) {
        let free = self.budget().free();
        if free.is_some_and(|free| free < heap::STEP) {
            self.is_exceeded.store(true, Ordering::Relaxed);
        }
        let step = free.map_or(u64::MAX, |free| (free / 2).max(heap::STEP));
        self.due.store(heap::used().saturating_add(step), Ordering::Relaxed);
    }

    /// The budget.
    pub(crate) fn budget(&self) -> Budget {
        *self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Estimates the peak memory of parallel work in parts, in bytes. The largest parts run at once, one per core, with
/// `busy` bytes per item. The other parts take `done` bytes per item.
#[must_use]
pub(crate) fn peak_of_parts(items: impl Iterator<Item = usize>, busy: u64, done: u64) -> u64 {
    let mut items: Vec<u64> = items.map(|count| count as u64).collect();
    items.sort_unstable_by_key(|count| Reverse(*count));
    let (at_once, others) = items.split_at(items.len().min(rayon::current_num_threads()));
    at_once.iter().sum::<u64>() * busy + others.iter().sum::<u64>() * done
}

/// Anonymous memory of this program in bytes; 0 if unknown.
fn used() -> u64 {
    proc::status_bytes("RssAnon").unwrap_or(0)
}

/// Available bytes: the minimum of the machine, the control group and the address space.
fn available() -> Option<u64> {
    let limits = [proc::available_memory(), proc::available_group_memory(), proc::available_address_space()];
    limits.into_iter().flatten().min()
}

/// Peak resident memory of this process in bytes, excluding mapped files; 0 if unknown.
#[must_use]
pub fn peak_memory() -> u64 {
    let bytes = |name| proc::status_bytes(name).unwrap_or(0);
    bytes("VmHWM").saturating_sub(bytes("RssFile") + bytes("RssShmem"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_parts_are_worked_on_at_once() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let memory = |items: &[usize]| pool.install(|| peak_of_parts(items.iter().copied(), 10, 1));
        assert_eq!(memory(&[1, 300, 2, 200]), 5_003);
        assert_eq!(memory(&[7]), 70);
        assert_eq!(memory(&[]), 0);
    }

    #[test]
    fn a_limit_is_enforced() {
        let budget = Budget { limit: Some(1 << 40) };
        assert!(budget.check(1 << 20).is_ok());
        let refused = budget.check(1 << 41);
        assert!(matches!(refused, Err(ImportError::OutOfMemory { needed, .. }) if needed == 1 << 41));
        assert!(Budget { limit: Some(0) }.check(1).is_err());
    }
}
