//! The search language: a comma means OR, `key:value` searches one field, `-key:value` excludes, anything else is text.
//! The rules are those of the Firefox Profiler, extended by `dur:` and `flow:` (see `docs/search.md`).

use crate::index::flows::FlowName;
use crate::profile::Ns;

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// A marker matches if any of these terms does, or if there is none.
    pub any: Vec<Term>,
    /// Markers that match one of these terms are excluded.
    pub none: Vec<Term>,
}

/// One part of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is tested.
    pub test: Test,
    /// The whole term in lower case: a field may also contain `key:value` literally.
    pub literal: Option<String>,
}

/// What a term tests.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The name, the category or any field contains the text, in lower case.
    Anywhere(String),
    /// One field contains the text.
    Field {
        /// Field key, lower case; `name`, `cat`, `type`, `thread` are built in. `cat:=x` asks for the whole category.
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
    /// Parses a query. Every text is valid; an empty one matches everything.
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

    /// Whether a plain word or a `name:` term of the query matches the name of something that is no marker.
    #[must_use]
    pub fn asks_for(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.any.iter().any(|term| match &term.test {
            Test::Anywhere(text) => name.contains(text),
            Test::Field { key, text } => key == "name" && name.contains(text),
            _ => false,
        })
    }

    /// Whether it matches everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.any.is_empty() && self.none.is_empty()
    }
}

/// The parts between commas. In the quoted id of a `flow:"..."` a comma separates nothing.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let trimmed = rest.trim_start();
        let flow = trimmed.strip_prefix('-').unwrap_or(trimmed);
        // Quotes inside the id are doubled, so the closing one is where their number is even again.
        let quoted = if flow.starts_with("flow:\"") { "flow:\"".len() } else { 0 };
        let mut open = quoted > 0;
        let from = rest.len() - flow.len() + quoted;
        let end = rest[from..].find(|letter| {
            open ^= letter == '"' && quoted > 0;
            letter == ',' && !open
        });
        let (part, after) = end.map_or((rest, ""), |end| (&rest[..from + end], &rest[from + end + 1..]));
        parts.push(part.trim());
        rest = after;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// `flow:ID;TIME` and `flow:ID`, from the part as typed: ids are case-sensitive. Quotes around the id are taken off.
fn flow_test(key: &str, part: &str) -> Option<Test> {
    if key != "flow" {
        return None;
    }
    let (_, value) = part.split_once(':')?;
    let value = value.trim();
    let Some((id, after)) = value.strip_prefix('"').and_then(|rest| rest.rsplit_once('"')) else {
        return Some(Test::Flow(FlowName::parse(value)));
    };
    // What stands between quotes is the id, whatever it looks like.
    let time = FlowName::parse(after).time.filter(|_| after.starts_with(';'));
    Some(Test::Flow(FlowName::new(id.replace("\"\"", "\""), time)))
}

/// The search text that finds the markers of a flow.
#[must_use]
pub fn flow_query(name: &FlowName) -> String {
    let text = name.to_string();
    let reads_back = name.time.is_some() || FlowName::parse(&name.id).time.is_none();
    let plain = !name.id.contains([',', '"']) && !name.id.is_empty() && name.id.trim() == name.id;
    if plain && reads_back {
        return format!("flow:{text}");
    }
    format!("flow:\"{}\"{}", name.id.replace('"', "\"\""), &text[name.id.len()..])
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
        for id in ["10924C9c0", "a,b", "a;b", "say \"a, b\"", "x y", "", " ", "a;7.50", " x "] {
            for time in [None, Some(Ns(1_500_000))] {
                let query = Query::parse(&flow_query(&FlowName::new(id.into(), time)));
                let [Term { test: Test::Flow(name), .. }] = query.any.as_slice() else { panic!("{id}: {query:?}") };
                assert_eq!((name.id.as_str(), name.time), (id, time));
            }
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
