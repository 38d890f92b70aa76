//! The clock that people see: times relative to a time origin.

use crate::{Ns, TimeRange};

/// Converts times on the recording's own clock to displayed times. The default shows the recording's own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DisplayClock {
    /// The time on the recording's own clock that is displayed as zero.
    pub origin: Ns,
}

impl DisplayClock {
    /// The clock that shows zero at a time.
    #[must_use]
    #[inline]
    pub const fn starting_at(origin: Ns) -> Self {
        Self { origin }
    }

    /// The displayed time of a time on the recording's own clock.
    #[must_use]
    #[inline]
    pub fn show(self, time: Ns) -> Ns {
        time - self.origin
    }

    /// A range in displayed times.
    #[must_use]
    #[inline]
    pub fn show_range(self, range: TimeRange) -> TimeRange {
        TimeRange { start: self.show(range.start), end: self.show(range.end) }
    }

    /// The time on the recording's own clock of a displayed time.
    #[must_use]
    #[inline]
    pub fn recorded(self, displayed: Ns) -> Ns {
        displayed + self.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displayed_times_convert_back() {
        let clock = DisplayClock::starting_at(Ns(1_000));
        let range = TimeRange::new(Ns(900), Ns(1_500));
        assert_eq!(clock.show_range(range), TimeRange::new(Ns(-100), Ns(500)));
        assert_eq!(clock.recorded(clock.show(range.end)), range.end);
        assert_eq!(DisplayClock::default().show(range.start), range.start);
    }
}
