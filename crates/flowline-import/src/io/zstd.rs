//! Decompresses Zstandard (RFC 8878): one or more frames. Frames of other data are skipped.

use std::io::{BufRead, Error, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// First bytes of a frame.
pub(crate) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A reader of compressed text.
pub(crate) struct ZstdDecoder<R> {
    source: R,
    decoder: FrameDecoder,
    /// True inside a frame.
    is_open: bool,
    /// Damage after the text that can still be read.
    damage: Option<Error>,
}

fn damaged(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidData, error.to_string())
}

impl<R: BufRead> ZstdDecoder<R> {
    /// Creates a reader of compressed text.
    pub(crate) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), is_open: false, damage: None }
    }

    /// The compressed text.
    pub(crate) const fn get_ref(&self) -> &R {
        &self.source
    }

    /// Begins the next frame; returns `false` at the end of the text.
    fn begin(&mut self) -> std::io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => {
                    self.is_open = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = self.source.by_ref().take(length.into());
                    let _length = std::io::copy(&mut { skipped }, &mut std::io::sink())?;
                }
                Err(error) => return Err(damaged(error)),
            }
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

    #[test]
    fn frames_are_read_until_damage() {
        let text: Vec<u8> = (0..300_000_u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
        let packed = compress_to_vec(&text[..], CompressionLevel::Fastest);
        assert!(packed.starts_with(&MAGIC));
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let several = [&skipped[..], &packed, &skipped, &packed].concat();
        let mut read = Vec::new();
        ZstdDecoder::new(&several[..]).read_to_end(&mut read).expect("undamaged");
        assert!(read == [&text[..], &text].concat());
        let mut read = Vec::new();
        let result = ZstdDecoder::new(&packed[..packed.len() / 2]).read_to_end(&mut read);
        assert!(result.is_err() && !read.is_empty() && text.starts_with(&read));
        for length in 0..200.min(packed.len()) {
            let mut damaged = packed.clone();
            damaged[length] ^= 0x55;
            let _read = ZstdDecoder::new(&damaged[..]).take(1 << 24).read_to_end(&mut Vec::new());
        }
    }
}
