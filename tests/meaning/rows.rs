//! Rows: markers per line, by name and as stacks, and their order.

use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::recording::{self, Recording, Row, instant, interval};
use flowline::index::{GroupKind, Index, ThreadRows};
use flowline::profile::{Arrangement, LocalMarker, MarkerFlags, Ns, Profile, ThreadId, TimeRange};
use proptest::prelude::*;
use serde_json::{Value, json};

const CASES: &str = include_str!("../../fixtures/cases/rows.json");

fn schemas() -> Value {
    json!([{"name": "SB", "display": [], "fields": [], "isStackBased": true}, {"name": "NS", "display": [], "fields": []}])
}

/// Rows as (category, group, markers).
fn rows_of(profile: &Profile, arrangement: Arrangement) -> Vec<(String, String, Vec<u32>)> {
    let rows = ThreadRows::build(profile, &profile.threads[0], arrangement);
    let row = |row: usize| {
        let group = rows.group_of(row).expect("every row has a group");
        let (category, name) = match group.kind {
            GroupKind::Name(name) | GroupKind::Operations(name) => {
                (profile.category_name(group.category), profile.strings.get(name))
            }
            GroupKind::Network => (profile.category_name(group.category), "Network Requests"),
            GroupKind::Stack => ("", "Stack"),
            GroupKind::Internals => ("", "Internals"),
        };
        (category.to_owned(), name.to_owned(), rows.row(row).iter().map(|marker| marker.0).collect())
    };
    (0..rows.len()).map(row).collect()
}

/// Checks the invariants of every arrangement: each marker appears once, rows are sorted by start and end, nothing
/// overlaps.
fn check_rows(profile: &Profile, arrangement: Arrangement) -> ThreadRows {
    let thread = &profile.threads[0];
    let rows = ThreadRows::build(profile, thread, arrangement);
    let mut count = vec![0; thread.markers.len()];
    for row in 0..rows.len() {
        let markers = rows.row(row);
        assert!(!markers.is_empty(), "row {row} is empty");
        markers.iter().for_each(|marker| count[marker.index()] += 1);
        for pair in markers.windows(2) {
            let (before, after) = (thread.markers.range(pair[0]), thread.markers.range(pair[1]));
            assert!(before.start <= after.start, "row {row} by start");
            assert!(before.end <= after.end, "row {row} by end");
            assert!(before.end <= after.start, "row {row} overlaps");
        }
    }
    assert!(count.iter().all(|&count| count == 1), "every marker has one row");
    let mut first = 0;
    for group in &rows.groups {
        assert_eq!(group.first_row, first);
        first += group.rows;
    }
    assert_eq!(first as usize, rows.len());
    rows
}

#[test]
fn conformance_cases_pass() {
    let cases: Value = serde_json::from_str(CASES).expect("cases");
    for case in cases["cases"].as_array().expect("a list") {
        let row = |row: &Value| {
            let (name, start) = (row[0].as_str().expect("a name"), row[1].as_f64().expect("a start"));
            let marker = row[2].as_f64().map_or_else(|| instant(name, start), |end| interval(name, start, end));
            let category = u32::try_from(row[3].as_u64().expect("a category")).expect("small");
            let data = row.get(4).map_or(Value::Null, |kind| json!({"type": kind}));
            Row { category, ..marker.with(data) }
        };
        let arrangement = if case["layout"] == "stack" { Arrangement::Stack } else { Arrangement::ByName };
        let rows = case["markers"].as_array().expect("markers").iter().map(row).collect();
        for (form, profile) in Recording::of(rows).schemas(schemas()).read_both() {
            assert_eq!(json!(rows_of(&profile, arrangement)), case["rows"], "{} ({form})", case["case"]);
            check_rows(&profile, arrangement);
        }
    }
}

#[test]
fn more_than_300_rows_are_kept() {
    let deep = (0..305_u32).map(|index| interval("deep", f64::from(index) * 0.001, 1000.0));
    let profile = recording::read(&Recording::of(deep.collect()).processed());
    let rows = check_rows(&profile, Arrangement::ByName);
    assert_eq!((rows.len(), rows.groups.len()), (305, 1));
    assert_eq!(rows.row(304), [LocalMarker(304)]);
}

#[test]
fn deep_nesting_has_one_row_per_level() {
    let depth = 2_000_u32;
    let nest = (0..depth).map(|level| interval("f", f64::from(level), f64::from(2 * depth - level)));
    let nest = nest.map(|row| row.with(json!({"type": "SB"})));
    let profile = recording::read(&Recording::of(nest.collect()).schemas(schemas()).raw());
    let rows = check_rows(&profile, Arrangement::Stack);
    assert_eq!(rows.len(), depth as usize);
    assert!((0..depth).all(|level| rows.row(level as usize) == [LocalMarker(level)]));
}

#[test]
fn a_staircase_of_overlaps_is_not_quadratic() {
    let count = 60_000_u32;
    let stairs = (0..count).map(|step| interval("f", f64::from(step), f64::from(count + step)));
    let stairs = stairs.map(|row| row.with(json!({"type": "SB"})));
    let profile = recording::read(&Recording::of(stairs.collect()).schemas(schemas()).raw());
    assert_eq!(check_rows(&profile, Arrangement::Stack).len(), count as usize);
}

/// The window builds the rows of collapsed groups while the pool reads the rest of a recording.
#[test]
fn rows_of_collapsed_groups_do_not_wait_for_the_pool() {
    let rows = (0..100).map(|at| interval("a", f64::from(at), f64::from(at) + 0.5));
    let profile = Arc::new(recording::read(&Recording::of(rows.collect()).raw()));
    let index = Arc::new(Index::build(profile, Arrangement::ByName));
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let (started, starts) = channel();
    let held = Arc::clone(&gate);
    rayon::spawn_broadcast(move |_| {
        started.send(()).expect("the test waits");
        let open = held.0.lock().expect("no panic");
        drop(held.1.wait_while(open, |open| !*open).expect("no panic"));
    });
    (0..rayon::current_num_threads()).for_each(|_| starts.recv().expect("a thread of the pool"));
    let (built, result) = sync_channel(1);
    std::thread::spawn(move || {
        let markers: Vec<LocalMarker> = (0..100).map(LocalMarker).collect();
        built.send(index.summary_of(ThreadId(0), &markers).rows.len())
    });
    let rows = result.recv_timeout(Duration::from_secs(30));
    *gate.0.lock().expect("no panic") = true;
    gate.1.notify_all();
    assert!(rows.is_ok_and(|rows| rows > 0), "the rows waited for the pool");
}

/// The row of each marker by the rule itself, computed from all markers: below the innermost marker that contains it,
/// on the first free row.
fn naive_stack(profile: &Profile) -> Vec<usize> {
    let markers = &profile.threads[0].markers;
    let (start, end) = (|m: usize| markers.start(LocalMarker::new(m)), |m: usize| markers.end(LocalMarker::new(m)));
    let mut order: Vec<usize> = (0..markers.len()).collect();
    order.sort_by_key(|&marker| (start(marker), std::cmp::Reverse(end(marker)), marker));
    let mut row = vec![usize::MAX; markers.len()];
    for (place, &marker) in order.iter().enumerate() {
        let parent =
            order[..place].iter().rev().find(|&&other| end(other) >= end(marker) && end(other) >= start(marker));
        let least = parent.map_or(0, |&parent| row[parent] + 1);
        let free = |candidate: &usize| {
            order[..place].iter().all(|&other| row[other] != *candidate || end(other) <= start(marker))
        };
        row[marker] = (least..).find(free).expect("a free row");
    }
    row
}

proptest! {
    #[test]
    fn random_stacks_follow_the_rule(times in prop::collection::vec((0_u32..60, 0_u32..30, any::<bool>()), 1..80)) {
        let row = |&(start, length, stack): &(u32, u32, bool)| {
            let data = json!({"type": if stack { "SB" } else { "NS" }});
            interval("f", f64::from(start), f64::from(start + length)).with(data)
        };
        let profile = recording::read(&Recording::of(times.iter().map(row).collect()).schemas(schemas()).raw());
        check_rows(&profile, Arrangement::ByName);
        let rows = check_rows(&profile, Arrangement::Stack);
        let only_stack: Vec<_> = times.iter().filter(|time| time.2).map(row).collect();
        let stack = recording::read(&Recording::of(only_stack).schemas(schemas()).raw());
        let naive = naive_stack(&stack);
        let stack_rows = check_rows(&stack, Arrangement::Stack);
        for row in 0..stack_rows.len() {
            prop_assert!(stack_rows.row(row).iter().all(|marker| naive[marker.index()] == row));
        }
        let markers = &profile.threads[0].markers;
        for row in 0..rows.len() {
            let stacked = row < stack_rows.len();
            prop_assert!(rows.row(row).iter().all(|m| markers.flags(*m).has(MarkerFlags::STACK_BASED) == stacked));
        }
    }

    #[test]
    fn a_summary_keeps_the_outline(times in prop::collection::vec((0_u32..60, 0_u32..10), 1..60)) {
        let row = |&(start, length): &(u32, u32)| interval("f", f64::from(start), f64::from(start + length));
        let profile = recording::read(&Recording::of(times.iter().map(row).collect()).raw());
        let (markers, long) = (&profile.threads[0].markers, Ns(5_000_000));
        let summary = ThreadRows::summary(&profile.threads[0], long);
        prop_assert_eq!(summary.len(), 2);
        for (row, is_long) in [(0, true), (1, false)] {
            let of_row = |range: &TimeRange| (range.end - range.start > long) == is_long;
            let ends: Vec<Ns> = summary.row(row).iter().map(|marker| markers.end(*marker)).collect();
            prop_assert!(summary.row(row).iter().all(|marker| of_row(&markers.range(*marker))));
            prop_assert!(ends.is_sorted());
            prop_assert_eq!(ends.last().copied(), markers.times().ranges().filter(of_row).map(|range| range.end).max());
        }
    }
}
