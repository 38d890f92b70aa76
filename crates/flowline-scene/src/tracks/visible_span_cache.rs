//! A cache of level-0 spans around the view. The markers of a row are scattered over the columns of their thread, so
//! reading them in every frame would cost three cache misses per marker.
//!
//! The cache is bounded by the screen: for each row it contains the most recently shown spans, with a margin on either
//! side, and it drops rows that have not been shown for a while.

use std::collections::HashMap;
use std::hash::Hash;

use flowline_index::{Packed, RowItems, touching};

/// Frames after which an unused row is dropped.
const KEEP_FRAMES: u64 = 120;

/// Consecutive spans of a row.
#[derive(Debug, Default)]
struct SpanWindow {
    /// Index of the first span in the row.
    first: usize,
    packed: Vec<Packed>,
    used: u64,
}

/// The spans of the recently shown rows; `K` identifies a row.
#[derive(Debug)]
pub(super) struct VisibleSpanCache<K> {
    rows: HashMap<K, SpanWindow>,
    frame: u64,
}

impl<K> Default for VisibleSpanCache<K> {
    fn default() -> Self {
        Self { rows: HashMap::new(), frame: 0 }
    }
}

impl<K: Eq + Hash> VisibleSpanCache<K> {
    /// Starts a frame and drops rows that have not been used for a while.
    pub(super) fn begin_frame(&mut self) {
        self.frame += 1;
        if self.frame.is_multiple_of(KEEP_FRAMES) {
            let frame = self.frame;
            self.rows.retain(|_, window| frame - window.used < KEEP_FRAMES);
        }
    }

    /// The spans of a row that touch a closed range of ticks, and the index of the first one in the row.
    pub(super) fn spans(&mut self, key: K, row: &impl RowItems, from: u64, to: u64) -> (usize, &[Packed]) {
        let window = self.rows.entry(key).or_default();
        window.used = self.frame;
        if !window.covers(row.len(), from, to) {
            window.move_to(row, from, to);
        }
        let begin = window.packed.partition_point(|packed| packed.end() < from);
        let count = window.packed[begin..].partition_point(|packed| packed.start() <= to);
        (window.first + begin, &window.packed[begin..begin + count])
    }
}

impl SpanWindow {
    /// True if the window certainly contains all spans of a range: it begins before the range or at the row's start,
    /// and ends after the range or at the row's end.
    fn covers(&self, row_len: usize, from: u64, to: u64) -> bool {
        let (Some(first), Some(last)) = (self.packed.first(), self.packed.last()) else { return row_len == 0 };
        (self.first == 0 || first.end() < from) && (self.first + self.packed.len() == row_len || last.start() > to)
    }

    /// Moves the window to a range, with half the range and at least one span as a margin on either side.
    fn move_to(&mut self, row: &impl RowItems, from: u64, to: u64) {
        let range = touching(row, from, to);
        let margin = range.len() / 2 + 1;
        self.first = range.start.saturating_sub(margin);
        let end = range.end.saturating_add(margin).min(row.len());
        self.packed.clear();
        self.packed.extend((self.first..end).map(|position| row.packed(position)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_index::Style;
    use flowline_profile::LocalMarker;

    struct TestRow(Vec<(u64, u64)>);

    impl RowItems for TestRow {
        fn len(&self) -> usize {
            self.0.len()
        }
        fn packed(&self, position: usize) -> Packed {
            let (start, end) = self.0[position];
            Packed::new(start, end, Style::default())
        }
        fn marker(&self, position: usize) -> LocalMarker {
            LocalMarker::new(position)
        }
        fn length(&self, marker: LocalMarker) -> u64 {
            let (start, end) = self.0[marker.index()];
            end - start
        }
    }

    #[test]
    fn results_equal_a_search_of_the_whole_row_for_every_view() {
        let row = TestRow((0..2_000).map(|item| (item * 10, item * 10 + item % 11)).collect());
        let mut cache = VisibleSpanCache::default();
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..3_000 {
            let (from, length) = (random.u64(..21_000), random.u64(..3_000));
            cache.begin_frame();
            let (first, items) = cache.spans(0, &row, from, from + length);
            let expected: Vec<usize> = (0..row.len())
                .filter(|item| row.packed(*item).end() >= from && row.packed(*item).start() <= from + length)
                .collect();
            let positions: Vec<usize> = (first..first + items.len()).collect();
            assert_eq!(positions, expected);
            assert!(items.iter().zip(positions).all(|(packed, position)| *packed == row.packed(position)));
        }
    }
}
