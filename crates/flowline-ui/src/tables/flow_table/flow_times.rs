//! Run and wait times of all flows, 16 bytes per flow. They are computed on the pool when a column or a filter first
//! needs them.

use rayon::prelude::*;

use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_profile::FlowId;

/// Flows per job of the pool.
const BATCH: usize = 1 << 10;

/// Run time and longest wait of a flow in nanoseconds. The wait time is the length minus the run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FlowTimes {
    pub(super) run: i64,
    pub(super) longest_wait: i64,
}

/// Totals of all flows, indexed by flow id. The result is incomplete once `is_wanted` returns false.
pub(super) fn totals(index: &Index, rules: &RuleMatcher, is_wanted: &(dyn Fn() -> bool + Sync)) -> Vec<FlowTimes> {
    let (profile, graph) = (index.profile(), index.flows());
    let mut all = vec![FlowTimes::default(); graph.len()];
    all.par_chunks_mut(BATCH).enumerate().for_each(|(batch, totals)| {
        for (number, slot) in totals.iter_mut().enumerate() {
            if number % 16 == 0 && !is_wanted() {
                return;
            }
            let found = rules.timeline_totals(profile, graph, FlowId::new(batch * BATCH + number));
            *slot = FlowTimes { run: found.run, longest_wait: found.longest_wait };
        }
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_compact() {
        assert!(size_of::<FlowTimes>() <= 24, "a recording may have several million flows");
    }
}
