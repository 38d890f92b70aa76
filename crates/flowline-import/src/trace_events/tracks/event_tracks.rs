//! Assigns events to tracks while they are read.

use std::collections::BTreeMap;

use super::counter_values::Counts;
use super::track_events::TrackEvents;
use crate::io::memory::peak_of_parts;
use crate::trace_events::text::batch::Batch;
use crate::trace_events::text::event::Event;
use crate::trace_events::text::event::file_offset;
use crate::trace_events::text::ids::{IdKind, NO_TIME, NONE, TextId};
use crate::trace_events::text::trace::Trace;
use flowline_profile::{TrackKind, WarningKind, Warnings};

/// Name of the event that starts a CPU profile.
pub(in crate::trace_events) const HEAD: &str = "Profile";
/// Name of the events that contain the samples of a CPU profile.
const CHUNK: &str = "ProfileChunk";

/// Maximum additional memory per event in bytes: while its track is derived, and when it is indexed and its parsed form
/// is freed.
const BYTES_WHILE_DERIVED: u64 = 56;
const BYTES_AFTERWARDS: u64 = 24;
/// Maximum additional memory per track, and per distinct text besides its length, in bytes.
const BYTES_PER_TRACK: u64 = 450;
const BYTES_PER_TEXT: u64 = 32;

/// The events of one track: slices and instants, and the flow events that bind to them.
#[derive(Debug)]
pub(in crate::trace_events) struct EventTrack {
    pub(in crate::trace_events) kind: TrackKind,
    pub(in crate::trace_events) pid: TextId,
    pub(in crate::trace_events) tid: TextId,
    /// Slices and instants.
    pub(in crate::trace_events) events: TrackEvents,
    /// Flow events in file order.
    pub(in crate::trace_events) flows: Vec<Event>,
}

/// All events, by use.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct EventTracks {
    /// Tracks of threads, and of instants of processes and the recording, in the order of their first events.
    pub(in crate::trace_events) list: Vec<EventTrack>,
    /// Async events, and events of objects.
    pub(in crate::trace_events) asyncs: Vec<Event>,
    /// Counter events.
    pub(in crate::trace_events) counters: Vec<Event>,
    /// Arguments of the counter events.
    pub(in crate::trace_events) counts: Counts,
    /// Events of CPU profiles in file order.
    pub(in crate::trace_events) profiles: Vec<Event>,
    /// Other sample events in file order.
    pub(in crate::trace_events) samples: Vec<Event>,
    /// Metadata events.
    pub(in crate::trace_events) metadata: Vec<Event>,
    /// Number of events that are not drawn, by phase.
    pub(in crate::trace_events) not_drawn: BTreeMap<u8, u64>,
    /// Number of events of any kind.
    pub(in crate::trace_events) count: u64,
    owners: Owners,
}

/// Indexes of tracks, by owner.
#[derive(Debug)]
struct Owners {
    by_pair: Vec<u32>,
    by_process: BTreeMap<TextId, u32>,
    global: u32,
}

impl Default for Owners {
    fn default() -> Self {
        Self { by_pair: Vec::new(), by_process: BTreeMap::new(), global: NONE }
    }
}

impl EventTracks {
    /// Returns the maximum additional memory for deriving and indexing the events, in bytes.
    pub(in crate::trace_events) fn memory(&self, trace: &Trace) -> u64 {
        // Async events get separate tracks.
        let count = self.list.len().max(trace.pairs.list.len()) as u64;
        let own = count * BYTES_PER_TRACK + trace.texts.bytes() as u64 + trace.texts.len() as u64 * BYTES_PER_TEXT;
        let tracks = self.list.iter().map(|track| track.events.list().len() + track.flows.len());
        let others = self.asyncs.len() + self.counters.len() + self.profiles.len() + self.samples.len();
        own + peak_of_parts(tracks, BYTES_WHILE_DERIVED, BYTES_AFTERWARDS) + others as u64 * BYTES_WHILE_DERIVED
    }

    /// Adds the events of a batch that has been merged into `trace`.
    pub(in crate::trace_events) fn add(&mut self, trace: &Trace, batch: &Batch<'_>, warnings: &mut Warnings) {
        self.owners.by_pair.resize(trace.pairs.list.len(), NONE);
        self.count += batch.events.len() as u64;
        let mut counters = 0;
        for event in &batch.events {
            let counter = counters;
            counters += usize::from(event.ph() == b'C');
            match event.ph() {
                b'M' => self.metadata.push(*event),
                b'B' | b'E' | b'X' | b'i' | b'I' | b'R' | b's' | b't' | b'f' | b'b' | b'e' | b'n' | b'S' | b'T'
                | b'p' | b'F' | b'C' | b'N' | b'O' | b'D' | b'v' | b'V'
                    if event.ts == NO_TIME =>
                {
                    warnings.add(WarningKind::BadTime, || {
                        format!("no ts in the event at byte {}", file_offset(event.offset()))
                    });
                }
                b'B' | b'E' | b'X' => self.track(trace, event, TrackKind::Thread).events.push(trace, event),
                b'i' | b'I' | b'R' => {
                    let kind = match event {
                        event if event.has(Event::GLOBAL_SCOPE) => TrackKind::Global,
                        event if event.has(Event::PROCESS_SCOPE) => TrackKind::Process,
                        _ => TrackKind::Thread,
                    };
                    self.track(trace, event, kind).events.push(trace, event);
                }
                // Memory dumps.
                b'v' | b'V' => self.track(trace, event, TrackKind::Process).events.push(trace, event),
                b'b' | b'e' | b'n' | b'S' | b'T' | b'p' | b'F' | b'N' | b'O' | b'D' => {
                    if !has_id(trace, event) {
                        let place = || format!("no id in the event at byte {}", file_offset(event.offset()));
                        warnings.add(WarningKind::MissingPart, place);
                    }
                    self.asyncs.push(*event);
                }
                b'C' => {
                    self.counters.push(*event);
                    let unit = batch.counts.unit(counter);
                    if unit != NONE {
                        self.counts.add_unit(unit);
                    }
                    self.counts.push(batch.counts.of(counter));
                }
                b's' | b't' | b'f' if !has_id(trace, event) => {
                    let place = || format!("no id in the flow event at byte {}", file_offset(event.offset()));
                    warnings.add(WarningKind::MissingPart, place);
                }
                b's' | b't' | b'f' => self.track(trace, event, TrackKind::Thread).flows.push(*event),
                b'P' => self.add_sample(trace, event, warnings),
                phase => {
                    *self.not_drawn.entry(phase).or_default() += 1;
                    let place = || {
                        format!("phase '{}' of the event at byte {}", phase.escape_ascii(), file_offset(event.offset()))
                    };
                    warnings.add(WarningKind::NotDrawn, place);
                }
            }
        }
    }

    /// Adds a CPU profile event or a sample event, and a track for its thread.
    fn add_sample(&mut self, trace: &Trace, event: &Event, warnings: &mut Warnings) {
        match trace.texts.get(trace.name(event.label)) {
            CHUNK => return self.profiles.push(*event),
            HEAD => self.profiles.push(*event),
            _ if event.ts == NO_TIME => {
                let place = || format!("no ts in the event at byte {}", file_offset(event.offset()));
                return warnings.add(WarningKind::BadTime, place);
            }
            _ => self.samples.push(*event),
        }
        self.track(trace, event, TrackKind::Thread);
    }

    fn track(&mut self, trace: &Trace, event: &Event, kind: TrackKind) -> &mut EventTrack {
        let slot = match kind {
            TrackKind::Thread => &mut self.owners.by_pair[event.pair as usize],
            TrackKind::Process => self.owners.by_process.entry(trace.pid(event)).or_insert(NONE),
            TrackKind::Global | TrackKind::Async => &mut self.owners.global,
        };
        if *slot == NONE {
            *slot = u32::try_from(self.list.len()).unwrap_or(NONE);
            let (pid, tid) = match (kind, trace.pairs.get(event.pair)) {
                (TrackKind::Thread, pair) => pair,
                (TrackKind::Process, (pid, _)) => (pid, NONE),
                (TrackKind::Global | TrackKind::Async, _) => (NONE, NONE),
            };
            self.list.push(EventTrack { kind, pid, tid, events: TrackEvents::default(), flows: Vec::new() });
        }
        &mut self.list[*slot as usize]
    }
}

fn has_id(trace: &Trace, event: &Event) -> bool {
    trace.extra(event).id.kind() != IdKind::None
}
