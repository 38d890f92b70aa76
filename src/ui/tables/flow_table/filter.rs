//! The filter language of the flow table.
//!
//! Commas mean OR. Words separated by spaces (or `&&`) must all match: `threads:>3`, `processes:2`, `markers:>=10` and
//! `dur:<5ms` compare numbers. Any other word is text that the label or the id must contain, ignoring case. Every text
//! is a valid filter; an empty one matches all flows.

use crate::index::search::parse_duration;

/// A parsed filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    /// Alternatives, each a list of conditions that must all hold; empty matches everything.
    any: Vec<Vec<Condition>>,
}

/// The condition of one word.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    /// Lower case.
    Text(String),
    Number(Quantity, Comparison, i64),
}

/// A number that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Markers,
    Threads,
    Processes,
    /// Nanoseconds.
    Length,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    More,
    AtLeast,
    Equal,
    AtMost,
    Less,
}

impl Comparison {
    const fn holds(self, value: i64, limit: i64) -> bool {
        match self {
            Self::More => value > limit,
            Self::AtLeast => value >= limit,
            Self::Equal => value == limit,
            Self::AtMost => value <= limit,
            Self::Less => value < limit,
        }
    }
}

impl Filter {
    /// Parses a filter. Never fails.
    pub(super) fn parse(text: &str) -> Self {
        let lower = text.to_lowercase();
        let words = |part: &str| -> Vec<Condition> {
            let words =
                part.split(|letter: char| letter.is_whitespace()).filter(|word| !word.is_empty() && *word != "&&");
            words.map(|word| comparison(word).unwrap_or_else(|| Condition::Text(word.to_owned()))).collect()
        };
        Self { any: lower.split(',').map(words).filter(|words| !words.is_empty()).collect() }
    }

    /// Whether every flow matches.
    pub(super) const fn is_empty(&self) -> bool {
        self.any.is_empty()
    }

    /// Whether a flow matches. `texts` returns label and id in lower case; it is called only when they matter.
    pub(super) fn holds(&self, number: impl Fn(Quantity) -> i64, texts: impl Fn() -> [String; 2]) -> bool {
        if self.any.is_empty() {
            return true;
        }
        let numbers_hold = |tests: &&Vec<Condition>| {
            tests.iter().all(|test| match test {
                Condition::Number(fact, relation, limit) => relation.holds(number(*fact), *limit),
                Condition::Text(_) => true,
            })
        };
        let mut known: Option<[String; 2]> = None;
        self.any.iter().filter(numbers_hold).any(|tests| {
            tests.iter().all(|test| match test {
                Condition::Text(text) => known.get_or_insert_with(&texts).iter().any(|known| known.contains(text)),
                Condition::Number(..) => true,
            })
        })
    }
}

/// Parses `key:>limit` and similar words.
fn comparison(word: &str) -> Option<Condition> {
    let (key, value) = word.split_once(':')?;
    let relations = [
        (">=", Comparison::AtLeast),
        ("<=", Comparison::AtMost),
        (">", Comparison::More),
        ("<", Comparison::Less),
        ("=", Comparison::Equal),
        ("", Comparison::Equal),
    ];
    let (limit, relation) =
        relations.iter().find_map(|(sign, relation)| Some((value.strip_prefix(sign)?, *relation)))?;
    let (fact, limit) = match key {
        "markers" => (Quantity::Markers, limit.parse().ok()?),
        "threads" => (Quantity::Threads, limit.parse().ok()?),
        "processes" => (Quantity::Processes, limit.parse().ok()?),
        "dur" => (Quantity::Length, parse_duration(limit)?.0),
        _ => return None,
    };
    Some(Condition::Number(fact, relation, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flow of 12 markers in 3 threads of 2 processes, 5 ms long, "Load page", id 10924C9c0.
    fn holds(filter: &str) -> bool {
        let number = |fact| match fact {
            Quantity::Markers => 12,
            Quantity::Threads => 3,
            Quantity::Processes => 2,
            Quantity::Length => 5_000_000,
        };
        Filter::parse(filter).holds(number, || ["load page".into(), "10924c9c0".into()])
    }

    #[test]
    fn texts_are_looked_for_in_label_and_id() {
        for filter in
            ["", " , ,", "load", "LOAD", "page load", "4c9", "nothing, page", "load 10924C9C0", "load && page"]
        {
            assert!(holds(filter), "{filter}");
        }
        for filter in ["loads", "load nothing", "nothing, neither", "load && nothing"] {
            assert!(!holds(filter), "{filter}");
        }
    }

    #[test]
    fn numbers_are_compared() {
        for filter in [
            "threads:>2",
            "threads:3",
            "threads:=3",
            "threads:>=3 processes:<=2",
            "markers:>10&&x, markers:>10",
            "markers:<13 && dur:>4999us",
            "dur:5ms",
            "dur:5",
            "Threads:>2 LOAD",
            "threads:>9, dur:<1s",
        ] {
            assert!(holds(filter), "{filter}");
        }
        for filter in ["threads:>3", "threads:2", "threads:>2 processes:>2", "dur:>5ms", "markers:<12", "threads:>2 x"]
        {
            assert!(!holds(filter), "{filter}");
        }
    }

    #[test]
    fn what_is_no_comparison_is_text() {
        assert_eq!(Filter::parse("threads:many").any, [[Condition::Text("threads:many".into())]]);
        assert_eq!(Filter::parse("https://a").any, [[Condition::Text("https://a".into())]]);
        assert!(Filter::parse("").is_empty());
    }

    #[test]
    fn texts_are_made_only_when_they_matter() {
        let filter = Filter::parse("threads:>5 word, processes:>1");
        assert!(filter.holds(|_| 2, || unreachable!("numbers decide")));
    }
}
