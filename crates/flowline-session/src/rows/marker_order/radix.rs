//! Stable radix sort of words by a range of their bits, from the lowest digit. Linear time.

use std::ops::Range;

/// Bits per digit, so that the counters of a pass fit the first-level cache.
const DIGIT: u32 = 11;
/// Shorter lists are sorted by comparison.
const FEW: usize = 256;

/// Sorts words by a range of their bits; equal words keep their order.
///
/// # Panics
/// Panics if there are 2^32 words or more.
pub(super) fn sort(words: &mut Vec<u64>, bits: Range<u32>) {
    assert!(u32::try_from(words.len()).is_ok(), "positions are 32 bits");
    if bits.is_empty() {
        return;
    }
    let number = |word: u64| word << (64 - bits.end) >> (64 - bits.end + bits.start);
    if words.len() < FEW {
        words.sort_by_key(|word| number(*word));
        return;
    }
    let mut spare = vec![0; words.len()];
    for low in bits.clone().step_by(DIGIT as usize) {
        let mask = (1_u64 << DIGIT.min(bits.end - low)) - 1;
        #[expect(clippy::cast_possible_truncation, reason = "eleven bits")]
        let digit = |word: u64| (word >> low & mask) as usize;
        let mut places = [0_u32; 1 << DIGIT];
        words.iter().for_each(|word| places[digit(*word)] += 1);
        if places.contains(&u32::try_from(words.len()).unwrap_or(0)) {
            continue;
        }
        let mut count = 0;
        for place in &mut places {
            (*place, count) = (count, count + *place);
        }
        for word in &*words {
            let place = &mut places[digit(*word)];
            spare[*place as usize] = *word;
            *place += 1;
        }
        std::mem::swap(words, &mut spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_stably_by_the_given_bits() {
        // A fixed pseudo-random sequence with duplicates.
        let mixed =
            (0..5_000_u64).map(|number| ((number * number) ^ (number << 17)).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mixed: Vec<u64> = mixed.map(|word| if word % 3 == 0 { word & 0xFFFF } else { word }).collect();
        for bits in [0..64, 24..64, 32..32, 32..33, 32..47, 5..27, 0..1, 63..64] {
            for count in [0, 1, FEW - 1, FEW, 5_000] {
                let mut words = mixed[..count].to_vec();
                let mut expected = words.clone();
                let wide = |word: u64| (u128::from(word) % (1 << bits.end)) >> bits.start;
                expected.sort_by_key(|word| if bits.is_empty() { 0 } else { wide(*word) });
                sort(&mut words, bits.clone());
                assert!(words == expected, "{bits:?} of {count}");
            }
        }
    }
}
