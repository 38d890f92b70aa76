//! The order of markers by start.

use crate::profile::Ns;

/// A stable order by start.
///
/// Recorders write markers when they end, so most starts are in order already. Only the late ones are sorted and merged into
/// the rest. The sort keys are start and position, a fraction of a marker's bytes, and compare without branches.
#[derive(Debug)]
pub struct StartOrder {
    /// Start in the high half, position in the low half.
    keys: Vec<u128>,
}

impl StartOrder {
    /// The order of `starts`; `sort` sorts the late ones, on as many cores as the caller has.
    #[must_use]
    pub fn new(starts: impl ExactSizeIterator<Item = Ns>, sort: impl FnOnce(&mut [u128])) -> Self {
        let mut keys: Vec<u128> = Vec::with_capacity(starts.len());
        let mut late = Vec::new();
        let mut last = 0;
        for (position, start) in starts.enumerate() {
            // With the sign bit flipped, times compare as unsigned numbers.
            let key = u128::from(start.0.cast_unsigned() ^ 1 << 63) << 64 | position as u128;
            if key >= last {
                last = key;
                keys.push(key);
            } else {
                late.push(key);
            }
        }
        sort(&mut late);
        keys.append(&mut late);
        drop(late);
        // The stable sort finds two sorted runs and merges them.
        keys.sort();
        Self { keys }
    }

    /// The positions in start order.
    pub fn positions(self) -> impl ExactSizeIterator<Item = usize> {
        self.keys.into_iter().map(Self::position)
    }

    /// The keys in start order.
    #[must_use]
    pub fn keys(&self) -> &[u128] {
        &self.keys
    }

    /// The position of a key.
    #[must_use]
    pub fn position(key: u128) -> usize {
        usize::try_from(key & u128::from(u64::MAX)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_starts_are_merged_where_they_belong() {
        let mut random = fastrand::Rng::with_seed(1);
        for spread in [0, 1, 10, 1000, 1 << 24] {
            // Mostly ascending, some far back; equal and negative times occur.
            let starts: Vec<Ns> = (0..2000).map(|at| Ns(at / 3 - 500 - random.i64(0..=spread))).collect();
            let mut expected: Vec<usize> = (0..starts.len()).collect();
            expected.sort_by_key(|at| starts[*at]);
            let order = StartOrder::new(starts.iter().copied(), <[u128]>::sort_unstable);
            assert_eq!(order.positions().collect::<Vec<_>>(), expected, "{spread}");
        }
    }
}
