//! SQL agrees with `flowline dump`, `info` and `stats`: queries are compared with plain loops over the lines of `dump`.
//!
//! `FLOWLINE_RECORDINGS` names further recordings, separated by colons.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test program uses a part of it")]
mod support;

mod contents;
mod questions;

use std::collections::{BTreeMap, BTreeSet};

use flowline_query::schema::{TABLES, TableSpec};
use serde_json::{Value, json};
use support::{flowline, folder, lines, query_program, rows};

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
    compare(recording, &Contents::read(recording));
}

/// Compares the answers of a recording or a folder with loops over the lines of `dump`.
fn compare(recording: &str, contents: &Contents) {
    for (query, answer) in QUESTIONS {
        let (found, expected) = (sorted(rows(recording, query)), sorted(answer(contents)));
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

/// All rows of a table with all columns.
fn whole_table(input: &str, table: &TableSpec) -> Vec<Vec<Value>> {
    let columns: Vec<&str> = table.all_columns().map(|column| column.name).collect();
    sorted(rows(input, &format!("SELECT {} FROM {}", columns.join(", "), table.name)))
}

#[test]
fn exported_tables_agree_with_loops_and_with_the_tables_of_the_recording() {
    let folder = folder();
    let mut filled = BTreeSet::new();
    for (number, format) in ["example", "chrome", "perfetto", "page"].into_iter().enumerate() {
        let path = folder.path().join(format!("{format}.trace"));
        let mut recording = path.to_str().expect("UTF-8").to_owned();
        if format == "example" {
            recording = format.to_owned();
        } else {
            let synth = ["synth", "--markers", "3000", "--format", format, "-o", recording.as_str()];
            assert!(support::run(&flowline(), &synth).status.success());
        }
        let out = folder.path().join(format!("tables {number}"));
        let out = out.to_str().expect("UTF-8");
        let exported = support::run(query_program(), &["export-tables", &recording, "-o", out]);
        assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
        compare(out, &Contents::read(&recording));
        for table in TABLES {
            let (found, expected) = (whole_table(out, table), whole_table(&recording, table));
            let differences = differences(&found, &expected);
            assert!(
                differences.is_empty(),
                "{format}, {}: {:#?}",
                table.name,
                &differences[..differences.len().min(6)]
            );
            filled.extend((!found.is_empty()).then_some(table.name));
        }
    }
    let empty: Vec<&str> = TABLES.iter().map(|table| table.name).filter(|name| !filled.contains(name)).collect();
    assert_eq!(empty, [""; 0], "every table has rows in one of the recordings");
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
