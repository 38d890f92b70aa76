//! Memory allocations and their releases, matched by address.
//!
//! Only samples in the given range are matched, in time order: a release belongs to the latest allocation of its
//! address before it. The Firefox Profiler matches them in the same way.

use std::ops::Range;

use foldhash::HashMap;

use flowline_profile::SampleTable;

/// An unknown address.
const UNKNOWN: u64 = u64::MAX;

/// Matches the allocations and releases of a range of samples. `addresses` is parallel to the table. Calls `matched`
/// with each release and its allocation, and returns the allocations without a release.
fn pairs(
    table: &SampleTable,
    addresses: &[u64],
    within: Range<usize>,
    mut matched: impl FnMut(usize, usize),
) -> Vec<usize> {
    let mut open: HashMap<u64, usize> = HashMap::default();
    let mut is_released = vec![false; within.len()];
    for sample in within.clone() {
        let address = addresses.get(sample).copied().unwrap_or(UNKNOWN);
        if address == UNKNOWN {
            continue;
        }
        if table.weight(sample) >= 0.0 {
            open.insert(address, sample);
        } else if let Some(allocation) = open.remove(&address) {
            is_released[allocation - within.start] = true;
            matched(sample, allocation);
        }
    }
    within.clone().filter(|sample| table.weight(*sample) > 0.0 && !is_released[sample - within.start]).collect()
}

/// Allocations of a range of samples without a release in it, including those with unknown addresses.
pub(crate) fn retained(table: &SampleTable, addresses: &[u64], within: Range<usize>) -> Vec<usize> {
    pairs(table, addresses, within, |_, _| {})
}

/// Releases of a range of samples whose allocations are also in it, each with its allocation.
pub(crate) fn released(table: &SampleTable, addresses: &[u64], within: Range<usize>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    pairs(table, addresses, within, |release, allocation| found.push((release, allocation)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::Ns;
    use flowline_profile::samples::{NONE, WeightUnit};

    fn table(weights: &[f64]) -> SampleTable {
        let time = (0..).map(Ns).take(weights.len()).collect();
        let stack = vec![NONE; weights.len()];
        SampleTable::with_columns(time, stack, Vec::new(), weights.to_vec(), WeightUnit::Bytes)
    }

    #[test]
    fn a_release_belongs_to_the_last_allocation_of_its_address() {
        // Address 1 is used twice; 2 is only released; 3 is retained; 4 is allocated twice without a release in
        // between.
        let table = table(&[8.0, -8.0, 16.0, -4.0, 32.0, 5.0, 6.0, -6.0, -16.0]);
        let addresses = [1, 1, 1, 2, 3, 4, 4, 4, 1];
        assert_eq!(retained(&table, &addresses, 0..9), [4, 5]);
        assert_eq!(released(&table, &addresses, 0..9), [(1, 0), (7, 6), (8, 2)]);
        assert_eq!(retained(&table, &addresses, 2..8), [2, 4, 5], "the release of 1 is outside the range");
        assert_eq!(released(&table, &addresses, 1..8), [(7, 6)], "the allocation of 1 is outside the range");
    }

    #[test]
    fn unknown_addresses_match_nothing() {
        let table = table(&[8.0, -8.0, 16.0, -16.0]);
        assert_eq!(retained(&table, &[UNKNOWN, UNKNOWN, 7], 0..4), [0, 2], "the address column is too short");
        assert!(released(&table, &[UNKNOWN, UNKNOWN], 0..4).is_empty());
    }
}
