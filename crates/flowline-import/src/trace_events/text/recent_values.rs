//! Cache of values that repeat from event to event: category, process and thread. A value is recognized by its first
//! bytes, without parsing it or looking up its number.

use super::ids::{NONE, TextId};

/// Number of bytes compared at once: a value, and the byte after it.
const WINDOW: usize = 16;

/// A previous value with the byte after it, so that longer values do not match.
#[derive(Clone, Copy, Debug)]
struct RecentValue {
    bytes: u128,
    /// Mask of the compared bytes; the other bytes of `bytes` are 0.
    mask: u128,
    /// Length of the value, without the byte after it.
    length: usize,
    number: TextId,
}

/// The last `N` distinct values of a member.
#[derive(Debug)]
pub(crate) struct RecentValues<const N: usize> {
    known: [RecentValue; N],
    /// Index of the value that is replaced next.
    oldest: usize,
}

impl<const N: usize> Default for RecentValues<N> {
    fn default() -> Self {
        // Text under an empty mask is never 1, so this matches nothing.
        let unused = RecentValue { bytes: 1, mask: 0, length: 0, number: NONE };
        Self { known: [unused; N], oldest: 0 }
    }
}

/// Returns the bytes from an offset on; `None` near the end of the text.
#[inline]
fn window(text: &[u8], at: usize) -> Option<u128> {
    Some(u128::from_le_bytes(*text.get(at..)?.first_chunk::<WINDOW>()?))
}

impl<const N: usize> RecentValues<N> {
    /// Returns the number of the value at an offset and the offset after it, if the cache contains the value.
    #[inline]
    pub(crate) fn find(&self, text: &[u8], at: usize) -> Option<(TextId, usize)> {
        let window = window(text, at)?;
        let known = self.known.iter().find(|known| window & known.mask == known.bytes)?;
        Some((known.number, at + known.length))
    }

    /// Adds the value from `start` to `end`, unless it is too long.
    #[inline]
    pub(crate) fn add(&mut self, text: &[u8], (start, end): (usize, usize), number: TextId) {
        let length = end - start;
        if let Some(window) = window(text, start).filter(|_| length < WINDOW) {
            let mask = u128::MAX >> (u128::BITS as usize - (length + 1) * 8);
            self.known[self.oldest] = RecentValue { bytes: window & mask, mask, length, number };
            self.oldest = (self.oldest + 1) % N;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_recognized_only_as_a_whole() {
        let text = b"27,271,\"v8\",\"v8.gc\",\"v8\"}27}and so on, and so on";
        let mut values = RecentValues::<2>::default();
        assert_eq!(values.find(text, 0), None);
        values.add(text, (0, 2), 5);
        assert_eq!(values.find(text, 0), Some((5, 2)));
        assert_eq!(values.find(text, 3), None, "271 is another number");
        values.add(text, (7, 11), 6);
        assert_eq!(values.find(text, 7), Some((6, 11)));
        assert_eq!(values.find(text, 12), None, "v8.gc is another text");
        // A different byte after the value does not match, so the value is added again.
        assert_eq!(values.find(text, 20), None);
        values.add(text, (20, 24), 6);
        assert_eq!((values.find(text, 20), values.find(text, 7)), (Some((6, 24)), Some((6, 11))));
        assert_eq!(values.find(text, 0), None, "the oldest value is replaced");
    }

    #[test]
    fn long_values_and_the_end_of_the_text_are_not_cached() {
        let text = b"\"123456789abcde\",\"123456789abcd\",1,2,3,4,5,6,7,8,9";
        let mut values = RecentValues::<4>::default();
        values.add(text, (0, 16), 1);
        assert_eq!(values.find(text, 0), None);
        values.add(text, (17, 32), 2);
        assert_eq!(values.find(text, 17), Some((2, 32)));
        values.add(text, (33, 34), 3);
        assert_eq!(values.find(text, 33), Some((3, 34)));
        assert_eq!(values.find(&text[..33 + 15], 33), None);
        assert_eq!(values.find(text, text.len() + 1), None);
    }
}
