//! The search language: comma means OR; `key:value` looks in one field, `-key:value` excludes, anything else is text.
//! Rules follow the Firefox Profiler; `dur:` is ours; `flow:` names flows.

use crate::index::flows::FlowName;
use crate::profile::Ns;

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// A marker matches if any of these does (or if there is none).
    pub any: Vec<Term>,
    /// A marker that one of these matches is left out.
    pub none: Vec<Term>,
}

/// One part of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is tested.
    pub test: Test,
    /// The whole term as text, lower case: a `key:value` may also stand literally in a field.
    pub literal: Option<String>,
}

/// What a term tests.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The text stands in the name, the category or any field; lower case.
    Anywhere(String),
    /// The text stands in one field.
    Field {
        /// Field key, lower case; `name`, `cat`, `type`, `thread` are built in.
        key: String,
        /// Lower case.
        text: String,
    },
    /// The marker lasts longer than this.
    LongerThan(Ns),
    /// The marker lasts shorter than this.
    ShorterThan(Ns),
    /// The marker is in one of the flows of this name.
    Flow(FlowName),
}

impl Query {
    /// Parses what a person typed. Every text is a query; an empty one matches everything.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut query = Self::default();
        for part in parts(text) {
            let lower = part.to_lowercase();
            let (excluded, rest) = match lower.strip_prefix('-') {
                Some(rest) if field_of(rest).is_some() => (true, rest),
                _ => (false, lower.as_str()),
            };
            match field_of(rest) {
                Some((key, value)) => {
                    let test = duration_test(key, value)
                        .or_else(|| flow_test(key, part))
                        .unwrap_or_else(|| Test::Field { key: key.to_owned(), text: value.to_owned() });
                    let literal = (!excluded).then(|| lower.clone());
                    let list = if excluded { &mut query.none } else { &mut query.any };
                    list.push(Term { test, literal });
                }
                None => query.any.push(Term { test: Test::Anywhere(lower), literal: None }),
            }
        }
        query
    }

    /// Whether it matches everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.any.is_empty() && self.none.is_empty()
    }
}

/// The parts between commas; a comma between double quotes separates nothing.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let separates = move |letter: char| {
        quoted ^= letter == '"';
        letter == ',' && !quoted
    };
    text.split(separates).map(str::trim).filter(|part| !part.is_empty())
}

/// `flow:ID;TIME` and `flow:ID`, from the part as typed: ids are case-sensitive. Quotes around the id are taken off.
fn flow_test(key: &str, part: &str) -> Option<Test> {
    if key != "flow" {
        return None;
    }
    let (_, value) = part.split_once(':')?;
    let value = value.trim();
    let unquoted = value.strip_prefix('"').and_then(|rest| {
        let (id, time) = rest.rsplit_once('"')?;
        Some(format!("{id}{time}"))
    });
    Some(Test::Flow(FlowName::parse(unquoted.as_deref().unwrap_or(value))))
}

/// The search text that finds the markers of a flow.
#[must_use]
pub fn flow_query(name: &FlowName) -> String {
    let text = name.to_string();
    match (text.contains([',', '"']), name.time) {
        (false, _) => format!("flow:{text}"),
        (true, None) => format!("flow:\"{}\"", name.id),
        (true, Some(_)) => format!("flow:\"{}\"{}", name.id, &text[name.id.len()..]),
    }
}

/// Splits `key:value`; the key holds no white space and the value is not empty.
fn field_of(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let plain = !key.is_empty() && !key.chars().any(char::is_whitespace);
    (plain && !value.trim().is_empty()).then(|| (key, value.trim()))
}

fn duration_test(key: &str, value: &str) -> Option<Test> {
    if key != "dur" {
        return None;
    }
    match value.split_at_checked(1)? {
        (">", length) => Some(Test::LongerThan(parse_duration(length)?)),
        ("<", length) => Some(Test::ShorterThan(parse_duration(length)?)),
        _ => None,
    }
}

/// Reads a length of time such as `5ms`, `1.5s`, `200us`, `3m`; a bare number means milliseconds.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Ns> {
    let text = text.trim().to_lowercase();
    let split = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+')).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let value: f64 = number.trim().parse().ok()?;
    let per_unit_ms = match unit.trim() {
        "" | "ms" => 1.0,
        "ns" => 1e-6,
        "us" | "µs" | "μs" => 1e-3,
        "s" => 1e3,
        "m" | "min" => 60e3,
        "h" => 3_600e3,
        _ => return None,
    };
    Ns::from_ms(value * per_unit_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(key: &str, text: &str) -> Test {
        Test::Field { key: key.into(), text: text.into() }
    }

    #[test]
    fn terms_are_told_apart() {
        let query = Query::parse("Foo, name:Bar ,-cat:DOM,-bare,dur:>5ms,-dur:<1s,a b:c");
        let tests = |terms: &[Term]| terms.iter().map(|term| term.test.clone()).collect::<Vec<_>>();
        assert_eq!(
            tests(&query.any),
            [
                Test::Anywhere("foo".into()),
                field("name", "bar"),
                Test::Anywhere("-bare".into()),
                Test::LongerThan(Ns(5_000_000)),
                Test::Anywhere("a b:c".into()),
            ]
        );
        assert_eq!(tests(&query.none), [field("cat", "dom"), Test::ShorterThan(Ns(1_000_000_000))]);
    }

    #[test]
    fn flow_terms_keep_case_and_commas() {
        for id in ["10924C9c0", "a,b", "a;b", "say \"a, b\"", "x y"] {
            let name = FlowName { id: id.into(), time: Some(Ns(1_500_000)) };
            let query = Query::parse(&flow_query(&name));
            let tests: Vec<Test> = query.any.into_iter().map(|term| term.test).collect();
            assert_eq!(tests, [Test::Flow(name)], "{id}");
        }
        assert_eq!(Query::parse("-flow:A;1").none.len(), 1);
    }

    #[test]
    fn durations_have_units() {
        let parsed = ["5", "5ms", "1.5s", "20us", "7ns", "2m", "x", "5 parsecs"].map(parse_duration);
        let expected = [
            Some(5_000_000),
            Some(5_000_000),
            Some(1_500_000_000),
            Some(20_000),
            Some(7),
            Some(120_000_000_000),
            None,
            None,
        ];
        assert_eq!(parsed.map(|ns| ns.map(|ns| ns.0)), expected);
    }

    #[test]
    fn nothing_typed_matches_everything() {
        assert!(Query::parse(" , ,").is_empty());
        assert!(!Query::parse("name:").is_empty());
    }
}
