//! Repeatable pseudo-random numbers: a stateless mixer and a small generator seeded by it.
//!
//! The mixer lets threads agree without shared state: the properties of a flow are a function of the seed and the
//! flow's number, so every thread of a flow computes the same values. The finalizer is that of SplitMix64, the
//! generator is xoshiro256** (both by Blackman and Vigna, public domain).

/// Returns a well-distributed 64-bit value that depends on both inputs.
pub(super) const fn mix(seed: u64, value: u64) -> u64 {
    let mut z = seed.rotate_left(25).wrapping_add(value.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Returns the element selected by `random_bits`. `list` must not be empty.
pub(super) fn pick<T: Copy>(list: &[T], random_bits: u64) -> T {
    let index = usize::try_from(random_bits % list.len() as u64).unwrap_or(0);
    list[index]
}

/// A stream of random numbers; each thread of a recording has its own.
#[derive(Debug, Clone)]
pub(super) struct Random {
    state: [u64; 4],
}

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self { state: [mix(seed, 1), mix(seed, 2), mix(seed, 3), mix(seed, 4)] }
    }

    pub(super) const fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let (c2, d2) = (c ^ a, d ^ b);
        self.state = [a ^ d2, b ^ c2, c2 ^ (b << 17), d2.rotate_left(45)];
        result
    }

    /// Returns a uniform value in `0..limit`; 0 if `limit` is 0. `limit` must be below 2^32.
    pub(super) const fn below(&mut self, limit: u64) -> u64 {
        ((self.next() >> 32) * limit) >> 32
    }

    /// Returns true in `percent` of 100 calls.
    pub(super) const fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_repeatable_and_spread() {
        let mut first = Random::new(7);
        let mut second = Random::new(7);
        let mut counts = [0_u32; 10];
        for _ in 0..10_000 {
            let value = first.below(10);
            assert_eq!(value, second.below(10));
            counts[usize::try_from(value).unwrap()] += 1;
        }
        assert!(counts.iter().all(|&count| (800..1200).contains(&count)), "{counts:?}");
    }
}
