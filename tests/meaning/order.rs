//! Sort orders of the marker table, compared with a plain sort.

use std::sync::Arc;

use flowline::import::{self, Progress};
use flowline::index::samples::MatchingCalls;
use flowline::index::search::{HitLayout, Query, run};
use flowline::index::{Arrangement, Index};
use flowline::profile::{LocalMarker, MarkerId, Ns, Profile, TimeRange};
use flowline::scene::{Scope, SearchView};
use flowline::session::{MarkerColumn, ordered};
use flowline::view::ViewState;

/// A trace of threads with overlapping slices, instants, ties of all kinds and a few very long slices.
fn index(seed: u64, most: u64, gap: u64) -> Index {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut random = |below: u64| rng.u64(..below);
    let mut events = vec!["{\"ph\":\"i\",\"ts\":0,\"pid\":1,\"tid\":9,\"name\":\"first\"}".to_owned()];
    for (thread, name) in ["Main", "worker", "main", "Pool"].into_iter().enumerate() {
        let name = format!("\"name\":\"thread_name\",\"args\":{{\"name\":\"{name}\"}}");
        events.push(format!("{{\"ph\":\"M\",\"ts\":0,\"pid\":1,\"tid\":{thread},{name}}}"));
        let mut start = random(1_000);
        for _ in 0..random(most) {
            start += random(gap);
            let length = match random(12) {
                0..4 => 0,
                4 => random(1 << 30) * 300,
                5..8 => 7,
                _ => random(1_000),
            };
            let name = ["b", "a", "B", "c", "ä"][usize::try_from(random(5)).expect("small")];
            let time = |ns: u64| format!("{}.{:03}", ns / 1000, ns % 1000);
            let (ts, dur) = (time(start), time(length));
            let kind = if length == 0 { "\"ph\":\"i\"".to_owned() } else { format!("\"ph\":\"X\",\"dur\":{dur}") };
            events.push(format!("{{{kind},\"ts\":{ts},\"pid\":1,\"tid\":{thread},\"name\":\"{name}\"}}"));
        }
    }
    let text = format!("{{\"traceEvents\":[{}]}}", events.join(","));
    let imported = import::read(text.into_bytes(), &Progress::default()).expect("a trace");
    Index::build(Arc::new(imported.profile), Arrangement::Stack)
}

/// The intended order, computed marker by marker.
fn naive(
    profile: &Profile,
    range: Option<TimeRange>,
    column: MarkerColumn,
    wanted: impl Fn(MarkerId) -> bool,
) -> Vec<MarkerId> {
    let mut rows = Vec::new();
    for (id, thread) in profile.threads_with_ids() {
        for local in (0..thread.markers.len()).map(LocalMarker::new) {
            let (start, end) = (thread.markers.start(local), thread.markers.end(local));
            let text = match column {
                MarkerColumn::Name => profile.marker_name(id, local).to_lowercase(),
                MarkerColumn::Thread => thread.name.as_str().to_lowercase(),
                MarkerColumn::Process => profile.process_of(id).name.as_str().to_lowercase(),
                MarkerColumn::Category => profile.category_name(thread.markers.category(local)).to_lowercase(),
                _ => String::new(),
            };
            let number = match column {
                MarkerColumn::Duration => end - start,
                MarkerColumn::End => end,
                MarkerColumn::Cpu => profile.cpu_time(id, local).unwrap_or(Ns(-1)),
                _ => Ns(0),
            };
            let in_range = range.is_none_or(|range| start < range.end && (end > range.start || start >= range.start));
            if in_range && wanted(thread.global(local)) {
                rows.push((text, number, start, thread.global(local)));
            }
        }
    }
    rows.sort();
    rows.into_iter().map(|row| row.3).collect()
}

#[test]
fn orders_match_a_plain_sort() {
    let cases = [(1, 3, 5), (2, 90, 4), (3, 3_000, 2), (4, 3_000, 1_000_000), (5, 60_000, 3), (6, 60_000, 400_000)];
    for (seed, most, gap) in cases {
        let index = index(seed, most, gap);
        let profile = index.profile();
        let whole = profile.meta.range;
        let part = TimeRange { start: whole.start + Ns(whole.len() / 9), end: whole.start + Ns(whole.len() / 3) };
        let hits = run(profile, index.flows(), &Query::parse("name:b"), &|| true).expect("not canceled");
        let is_hit = |id| profile.locate(id).is_some_and(|(thread, local)| hits.contains(thread, local));
        let search = SearchView {
            number: 1,
            complete: true,
            text: "name:b".into(),
            problems: Vec::new(),
            hits: hits.clone(),
            layout: HitLayout::default(),
            merged: Default::default(),
            calls: MatchingCalls::default(),
            slices: Vec::new(),
        };
        let search = Arc::new(search);
        let mut view = ViewState::new(Arc::clone(profile), index.extent(), 100.0);
        // Details are not sortable, and self times need the rows of the stack arrangement.
        let is_sorted = |column: &MarkerColumn| !matches!(column, MarkerColumn::Details | MarkerColumn::SelfTime);
        for column in MarkerColumn::ALL.into_iter().filter(is_sorted) {
            for range in [None, Some(part)] {
                view.range = range;
                let (all, found) = (Scope::new(&view, None, None), Scope::new(&view, Some(Arc::clone(&search)), None));
                let expected = naive(profile, range, column, |_| true);
                assert!(ordered(profile, &all, column, false) == expected, "{seed} {column:?} {range:?}");
                let reversed = ordered(profile, &all, column, true);
                assert!(reversed.iter().rev().eq(&expected), "{seed} {column:?} {range:?}, descending");
                let expected = naive(profile, range, column, is_hit);
                assert!(ordered(profile, &found, column, false) == expected, "{seed} {column:?}, hits");
            }
        }
    }
}

#[test]
fn partial_search_results_are_part_of_the_final_result() {
    let index = index(7, 60_000, 40);
    let profile = index.profile();
    let query = Query::parse("name:a");
    let all = run(profile, index.flows(), &query, &|| true).expect("not canceled");
    let last = TimeRange { start: profile.meta.range.end - Ns(100), end: profile.meta.range.end };
    for first in [TimeRange::default(), profile.meta.range, last] {
        let mut seen = 0;
        let found = flowline::index::search::run_from(profile, index.flows(), &query, first, &|| true, |part| {
            let part = part();
            assert!(part.total() > 0 && part.total() >= seen && part.total() <= all.total());
            assert!(part.iter(profile).all(|id| profile.locate(id).is_some_and(|(id, local)| all.contains(id, local))));
            for (id, _) in profile.threads_with_ids() {
                assert!(part.thread(id).is_sorted());
            }
            seen = part.total();
        });
        assert_eq!(found.expect("not canceled"), all);
    }
    assert_eq!(run(profile, index.flows(), &query, &|| false), None);
}
