//! The summary of a selection against a plain loop over the markers, on random recordings, threads, rows and ranges, and
//! its agreement with the statistics.

use std::collections::{BTreeMap, BTreeSet};

use crate::recording::read_bytes;
use crate::statistics::{firefox, found, indexed, scope, trace};
use crate::statistics_naive::self_time_of;
use flowline::index::statistics::{Columns, Grouping, Key, RangeRule, Subject, Summary, Tracks, run, summary};
use flowline::index::{IDLE_ENTRY, Index};
use flowline::profile::{Kind, LocalMarker, MarkerFlags, MarkerId, Ns, SourceKind, ThreadId, TimeRange, TrackKind};
use proptest::prelude::*;

/// Sums of a plain loop.
struct Plain {
    kinds: Sums,
    names: Sums,
    /// Instants and other markers that take no time of a thread.
    also: [u64; 2],
    threads: u64,
    flows: u64,
}

/// Self time and number of markers.
type Sums = BTreeMap<String, (i128, u64)>;

/// The sums by kind and by name, the threads and the flows of the markers that `keep` accepts.
fn plain(
    index: &Index,
    range: Option<TimeRange>,
    has_threads: &[ThreadId],
    keep: impl Fn(ThreadId, LocalMarker) -> bool,
) -> Plain {
    let profile = index.profile();
    let is_thread = |id: ThreadId| profile.thread(id).kind == TrackKind::Thread;
    let has_thread = has_threads.iter().any(|id| is_thread(*id));
    let (mut kinds, mut names) = (Sums::new(), Sums::new());
    let mut also = [0_u64; 2];
    let (mut threads, mut members) = (BTreeSet::new(), BTreeSet::new());
    for (id, thread) in profile.threads_with_ids() {
        for local in (0..thread.markers.len()).map(LocalMarker::new).filter(|local| keep(id, *local)) {
            let own = thread.markers.range(local);
            if range.is_some_and(|range| !range.overlaps(own.start, own.end)) {
                continue;
            }
            threads.insert(id);
            members.insert(thread.global(local));
            let flags = thread.markers.flags(local);
            let is_instant = flags.has(MarkerFlags::INSTANT);
            // Tracks that are no threads count only if no thread is selected.
            let is_work = if is_thread(id) { flags.has(MarkerFlags::STACK_BASED) } else { !has_thread };
            if is_instant || !is_work {
                also[usize::from(!is_instant)] += 1;
                continue;
            }
            let time = self_time_of(index, id, local, range);
            let entry = index.source().styles.get(thread.global(local)).color();
            let kind = match entry {
                IDLE_ENTRY => "Idle",
                entry => Kind::from_entry(entry).unwrap_or(Kind::System).title(),
            };
            for (sums, key) in [(&mut kinds, kind), (&mut names, profile.marker_name(id, local))] {
                let sum = sums.entry(key.to_owned()).or_default();
                *sum = (sum.0 + time, sum.1 + 1);
            }
        }
    }
    let graph = index.flows();
    let has_member = |marker: &MarkerId| members.contains(marker);
    let flows = graph.iter().filter(|flow| graph.members(*flow).iter().any(has_member)).count();
    Plain { kinds, names, also, threads: threads.len() as u64, flows: flows as u64 }
}

#[track_caller]
fn check(found: &Summary, plain: Plain) {
    let Plain { kinds, names, also, threads, flows } = plain;
    assert_eq!([found.also.instants, found.also.operations], also);
    let of_kinds: Sums =
        found.kinds.iter().map(|kind| (kind.title().to_owned(), (kind.self_time, kind.count))).collect();
    assert_eq!(of_kinds, kinds);
    assert!(found.kinds.is_sorted_by_key(|kind| std::cmp::Reverse(kind.self_time)));
    let of_names: Sums = found.names.iter().map(|name| (name.name.clone(), (name.self_time, name.count))).collect();
    assert_eq!(of_names, names, "few enough to be listed");
    assert!(found.names.is_sorted_by_key(|name| std::cmp::Reverse((name.self_time, name.count))));
    assert_eq!(found.name_count, names.len() as u64);
    let [time, count] = [0, 1].map(|which| {
        kinds.values().map(|(time, count)| if which == 0 { *time } else { i128::from(*count) }).sum::<i128>()
    });
    assert_eq!((found.self_time, found.markers), (time, u64::try_from(count).expect("a count") + also[0] + also[1]));
    assert_eq!((found.threads, found.flows), (threads, flows));
}

proptest! {
    #[test]
    fn sums_match_a_plain_loop(
        recording in prop_oneof![trace(), firefox()],
        (range, _, text, is_first) in scope(),
        rows in prop::collection::vec((0..3_usize, 0..6_usize), 0..6),
    ) {
        let Ok(profile) = read_bytes(recording.to_string().into_bytes()) else { return Ok(()) };
        let index = indexed(profile);
        let profile = index.profile();
        // Traces use microseconds, profiles use milliseconds.
        let unit = if profile.meta.kind == SourceKind::ChromeTrace { 1_000 } else { 1_000_000 };
        let range = range.map(|(from, to)| TimeRange::new(Ns(from * unit), Ns(to * unit)));
        let hits = found(&index, text);
        let is_hit = |id, local| hits.as_ref().is_none_or(|hits| hits.contains(id, local));

        let threads = [ThreadId(0)];
        let tracks = if is_first { Tracks::Threads(&threads) } else { Tracks::All };
        let subject = Subject::new(&index, tracks, range, RangeRule::Overlaps, hits.as_ref());
        let sums = summary(&subject, &index, &|| true).expect("not canceled");
        let everything: Vec<ThreadId> = profile.threads_with_ids().map(|(id, _)| id).collect();
        let listed = if is_first { &threads[..] } else { &everything };
        check(&sums, plain(&index, range, listed, |id, local| (!is_first || id == threads[0]) && is_hit(id, local)));
        let all = run(&subject, &Grouping::by([Key::Name]), Columns::ALL, &|| true, |_| {}).expect("not canceled").totals;
        prop_assert_eq!(sums.markers, all.count, "as `stats` counts");
        prop_assert!(sums.self_time <= all.self_time.unwrap_or(0), "statistics add intervals that do not nest");

        // A box of rows.
        let arrangement = profile.meta.arrangement();
        let rows: Vec<(ThreadId, usize)> = rows.into_iter().map(|(thread, row)| (ThreadId::new(thread), row)).collect();
        let subject =
            Subject::new(&index, Tracks::Rows(arrangement, &rows), range, RangeRule::Overlaps, hits.as_ref());
        let sums = summary(&subject, &index, &|| true).expect("not canceled");
        let layout = index.layout(arrangement);
        let mut chosen = BTreeSet::new();
        for (thread, row) in rows.iter().filter(|(thread, _)| thread.index() < profile.threads.len()) {
            let all = &layout.thread(*thread).rows;
            if *row < all.len() {
                chosen.extend(all.row(*row).iter().map(|marker| (*thread, *marker)));
            }
        }
        // A thread without such a row is selected, too.
        let selected = rows.iter().map(|(thread, _)| *thread);
        let listed: Vec<ThreadId> = selected.filter(|thread| thread.index() < profile.threads.len()).collect();
        check(&sums, plain(&index, range, &listed, |id, local| chosen.contains(&(id, local)) && is_hit(id, local)));
    }
}
