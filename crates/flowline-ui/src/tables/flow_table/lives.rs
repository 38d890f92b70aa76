//! How long all flows ran and waited, computed on the pool when a column or a filter first needs it: 16 bytes a flow.

use rayon::prelude::*;

use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_profile::FlowId;

/// Flows per job of the pool.
const BATCH: usize = 1 << 10;

/// Nanoseconds of a flow. What it did not run it waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) run: i64,
    pub(super) longest_wait: i64,
}

/// The totals of all flows, by flow. They are incomplete once `is_wanted` returns false.
pub(super) fn totals(index: &Index, rules: &RuleMatcher, is_wanted: &(dyn Fn() -> bool + Sync)) -> Vec<Totals> {
    let (profile, graph) = (index.profile(), index.flows());
    let mut all = vec![Totals::default(); graph.len()];
    all.par_chunks_mut(BATCH).enumerate().for_each(|(batch, totals)| {
        for (number, slot) in totals.iter_mut().enumerate() {
            if number % 16 == 0 && !is_wanted() {
                return;
            }
            let found = rules.life_totals(profile, graph, FlowId::new(batch * BATCH + number));
            *slot = Totals { run: found.run, longest_wait: found.longest_wait };
        }
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_compact() {
        assert!(size_of::<Totals>() <= 24, "several million flows have them");
    }
}
