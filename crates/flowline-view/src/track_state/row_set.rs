//! A set of row numbers, stored as ranges: a box over a million rows is a single range.

use std::ops::Range;

/// A set of row numbers: ranges in ascending order that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSet {
    ranges: Vec<Range<u32>>,
}

impl RowSet {
    /// True if the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Number of rows.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|range| (range.end - range.start) as usize).sum()
    }

    /// The ranges in ascending order.
    #[must_use]
    #[inline]
    pub fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    /// All rows in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges.iter().cloned().flatten()
    }

    /// True if the set contains a row.
    #[must_use]
    #[inline]
    pub fn contains(&self, row: u32) -> bool {
        self.holds(&(row..row + 1))
    }

    /// Number of rows of a range that are in the set.
    #[must_use]
    #[inline]
    pub fn count_in(&self, rows: &Range<u32>) -> usize {
        let first = self.ranges.partition_point(|range| range.end <= rows.start);
        let touching = self.ranges[first..].iter().take_while(|range| range.start < rows.end);
        touching.map(|range| (range.end.min(rows.end) - range.start.max(rows.start)) as usize).sum()
    }

    /// True if the set contains a row of another set.
    #[must_use]
    #[inline]
    pub fn has_any(&self, other: &Self) -> bool {
        other.ranges.iter().any(|range| self.count_in(range) > 0)
    }

    /// True if the set contains all rows of a range.
    fn holds(&self, rows: &Range<u32>) -> bool {
        let at = self.ranges.partition_point(|range| range.end <= rows.start);
        self.ranges.get(at).is_some_and(|range| range.start <= rows.start && rows.end <= range.end)
    }

    /// True if the set contains all rows of another set.
    #[must_use]
    #[inline]
    pub fn contains_all(&self, other: &Self) -> bool {
        other.ranges.iter().all(|range| self.holds(range))
    }

    /// Adds the rows of a range.
    pub fn insert(&mut self, rows: Range<u32>) {
        if rows.is_empty() {
            return;
        }
        // Ranges that only touch the new one are merged with it, too.
        let first = self.ranges.partition_point(|range| range.end < rows.start);
        let end = self.ranges.partition_point(|range| range.start <= rows.end);
        let joined = self.ranges[first..end].iter().fold(rows, |a, b| a.start.min(b.start)..a.end.max(b.end));
        self.ranges.splice(first..end, [joined]);
    }

    /// Removes the rows of a range.
    pub fn remove(&mut self, rows: &Range<u32>) {
        if rows.is_empty() {
            return;
        }
        let first = self.ranges.partition_point(|range| range.end <= rows.start);
        let end = self.ranges.partition_point(|range| range.start < rows.end);
        let cut = |range: &Range<u32>| [range.start..rows.start.min(range.end), rows.end.max(range.start)..range.end];
        let kept: Vec<_> = self.ranges[first..end].iter().flat_map(cut).filter(|range| !range.is_empty()).collect();
        self.ranges.splice(first..end, kept);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn it_equals_a_plain_set_after_random_edits() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..300 {
            let (mut set, mut expected) = (RowSet::default(), BTreeSet::new());
            for _ in 0..random.usize(1..25) {
                let start = random.u32(0..40);
                let rows = start..start + random.u32(0..9);
                if random.bool() {
                    set.insert(rows.clone());
                    expected.extend(rows);
                } else {
                    set.remove(&rows);
                    expected.retain(|row| !rows.contains(row));
                }
                assert!(set.iter().eq(expected.iter().copied()), "{set:?} {expected:?}");
                assert_eq!((set.len(), set.is_empty()), (expected.len(), expected.is_empty()));
                assert!(set.ranges().windows(2).all(|pair| pair[0].end < pair[1].start), "{set:?}");
                assert!((0..50).all(|row| set.contains(row) == expected.contains(&row)));
                let part = random.u32(0..30)..random.u32(30..50);
                assert_eq!(set.count_in(&part), expected.range(part).count());
            }
        }
    }
}
