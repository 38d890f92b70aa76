//! How long the GPU of a training loop was busy: the time during which at least one of its streams ran a kernel, copied or
//! filled memory. Streams run at the same time, so their times are not added up.

use flowline_index::{Index, gpu_busy};
use flowline_profile::{Ns, ThreadId, TimeRange};

/// Use of a GPU within a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuUse {
    /// Time with work on any stream.
    pub busy: Ns,
    /// Length of the range.
    pub whole: Ns,
}

impl GpuUse {
    /// The use of a GPU, given its streams; `None` without any.
    #[must_use]
    pub fn of(index: &Index, range: TimeRange, streams: &[ThreadId]) -> Option<Self> {
        if streams.is_empty() || range.is_empty() {
            return None;
        }
        let busy = gpu_busy(index.profile(), streams, Some(range));
        Some(Self { busy, whole: Ns(range.len()) })
    }

    /// Share of the range with work.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share with one decimal")]
    pub fn share(self) -> f64 {
        self.busy.0 as f64 / self.whole.0.max(1) as f64
    }
}
