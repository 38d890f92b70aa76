//! Sorts events onto tracks: which line of the chart each belongs to, and in the order of time.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::event::{Event, IdKind, NO_TIME, NONE, TextId};
use super::texts::Events;
use crate::profile::{TrackKind, WarningKind, Warnings};

/// A line of slices and instants, with the flow events that bind to them. Numbers are positions in the list of events.
#[derive(Debug)]
pub(super) struct Track {
    pub(super) kind: TrackKind,
    pub(super) pid: TextId,
    pub(super) tid: TextId,
    /// Slices and instants, ascending by time, ties in file order.
    pub(super) events: Vec<u32>,
    /// Flow events, likewise.
    pub(super) flows: Vec<u32>,
}

/// All events by what becomes of them.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Threads, processes' and the recording's instants, in the order of their first events.
    pub(super) tracks: Vec<Track>,
    /// Asynchronous events.
    pub(super) asyncs: Vec<u32>,
    /// Counter events.
    pub(super) counters: Vec<u32>,
    /// Metadata.
    pub(super) metadata: Vec<u32>,
    /// Events of phases that are not drawn: phase and count.
    pub(super) not_drawn: BTreeMap<u8, u64>,
}

/// Numbers of tracks by what owns them.
struct Owners {
    by_pair: Vec<u32>,
    by_process: BTreeMap<TextId, u32>,
    global: u32,
}

/// Sorts all events.
pub(super) fn sort(events: &Events, warnings: &mut Warnings) -> Sorted {
    let mut sorted = Sorted::default();
    let mut owners = Owners { by_pair: vec![NONE; events.pairs.len()], by_process: BTreeMap::new(), global: NONE };
    for (number, event) in (0_u32..).zip(&events.list) {
        let timed = event.ts != NO_TIME;
        match event.ph {
            b'M' => sorted.metadata.push(number),
            b'B' | b'E' | b'X' | b'i' | b'I' | b'R' | b's' | b't' | b'f' | b'b' | b'e' | b'n' | b'S' | b'T' | b'p'
            | b'F' | b'C'
                if !timed =>
            {
                warnings.add(WarningKind::BadTime, || format!("no ts in the event at byte {}", event.offset));
            }
            b'b' | b'e' | b'n' | b'S' | b'T' | b'p' | b'F' => {
                if !has_id(events, event) {
                    warnings.add(WarningKind::MissingPart, || format!("id of the event at byte {}", event.offset));
                }
                sorted.asyncs.push(number);
            }
            b'C' => sorted.counters.push(number),
            b's' | b't' | b'f' if !has_id(events, event) => {
                warnings.add(WarningKind::MissingPart, || format!("id of the flow event at byte {}", event.offset));
            }
            b's' | b't' | b'f' => sorted.track(events, &mut owners, event, TrackKind::Thread).flows.push(number),
            b'i' | b'I' | b'R' if event.has(Event::OF_ALL) => {
                sorted.track(events, &mut owners, event, TrackKind::Global).events.push(number);
            }
            b'i' | b'I' | b'R' if event.has(Event::OF_PROCESS) => {
                sorted.track(events, &mut owners, event, TrackKind::Process).events.push(number);
            }
            b'B' | b'E' | b'X' | b'i' | b'I' | b'R' => {
                sorted.track(events, &mut owners, event, TrackKind::Thread).events.push(number);
            }
            phase => {
                *sorted.not_drawn.entry(phase).or_default() += 1;
                let kind = if phase == b'P' { WarningKind::CpuSamples } else { WarningKind::NotDrawn };
                let place = || format!("phase '{}' of the event at byte {}", phase.escape_ascii(), event.offset);
                warnings.add(kind, place);
            }
        }
    }
    sorted.tracks.par_iter_mut().with_max_len(1).for_each(|track| {
        by_time(events, &mut track.events);
        by_time(events, &mut track.flows);
    });
    sorted
}

fn has_id(events: &Events, event: &Event) -> bool {
    events.extra(event).id.kind != IdKind::None
}

/// Sorts by time, ties in file order; most lists are sorted already, or nearly.
fn by_time(events: &Events, numbers: &mut [u32]) {
    let time = |number: &u32| events.list[*number as usize].ts;
    if !numbers.is_sorted_by_key(time) {
        numbers.sort_by_key(time);
    }
}

impl Sorted {
    fn track(&mut self, events: &Events, owners: &mut Owners, event: &Event, kind: TrackKind) -> &mut Track {
        let (pid, tid) = events.pairs.get(event.pair as usize).copied().unwrap_or((NONE, NONE));
        let slot = match kind {
            TrackKind::Thread => &mut owners.by_pair[event.pair as usize],
            TrackKind::Process => owners.by_process.entry(pid).or_insert(NONE),
            TrackKind::Global | TrackKind::Async => &mut owners.global,
        };
        if *slot == NONE {
            *slot = u32::try_from(self.tracks.len()).unwrap_or(NONE);
            let (pid, tid) = match kind {
                TrackKind::Thread => (pid, tid),
                TrackKind::Process => (pid, NONE),
                TrackKind::Global | TrackKind::Async => (NONE, NONE),
            };
            self.tracks.push(Track { kind, pid, tid, events: Vec::new(), flows: Vec::new() });
        }
        &mut self.tracks[*slot as usize]
    }
}
