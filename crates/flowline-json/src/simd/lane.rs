//! Scans of 16 bytes of JSON text.

use wide::u8x16;

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Lane(u8x16);

impl Lane {
    #[inline]
    pub(super) const fn load(bytes: &[u8; 16]) -> Self {
        Self(u8x16::new(*bytes))
    }

    /// Sets the bit that distinguishes `{` from `[`, and `}` from `]`.
    #[inline]
    pub(super) fn lowered(self) -> Self {
        Self(self.0 | u8x16::splat(0x20))
    }

    /// One bit per byte, set if the byte equals `byte`.
    #[inline]
    pub(super) fn equal(self, byte: u8) -> u64 {
        u64::from(self.0.simd_eq(u8x16::splat(byte)).to_bitmask())
    }

    /// One bit per byte, set if the byte is neither a digit nor `-` nor `.`.
    #[inline]
    fn outside_numbers(self) -> u64 {
        // In ASCII, the range from `-` to `9` is `-`, `.`, `/` and the digits.
        let above = self.0 - u8x16::splat(b'-');
        let most = u8x16::splat(b'9' - b'-');
        !u64::from(above.min(most).simd_eq(above).to_bitmask()) | self.equal(b'/')
    }
}

/// Number of bytes before the first quote or backslash within the sixteen bytes at `at`; `None` if there is none, or if
/// fewer than sixteen bytes remain.
#[inline]
pub(crate) fn before_quote(text: &[u8], at: usize) -> Option<usize> {
    let lane = Lane::load(text.get(at..)?.first_chunk()?);
    let found = lane.equal(b'"') | lane.equal(b'\\');
    (found != 0).then(|| found.trailing_zeros() as usize)
}

/// Number of leading digits, points and minus signs within the sixteen bytes at `at`; `None` if all sixteen are such
/// bytes, or if fewer than sixteen remain.
#[inline]
pub(crate) fn number_length(text: &[u8], at: usize) -> Option<usize> {
    let lane = Lane::load(text.get(at..)?.first_chunk()?);
    let length = lane.outside_numbers().trailing_zeros() as usize;
    (length < 16).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_found_in_sixteen_bytes() {
        let text = b"0123456789abcde\"g\\";
        assert_eq!(before_quote(text, 0), Some(15));
        assert_eq!(before_quote(text, 2), Some(13));
        assert_eq!(before_quote(text, 3), None, "fifteen bytes remain");
        assert_eq!(before_quote(b"0123456789abcdefg\"", 0), None);
    }

    #[test]
    fn numbers_end_before_the_first_other_byte() {
        assert_eq!(number_length(b"-12.75,345678901", 0), Some(6));
        assert_eq!(number_length(b"12/5,34567890123", 0), Some(2));
        assert_eq!(number_length(b"1e5,345678901234", 0), Some(1));
        assert_eq!(number_length(b"x123456789012345", 0), Some(0));
        assert_eq!(number_length(b"1234567890123456", 0), None, "the number may continue");
        assert_eq!(number_length(b"123,45678901234", 0), None, "fifteen bytes remain");
        for byte in 0..=u8::MAX {
            let mut text = *b"1234567,90123456";
            text[3] = byte;
            let belongs = byte.is_ascii_digit() || byte == b'-' || byte == b'.';
            assert_eq!(number_length(&text, 0), Some(if belongs { 7 } else { 3 }), "{byte}");
        }
    }
}
