//! Searching texts for a term.

use super::FieldTests;
use crate::index::search::query::{Term, Test};
use crate::profile::json::RawString;

impl FieldTests {
    /// The tests of both.
    pub(super) const fn or(self, other: Self) -> Self {
        Self { own: self.own || other.own, literal: self.literal || other.literal }
    }
}

impl Term {
    /// The tests for a field with this key, in lower case.
    pub(super) fn tests(&self, key: &str) -> FieldTests {
        FieldTests {
            own: match &self.test {
                Test::Anywhere(_) => true,
                Test::Field { key: wanted, .. } => wanted == key,
                Test::LongerThan(_) | Test::ShorterThan(_) | Test::Flow(_) => false,
            },
            literal: self.literal.is_some(),
        }
    }

    /// Whether a number as shown (`-1.5e-7`, `Infinity`) can contain the text.
    pub(super) fn can_be_number(&self) -> bool {
        let is_part = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.einfaty".contains(&byte));
        let own = match &self.test {
            Test::Anywhere(text) | Test::Field { text, .. } => is_part(text),
            Test::LongerThan(_) | Test::ShorterThan(_) | Test::Flow(_) => false,
        };
        own || self.literal.as_deref().is_some_and(is_part)
    }

    /// Searches a string of the input; only strings with escapes are decoded.
    pub(super) fn found_in(&self, tests: FieldTests, text: RawString<'_>) -> bool {
        if memchr::memchr(b'\\', text.bytes).is_some() {
            self.found(tests, text.decode().as_bytes())
        } else {
            self.found(tests, text.bytes)
        }
    }

    pub(super) fn found(&self, tests: FieldTests, text: &[u8]) -> bool {
        let own = match &self.test {
            Test::Anywhere(wanted) | Test::Field { text: wanted, .. } => tests.own && contains(text, wanted),
            Test::LongerThan(_) | Test::ShorterThan(_) | Test::Flow(_) => false,
        };
        own || (tests.literal && self.literal.as_ref().is_some_and(|literal| contains(text, literal)))
    }
}

/// `cat:=NAME`: whether the category is exactly this one, or lists it, as trace events do.
pub(super) fn is_category(term: &Term, category: &str) -> bool {
    match &term.test {
        Test::Field { key, text } if key == "cat" => {
            let exact = |wanted: &str| category.split(',').any(|part| part.trim().to_lowercase() == wanted);
            text.strip_prefix('=').is_some_and(exact)
        }
        _ => false,
    }
}

/// Case-insensitive substring; `wanted` is lower case. ASCII text is compared in place.
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
