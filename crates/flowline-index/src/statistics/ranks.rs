//! Exact percentiles by nearest rank, selected without sorting.
//!
//! The p-th percentile of n durations is the ceil(p n)-th smallest. For few durations it is selected in a copy. Many
//! durations are first counted in bins of similar durations, on all cores; then only the bins that contain the
//! percentiles are copied.

use rayon::prelude::*;

/// The percentiles in the statistics, in thousandths.
pub(super) const SHOWN: [u64; 4] = [500, 900, 990, 999];

/// Minimum number of durations that are counted in bins.
const MANY: usize = 1 << 19;

/// The rank of a percentile, from 0: `thousandths` of 1000, at most 1000.
pub(super) const fn rank(thousandths: u64, count: u64) -> u64 {
    // Split so that the product cannot overflow.
    let (whole, rest) = (count / 1000, count % 1000);
    let rank = whole * thousandths + (rest * thousandths).div_ceil(1000);
    if rank == 0 { 0 } else { rank - 1 }
}

/// The percentiles [`SHOWN`] of the durations in some lists; `None` if the lists are empty.
pub(super) fn percentiles(lists: &[&[u64]]) -> Option<[u64; SHOWN.len()]> {
    let count: usize = lists.iter().map(|list| list.len()).sum();
    if count == 0 {
        return None;
    }
    let ranks = SHOWN.map(|thousandths| rank(thousandths, count as u64));
    Some(if count < MANY { of_few(&mut lists.concat(), ranks) } else { of_many(lists, ranks) })
}

/// Selects ascending ranks, from last to first, each among the durations up to the next rank.
fn of_few(lengths: &mut [u64], ranks: [u64; SHOWN.len()]) -> [u64; SHOWN.len()] {
    let mut rest = lengths;
    let mut found = [0; SHOWN.len()];
    for (found, rank) in found.iter_mut().zip(ranks).rev() {
        let rank = usize::try_from(rank).unwrap_or(usize::MAX).min(rest.len() - 1);
        *found = *rest.select_nth_unstable(rank).1;
        rest = &mut rest[..=rank];
    }
    found
}

/// Number of bits below the highest bit that all durations of a bin share.
const DIGITS: u32 = 6;
/// Number of bins.
const BINS: usize = (64 - DIGITS as usize + 1) << DIGITS;

/// The bin of a duration. Longer durations have later bins.
#[expect(clippy::cast_possible_truncation, reason = "less than 2^13")]
const fn bin(length: u64) -> usize {
    if length < 1 << DIGITS {
        return length as usize;
    }
    let shift = u64::BITS - length.leading_zeros() - DIGITS - 1;
    ((shift as usize) << DIGITS) + (length >> shift) as usize
}

fn of_many(lists: &[&[u64]], ranks: [u64; SHOWN.len()]) -> [u64; SHOWN.len()] {
    let count = |mut bins: Vec<u64>, list: &&[u64]| {
        list.iter().for_each(|length| bins[bin(*length)] += 1);
        bins
    };
    let add = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let zero = || vec![0; BINS];
    let bins = lists.par_iter().fold(zero, count).reduce(zero, add);
    // For each percentile, its bin and its rank in the bin.
    let place = |rank: u64| {
        let mut below = 0;
        for (bin, count) in bins.iter().enumerate() {
            if rank < below + count {
                return (bin, rank - below);
            }
            below += count;
        }
        (BINS - 1, 0)
    };
    let places = ranks.map(place);
    let mut found = [0; SHOWN.len()];
    let mut kept: Option<(usize, Vec<u64>)> = None;
    for (found, (wanted, rank)) in found.iter_mut().zip(places) {
        let copy = || {
            let of_list = |list: &&[u64]| list.iter().copied().filter(|length| bin(*length) == wanted).collect();
            let parts: Vec<Vec<u64>> = lists.par_iter().map(of_list).collect();
            (wanted, parts.concat())
        };
        let (_, lengths) = match &mut kept {
            Some(same) if same.0 == wanted => same,
            other => other.insert(copy()),
        };
        let rank = usize::try_from(rank).unwrap_or(usize::MAX).min(lengths.len() - 1);
        *found = *lengths.select_nth_unstable(rank).1;
    }
    found
}

/// The standard deviation of the durations in some lists from their mean.
#[expect(clippy::cast_precision_loss, reason = "a deviation is not exact")]
pub(super) fn deviation(lists: &[&[u64]], count: u64, mean: f64) -> f64 {
    let of_list = |list: &&[u64]| -> f64 { list.iter().map(|length| (*length as f64 - mean).powi(2)).sum() };
    // The parts are added in order, so the sum does not depend on the number of cores.
    let parts: Vec<f64> = if lists.len() < 16 {
        lists.iter().map(of_list).collect()
    } else {
        lists.par_iter().with_min_len(4).map(of_list).collect()
    };
    (parts.iter().sum::<f64>() / count as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_nearest() {
        // ceil(p n), counted from 1.
        for (thousandths, count, expected) in
            [(500, 1, 1), (500, 2, 1), (500, 3, 2), (900, 10, 9), (990, 101, 100), (999, 1000, 999), (1000, 7, 7)]
        {
            assert_eq!(rank(thousandths, count) + 1, expected, "{thousandths} of {count}");
        }
        assert_eq!(u128::from(rank(999, u64::MAX / 2)) + 1, (u128::from(u64::MAX / 2) * 999).div_ceil(1000));
    }

    #[test]
    fn bins_ascend() {
        let lengths: Vec<u64> =
            (0..64).flat_map(|bit| [0, 1, 2].map(|more| (1_u64 << bit).saturating_sub(1) + more)).collect();
        let mut sorted = lengths.clone();
        sorted.sort_unstable();
        assert!(sorted.is_sorted_by_key(|length| bin(*length)));
        assert_eq!(bin(u64::MAX), BINS - 1);
    }

    #[test]
    fn binned_selection_agrees_with_direct_selection() {
        let mut random = fastrand::Rng::with_seed(7);
        for bits in [1, 5, 20, 63] {
            let lengths: Vec<u64> = (0..3_000).map(|_| random.u64(..) >> (64 - random.u32(1..=bits))).collect();
            let lists: Vec<&[u64]> = lengths.chunks(700).collect();
            let mut sorted = lengths.clone();
            sorted.sort_unstable();
            let ranks = SHOWN.map(|thousandths| rank(thousandths, 3_000));
            let expected = ranks.map(|rank| sorted[usize::try_from(rank).expect("small")]);
            assert_eq!(of_many(&lists, ranks), expected);
            assert_eq!(of_few(&mut lengths.clone(), ranks), expected);
        }
    }
}
