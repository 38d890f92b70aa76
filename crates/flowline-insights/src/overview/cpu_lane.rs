//! CPU use over the whole recording, by kind of work.
//!
//! Each column contains the time that its threads worked, never a number of markers. Samples state it; without
//! samples, a thread works in its innermost slice.

use rayon::prelude::*;

use super::columns::{BINS, Columns, KINDS, bin_start};
use super::slice_time::add_slices;
use flowline_index::Index;
use flowline_profile::{ThreadId, TimeRange};

/// CPU use of some threads.
#[derive(Clone, Debug)]
pub struct CpuLane {
    range: TimeRange,
    columns: Columns,
    max: u64,
    threads: usize,
}

impl CpuLane {
    /// Adds up the work of threads within a range, in parallel.
    #[must_use]
    pub fn of(index: &Index, range: TimeRange, threads: &[ThreadId]) -> Self {
        let empty = || vec![[0_u64; KINDS]; BINS];
        let add_thread = |mut columns: Columns, id: &ThreadId| {
            add_work(index, *id, range, &mut columns);
            columns
        };
        let add = |mut sum: Columns, part: Columns| {
            sum.iter_mut().flatten().zip(part.iter().flatten()).for_each(|(sum, part)| *sum += part);
            sum
        };
        let columns = threads.par_iter().fold(empty, add_thread).reduce(empty, add);
        let max = columns.iter().map(|column| column.iter().sum()).max().unwrap_or(0);
        Self { range, columns, max, threads: threads.len() }
    }

    /// The range that is divided into columns.
    #[must_use]
    pub const fn range(&self) -> TimeRange {
        self.range
    }

    /// Nanoseconds of work in a column, by kind.
    #[must_use]
    pub fn column(&self, bin: usize) -> [u64; KINDS] {
        self.columns.get(bin).copied().unwrap_or([0; KINDS])
    }

    /// The work of a column of full height: the length of a column for a single thread, else the greatest work of any.
    #[must_use]
    pub fn full(&self) -> u64 {
        let length = u64::try_from(self.range.len()).unwrap_or(0) / BINS as u64;
        if self.threads == 1 { length.max(1) } else { self.max.max(1) }
    }

    /// True if no thread worked.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.max == 0
    }
}

/// Adds the work of a thread.
fn add_work(index: &Index, id: ThreadId, range: TimeRange, columns: &mut Columns) {
    let Some(track) = index.cpu().get(id) else {
        return add_slices(index, id, range, columns);
    };
    let (clock, ticks) = (index.clock(), track.tick_tree().all());
    let mut from = 0;
    for (bin, column) in columns.iter_mut().enumerate() {
        let (first, end) = (clock.tick(bin_start(range, bin)), clock.tick(bin_start(range, bin + 1)));
        let after = from + ticks[from..].partition_point(|tick| *tick < end);
        // The step before the column reaches into it.
        let start = if ticks.get(from).is_some_and(|tick| *tick <= first) { from } else { from.saturating_sub(1) };
        let steps = (start.min(after), after);
        if steps.0 < steps.1 && first < end {
            let shares = track.shares(steps, (first.max(ticks[steps.0]), end));
            for (sum, share) in column.iter_mut().zip(shares) {
                *sum += u64::try_from(clock.duration(share / 100).0).unwrap_or(0);
            }
        }
        from = after;
    }
}
