//! Case-insensitive search for ASCII text in long texts, 64 bytes at a time.
//!
//! The first and the last byte of the search text are compared at all positions of a block at once; the rest is only
//! compared where both match. Setting bit 5 makes letters lowercase. It also maps a few other characters to the same
//! value, which the full comparison distinguishes.

use wide::u8x16;

/// Block size in bytes.
const BLOCK: usize = 64;
/// The bit that distinguishes lowercase from uppercase letters.
const SMALL: u8 = 0x20;

/// An ASCII search text.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Lowercase and not empty.
    text: &'a [u8],
    first: u8,
    last: u8,
}

/// One bit per byte of a block, set if the lowercase byte equals `byte`.
#[inline]
fn small_equal(block: &[u8; BLOCK], byte: u8) -> u64 {
    let (lanes, _) = block.as_chunks::<16>();
    lanes.iter().rev().fold(0, |bits, lane| {
        let small = u8x16::new(*lane) | u8x16::splat(SMALL);
        bits << 16 | u64::from(small.simd_eq(u8x16::splat(byte)).to_bitmask())
    })
}

impl<'a> Wanted<'a> {
    /// `None` if the text is empty, not ASCII or not lowercase.
    #[must_use]
    #[inline]
    pub fn new(text: &'a str) -> Option<Self> {
        let text = text.as_bytes();
        let suits = text.is_ascii() && !text.iter().any(u8::is_ascii_uppercase);
        let (first, last) = (*text.first()? | SMALL, *text.last()? | SMALL);
        suits.then_some(Self { text, first, last })
    }

    /// Length in bytes.
    #[must_use]
    #[inline]
    pub const fn width(&self) -> usize {
        self.text.len()
    }

    /// Bytes of the search text.
    #[must_use]
    #[inline]
    pub const fn bytes(&self) -> &'a [u8] {
        self.text
    }

    fn is_at(&self, text: &[u8], at: usize) -> bool {
        text.get(at..at + self.text.len()).is_some_and(|there| there.eq_ignore_ascii_case(self.text))
    }

    /// Calls `found` with each position of a match in `text`, ascending.
    pub fn each(&self, text: &[u8], mut found: impl FnMut(usize)) {
        let Some(most) = text.len().checked_sub(self.text.len()) else { return };
        let behind = self.text.len() - 1;
        let mut at = 0;
        while let (Some(begin), Some(end)) = (
            text.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>),
            text.get(at + behind..).and_then(<[u8]>::first_chunk::<BLOCK>),
        ) {
            let mut fits = small_equal(begin, self.first) & small_equal(end, self.last);
            while fits != 0 {
                let position = at + fits.trailing_zeros() as usize;
                if self.is_at(text, position) {
                    found(position);
                }
                fits &= fits - 1;
            }
            at += BLOCK;
        }
        (at..=most).filter(|position| self.is_at(text, *position)).for_each(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_matches_are_found_at_any_block_offset() {
        let mut random = fastrand::Rng::with_seed(7);
        // Includes other characters that bit 5 maps to the same value.
        let letters = b"aAbB[{@` \0";
        for _ in 0..2000 {
            let text: Vec<u8> = (0..random.usize(0..300)).map(|_| letters[random.usize(0..letters.len())]).collect();
            let wanted: Vec<u8> = (0..random.usize(1..5)).map(|_| b"ab[{ @"[random.usize(0..6)]).collect();
            let wanted = String::from_utf8(wanted).expect("ASCII");
            let mut places = Vec::new();
            Wanted::new(&wanted).expect("lowercase ASCII").each(&text, |at| places.push(at));
            let small = text.to_ascii_lowercase();
            let naive: Vec<usize> = (0..text.len()).filter(|at| small[*at..].starts_with(wanted.as_bytes())).collect();
            assert_eq!(places, naive, "{wanted:?} in {text:?}");
        }
    }

    #[test]
    fn only_lowercase_ascii_is_searched() {
        assert!(Wanted::new("").is_none() && Wanted::new("Ab").is_none() && Wanted::new("ä").is_none());
    }
}
