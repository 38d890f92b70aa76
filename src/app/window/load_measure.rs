//! Times for `--measure-load`, from the start of the program.

use std::time::{Duration, Instant};

/// Times from the start of the program until a recording was shown.
#[derive(Clone, Copy, Debug)]
pub struct LoadTimes {
    /// Time until the first frame of the window; the recording may still be loading.
    pub window: Duration,
    /// Time until the first frame with any part of the recording.
    pub first: Duration,
    /// Time until the first frame with all markers; flows may follow.
    pub markers: Duration,
    /// Time until the first frame with the whole recording.
    pub whole: Duration,
}

/// An event whose first occurrence is timed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    started: Instant,
    after: Option<Duration>,
}

impl Moment {
    /// Takes the time, unless the event has already occurred.
    pub(super) fn reached(&mut self) {
        self.after.get_or_insert_with(|| self.started.elapsed());
    }

    pub(super) const fn is_reached(&self) -> bool {
        self.after.is_some()
    }
}

/// The times as far as they are known.
pub(super) struct LoadMeasure {
    /// The first frame.
    pub(super) window: Moment,
    /// The first frame with any part of the recording.
    pub(super) first: Moment,
    /// The first frame with all markers.
    pub(super) markers: Moment,
    /// The first frame with the whole recording.
    pub(super) whole: Moment,
}

impl LoadMeasure {
    pub(super) const fn new(started: Instant) -> Self {
        let moment = Moment { started, after: None };
        Self { window: moment, first: moment, markers: moment, whole: moment }
    }

    /// All times; `None` before the whole recording was shown.
    pub(super) fn times(&self) -> Option<LoadTimes> {
        let whole = self.whole.after?;
        let markers = self.markers.after.unwrap_or(whole);
        Some(LoadTimes { window: self.window.after?, first: self.first.after?, markers, whole })
    }
}
