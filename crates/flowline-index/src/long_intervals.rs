//! The limit between intervals that are part of the picture and long ones in its backdrop.

use flowline_profile::{Ns, TimeRange};

/// The duration above which an interval is long: one fortieth of the recording.
pub(crate) fn long_in(extent: TimeRange) -> Ns {
    Ns(extent.len() / 40)
}
