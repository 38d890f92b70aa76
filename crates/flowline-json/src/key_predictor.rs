//! Predicts the keys of similarly written objects, of which a recording contains millions. The text between two values
//! (a comma, a key, a colon) is compared in one 16-byte step with the text seen there before, so most keys are never
//! parsed again.

use super::fast_path::{after_space, key};

/// Bytes compared at once: usually enough for a comma, a quoted key and a colon.
const WINDOW: usize = 16;

/// Number of predictions per position, most recent first.
const CANDIDATES: usize = 4;

/// Number of positions: one per value of a few bits of the previous key's hash, and one after the opening brace.
const POSITIONS: usize = 64;
const OBJECT_START: usize = POSITIONS;

/// The text between two values, or after the last value.
#[derive(Clone, Copy, Debug)]
struct Prediction<T> {
    bytes: u128,
    /// Selects the bytes to compare; the others are 0 in `bytes`.
    mask: u128,
    /// The class of the key; `None` for the closing brace.
    class: Option<T>,
    /// Length of the text in bytes.
    length: usize,
    /// The next position.
    next: usize,
}

/// The keys that followed each other in the objects read so far, and their classes.
#[derive(Debug)]
pub struct KeyPredictor<T> {
    predictions: Box<[[Prediction<T>; CANDIDATES]; POSITIONS + 1]>,
}

impl<T: Copy> Default for KeyPredictor<T> {
    fn default() -> Self {
        // Text under an empty mask is never 1, so this entry matches nothing.
        let unused = Prediction { bytes: 1, mask: 0, class: None, length: 0, next: 0 };
        Self { predictions: Box::new([[unused; CANDIDATES]; POSITIONS + 1]) }
    }
}

impl<T: Copy> KeyPredictor<T> {
    /// Walks the object whose opening brace is at `start`, like [`super::fast_path::members`]. `classify` returns the
    /// class of a key from its word ([`super::fast_path::key`]) and the offset of its opening quote. `member` receives
    /// the class and the offset of the value, and returns the offset after the value. Returns the offset after the
    /// object; `None` for anything unusual.
    #[inline(always)]
    pub fn members(
        &mut self,
        text: &[u8],
        start: usize,
        classify: impl Fn(u64, usize) -> T,
        mut member: impl FnMut(T, usize) -> Option<usize>,
    ) -> Option<usize> {
        let (mut at, mut position) = (start, OBJECT_START);
        loop {
            let window = u128::from_le_bytes(*text.get(at..)?.first_chunk::<WINDOW>()?);
            let candidates = self.predictions.get(position)?;
            let found = match candidates.iter().find(|known| window & known.mask == known.bytes) {
                Some(known) => *known,
                None => self.learn(text, at, position, &classify)?,
            };
            let Some(class) = found.class else { return Some(at + found.length) };
            at = member(class, at + found.length)?;
            position = found.next;
        }
    }

    /// Parses the text between two values and stores it as a prediction.
    #[inline(never)]
    fn learn(
        &mut self,
        text: &[u8],
        at: usize,
        position: usize,
        classify: impl Fn(u64, usize) -> T,
    ) -> Option<Prediction<T>> {
        let next = after_space(text, at);
        let (quote, ends) = match (*text.get(next)?, position) {
            (b'{', OBJECT_START) if next == at => {
                let inside = after_space(text, at + 1);
                (inside, *text.get(inside)? == b'}')
            }
            (b',', ..OBJECT_START) => (after_space(text, next + 1), false),
            (b'}', ..OBJECT_START) => (next, true),
            _ => return None,
        };
        let (class, end, next) = if ends {
            (None, quote + 1, OBJECT_START)
        } else {
            let (word, value) = key(text, quote)?;
            (Some(classify(word, quote)), value, position_after(word))
        };
        let length = end - at;
        let mask = if length < WINDOW { (1 << (length * 8)) - 1 } else { u128::MAX };
        let window = u128::from_le_bytes(*text.get(at..)?.first_chunk::<WINDOW>()?);
        let prediction = Prediction { bytes: window & mask, mask, class, length, next };
        if length <= WINDOW {
            let candidates = &mut self.predictions[position];
            candidates.rotate_right(1);
            candidates[0] = prediction;
        }
        Some(prediction)
    }
}

/// The position after a key, derived from its word. Keys that share a position only cost time.
#[expect(clippy::cast_possible_truncation, reason = "the result has six bits")]
const fn position_after(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - POSITIONS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast_path;

    type Seen = Vec<(u64, usize)>;

    fn members(text: &[u8], start: usize) -> (Option<usize>, Seen) {
        let mut seen = Vec::new();
        let end = fast_path::members(text, start, |word, _, value| {
            seen.push((word, value));
            fast_path::value_end(text, value)
        });
        (end, seen)
    }

    fn predicted(predictor: &mut KeyPredictor<u64>, text: &[u8], start: usize) -> (Option<usize>, Seen) {
        let mut seen = Vec::new();
        let end = predictor.members(
            text,
            start,
            |word, _| word,
            |word, value| {
                seen.push((word, value));
                fast_path::value_end(text, value)
            },
        );
        (end, seen)
    }

    #[test]
    fn predicted_members_equal_parsed_members() {
        let pieces = [
            "\"ph\":",
            "\"a\": ",
            "\"b\" :",
            "\"dur\":",
            "\"name\":",
            "\"a_key_of_many_letters\":",
            "\"\":",
            "\"x\\\"\":",
            "\"\\u0061\":",
            "1",
            "-2.5",
            "\"text\"",
            "\"\\\"\"",
            "{}",
            "[1,{\"a\":2}]",
            "null",
            ",",
            ",",
            ", ",
            "}",
            "{",
        ];
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            usize::try_from(seed >> 33).unwrap_or_default() % below
        };
        let mut predictor = KeyPredictor::default();
        let (mut whole, mut odd) = (0, 0);
        for _ in 0..20_000 {
            let mut text = String::from("{");
            for member in 0..random(6) {
                // Mostly the usual form, sometimes anything else.
                if random(8) == 0 {
                    text += pieces[random(pieces.len())];
                }
                text += if member > 0 { [",", ",", ", "][random(3)] } else { "" };
                text += pieces[random(7)];
                text += pieces[9 + random(7)];
            }
            text += ["}", "}", " }", "", ",}"][random(5)];
            text += " and what follows behind it";
            let expected = members(text.as_bytes(), 0);
            let found = predicted(&mut predictor, text.as_bytes(), 0);
            assert_eq!(found.0, expected.0, "{text}");
            if expected.0.is_some() {
                assert_eq!(found, expected, "{text}");
                whole += 1;
            } else {
                odd += 1;
            }
        }
        assert!(whole > 3_000 && odd > 1_000, "{whole} {odd}");
    }

    #[test]
    fn a_new_predictor_predicts_nothing() {
        for filler in [0xff_u8, 0, 1, b' '] {
            let mut text = br#"{"a":"b""#.to_vec();
            text.extend([filler; 32]);
            assert_eq!(predicted(&mut KeyPredictor::default(), &text, 0).0, None, "{filler}");
        }
    }

    #[test]
    fn near_the_end_of_the_text_nothing_is_predicted() {
        assert_eq!(predicted(&mut KeyPredictor::default(), b"{\"a\":1}", 0).0, None);
        assert_eq!(predicted(&mut KeyPredictor::default(), b"{\"a\":1}, and so on, and so on", 0).0, Some(7));
        assert_eq!(predicted(&mut KeyPredictor::default(), b"[\"a\":1}, and so on, and so on", 0).0, None);
    }
}
