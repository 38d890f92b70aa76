//! Checksums: a stable 64-bit hash, and one hash per block of a file. The hashes are computed while the file is written
//! and verified on all cores when it is opened.
//!
//! The hash is the same in every version of the program and runs at memory speed. Four lanes absorb words of eight
//! bytes. Every step (exclusive or, multiplication by an odd number, fold) is invertible, so a change to a single word
//! always changes the hash; other changes go undetected with a probability of 2^-64. The hash does not protect against
//! forgery.

use std::io::{Result, Write};

use rayon::prelude::*;

/// Block size in bytes.
pub(super) const BLOCK: usize = 1 << 20;
/// Initial lane values: the fractional parts of the square roots of the first primes.
const LANES: [u64; 4] = [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];
/// Multiplier: the fractional part of the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(word: u64) -> u64 {
    let word = word.wrapping_mul(STEP);
    word ^ (word >> 32)
}

fn absorb(lanes: &mut [u64; 4], chunk: [u8; 32]) {
    let words: [u64; 4] = bytemuck::cast(chunk);
    for (lane, word) in lanes.iter_mut().zip(words) {
        *lane = mix(*lane ^ u64::from_le(word));
    }
}

/// Hash of some bytes. It is the same in every version of the program, so it can be part of a file name.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    let mut lanes = LANES;
    let (chunks, rest) = bytes.as_chunks::<32>();
    for chunk in chunks {
        absorb(&mut lanes, *chunk);
    }
    if !rest.is_empty() {
        let mut last = [0; 32];
        last[..rest.len()].copy_from_slice(rest);
        absorb(&mut lanes, last);
    }
    lanes.into_iter().fold(bytes.len() as u64, |hash, lane| mix(mix(hash ^ lane)))
}

/// The hash of each block.
pub(super) fn block_hashes(bytes: &[u8]) -> Vec<u64> {
    bytes.par_chunks(BLOCK).map(hash).collect()
}

/// Forwards bytes to a writer and hashes every block. Fails if a byte limit is exceeded.
pub(super) struct ChecksumWriter<W> {
    out: W,
    block: Vec<u8>,
    sums: Vec<u64>,
    left: u64,
}

impl<W: Write> ChecksumWriter<W> {
    pub(super) fn new(out: W, limit: u64) -> Self {
        Self { out, block: Vec::with_capacity(BLOCK), sums: Vec::new(), left: limit }
    }

    fn end_block(&mut self) -> Result<()> {
        self.sums.push(hash(&self.block));
        self.out.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes the last block. Returns the output and all checksums.
    pub(super) fn finish(mut self) -> Result<(W, Vec<u64>)> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        Ok((self.out, self.sums))
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let count = bytes.len().min(BLOCK - self.block.len());
        self.left = self.left.checked_sub(count as u64).ok_or(std::io::ErrorKind::FileTooLarge)?;
        self.block.extend_from_slice(&bytes[..count]);
        if self.block.len() == BLOCK {
            self.end_block()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_stays_what_it_is() {
        let bytes: Vec<u8> = (0..=255).collect();
        let found = [0, 1, 31, 32, 33, 256].map(|length| hash(&bytes[..length]));
        let expected = [
            12_693_350_360_112_319_066,
            13_204_883_309_460_267_105,
            13_952_208_060_070_961_814,
            90_502_713_279_293_063,
            15_748_956_454_595_029_120,
            11_256_762_473_489_378_830,
        ];
        assert_eq!(found, expected, "files from other versions must stay readable");
    }

    #[test]
    fn any_changed_bit_and_any_other_length_change_it() {
        let bytes: Vec<u8> = (0..200_u32).map(|at| (at * 7 % 251) as u8).collect();
        let whole = hash(&bytes);
        for bit in 0..bytes.len() * 8 {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(hash(&other), whole, "bit {bit}");
        }
        let zeros = [0; 100];
        let mut seen: Vec<u64> = (0..zeros.len()).map(|length| hash(&zeros[..length])).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), zeros.len());
    }

    #[test]
    fn its_bits_are_even() {
        // For similar numbers, every bit of the hash is set about half of the time.
        let mut counts = [0_u32; 64];
        for number in 0..10_000_u64 {
            let hash = hash(&number.to_le_bytes());
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += u32::from(hash >> bit & 1 == 1);
            }
        }
        assert!(counts.iter().all(|count| (4_700..5_300).contains(count)), "{counts:?}");
    }

    #[test]
    fn blocks_are_summed_as_they_are_written() {
        let bytes: Vec<u8> = (0..=250).cycle().take(3 * BLOCK + 5).collect();
        let mut summing = ChecksumWriter::new(Vec::new(), u64::MAX);
        for part in bytes.chunks(700_001) {
            summing.write_all(part).expect("memory");
        }
        let (out, sums) = summing.finish().expect("memory");
        assert!(out == bytes && sums == block_hashes(&bytes) && sums.len() == 4);
        let mut small = ChecksumWriter::new(Vec::new(), 10);
        assert!(small.write_all(&bytes[..10]).is_ok() && small.write_all(&bytes[..1]).is_err());
    }
}
