//! Nesting compared with a naive test of every pair; edge cases; slices with very many children.

use std::cmp::Reverse;

use proptest::prelude::*;

use super::slices::key;
use super::*;
use crate::rows::{ThreadRows, depths};
use flowline_profile::{Arrangement, CategoryId, Marker, MarkerTable, Ns, PayloadRef, Profile, StringId, TrackKind};
use flowline_profile::{LocalMarker, MarkerFlags, Thread};

/// A thread with slices of the given starts, lengths, and names; `groups` makes them asynchronous.
fn thread_of(slices: &[(i64, i64, u32)], groups: Vec<u32>) -> Thread {
    thread_with_flags(slices, groups, &|_| MarkerFlags::STACK_BASED)
}

fn thread_with_flags(slices: &[(i64, i64, u32)], groups: Vec<u32>, flags: &dyn Fn(u32) -> MarkerFlags) -> Thread {
    let marker = |(start, length, name): &(i64, i64, u32)| Marker {
        start: Ns(*start),
        end: Ns(start + length),
        name: StringId(*name),
        category: CategoryId::default(),
        kind: None,
        flags: flags(*name),
        payload: PayloadRef::NONE,
        begin: PayloadRef::NONE,
        supplement: None,
    };
    let kind = if groups.is_empty() { TrackKind::Thread } else { TrackKind::Async };
    Thread {
        kind,
        markers: MarkerTable::build(slices.iter().map(marker).collect()),
        groups: groups.into(),
        ..Thread::default()
    }
}

fn rows_of(thread: &Thread) -> ThreadRows {
    ThreadRows::build(&Profile::default(), thread, Arrangement::Stack)
}

fn contents(nesting: &Nesting<'_>, marker: LocalMarker) -> Contents {
    nesting.contents(marker, 2, &mut || true).expect("never canceled")
}

/// The parent of each marker by definition, testing every pair.
fn parents(thread: &Thread) -> Vec<Option<LocalMarker>> {
    let all: Vec<LocalMarker> = (0..thread.markers.len()).map(LocalMarker::new).collect();
    let key = |marker: LocalMarker| {
        let range = thread.markers.range(marker);
        (range.start, std::cmp::Reverse(range.end), marker)
    };
    let group = |marker: LocalMarker| thread.groups.get(marker.index());
    let encloses = |outer: LocalMarker, inner: LocalMarker| {
        group(outer) == group(inner)
            && key(outer) < key(inner)
            && thread.markers.start(outer) <= thread.markers.start(inner)
            && thread.markers.end(outer) >= thread.markers.end(inner)
    };
    let parent = |inner: &LocalMarker| {
        all.iter().filter(|outer| encloses(**outer, *inner)).max_by_key(|outer| key(**outer)).copied()
    };
    all.iter().map(parent).collect()
}

/// Nanoseconds of a slice in which none of the children is open, counted one by one.
fn uncovered(thread: &Thread, marker: LocalMarker, children: &[LocalMarker]) -> Ns {
    let times = |marker: LocalMarker| (thread.markers.start(marker).0, thread.markers.end(marker).0);
    let (start, end) = times(marker);
    let is_covered = |at: i64| children.iter().map(|child| times(*child)).any(|(start, end)| start <= at && at < end);
    Ns(i64::try_from((start..end).filter(|at| !is_covered(*at)).count()).expect("few"))
}

fn check(thread: &Thread) {
    let rows = rows_of(thread);
    let parents = parents(thread);
    for index in 0..thread.markers.len() {
        let marker = LocalMarker::new(index);
        let nesting = Nesting::for_marker(thread, &rows, marker);
        let chain: Vec<LocalMarker> = std::iter::successors(parents[index], |outer| parents[outer.index()]).collect();
        assert_eq!(nesting.ancestors(marker), chain, "ancestors of {index}");
        assert_eq!(nesting.depth(marker), chain.len(), "depth of {index}");
        let mut children: Vec<LocalMarker> =
            (0..parents.len()).filter(|child| parents[*child] == Some(marker)).map(LocalMarker::new).collect();
        children.sort_by_key(|child| key(thread, *child));
        assert_eq!(nesting.children(marker).collect::<Vec<_>>(), children, "children of {index}");
        let is_below = |other: usize| {
            std::iter::successors(parents[other], |outer| parents[outer.index()]).any(|outer| outer == marker)
        };
        let found = contents(&nesting, marker);
        assert_eq!(found.descendants, (0..parents.len()).filter(|other| is_below(*other)).count(), "below {index}");
        assert_eq!(found.children, children.len());
        assert_eq!(found.self_time, uncovered(thread, marker, &children), "self time of {index}");
        assert_eq!(found.groups.iter().map(|group| group.count).sum::<usize>(), children.len());
        assert!(found.groups.is_sorted_by_key(|group| Reverse(group.total)));
    }
}

fn slices() -> impl Strategy<Value = Vec<(i64, i64, u32)>> {
    let length = prop_oneof![3 => 0..6_i64, 2 => 0..30_i64, 1 => Just(0_i64)];
    proptest::collection::vec((0..40_i64, length, 0..4_u32), 0..40)
}

proptest! {
    #[test]
    fn agrees_with_testing_every_pair(slices in slices()) {
        check(&thread_of(&slices, Vec::new()));
    }

    #[test]
    fn asynchronous_operations_nest_among_themselves(slices in slices(), seed in 0..100_usize) {
        let groups = (0..slices.len()).map(|at| u32::try_from((at * 7 + seed) % 5).expect("small")).collect();
        check(&thread_of(&slices, groups));
    }
}

#[test]
fn self_time_excludes_direct_children() {
    // Case 02: a 1..8 contains b 2..7, which contains c 3..5.
    let thread = thread_of(&[(1_000, 7_000, 1), (2_000, 5_000, 2), (3_000, 2_000, 3)], Vec::new());
    let rows = rows_of(&thread);
    let nesting = Nesting::for_marker(&thread, &rows, LocalMarker(0));
    let found = contents(&nesting, LocalMarker(0));
    assert_eq!((found.self_time, found.children, found.descendants), (Ns(2_000), 1, 2));
    assert_eq!(contents(&nesting, LocalMarker(1)).self_time, Ns(3_000));
    assert_eq!(nesting.ancestors(LocalMarker(2)), [LocalMarker(1), LocalMarker(0)]);
    assert_eq!(nesting.depth(LocalMarker(2)), 2);
}

#[test]
fn a_zero_length_slice_at_an_edge_is_a_child() {
    // Case 33: a 1..4 with b1 1..3 and b2 at 4; then two instants at the same time.
    let thread = thread_of(&[(1, 3, 1), (1, 2, 2), (4, 0, 3), (9, 0, 1), (9, 0, 1)], Vec::new());
    let rows = rows_of(&thread);
    let nesting = Nesting::for_marker(&thread, &rows, LocalMarker(0));
    let found: Vec<LocalMarker> = nesting.children(LocalMarker(0)).collect();
    assert_eq!(found, [LocalMarker(1), LocalMarker(2)]);
    assert_eq!(contents(&nesting, LocalMarker(0)).self_time, Ns(1));
    assert_eq!(nesting.children(LocalMarker(3)).collect::<Vec<_>>(), [LocalMarker(4)]);
}

#[test]
fn children_are_grouped_by_name() {
    let slices: Vec<(i64, i64, u32)> =
        std::iter::once((0, 100, 0)).chain((0..9).map(|at| (at * 10, 1 + at, u32::from(at % 2 == 0)))).collect();
    let thread = thread_of(&slices, Vec::new());
    let rows = rows_of(&thread);
    let found = contents(&Nesting::for_marker(&thread, &rows, LocalMarker(0)), LocalMarker(0));
    let told: Vec<_> = found.groups.iter().map(|group| (group.name.0, group.count, group.total.0)).collect();
    assert_eq!(told, [(1, 5, 25), (0, 4, 20)]);
    assert_eq!(found.groups[0].first.len(), 2, "limited to two children");
    assert_eq!(found.longest, Some(LocalMarker(9)));
}

#[test]
fn ancestors_of_an_instant_are_the_open_slices() {
    let flags = |name| if name == 3 { MarkerFlags::INSTANT } else { MarkerFlags::STACK_BASED };
    let thread = thread_with_flags(&[(0, 10, 1), (2, 4, 2), (3, 0, 3), (6, 2, 4)], Vec::new(), &flags);
    let rows = rows_of(&thread);
    let nesting = Nesting::for_marker(&thread, &rows, LocalMarker(2));
    assert_eq!(nesting.ancestors(LocalMarker(2)), [LocalMarker(1), LocalMarker(0)]);
    assert_eq!(nesting.children(LocalMarker(2)).count(), 0);
    assert_eq!(depths(&thread), [Some(0), Some(1), None, Some(1)]);
}

#[test]
fn a_million_children_and_many_levels_are_fast() {
    let wide: Vec<(i64, i64, u32)> = std::iter::once((0, 10_000_000, 0))
        .chain((0..1_000_000).flat_map(|at| [(at * 10, 8, 1), (at * 10 + 1, 5, 2)]))
        .collect();
    let thread = thread_of(&wide, Vec::new());
    let rows = rows_of(&thread);
    let nesting = Nesting::for_marker(&thread, &rows, LocalMarker(0));
    let mut steps = 0;
    let found = nesting.contents(LocalMarker(0), 2, &mut || {
        steps += 1;
        true
    });
    let found = found.expect("never canceled");
    assert_eq!((found.children, found.descendants, found.self_time), (1_000_000, 2_000_000, Ns(2_000_000)));
    assert!(steps <= 3_000_000, "{steps}");
    assert_eq!(nesting.contents(LocalMarker(0), 2, &mut || false), None);

    let deep: Vec<(i64, i64, u32)> = (0..20_000).map(|at| (at, 100_000 - 2 * at, 0)).collect();
    let thread = thread_of(&deep, Vec::new());
    let rows = rows_of(&thread);
    let nesting = Nesting::for_marker(&thread, &rows, LocalMarker(19_999));
    assert_eq!(nesting.depth(LocalMarker(19_999)), 19_999);
    assert_eq!(contents(&nesting, LocalMarker(0)).descendants, 19_999);
}
