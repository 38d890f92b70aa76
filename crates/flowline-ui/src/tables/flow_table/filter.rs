//! The filter language of the flow table.
//!
//! Commas mean OR. Words separated by spaces (or `&&`) must all match. `threads:>3`, `processes:2`, `markers:>=10`,
//! `dur:<5ms`, `run:`, `wait:` and `longest:` compare numbers. `kind:request` matches a part of the kind's name,
//! `kind:="Image Paint"` the full name, and a `-` prefix excludes. `posted:`, `runs:`, `type:` and `resource:` match
//! the thread that posted a flow, the threads it runs on, its type and its resource in the same way. Any other word
//! must occur in the label or the id, ignoring case. A part between commas that consists only of exclusions applies to
//! the whole filter. Every text is a valid filter; an empty one matches all flows.

use super::texts::Fact;
use flowline_index::search::parse_duration;

/// A parsed filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    /// Alternatives, each a list of conditions that must all match; empty matches everything.
    any: Vec<Vec<Condition>>,
    /// Conditions that must match in addition.
    all: Vec<Condition>,
}

/// The condition of one word.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    /// Lower case.
    Text(String),
    Number(Quantity, Comparison, i64),
    Kind(KindTest),
    Fact(Fact, KindTest),
}

impl Condition {
    /// True for an exclusion.
    const fn excludes(&self) -> bool {
        matches!(self, Self::Kind(test) | Self::Fact(_, test) if test.excludes)
    }
}

/// A test of a flow's kind or of another of its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KindTest {
    /// Lower case.
    text: String,
    is_whole: bool,
    excludes: bool,
}

impl KindTest {
    /// Parses `key:text` and `key:=text`, with an optional `-` prefix; `None` for an unknown key.
    fn parse(word: &str) -> Option<Condition> {
        let (excludes, rest) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
        let (key, rest) = rest.split_once(':')?;
        let (is_whole, text) = rest.strip_prefix('=').map_or((false, rest), |text| (true, text));
        let test = Self { text: text.replace('"', ""), is_whole, excludes };
        match key {
            "kind" => Some(Condition::Kind(test)),
            key => Fact::for_key(key).map(|fact| Condition::Fact(fact, test)),
        }
    }

    /// True if a text passes the test; the text must be lower case.
    fn holds(&self, name: &str) -> bool {
        let found = if self.is_whole { name == self.text } else { name.contains(&self.text) };
        found != self.excludes
    }
}

/// Results of all kind tests of a filter.
pub(super) struct KindResults<'a>(Vec<(&'a KindTest, Vec<bool>)>);

impl KindResults<'_> {
    /// True if a kind, given by its number, passes a test.
    pub(super) fn holds(&self, test: &KindTest, kind: usize) -> bool {
        let known = self.0.iter().find(|(known, _)| *known == test);
        known.is_some_and(|(_, results)| results.get(kind) == Some(&true))
    }
}

/// Splits a text at separators outside quotes.
fn unquoted(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut is_quoted = false;
    let split = |letter: char| {
        is_quoted ^= letter == '"';
        !is_quoted && is_separator(letter)
    };
    text.split(split).collect()
}

/// The filter word that excludes a kind.
pub(super) fn exclusion(kind: &str) -> String {
    format!("-{}", only(kind))
}

/// The filter word that matches a kind by its full name.
pub(super) fn only(kind: &str) -> String {
    let plain: String = kind.to_lowercase().chars().map(|letter| if letter == '"' { ' ' } else { letter }).collect();
    format!("kind:=\"{plain}\"")
}

/// The filter with the exclusion of a kind added or removed.
pub(super) fn with_kind(filter: &str, kind: &str, is_shown: bool) -> String {
    let word = exclusion(kind);
    let parts = unquoted(filter, |letter| letter == ',').into_iter().map(str::trim);
    let mut kept: Vec<&str> = parts.filter(|part| !part.is_empty() && part.to_lowercase() != word).collect();
    if !is_shown {
        kept.push(&word);
    }
    kept.join(", ")
}

/// True if a filter contains the [`exclusion`] of a kind.
pub(super) fn excludes(filter: &str, kind: &str) -> bool {
    let word = exclusion(kind);
    unquoted(filter, |letter| letter == ',').iter().any(|part| part.trim().to_lowercase() == word)
}

/// A number that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Markers,
    Threads,
    Processes,
    /// Nanoseconds, like all quantities below.
    Length,
    Run,
    Wait,
    LongestWait,
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
        let condition = |word: &str| {
            KindTest::parse(word).or_else(|| comparison(word)).unwrap_or_else(|| Condition::Text(word.to_owned()))
        };
        let words = |part: &str| -> Vec<Condition> {
            let words = unquoted(part, char::is_whitespace).into_iter();
            words.filter(|word| !word.is_empty() && *word != "&&").map(condition).collect()
        };
        let mut filter = Self::default();
        for words in unquoted(&lower, |letter| letter == ',').into_iter().map(words).filter(|words| !words.is_empty()) {
            if words.iter().all(Condition::excludes) {
                filter.all.extend(words);
            } else {
                filter.any.push(words);
            }
        }
        filter
    }

    /// True if every flow matches.
    pub(super) const fn is_empty(&self) -> bool {
        self.any.is_empty() && self.all.is_empty()
    }

    /// Tests the names of all kinds once.
    pub(super) fn kinds<'a>(&self, names: impl Iterator<Item = &'a str>) -> KindResults<'_> {
        let names: Vec<String> = names.map(str::to_lowercase).collect();
        let tests = self.all.iter().chain(self.any.iter().flatten()).filter_map(|condition| match condition {
            Condition::Kind(test) => Some(test),
            Condition::Text(_) | Condition::Number(..) | Condition::Fact(..) => None,
        });
        KindResults(tests.map(|test| (test, names.iter().map(|name| test.holds(name)).collect())).collect())
    }

    /// True if it compares run or wait times.
    pub(super) fn needs_timelines(&self) -> bool {
        let needs = |condition: &Condition| {
            matches!(condition, Condition::Number(Quantity::Run | Quantity::Wait | Quantity::LongestWait, ..))
        };
        self.any.iter().flatten().any(needs)
    }

    /// True if a flow matches. `texts` returns label and id, `fact` another text, all in lower case; they are called
    /// only if the result depends on them.
    pub(super) fn holds(
        &self,
        number: impl Fn(Quantity) -> i64,
        kind: impl Fn(&KindTest) -> bool,
        fact: impl Fn(Fact) -> String,
        texts: impl Fn() -> [String; 2],
    ) -> bool {
        // Reading texts is the slowest test, so it comes last.
        let may_hold = |test: &Condition| match test {
            Condition::Number(fact, relation, limit) => relation.holds(number(*fact), *limit),
            Condition::Kind(test) => kind(test),
            Condition::Text(_) | Condition::Fact(..) => true,
        };
        let mut known: Option<[String; 2]> = None;
        let mut holds = |test: &Condition| match test {
            Condition::Text(text) => known.get_or_insert_with(&texts).iter().any(|known| known.contains(text)),
            Condition::Fact(wanted, test) => test.holds(&fact(*wanted)),
            Condition::Number(..) | Condition::Kind(_) => true,
        };
        let mut passes = |tests: &[Condition]| tests.iter().all(may_hold) && tests.iter().all(&mut holds);
        passes(&self.all) && (self.any.is_empty() || self.any.iter().any(|tests| passes(tests)))
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
        "run" => (Quantity::Run, parse_duration(limit)?.0),
        "wait" => (Quantity::Wait, parse_duration(limit)?.0),
        "longest" => (Quantity::LongestWait, parse_duration(limit)?.0),
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
            Quantity::Run => 2_000_000,
            Quantity::Wait => 3_000_000,
            Quantity::LongestWait => 1_500_000,
        };
        let fact = |fact| match fact {
            Fact::PostedFrom => "socket thread (parent process 1)".to_owned(),
            Fact::RunsOn => "geckomain (web content 2)".to_owned(),
            Fact::Type => "mozilla::net::asyncopen".to_owned(),
            Fact::Resource => "https://example.com/a.png".to_owned(),
        };
        let filter = Filter::parse(filter);
        let kinds = filter.kinds(["Image Paint", "task, big"].into_iter());
        filter.holds(number, |test| kinds.holds(test, 1), fact, || ["load page".into(), "10924c9c0".into()])
    }

    #[test]
    fn kinds_are_included_and_excluded() {
        for filter in [
            "kind:task",
            "kind:=\"Task, big\"",
            "-kind:paint",
            "load, -kind:paint",
            "nothing, kind:big load",
            "-kind:=task",
            "kind:task -kind:paint",
        ] {
            assert!(holds(filter), "{filter}");
        }
        for filter in
            ["kind:paint", "kind:=task", "-kind:task", "load, -kind:big", "kind:task nothing", "load -kind:big"]
        {
            assert!(!holds(filter), "{filter}");
        }
    }

    #[test]
    fn exclusions_of_kinds_are_added_and_removed() {
        let omitted = with_kind("page, dur:>1ms", "Task, big", false);
        assert_eq!(omitted, "page, dur:>1ms, -kind:=\"task, big\"");
        assert!(excludes(&omitted, "task, BIG") && !excludes(&omitted, "task") && !holds(&omitted));
        assert_eq!(with_kind(&omitted, "Task, big", false), omitted, "excluded only once");
        assert_eq!(with_kind(&omitted, "Task, big", true), "page, dur:>1ms");
    }

    #[test]
    fn words_match_the_label_and_the_id() {
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
    fn run_and_wait_times_and_facts_match() {
        for filter in [
            "run:2ms wait:>2ms longest:<=1500us",
            "posted:socket",
            "runs:gecko -runs:socket",
            "type:asyncopen resource:example.com",
            "type:=mozilla::net::asyncopen",
            "nothing, posted:\"socket thread\"",
            "-resource:b.png",
        ] {
            assert!(holds(filter), "{filter}");
        }
        for filter in
            ["run:>2ms", "longest:>2", "posted:gecko", "type:=asyncopen", "load, -posted:socket", "runs:x load"]
        {
            assert!(!holds(filter), "{filter}");
        }
        assert!(
            Filter::parse("page, wait:>1 page").needs_timelines()
                && !Filter::parse("dur:>1 posted:x").needs_timelines()
        );
    }

    #[test]
    fn other_words_are_text() {
        assert_eq!(Filter::parse("threads:many").any, [[Condition::Text("threads:many".into())]]);
        assert_eq!(Filter::parse("https://a").any, [[Condition::Text("https://a".into())]]);
        assert!(Filter::parse("").is_empty());
    }

    #[test]
    fn texts_are_read_only_when_needed() {
        let filter = Filter::parse("threads:>5 word, processes:>1");
        assert!(filter.holds(|_| 2, |_| true, |_| unreachable!("numbers decide"), || unreachable!("numbers decide")));
    }
}
