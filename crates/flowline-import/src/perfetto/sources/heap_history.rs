//! The history of each stack in heap profiles.

use std::collections::VecDeque;
use std::rc::Rc;

use foldhash::HashMap;

use crate::perfetto::stacks::Stacks;

/// A process and the name of its heap.
pub(super) type Heap = (i64, Rc<str>);

/// Totals of allocations and releases since profiling began.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) allocated: u64,
    pub(super) released: u64,
}

impl Totals {
    pub(super) fn add(&mut self, other: Self) {
        self.allocated = self.allocated.saturating_add(other.allocated);
        self.released = self.released.saturating_add(other.released);
    }

    pub(super) const fn since(self, before: Self) -> Self {
        Self {
            allocated: self.allocated.saturating_sub(before.allocated),
            released: self.released.saturating_sub(before.released),
        }
    }
}

/// Bytes, and numbers of allocations.
pub(super) type Measures = [Totals; 2];

/// The samples of a stack in a dump.
#[derive(Debug)]
pub(super) struct HeapSample {
    pub(super) ts: i64,
    pub(super) heap: Heap,
    pub(super) stack: u64,
    pub(super) totals: Measures,
}

/// The dump of a sequence that is being read.
#[derive(Debug, Default)]
pub(super) struct Dump {
    pub(super) stacks: Stacks,
    pub(super) next: Option<u64>,
    pub(super) samples: Vec<HeapSample>,
}

/// The changes of a stack over time.
#[derive(Debug, Default)]
pub(super) struct StackHistory {
    pub(super) last: Measures,
    pub(super) changes: Vec<(i64, Measures)>,
}

/// All heap profiles of a trace.
#[derive(Debug, Default)]
pub(in crate::perfetto) struct HeapProfiles {
    pub(super) dumps: HashMap<u32, Dump>,
    /// In order of their first samples.
    pub(super) histories: Vec<((Heap, u32), StackHistory)>,
    pub(super) indexes: HashMap<(Heap, u32), usize>,
}

/// Divides the allocations and releases of a stack into parts with the same address and life. Returns times, weights
/// (negative for releases) and addresses.
pub(super) fn lives(changes: &[(i64, Measures)], measure: usize, next_address: &mut u64) -> Vec<(i64, i64, u64)> {
    let signed = |weight| i64::try_from(weight).unwrap_or(i64::MAX);
    let mut held: VecDeque<(i64, u64)> = VecDeque::new();
    let mut parts = Vec::new();
    for (ts, change) in changes {
        let Totals { allocated, mut released } = change[measure];
        if allocated > 0 {
            held.push_back((*ts, allocated));
        }
        while released > 0
            && let Some((since, weight)) = held.front_mut()
        {
            let ended = released.min(*weight);
            parts.push((*since, signed(ended), *next_address));
            parts.push((*ts, -signed(ended), *next_address));
            *next_address += 1;
            (released, *weight) = (released - ended, *weight - ended);
            if *weight == 0 {
                held.pop_front();
            }
        }
    }
    for (since, weight) in held {
        parts.push((since, signed(weight), *next_address));
        *next_address += 1;
    }
    parts
}
