//! Activity over the whole recording: the number of markers that start in each of [`SLICES`] time bins, by color. In a
//! recording without markers, activity counts the non-idle samples instead.

use rayon::prelude::*;

use crate::colors::{Styles, category_entry};
use flowline_profile::persist::persist;
use flowline_profile::{Category, Column, LocalMarker, Ns, Profile, StackId, Thread, ThreadId, TimeRange};

/// Number of time bins.
pub const SLICES: usize = 2048;
/// Number of palette entries counted.
const COLORS: usize = crate::colors::PALETTE_ENTRIES;

/// Marker starts by time bin and color.
#[derive(Clone, Debug)]
pub struct Activity {
    range: TimeRange,
    counts: Column<[u32; COLORS]>,
    max: u32,
}
persist!(Activity { range, counts, max });

impl Activity {
    /// Counts the markers of a profile, or its samples if it has no markers. Threads are counted in parallel.
    #[must_use]
    pub fn build(profile: &Profile, styles: &Styles, range: TimeRange) -> Self {
        if profile.marker_count() == 0 {
            return Self::of_samples(profile, range, &|_, _| true);
        }
        Self::count(profile, range, |counts, _, thread| {
            for (index, start) in thread.markers.times().starts().enumerate() {
                let color = styles.get(thread.global(LocalMarker::new(index))).color();
                counts[slice_of(range, start)][usize::from(color) % COLORS] += 1;
            }
        })
    }

    /// Counts a subset of the markers: those that start in `range`, among the first `candidates` of each thread.
    /// `marker` returns a candidate by thread and position.
    #[must_use]
    pub fn narrowed(
        profile: &Profile,
        styles: &Styles,
        range: TimeRange,
        candidates: &(dyn Fn(ThreadId) -> usize + Sync),
        marker: &(dyn Fn(ThreadId, usize) -> LocalMarker + Sync),
    ) -> Self {
        Self::count(profile, range, |counts, id, thread| {
            for marker in (0..candidates(id)).map(|position| marker(id, position)) {
                let start = thread.markers.start(marker);
                if start >= range.start && start <= range.end {
                    let color = styles.get(thread.global(marker)).color();
                    counts[slice_of(range, start)][usize::from(color) % COLORS] += 1;
                }
            }
        })
    }

    /// Counts the non-idle samples in `range` that have a stack and that `keep` accepts by thread and stack.
    #[must_use]
    pub fn of_samples(profile: &Profile, range: TimeRange, keep: &(dyn Fn(ThreadId, StackId) -> bool + Sync)) -> Self {
        let color = |category: &Category| (category.name != "Idle").then(|| category_entry(category));
        let colors: Vec<Option<u8>> = profile.categories.iter().map(color).collect();
        Self::count(profile, range, |counts, id, thread| {
            let Some(samples) = &thread.samples else { return };
            let times = samples.cpu.time.iter().enumerate();
            let inside = times.filter(|(_, time)| **time >= range.start && **time <= range.end);
            for (sample, time) in inside {
                let Some(stack) = samples.cpu.stack(sample).filter(|stack| keep(id, *stack)) else { continue };
                let category = usize::from(profile.stacks.category[stack.index()]);
                if let Some(color) = colors.get(category).copied().unwrap_or(Some(0)) {
                    counts[slice_of(range, *time)][usize::from(color) % COLORS] += 1;
                }
            }
        })
    }

    fn count(
        profile: &Profile,
        range: TimeRange,
        add_thread: impl Fn(&mut [[u32; COLORS]], ThreadId, &Thread) + Sync,
    ) -> Self {
        let empty = || vec![[0_u32; COLORS]; SLICES];
        let add = |mut sum: Vec<[u32; COLORS]>, part: Vec<[u32; COLORS]>| {
            for (sum, part) in sum.iter_mut().flatten().zip(part.iter().flatten()) {
                *sum += part;
            }
            sum
        };
        let counts = fold_threads(&profile.threads, empty, |counts, id, thread| add_thread(counts, id, thread), add);
        let max = counts.iter().map(|slice| slice.iter().sum()).max().unwrap_or(0);
        Self { range, counts: counts.into(), max }
    }

    /// The range that is divided into time bins.
    #[must_use]
    #[inline]
    pub const fn range(&self) -> TimeRange {
        self.range
    }

    /// Counts in a time bin, by palette entry.
    #[must_use]
    #[inline]
    pub fn slice(&self, slice: usize) -> &[u32] {
        self.counts.get(slice).map_or(&[], |counts| counts.as_slice())
    }

    /// The time bin that contains a time. Times outside the range map to the first or the last bin.
    #[must_use]
    #[inline]
    pub fn slice_of(&self, time: Ns) -> usize {
        slice_of(self.range, time)
    }

    /// The maximum count in one time bin.
    #[must_use]
    #[inline]
    pub const fn max(&self) -> u32 {
        self.max
    }
}

/// Maximum number of parallel jobs. Each has its own counts, which are far larger than a thread with a few markers.
const MAX_JOBS: usize = 64;

/// Folds all threads in parallel jobs that begin with `empty`, and joins their results.
fn fold_threads<T: Send>(
    threads: &[Thread],
    empty: impl Fn() -> T + Sync + Send,
    add: impl Fn(&mut T, ThreadId, &Thread) + Sync + Send,
    join: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    let jobs = threads.par_iter().enumerate().with_min_len(threads.len().div_ceil(MAX_JOBS).max(1));
    let of_job = jobs.fold(&empty, |mut all, (id, thread)| {
        add(&mut all, ThreadId::new(id), thread);
        all
    });
    of_job.reduce_with(join).unwrap_or_else(&empty)
}

fn slice_of(range: TimeRange, time: Ns) -> usize {
    let length = i128::from(range.len().max(1));
    let since = i128::from((time - range.start).0.clamp(0, range.len().max(0)));
    let slice = since * SLICES as i128 / length;
    usize::try_from(slice).unwrap_or(0).min(SLICES - 1)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_number_of_counts_does_not_grow_with_the_threads() {
        for number in [0, 1, 63, 64, 65, 1000, 20_000] {
            let threads = vec![Thread::default(); number];
            let made = AtomicUsize::new(0);
            let empty = || {
                made.fetch_add(1, Ordering::Relaxed);
                0
            };
            let sum = fold_threads(&threads, empty, |sum, id, _| *sum += id.index(), |one, other| one + other);
            assert_eq!(sum, number * number.saturating_sub(1) / 2);
            let made = made.into_inner();
            assert!((1..=MAX_JOBS).contains(&made), "{made} for {number} threads");
        }
    }
}
