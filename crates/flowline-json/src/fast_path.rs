//! Fast paths for tokens in their usual form; importers read millions of small values.
//!
//! Each function reads one kind of token and returns `None` for anything unusual (escapes, exponents, damage, the last
//! bytes of the text). The caller then falls back to [`super::Cursor`], which reads any text. If a fast path returns a
//! result, both agree.

use super::simd::{self, ContainerEnd};
use flowline_format::{Ns, Unit};

/// Key word of every key with eight or more bytes.
pub const LONG: u64 = u64::MAX;

/// A word in which every byte is 1.
const EVERY: u64 = 0x0101_0101_0101_0101;

#[inline]
fn word(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?))
}

/// The offset of the first non-whitespace byte at or after `at`.
#[must_use]
#[inline]
pub fn after_space(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| *byte <= b' ' && matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

/// Sets the high bit of every byte of a word that equals `byte`; bytes above the lowest match may be set incorrectly.
#[inline]
const fn marks(word: u64, byte: u8) -> u64 {
    let differs = word ^ (EVERY * byte as u64);
    differs.wrapping_sub(EVERY) & !differs & (EVERY << 7)
}

/// Reads the key whose opening quote is at `at`: its bytes as a little-endian word ([`LONG`] for more than seven
/// bytes), and the offset of its value.
#[must_use]
#[inline(always)]
pub fn key(text: &[u8], at: usize) -> Option<(u64, usize)> {
    let (first, rest) = text.get(at..)?.first_chunk::<9>()?.split_first()?;
    if *first != b'"' {
        return None;
    }
    let bytes = u64::from_le_bytes(*rest.first_chunk()?);
    let quotes = marks(bytes, b'"');
    let (key, after) = if quotes == 0 {
        (LONG, string_end(text, at + 1)? + 1)
    } else {
        let below = (quotes & quotes.wrapping_neg()) >> 7;
        let key = bytes & (below - 1);
        // A trailing zero byte of a key would be lost in the word.
        let ends_in_zero = key < below >> 8;
        if marks(key, b'\\') != 0 || ends_in_zero {
            return None;
        }
        (key, at + 2 + below.trailing_zeros() as usize / 8)
    };
    if *text.get(after)? != b':' {
        return None;
    }
    Some((key, after_space(text, after + 1)))
}

/// Offset of the closing quote of a string without escapes whose contents start at `start`.
#[must_use]
#[inline]
pub fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    // For long strings, the cursor is faster.
    for _ in 0..8 {
        if let Some(length) = simd::before_quote(text, at) {
            return (text[at + length] == b'"').then_some(at + length);
        }
        at += 16;
    }
    None
}

/// The bytes of a string without escapes or of an unsigned integer, and the offset after it.
#[must_use]
#[inline(always)]
pub fn scalar(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    match *text.get(at)? {
        b'"' => {
            let end = string_end(text, at + 1)?;
            Some((&text[at + 1..end], end + 1))
        }
        b'0'..=b'9' => {
            let end = digits_end(text, at)?;
            Some((&text[at..end], end))
        }
        _ => None,
    }
}

/// The offset after an unsigned integer.
#[inline]
fn digits_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let count = digit_count(word(text, at)?);
        at += count as usize;
        if count < 8 {
            ends_number(text, at)?;
            return Some(at);
        }
    }
}

/// An unsigned integer of at most seven digits, and the offset after it.
#[must_use]
#[inline]
pub fn small_integer(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let (count, value) = digits(word(text, at)?);
    if count == 0 || count == 8 {
        return None;
    }
    let end = at + count as usize;
    ends_number(text, end)?;
    Some((u32::try_from(value).ok()?, end))
}

/// The word that [`key`] returns for a key.
#[must_use]
pub const fn key_word(name: &[u8]) -> u64 {
    if name.len() >= 8 {
        return LONG;
    }
    let mut word = 0;
    let mut at = name.len();
    while at > 0 {
        at -= 1;
        word = word << 8 | name[at] as u64;
    }
    word
}

/// `Some` if a number may end at this offset.
#[inline]
fn ends_number(text: &[u8], at: usize) -> Option<()> {
    matches!(text.get(at)?, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t').then_some(())
}

/// Number of leading digits in a word.
#[inline]
const fn digit_count(bytes: u64) -> u32 {
    let values = bytes ^ (EVERY * b'0' as u64);
    let others = (((values & (EVERY * 0x7f)) + EVERY * 0x76) | values) & (EVERY << 7);
    // If all bytes are digits, there are 64 zeros, so the count is 8.
    others.trailing_zeros() / 8
}

/// The number of digits (at most eight) and their value.
#[inline]
const fn digits(bytes: u64) -> (u32, u64) {
    let count = digit_count(bytes);
    if count == 0 {
        return (0, 0);
    }
    let values = bytes ^ (EVERY * b'0' as u64);
    // The first digit is in the lowest byte; shifting inserts zeros before it.
    let values = values << (64 - count * 8);
    let pairs = values * 10 + (values >> 8);
    let low = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let high = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    (count, low.wrapping_add(high) >> 32)
}

const POWERS: [u64; 17] = {
    let mut powers = [1; 17];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// A decimal number in a unit, rounded to the nearest nanosecond with the same result as
/// [`flowline_format::parse_decimal`], and the offset after it. Reads up to twelve digits before the decimal point and
/// sixteen after it.
#[must_use]
#[inline(always)]
pub fn decimal(text: &[u8], start: usize, unit: Unit) -> Option<(Ns, usize)> {
    rounded_decimal(text, start, unit).map(|(time, _, end)| (time, end))
}

/// Like [`decimal`]; also returns true if the number has digits below a nanosecond.
#[must_use]
#[inline(always)]
pub fn rounded_decimal(text: &[u8], start: usize, unit: Unit) -> Option<(Ns, bool, usize)> {
    let negative = *text.get(start)? == b'-';
    let mut at = start + usize::from(negative);
    let (count, mut whole) = digits(word(text, at)?);
    if count == 0 {
        return None;
    }
    at += count as usize;
    if count == 8 {
        let (more, low) = digits(word(text, at)?);
        if more == 8 {
            return None;
        }
        whole = whole * POWERS[more as usize] + low;
        at += more as usize;
    }
    let places = unit.exponent().unsigned_abs();
    if whole >= Ns::LIMIT.unsigned_abs() / POWERS[places as usize] {
        return None;
    }
    let mut value = whole * POWERS[places as usize];
    let mut is_rounded = false;
    if *text.get(at)? == b'.' {
        let (mut count, mut part) = digits(word(text, at + 1)?);
        at += 1 + count as usize;
        if count == 0 {
            return None;
        }
        if count == 8 {
            let (more, low) = digits(word(text, at)?);
            if more == 8 {
                return None;
            }
            part = part * POWERS[more as usize] + low;
            count += more;
            at += more as usize;
        }
        is_rounded = count > places;
        value += if count <= places {
            part * POWERS[(places - count) as usize]
        } else {
            let power = POWERS[(count - places) as usize];
            let (quotient, rest) = (part / power, part % power);
            quotient + u64::from(rest >= power - rest)
        };
    }
    ends_number(text, at)?;
    let value = value.cast_signed();
    Some((Ns(if negative { -value } else { value }), is_rounded, at))
}

/// Walks the object whose opening brace is at `start`. `member` receives the word of each key, the offset of its
/// opening quote and the offset of the value; it returns the offset after the value. Returns the offset after the
/// object.
#[inline(always)]
pub fn members(text: &[u8], start: usize, mut member: impl FnMut(u64, usize, usize) -> Option<usize>) -> Option<usize> {
    if *text.get(start)? != b'{' {
        return None;
    }
    let mut at = after_space(text, start + 1);
    if *text.get(at)? == b'}' {
        return Some(at + 1);
    }
    loop {
        let (word, value) = key(text, at)?;
        at = after_space(text, member(word, at, value)?);
        match text.get(at)? {
            b',' => at = after_space(text, at + 1),
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// True if the key with its opening quote at `at` and the word `word` is `name`, whose word is `name_word`.
#[must_use]
#[inline]
pub fn is_key(text: &[u8], at: usize, word: u64, name: &[u8], name_word: u64) -> bool {
    let written =
        || text.get(at + 1..).is_some_and(|rest| rest.starts_with(name) && rest.get(name.len()) == Some(&b'"'));
    word == name_word && (word != LONG || written())
}

/// The offset after the value that starts at `at`.
#[must_use]
#[inline]
pub fn value_end(text: &[u8], at: usize) -> Option<usize> {
    match *text.get(at)? {
        b'{' | b'[' => match simd::container_end(text, at) {
            ContainerEnd::At(end) => Some(end),
            ContainerEnd::NotFound | ContainerEnd::Unknown => None,
        },
        b'"' => Some(string_end(text, at + 1)? + 1),
        b'0'..=b'9' | b'-' | b't' | b'f' | b'n' => {
            if let Some(length) = simd::number_length(text, at).filter(|length| *length > 0)
                && ends_number(text, at + length).is_some()
            {
                return Some(at + length);
            }
            let mut end = at + 1;
            while matches!(text.get(end)?, b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'-' | b'+') {
                end += 1;
            }
            ends_number(text, end)?;
            Some(end)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_differs_from_one_with_trailing_zero_bytes() {
        let word = |text: &[u8]| key(text, 0).map(|(word, _)| word);
        assert_eq!(word(b"\"name\": 1 and more"), Some(key_word(b"name")));
        assert_eq!(word(b"\"\": 1 and more"), Some(0));
        assert_eq!(word(b"\"name\0\": 1 and more"), None);
        assert_eq!(word(b"\"\0\": 1 and more"), None);
        assert_eq!(word(b"\"na\0me\": 1 and more").map(|word| word == key_word(b"name")), Some(false));
    }
}
