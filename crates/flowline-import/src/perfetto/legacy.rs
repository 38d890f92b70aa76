//! Legacy track events, which follow the JSON format: a phase, and ids of several scopes.

use super::json_text::{hex, integer, micros, string};
use super::packet::Packet;
use super::track_event::TrackEvent;
use super::tracks::{EventTarget, EventTargetKind, ThreadKey};
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

    fn write_ids(&self, out: &mut String) {
        let is_flow = matches!(self.phase(), Some('s' | 't' | 'f'));
        let members = [
            (",\"id\":", self.plain_id.or(self.bind_id.filter(|_| is_flow)), ""),
            (",\"id2\":{\"local\":", self.local_id, "}"),
            (",\"id2\":{\"global\":", self.global_id, "}"),
        ];
        for (opening, id, closing) in members {
            if let Some(id) = id {
                out.push_str(opening);
                hex(out, id);
                out.push_str(closing);
            }
        }
        if !self.scope.is_empty() {
            out.push_str(",\"scope\":");
            string(out, self.scope);
        }
        if !is_flow {
            self.write_flow(out);
        }
        out.push_str(if self.binds_to_enclosing { ",\"bp\":\"e\"" } else { "" });
    }

    /// Appends the incoming or outgoing flow, as members.
    pub(super) fn write_flow(&self, out: &mut String) {
        let Some(id) = self.bind_id.filter(|_| self.flow_direction > 0) else { return };
        out.push_str(",\"bind_id\":");
        hex(out, id);
        out.push_str(if self.flow_direction & IN != 0 { ",\"flow_in\":true" } else { "" });
        out.push_str(if self.flow_direction & OUT != 0 { ",\"flow_out\":true" } else { "" });
    }

    fn phase(&self) -> Option<char> {
        let phase = u8::try_from(self.phase).ok().filter(u8::is_ascii_graphic).map(char::from);
        phase.filter(|phase| !matches!(phase, '"' | '\\'))
    }
}

impl Writer<'_> {
    /// Writes a legacy event.
    pub(super) fn legacy_event(
        &mut self,
        packet: &Packet<'_>,
        event: &TrackEvent<'_>,
        legacy: &Legacy<'_>,
        (ts, ran): (i64, Option<i64>),
        place: &EventTarget,
    ) {
        let Some(phase) = legacy.phase() else {
            self.omitted.add("track events of unknown type");
            return;
        };
        // An event with a separate id does not use the id of its track.
        self.begin_event(phase, ts);
        self.out.push_str(&place.owner);
        if let (EventTargetKind::Track { id }, None, None, None) =
            (&place.kind, legacy.plain_id, legacy.local_id, legacy.global_id)
        {
            self.out.push_str(id);
        }
        if phase == 'X' || legacy.duration_us.is_some() {
            self.out.push_str(",\"dur\":");
            integer(&mut self.out, legacy.duration_us.unwrap_or_default());
        }
        if let Some(ran) = ran {
            self.out.push_str(",\"tts\":");
            micros(&mut self.out, ran);
        }
        if let Some(ran) = legacy.ran_us {
            self.out.push_str(",\"tdur\":");
            integer(&mut self.out, ran);
        }
        legacy.write_ids(&mut self.out);
        self.out.push_str(match (phase, legacy.instant_scope) {
            ('i' | 'I', GLOBAL) => ",\"s\":\"g\"",
            ('i' | 'I', PROCESS) => ",\"s\":\"p\"",
            _ => "",
        });
        let name = self.sequences.get(&packet.sequence).and_then(|sequence| sequence.names.get(&legacy.name_iid));
        if let Some(name) = name.filter(|_| legacy.name_iid > 0 && !event.has_name()) {
            self.out.push_str(",\"name\":");
            self.out.push_str(name);
        }
        self.end_event(packet, event);
    }
}
