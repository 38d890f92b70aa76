//! Calls as they open and close, and the table of them.

use std::cmp::Reverse;

use crate::profile::samples::CallTable;
use crate::profile::{Ns, StackId};

/// A call.
#[derive(Clone, Copy, Debug)]
struct Call {
    start: Ns,
    end: Ns,
    stack: u32,
    sample: u32,
}

/// Calls that may be left open per sample or event. V8 records 255 frames at most, so only damage goes beyond.
const PER_ENTRY: usize = 256;
/// Calls of any recording.
const ALWAYS: usize = 1 << 22;

/// Calls in the order in which they open.
#[derive(Debug)]
pub(in crate::import) struct CallList {
    list: Vec<Call>,
    limit: usize,
    /// Calls beyond the limit, which are left out.
    pub(in crate::import) left_out: u64,
}

impl CallList {
    /// For a number of samples and events, which bounds how many calls are kept.
    pub(in crate::import) fn new(entries: usize) -> Self {
        Self { list: Vec::new(), limit: entries.saturating_mul(PER_ENTRY).saturating_add(ALWAYS), left_out: 0 }
    }

    /// Opens a call of no length; returns its number.
    pub(in crate::import) fn open(&mut self, start: Ns, stack: u32, sample: u32) -> usize {
        if self.list.len() >= self.limit {
            self.left_out += 1;
            return usize::MAX;
        }
        self.list.push(Call { start, end: start, stack, sample });
        self.list.len() - 1
    }

    /// Ends a call, never before its start.
    pub(in crate::import) fn close(&mut self, call: usize, end: Ns) {
        if let Some(call) = self.list.get_mut(call) {
            call.end = end.max(call.start);
        }
    }

    /// The table: by start, longer ones first, otherwise in the order in which they opened. What begins when another call
    /// ends is not inside it, so calls of no length contain none.
    pub(in crate::import) fn finish(mut self) -> CallTable {
        let order = |call: &Call| (call.start, Reverse(call.end));
        if !self.list.is_sorted_by_key(order) {
            self.list.sort_by_key(order);
        }
        let mut around: Vec<Ns> = Vec::new();
        let depth = |call: &Call| {
            while around.pop_if(|end| *end <= call.start).is_some() {}
            around.push(call.end);
            u32::try_from(around.len() - 1).unwrap_or(u32::MAX)
        };
        CallTable {
            start: self.list.iter().map(|call| call.start).collect(),
            end: self.list.iter().map(|call| call.end).collect(),
            stack: self.list.iter().map(|call| StackId(call.stack)).collect(),
            depth: self.list.iter().map(depth).collect(),
            sample: self.list.iter().map(|call| call.sample).collect(),
        }
    }
}
