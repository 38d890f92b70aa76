//! A saved view as one word of a command line: JSON, compressed with zlib, in base64url (RFC 4648, section 5) without
//! padding. The zlib checksum detects damaged text.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Maximum size of the JSON in bytes; far more than any view needs.
const MAX_BYTES: u64 = 16 << 20;

/// Compresses and encodes a text.
pub(super) fn packed(text: &str) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _written = encoder.write_all(text.as_bytes());
    letters(&encoder.finish().unwrap_or_default())
}

/// Decodes and decompresses a text.
pub(super) fn unpacked(word: &str) -> Result<Vec<u8>, String> {
    const DAMAGED: &str = "the view text is damaged or incomplete";
    let bytes = bytes(word.trim()).ok_or(DAMAGED)?;
    let mut text = Vec::new();
    let mut decoder = ZlibDecoder::new(bytes.as_slice());
    (&mut decoder).take(MAX_BYTES + 1).read_to_end(&mut text).map_err(|_| DAMAGED)?;
    if text.len() as u64 > MAX_BYTES {
        return Err("the view text is too long".into());
    }
    if decoder.total_in() != bytes.len() as u64 {
        return Err(DAMAGED.into());
    }
    Ok(text)
}

/// Encodes bytes as base64url: three bytes become four letters.
fn letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for letter in 0..=chunk.len() {
            let number = bits >> (18 - 6 * letter) & 63;
            text.push(char::from(LETTERS[number as usize]));
        }
    }
    text
}

/// Decodes base64url; `None` if a character is not a letter of the alphabet or the length is invalid.
fn bytes(text: &str) -> Option<Vec<u8>> {
    // Other programs may add padding.
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.chunks(4) {
        let mut bits = 0_u32;
        for at in 0..4 {
            let number = match chunk.get(at) {
                Some(letter) => LETTERS.iter().position(|known| known == letter)?,
                None => 0,
            };
            bits = bits << 6 | u32::try_from(number).ok()?;
        }
        let [_, all @ ..] = bits.to_be_bytes();
        bytes.extend_from_slice(all.get(..chunk.len().checked_sub(1).filter(|count| *count > 0)?)?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_match_the_standard() {
        for (plain, expected) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(letters(plain.as_bytes()), expected);
            assert_eq!(bytes(expected).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(letters(&[0xfb, 0xff]), "-_8");
        assert_eq!(bytes("Zg=="), Some(b"f".to_vec()));
        for bad in ["Z", "Zg!", "Zm9vY", "Z+==", "ä"] {
            assert_eq!(bytes(bad), None, "{bad}");
        }
    }

    #[test]
    fn texts_round_trip_and_damage_is_detected() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let text: String = (0..random.usize(..300)).map(|_| random.char('a'..='ö')).collect();
            let word = packed(&text);
            assert_eq!(unpacked(&word).as_deref(), Ok(text.as_bytes()));
            assert!(word.bytes().all(|letter| LETTERS.contains(&letter)));
            assert!(unpacked(&word[..random.usize(..word.len())]).is_err(), "truncated: {text}");
            let mut letters: Vec<u8> = word.bytes().collect();
            // The last letter may contain unused bits.
            let at = random.usize(..letters.len() - 1);
            letters[at] = if letters[at] == b'A' { b'B' } else { b'A' };
            let read = unpacked(&String::from_utf8(letters).expect("letters"));
            assert!(read.is_err() || read.as_deref() == Ok(text.as_bytes()), "changed: {text}");
        }
    }
}
