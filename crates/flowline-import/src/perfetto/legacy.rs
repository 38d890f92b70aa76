//! Legacy track events, which follow the JSON format: a phase, and ids of several scopes.

use std::borrow::Cow;

use super::event::{Binding, EventId, InstantReach, TraceEvent};
use super::output::Output;
use super::owner_descriptor::ThreadKey;
use super::packet::Packet;
use super::track_event::TrackEvent;
use super::tracks::{EventTarget, EventTargetKind};
use super::wire::Fields;
use super::writer::Writer;

/// Fields of a legacy event besides track, names and arguments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Legacy<'a> {
    phase: u64,
    name_iid: u64,
    duration_us: Option<i64>,
    ran_us: Option<i64>,
    plain_id: Option<u64>,
    local_id: Option<u64>,
    global_id: Option<u64>,
    scope: &'a [u8],
    bind_id: Option<u64>,
    binds_to_enclosing: bool,
    has_async_time: bool,
    flow_direction: u64,
    instant_scope: u64,
    pid: Option<i64>,
    tid: Option<i64>,
}

/// Scopes of instants: the whole recording, and a process.
const GLOBAL: u64 = 1;
const PROCESS: u64 = 2;
/// Directions of flows.
const IN: u64 = 1;
const OUT: u64 = 2;

impl<'a> Legacy<'a> {
    pub(super) fn read(message: &'a [u8]) -> Self {
        let mut legacy = Self::default();
        for field in Fields::new(message) {
            match field.number {
                1 => legacy.name_iid = field.number(),
                2 => legacy.phase = field.number(),
                3 => legacy.duration_us = Some(field.signed()),
                4 => legacy.ran_us = Some(field.signed()),
                6 => legacy.plain_id = Some(field.number()),
                7 => legacy.scope = field.bytes(),
                8 => legacy.bind_id = Some(field.number()),
                9 => legacy.has_async_time = field.is_true(),
                10 => legacy.local_id = Some(field.number()),
                11 => legacy.global_id = Some(field.number()),
                12 => legacy.binds_to_enclosing = field.is_true(),
                13 => legacy.flow_direction = field.number(),
                14 => legacy.instant_scope = field.number(),
                18 => legacy.pid = Some(field.signed()).filter(|pid| *pid >= 0),
                19 => legacy.tid = Some(field.signed()).filter(|tid| *tid >= 0),
                _ => {}
            }
        }
        legacy
    }

    /// Returns the thread that the event names. A missing process or thread comes from the writing thread.
    pub(super) fn thread(&self, writer: Option<ThreadKey>) -> Option<ThreadKey> {
        let (pid, tid) = writer.unwrap_or_default();
        let is_named = self.pid.is_some() || self.tid.is_some();
        is_named.then(|| (self.pid.unwrap_or(pid), self.tid.unwrap_or(tid)))
    }

    /// The id of the event. An event with a separate id does not use the id of its track.
    fn id<'e>(&self, is_flow: bool, place: &'e EventTarget) -> EventId<'e> {
        let plain = self.plain_id.or(self.bind_id.filter(|_| is_flow));
        match (self.global_id, self.local_id, plain) {
            (Some(id), ..) => EventId::Global(id),
            (_, Some(id), _) => EventId::Local(id),
            (.., Some(id)) => EventId::Plain(id),
            _ if matches!(place.kind, EventTargetKind::Track { .. }) => place.id(),
            _ => EventId::None,
        }
    }

    /// The flow that enters or leaves the event.
    pub(super) fn binding(&self) -> Option<Binding> {
        let id = self.bind_id.filter(|_| self.flow_direction > 0)?;
        Some(Binding { id, incoming: self.flow_direction & IN != 0, outgoing: self.flow_direction & OUT != 0 })
    }

    fn phase(&self) -> Option<u8> {
        let phase = u8::try_from(self.phase).ok().filter(u8::is_ascii_graphic);
        phase.filter(|phase| !matches!(phase, b'"' | b'\\'))
    }
}

impl<O: Output> Writer<'_, O> {
    /// Reads a legacy event.
    pub(super) fn legacy_event(
        &mut self,
        packet: &Packet<'_>,
        event: &TrackEvent<'_>,
        legacy: &Legacy<'_>,
        (ts, ran): (i64, Option<i64>),
        place: &EventTarget,
    ) {
        let Some(phase) = legacy.phase() else { return self.omit("track events of unknown type") };
        let micros = |time: i64| time.saturating_mul(1000);
        self.keep_cpu_duration(legacy.ran_us.map(micros));
        if !O::EVENTS {
            return;
        }
        let is_flow = matches!(phase, b's' | b't' | b'f');
        let reach = match (phase, legacy.instant_scope) {
            (b'i' | b'I', GLOBAL) => InstantReach::Recording,
            (b'i' | b'I', PROCESS) => InstantReach::Process,
            _ => InstantReach::Thread,
        };
        let duration = legacy.duration_us.or((phase == b'X').then_some(0)).map(micros);
        let sequence = self.state.sequences.known(packet.sequence);
        let name = sequence.and_then(|sequence| sequence.names.get(&legacy.name_iid));
        let name = name.filter(|_| legacy.name_iid > 0 && !event.has_name).map(|name| Cow::Owned(name.to_string()));
        let stated = TraceEvent {
            duration,
            ran,
            ran_for: legacy.ran_us.map(micros),
            id: legacy.id(is_flow, place),
            scope: legacy.scope,
            binding: if is_flow { None } else { legacy.binding() },
            binds_to_enclosing: legacy.binds_to_enclosing,
            has_async_time: legacy.has_async_time,
            reach,
            name,
            ..TraceEvent::new(phase, ts, &place.owner)
        };
        self.track_event_of(packet, event, stated);
    }
}
