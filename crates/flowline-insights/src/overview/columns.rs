//! The columns into which the lanes of the overview divide their range.

use flowline_index::PALETTE_ENTRIES;
use flowline_profile::{Ns, TimeRange};

/// Number of columns.
pub const BINS: usize = 2048;
/// Number of kinds.
pub const KINDS: usize = PALETTE_ENTRIES;

/// Nanoseconds of work by column and kind.
pub(super) type Columns = Vec<[u64; KINDS]>;

/// The edges of the columns of a range: the start of each one, and the end of the last.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "times within the range")]
pub fn bin_start(range: TimeRange, bin: usize) -> Ns {
    range.start + Ns((i128::from(range.len()) * bin as i128 / BINS as i128) as i64)
}

/// The column that contains a time.
pub(super) fn bin_of(range: TimeRange, time: Ns) -> usize {
    let since = i128::from((time - range.start).0.clamp(0, range.len().max(0)));
    usize::try_from(since * BINS as i128 / i128::from(range.len().max(1))).unwrap_or(0).min(BINS - 1)
}
