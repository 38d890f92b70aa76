//! Pairs of `EventTiming` events: the begin and the end of an interaction. An end closes the latest open begin of its id
//! in its process.
//!
//! Ids of async events are global in traces, but Chrome counts those of `EventTiming` in each process. Where two processes
//! used an id at the same time, the importer joined halves of both; they are paired again here. Where an end is missing,
//! only the begins of interactions are paired, as Chrome DevTools does: the id identifies the input.

use std::collections::{BTreeMap, BTreeSet};

use crate::dropped::Dropped;
use crate::markers_by_name::{Named, markers_named};
use flowline_profile::{LocalMarker, MarkerFlags, Ns, ProcessId, Profile, ThreadId, TrackKind};

/// Name of the events.
const NAME: &str = "EventTiming";

/// A pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventPair {
    pub(super) start: Ns,
    pub(super) end: Ns,
    /// The thread that wrote the begin.
    pub(super) thread: ThreadId,
    /// The track and the number of the marker with the data of the begin.
    pub(super) marker: (ThreadId, LocalMarker),
}

/// All pairs, and the events without the other half. `is_interaction` tells whether a begin belongs to an interaction: the
/// end of another event with the same id closes one whose own end is missing.
pub(super) fn event_pairs(profile: &Profile, is_interaction: impl Fn(Named) -> bool) -> (Vec<EventPair>, Dropped) {
    let (mut pairs, mut dropped) = (Vec::new(), Dropped::default());
    let named = markers_named(profile, &[NAME], |thread| thread.kind == TrackKind::Async);
    let is_cut = |(_, id, marker): Named| profile.thread(id).markers.flags(marker).has(MarkerFlags::INCOMPLETE);
    let id_of =
        |(_, id, marker): Named| (id, profile.thread(id).groups.get(marker.index()).copied().unwrap_or(u32::MAX));
    let cut: BTreeSet<(ThreadId, u32)> = named.iter().filter(|own| is_cut(**own)).map(|own| id_of(*own)).collect();
    let mut mixed: BTreeMap<(ThreadId, u32), Vec<Half>> = BTreeMap::new();
    for own in named {
        let (_, id, marker) = own;
        let track = profile.thread(id);
        let [began, ended] = track.event_threads_of(marker).map(|thread| thread.unwrap_or(id));
        let (begun_in, ended_in) = (profile.thread(began).process, profile.thread(ended).process);
        let times = track.markers.range(marker);
        let has_cut = cut.contains(&id_of(own));
        if begun_in == ended_in && !has_cut {
            pairs.push(EventPair { start: times.start, end: times.end, thread: began, marker: (id, marker) });
            continue;
        }
        let halves = mixed.entry(id_of(own)).or_default();
        let is_awaited = !has_cut || is_interaction(own);
        if is_awaited {
            halves.push(Half { time: times.start, process: begun_in, begin: Some((began, own)), is_awaited });
        } else if is_cut(own) {
            dropped.add(Some(track.global(marker)));
        }
        if !is_cut(own) {
            halves.push(Half { time: times.end, process: ended_in, begin: None, is_awaited });
        }
    }
    for halves in mixed.into_values() {
        dropped.add_many(pair_again(halves, &mut pairs), None);
    }
    (pairs, dropped)
}

/// A begin or an end.
struct Half {
    time: Ns,
    process: ProcessId,
    /// The thread and the marker of a begin.
    begin: Option<(ThreadId, Named)>,
    /// False for the end of an event whose begin is not paired.
    is_awaited: bool,
}

/// Pairs halves of one id by process; returns the number of halves that stay alone.
fn pair_again(mut halves: Vec<Half>, pairs: &mut Vec<EventPair>) -> u32 {
    halves.sort_by_key(|half| (half.time, half.begin.is_none()));
    let (mut open, mut alone): (BTreeMap<ProcessId, Vec<_>>, u32) = (BTreeMap::new(), 0);
    for half in halves {
        let stack = open.entry(half.process).or_default();
        match half.begin {
            Some((thread, (_, track, marker))) => stack.push((half.time, thread, (track, marker))),
            None => match stack.pop() {
                Some((start, thread, marker)) => pairs.push(EventPair { start, end: half.time, thread, marker }),
                None => alone += u32::from(half.is_awaited),
            },
        }
    }
    let left: usize = open.values().map(Vec::len).sum();
    alone.saturating_add(u32::try_from(left).unwrap_or(u32::MAX))
}
