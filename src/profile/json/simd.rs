//! SIMD scans of JSON text, 16 or 64 bytes at a time.
//!
//! Comparing a block gives one bit per byte; 64-bit arithmetic on these bits finds strings and brackets. Finding strings by
//! the parity of quotes is from Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (2019).

use wide::u8x16;

/// Bytes of a block: one bit per byte fits a 64-bit word.
const BLOCK: usize = 64;

/// Sixteen bytes.
#[derive(Clone, Copy)]
struct Lane(u8x16);

impl Lane {
    #[inline]
    const fn load(bytes: &[u8; 16]) -> Self {
        Self(u8x16::new(*bytes))
    }

    /// Sets the bit that distinguishes `{` from `[`, and `}` from `]`.
    #[inline]
    fn lowered(self) -> Self {
        Self(self.0 | u8x16::splat(0x20))
    }

    /// A bit for every byte that equals `byte`.
    #[inline]
    fn equal(self, byte: u8) -> u64 {
        u64::from(self.0.simd_eq(u8x16::splat(byte)).to_bitmask())
    }

    /// A bit for every byte that is neither a digit nor `-` nor `.`.
    #[inline]
    fn outside_numbers(self) -> u64 {
        // In ASCII they are `-`, `.`, `/`, `0` to `9`.
        let above = self.0 - u8x16::splat(b'-');
        let most = u8x16::splat(b'9' - b'-');
        !u64::from(above.min(most).simd_eq(above).to_bitmask()) | self.equal(b'/')
    }
}

/// Sixty-four bytes of text.
#[derive(Clone, Copy)]
struct Block([Lane; 4]);

impl Block {
    #[inline]
    fn load(bytes: &[u8; BLOCK]) -> Self {
        let mut lanes = bytes.as_chunks::<16>().0.iter().map(Lane::load);
        let mut lane = || lanes.next().unwrap_or_else(|| Lane::load(&[0; 16]));
        Self([lane(), lane(), lane(), lane()])
    }

    #[inline]
    fn equal(&self, byte: u8) -> u64 {
        let [a, b, c, d] = self.0.map(|lane| lane.equal(byte));
        a | b << 16 | c << 32 | d << 48
    }

    #[inline]
    fn lowered(&self) -> Self {
        Self(self.0.map(Lane::lowered))
    }
}

/// Bit n is the parity of bits 0 to n.
#[inline]
const fn parity(mut bits: u64) -> u64 {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^ bits << 32
}

/// The escaped characters; `carry` tells whether the previous block ended with a backslash that escapes the next byte.
#[inline]
const fn escaped(backslashes: u64, carry: &mut bool) -> u64 {
    if backslashes == 0 {
        let first = *carry as u64;
        *carry = false;
        return first;
    }
    let mut marks = 0;
    let mut at = *carry as u32;
    if *carry {
        marks = 1;
    }
    *carry = false;
    // A backslash that is not itself escaped escapes the next byte.
    while at < u64::BITS {
        let rest = backslashes >> at;
        if rest == 0 {
            break;
        }
        let backslash = at + rest.trailing_zeros();
        if backslash + 1 == u64::BITS {
            *carry = true;
            break;
        }
        marks |= 1 << (backslash + 1);
        at = backslash + 2;
    }
    marks
}

/// Result of [`container_end`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContainerEnd {
    /// The container ends before this offset.
    At(usize),
    /// The text ends first.
    NotFound,
    /// A backslash outside strings: the bytewise scan has to decide.
    Unknown,
}

/// The end of the object or array that begins at `start`. Brackets are counted, not matched by kind.
pub(super) fn container_end(text: &[u8], start: usize) -> ContainerEnd {
    let mut depth = 0_u32;
    let mut inside = 0_u64;
    let mut carry = false;
    let mut at = start;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let mut last = [b' '; BLOCK];
        let block = match rest.first_chunk::<BLOCK>() {
            Some(block) => Block::load(block),
            None if rest.is_empty() => return ContainerEnd::NotFound,
            None => {
                last[..rest.len()].copy_from_slice(rest);
                Block::load(&last)
            }
        };
        let backslashes = block.equal(b'\\');
        let quotes = block.equal(b'"') & !escaped(backslashes, &mut carry);
        let strings = parity(quotes) ^ inside;
        if backslashes & !strings != 0 {
            return ContainerEnd::Unknown;
        }
        inside = 0_u64.wrapping_sub(strings >> 63);
        let lowered = block.lowered();
        let (opens, closes) = (lowered.equal(b'{') & !strings, lowered.equal(b'}') & !strings);
        if closes.count_ones() < depth {
            depth = depth + opens.count_ones() - closes.count_ones();
        } else {
            let mut brackets = opens | closes;
            while brackets != 0 {
                let bit = brackets & brackets.wrapping_neg();
                brackets ^= bit;
                if opens & bit != 0 {
                    depth += 1;
                } else {
                    depth -= 1;
                    if depth == 0 {
                        return ContainerEnd::At(at + bit.trailing_zeros() as usize + 1);
                    }
                }
            }
        }
        at += BLOCK;
    }
}

/// The number of bytes before the first quote or backslash among the sixteen bytes at `at`; `None` if there is none, or
/// fewer than sixteen bytes are left.
#[inline]
pub(super) fn before_quote(text: &[u8], at: usize) -> Option<usize> {
    let lane = Lane::load(text.get(at..)?.first_chunk()?);
    let found = lane.equal(b'"') | lane.equal(b'\\');
    (found != 0).then(|| found.trailing_zeros() as usize)
}

/// The number of leading digits, points and minus signs among the sixteen bytes at `at`; `None` if all sixteen are such
/// bytes, or fewer than sixteen are left.
#[inline]
pub(super) fn number_length(text: &[u8], at: usize) -> Option<usize> {
    let lane = Lane::load(text.get(at..)?.first_chunk()?);
    let length = lane.outside_numbers().trailing_zeros() as usize;
    (length < 16).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference: one byte at a time.
    fn naive(text: &[u8]) -> Option<usize> {
        let (mut depth, mut at) = (0, 0);
        while at < text.len() {
            match text[at] {
                b'"' => {
                    at += 1;
                    while *text.get(at)? != b'"' {
                        at += if text[at] == b'\\' { 2 } else { 1 };
                    }
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    #[test]
    fn container_ends_agree_with_a_bytewise_scan() {
        let pieces: [&[u8]; 12] = [
            b"{",
            b"}",
            b"[",
            b"]",
            b"\"\"",
            b"\"a{\"",
            b"\"\\\"]\"",
            b"\"\\\\\"",
            b",",
            b"1.5e3",
            b" ",
            b"\"\\\\\\\"}\"",
        ];
        let mut random = fastrand::Rng::with_seed(1);
        let (mut ends, mut cuts) = (0, 0);
        for _ in 0..20_000 {
            let mut text = b"{".to_vec();
            for _ in 0..random.usize(..90) {
                text.extend(pieces[random.usize(..pieces.len())]);
            }
            text.truncate(random.usize(1..=400));
            match naive(&text) {
                Some(end) => {
                    ends += 1;
                    assert_eq!(container_end(&text, 0), ContainerEnd::At(end), "{}", text.escape_ascii());
                }
                None => {
                    cuts += 1;
                    assert_eq!(container_end(&text, 0), ContainerEnd::NotFound, "{}", text.escape_ascii());
                }
            }
        }
        assert!(ends > 1_000 && cuts > 1_000, "{ends} {cuts}");
    }

    #[test]
    fn a_backslash_outside_strings_is_left_to_the_bytewise_scan() {
        assert_eq!(container_end(br#"{\"a"}"#, 0), ContainerEnd::Unknown);
    }

    #[test]
    fn quotes_and_backslashes_are_found_in_sixteen_bytes() {
        let text = b"0123456789abcde\"g\\";
        assert_eq!(before_quote(text, 0), Some(15));
        assert_eq!(before_quote(text, 2), Some(13));
        assert_eq!(before_quote(text, 3), None, "fifteen bytes are left");
        assert_eq!(before_quote(b"0123456789abcdefg\"", 0), None);
    }

    #[test]
    fn numbers_end_before_the_first_byte_that_belongs_to_none() {
        assert_eq!(number_length(b"-12.75,345678901", 0), Some(6));
        assert_eq!(number_length(b"12/5,34567890123", 0), Some(2));
        assert_eq!(number_length(b"1e5,345678901234", 0), Some(1));
        assert_eq!(number_length(b"x123456789012345", 0), Some(0));
        assert_eq!(number_length(b"1234567890123456", 0), None, "it may go on");
        assert_eq!(number_length(b"123,45678901234", 0), None, "fifteen bytes are left");
        for byte in 0..=u8::MAX {
            let mut text = *b"1234567,90123456";
            text[3] = byte;
            let belongs = byte.is_ascii_digit() || byte == b'-' || byte == b'.';
            assert_eq!(number_length(&text, 0), Some(if belongs { 7 } else { 3 }), "{byte}");
        }
    }
}
