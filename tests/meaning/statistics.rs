//! Statistics of random recordings, scopes and groupings against the naive reference, and of extreme recordings: empty,
//! a single marker, lengths of zero and near 2^63.

use std::sync::Arc;

use crate::recording::{Recording, Track, closing, instant, interval, opening, read, read_bytes};
use crate::statistics_naive::{Question, check};
use crate::support::{FORMATS, synthetic};
use flowline::index::search::{Hits, Query, run as search};
use flowline::index::statistics::{
    Columns, Grouping, Key, KeyValue, RangeRule, Scale, Statistics, Subject, Tracks, distribution, examples, members,
    run,
};
use flowline::index::{Arrangement, Index};
use flowline::profile::{MarkerId, Ns, Profile, SourceKind, ThreadId, TimeRange};
use proptest::prelude::*;
use serde_json::{Value, json};

pub(crate) fn indexed(profile: Profile) -> Index {
    let first = profile.meta.arrangement();
    Index::build(Arc::new(profile), first)
}

pub(crate) fn found(index: &Index, text: &str) -> Option<Hits> {
    (!text.is_empty()).then(|| search(index.profile(), index.flows(), &Query::parse(text), &|| true).expect("whole"))
}

/// Computes statistics and compares them with the reference.
#[track_caller]
fn compare(index: &Index, keys: &[Key], question: Question<'_>, with_self: bool) -> (Statistics, Vec<Vec<MarkerId>>) {
    let tracks = question.threads.map_or(Tracks::All, Tracks::Threads);
    let subject = Subject::new(index, tracks, question.range, question.rule, question.hits);
    let mut parts = 0;
    let first = |part: &Statistics| {
        parts += 1;
        assert!(!part.complete && part.groups.iter().all(|group| group.lengths.is_none()));
    };
    let found = run(&subject, &Grouping::by(keys), Columns::ALL, &|| true, first).expect("not canceled");
    assert_eq!(parts, 1, "counts come first");
    let members = check(index, &found, keys, question, with_self);
    (found, members)
}

/// A trace of a few threads with nested, touching and partly overlapping slices, instants, and asynchronous operations.
pub(crate) fn trace() -> impl Strategy<Value = Value> {
    let event = (0..3_u32, 0..40_u32, 0..12_u32, 0..4_usize, 0..7_u32, 0..3_i32).prop_map(
        |(tid, ts, dur, name, kind, value)| {
            let name = ["a", "b", "c", "d,\n\"e\""][name];
            let mut event =
                json!({"ph": "X", "pid": 1 + tid % 2, "tid": tid, "ts": ts, "dur": dur, "name": name, "cat": "x"});
            match kind {
                0 => event["ph"] = json!("i"),
                1 => (event["ph"], event["id"]) = (json!("b"), json!(value)),
                2 => (event["ph"], event["id"]) = (json!("e"), json!(value)),
                3 => event["args"] = json!({"k": value}),
                4 => event["args"] = json!({"k": value.to_string(), "l": null}),
                5 => event["tdur"] = json!(dur / 2),
                _ => {}
            }
            event
        },
    );
    prop::collection::vec(event, 0..60).prop_map(|events| json!({"traceEvents": events}))
}

/// A Firefox profile with two threads, marker halves and a field.
pub(crate) fn firefox() -> impl Strategy<Value = Value> {
    let row = (0..2_usize, 0..30_u32, 0..12_u32, 0..3_usize, 0..6_u32, 0..3_u32).prop_map(
        |(track, at, length, name, kind, value)| {
            let (name, at, length) = (["A", "B", "C"][name], f64::from(at), f64::from(length));
            let row = match kind {
                0 => instant(name, at),
                1 => opening(name, at),
                2 => closing(name, at),
                3 => interval(name, at, at + length).with(json!({"type": "T", "k": value})),
                _ => interval(name, at, at + length),
            };
            (track, row.of(value))
        },
    );
    prop::collection::vec(row, 0..50).prop_map(|rows| {
        let mut recording = Recording::of(Vec::new());
        recording.tracks.push(Track { name: "Other".into(), process: 0, samples: vec![0.0], rows: Vec::new() });
        rows.into_iter().for_each(|(track, row)| recording.tracks[track].rows.push(row));
        recording.raw()
    })
}

fn keys() -> impl Strategy<Value = Vec<Key>> {
    let key = prop_oneof![
        3 => Just(Key::Name),
        1 => Just(Key::Category),
        1 => Just(Key::Thread),
        1 => Just(Key::Process),
        2 => Just(Key::Field("k".into())),
    ];
    prop::collection::vec(key, 0..3)
}

/// Range in microseconds, rule, search, and a restriction to the first thread.
pub(crate) fn scope() -> impl Strategy<Value = (Option<(i64, i64)>, RangeRule, &'static str, bool)> {
    let range = prop::option::weighted(0.7, (0..40_i64, 0..30_i64).prop_map(|(from, length)| (from, from + length)));
    let rule = prop_oneof![Just(RangeRule::StartsInside), Just(RangeRule::Overlaps)];
    (range, rule, prop_oneof![Just(""), Just("name:a"), Just("-name:b")], any::<bool>())
}

proptest! {
    #[test]
    fn statistics_match_the_reference(
        recording in prop_oneof![trace(), firefox()],
        keys in keys(),
        (range, rule, text, is_first) in scope(),
    ) {
        let Ok(profile) = read_bytes(recording.to_string().into_bytes()) else { return Ok(()) };
        let index = indexed(profile);
        // Traces use microseconds, profiles use milliseconds.
        let unit = if index.profile().meta.kind == SourceKind::ChromeTrace { 1_000 } else { 1_000_000 };
        let range = range.map(|(from, to)| TimeRange::new(Ns(from * unit), Ns(to * unit)));
        let hits = found(&index, text);
        let threads = [ThreadId(0)];
        let threads = is_first.then_some(threads.as_slice());
        let question = Question { threads, range, rule, hits: hits.as_ref() };
        let (statistics, of_groups) = compare(&index, &keys, question, true);
        let tracks = threads.map_or(Tracks::All, Tracks::Threads);
        let subject = Subject::new(&index, tracks, range, rule, hits.as_ref());
        for (group, expected) in statistics.groups.iter().zip(of_groups) {
            let listed = members(&subject, &Grouping::by(keys.clone()), &group.key, &|| true).expect("whole");
            prop_assert_eq!(&listed, &expected);
            check_distribution(&index, group, &listed);
        }
    }
}

/// Checks that the histogram contains every marker once and that its examples match their labels.
fn check_distribution(index: &Index, group: &flowline::index::statistics::Group, listed: &[MarkerId]) {
    let profile = index.profile();
    let length = |marker: MarkerId| {
        let (thread, local) = profile.locate(marker).expect("a marker");
        let markers = &profile.thread(thread).markers;
        (!markers.is_instant(local)).then(|| (markers.end(local) - markers.start(local)).0.cast_unsigned())
    };
    for (scale, bins) in [(Scale::Log, 5), (Scale::Linear, 3), (Scale::Log, 1), (Scale::Linear, 100)] {
        let found = distribution(profile, listed, scale, bins, &|| true).expect("whole");
        assert!(found.bins.len() <= bins + 1, "{found:?}");
        assert_eq!(found.instants, group.count - group.timed);
        assert_eq!(found.bins.iter().map(|bin| bin.count).sum::<u64>(), group.timed);
        assert!(found.bins.windows(2).all(|pair| pair[0].to + 1 == pair[1].from), "{found:?}");
        for bin in &found.bins {
            let inside =
                listed.iter().filter_map(|marker| length(*marker)).filter(|it| (bin.from..=bin.to).contains(it));
            let (count, time) = inside.fold((0, 0), |(count, time), it| (count + 1, time + i128::from(it)));
            assert_eq!((bin.count, bin.time), (count, time), "{found:?}");
        }
    }
    let examples = examples(profile, listed);
    assert_eq!(examples.is_some(), group.timed > 0);
    let Some((examples, lengths)) = examples.zip(group.lengths) else { return };
    let shown = [examples.shortest, examples.p50, examples.p99, examples.longest];
    let expected = [lengths.min, lengths.p50, lengths.p99, lengths.max];
    for (marker, expected) in shown.into_iter().zip(expected) {
        assert_eq!(Some(marker), listed.iter().copied().find(|marker| length(*marker) == Some(expected)));
    }
}

#[test]
fn statistics_do_not_depend_on_the_number_of_chunks() {
    for format in FORMATS {
        let index = synthetic(format, 200_000, 5);
        let extent = index.extent();
        let at = |part: i64| Ns(extent.start.0 + extent.len() / 10 * part);
        let whole = Question { threads: None, range: None, rule: RangeRule::StartsInside, hits: None };
        compare(&index, &[Key::Name], whole, false);
        compare(&index, &[], whole, false);
        compare(&index, &[Key::Name, Key::Thread], whole, false);
        let (range, rule) = (Some(TimeRange::new(at(2), at(7))), RangeRule::Overlaps);
        compare(&index, &[Key::Category], Question { range, rule, ..whole }, false);
        // A marker in two adjoining ranges is counted in one of them.
        let part = |from: i64, to: i64| {
            let subject = Subject::new(
                &index,
                Tracks::All,
                Some(TimeRange::new(at(from), at(to))),
                RangeRule::StartsInside,
                None,
            );
            run(&subject, &Grouping::default(), Columns::FIRST, &|| true, |_| {}).expect("whole").totals.count
        };
        assert_eq!(part(0, 4) + part(4, 9), part(0, 9));
    }
}

#[test]
fn statistics_can_be_limited_to_rows() {
    let index = synthetic(FORMATS[1], 5_000, 2);
    let layout = index.layout(Arrangement::Stack);
    let chosen: Vec<(ThreadId, usize)> = [(0, 0), (0, 1), (1, 0), (0, 0)].map(|(id, row)| (ThreadId(id), row)).to_vec();
    let subject = Subject::new(&index, Tracks::Rows(Arrangement::Stack, &chosen), None, RangeRule::default(), None);
    let all = |id: u32, row| layout.thread(ThreadId(id)).rows.row(row).len() as u64;
    let found = run(&subject, &Grouping::default(), Columns::ALL, &|| true, |_| {}).expect("whole");
    assert_eq!(found.totals.count, all(0, 0) + all(0, 1) + all(1, 0));
    let hits = found_in(&index, &chosen);
    let both = Subject::new(&index, Tracks::Rows(Arrangement::Stack, &chosen), None, RangeRule::default(), Some(&hits));
    assert_eq!(both.markers().count(), hits_in_rows(&index, &chosen, &hits));
}

fn found_in(index: &Index, _rows: &[(ThreadId, usize)]) -> Hits {
    found(index, "dur:>1us").expect("a search")
}

fn hits_in_rows(index: &Index, rows: &[(ThreadId, usize)], hits: &Hits) -> usize {
    let layout = index.layout(Arrangement::Stack);
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows.dedup();
    let markers =
        rows.iter().flat_map(|(id, row)| layout.thread(*id).rows.row(*row).iter().map(|marker| (*id, *marker)));
    markers.filter(|(id, marker)| hits.contains(*id, *marker)).count()
}

#[test]
fn extreme_recordings_are_counted_correctly() {
    let whole = Question { threads: None, range: None, rule: RangeRule::StartsInside, hits: None };
    let empty = indexed(read(&Recording::of(Vec::new()).raw()));
    let (nothing, _) = compare(&empty, &[Key::Name], whole, true);
    assert_eq!((nothing.groups.len(), nothing.totals.count, nothing.totals.total), (0, 0, 0));
    let one = indexed(read(&Recording::of(vec![interval("One", 1.0, 1.0)]).raw()));
    let (statistics, _) = compare(&one, &[Key::Name], whole, true);
    let group = &statistics.groups[0];
    let lengths = group.lengths.expect("a length");
    assert_eq!(
        (group.mean, lengths.min, lengths.max, lengths.deviation, group.longest_gap),
        (Some(0.0), 0, 0, 0.0, None)
    );
    // More than half of the time range: 73 years before and after zero.
    let far = 2.3e12;
    let rows = (0..5).map(|_| interval("Long", -far, far)).chain([instant("Point", far)]).collect();
    let long = indexed(read(&Recording::of(rows).raw()));
    let (statistics, _) = compare(&long, &[Key::Name], whole, true);
    let group = &statistics.groups[0];
    assert_eq!((group.count, group.total), (5, 5 * 4_600_000_000_000_000_000), "{group:?}");
    assert_eq!((group.lengths.expect("lengths").deviation, group.covered), (0.0, Some(4_600_000_000_000_000_000)));
    compare(&long, &[], whole, true);
}

#[test]
fn canceled_statistics_have_no_result() {
    let index = synthetic(FORMATS[0], 3_000, 1);
    let subject = Subject::everything(&index);
    for keys in [vec![Key::Name], vec![Key::Field("id".into())]] {
        let grouping = Grouping::by(keys);
        assert!(run(&subject, &grouping, Columns::ALL, &|| false, |_| {}).is_none());
        assert!(members(&subject, &grouping, &[KeyValue::Missing], &|| false).is_none());
    }
}

#[test]
fn ignored_numbers_in_names_do_not_split_groups() {
    let rows = vec![interval("Load 12", 1.0, 2.0), interval("Load 7", 3.0, 6.0), interval("Paint", 1.0, 2.0)];
    let index = indexed(read(&Recording::of(rows).raw()));
    let grouping = Grouping { normalize: true, ..Grouping::default() };
    let found = run(&Subject::everything(&index), &grouping, Columns::ALL, &|| true, |_| {}).expect("whole");
    let names: Vec<(&str, u64)> =
        found.groups.iter().map(|group| (group.key[0].text(index.profile()), group.count)).collect();
    assert_eq!(names, [("Load #", 2), ("Paint", 1)]);
}
