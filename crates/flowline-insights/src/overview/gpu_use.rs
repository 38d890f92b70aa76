//! How long the GPU of a training loop was busy: the time during which at least one of its streams ran a kernel, copied or
//! filled memory. Streams run at the same time, so their times are not added up.

use flowline_index::Index;
use flowline_profile::{CategoryId, Ns, ThreadId, TimeRange};

/// Parts of the categories of work on a GPU, in lower case. Other slices of a stream are annotations of the program.
const WORK: [&str; 3] = ["kernel", "memcpy", "memset"];

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
        let profile = index.profile();
        let is_work = |category: CategoryId| {
            let name = profile.category_name(category).to_ascii_lowercase();
            WORK.iter().any(|part| name.contains(part))
        };
        let mut work: Vec<(i64, i64)> = Vec::new();
        for stream in streams {
            let markers = &profile.thread(*stream).markers;
            let attributes = markers.attributes();
            let counts: Vec<bool> = attributes.items().iter().map(|own| is_work(own.category())).collect();
            let own = (0..markers.len()).filter(|marker| counts[attributes.number(*marker)]);
            let times = markers.times();
            work.extend(own.map(|marker| times.range(marker)).filter_map(|own| {
                let (start, end) = (own.start.max(range.start).0, own.end.min(range.end).0);
                (start < end).then_some((start, end))
            }));
        }
        work.sort_unstable();
        let (mut busy, mut until) = (0_i64, i64::MIN);
        for (start, end) in work {
            busy = busy.saturating_add((end - start.max(until)).max(0));
            until = until.max(end);
        }
        Some(Self { busy: Ns(busy), whole: Ns(range.len()) })
    }

    /// Share of the range with work.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share with one decimal")]
    pub fn share(self) -> f64 {
        self.busy.0 as f64 / self.whole.0.max(1) as f64
    }
}
