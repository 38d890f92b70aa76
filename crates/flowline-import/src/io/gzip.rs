//! Decompresses gzip: one stream after the other, up to the zeros that some programs write after the last one.

use std::io::{Cursor, Read};

use flate2::bufread::GzDecoder;

/// The text of gzip streams.
pub(super) struct GzipReader<'a> {
    packed: &'a [u8],
    decoder: GzDecoder<Cursor<&'a [u8]>>,
}

impl<'a> GzipReader<'a> {
    pub(super) fn new(packed: &'a [u8]) -> Self {
        Self { packed, decoder: GzDecoder::new(Cursor::new(packed)) }
    }

    /// Returns the number of compressed bytes that were read.
    pub(super) fn position(&self) -> u64 {
        self.decoder.get_ref().position()
    }
}

impl Read for GzipReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let position = self.position();
            let rest = usize::try_from(position).ok().and_then(|position| self.packed.get(position..));
            if rest.is_none_or(|rest| rest.iter().all(|byte| *byte == 0)) {
                return Ok(0);
            }
            let mut next = Cursor::new(self.packed);
            next.set_position(position);
            self.decoder = GzDecoder::new(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).expect("in memory");
        encoder.finish().expect("in memory")
    }

    fn read(packed: &[u8]) -> (Vec<u8>, bool) {
        let mut text = Vec::new();
        let result = GzipReader::new(packed).read_to_end(&mut text);
        (text, result.is_ok())
    }

    #[test]
    fn zeros_after_the_last_stream_are_ignored() {
        let two = [gzip(b"one, "), gzip(b"two")].concat();
        for zeros in [0, 1, 9, 10, 5000] {
            assert_eq!(read(&[&two[..], &vec![0; zeros]].concat()), (b"one, two".to_vec(), true), "{zeros}");
        }
        assert_eq!(read(&[&two[..], b"\0\0x"].concat()), (b"one, two".to_vec(), false));
        assert!(!read(&two[..two.len() - 1]).1);
        assert!(!read(&[&gzip(b"one")[..], &gzip(b"two")[..9]].concat()).1);
        assert_eq!(read(&[&gzip(b"")[..], &gzip(b"x")].concat()), (b"x".to_vec(), true));
    }
}
