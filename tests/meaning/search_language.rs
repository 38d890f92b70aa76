//! The search language: AND, OR and exclusion against a naive search, numbers with units, resources, and invalid terms.

use crate::recording::{self, Recording, instant, interval};
use crate::search::{hits, names, two_threads};
use flowline::index::FlowGraph;
use flowline::index::search::{ProblemKind, Query, resolve};
use flowline::profile::{LocalMarker, Profile, ThreadId};
use proptest::prelude::*;
use serde_json::{Value, json};

fn problems(profile: &Profile, query: &str) -> Vec<ProblemKind> {
    let found = resolve(profile, &FlowGraph::build(profile), Query::parse(query), &|| true);
    found.expect("not canceled").1.into_iter().map(|problem| problem.kind).collect()
}

/// A thread with markers whose fields have several formats.
fn fields() -> Recording {
    let schema = json!([{"name": "T", "display": [], "fields": [
        {"key": "latency", "format": "duration"},
        {"key": "wait", "format": "microseconds"},
        {"key": "size", "format": "bytes"},
        {"key": "share", "format": "percentage"},
        {"key": "count", "format": "integer"},
        {"key": "url", "format": "url"},
    ]}]);
    let with = |name: &str, start: f64, end: f64, more: Value| {
        let mut data = json!({"type": "T"});
        data.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        interval(name, start, end).with(data)
    };
    Recording::of(vec![
        with("short", 0.0, 1.0, json!({"latency": 0.5, "wait": 5000, "size": 900, "share": 0.5, "count": 3})),
        with(
            "long paint",
            10.0,
            30.0,
            json!({"latency": 20, "wait": 4, "size": 2_000_000, "share": 0.75, "count": 30}),
        ),
        with("paint", 40.0, 45.0, json!({"url": "https://example.com/a.js", "count": "7"})),
        instant("point", 50.0).with(json!({"type": "T", "url": "example.com", "latency": 100})),
    ])
    .schemas(schema)
}

#[test]
fn spaces_combine_terms_and_minus_excludes() {
    for (form, profile) in fields().read_both() {
        for (query, expected) in [
            ("long paint", vec!["long paint"]),
            ("paint long", vec!["long paint"]),
            ("paint -long", vec!["paint"]),
            ("\"long paint\"", vec!["long paint"]),
            ("\"paint long\"", vec![]),
            ("paint -long,short", vec!["short", "paint"]),
            ("paint,short,-long", vec!["short", "paint"]),
            ("-paint", vec!["short", "point"]),
            ("-paint -short", vec!["point"]),
            ("-\"long paint\"", vec!["short", "paint", "point"]),
            ("paint dur:>10ms, point", vec!["long paint", "point"]),
            ("paint -dur:>10ms", vec!["paint"]),
            ("name:paint url:js", vec!["paint"]),
            ("name:=paint", vec!["paint"]),
            ("-name:=paint name:paint", vec!["long paint"]),
            ("url:=example.com", vec!["point"]),
            ("thread:gecko dur:>=20ms", vec!["long paint"]),
            ("thread:=gecko", vec![]),
            ("thread:worker dur:>0", vec![]),
        ] {
            assert_eq!(names(&profile, query), expected, "{query} ({form})");
            assert_eq!(problems(&profile, query), [], "{query} ({form})");
        }
    }
}

#[test]
fn numbers_are_compared_in_their_units() {
    for (form, profile) in fields().read_both() {
        for (query, expected) in [
            ("dur:1ms..5ms", vec!["short", "paint"]),
            ("dur:1..5ms", vec!["short", "paint"]),
            ("dur:..5000us", vec!["short", "paint"]),
            ("dur:<5ms", vec!["short"]),
            ("dur:<=5ms", vec!["short", "paint"]),
            ("dur:5ms", vec!["paint"]),
            ("dur:>=0", vec!["short", "long paint", "paint"]),
            ("start:10ms..", vec!["long paint", "paint", "point"]),
            ("end:<=45ms", vec!["short", "long paint", "paint"]),
            ("start:>5ms end:<45ms", vec!["long paint"]),
            ("latency:>1ms", vec!["long paint", "point"]),
            ("latency:>20", vec!["point"]),
            ("latency:20..100", vec!["long paint", "point"]),
            ("-latency:>1ms", vec!["short", "paint"]),
            ("wait:>1ms", vec!["short"]),
            ("wait:>100", vec!["short"]),
            ("size:>1KB", vec!["long paint"]),
            ("size:<1KiB", vec!["short"]),
            ("share:>=75%", vec!["long paint"]),
            ("count:3..7", vec!["short", "paint"]),
            ("count:>7", vec!["long paint"]),
            ("tid:>0 pid:>0 short", vec!["short"]),
        ] {
            assert_eq!(names(&profile, query), expected, "{query} ({form})");
            assert_eq!(problems(&profile, query), [], "{query} ({form})");
        }
    }
}

#[test]
fn resources_match_both_ways() {
    for (form, profile) in fields().read_both() {
        for (query, expected) in [
            ("res:a.js", vec!["paint"]),
            ("res:example.com", vec!["paint", "point"]),
            ("res:https://example.com/other", vec!["point"]),
            ("-res:example", vec!["short", "long paint"]),
        ] {
            assert_eq!(names(&profile, query), expected, "{query} ({form})");
        }
    }
}

#[test]
fn invalid_terms_are_reported() {
    let unknown = |key: &str| ProblemKind::UnknownField { key: key.into() };
    let unit = |key: &str| ProblemKind::OtherUnit { key: key.into() };
    for (form, profile) in fields().read_both() {
        for (query, expected) in [
            ("latenzy:>5", vec![unknown("latenzy")]),
            ("-latenzy:5 paint", vec![unknown("latenzy")]),
            ("latency:>x", vec![ProblemKind::NoNumber]),
            ("dur:>x", vec![ProblemKind::NoTime]),
            ("dur:>", vec![ProblemKind::Unfinished]),
            ("latency:>5KB", vec![unit("latency")]),
            ("flow:none", vec![ProblemKind::NoFlow]),
            ("https://example.com a::b", vec![]),
        ] {
            assert_eq!(problems(&profile, query), expected, "{query} ({form})");
        }
        assert_eq!(names(&profile, "-latenzy:5 paint"), ["long paint", "paint"], "treated as text");
        assert_eq!(names(&profile, "https://example.com/a"), ["paint"], "{form}");
        assert_eq!(names(&profile, "-https://example.com/a paint"), ["long paint"], "{form}");
    }
}

#[test]
fn keys_without_a_schema_are_known_if_a_payload_contains_them() {
    let trace = r#"[
        {"ph":"M","pid":5,"tid":6,"name":"thread_name","args":{"name":"CrGpuMain"}},
        {"ph":"M","pid":5,"name":"process_name","args":{"name":"Browser"}},
        {"ph":"X","pid":5,"tid":6,"ts":0,"dur":100,"name":"outer","args":{"data":{"requestId":"12.5","bytes":4096}}},
        {"ph":"X","pid":5,"tid":6,"ts":10,"dur":30,"name":"inner","cat":"a,b","args":{"url":"http://h/p"}},
        {"ph":"X","pid":5,"tid":6,"ts":50,"dur":40,"name":"inner","args":{"n":3}},
        {"ph":"i","pid":7,"tid":8,"ts":60,"name":"point"}
    ]"#;
    let profile = flowline::import::read(trace.as_bytes().to_vec(), &flowline::import::Progress::default());
    let profile = profile.expect("a trace").profile;
    for (query, expected) in [
        ("requestid:12", vec!["outer"]),
        ("bytes:>=4KiB", vec!["outer"]),
        ("bytes:>4KiB", vec![]),
        ("n:1..5 inner", vec!["inner"]),
        ("self:30us", vec!["outer", "inner"]),
        ("self:>=35us", vec!["inner"]),
        ("self:<35us", vec!["outer", "inner"]),
        ("thread:gpu process:=browser dur:<100us", vec!["inner", "inner"]),
        ("pid:=7", vec!["point"]),
        ("tid:=6 -cat:=a inner", vec!["inner"]),
        ("res:http://h/p/deeper", vec!["inner"]),
        ("-pid:5", vec!["point"]),
    ] {
        assert_eq!(names(&profile, query), expected, "{query}");
        assert_eq!(problems(&profile, query), [], "{query}");
    }
    assert_eq!(problems(&profile, "requestit:12"), [ProblemKind::UnknownField { key: "requestit".into() }]);
}

/// A condition with a simple meaning: its query text, and a test for rows.
#[derive(Clone, Debug)]
enum Condition {
    Word(String),
    InField(String),
    WholeField(String),
    Longer(u8),
    Shorter(u8),
    Between(u8, u8),
    Number(u8),
}

/// Name, text, number, and length in milliseconds.
type NaiveRow = (String, String, u8, u8);

impl Condition {
    fn text(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        match self {
            Self::Word(text) => quoted(text),
            Self::InField(text) => format!("x:{}", quoted(text)),
            Self::WholeField(text) => format!("x:={}", quoted(text)),
            Self::Longer(ms) => format!("dur:>{ms}ms"),
            Self::Shorter(ms) => format!("dur:<={ms}000us"),
            Self::Between(one, other) => format!("dur:{one}..{other}ms"),
            Self::Number(least) => format!("n:>={least}"),
        }
    }

    fn holds(&self, (name, text, number, ms): &NaiveRow) -> bool {
        let in_text = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let shown = number.to_string();
        match self {
            Self::Word(part) => [name.as_str(), text, &shown, "other", "t"].iter().any(|text| in_text(text, part)),
            // A field may also contain the term itself.
            Self::InField(part) => {
                let literal = format!("x:{part}");
                in_text(text, part) || in_text(text, &literal)
            }
            Self::WholeField(whole) => text.to_lowercase() == whole.to_lowercase(),
            Self::Longer(limit) => ms > limit,
            Self::Shorter(limit) => ms <= limit,
            Self::Between(one, other) => (one.min(other)..=one.max(other)).contains(&ms),
            Self::Number(least) => number >= least,
        }
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        "[abAB,ä\" 1]{1,2}".prop_map(Condition::Word),
        "[a-cä, ]{1,2}".prop_map(Condition::InField),
        "[a-cA]{1,3}".prop_map(Condition::WholeField),
        (0_u8..9).prop_map(Condition::Longer),
        (0_u8..9).prop_map(Condition::Shorter),
        (0_u8..9, 0_u8..9).prop_map(|(one, other)| Condition::Between(one, other)),
        (0_u8..15).prop_map(Condition::Number),
    ]
}

/// The rule itself: all terms of one alternative match. Alternatives with only exclusions match everything else.
fn naive(row: &NaiveRow, alternatives: &[Vec<(bool, Condition)>]) -> bool {
    let alone = |terms: &&Vec<(bool, Condition)>| terms.iter().all(|(negated, _)| *negated);
    let all =
        |terms: &Vec<(bool, Condition)>| terms.iter().all(|(negated, condition)| condition.holds(row) != *negated);
    let (excluding, asking): (Vec<_>, Vec<_>) = alternatives.iter().partition(alone);
    (asking.is_empty() || asking.into_iter().any(all)) && excluding.into_iter().all(all)
}

proptest! {
    #[test]
    fn boolean_terms_match_a_naive_search(
        rows in prop::collection::vec(("[aAbB ]{1,4}", "[a-cA-CäÄ\"\\\\ ]{0,6}", 0_u8..15, 0_u8..9), 1..12),
        alternatives in prop::collection::vec(prop::collection::vec((any::<bool>(), condition()), 1..4), 0..4),
    ) {
        let schema = json!([{"name": "t", "display": [], "fields": [
            {"key": "x", "format": "string"},
            {"key": "n", "format": "integer"},
        ]}]);
        let row = |(name, text, number, ms): &NaiveRow| {
            let data = json!({"type": "t", "x": text, "n": number});
            interval(name, 0.0, f64::from(*ms)).of(1).with(data)
        };
        let profile = recording::read(&Recording::of(rows.iter().map(row).collect()).schemas(schema).raw());
        let term = |(negated, condition): &(bool, Condition)| format!("{}{}", if *negated { "-" } else { "" }, condition.text());
        let words = |terms: &Vec<(bool, Condition)>| terms.iter().map(term).collect::<Vec<_>>().join(" ");
        let query = alternatives.iter().map(words).collect::<Vec<_>>().join(",");
        let found = hits(&profile, &query);
        for (index, row) in rows.iter().enumerate() {
            let is_found = found.contains(ThreadId(0), LocalMarker::new(index));
            prop_assert_eq!(is_found, naive(row, &alternatives), "{} in {:?}", query, row);
        }
    }

    #[test]
    fn every_text_is_a_valid_query(query in "[a:=<>.,\" 0-9msdurlow-]{0,24}") {
        let profile = two_threads();
        let found = hits(&profile, &query);
        prop_assert!(found.total() <= profile.marker_count());
        for part in flowline::index::search::parts(&query) {
            prop_assert!(Query::parse(part).any.len() <= 1, "{}", part);
        }
    }
}
