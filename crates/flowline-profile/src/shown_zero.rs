//! The zero of the times that people see. It is a setting of the window, kept with the recording because every text with a
//! time in it asks there. Options, names of flows and files keep to the recording's own zero.

use std::sync::atomic::{AtomicI64, Ordering};

use super::Profile;
use crate::Ns;

/// Nanoseconds from the recording's own zero to the one that is shown.
#[derive(Debug, Default)]
pub struct ShownZero(AtomicI64);

impl Clone for ShownZero {
    fn clone(&self) -> Self {
        Self(AtomicI64::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Profile {
    /// The time at which the times that are shown are zero: [`Profile::time_zero`] unless another one was chosen.
    #[must_use]
    pub fn shown_zero(&self) -> Ns {
        self.time_zero() + Ns(self.shown_zero.0.load(Ordering::Relaxed))
    }

    /// Shows all times relative to this one; `None` goes back to the recording's own zero.
    pub fn show_zero_at(&self, time: Option<Ns>) {
        let shift = time.map_or(0, |time| (time - self.time_zero()).0);
        self.shown_zero.0.store(shift, Ordering::Relaxed);
    }

    /// A point in time as it is shown.
    #[must_use]
    pub fn displayed(&self, time: Ns) -> Ns {
        time - self.shown_zero()
    }

    /// A point in time on the recording's own displayed clock, whatever zero is shown.
    #[must_use]
    pub fn on_own_clock(&self, time: Ns) -> Ns {
        time - self.time_zero()
    }
}
