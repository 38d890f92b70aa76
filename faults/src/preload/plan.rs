//! The fault to inject, from the environment, and the counter of the places where it could be.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One system call.
    Call,
    /// A call that writes, and all later ones.
    Full,
    /// One allocation.
    Memory,
}

static AT: AtomicU64 = AtomicU64::new(u64::MAX);
static COUNT: AtomicU64 = AtomicU64::new(0);
static VARIANT: AtomicU8 = AtomicU8::new(0);
static IS_FULL: AtomicBool = AtomicBool::new(false);

/// Reads the environment; `None` without a plan.
pub(crate) fn read() -> Option<Kind> {
    let text = std::env::var("FLOWLINE_FAULT").ok()?;
    let mut parts = text.split(':');
    let kind = match parts.next()? {
        "calls" => Kind::Call,
        "full" => Kind::Full,
        "memory" => Kind::Memory,
        _ => return None,
    };
    AT.store(parts.next()?.parse().ok()?, Ordering::Relaxed);
    VARIANT.store(parts.next()?.parse().ok()?, Ordering::Relaxed);
    IS_FULL.store(kind == Kind::Full, Ordering::Relaxed);
    Some(kind)
}

/// Counts a place; true if it fails. `writes` is true for a call that needs room on a disk.
pub(crate) fn fails(writes: bool) -> bool {
    if IS_FULL.load(Ordering::Relaxed) {
        return writes && COUNT.fetch_add(1, Ordering::Relaxed) >= AT.load(Ordering::Relaxed);
    }
    COUNT.fetch_add(1, Ordering::Relaxed) == AT.load(Ordering::Relaxed)
}

/// Which of several errors the call returns.
pub(crate) fn variant() -> u8 {
    if IS_FULL.load(Ordering::Relaxed) { 0 } else { VARIANT.load(Ordering::Relaxed) }
}

/// Number of places so far.
pub(crate) fn count() -> u64 {
    COUNT.load(Ordering::Relaxed)
}
