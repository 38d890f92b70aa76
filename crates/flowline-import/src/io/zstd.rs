//! Decompresses Zstandard (RFC 8878): one or more frames. Frames of other data are skipped.

use std::io::{BufRead, Error, ErrorKind, Read};

use flowline_format::format_bytes;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// First bytes of a frame.
pub(crate) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Frames of other data begin with one of 16 numbers, which differ in their first four bits.
const OTHER_MAGIC: u32 = 0x184d_2a50;
/// Maximum length of a frame's header.
const MAX_HEADER: usize = 18;
/// A decoder that was used before refuses larger windows.
const MAX_REUSED: u64 = 100 << 20;

/// A reader of compressed text.
pub(crate) struct ZstdDecoder<R> {
    source: R,
    decoder: FrameDecoder,
    /// Maximum window of a frame in bytes.
    max_window: u64,
    /// True inside a frame.
    is_open: bool,
    /// Damage after the text that can still be read.
    damage: Option<Error>,
}

/// The header of a frame, as far as it is needed (RFC 8878, 3.1.1.1).
struct Header {
    bytes: [u8; MAX_HEADER],
    length: usize,
}

impl Header {
    /// Reads what follows the magic number.
    fn read(source: &mut impl Read) -> std::io::Result<Self> {
        let mut bytes = [0; MAX_HEADER];
        bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
        source.read_exact(&mut bytes[4..5])?;
        let mut header = Self { bytes, length: 5 };
        header.length = 5 + header.window_length() + header.dictionary_length() + header.size_length();
        source.read_exact(&mut header.bytes[5..header.length])?;
        Ok(header)
    }

    const fn descriptor(&self) -> u8 {
        self.bytes[4]
    }

    /// True if the whole text of the frame is in memory.
    const fn is_single_segment(&self) -> bool {
        self.descriptor() & 0x20 != 0
    }

    const fn window_length(&self) -> usize {
        if self.is_single_segment() { 0 } else { 1 }
    }

    const fn dictionary_length(&self) -> usize {
        [0, 1, 2, 4][(self.descriptor() & 3) as usize]
    }

    const fn size_length(&self) -> usize {
        match self.descriptor() >> 6 {
            0 => self.is_single_segment() as usize,
            1 => 2,
            2 => 4,
            _ => 8,
        }
    }

    /// Bytes of text that a decoder keeps for references to them.
    fn window(&self) -> u64 {
        if !self.is_single_segment() {
            let (exponent, mantissa) = (self.bytes[5] >> 3, u64::from(self.bytes[5] & 7));
            let base = 1_u64 << (10 + exponent);
            return base + base / 8 * mantissa;
        }
        let mut size = [0; 8];
        size[..self.size_length()].copy_from_slice(&self.bytes[self.length - self.size_length()..self.length]);
        // Sizes in two bytes begin at 256.
        u64::from_le_bytes(size) + if self.size_length() == 2 { 256 } else { 0 }
    }
}

fn damaged(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidData, error.to_string())
}

#[expect(clippy::cast_precision_loss, reason = "a size for people")]
const fn approximate(bytes: u64) -> f64 {
    bytes as f64
}

impl<R: BufRead> ZstdDecoder<R> {
    /// Creates a reader of compressed text that refuses frames with larger windows.
    pub(crate) fn new(source: R, max_window: u64) -> Self {
        Self { source, decoder: FrameDecoder::new(), max_window, is_open: false, damage: None }
    }

    /// The compressed text.
    pub(crate) const fn get_ref(&self) -> &R {
        &self.source
    }

    /// Begins the next frame; returns `false` at the end of the text.
    fn begin(&mut self) -> std::io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            let mut magic = [0; 4];
            self.source.read_exact(&mut magic)?;
            if u32::from_le_bytes(magic) & !0xf == OTHER_MAGIC {
                let mut length = [0; 4];
                self.source.read_exact(&mut length)?;
                let skipped = self.source.by_ref().take(u32::from_le_bytes(length).into());
                let _length = std::io::copy(&mut { skipped }, &mut std::io::sink())?;
                continue;
            }
            if magic != MAGIC {
                return Err(damaged("no frame begins here"));
            }
            let header = Header::read(&mut self.source)?;
            let window = header.window();
            if window > self.max_window {
                let [window, most] = [window, self.max_window].map(|bytes| format_bytes(approximate(bytes)));
                return Err(damaged(format!("a window of {window}; more than {most} need --max-window")));
            }
            if window > MAX_REUSED {
                self.decoder = FrameDecoder::new();
            }
            self.decoder.init(&header.bytes[..header.length]).map_err(damaged)?;
            self.is_open = true;
            return Ok(true);
        }
        Ok(false)
    }

    /// Ends a frame, whose text must have the stated checksum.
    fn end(&mut self) -> std::io::Result<()> {
        self.is_open = false;
        let stated = self.decoder.get_checksum_from_data();
        if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
            return Err(damaged("wrong checksum"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdDecoder<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(out);
            }
            if let Some(damage) = self.damage.take() {
                return Err(damage);
            }
            if self.is_open && self.decoder.is_finished() {
                self.end()?;
            }
            if !self.is_open && !self.begin()? {
                return Ok(0);
            }
            if !self.decoder.is_finished() {
                let blocks = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
                self.damage = blocks.err().map(damaged);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn decoder(packed: &[u8]) -> ZstdDecoder<&[u8]> {
        ZstdDecoder::new(packed, 128 << 20)
    }

    /// A frame with a descriptor, the rest of its header, and one block of five equal letters.
    fn frame(descriptor: u8, header: &[u8]) -> Vec<u8> {
        // The last block, of a repeated byte.
        let block = (5 << 3 | 1 << 1 | 1_u32).to_le_bytes();
        [&MAGIC[..], &[descriptor], header, &block[..3], b"a"].concat()
    }

    /// The text of a frame with a limit of its window.
    fn text_of(frame: &[u8], max_window: u64) -> std::io::Result<Vec<u8>> {
        let mut text = Vec::new();
        ZstdDecoder::new(frame, max_window).read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn frames_with_large_windows_are_refused_before_memory_is_reserved() {
        // Descriptor, rest of the header, and the window by RFC 8878.
        let cases: [(u8, &[u8], u64); 9] = [
            (0x00, &[0], 1 << 10),
            (0x00, &[0b0000_0001], 1152),
            (0x01, &[10 << 3, 7], 1 << 20),
            (0x00, &[17 << 3], 128 << 20),
            (0x20, &[5], 5),
            (0x60, &[0xff, 0], 511),
            (0xa0, &[5, 0, 0, 0], 5),
            (0xe2, &[7, 7, 5, 0, 0, 0, 0, 0, 0, 0], 5),
            (0xc0, &[3 << 3, 5, 0, 0, 0, 0, 0, 0, 0], 1 << 13),
        ];
        for (descriptor, header, window) in cases {
            let frame = frame(descriptor, header);
            let header = Header::read(&mut &frame[4..]).expect("a header");
            assert_eq!(header.window(), window, "{descriptor:#x} {:?}", &header.bytes[..header.length]);
            let refused = text_of(&frame, window - 1).expect_err("too large").to_string();
            assert!(refused.contains("--max-window"), "{refused}");
            // Frames with a dictionary need it, and a decoder may find a size wrong.
            if descriptor & 3 == 0 && window > 5 {
                assert_eq!(text_of(&frame, window).expect("a frame"), b"aaaaa", "{descriptor:#x}");
            }
        }
        for window in [0xff, 31 << 3, 21 << 3] {
            assert!(text_of(&frame(0, &[window]), 128 << 20).is_err());
        }
        // A window between the limit of decoders that were used before and the default, after another frame.
        let two = [frame(0, &[0]), frame(0, &[16 << 3 | 7]), frame(0, &[0])].concat();
        assert_eq!(text_of(&two, 128 << 20).expect("frames"), b"aaaaa".repeat(3));
    }

    #[test]
    fn frames_are_read_until_damage() {
        let text: Vec<u8> = (0..300_000_u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
        let packed = compress_to_vec(&text[..], CompressionLevel::Fastest);
        assert!(packed.starts_with(&MAGIC));
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let several = [&skipped[..], &packed, &skipped, &packed].concat();
        let mut read = Vec::new();
        decoder(&several).read_to_end(&mut read).expect("undamaged");
        assert!(read == [&text[..], &text].concat());
        let mut read = Vec::new();
        let result = decoder(&packed[..packed.len() / 2]).read_to_end(&mut read);
        assert!(result.is_err() && !read.is_empty() && text.starts_with(&read));
        for length in 0..200.min(packed.len()) {
            let mut damaged = packed.clone();
            damaged[length] ^= 0x55;
            let _read = decoder(&damaged).take(1 << 24).read_to_end(&mut Vec::new());
        }
    }
}
