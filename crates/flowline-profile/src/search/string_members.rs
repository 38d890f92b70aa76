//! Members of payloads that are indexes into a string table.

use crate::{PayloadRef, Source};
use flowline_json::{KeyPredictor, fast_path};

/// Finds payload members that are string indexes, for one type.
#[derive(Debug)]
pub struct StringMembers<'a> {
    /// The words of the keys and the keys, in order. All long keys have the same word.
    keys: Vec<(u64, &'a str)>,
    predictor: KeyPredictor<bool>,
}

impl<'a> StringMembers<'a> {
    /// Finds members with these keys.
    #[must_use]
    pub fn new(keys: impl Iterator<Item = &'a str>) -> Self {
        let mut keys: Vec<_> = keys.map(|key| (fast_path::key_word(key.as_bytes()), key)).collect();
        keys.sort_unstable();
        Self { keys, predictor: KeyPredictor::default() }
    }

    /// Calls `found` with each index in a payload. `None` if the payload has an unusual form and may reference any
    /// string.
    pub fn indexes(&mut self, source: &Source, payload: PayloadRef, mut found: impl FnMut(u64)) -> Option<()> {
        let Some(start) = payload.offset() else { return Some(()) };
        if source.holds_events() {
            return None;
        }
        let (text, keys) = (source.bytes(), &self.keys);
        let is_index = |word: u64, at: usize| {
            let first = keys.partition_point(|(key_word, _)| *key_word < word);
            let Some((key_word, key)) = keys.get(first) else { return false };
            fast_path::is_key(text, at, word, key.as_bytes(), *key_word)
                || (*key_word == word && {
                    let rest = text.get(at + 1..).unwrap_or_default();
                    let written = &rest[..memchr::memchr(b'"', rest).unwrap_or(0)];
                    keys.binary_search_by(|(key_word, key)| (*key_word, key.as_bytes()).cmp(&(word, written))).is_ok()
                })
        };
        let end = self.predictor.members(text, start, is_index, |is_index, value| {
            if !is_index || text.get(value) == Some(&b'n') {
                return fast_path::value_end(text, value);
            }
            let (raw, end) = fast_path::scalar(text, value)?;
            if let Some(index) = std::str::from_utf8(raw).ok().and_then(|raw| raw.parse().ok()) {
                found(index);
            }
            Some(end)
        });
        end.map(|_| ())
    }
}
