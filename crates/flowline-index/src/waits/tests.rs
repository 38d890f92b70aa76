//! The open intervals of a thread compared with naive searches of all its intervals, and deep nests.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::thread_stack::ThreadStacks;
use crate::rows::ThreadRows;
use crate::{Arrangement, Nesting};
use flowline_profile::{
    CategoryId, LocalMarker, Marker, MarkerFlags, MarkerTable, Ns, PayloadRef, Profile, StringId, Thread, ThreadId,
    TimeRange,
};

/// A recording of one thread with slices of the given starts and lengths. Instants are among the slices.
fn profile_of(slices: &[(i64, i64)]) -> Profile {
    let marker = |(start, length): &(i64, i64)| Marker {
        start: Ns(*start),
        end: Ns(start + length),
        name: StringId(0),
        category: CategoryId::default(),
        kind: None,
        flags: MarkerFlags::STACK_BASED,
        payload: PayloadRef::NONE,
        begin: PayloadRef::NONE,
        supplement: None,
    };
    let thread = Thread { markers: MarkerTable::build(slices.iter().map(marker).collect()), ..Thread::default() };
    Profile { threads: vec![thread], ..Profile::default() }
}

/// The same slices, each shortened to end within those that are open at its start.
fn nested(slices: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut sorted = slices.to_vec();
    sorted.sort_unstable_by_key(|(start, length)| (*start, -length));
    let mut open: Vec<i64> = Vec::new();
    for (start, length) in &mut sorted {
        while open.pop_if(|end| *end <= *start).is_some() {}
        *length = open.last().map_or(*length, |end| (*length).min(*end - *start));
        open.push(*start + *length);
    }
    sorted
}

/// Compares all answers about a thread with searches of all its intervals.
fn check(slices: &[(i64, i64)], is_nested: bool) {
    let profile = profile_of(slices);
    let (thread, stacks) = (profile.thread(ThreadId(0)), ThreadStacks::new(1));
    let stack = stacks.stack(&profile, ThreadId(0), None);
    let all: Vec<LocalMarker> = (0..thread.markers.len()).map(LocalMarker::new).collect();
    let (start, end) = (|of: &LocalMarker| thread.markers.start(*of), |of: &LocalMarker| thread.markers.end(*of));
    let key = |marker: &LocalMarker| (start(marker), std::cmp::Reverse(end(marker)), *marker);
    let rows = ThreadRows::build(&profile, thread, Arrangement::Stack);
    for marker in &all {
        let expected = Nesting::for_marker(thread, &rows, *marker).ancestors(*marker);
        assert_eq!(stack.ancestors(*marker).collect::<Vec<_>>(), expected, "around {marker:?}");
    }
    for time in (0..110).map(Ns) {
        let begun = || all.iter().filter(|marker| start(marker) < time);
        let innermost = begun().filter(|marker| end(marker) >= time).max_by_key(|marker| key(marker));
        let inside = begun().filter(|marker| innermost.is_none_or(|outer| key(marker) > key(outer))).map(end).max();
        let since = inside.max(innermost.map(start)).unwrap_or(Ns(i64::MIN));
        assert_eq!(stack.innermost_before(time), (innermost.copied(), since), "before {time:?}");
        let ended = all.iter().filter(|marker| start(marker) < end(marker) && end(marker) <= time);
        let last = ended.max_by_key(|marker| (end(marker), std::cmp::Reverse(key(marker))));
        assert_eq!(stack.last_ended(time), last.copied(), "ended at {time:?}");
        let lengths: &[i64] = if time.0.rem_euclid(5) == 0 { &[1, 7, 30] } else { &[] };
        for range in lengths.iter().map(|length| TimeRange { start: time, end: Ns(time.0 + length) }) {
            let first = all.iter().filter(|marker| start(marker) >= range.start && start(marker) < range.end);
            assert_eq!(stack.first_in(range), first.min_by_key(|marker| key(marker)).copied(), "first in {range:?}");
            let mut found: BTreeMap<LocalMarker, i64> = BTreeMap::new();
            let free = stack.outermost(range, |_| false, |marker, ns| *found.entry(marker).or_default() += ns);
            let parts: i64 = found.values().sum::<i64>() + free.iter().map(|part| part.len()).sum::<i64>();
            assert_eq!(parts, range.len(), "the parts add up");
            if is_nested {
                assert_eq!(found, outermost(&all, range, |marker| thread.markers.range(*marker)), "in {range:?}");
            }
        }
    }
}

/// For each nanosecond of a range, the outermost open interval that does not cover the range and go on, or else the
/// innermost of those that do.
fn outermost(
    all: &[LocalMarker],
    range: TimeRange,
    times: impl Fn(&LocalMarker) -> TimeRange,
) -> BTreeMap<LocalMarker, i64> {
    let mut found = BTreeMap::new();
    let key = |marker: &&LocalMarker| (times(marker).start, std::cmp::Reverse(times(marker).end), **marker);
    for at in (range.start.0..range.end.0).map(Ns) {
        let open = || all.iter().filter(|marker| times(marker).start <= at && at < times(marker).end);
        let covers = |marker: &&LocalMarker| times(marker).start <= range.start && times(marker).end > range.end;
        let outer = open().filter(|marker| !covers(marker)).min_by_key(key);
        if let Some(marker) = outer.or_else(|| open().max_by_key(key)) {
            *found.entry(*marker).or_default() += 1;
        }
    }
    found
}

fn slices() -> impl Strategy<Value = Vec<(i64, i64)>> {
    let length = prop_oneof![3 => 0..6_i64, 2 => 0..40_i64, 1 => Just(0_i64), 1 => 40..100_i64];
    proptest::collection::vec((0..80_i64, length), 0..70)
}

proptest! {
    #[test]
    fn open_intervals_agree_with_a_search_of_all(slices in slices()) {
        check(&slices, false);
        check(&nested(&slices), true);
    }
}

#[test]
fn many_levels_cost_no_search_of_each() {
    const LEVELS: i32 = 100_000;
    let deep: Vec<(i64, i64)> = (0..LEVELS).map(|at| (i64::from(at), i64::from(2 * (LEVELS - at) - 1))).collect();
    let profile = profile_of(&deep);
    let stacks = ThreadStacks::new(1);
    let stack = stacks.stack(&profile, ThreadId(0), None);
    // Each level is innermost once on the way out and once on the way in; 2e10 steps if each time visited all levels.
    let (mut time, mut order) = (Ns(i64::from(2 * LEVELS - 1)), Vec::new());
    while let (Some(innermost), since) = stack.innermost_before(time) {
        order.push(i32::try_from(innermost.index()).expect("small"));
        time = since;
    }
    let in_and_out = (0..LEVELS).chain((0..LEVELS - 1).rev());
    assert!(order.into_iter().eq(in_and_out), "out of the nest and into it again");
}
