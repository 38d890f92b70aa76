//! Pairs of `EventTiming` events: the begin and the end of an interaction. An end closes the latest open begin of its id
//! in its process.
//!
//! Ids of async events are global in traces, but Chrome counts those of `EventTiming` in each process. Where two processes
//! used an id at the same time, the importer joined halves of both; they are paired again here.

use std::collections::BTreeMap;

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

/// All pairs, and the events without the other half.
pub(super) fn event_pairs(profile: &Profile) -> (Vec<EventPair>, Dropped) {
    let (mut pairs, mut dropped) = (Vec::new(), Dropped::default());
    let mut mixed: BTreeMap<(ThreadId, u32), Vec<Half>> = BTreeMap::new();
    for (_, id, marker) in markers_named(profile, &[NAME], |thread| thread.kind == TrackKind::Async) {
        let track = profile.thread(id);
        if track.markers.flags(marker).has(MarkerFlags::INCOMPLETE) {
            dropped.add(Some(track.global(marker)));
            continue;
        }
        let [began, ended] = track.event_threads_of(marker).map(|thread| thread.unwrap_or(id));
        let (begun_in, ended_in) = (profile.thread(began).process, profile.thread(ended).process);
        let times = track.markers.range(marker);
        if begun_in == ended_in {
            pairs.push(EventPair { start: times.start, end: times.end, thread: began, marker: (id, marker) });
            continue;
        }
        let group = track.groups.get(marker.index()).copied().unwrap_or(u32::MAX);
        let halves = mixed.entry((id, group)).or_default();
        halves.push(Half { time: times.start, process: begun_in, begin: Some((began, (0, id, marker))) });
        halves.push(Half { time: times.end, process: ended_in, begin: None });
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
                None => alone += 1,
            },
        }
    }
    let left: usize = open.values().map(Vec::len).sum();
    alone.saturating_add(u32::try_from(left).unwrap_or(u32::MAX))
}
