//! Calls as they open and close, and the table of them.
//!
//! A recording may have ten times as many calls as samples, so they are held once: as the columns of the table, in the order
//! in which they open. That is the table's order, too, except where a call of no length opens before a longer one.

use std::cmp::Reverse;
use std::ops::Range;

use bytemuck::Pod;

use crate::profile::samples::CallTable;
use crate::profile::{Ns, StackId};

/// Calls that may be left open per sample or event. V8 records 255 frames at most, so only damage goes beyond.
const PER_ENTRY: usize = 256;
/// Calls of any recording.
const ALWAYS: usize = 1 << 22;

/// Calls in the order in which they open.
#[derive(Debug)]
pub(in crate::import) struct CallList {
    start: Vec<Ns>,
    end: Vec<Ns>,
    stack: Vec<StackId>,
    sample: Vec<u32>,
    limit: usize,
    /// Calls beyond the limit, which are left out.
    pub(in crate::import) left_out: u64,
}

impl CallList {
    /// For a number of samples and events, which bounds how many calls are kept.
    pub(in crate::import) fn new(entries: usize) -> Self {
        let limit = entries.saturating_mul(PER_ENTRY).saturating_add(ALWAYS);
        Self { start: Vec::new(), end: Vec::new(), stack: Vec::new(), sample: Vec::new(), limit, left_out: 0 }
    }

    /// Opens a call of no length; returns its number.
    pub(in crate::import) fn open(&mut self, start: Ns, stack: u32, sample: u32) -> usize {
        let number = self.start.len();
        if number >= self.limit {
            self.left_out += 1;
            return usize::MAX;
        }
        self.start.push(start);
        self.end.push(start);
        self.stack.push(StackId(stack));
        self.sample.push(sample);
        number
    }

    /// Ends a call, never before its start.
    pub(in crate::import) fn close(&mut self, call: usize, end: Ns) {
        if let Some(own) = self.end.get_mut(call) {
            *own = end.max(self.start[call]);
        }
    }

    /// The table: by start, longer ones first, otherwise in the order in which they opened. What begins when another call
    /// ends is not inside it, so calls of no length contain none.
    pub(in crate::import) fn finish(mut self) -> CallTable {
        self.sort();
        let mut around: Vec<Ns> = Vec::new();
        let depth = |(start, end): (&Ns, &Ns)| {
            while around.pop_if(|end| *end <= *start).is_some() {}
            around.push(*end);
            u32::try_from(around.len() - 1).unwrap_or(u32::MAX)
        };
        let depth = self.start.iter().zip(&self.end).map(depth).collect();
        let Self { start, end, stack, sample, .. } = self;
        let mut table = CallTable { start: start.into(), end: end.into(), stack: stack.into(), depth, sample: sample.into() };
        table.shrink_to_fit();
        table
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
        fn arrange<T: Pod>(column: &mut [T], first: usize, order: &[usize]) {
            let sorted: Vec<T> = order.iter().map(|at| column[*at]).collect();
            column[first..first + sorted.len()].copy_from_slice(&sorted);
        }
        let first = part.start;
        let mut order: Vec<usize> = part.collect();
        order.sort_by_key(|at| (self.start[*at], Reverse(self.end[*at])));
        arrange(&mut self.start, first, &order);
        arrange(&mut self.end, first, &order);
        arrange(&mut self.stack, first, &order);
        arrange(&mut self.sample, first, &order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::samples::NONE;

    /// Opens calls of these starts and ends one after the other; says which are where, and how deep.
    fn table(calls: &[(i64, i64)]) -> Vec<(u32, u32)> {
        let mut list = CallList::new(calls.len());
        for (stack, (start, end)) in (0..).zip(calls) {
            let call = list.open(Ns(*start), stack, NONE);
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
        let calls = [list.open(Ns(0), 0, NONE), list.open(Ns(1), 0, NONE)];
        calls.map(|call| list.close(call, Ns(5)));
        assert_eq!((list.left_out, list.finish().end[..].to_vec()), (1, vec![Ns(5)]));
    }
}
