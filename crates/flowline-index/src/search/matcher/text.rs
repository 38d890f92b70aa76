//! Searches texts and numbers for a term.

use super::fields::FieldTests;
use crate::search::query::{Term, Test};
use flowline_json::RawString;

impl Term {
    /// True if a number as displayed (`-1.5e-7`, `Infinity`) can match.
    pub(super) fn can_be_number(&self) -> bool {
        let is_part = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.einfaty".contains(&byte));
        let own = match &self.test {
            Test::Anywhere(text) | Test::Field { text, .. } => is_part(text),
            Test::Number { .. } => true,
            Test::Time { .. } | Test::Flow(_) | Test::Resource(_) => false,
        };
        own || self.literal.as_deref().is_some_and(is_part)
    }

    /// Searches a string of the input. Only strings with escapes are decoded.
    pub(super) fn found_in(&self, tests: FieldTests, text: RawString<'_>) -> bool {
        if memchr::memchr(b'\\', text.bytes).is_some() {
            self.found(tests, text.decode().as_bytes())
        } else {
            self.found(tests, text.bytes)
        }
    }

    pub(super) fn found(&self, tests: FieldTests, text: &[u8]) -> bool {
        let own = || match &self.test {
            Test::Anywhere(wanted) | Test::Field { text: wanted, whole: false, .. } => contains(text, wanted),
            Test::Field { text: wanted, whole: true, .. } => equals(text, wanted),
            Test::Number { range, .. } => number(text).is_some_and(|number| range.holds(number, tests.unit)),
            Test::Resource(wanted) => contains(text, wanted) || is_part_of(text, wanted),
            Test::Time { .. } | Test::Flow(_) => false,
        };
        (tests.own && own()) || (tests.literal && self.literal.as_ref().is_some_and(|literal| contains(text, literal)))
    }
}

/// True if `cat:=NAME` matches one of the categories in a comma-separated list, as in trace events.
pub(super) fn is_category(term: &Term, category: &str) -> bool {
    match &term.test {
        Test::Field { key, text, whole: true } if key == "cat" => {
            category.split(',').any(|part| part.trim().to_lowercase() == *text)
        }
        _ => false,
    }
}

/// Case-insensitive substring search; `wanted` is in lower case. ASCII text is compared in place.
pub(super) fn contains(text: &[u8], wanted: &str) -> bool {
    let wanted_bytes = wanted.as_bytes();
    let Some((&first, rest)) = wanted_bytes.split_first() else { return true };
    if !(text.is_ascii() && wanted.is_ascii()) {
        return String::from_utf8_lossy(text).to_lowercase().contains(wanted);
    }
    let (lower, upper) = (first, first.to_ascii_uppercase());
    memchr::memchr2_iter(lower, upper, text)
        .any(|at| text.get(at + 1..at + wanted_bytes.len()).is_some_and(|tail| tail.eq_ignore_ascii_case(rest)))
}

/// True if a text equals the wanted one, ignoring case.
fn equals(text: &[u8], wanted: &str) -> bool {
    if text.is_ascii() {
        return text.eq_ignore_ascii_case(wanted.as_bytes());
    }
    String::from_utf8_lossy(text).to_lowercase() == wanted
}

/// True if a non-empty text is part of the wanted one, ignoring case.
#[inline]
fn is_part_of(text: &[u8], wanted: &str) -> bool {
    // A letter takes at most three times as many bytes as in its other case.
    let may_fit = !text.is_empty() && text.len() <= wanted.len() * 3;
    may_fit && wanted.contains(&String::from_utf8_lossy(text).to_lowercase())
}

/// Parses a text as a number.
fn number(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    // Words such as `inf` are not numbers.
    let first = text.bytes().find(|byte| !matches!(byte, b'+' | b'-'))?;
    (first.is_ascii_digit() || first == b'.').then(|| text.parse().ok()).flatten()
}
