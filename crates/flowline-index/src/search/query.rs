//! The query language: a comma means OR, a space means AND, `-` excludes, `key:value` searches one field, `key:>5ms`
//! compares its number, anything else is text (see `docs/search.md`). Every text is a valid query; a term that cannot
//! be interpreted as meant is listed as a [`Problem`].

use super::number::{NumberRange, RangeError};
use super::problem::{Problem, ProblemKind};
use super::words::{self, Word};
use crate::flows::FlowName;
use flowline_profile::DisplayClock;

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// A marker matches if one of these alternatives matches, or if there are none. Each alternative has at least one
    /// term.
    pub any: Vec<Vec<Term>>,
    /// Markers that match one of these terms are excluded.
    pub none: Vec<Term>,
    /// Terms that could not be interpreted as they were probably meant.
    pub problems: Vec<Problem>,
    /// The clock of the times in terms; `None` for the recording's own.
    pub clock: Option<DisplayClock>,
}

/// One condition of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The test.
    pub test: Test,
    /// True if the test must fail.
    pub negated: bool,
    /// The whole term in lower case, because a field may also contain `key:value` literally.
    pub literal: Option<String>,
    /// The term as typed, without a `-` before it.
    pub typed: String,
}

/// The test of a term. All texts are in lower case, except ids of flows.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The name, the category, or any field contains the text.
    Anywhere(String),
    /// One field contains the text.
    Field {
        /// Key of the field; `name`, `cat`, `type`, `thread`, `process`, `pid`, `tid` are built in.
        key: String,
        /// The text.
        text: String,
        /// True if the text must be the whole field.
        whole: bool,
    },
    /// The number of a field, or of a thread's `pid` or `tid`, is in a range.
    Number {
        /// Key of the field.
        key: String,
        /// The range.
        range: NumberRange,
    },
    /// A time of the marker itself is in a time range.
    Time {
        /// The time to test.
        of: MarkerTime,
        /// The range.
        range: NumberRange,
    },
    /// The marker is in one of the flows with this name.
    Flow(FlowName),
    /// A resource of the marker, such as a URL, contains the text or is part of it.
    Resource(String),
}

/// A time of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerTime {
    /// The duration of an interval.
    Length,
    /// The start, on the displayed clock.
    Start,
    /// The end, on the displayed clock; an instant ends when it starts.
    End,
    /// The self time of an interval, in which no direct child is open.
    SelfTime,
}

impl MarkerTime {
    fn of_key(key: &str) -> Option<Self> {
        Some(match key {
            "dur" => Self::Length,
            "start" => Self::Start,
            "end" => Self::End,
            "self" => Self::SelfTime,
            _ => return None,
        })
    }
}

/// Built-in keys, which have a meaning in every recording.
const BUILT_IN: [&str; 14] =
    ["name", "cat", "type", "thread", "process", "pid", "tid", "dur", "start", "end", "self", "flow", "res", WORK];

/// Key of the kind of work.
pub(super) const WORK: &str = "work";

/// True for a built-in key.
#[inline]
pub(super) fn is_built_in(key: &str) -> bool {
    BUILT_IN.contains(&key)
}

impl Query {
    /// Parses a query. Every text is valid; an empty one matches everything.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut query = Self::default();
        for words in words::alternatives(text) {
            let terms: Vec<Term> = words.iter().filter_map(|word| term(word, &mut query.problems)).collect();
            // An alternative with only exclusions applies to the whole query.
            if terms.iter().all(|term| term.negated) {
                query.none.extend(terms.into_iter().map(|term| Term { negated: false, ..term }));
            } else {
                query.any.push(terms);
            }
        }
        query
    }

    /// All terms.
    #[inline]
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.any.iter().flatten().chain(&self.none)
    }

    /// The query with terms for one of `keys` replaced by plain text, and a problem for each of them.
    #[must_use]
    pub fn without_keys(mut self, keys: &[String]) -> Self {
        let problems = &mut self.problems;
        for term in self.any.iter_mut().flatten().chain(&mut self.none) {
            let asked = term.test.key().filter(|key| keys.iter().any(|unknown| unknown == key));
            if let Some(key) = asked.map(str::to_owned) {
                let text = term.literal_text();
                // Rust paths, URLs, and the like were never meant as keys.
                if !term.typed[key.len()..].starts_with("::") && !term.typed[key.len()..].starts_with(":/") {
                    problems.push(Problem { term: term.typed.clone(), kind: ProblemKind::UnknownField { key } });
                }
                term.test = Test::Anywhere(text);
                term.literal = None;
            }
        }
        self
    }

    /// True if the plain words and `name:` terms of the query match the name of something that is not a marker.
    #[must_use]
    pub fn matches_name(&self, name: &str) -> bool {
        self.matches_call(name, &[])
    }

    /// Like [`Query::matches_name`] for a call: plain words are also found in its arguments.
    #[must_use]
    pub fn matches_call(&self, name: &str, arguments: &[String]) -> bool {
        let name = name.to_lowercase();
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_lowercase()).collect();
        let holds = |term: &Term| match &term.test {
            Test::Anywhere(text) => name.contains(text) || arguments.iter().any(|argument| argument.contains(text)),
            Test::Field { key, text, whole } if key == "name" => {
                if *whole {
                    name == *text
                } else {
                    name.contains(text)
                }
            }
            _ => false,
        };
        let all = |terms: &Vec<Term>| terms.iter().all(|term| holds(term) != term.negated);
        self.any.iter().any(all) && !self.none.iter().any(holds)
    }

    /// True if the query matches everything.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.any.is_empty() && self.none.is_empty()
    }
}

impl Test {
    /// The key of the tested field, if it is not a built-in key.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Field { key, .. } | Self::Number { key, .. } => Some(key.as_str()).filter(|key| !is_built_in(key)),
            _ => None,
        }
    }
}

impl Term {
    /// The term as plain text.
    #[inline]
    fn literal_text(&self) -> String {
        self.literal.clone().unwrap_or_else(|| self.typed.to_lowercase())
    }
}

/// Parses a word; `None` if it is not complete yet.
fn term(word: &Word<'_>, problems: &mut Vec<Problem>) -> Option<Term> {
    let mut problem = |kind| problems.push(Problem { term: word.raw.to_owned(), kind });
    let text = |text: String| Test::Anywhere(text);
    let value = word.value.trim();
    let test = match word.key.as_deref() {
        None => text(word.value.clone()),
        // Ignore the term until a value is typed.
        Some(key) if matches!(value, "" | "=") && !word.quoted && is_built_in(key) => {
            problem(ProblemKind::NoValue);
            return None;
        }
        // Any other key without a value is text, as in `std::`.
        Some(_) if value.is_empty() && !word.quoted => text(word.literal()),
        Some("flow") => Test::Flow(flow_name(word)),
        Some("res") if !word.whole => Test::Resource(word.value.clone()),
        Some(key) => {
            let of = MarkerTime::of_key(key);
            let range =
                if word.whole || word.quoted { Err(RangeError::NoComparison) } else { NumberRange::parse(value) };
            let range = match (range, of) {
                (Err(RangeError::NoComparison), Some(_)) => NumberRange::exactly(value),
                (range, _) => range,
            };
            match (range, of) {
                (Ok(range), Some(of)) => match range.in_time() {
                    Some(range) => Test::Time { of, range },
                    None => {
                        problem(ProblemKind::NoTime);
                        text(word.literal())
                    }
                },
                (Ok(range), None) => Test::Number { key: key.to_owned(), range },
                (Err(RangeError::Unfinished), _) => {
                    problem(ProblemKind::Unfinished);
                    return None;
                }
                (Err(RangeError::NoNumber), None) => {
                    problem(ProblemKind::NoNumber);
                    text(word.literal())
                }
                (Err(_), Some(_)) => {
                    problem(ProblemKind::NoTime);
                    text(word.literal())
                }
                (Err(RangeError::NoComparison), None) => {
                    Test::Field { key: key.to_owned(), text: word.value.clone(), whole: word.whole }
                }
            }
        }
    };
    // A comparison is not searched as literal text.
    let has_literal = !word.negated && matches!(test, Test::Field { .. } | Test::Flow(_) | Test::Resource(_));
    let literal = has_literal.then(|| word.literal());
    Some(Term { test, negated: word.negated, literal, typed: word.raw.to_owned() })
}

/// Parses `flow:ID;TIME` and `flow:ID` from the word as typed, because ids are case-sensitive.
fn flow_name(word: &Word<'_>) -> FlowName {
    let value = word.raw.split_once(':').map_or("", |(_, value)| value).trim();
    let Some((id, after)) = value.strip_prefix('"').and_then(|rest| rest.rsplit_once('"')) else {
        return FlowName::parse(value.strip_prefix('"').unwrap_or(value));
    };
    // Quoted text is always the id, even if it looks like `ID;TIME`.
    let time = FlowName::parse(after).time.filter(|_| after.starts_with(';'));
    FlowName::new(id.replace("\"\"", "\""), time)
}

/// A query that finds the markers of a resource.
#[must_use]
#[inline]
pub fn resource_query(resource: &str) -> String {
    format!("res:{}", words::quoted(resource))
}

/// The `res:` value that is being typed at the end of a query: the start of its word, after a `-` if there is one, and
/// the value without quotes.
#[must_use]
pub fn typed_resource(text: &str) -> Option<(usize, String)> {
    let (mut begin, mut is_quoted) = (0, false);
    for (at, letter) in text.char_indices() {
        is_quoted ^= letter == '"';
        if !is_quoted && (letter.is_whitespace() || letter == ',') {
            begin = at + letter.len_utf8();
        }
    }
    let word = &text[begin..];
    let begin = begin + usize::from(word.starts_with('-'));
    let value = text[begin..].split_at_checked(4).filter(|(key, _)| key.eq_ignore_ascii_case("res:"))?.1;
    Some((begin, value.replace('"', "")))
}

/// A query that finds the markers of a flow.
#[must_use]
pub fn flow_query(name: &FlowName) -> String {
    let text = name.to_string();
    let reads_back = name.time.is_some() || FlowName::parse(&name.id).time.is_none();
    let id = words::quoted(&name.id);
    if reads_back && id == name.id {
        return format!("flow:{text}");
    }
    let id = if id == name.id { format!("\"{id}\"") } else { id };
    format!("flow:{id}{}", &text[name.id.len()..])
}

/// A term that matches a whole value of a field.
#[must_use]
#[inline]
pub fn whole_value(key: &str, value: &str) -> String {
    format!("{key}:={}", words::quoted(value))
}

/// The comma-separated parts of a query, as typed, without empty ones.
#[must_use]
#[inline]
pub fn parts(text: &str) -> Vec<&str> {
    words::parts(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::Ns;

    fn field(key: &str, text: &str) -> Test {
        Test::Field { key: key.into(), text: text.into(), whole: false }
    }

    fn time(text: &str) -> Test {
        let range = NumberRange::parse(text).expect("a range").in_time().expect("a time");
        Test::Time { of: MarkerTime::Length, range }
    }

    #[test]
    fn terms_are_parsed() {
        let query = Query::parse("Foo -bar, name:Bar ,-cat:DOM,-bare -x,dur:>5ms thread:Gecko,-dur:<1s,\"a b:c\"");
        let tests = |terms: &[Term]| terms.iter().map(|term| (term.test.clone(), term.negated)).collect::<Vec<_>>();
        let word = |text: &str| Test::Anywhere(text.into());
        assert_eq!(
            query.any.iter().map(|terms| tests(terms)).collect::<Vec<_>>(),
            [
                vec![(word("foo"), false), (word("bar"), true)],
                vec![(field("name", "bar"), false)],
                vec![(time(">5ms"), false), (field("thread", "gecko"), false)],
                vec![(word("a b:c"), false)],
            ]
        );
        let none: Vec<Test> = query.none.into_iter().map(|term| term.test).collect();
        assert_eq!(none, [field("cat", "dom"), word("bare"), word("x"), time("<1s")]);
        assert_eq!(query.problems, []);
    }

    #[test]
    fn flow_terms_keep_case_commas_and_spaces() {
        for id in ["10924C9c0", "a,b", "a;b", "say \"a, b\"", "x y", "", " ", "a;7.50", " x "] {
            for time in [None, Some(Ns(1_500_000))] {
                let query = Query::parse(&flow_query(&FlowName::new(id.into(), time)));
                let terms: Vec<&Term> = query.terms().collect();
                let [Term { test: Test::Flow(name), .. }] = terms.as_slice() else { panic!("{id}: {query:?}") };
                assert_eq!((name.id.as_str(), name.time), (id, time));
            }
        }
        assert_eq!(Query::parse("-flow:A;1").none.len(), 1);
    }

    #[test]
    fn invalid_terms_are_problems() {
        for (text, expected) in [
            ("dur:>nonsense", vec![ProblemKind::NoTime]),
            ("dur:>5MB", vec![ProblemKind::NoTime]),
            ("latency:>x, -size:<y", vec![ProblemKind::NoNumber, ProblemKind::NoNumber]),
            ("dur:> paint", vec![ProblemKind::Unfinished]),
            ("name: res:, -cat: name:=", vec![ProblemKind::NoValue; 4]),
            ("std:: http: name:\"\"", vec![]),
            ("dur:5ms latency:5..6 url:a..b", vec![]),
        ] {
            let found: Vec<ProblemKind> = Query::parse(text).problems.into_iter().map(|problem| problem.kind).collect();
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(Query::parse("dur:> paint").any[0].len(), 1, "an unfinished term is ignored");
    }

    #[test]
    fn unknown_keys_become_text() {
        let query = Query::parse("latenzy:5 -latenzy:>6,http://x,a::b,name:y");
        let unknown = ["latenzy", "http", "a"].map(String::from);
        let query = query.without_keys(&unknown);
        let tests: Vec<Test> = query.terms().map(|term| term.test.clone()).collect();
        let word = |text: &str| Test::Anywhere(text.into());
        assert_eq!(tests, [word("latenzy:5"), word("latenzy:>6"), word("http://x"), word("a::b"), field("name", "y")]);
        assert_eq!(query.problems.len(), 2, "{:?}", query.problems);
    }

    #[test]
    fn an_empty_query_matches_everything() {
        assert!(Query::parse(" , ,").is_empty());
        assert!(Query::parse("name:").is_empty() && !Query::parse("url:").is_empty());
    }
}
