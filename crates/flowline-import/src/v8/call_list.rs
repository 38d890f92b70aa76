//! Collects calls as they open and close, and builds the call table.
//!
//! A recording may have ten times as many calls as samples, so they are stored once: as table columns, in opening
//! order. This is also the table order, unless a zero-length call opens before a longer one. `is_irregular` records
//! that case and an end before another call's start; otherwise no second pass is needed.

use std::cmp::Reverse;
use std::iter::repeat_n;
use std::ops::Range;

use flowline_profile::samples::CallTable;
use flowline_profile::{Ns, StackId};

/// Calls allowed per sample or event. V8 records at most 255 frames, so only damaged recordings exceed this.
const PER_ENTRY: usize = 256;
/// Calls allowed in every recording, in addition to those per entry.
const ALWAYS: usize = 1 << 22;

/// Calls in opening order.
#[derive(Debug)]
pub(crate) struct CallList {
    start: Vec<Ns>,
    end: Vec<Ns>,
    stack: Vec<StackId>,
    depth: Vec<u32>,
    sample: Vec<u32>,
    /// The latest start so far.
    latest: Ns,
    /// True if the final order and depths may differ from those at opening.
    is_irregular: bool,
    limit: usize,
    /// Number of calls beyond the limit, which are omitted.
    pub(crate) omitted: u64,
}

impl CallList {
    /// An empty list, limited by the number of samples and events.
    pub(crate) fn new(entries: usize) -> Self {
        let limit = entries.saturating_mul(PER_ENTRY).saturating_add(ALWAYS);
        Self {
            start: Vec::new(),
            end: Vec::new(),
            stack: Vec::new(),
            depth: Vec::new(),
            sample: Vec::new(),
            latest: Ns(i64::MIN),
            is_irregular: false,
            limit,
            omitted: 0,
        }
    }

    /// True if so many calls were omitted that the remaining samples can be skipped. Stacks deeper than any recorder
    /// writes would cost time proportional to their depth for each sample.
    pub(crate) const fn is_exhausted(&self) -> bool {
        self.omitted > self.limit as u64
    }

    /// Opens zero-length calls, each inside the previous one and the first inside `depth` others. Returns the index of
    /// the first; the others follow it.
    pub(crate) fn open(
        &mut self,
        start: Ns,
        stacks: impl ExactSizeIterator<Item = u32>,
        depth: usize,
        sample: u32,
    ) -> usize {
        let (first, wanted) = (self.start.len(), stacks.len());
        let count = wanted.min(self.limit.saturating_sub(first));
        self.omitted += (wanted - count) as u64;
        self.is_irregular |= start < self.latest;
        self.latest = self.latest.max(start);
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        self.start.extend(repeat_n(start, count));
        self.end.extend(repeat_n(start, count));
        self.stack.extend(stacks.take(count).map(StackId));
        self.depth.extend((depth..).take(count));
        self.sample.extend(repeat_n(sample, count));
        first
    }

    /// Ends a call, never before its start. Ignores omitted calls.
    pub(crate) fn close(&mut self, call: usize, end: Ns) {
        if let Some(own) = self.end.get_mut(call) {
            let start = self.start[call];
            *own = end.max(start);
            self.is_irregular |= end <= start || end < self.latest;
        }
    }

    /// Builds the table: by start, then longer calls first, then in opening order. A call that begins when another one
    /// ends is not inside it, so zero-length calls contain no others.
    pub(crate) fn finish(mut self) -> CallTable {
        if self.is_irregular {
            self.sort();
            self.set_depths();
        }
        let mut table = CallTable {
            start: self.start.into(),
            end: self.end.into(),
            stack: self.stack.into(),
            depth: self.depth.into(),
            sample: self.sample.into(),
        };
        table.shrink_to_fit();
        table
    }

    /// Sets the depth of each call to the number of calls around it.
    fn set_depths(&mut self) {
        let mut around: Vec<Ns> = Vec::new();
        for (depth, (start, end)) in self.depth.iter_mut().zip(self.start.iter().zip(&self.end)) {
            while around.pop_if(|end| *end <= *start).is_some() {}
            around.push(*end);
            *depth = u32::try_from(around.len() - 1).unwrap_or(u32::MAX);
        }
    }

    /// Sorts the runs of calls with equal starts that are out of order, or all calls if their starts are out of order.
    fn sort(&mut self) {
        if !self.start.is_sorted() {
            self.sort_part(0..self.start.len());
            return;
        }
        let mut from = 0;
        while let Some(first) = self.start.get(from) {
            let same = self.start[from..].iter().take_while(|start| *start == first).count();
            let part = from..from + same;
            if !self.end[part.clone()].is_sorted_by_key(Reverse) {
                self.sort_part(part);
            }
            from += same;
        }
    }

    fn sort_part(&mut self, part: Range<usize>) {
        fn arrange<T: Copy>(column: &mut [T], first: usize, order: &[usize]) {
            let sorted: Vec<T> = order.iter().map(|at| column[*at]).collect();
            column[first..first + sorted.len()].copy_from_slice(&sorted);
        }
        let first = part.start;
        let mut order: Vec<usize> = part.collect();
        order.sort_by_key(|at| (self.start[*at], Reverse(self.end[*at])));
        arrange(&mut self.start, first, &order);
        arrange(&mut self.end, first, &order);
        arrange(&mut self.stack, first, &order);
        // `set_depths` recomputes the depths.
        arrange(&mut self.sample, first, &order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::samples::NONE;

    /// Opens and closes calls with these starts and ends in turn; returns the index and depth of each call in table
    /// order.
    fn table(calls: &[(i64, i64)]) -> Vec<(u32, u32)> {
        let mut list = CallList::new(calls.len());
        for (stack, (start, end)) in (0..).zip(calls) {
            // Most of these depths are wrong, so `is_irregular` forces their recomputation.
            let call = list.open(Ns(*start), [stack].into_iter(), 0, NONE);
            list.is_irregular = true;
            list.close(call, Ns(*end));
        }
        let table = list.finish();
        assert!(table.start.is_sorted() && table.start.iter().zip(&table.end).all(|(start, end)| start <= end));
        table.stack.iter().map(|stack| stack.0).zip(table.depth.iter().copied()).collect()
    }

    fn stacks(calls: &[(i64, i64)]) -> Vec<u32> {
        table(calls).iter().map(|call| call.0).collect()
    }

    #[test]
    fn calls_that_open_in_order_stay_as_they_are() {
        assert_eq!(table(&[(0, 9), (0, 4), (1, 3), (4, 9), (9, 9)]), [(0, 0), (1, 1), (2, 2), (3, 1), (4, 0)]);
        assert_eq!(table(&[]), []);
    }

    #[test]
    fn zero_length_calls_come_after_longer_ones_that_open_later() {
        assert_eq!(stacks(&[(0, 8), (2, 2), (2, 1), (2, 6), (2, 5), (7, 8)]), [0, 3, 4, 1, 2, 5]);
        let depths: Vec<u32> = table(&[(0, 8), (2, 2), (2, 6), (2, 6)]).iter().map(|call| call.1).collect();
        assert_eq!(depths, [0, 1, 2, 3]);
    }

    #[test]
    fn starts_out_of_order_are_sorted() {
        assert_eq!(stacks(&[(5, 6), (0, 9), (5, 8), (0, 9)]), [1, 3, 2, 0]);
    }

    #[test]
    fn calls_beyond_the_limit_are_left_out() {
        let mut list = CallList { limit: 1, ..CallList::new(0) };
        let calls = [list.open(Ns(0), [0, 1].into_iter(), 0, NONE), list.open(Ns(1), [0].into_iter(), 2, NONE)];
        calls.into_iter().for_each(|call| list.close(call, Ns(5)));
        assert_eq!((list.omitted, list.finish().end[..].to_vec()), (2, vec![Ns(5)]));
    }

    #[test]
    fn opening_depths_are_kept_unless_a_call_has_zero_length() {
        for last_end in [3, 4] {
            let mut list = CallList::new(1);
            let outer = list.open(Ns(0), [0, 1].into_iter(), 0, NONE);
            list.close(outer + 1, Ns(4));
            let inner = list.open(Ns(4), [2].into_iter(), 1, NONE);
            list.close(inner, Ns(last_end));
            let again = list.open(Ns(4), [3].into_iter(), 1, NONE);
            [outer, again].into_iter().for_each(|call| list.close(call, Ns(9)));
            assert!(list.is_irregular);
            let table = list.finish();
            let found: Vec<(u32, u32)> =
                table.stack.iter().map(|stack| stack.0).zip(table.depth.iter().copied()).collect();
            assert_eq!(found, [(0, 0), (1, 1), (3, 1), (2, 2)]);
        }
        let mut list = CallList::new(1);
        let outer = list.open(Ns(0), [0, 1].into_iter(), 0, NONE);
        [outer + 1, outer].into_iter().for_each(|call| list.close(call, Ns(4)));
        assert!(!list.is_irregular);
        assert_eq!(list.finish().depth[..], [0, 1]);
    }
}
