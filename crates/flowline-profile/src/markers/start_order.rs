//! The order of markers by start.

use flowline_format::Ns;

/// A stable order by start.
///
/// Recorders write markers when they end, so a marker comes after its contents, and most markers move back past only a
/// few others. Each is inserted at its position while that takes few moves; the remaining late ones are sorted and
/// merged. A sort key contains start and position. It has a fraction of a marker's size and compares without branches.
#[derive(Debug)]
pub struct StartOrder {
    /// Start in the high half, position in the low half.
    keys: Vec<u128>,
}

/// Maximum average number of moves for insertion.
const MOVES: usize = 24;
/// Number of moves that do not count towards the average.
const FREE_MOVES: usize = 1 << 12;

impl StartOrder {
    /// The order of `starts`. `sort` sorts the late keys without a regular pattern, on as many cores as the caller has.
    #[must_use]
    pub fn new(starts: impl ExactSizeIterator<Item = Ns>, sort: impl FnOnce(&mut [u128])) -> Self {
        let mut keys: Vec<u128> = Vec::with_capacity(starts.len());
        let mut late = Vec::new();
        let (mut last, mut moves) = (0, 0);
        for (position, start) in starts.enumerate() {
            // With the sign bit flipped, times compare as unsigned numbers.
            let key = u128::from(start.0.cast_unsigned() ^ 1 << 63) << 64 | position as u128;
            if key >= last {
                last = key;
                keys.push(key);
            } else if moves <= FREE_MOVES + keys.len() * MOVES {
                let place = place_from_end(&keys, key);
                moves += keys.len() - place;
                keys.insert(place, key);
            } else {
                late.push(key);
            }
        }
        if !late.is_empty() {
            sort(&mut late);
            keys.append(&mut late);
            drop(late);
            // The stable sort detects two sorted runs and merges them.
            keys.sort();
        }
        Self { keys }
    }

    /// The positions in start order.
    #[inline]
    pub fn positions(self) -> impl ExactSizeIterator<Item = usize> {
        self.keys.into_iter().map(Self::position)
    }

    /// The keys in start order.
    #[must_use]
    #[inline]
    pub fn keys(&self) -> &[u128] {
        &self.keys
    }

    /// The position of a key.
    #[must_use]
    #[inline]
    pub fn position(key: u128) -> usize {
        usize::try_from(key & u128::from(u64::MAX)).unwrap_or_default()
    }
}

/// The position for a key among sorted ones, searched from the end in doubling steps.
#[inline]
fn place_from_end(keys: &[u128], key: u128) -> usize {
    let (mut high, mut step) = (keys.len(), 1);
    loop {
        let low = high.saturating_sub(step);
        if low == 0 || keys[low] < key {
            return low + keys[low..high].partition_point(|known| *known < key);
        }
        (high, step) = (low, step * 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_starts_are_merged_in_order() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut sorted = 0;
        for spread in [0, 1, 10, 1000, 1 << 24] {
            // Mostly ascending, some far back; includes equal and negative times.
            let starts: Vec<Ns> = (0..4000).map(|at| Ns(at / 3 - 500 - random.i64(0..=spread))).collect();
            let mut expected: Vec<usize> = (0..starts.len()).collect();
            expected.sort_by_key(|at| starts[*at]);
            let order = StartOrder::new(starts.iter().copied(), |late| {
                sorted += late.len();
                late.sort_unstable();
            });
            assert_eq!(order.positions().collect::<Vec<_>>(), expected, "{spread}");
        }
        assert!(sorted > 1000, "keys that take many moves are sorted");
    }

    #[test]
    fn markers_written_at_their_end_are_only_inserted() {
        // Nested intervals, four per level, written when they end.
        fn write(start: i64, length: i64, starts: &mut Vec<Ns>) {
            if length >= 4 {
                (0..4).for_each(|part| write(start + part * length / 4, length / 4, starts));
            }
            starts.push(Ns(start));
        }
        let mut starts = Vec::new();
        write(-500, 1 << 12, &mut starts);
        let order = StartOrder::new(starts.iter().copied(), |late| unreachable!("{} are sorted", late.len()));
        let positions: Vec<usize> = order.positions().collect();
        assert!(positions.is_sorted_by_key(|at| (starts[*at], *at)));
        assert_eq!(positions.len(), starts.len());
    }
}
