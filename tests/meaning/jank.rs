//! Jank: periods in which a page did not react, and what ran meanwhile, compared with a plain reader of the samples.

use std::collections::BTreeMap;
use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::jank::{JankPeriod, JankPeriodList};
use flowline::profile::{Ns, ProcessId};
use flowline::scene::track_kind;
use serde_json::json;

use crate::recording::jank::{DELAYS, profile};
use crate::recording::{Recording, interval, read};

fn index() -> Index {
    Index::build(Arc::new(read(&profile())), Arrangement::Stack)
}

fn texts(periods: &[JankPeriod]) -> Vec<(f64, f64, String, f64)> {
    let text = |own: &JankPeriod| {
        let ran = own.ran.as_ref().expect("something ran");
        (own.times.start.as_ms(), own.times.end.as_ms(), ran.name.clone(), ran.time.as_ms())
    };
    periods.iter().map(text).collect()
}

/// The innermost function with the longest time until the next sample, among samples within a period. Functions without
/// a name count for their library.
fn plain(start: f64, end: f64) -> Option<(String, f64)> {
    let inside: Vec<_> = DELAYS.iter().filter(|own| own.0 >= start && own.0 < end).collect();
    let mut times: BTreeMap<String, f64> = BTreeMap::new();
    for (at, (ms, _, functions)) in inside.iter().enumerate() {
        let Some(function) = functions.last() else { continue };
        let is_address = function.starts_with("0x");
        let name = if is_address { "libxul.so (no symbols)".to_owned() } else { (*function).to_owned() };
        let next = inside.get(at + 1).map_or(ms + 1.0, |next| next.0);
        *times.entry(name).or_default() += next - ms;
    }
    times.into_iter().max_by(|one, other| one.1.total_cmp(&other.1))
}

#[test]
fn each_period_names_what_ran_longest() {
    let index = index();
    let own = texts(JankPeriodList::of(&index).of_process(ProcessId(0)));
    let expected = [
        (30.0, 100.0, "reflow".to_owned(), 59.0),
        (140.0, 201.0, "libxul.so (no symbols)".to_owned(), 50.0),
        (300.0, 360.0, "Styles".to_owned(), 50.0),
    ];
    assert_eq!(own, expected);
    for (start, end, name, time) in &own[..2] {
        assert_eq!(plain(*start, *end), Some((name.clone(), *time)), "{start} to {end}");
    }
}

#[test]
fn recordings_without_delays_have_no_such_track() {
    let rows = vec![interval("LongTask", 10.0, 90.0)];
    for (form, profile) in Recording::of(rows).read_both() {
        let index = Index::build(Arc::new(profile), Arrangement::Stack);
        assert!(!JankPeriodList::may_have(index.profile()), "{form}");
        assert!(JankPeriodList::of(&index).all().is_empty(), "{form}");
    }
}

#[test]
fn neighbors_edges_and_lines_of_the_track() {
    let index = index();
    let kind = track_kind("jank").expect("a kind");
    kind.derive(&index);
    assert_eq!(kind.tracks(&index, Some(ProcessId(0))), [0]);
    let second = JankPeriodList::of(&index).all()[1].times;
    let next =
        |direction| flowline::scene::next_by_times(&index, second, direction).flatten().map(|own| own.start.as_ms());
    use flowline::profile::Direction::{Back, Forward};
    assert_eq!((next(Back), next(Forward)), (Some(30.0), Some(300.0)));
    let edges = kind.edges_near(&index, 0, 0, Ns(141_000_000));
    assert!(edges.contains(&second.start) && edges.contains(&second.end), "{edges:?}");
    let lines: Vec<_> = kind.dump(&index).map(|line| line.json).collect();
    let first = json!({"pid": "100", "thread": 0, "start_ns": 30_000_000, "end_ns": 100_000_000, "ran": "reflow",
        "ran_ns": 59_000_000});
    assert_eq!((lines.len(), &lines[0]), (3, &first));
    let card = kind.entry_card(&index, 0, 1).expect("a card");
    assert_eq!((card.name.as_str(), card.place.as_str()), ("Jank", "GeckoMain"));
    assert_eq!(card.reason, "libxul.so (no symbols) ran for 50.00 ms");
}
