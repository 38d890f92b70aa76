//! Parses the wire format of protocol buffers: a message is a list of fields, each with a number and content.
//!
//! Callers skip unknown fields. Damaged data ends the message, and [`Fields::is_damaged`] reports it.

/// The content of a field. Numbers of all widths share a variant, because only the schema defines their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content<'a> {
    /// A varint, or a number of 4 or 8 bytes.
    Number(u64),
    /// Text, bytes, a message, or a list of numbers.
    Bytes(&'a [u8]),
}

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    pub(crate) number: u64,
    pub(crate) content: Content<'a>,
}

impl<'a> Field<'a> {
    /// Returns the number; 0 for bytes.
    #[inline]
    pub(super) const fn number(&self) -> u64 {
        match self.content {
            Content::Number(number) => number,
            Content::Bytes(_) => 0,
        }
    }

    /// Returns the number with a sign. Negative numbers are written with all 64 bits.
    #[inline]
    pub(super) const fn signed(&self) -> i64 {
        self.number().cast_signed()
    }

    /// Returns the 8-byte number as a floating-point number.
    #[inline]
    pub(super) const fn double(&self) -> f64 {
        f64::from_bits(self.number())
    }

    #[inline]
    pub(super) const fn is_true(&self) -> bool {
        self.number() != 0
    }

    /// A floating-point number of 4 bytes.
    #[inline]
    pub(super) fn float(&self) -> f32 {
        f32::from_bits(u32::try_from(self.number() & u64::from(u32::MAX)).unwrap_or_default())
    }

    /// Returns the bytes; empty for numbers.
    #[inline]
    pub(super) const fn bytes(&self) -> &'a [u8] {
        match self.content {
            Content::Number(_) => &[],
            Content::Bytes(bytes) => bytes,
        }
    }

    /// Returns the fields of the contained message.
    #[inline]
    pub(super) const fn message(&self) -> Fields<'a> {
        Fields::new(self.bytes())
    }

    /// Iterates over the numbers of a repeated field: a single number per field, or bytes with packed numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> + use<'a> {
        let (one, mut rest) = match self.content {
            Content::Number(number) => (Some(number), &[][..]),
            Content::Bytes(bytes) => (None, bytes),
        };
        let listed = std::iter::from_fn(move || {
            let (number, after) = varint(rest)?;
            rest = after;
            Some(number)
        });
        one.into_iter().chain(listed)
    }

    /// Iterates over the 8-byte numbers of a repeated field.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> + use<'a> {
        let (one, listed) = match self.content {
            Content::Number(number) => (Some(number), &[][..]),
            Content::Bytes(bytes) => (None, bytes.as_chunks::<8>().0),
        };
        one.into_iter().chain(listed.iter().map(|word| u64::from_le_bytes(*word)))
    }
}

/// Appends a number as a varint.
pub(super) fn varint_bytes(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push((number & 0x7f) as u8);
}

/// Iterator over the fields of a message, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    is_damaged: bool,
}

impl<'a> Fields<'a> {
    #[inline]
    pub(crate) const fn new(message: &'a [u8]) -> Self {
        Self { rest: message, is_damaged: false }
    }

    /// Returns true if the message ended inside a field or with invalid data.
    pub(crate) const fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Returns the unread bytes.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the first field with a number. In the format the last one wins, but the requested fields never repeat.
    pub(super) fn field(mut self, number: u64) -> Option<Field<'a>> {
        Iterator::find(&mut self, |field| field.number == number)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    /// Tags, lengths and numbers of one byte are read in place, because almost all fields have them.
    #[inline(always)]
    fn next(&mut self) -> Option<Field<'a>> {
        let (tag, after) = self.rest.split_first()?;
        let number = u64::from(tag >> 3);
        match (tag & 0x87, after) {
            _ if number == 0 => {}
            (0, [value @ ..0x80, rest @ ..]) => {
                self.rest = rest;
                return Some(Field { number, content: Content::Number(u64::from(*value)) });
            }
            (0, [low, high @ ..0x80, rest @ ..]) => {
                self.rest = rest;
                let value = u64::from(low & 0x7f) | u64::from(*high) << 7;
                return Some(Field { number, content: Content::Number(value) });
            }
            (0, _) => {
                let (value, length) = long_varint(after);
                if let Some(rest) = after.get(length..).filter(|_| length > 0) {
                    self.rest = rest;
                    return Some(Field { number, content: Content::Number(value) });
                }
            }
            (2, [length @ ..0x80, rest @ ..]) => {
                if let Some((content, rest)) = rest.split_at_checked(usize::from(*length)) {
                    self.rest = rest;
                    return Some(Field { number, content: Content::Bytes(content) });
                }
            }
            _ => {}
        }
        // The reader itself must not be passed by reference, or it would be kept in memory instead of registers.
        if let Some((field, rest)) = field(self.rest) {
            self.rest = rest;
            return Some(field);
        }
        self.is_damaged = true;
        None
    }
}

/// Parses a varint (seven bits per byte, lowest first). Returns the number and the bytes after it.
#[inline]
pub(crate) fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    match bytes {
        [low, rest @ ..] if *low < 0x80 => Some((u64::from(*low), rest)),
        [low, high, rest @ ..] if *high < 0x80 => Some((u64::from(*low & 0x7f) | u64::from(*high) << 7, rest)),
        _ => {
            let (number, length) = long_varint(bytes);
            Some((number, bytes.get(length..).filter(|_| length > 0)?))
        }
    }
}

/// Joins the lowest seven bits of each byte, lowest first.
#[inline]
const fn join_sevens(bytes: u64) -> u64 {
    let pairs = (bytes & 0x007f_007f_007f_007f) | ((bytes & 0x7f00_7f00_7f00_7f00) >> 1);
    let fours = (pairs & 0x0000_3fff_0000_3fff) | ((pairs & 0x3fff_0000_3fff_0000) >> 2);
    (fours & 0x0fff_ffff) | ((fours & 0x0fff_ffff_0000_0000) >> 4)
}

/// Returns a varint and its length in bytes; length 0 if it is truncated or too long.
#[inline]
fn long_varint(bytes: &[u8]) -> (u64, usize) {
    const LAST: u64 = 0x8080_8080_8080_8080;
    if let Some(word) = bytes.first_chunk() {
        let word = u64::from_le_bytes(*word);
        let last = !word & LAST;
        if last != 0 {
            let length = last.trailing_zeros() as usize / 8 + 1;
            return (join_sevens(word & (u64::MAX >> (64 - 8 * length))), length);
        }
    }
    let mut value = 0_u64;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        // Only one bit of the tenth byte is used.
        value |= u64::from(byte & 0x7f) << (7 * at);
        if *byte < 0x80 {
            return (value, at + 1);
        }
    }
    (0, 0)
}

/// Parses the field at the start of the bytes. Returns the field and the bytes after it; `None` if it is truncated or
/// has an unused wire type.
#[inline(never)]
fn field(bytes: &[u8]) -> Option<(Field<'_>, &[u8])> {
    let (tag, rest) = varint(bytes)?;
    let (content, rest) = match tag & 7 {
        0 => varint(rest).map(|(number, rest)| (Content::Number(number), rest))?,
        1 => {
            let (word, rest) = rest.split_first_chunk::<8>()?;
            (Content::Number(u64::from_le_bytes(*word)), rest)
        }
        2 => {
            let (length, rest) = varint(rest)?;
            let (content, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            (Content::Bytes(content), rest)
        }
        5 => {
            let (word, rest) = rest.split_first_chunk::<4>()?;
            (Content::Number(u64::from(u32::from_le_bytes(*word))), rest)
        }
        _ => return None,
    };
    (tag >> 3 > 0).then_some((Field { number: tag >> 3, content }, rest))
}

/// Parses the first field of a message that may be truncated. The content may be incomplete.
pub(crate) fn beginning(bytes: &[u8]) -> Option<Field<'_>> {
    if let Some((field, _)) = field(bytes) {
        return Some(field);
    }
    let (tag, rest) = varint(bytes).filter(|(tag, _)| tag & 7 == 2 && tag >> 3 > 0)?;
    let (length, content) = varint(rest)?;
    (length > content.len() as u64).then_some(Field { number: tag >> 3, content: Content::Bytes(content) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_all_types_are_read_until_damage() {
        let message = b"\x08\x96\x01\x12\x02hi\x1d\x01\0\0\0\x21\0\0\0\0\0\0\xf0\x3f\x2a\x03\x01\x80\x01\x0b";
        let mut fields = Fields::new(message);
        let read: Vec<Field<'_>> = fields.by_ref().collect();
        assert_eq!(read[0], Field { number: 1, content: Content::Number(150) });
        assert_eq!(read[1], Field { number: 2, content: Content::Bytes(b"hi") });
        assert_eq!((read[2].number(), read[3].double()), (1, 1.0));
        assert_eq!(read[4].numbers().collect::<Vec<_>>(), [1, 128]);
        assert!(read.len() == 5 && fields.is_damaged() && fields.rest() == b"\x0b");
        for length in 0..message.len() {
            let mut fields = Fields::new(&message[..length]);
            let count = fields.by_ref().count();
            assert!(read.iter().zip(Fields::new(&message[..length])).all(|(whole, part)| *whole == part));
            assert!(fields.is_damaged() != [0, 3, 7, 12, 21, 26].contains(&length), "{length}: {count}");
        }
    }

    #[test]
    fn numbers_have_up_to_ten_bytes() {
        let all = [0xff_u8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(varint(&all), Some((u64::MAX, &[][..])));
        assert_eq!(varint(&[0xff; 11]), None);
        assert_eq!(varint(&all[..9]), None);
        assert_eq!(varint(&[0x80, 0x80, 0x00, 7]), Some((0, &[7][..])));
        // Every length, with and without bytes behind it.
        for bits in 0..64 {
            for number in [1_u64 << bits, (1 << bits) - 1, u64::MAX >> bits, 0x0123_4567_89ab_cdef >> bits] {
                let mut bytes = Vec::new();
                varint_bytes(number, &mut bytes);
                assert_eq!(varint(&bytes), Some((number, &[][..])));
                bytes.extend([0x91; 9]);
                assert_eq!(varint(&bytes), Some((number, &[0x91; 9][..])));
            }
        }
        let words = Field { number: 1, content: Content::Bytes(&[1, 0, 0, 0, 0, 0, 0, 0, 2]) };
        assert_eq!(words.words().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn the_first_field_may_be_cut() {
        assert_eq!(beginning(b"\x0a\x05ab"), Some(Field { number: 1, content: Content::Bytes(b"ab") }));
        assert_eq!(beginning(b"\x08\x80"), None);
        assert_eq!(beginning(b""), None);
    }
}
