//! How many frames of a page were shown.

use super::list::Frames;
use super::page_frame::{FrameState, PageFrame};
use flowline_profile::{MarkerId, TimeRange};

/// Numbers of frames by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCounts {
    /// Frames that were shown.
    pub shown: u64,
    /// Frames that were shown without the changes of the main thread.
    pub partial: u64,
    /// Frames that were dropped, or refreshes of the display that were missed.
    pub dropped: u64,
    /// Frames that came late.
    pub late: u64,
    /// Frames in which nothing was to be shown.
    pub idle: u64,
    /// The first frame that was dropped.
    pub first_dropped: Option<MarkerId>,
}

impl Frames {
    /// Counts the frames that begin in a closed range and that `is_own` accepts; `None` if the recording has no frames.
    #[must_use]
    pub fn counts(&self, times: TimeRange, is_own: impl Fn(&PageFrame) -> bool) -> Option<FrameCounts> {
        if self.list().is_empty() {
            return None;
        }
        let mut counts = FrameCounts::default();
        let from = self.list().partition_point(|frame| frame.times.start < times.start);
        let within = self.list()[from..].iter().take_while(|frame| frame.times.start <= times.end);
        for frame in within.filter(|frame| is_own(frame)) {
            match frame.state {
                FrameState::Shown => counts.shown += 1,
                FrameState::Partial => counts.partial += 1,
                FrameState::Idle => counts.idle += 1,
                FrameState::Dropped | FrameState::Missed => {
                    counts.dropped += 1;
                    counts.first_dropped = counts.first_dropped.or(Some(frame.marker));
                }
            }
            counts.late += u64::from(frame.is_late);
        }
        Some(counts)
    }
}
