//! Decodes UTF-16 text, which some Windows programs save, to UTF-8.

use crate::error::ImportError;
use crate::options::Options;
use crate::progress::Progress;

/// Code units between two checks for cancellation and memory.
const STEP: usize = 16 << 20;

/// Returns the byte order by the byte order mark; `None` for other text. The mark of UTF-32 starts with the same bytes.
fn order(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => None,
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// Returns true if text starts with the byte order mark of UTF-16.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    order(bytes).is_some()
}

/// Decodes text to UTF-8, without its byte order mark; `None` if it is not UTF-16. An unpaired surrogate becomes
/// U+FFFD, and half a code unit at the end is dropped.
///
/// # Errors
/// When the text exceeds the memory limit or the decompression limit, or when canceled.
pub(super) fn decode(bytes: &[u8], options: &Options, progress: &Progress) -> Option<Result<Vec<u8>, ImportError>> {
    let order = order(bytes)?;
    Some(decode_units(&bytes[2..], order, options, progress))
}

fn decode_units(
    bytes: &[u8],
    order: fn([u8; 2]) -> u16,
    options: &Options,
    progress: &Progress,
) -> Result<Vec<u8>, ImportError> {
    options.budget.check(bytes.len() as u64 / 2)?;
    let mut text = String::with_capacity(bytes.len() / 2);
    let (units, _half) = bytes.as_chunks::<2>();
    let mut characters = char::decode_utf16(units.iter().map(|unit| order(*unit)));
    loop {
        let before = text.len();
        text.extend(characters.by_ref().take(STEP).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)));
        if text.len() == before {
            text.shrink_to_fit();
            return Ok(text.into_bytes());
        }
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        if text.len() as u64 > options.max_unpacked {
            return Err(ImportError::TooLarge { limit: options.max_unpacked });
        }
        options.budget.check(0)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Option<String> {
        let text = decode(bytes, &Options::default(), &Progress::default())?;
        Some(String::from_utf8(text.expect("within limits")).expect("UTF-8"))
    }

    #[test]
    fn both_orders_are_decoded() {
        let text = "[{\"name\": \"é 日 😀\"}]";
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(order).collect();
            assert_eq!(decoded(&bytes).as_deref(), Some(text));
            assert_eq!(decoded(&bytes[..bytes.len() - 1]).as_deref(), Some(&text[..text.len() - 1]));
        }
        assert_eq!(decoded(b"\xff\xfe[\0\x3d\xd8]\0").as_deref(), Some("[\u{fffd}]"));
        assert_eq!(decoded(b"[1]"), None);
        assert_eq!(decoded(b"\xff\xfe\0\0"), None);
    }
}
