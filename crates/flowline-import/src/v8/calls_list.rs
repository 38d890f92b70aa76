//! Calls as they open and close, and the table of them.
//!
//! A recording may have ten times as many calls as samples, so they are held once: as the columns of the table, in the order
//! in which they open. That is the table's order, too, except where a call of no length opens before a longer one.
//! Whether that, or an end before another call's start, ever happened is noted; otherwise nothing is gone through again.

use std::cmp::Reverse;
use std::iter::repeat_n;
use std::ops::Range;

use flowline_profile::samples::CallTable;
use flowline_profile::{Ns, StackId};

/// Calls that may be left open per sample or event. V8 records 255 frames at most, so only damage goes beyond.
const PER_ENTRY: usize = 256;
/// Calls of any recording.
const ALWAYS: usize = 1 << 22;

/// Calls in the order in which they open.
#[derive(Debug)]
pub(crate) struct CallList {
    start: Vec<Ns>,
    end: Vec<Ns>,
    stack: Vec<StackId>,
    depth: Vec<u32>,
    sample: Vec<u32>,
    /// The greatest start.
    latest: Ns,
    /// Whether order and depths may be others than those of opening.
    is_irregular: bool,
    limit: usize,
    /// Calls beyond the limit, which are left out.
    pub(crate) left_out: u64,
}

impl CallList {
    /// For a number of samples and events, which bounds how many calls are kept.
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
            left_out: 0,
        }
    }

    /// Whether so many calls were left out that the rest of the samples need not be looked at: following stacks of a depth that
    /// no recorder writes takes its depth for each sample.
    pub(crate) const fn is_exhausted(&self) -> bool {
        self.left_out > self.limit as u64
    }

    /// Opens calls of no length, each in the one before and the first within `depth` others; returns the number of the first.
    /// The others follow it.
    pub(crate) fn open(
        &mut self,
        start: Ns,
        stacks: impl ExactSizeIterator<Item = u32>,
        depth: usize,
        sample: u32,
    ) -> usize {
        let (first, wanted) = (self.start.len(), stacks.len());
        let count = wanted.min(self.limit.saturating_sub(first));
        self.left_out += (wanted - count) as u64;
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

    /// Ends a call, never before its start. Calls that were left out are passed over.
    pub(crate) fn close(&mut self, call: usize, end: Ns) {
        if let Some(own) = self.end.get_mut(call) {
            let start = self.start[call];
            *own = end.max(start);
            self.is_irregular |= end <= start || end < self.latest;
        }
    }

    /// The table: by start, longer ones first, otherwise in the order in which they opened. What begins when another call
    /// ends is not inside it, so calls of no length contain none.
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

    /// Counts for each call those around it.
    fn set_depths(&mut self) {
        let mut around: Vec<Ns> = Vec::new();
        for (depth, (start, end)) in self.depth.iter_mut().zip(self.start.iter().zip(&self.end)) {
            while around.pop_if(|end| *end <= *start).is_some() {}
            around.push(*end);
            *depth = u32::try_from(around.len() - 1).unwrap_or(u32::MAX);
        }
    }

    /// Sorts the stretches that are out of order: of calls that begin together, unless even the starts are out of order.
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
        // Depths are counted anew.
        arrange(&mut self.sample, first, &order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::samples::NONE;

    /// Opens calls of these starts and ends one after the other; says which are where, and how deep.
    fn table(calls: &[(i64, i64)]) -> Vec<(u32, u32)> {
        let mut list = CallList::new(calls.len());
        for (stack, (start, end)) in (0..).zip(calls) {
            // Most of these depths are wrong, which is noticed.
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
    fn calls_of_no_length_come_after_longer_ones_that_open_later() {
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
        assert_eq!((list.left_out, list.finish().end[..].to_vec()), (2, vec![Ns(5)]));
    }

    #[test]
    fn depths_of_opening_stand_unless_a_call_has_no_length() {
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
