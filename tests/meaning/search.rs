//! Search: matches in names, categories and payload fields, and stepping through the hits.

use crate::recording::{self, Recording, Row, Track, instant, interval};
use flowline::index::FlowGraph;
use flowline::index::search::{Generation, Hits, Matcher, Query, resolve, run};
use flowline::profile::{Direction, LocalMarker, MarkerId, Profile, Thread, ThreadId};
use serde_json::{Value, json};

const CASES: &str = include_str!("../../fixtures/cases/search.json");

pub(crate) fn hits(profile: &Profile, query: &str) -> Hits {
    let flows = FlowGraph::build(profile);
    let (query, _) = resolve(profile, &flows, Query::parse(query), &|| true).expect("not canceled");
    let hits = run(profile, &flows, &query, &|| true).expect("not canceled");
    // A filter rules out most payloads. Neither the filter nor its cached results may change the hits.
    let found: Vec<MarkerId> = hits.iter(profile).collect();
    assert_eq!(one_by_one(profile, &flows, &query), found, "{query:?} without the filter");
    let again = run(profile, &flows, &query, &|| true).expect("not canceled");
    assert_eq!(again.iter(profile).collect::<Vec<_>>(), found, "{query:?} again");
    hits
}

/// All matching markers, found by checking each one with its payload.
fn one_by_one(profile: &Profile, flows: &FlowGraph, query: &Query) -> Vec<MarkerId> {
    let matcher = Matcher::new(profile, flows, query);
    let of_thread = |(id, thread): (ThreadId, &Thread)| {
        let markers = (0..thread.markers.len()).map(LocalMarker::new);
        let found = markers.filter(|marker| matcher.matches(id, *marker)).map(|marker| thread.global(marker));
        found.collect::<Vec<_>>()
    };
    profile.threads_with_ids().flat_map(of_thread).collect()
}

#[test]
fn the_filter_keeps_texts_that_payloads_show_in_another_form() {
    let schema = json!([{"name": "T", "display": [], "fields": [
        {"key": "text", "format": "string"},
        {"key": "unique", "format": "unique-string"},
        {"key": "ids", "format": "unique-string"},
        {"key": "list", "format": "list"},
    ]}]);
    let rows = vec![
        instant("kelvin", 0.0).with(json!({"type": "T", "text": "300 \u{212a}elvin"})),
        instant("dotted", 1.0).with(json!({"type": "T", "text": "\u{130}stanbul"})),
        instant("newline", 2.0).with(json!({"type": "T", "text": "one\ntwo"})),
        instant("index", 3.0).with(json!({"type": "T", "unique": "wombat"})),
        instant("other index", 4.0).with(json!({"type": "T", "unique": "quokka", "text": "plain"})),
        instant("indexes", 5.0).with(json!({"type": "T", "ids": ["bilby", "Wombats"]})),
        instant("objects", 6.0).with(json!({"type": "T", "list": [{"a": 1}, {"b": 2}]})),
        instant("page", 7.0).with(json!({"type": "T", "innerWindowID": 7})),
        interval("pair", 8.0, 9.0).with(json!({"type": "T", "text": "numbat"})),
    ];
    // Enough markers without a match to activate the filter.
    let filler =
        (0..3000).map(|at| instant("filler", 10.0 + f64::from(at)).with(json!({"type": "T", "text": "wallaby"})));
    let rows = rows.into_iter().chain(filler).collect();
    let mut recording = Recording::of(rows).schemas(schema);
    recording.categories = vec!["Other".into()];
    for (form, profile) in recording.read_both() {
        for (query, expected) in [
            ("kelvin", vec!["kelvin"]),
            ("text:kelvin", vec!["kelvin"]),
            ("istanbul", vec![]),
            ("stanbul", vec!["dotted"]),
            ("text:\"one\ntwo\"", vec!["newline"]),
            ("unique:WOMBAT", vec!["index"]),
            ("unique:=quokka", vec!["other index"]),
            ("bilby", vec!["indexes"]),
            ("ids:wombats", vec!["indexes"]),
            ("list:\"[object\"", vec!["objects"]),
            ("numbat", vec!["pair"]),
            ("text:numbat,unique:quokka", vec!["other index", "pair"]),
            (
                "-wallaby -text:numbat type:T -name:s",
                vec!["kelvin", "dotted", "newline", "index", "other index", "page"],
            ),
        ] {
            let found = names(&profile, query);
            let found: Vec<&str> = found.iter().map(String::as_str).filter(|name| *name != "filler").collect();
            assert_eq!(found, expected, "\"{query}\" ({form})");
        }
    }
}

pub(crate) fn names(profile: &Profile, query: &str) -> Vec<String> {
    let name = |id: MarkerId| {
        let (thread, marker) = profile.locate(id).expect("a hit is a marker");
        profile.marker_name(thread, marker).to_owned()
    };
    hits(profile, query).iter(profile).map(name).collect()
}

#[test]
fn conformance_cases_pass() {
    let cases: Value = serde_json::from_str(CASES).expect("cases");
    let row = |row: &Value| {
        let (name, start) = (row[0].as_str().expect("a name"), row[1].as_f64().expect("a start"));
        let marker = row[2].as_f64().map_or_else(|| instant(name, start), |end| interval(name, start, end));
        let category = u32::try_from(row[3].as_u64().expect("a category")).expect("small");
        Row { category, ..marker.with(row[4].clone()) }
    };
    let mut recording = Recording::of(cases["markers"].as_array().expect("markers").iter().map(row).collect());
    recording.categories = serde_json::from_value(cases["categories"].clone()).expect("names");
    for (form, profile) in recording.schemas(cases["schemas"].clone()).read_both() {
        for (query, expected) in cases["cases"].as_object().expect("cases") {
            assert_eq!(json!(names(&profile, query)), *expected, "\"{query}\" ({form})");
        }
    }
}

#[test]
fn fields_are_found_wherever_their_text_is_stored() {
    let schema = json!([{"name": "T", "display": [], "fields": [
        {"key": "text", "format": "string"},
        {"key": "unique", "format": "unique-string"},
        {"key": "list", "format": "list"},
        {"key": "ms", "format": "duration"},
    ]}]);
    let rows = vec![
        instant("escaped", 0.0).with(json!({"type": "T", "text": "say \"hi\"\n\u{1f600} Ärger"})),
        instant("index", 1.0).with(json!({"type": "T", "unique": "@path\\with \"quotes\" and ÄRGER"})),
        instant("list", 2.0).with(json!({"type": "T", "list": ["one", "two"], "ms": 2.5})),
        instant("null", 3.0).with(json!({"type": "T", "text": null, "other": "not in the schema"})),
        instant("plain", 4.0).with(json!({"type": "unknown type", "other": "no schema at all"})),
        instant("bare", 5.0).with(json!({"note": "names no kind"})),
    ];
    for (form, profile) in Recording::of(rows).schemas(schema).read_both() {
        for (query, expected) in [
            ("say \"HI\"", vec!["escaped"]),
            ("ärger", vec!["escaped", "index"]),
            ("\"with \"\"quotes\"\"\"", vec!["index"]),
            ("path\\with", vec!["index"]),
            ("unique:path\\", vec!["index"]),
            ("text:path", vec![]),
            ("one,two", vec!["list"]),
            ("list:two", vec!["list"]),
            ("ms:2.5", vec!["list"]),
            ("\"not in the schema\"", vec!["null"]),
            ("NULL", vec!["null"]),
            ("\"no schema\"", vec!["plain"]),
            ("no schema", vec!["null", "plain"]),
            ("other:schema", vec!["null", "plain"]),
            ("type:unknown", vec!["plain"]),
            ("names no", vec!["bare"]),
            ("note:kind", vec!["bare"]),
        ] {
            assert_eq!(names(&profile, query), expected, "\"{query}\" ({form})");
        }
    }
}

#[test]
fn derived_fields_are_found() {
    let half = |status: &str, more: &str| json!({"type": "Network", "id": 1, "status": status, "URI": more});
    let request = vec![
        interval("Load", 1.0, 1.5).with(half("STATUS_START", "https://a.example/")),
        interval("Load", 1.5, 3.25).with(half("STATUS_STOP", "https://b.example/")),
        interval("Load", 5.0, 6.0).with(json!({"type": "Network", "id": 2, "status": "STATUS_STOP", "URI": "c"})),
    ];
    for (form, profile) in Recording::of(request).read_both() {
        assert_eq!(hits(&profile, "b.example").total(), 1, "{form}");
        assert_eq!(hits(&profile, "a.example").total(), 0, "{form}: the end's value wins");
        assert_eq!(hits(&profile, "fetchstart:1.5").total(), 1, "{form}");
        assert_eq!(hits(&profile, "URI:example,dur:>0.9").total(), 2, "{form}");
    }
}

/// Two threads; the second thread's markers lie between those of the first in time.
pub(crate) fn two_threads() -> Profile {
    let mut recording = Recording::of(vec![instant("hit", 0.0), instant("miss", 2.0), instant("hit", 4.0)]);
    recording.tracks.push(Track { name: "Empty".into(), ..Track::default() });
    let rows = vec![instant("hit", 1.0), instant("hit", 4.0), instant("hit", 5.0)];
    recording.tracks.push(Track { name: "DOM Worker".into(), rows, ..Track::default() });
    recording::read(&recording.processed())
}

#[test]
fn stepping_follows_time_across_threads_and_wraps() {
    let profile = two_threads();
    let hits = hits(&profile, "name:hit");
    let expected = [0, 3, 2, 4, 5].map(MarkerId);
    let walk = |steps: usize, direction: Direction| {
        let mut at = None;
        let mut step = || {
            at = hits.step(&profile, at, direction);
            at.expect("a hit")
        };
        (0..steps).map(|_| step()).collect::<Vec<MarkerId>>()
    };
    assert_eq!(walk(6, Direction::Forward), [0, 3, 2, 4, 5, 0].map(MarkerId));
    let mut backwards = walk(5, Direction::Back);
    backwards.reverse();
    assert_eq!(backwards, expected);
    assert_eq!(
        hits.step(&profile, Some(MarkerId(1)), Direction::Forward),
        Some(MarkerId(2)),
        "from a marker that is not a hit"
    );
    assert_eq!(hits.step(&profile, Some(MarkerId(1)), Direction::Back), Some(MarkerId(3)));
    assert_eq!(self::hits(&profile, "nothing").step(&profile, None, Direction::Forward), None);
}

#[test]
fn hits_are_stored_per_thread() {
    let profile = two_threads();
    let found = hits(&profile, "thread:worker");
    assert_eq!(found.total(), 3);
    assert_eq!(found.thread(ThreadId(2)), [0, 1, 2].map(LocalMarker));
    assert!(found.thread(ThreadId(0)).is_empty() && found.thread(ThreadId(9)).is_empty());
    assert!(found.contains(ThreadId(2), LocalMarker(1)) && !found.contains(ThreadId(0), LocalMarker(0)));
    assert_eq!(found.iter(&profile).collect::<Vec<_>>(), [3, 4, 5].map(MarkerId));
}

#[test]
fn a_newer_search_cancels_the_older_one() {
    let profile = two_threads();
    let generation = Generation::default();
    let first = generation.next();
    assert!(generation.is_current(first));
    let second = generation.next();
    assert_eq!(
        run(&profile, &FlowGraph::build(&profile), &Query::parse("hit"), &|| generation.is_current(first)),
        None
    );
    assert_eq!(
        run(&profile, &FlowGraph::build(&profile), &Query::parse("hit"), &|| generation.is_current(second))
            .map(|hits| hits.total()),
        Some(5)
    );
}

#[test]
fn numbers_are_found_in_their_displayed_form() {
    let event = |name: &str, value: &str| {
        format!(
            r#"{{"name":"{name}","ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"args":{{"v":{value},"list":[{{"in":{value}}}]}}}}"#
        )
    };
    let written = [
        ("point", "4.0"),
        ("plain", "4"),
        ("thousand", "1e3"),
        ("negative", "-25E-1"),
        ("large", "18446744073709551615"),
        ("odd", "9007199254740993"),
        ("zero", "-0"),
        ("word", "true"),
    ];
    let text = format!("[{}]", written.map(|(name, value)| event(name, value)).join(","));
    let options = flowline::import::Options::default();
    let imported = flowline::import::read_with(text.into_bytes(), &options, &flowline::import::Progress::default());
    let profile = imported.expect("a trace").profile;
    for (query, expected) in [
        ("v:=4", vec!["point", "plain"]),
        ("in:=4", vec!["point", "plain"]),
        ("v:=4.0", vec![]),
        ("v:=1000", vec!["thousand"]),
        ("in:=1000", vec!["thousand"]),
        ("v:=1e3", vec![]),
        ("v:=-2.5", vec!["negative"]),
        ("v:-2", vec!["negative"]),
        ("v:=18446744073709551615", vec!["large"]),
        ("v:=9007199254740993", vec!["odd"]),
        ("v:=0", vec!["zero"]),
        ("v:=true", vec!["word"]),
        ("v:4..1000", vec!["point", "plain", "thousand"]),
    ] {
        assert_eq!(names(&profile, query), expected, "{query}");
    }
}
