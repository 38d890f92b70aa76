//! SQL agrees with `flowline dump`, `info` and `stats`: queries are compared with plain loops over the lines of `dump`.
//!
//! `FLOWLINE_RECORDINGS` names further recordings, separated by colons.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test program uses a part of it")]
mod support;

mod contents;
mod questions;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use support::{flowline, folder, lines, rows};

use contents::Contents;
use questions::QUESTIONS;

/// Rows in an order that does not depend on the engine.
fn sorted(mut rows: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    rows.sort_by_cached_key(|row| json!(row).to_string());
    rows
}

/// The rows that differ, with their numbers on both sides.
fn differences(found: &[Vec<Value>], expected: &[Vec<Value>]) -> Vec<String> {
    let mut counts: BTreeMap<String, [i64; 2]> = BTreeMap::new();
    for (side, rows) in [found, expected].into_iter().enumerate() {
        for row in rows {
            counts.entry(json!(row).to_string()).or_default()[side] += 1;
        }
    }
    counts.retain(|_, [found, expected]| found != expected);
    counts.into_iter().map(|(row, [found, expected])| format!("{row}: {found} found, {expected} expected")).collect()
}

fn check(recording: &str) {
    let contents = Contents::read(recording);
    for (query, answer) in QUESTIONS {
        let (found, expected) = (sorted(rows(recording, query)), sorted(answer(&contents)));
        let differences = differences(&found, &expected);
        assert!(
            differences.is_empty(),
            "{recording}: {query}\n{} differ: {:#?}",
            differences.len(),
            &differences[..differences.len().min(6)]
        );
    }
}

#[test]
fn thirty_questions_agree_with_loops_over_the_example() {
    assert!(QUESTIONS.len() >= 30);
    check("example");
    // The questions are not empty: the example has data for most of them.
    let contents = Contents::read("example");
    let answered = QUESTIONS.iter().filter(|(_, answer)| !answer(&contents).is_empty()).count();
    assert!(answered >= 26, "{answered}");
}

#[test]
fn thirty_questions_agree_with_loops_over_traces() {
    let folder = folder();
    for format in ["chrome", "perfetto", "firefox"] {
        let path = folder.path().join(format!("{format}.trace"));
        let path = path.to_str().expect("UTF-8");
        let output = support::run(&flowline(), &["synth", "--markers", "6000", "--format", format, "-o", path]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        check(path);
    }
}

#[test]
fn thirty_questions_agree_with_loops_over_named_recordings() {
    let named = std::env::var("FLOWLINE_RECORDINGS").unwrap_or_default();
    for recording in named.split(':').filter(|path| !path.is_empty()) {
        check(recording);
    }
}

#[test]
fn counts_agree_with_info_and_percentiles_with_stats() {
    let info = &lines(&flowline(), &["info", "example", "--json"])[0];
    let counts = rows(
        "example",
        "SELECT (SELECT count(*) FROM slice) AS a, (SELECT count(*) FROM thread) AS b, (SELECT count(*) FROM process) AS c, \
         (SELECT count(*) FROM flow_timeline) AS d, (SELECT count(*) FROM flow_member) AS e, \
         (SELECT count(*) FROM stack_sample) AS f, (SELECT duration_ns FROM recording) AS g",
    );
    let keys = ["markers", "threads", "processes", "flows", "memberships", "samples", "duration_ns"];
    assert_eq!(counts[0], keys.map(|key| info[key].clone()));

    // The table of slices does not tell an instant from an interval without length, so names with such intervals are left out.
    let stats = lines(&flowline(), &["stats", "example", "--by", "name", "--json"]);
    let stats =
        stats.iter().filter(|group| group["min_ns"].as_i64().is_some_and(|min| min > 0) && group["incomplete"] == 0);
    let keys = ["name", "timed", "total_ns", "self_ns", "p50_ns", "p99_ns", "max_ns"];
    let expected: Vec<Vec<Value>> = stats.map(|group| keys.map(|key| group[key].clone()).to_vec()).collect();
    let found = rows(
        "example",
        "SELECT name, count(*), sum(dur), sum(self_dur), percentile_exact(dur, 0.5), percentile_exact(dur, 0.99), max(dur) \
         FROM slice WHERE dur > 0 GROUP BY name",
    );
    let found: Vec<Vec<Value>> =
        found.into_iter().filter(|row| expected.iter().any(|expected| expected[0] == row[0])).collect();
    assert!(expected.len() > 10, "{}", expected.len());
    assert_eq!(differences(&found, &expected), [""; 0]);
}
