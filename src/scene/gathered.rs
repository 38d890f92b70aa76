//! Level-0 spans gathered once and kept while the view stays near: a row's markers lie scattered over its thread's
//! columns, and reading them anew every frame would cost three cache misses a marker.
//!
//! Bounded by the screen: a row keeps what it showed last and as much again on either side, and rows not shown for a
//! while are dropped.

use std::collections::HashMap;

use crate::index::{Packed, RowItems, touching};
use crate::profile::ThreadId;
use crate::view::Arrangement;

/// Which row: thread, arrangement (`None`: the collapsed thread's line), number.
pub(super) type RowKey = (ThreadId, Option<Arrangement>, usize);

/// Frames after which an unused row is dropped.
const KEEP_FRAMES: u64 = 120;

/// Consecutive items of a row.
#[derive(Debug, Default)]
struct Stretch {
    /// Position in the row of the first.
    first: usize,
    packed: Vec<Packed>,
    used: u64,
}

/// Gathered stretches of the rows shown lately.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    rows: HashMap<RowKey, Stretch>,
    frame: u64,
}

impl Gathered {
    /// Starts a frame; drops what has not been used for a while.
    pub(super) fn begin_frame(&mut self) {
        self.frame += 1;
        if self.frame.is_multiple_of(KEEP_FRAMES) {
            let frame = self.frame;
            self.rows.retain(|_, stretch| frame - stretch.used < KEEP_FRAMES);
        }
    }

    /// The items of a row that touch a closed range of ticks, and the position in the row of the first.
    pub(super) fn items(&mut self, key: RowKey, row: &impl RowItems, from: u64, to: u64) -> (usize, &[Packed]) {
        let stretch = self.rows.entry(key).or_default();
        stretch.used = self.frame;
        if !stretch.covers(row.len(), from, to) {
            stretch.gather(row, from, to);
        }
        let begin = stretch.packed.partition_point(|packed| packed.end() < from);
        let count = stretch.packed[begin..].partition_point(|packed| packed.start() <= to);
        (stretch.first + begin, &stretch.packed[begin..begin + count])
    }
}

impl Stretch {
    /// Whether it surely holds all items of a range: it begins before and ends after it, or at the row's ends.
    fn covers(&self, row_len: usize, from: u64, to: u64) -> bool {
        let (Some(first), Some(last)) = (self.packed.first(), self.packed.last()) else { return row_len == 0 };
        (self.first == 0 || first.end() < from) && (self.first + self.packed.len() == row_len || last.start() > to)
    }

    /// Holds the items of a range, one more on either side, and half as many again beyond.
    fn gather(&mut self, row: &impl RowItems, from: u64, to: u64) {
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
    use crate::index::Style;
    use crate::profile::LocalMarker;

    struct Row(Vec<(u64, u64)>);

    impl RowItems for Row {
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
    fn gives_what_a_search_of_the_whole_row_gives_wherever_the_view_goes() {
        let row = Row((0..2_000).map(|item| (item * 10, item * 10 + item % 11)).collect());
        let key = (ThreadId(0), None, 0);
        let mut gathered = Gathered::default();
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..3_000 {
            let (from, length) = (random.u64(..21_000), random.u64(..3_000));
            gathered.begin_frame();
            let (first, items) = gathered.items(key, &row, from, from + length);
            let expected: Vec<usize> = (0..row.len())
                .filter(|item| row.packed(*item).end() >= from && row.packed(*item).start() <= from + length)
                .collect();
            let positions: Vec<usize> = (first..first + items.len()).collect();
            assert_eq!(positions, expected);
            assert!(items.iter().zip(positions).all(|(packed, position)| *packed == row.packed(position)));
        }
    }
}
