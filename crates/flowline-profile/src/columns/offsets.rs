//! Frame-of-reference encoding: columns of 64-bit numbers in 32 bits each, as offsets from the minimum of their block.
//!
//! Times and file offsets grow slowly from one marker to the next, so nearly all blocks span less than 2^32. A block
//! that spans more stores its full numbers in a separate list.

use std::ops::Range;

use crate::persist::persist;

use super::column::Column;

/// Binary logarithm of the numbers in a block.
const SHIFT: u32 = 7;
/// Numbers per block.
const BLOCK: usize = 1 << SHIFT;
/// The offset of [`Offsets::MISSING`].
const NOTHING: u32 = u32::MAX;
/// Marks a block whose full numbers are stored separately, in place of its minimum. The offsets of the block are
/// positions in the list of full numbers.
const IN_FULL: i64 = i64::MIN;

/// A list of 64-bit numbers that takes four bytes per number, if neighbors differ by less than 2^32.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offsets {
    offsets: Column<u32>,
    /// The minimum of each block, or [`IN_FULL`].
    least: Column<i64>,
    full: Column<i64>,
}
persist!(Offsets { offsets, least, full });

impl Offsets {
    /// Represents "none". It does not affect the span of its block.
    pub(crate) const MISSING: i64 = i64::MIN;

    /// Length of the list.
    #[must_use]
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Read access to many numbers.
    #[must_use]
    #[inline]
    pub(crate) fn view(&self) -> OffsetsView<'_> {
        OffsetsView { offsets: &self.offsets, least: &self.least, full: &self.full, skew: 0 }
    }

    /// A part of the list; empty if the part is out of range.
    #[must_use]
    #[inline]
    pub(crate) fn part(&self, rows: Range<usize>) -> OffsetsView<'_> {
        OffsetsView {
            offsets: self.offsets.get(rows.clone()).unwrap_or_default(),
            least: self.least.get(rows.start >> SHIFT..).unwrap_or_default(),
            full: &self.full,
            skew: rows.start % BLOCK,
        }
    }

    /// True if the columns have consistent lengths.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        self.least.len() == self.offsets.len().div_ceil(BLOCK)
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    #[inline]
    pub(crate) const fn heap_bytes(&self) -> usize {
        self.offsets.heap_bytes() + self.least.heap_bytes() + self.full.heap_bytes()
    }
}

/// A borrowed part of [`Offsets`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OffsetsView<'a> {
    offsets: &'a [u32],
    least: &'a [i64],
    full: &'a [i64],
    /// Number of entries of the first block that come before this part.
    skew: usize,
}

impl<'a> OffsetsView<'a> {
    /// The number at a position; panics if the position is out of range.
    #[must_use]
    #[inline]
    pub(crate) fn at(self, position: usize) -> i64 {
        let (offset, least) = (self.offsets[position], self.least[(position + self.skew) >> SHIFT]);
        if least == IN_FULL {
            self.full.get(offset as usize).copied().unwrap_or(Offsets::MISSING)
        } else if offset == NOTHING {
            Offsets::MISSING
        } else {
            least + i64::from(offset)
        }
    }

    /// The positions in each block, with the block's encoding: its minimum and the offsets from it, or `None` if its
    /// full numbers are stored. The offset for "none" is [`u32::MAX`].
    pub(crate) fn blocks(self) -> impl Iterator<Item = (Range<usize>, Option<(i64, &'a [u32])>)> {
        let bounds = move |block: usize| (block * BLOCK).saturating_sub(self.skew).min(self.offsets.len());
        let count = (self.offsets.len() + self.skew).div_ceil(BLOCK);
        self.least.iter().take(count).enumerate().map(move |(block, least)| {
            let part = bounds(block)..bounds(block + 1);
            (part.clone(), (*least != IN_FULL).then_some((*least, &self.offsets[part])))
        })
    }

    /// Length of this part.
    #[must_use]
    #[inline]
    pub(crate) const fn len(self) -> usize {
        self.offsets.len()
    }
}

/// Collects numbers for [`Offsets`].
#[derive(Debug)]
pub(crate) struct OffsetsBuilder {
    offsets: Vec<u32>,
    least: Vec<i64>,
    full: Vec<i64>,
    block: [i64; BLOCK],
    filled: usize,
}

impl OffsetsBuilder {
    /// A builder with capacity for `count` numbers.
    #[must_use]
    #[inline]
    pub(crate) fn with_capacity(count: usize) -> Self {
        let least = Vec::with_capacity(count.div_ceil(BLOCK));
        Self { offsets: Vec::with_capacity(count), least, full: Vec::new(), block: [0; BLOCK], filled: 0 }
    }

    /// Adds a number.
    #[inline]
    pub(crate) fn push(&mut self, number: i64) {
        self.block[self.filled] = number;
        self.filled += 1;
        if self.filled == BLOCK {
            self.flush();
        }
    }

    /// Encodes the current block.
    fn flush(&mut self) {
        let block = &self.block[..self.filled];
        // `MISSING` is the smallest `i64`, so it must not count towards the minimum.
        let least = block.iter().map(|number| if *number == Offsets::MISSING { i64::MAX } else { *number }).min();
        let greatest = block.iter().copied().max().unwrap_or(0);
        let least = least.filter(|_| greatest != Offsets::MISSING).unwrap_or(0);
        let spans = greatest.wrapping_sub(least).cast_unsigned();
        if spans < u64::from(NOTHING) || greatest == Offsets::MISSING {
            self.least.push(least);
            self.offsets.extend(block.iter().map(|number| match *number {
                Offsets::MISSING => NOTHING,
                number => low_word(number.wrapping_sub(least)),
            }));
        } else {
            self.least.push(IN_FULL);
            self.offsets.extend((self.full.len()..).take(block.len()).map(|at| u32::try_from(at).unwrap_or(NOTHING)));
            self.full.extend_from_slice(block);
        }
        self.filled = 0;
    }

    /// Returns the finished column.
    #[must_use]
    pub(crate) fn finish(mut self) -> Offsets {
        if self.filled > 0 {
            self.flush();
        }
        self.offsets.shrink_to_fit();
        self.least.shrink_to_fit();
        self.full.shrink_to_fit();
        Offsets { offsets: self.offsets.into(), least: self.least.into(), full: self.full.into() }
    }
}

impl FromIterator<i64> for Offsets {
    #[inline]
    fn from_iter<I: IntoIterator<Item = i64>>(numbers: I) -> Self {
        let numbers = numbers.into_iter();
        let mut builder = OffsetsBuilder::with_capacity(numbers.size_hint().0);
        numbers.for_each(|number| builder.push(number));
        builder.finish()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the number is known to fit")]
const fn low_word(number: i64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_preserved() {
        let mut random = fastrand::Rng::with_seed(3);
        let extremes = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::from(u32::MAX) - 1, i64::from(u32::MAX), i64::MAX];
        for (count, spread) in [(0, 1), (1, 1), (127, 9), (128, 1 << 31), (1000, 1 << 32), (1000, i64::MAX)] {
            for odd in [0, 1, 50] {
                let mut base = random.i64(-spread..=spread);
                let numbers: Vec<i64> = (0..count)
                    .map(|_| {
                        base = base.saturating_add(random.i64(0..1000));
                        let near = base.saturating_add(random.i64(0..=spread) / 2);
                        if random.u32(0..100) < odd { extremes[random.usize(..extremes.len())] } else { near }
                    })
                    .collect();
                let column: Offsets = numbers.iter().copied().collect();
                let view = column.view();
                let read: Vec<i64> = (0..view.len()).map(|at| view.at(at)).collect();
                assert_eq!(read, numbers, "{count} {spread} {odd}");
                for _ in 0..5 {
                    let first = random.usize(0..=numbers.len());
                    let part = first..random.usize(first..=numbers.len());
                    let view = column.part(part.clone());
                    let read: Vec<i64> = (0..view.len()).map(|at| view.at(at)).collect();
                    assert_eq!(read, numbers[part], "{count} {spread} {odd}");
                    let blocks: Vec<_> = view.blocks().flat_map(|(positions, _)| positions).collect();
                    assert_eq!(blocks, (0..view.len()).collect::<Vec<_>>());
                    for (positions, block) in view.blocks() {
                        let Some((least, offsets)) = block else { continue };
                        for (position, offset) in positions.zip(offsets) {
                            let number = if *offset == NOTHING { Offsets::MISSING } else { least + i64::from(*offset) };
                            assert_eq!(number, view.at(position));
                        }
                    }
                }
                assert!(column.is_consistent());
            }
        }
    }

    #[test]
    fn close_numbers_take_four_bytes_and_one_wide_block_takes_twelve() {
        let near: Offsets = (0..10_000).map(|at| (1_i64 << 50) + at * 1000).collect();
        assert!(near.heap_bytes() < 10_000 * 4 + 1000);
        let far: Offsets = (0..10_000_i64).map(|at| if at == 5000 { 1 << 60 } else { at }).collect();
        assert!(far.heap_bytes() < 10_000 * 4 + 3000);
        assert_eq!((far.view().at(4999), far.view().at(5000), far.view().at(5001)), (4999, 1 << 60, 5001));
        let missing: Offsets = (0..1000).map(|at| if at % 2 == 0 { Offsets::MISSING } else { 1 << 50 }).collect();
        assert!(missing.heap_bytes() < 1000 * 4 + 100);
    }
}
