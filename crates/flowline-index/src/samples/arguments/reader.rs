//! Reads numbers and texts from the buffer of traced values. All numbers are little-endian.

/// Bits of the length of a text; the encoding is above them.
const LENGTH: u16 = 0x3fff;

/// A place in the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The next bytes; `None` at the end of the buffer.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let found = self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(*found)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    /// The next byte, which is read again afterwards.
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub(super) fn i32(&mut self) -> Option<i32> {
        self.take().map(i32::from_le_bytes)
    }

    pub(super) fn f64(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }

    /// The place, for [`Reader::jump`].
    pub(super) const fn place(&self) -> usize {
        self.at
    }

    pub(super) const fn jump(&mut self, at: usize) {
        self.at = at;
    }

    /// A text: its length and encoding (0 Latin-1, 1 UTF-16, 2 UTF-8), then its characters. Damaged characters are replaced.
    pub(super) fn text(&mut self) -> Option<String> {
        let head = self.u16()?;
        let (count, encoding) = (usize::from(head & LENGTH), head >> 14);
        let size = if encoding == 1 { count * 2 } else { count };
        let found = self.bytes.get(self.at..)?.get(..size)?;
        self.at += size;
        match encoding {
            0 => Some(found.iter().copied().map(char::from).collect()),
            1 => {
                let units = found.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
                Some(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
            }
            2 => Some(String::from_utf8_lossy(found).into_owned()),
            _ => None,
        }
    }
}
