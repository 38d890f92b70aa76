//! Walks objects that are written alike, as millions in a recording are: what stood between two values the last times is
//! compared in one step with what stands there now, so that keys need not be read again.

use super::plain::{after_space, key};

/// Bytes compared at once: a comma, a key in its quotes and a colon mostly fit.
const WINDOW: usize = 16;

/// What was found behind a key before, the latest first.
const CHOICES: usize = 4;

/// Places behind a key, by a few bits of its hash, and the place behind the opening brace.
const PLACES: usize = 64;
const BEGIN: usize = PLACES;

/// What stood between two values, or behind the last one.
#[derive(Clone, Copy, Debug)]
struct Guess<T> {
    bytes: u128,
    /// The bytes that count.
    mask: u128,
    /// What the key stands for; `None` for the closing brace.
    meaning: Option<T>,
    /// How many bytes it is.
    length: usize,
    /// The place it leads to.
    place: usize,
}

/// What keys follow each other in the objects read so far, and what each stands for.
#[derive(Debug)]
pub struct Guesses<T> {
    next: Box<[[Guess<T>; CHOICES]; PLACES + 1]>,
}

impl<T: Copy> Default for Guesses<T> {
    fn default() -> Self {
        // No byte of a text is 255.
        let never = Guess { bytes: u128::MAX, mask: u128::MAX, meaning: None, length: 0, place: 0 };
        Self { next: Box::new([[never; CHOICES]; PLACES + 1]) }
    }
}

impl<T: Copy> Guesses<T> {
    /// Walks the object whose brace stands at `start`, as [`super::plain::members`] does: `tell` says what a key stands for,
    /// from its word ([`super::plain::key`]) and the offset of its opening quote; `member` gets that and the offset of the
    /// value, and gives the offset behind the value. Returns the offset behind the object, `None` for anything unusual.
    #[inline(always)]
    pub fn members(
        &mut self,
        text: &[u8],
        start: usize,
        tell: impl Fn(u64, usize) -> T,
        mut member: impl FnMut(T, usize) -> Option<usize>,
    ) -> Option<usize> {
        let (mut at, mut place) = (start, BEGIN);
        loop {
            let window = u128::from_le_bytes(*text.get(at..)?.first_chunk::<WINDOW>()?);
            let choices = self.next.get(place)?;
            let guess = match choices.iter().find(|guess| (window ^ guess.bytes) & guess.mask == 0) {
                Some(guess) => *guess,
                None => self.learn(text, at, place, &tell)?,
            };
            let Some(meaning) = guess.meaning else { return Some(at + guess.length) };
            at = member(meaning, at + guess.length)?;
            place = guess.place;
        }
    }

    /// Reads what stands between two values, and keeps it for the next object.
    #[inline(never)]
    fn learn(&mut self, text: &[u8], at: usize, place: usize, tell: impl Fn(u64, usize) -> T) -> Option<Guess<T>> {
        let next = after_space(text, at);
        let (quote, ends) = match (*text.get(next)?, place) {
            (b'{', BEGIN) if next == at => {
                let inside = after_space(text, at + 1);
                (inside, *text.get(inside)? == b'}')
            }
            (b',', ..BEGIN) => (after_space(text, next + 1), false),
            (b'}', ..BEGIN) => (next, true),
            _ => return None,
        };
        let (meaning, end, leads_to) = if ends {
            (None, quote + 1, BEGIN)
        } else {
            let (word, value) = key(text, quote)?;
            (Some(tell(word, quote)), value, place_behind(word))
        };
        let length = end - at;
        let mask = if length < WINDOW { (1 << (length * 8)) - 1 } else { u128::MAX };
        let window = u128::from_le_bytes(*text.get(at..)?.first_chunk::<WINDOW>()?);
        let guess = Guess { bytes: window & mask, mask, meaning, length, place: leads_to };
        if length <= WINDOW {
            let choices = &mut self.next[place];
            choices.rotate_right(1);
            choices[0] = guess;
        }
        Some(guess)
    }
}

/// A place by the word of the key before it; that some share one costs nothing but time.
#[expect(clippy::cast_possible_truncation, reason = "six bits are left")]
const fn place_behind(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::json::plain;

    type Seen = Vec<(u64, usize)>;

    fn members(text: &[u8], start: usize) -> (Option<usize>, Seen) {
        let mut seen = Vec::new();
        let end = plain::members(text, start, |word, _, value| {
            seen.push((word, value));
            plain::value_end(text, value)
        });
        (end, seen)
    }

    fn guessed(guesses: &mut Guesses<u64>, text: &[u8], start: usize) -> (Option<usize>, Seen) {
        let mut seen = Vec::new();
        let end = guesses.members(
            text,
            start,
            |word, _| word,
            |word, value| {
                seen.push((word, value));
                plain::value_end(text, value)
            },
        );
        (end, seen)
    }

    #[test]
    fn what_is_guessed_is_what_is_read() {
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
        let mut rng = fastrand::Rng::with_seed(1);
        let mut random = |below: usize| rng.usize(..below);
        let mut guesses = Guesses::default();
        let (mut whole, mut odd) = (0, 0);
        for _ in 0..20_000 {
            let mut text = String::from("{");
            for member in 0..random(6) {
                // Mostly as programs write it, now and then anything.
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
            let found = guessed(&mut guesses, text.as_bytes(), 0);
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
    fn near_the_end_of_the_text_others_must_read() {
        assert_eq!(guessed(&mut Guesses::default(), b"{\"a\":1}", 0).0, None);
        assert_eq!(guessed(&mut Guesses::default(), b"{\"a\":1}, and so on, and so on", 0).0, Some(7));
        assert_eq!(guessed(&mut Guesses::default(), b"[\"a\":1}, and so on, and so on", 0).0, None);
    }
}
