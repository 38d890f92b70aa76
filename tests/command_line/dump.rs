//! `info` and `dump`: contents of a recording, and matches of a search.

use std::collections::{BTreeMap, BTreeSet};

use flowline::index::FlowGraph;
use flowline::index::search::{Query, run as search};

use crate::support::program::Program;
use crate::support::{example, example_text};
use crate::{count, keys};

#[test]
fn info_describes_a_recording() {
    let program = Program::new("dump");
    let text = program.good(&["info", "example"]);
    let index = example();
    let profile = index.profile();
    for (what, amount) in [
        ("processes", profile.processes.len()),
        ("threads", profile.threads.len()),
        ("markers", profile.marker_count()),
        ("counters", profile.counters.len()),
    ] {
        let line = text.lines().find(|line| line.starts_with(what)).unwrap_or_else(|| panic!("{what} in {text}"));
        assert_eq!(line.split_whitespace().nth(1), Some(amount.to_string().as_str()), "{line}");
    }
    for what in ["format", "size", "duration", "loaded in", "memory"] {
        assert!(text.lines().any(|line| line.starts_with(what)), "{what} in {text}");
    }
}

#[test]
fn info_has_every_stable_key() {
    let program = Program::new("dump");
    let info = program.object(&["info", "example", "--json"]);
    let index = example();
    let profile = index.profile();
    for key in
        ["file_bytes", "json_bytes", "version", "processes", "threads", "markers", "incomplete", "counters", "warnings"]
    {
        assert!(info[key].is_u64(), "{key}: {}", info[key]);
    }
    for key in ["start_ns", "duration_ns"] {
        assert!(info[key].is_i64(), "{key}: {}", info[key]);
    }
    for key in ["flows", "memberships"] {
        assert!(info.get(key).is_some_and(|value| value.is_null() || value.is_u64()), "{key}: {info}");
    }
    for key in ["total", "read", "scan", "parse", "derive", "rows", "pyramid"] {
        assert!(info["load_ms"][key].as_f64().is_some_and(|ms| ms >= 0.0), "load_ms.{key}: {info}");
    }
    let efficiency = &info["parallel_efficiency"];
    assert!(efficiency["threads"].as_u64().is_some_and(|threads| threads > 0), "{info}");
    // Clocks have limits, and a short step may measure another one's CPU time.
    assert!(efficiency["parse"].as_f64().is_some_and(|share| share > 0.0), "{info}");
    assert!(info["load_ms"].get("flows").is_some_and(|value| value.is_null() || value.is_f64()), "{info}");
    for key in ["peak_bytes", "index_bytes", "payload_bytes"] {
        assert!(info["memory"][key].is_u64(), "memory.{key}: {info}");
    }
    assert_eq!(info["format"], "firefox-raw");
    assert_eq!(count(&info["markers"]), profile.marker_count() as u64);
    assert_eq!(count(&info["threads"]), profile.thread_count() as u64);
    assert_eq!(count(&info["threads"]) + count(&info["tracks"]), profile.threads.len() as u64);
    assert_eq!(count(&info["processes"]), profile.processes.len() as u64);
    assert_eq!(info["start_ns"], profile.meta.range.start.0);
    assert_eq!(info["duration_ns"], profile.meta.range.len());
    assert!(count(&info["json_bytes"]) > count(&info["file_bytes"]), "the example is compressed");
}

#[test]
fn dumped_thread_counts_add_up() {
    let program = Program::new("dump");
    let threads = program.lines(&["dump", "example", "threads"]);
    let index = example();
    let profile = index.profile();
    assert_eq!(threads.len(), profile.threads.len());
    for (number, thread) in threads.iter().enumerate() {
        assert_eq!(
            keys(thread),
            [
                "busy_ns",
                "cpu_ns",
                "is_page",
                "markers",
                "measured_share",
                "name",
                "pid",
                "process",
                "tab",
                "thread",
                "tid"
            ]
        );
        assert_eq!(thread["thread"], number);
        for key in ["name", "pid", "process", "tid"] {
            assert!(thread[key].is_string(), "{key}: {thread}");
        }
    }
    let total: u64 = threads.iter().map(|thread| count(&thread["markers"])).sum();
    assert_eq!(total, profile.marker_count() as u64);
}

#[test]
fn dumped_markers_are_numbered_and_ordered() {
    let program = Program::new("dump");
    let markers = program.lines(&["dump", "example", "markers"]);
    assert_eq!(markers.len(), example().profile().marker_count());
    let mut before: BTreeMap<u64, i64> = BTreeMap::new();
    for (number, marker) in markers.iter().enumerate() {
        assert_eq!(
            keys(marker),
            ["category", "data", "end_ns", "incomplete", "marker", "name", "start_ns", "thread"],
            "{marker}"
        );
        assert_eq!(marker["marker"], number);
        assert!(marker["name"].is_string() && marker["category"].is_string() && marker["incomplete"].is_boolean());
        assert!(marker["data"].is_object() || marker["data"].is_null(), "{marker}");
        let start = marker["start_ns"].as_i64().expect("a start");
        assert!(marker["end_ns"].is_null() || marker["end_ns"].as_i64().is_some_and(|end| end >= start), "{marker}");
        let thread = count(&marker["thread"]);
        assert!(before.insert(thread, start).is_none_or(|before| before <= start), "{marker} follows a later marker");
    }
    let instants = markers.iter().filter(|marker| marker["end_ns"].is_null()).count();
    assert!(instants > 0 && instants < markers.len());
}

#[test]
fn dumped_rows_contain_every_marker_once_without_overlaps() {
    let program = Program::new("dump");
    let markers = program.lines(&["dump", "example", "markers"]);
    let rows = program.lines(&["dump", "example", "rows"]);
    let layouts: BTreeSet<&str> = rows.iter().map(|row| row["layout"].as_str().expect("a layout")).collect();
    assert_eq!(layouts.into_iter().collect::<Vec<_>>(), ["name", "stack"]);
    for layout in ["name", "stack"] {
        let mut seen = vec![false; markers.len()];
        for row in rows.iter().filter(|row| row["layout"] == layout) {
            assert_eq!(keys(row), ["category", "group", "layout", "markers", "row", "thread"]);
            let mut end = i64::MIN;
            for number in row["markers"].as_array().expect("markers") {
                let number = usize::try_from(count(number)).expect("small");
                let marker = &markers[number];
                assert!(!std::mem::replace(&mut seen[number], true), "marker {number} is on two rows");
                assert_eq!(marker["thread"], row["thread"]);
                let start = marker["start_ns"].as_i64().expect("a start");
                assert!(start >= end, "marker {number} overlaps the previous one: {row}");
                end = marker["end_ns"].as_i64().unwrap_or(start);
            }
        }
        assert!(seen.iter().all(|seen| *seen), "a marker is missing from the rows of layout {layout}");
        let only = program.lines(&["dump", "example", "rows", "--layout", layout]);
        assert_eq!(only, rows.iter().filter(|row| row["layout"] == layout).cloned().collect::<Vec<_>>());
    }
}

#[test]
fn dumped_counters_have_ordered_samples() {
    let program = Program::new("dump");
    let counters = program.lines(&["dump", "example", "counters"]);
    assert_eq!(counters.len(), example().profile().counters.len());
    assert!(!counters.is_empty());
    for (number, counter) in counters.iter().enumerate() {
        assert_eq!(keys(counter), ["counter", "name", "pid", "samples", "series"]);
        assert_eq!(counter["counter"], number);
        let samples = counter["samples"].as_array().expect("samples");
        let times: Vec<i64> = samples.iter().map(|sample| sample[0].as_i64().expect("nanoseconds")).collect();
        assert!(times.is_sorted() && !times.is_empty());
        assert!(samples.iter().all(|sample| sample[1].is_number() && sample.as_array().map(Vec::len) == Some(2)));
    }
}

#[test]
fn warnings_of_a_damaged_recording_have_counts_and_positions() {
    let program = Program::new("warnings");
    let text = example_text();
    let cut = program.file("cut.json", &text[..text.len() * 3 / 5]);
    assert_eq!(program.good(&["dump", "example", "warnings"]), "", "the example is undamaged");
    let warnings = program.lines(&["dump", &cut, "warnings"]);
    assert!(warnings.iter().any(|warning| warning["kind"] == "truncated"), "{warnings:?}");
    for warning in &warnings {
        assert_eq!(keys(warning), ["count", "first", "kind"]);
        assert!(count(&warning["count"]) > 0 && warning["first"].is_string(), "{warning}");
    }
    let info = program.object(&["info", &cut, "--json"]);
    assert_eq!(count(&info["warnings"]), warnings.iter().map(|warning| count(&warning["count"])).sum::<u64>());
    let told = program.good(&["info", &cut]);
    assert_eq!(told.lines().filter(|line| line.starts_with("warning ")).count(), warnings.len(), "{told}");
}

#[test]
fn a_search_prints_the_hits_of_the_library() {
    let program = Program::new("dump");
    let index = example();
    let profile = index.profile();
    for query in [
        "runnable",
        "paint, load",
        "dur:>5ms",
        "-name:runnable",
        "thread:gecko dur:>1ms -name:http",
        "no marker says this",
    ] {
        let hits = search(profile, &FlowGraph::build(profile), &Query::parse(query), &|| true).expect("not canceled");
        let expected: Vec<u64> = hits.iter(profile).map(|id| u64::from(id.0)).collect();
        let option = format!("--search={query}");
        let found: Vec<u64> =
            program.lines(&["dump", "example", "markers", &option]).iter().map(|line| count(&line["marker"])).collect();
        assert_eq!(found, expected, "{query}");
        let rows = program.lines(&["dump", "example", "rows", "--layout", "name", &option]);
        let on_rows: BTreeSet<u64> =
            rows.iter().flat_map(|row| row["markers"].as_array().expect("markers")).map(count).collect();
        assert_eq!(on_rows, expected.into_iter().collect(), "rows of {query}");
    }
    let everything = program.good(&["dump", "example", "markers"]);
    assert_eq!(program.good(&["dump", "example", "markers", "--search", ""]), everything);
    assert_eq!(
        program.good(&["dump", "example", "markers", "--search", "-name:\"no such name\""]),
        everything,
        "a leading hyphen"
    );
}

#[test]
fn searches_combine_terms_and_report_unknown_fields() {
    let trace = r#"[
        {"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"GeckoMain"}},
        {"ph":"X","pid":1,"tid":2,"ts":0,"dur":30000,"name":"slow"},
        {"ph":"X","pid":1,"tid":2,"ts":40000,"dur":10,"name":"quick"},
        {"ph":"X","pid":1,"tid":3,"ts":0,"dur":30000,"name":"elsewhere"}
    ]"#;
    let program = Program::new("dump-search");
    let file = program.file("trace.json", trace);
    let found = |query: &str| {
        let outcome = program.run(["dump", &file, "markers", "--search", query]);
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        let names = outcome.out.lines().map(|line| {
            let marker: serde_json::Value = serde_json::from_str(line).expect("one line of JSON");
            marker["name"].as_str().expect("a name").to_owned()
        });
        (names.collect::<Vec<_>>(), outcome.err)
    };
    assert_eq!(found("thread:gecko dur:>20ms"), (vec!["slow".to_owned()], String::new()));
    assert_eq!(found("dur:>20ms -slow").0, ["elsewhere"]);
    let (names, message) = found("durr:>20ms");
    assert!(names.is_empty() && message.contains("No marker has a field “durr”"), "{message}");
}
