//! The time origin of displayed times. It is a window setting, but it is stored with the recording because every text
//! that contains a time depends on it. Options, flow names and files use the recording's own origin.

use std::sync::atomic::{AtomicI64, Ordering};

use super::Profile;
use crate::Ns;

/// Nanoseconds from the recording's own origin to the displayed one.
#[derive(Debug, Default)]
pub struct ShownZero(AtomicI64);

impl Clone for ShownZero {
    fn clone(&self) -> Self {
        Self(AtomicI64::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Profile {
    /// The displayed time origin: [`Profile::time_zero`], unless another one is set.
    #[must_use]
    pub fn shown_zero(&self) -> Ns {
        self.time_zero() + Ns(self.shown_zero.0.load(Ordering::Relaxed))
    }

    /// Displays all times relative to this one; `None` restores the recording's own origin.
    pub fn show_zero_at(&self, time: Option<Ns>) {
        let shift = time.map_or(0, |time| (time - self.time_zero()).0);
        self.shown_zero.0.store(shift, Ordering::Relaxed);
    }

    /// A point in time relative to the displayed origin.
    #[must_use]
    pub fn displayed(&self, time: Ns) -> Ns {
        time - self.shown_zero()
    }

    /// A point in time relative to the recording's own origin, regardless of the displayed origin.
    #[must_use]
    pub fn on_own_clock(&self, time: Ns) -> Ns {
        time - self.time_zero()
    }
}
