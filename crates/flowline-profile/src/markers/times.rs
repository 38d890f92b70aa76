//! Starts and ends of markers in four bytes each: starts as offsets within blocks, ends as durations.

use std::ops::Range;

use crate::columns::{Column, Offsets, OffsetsBuilder, OffsetsView};
use crate::persist::persist;
use flowline_format::{Ns, TimeRange};

/// Flag for durations of 2.1 seconds or more: the other bits are a position in the list of full ends.
const LONG: u32 = 1 << 31;

/// Starts in ascending order, with an end for each.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeColumns {
    starts: Offsets,
    durations: Column<u32>,
    long_ends: Column<i64>,
}
persist!(TimeColumns { starts, durations, long_ends });

impl TimeColumns {
    #[inline]
    pub(super) fn view(&self) -> Times<'_> {
        Times { starts: self.starts.view(), durations: &self.durations, long_ends: &self.long_ends }
    }

    /// Read access to some rows; empty if the range is out of bounds.
    #[inline]
    pub(super) fn part(&self, rows: Range<usize>) -> Times<'_> {
        let durations = self.durations.get(rows.clone()).unwrap_or_default();
        Times { starts: self.starts.part(rows), durations, long_ends: &self.long_ends }
    }

    /// True if the columns have consistent lengths.
    #[inline]
    pub(super) fn is_consistent(&self) -> bool {
        self.starts.is_consistent() && self.starts.len() == self.durations.len()
    }

    #[inline]
    pub(super) const fn heap_bytes(&self) -> usize {
        self.starts.heap_bytes() + self.durations.heap_bytes() + self.long_ends.heap_bytes()
    }
}

/// The times of a thread's markers by number, in start order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times<'a> {
    starts: OffsetsView<'a>,
    durations: &'a [u32],
    long_ends: &'a [i64],
}

impl<'a> Times<'a> {
    /// Number of markers.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        self.durations.len()
    }

    /// True if there are no markers.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.durations.is_empty()
    }

    /// Start of a marker; panics if the marker does not exist.
    #[must_use]
    #[inline]
    pub fn start(self, marker: usize) -> Ns {
        Ns(self.starts.at(marker))
    }

    /// End of a marker; panics if the marker does not exist.
    #[must_use]
    #[inline]
    pub fn end(self, marker: usize) -> Ns {
        self.range(marker).end
    }

    /// Start and end of a marker; panics if the marker does not exist.
    #[must_use]
    #[inline]
    pub fn range(self, marker: usize) -> TimeRange {
        let (start, duration) = (self.starts.at(marker), self.durations[marker]);
        let end = if duration & LONG == 0 {
            start.wrapping_add(i64::from(duration))
        } else {
            self.long_ends.get((duration & !LONG) as usize).copied().unwrap_or(start)
        };
        TimeRange { start: Ns(start), end: Ns(end) }
    }

    /// All starts, ascending.
    #[inline]
    pub fn starts(self) -> impl ExactSizeIterator<Item = Ns> + DoubleEndedIterator + Clone + use<'a> {
        (0..self.len()).map(move |marker| self.start(marker))
    }

    /// The ends of all markers.
    #[inline]
    pub fn ends(self) -> impl ExactSizeIterator<Item = Ns> + DoubleEndedIterator + Clone + use<'a> {
        (0..self.len()).map(move |marker| self.end(marker))
    }

    /// Starts and ends of all markers.
    #[inline]
    pub fn ranges(self) -> impl ExactSizeIterator<Item = TimeRange> + DoubleEndedIterator + Clone + use<'a> {
        (0..self.len()).map(move |marker| self.range(marker))
    }

    /// From the first start to the last end; `None` if there are no markers.
    #[must_use]
    #[inline]
    pub fn extent(self) -> Option<TimeRange> {
        self.starts().next().zip(self.last_end()).map(|(start, end)| TimeRange { start, end })
    }

    fn last_end(self) -> Option<Ns> {
        let last_of = |(markers, block): (Range<usize>, Option<(i64, &[u32])>)| {
            let durations = &self.durations[markers.clone()];
            // Most blocks are compared as a whole, without a check per marker.
            let are_short = durations.iter().fold(0, |bits, duration| bits | duration) & LONG == 0;
            let has_all = |offsets: &[u32]| offsets.iter().fold(0, |most, offset| most.max(*offset)) < u32::MAX;
            match block {
                Some((least, offsets)) if are_short && has_all(offsets) => {
                    let sums = offsets
                        .iter()
                        .zip(durations)
                        .map(|(offset, duration)| u64::from(*offset) + u64::from(*duration));
                    Some(Ns(least.wrapping_add(sums.max()?.cast_signed())))
                }
                _ => markers.map(|marker| self.end(marker)).max(),
            }
        };
        self.starts.blocks().filter_map(last_of).max()
    }

    /// The first marker for which `before` is false; the number of markers if there is none. `before` must be true for
    /// a prefix of the starts and false for the rest.
    #[must_use]
    #[inline]
    pub fn partition_point(self, before: impl Fn(Ns) -> bool) -> usize {
        self.partition_point_in(0..self.len(), before)
    }

    /// Like [`Times::partition_point`], within a range of markers; returns the end of the range if there is none.
    #[must_use]
    pub fn partition_point_in(self, markers: std::ops::Range<usize>, before: impl Fn(Ns) -> bool) -> usize {
        let (mut low, mut high) = (markers.start, markers.end);
        while low < high {
            let middle = low.midpoint(high);
            if before(self.start(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Collects starts and ends.
#[derive(Debug)]
pub(super) struct TimesBuilder {
    starts: OffsetsBuilder,
    durations: Vec<u32>,
    long_ends: Vec<i64>,
}

impl TimesBuilder {
    #[inline]
    pub(super) fn with_capacity(count: usize) -> Self {
        let starts = OffsetsBuilder::with_capacity(count);
        Self { starts, durations: Vec::with_capacity(count), long_ends: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, start: Ns, end: Ns) {
        self.starts.push(start.0);
        let short = end.0.checked_sub(start.0).and_then(|duration| u32::try_from(duration).ok());
        self.durations.push(match short.filter(|duration| *duration < LONG) {
            Some(duration) => duration,
            None => {
                self.long_ends.push(end.0);
                // A thread has fewer than 2^31 markers: a trace with that many would have 300 GB of text.
                LONG | u32::try_from(self.long_ends.len() - 1).unwrap_or(!LONG)
            }
        });
    }

    #[inline]
    pub(super) fn finish(mut self) -> TimeColumns {
        self.long_ends.shrink_to_fit();
        TimeColumns { starts: self.starts.finish(), durations: self.durations.into(), long_ends: self.long_ends.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_and_ends_are_preserved() {
        let mut random = fastrand::Rng::with_seed(11);
        let limit = i64::from(LONG);
        let durations = [0, 1, limit - 1, limit, limit + 1, i64::from(u32::MAX), i64::MAX / 4];
        for step in [1, 1000, 1 << 33, i64::MAX >> 12] {
            let mut start = if step == 1 { i64::MIN } else { -5 * step };
            let mut expected = Vec::new();
            let mut builder = TimesBuilder::with_capacity(0);
            for _ in 0..1000 {
                start = start.saturating_add(random.i64(0..step));
                let any = durations[random.usize(..durations.len())];
                let end = start.saturating_add(if random.bool() { random.i64(0..1000) } else { any });
                expected.push(TimeRange { start: Ns(start), end: Ns(end) });
                builder.push(Ns(start), Ns(end));
            }
            let columns = builder.finish();
            let times = columns.view();
            assert!(times.ranges().eq(expected.iter().copied()), "{step}");
            assert!(columns.is_consistent());
            for count in [1, 127, 128, 129, 1000] {
                let mut builder = TimesBuilder::with_capacity(0);
                expected[..count].iter().for_each(|range| builder.push(range.start, range.end));
                let last = expected[..count].iter().map(|range| range.end).max();
                assert_eq!(builder.finish().view().extent().map(|extent| extent.end), last, "{step}");
            }
            let middle = expected[500].start;
            let naive = expected.partition_point(|range| range.start < middle);
            assert_eq!(times.partition_point(|start| start < middle), naive);
        }
    }
}
