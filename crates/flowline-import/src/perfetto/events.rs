//! Converts track events to trace events: slices, instants, states and counter values.

use super::args;
use super::json_text::{float, integer, micros, text};
use super::legacy::Legacy;
use super::packet::Packet;
use super::track_event::TrackEvent;
use super::tracks::{Counter, EventTarget, EventTargetKind};
use super::wire::Fields;
use super::writer::Writer;
use flowline_json::{Cursor, decode_value};

/// Types of track events.
const SLICE_BEGIN: u64 = 1;
const SLICE_END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;
const STATE: u64 = 5;

impl Writer<'_> {
    /// Writes a track event. `time` is the time of its packet.
    pub(super) fn track_event(&mut self, packet: &Packet<'_>, time: Option<i64>, message: &[u8]) {
        let event = TrackEvent::read(message);
        let Some(ts) = self.time_of(packet, time, &event) else {
            self.omitted.add("track events without a time");
            return;
        };
        let track = event.track.or_else(|| self.sequence(packet).defaults.track);
        // In legacy events, track 0 means the event's own thread or the thread that it names.
        let legacy = event.legacy.filter(|legacy| !legacy.is_empty()).map(Legacy::read);
        let track = track.filter(|track| *track > 0 || legacy.is_none());
        let writer = self.sequence(packet).thread;
        let named = legacy.filter(|_| track.is_none()).and_then(|legacy| legacy.thread(writer));
        let place = match (track, named.or(writer)) {
            (None, Some(thread)) => self.thread_target(thread),
            (track, _) => {
                let track = track.unwrap_or_default();
                match self.known_target(track) {
                    Some(place) => place,
                    None => self.place(track, &self.name_text(packet, &event)),
                }
            }
        };
        let ran_ns = self.extra_counters(packet, &event, ts, &place);
        match legacy {
            Some(legacy) if event.kind == 0 => {
                self.legacy_event(packet, &event, &legacy, (ts, ran_ns), &place);
            }
            _ => self.plain_event(packet, &event, (ts, ran_ns), &place),
        }
    }

    /// Returns the time of a track event on the trace clock. Old traces contain deltas in µs.
    fn time_of(&mut self, packet: &Packet<'_>, time: Option<i64>, event: &TrackEvent<'_>) -> Option<i64> {
        let sequence = self.sequence(packet);
        let micros = match (event.delta_us, event.absolute_us) {
            (Some(delta), _) => {
                let now = sequence.now_us?.saturating_add(delta);
                sequence.now_us = Some(now);
                now
            }
            (None, Some(absolute)) => absolute,
            (None, None) => return time,
        };
        Some(self.facts.clocks.legacy_to_trace(micros.saturating_mul(1000)))
    }

    /// Returns the name of an event.
    fn name_text(&self, packet: &Packet<'_>, event: &TrackEvent<'_>) -> String {
        let known = self.sequences.get(&packet.sequence).and_then(|sequence| sequence.names.get(&event.name_iid));
        match known {
            Some(quoted) if event.name.is_empty() => decode_value(&mut Cursor::at(quoted.as_bytes(), 0))
                .map_or_else(|_| String::new(), |name| name.display_js()),
            _ => text(event.name).into_owned(),
        }
    }

    fn plain_event(
        &mut self,
        packet: &Packet<'_>,
        event: &TrackEvent<'_>,
        (ts, ran): (i64, Option<i64>),
        place: &EventTarget,
    ) {
        let phase = match (event.kind, &place.kind) {
            (COUNTER, _) => return self.counter_event(packet, event, ts, place),
            (_, EventTargetKind::Counter { .. }) => {
                self.omitted.add("slices on counter tracks");
                return;
            }
            (STATE, EventTargetKind::Track { .. }) => return self.state(packet, event, ts, place),
            (SLICE_BEGIN, EventTargetKind::Thread) => 'B',
            (SLICE_BEGIN, EventTargetKind::Track { .. }) => 'b',
            (SLICE_END, EventTargetKind::Thread) => 'E',
            (SLICE_END, EventTargetKind::Track { .. }) => 'e',
            (INSTANT | STATE, EventTargetKind::Thread) => 'i',
            (INSTANT, EventTargetKind::Track { .. }) => 'n',
            _ => {
                self.omitted.add("track events of unknown type");
                return;
            }
        };
        self.begin(phase, ts, place);
        if let Some(legacy) = event.legacy {
            Legacy::read(legacy).write_flow(&mut self.out);
        }
        if let Some(ran) = ran {
            self.out.push_str(",\"tts\":");
            micros(&mut self.out, ran);
        }
        self.end_event(packet, event);
    }

    /// Starts an event with phase, time and track.
    pub(super) fn begin(&mut self, phase: char, ts: i64, place: &EventTarget) {
        self.begin_event(phase, ts);
        self.out.push_str(&place.owner);
        if let EventTargetKind::Track { id } = &place.kind {
            self.out.push_str(id);
        }
    }

    /// Ends an event with names, flows and arguments.
    pub(super) fn end_event(&mut self, packet: &Packet<'_>, event: &TrackEvent<'_>) {
        let Some(sequence) = self.sequences.get(&packet.sequence) else { return };
        event.write_categories(&mut self.out, sequence);
        event.write_name(&mut self.out, sequence);
        event.write_flows(&mut self.out);
        if event.has_args {
            args::write(&mut self.out, event.message, sequence, &self.facts.schema);
        }
        self.out.push('}');
    }

    /// Writes a state, which lasts until the next state of its track.
    fn state(&mut self, packet: &Packet<'_>, event: &TrackEvent<'_>, ts: i64, place: &EventTarget) {
        let track = event.track.or_else(|| self.sequence(packet).defaults.track).unwrap_or_default();
        if self.open_states.remove(&track) {
            self.begin('e', ts, place);
            self.out.push('}');
        }
        // A state without a name only ends the previous one.
        if event.has_name {
            self.open_states.insert(track);
            self.begin('b', ts, place);
            self.end_event(packet, event);
        }
    }

    fn counter_event(&mut self, packet: &Packet<'_>, event: &TrackEvent<'_>, ts: i64, place: &EventTarget) {
        let EventTargetKind::Counter { name, counter } = &place.kind else {
            self.omitted.add("counter values on tracks that are not counters");
            return;
        };
        let track = event.track.or_else(|| self.sequence(packet).defaults.track).unwrap_or_default();
        let value = match (event.value, event.double) {
            (Some(value), _) => Value::Whole(self.sequence(packet).count(track, counter.is_incremental, value)),
            (None, Some(double)) => Value::Double(self.sequence(packet).sum(track, counter.is_incremental, double)),
            (None, None) => return,
        };
        self.begin_event('C', ts);
        self.out.push_str(&place.owner);
        self.out.push_str(name);
        let Some(sequence) = self.sequences.get(&packet.sequence) else { return };
        event.write_categories(&mut self.out, sequence);
        self.value(value, counter);
    }

    /// Ends the event of a counter with its value.
    fn value(&mut self, value: Value, counter: &Counter) {
        self.out.push_str(",\"args\":{\"value\":");
        match (value, counter.multiplier) {
            (Value::Whole(value), multiplier) => integer(&mut self.out, value.saturating_mul(multiplier)),
            #[expect(clippy::cast_precision_loss, reason = "multipliers are powers of ten")]
            (Value::Double(value), multiplier) => float(&mut self.out, value * multiplier as f64),
        }
        self.out.push_str("}}");
    }

    /// Reads the extra counter values of an event. Returns the CPU time of its thread in ns; all other values become
    /// counter events.
    fn extra_counters(
        &mut self,
        packet: &Packet<'_>,
        event: &TrackEvent<'_>,
        ts: i64,
        place: &EventTarget,
    ) -> Option<i64> {
        if event.ran_delta_us.is_some() || event.ran_us.is_some() {
            let sequence = self.sequence(packet);
            sequence.ran_us = match (event.ran_delta_us, event.ran_us) {
                (Some(delta), _) => sequence.ran_us.saturating_add(delta),
                (None, ran) => return ran.map(|ran| ran.saturating_mul(1000)),
            };
            return Some(sequence.ran_us.saturating_mul(1000));
        }
        if !event.has_extra_counters {
            return None;
        }
        let (mut tracks, mut double_tracks) = (Vec::new(), Vec::new());
        let (mut values, mut doubles) = (Vec::new(), Vec::new());
        for field in Fields::new(event.message) {
            match field.number {
                12 => values.extend(field.numbers().map(|value| Value::Whole(value.cast_signed()))),
                31 => tracks.extend(field.numbers()),
                45 => double_tracks.extend(field.numbers()),
                46 => doubles.extend(field.words().map(|word| Value::Double(f64::from_bits(word)))),
                _ => {}
            }
        }
        let defaults = &self.sequence(packet).defaults;
        for (own, usual, count) in [
            (&mut tracks, &defaults.counters, values.len()),
            (&mut double_tracks, &defaults.double_counters, doubles.len()),
        ] {
            if own.is_empty() {
                own.extend(usual.iter().take(count));
            }
        }
        let mut ran = None;
        for (track, value) in tracks.into_iter().zip(values).chain(double_tracks.into_iter().zip(doubles)) {
            let facts = self.facts;
            let Some(counter) = facts.tracks.counter(track) else { continue };
            let value = match value {
                Value::Whole(stated) => {
                    Value::Whole(self.sequence(packet).count(track, counter.is_incremental, stated))
                }
                Value::Double(stated) => {
                    Value::Double(self.sequence(packet).sum(track, counter.is_incremental, stated))
                }
            };
            match value {
                Value::Whole(value) if counter.is_thread_time && matches!(place.kind, EventTargetKind::Thread) => {
                    ran = Some(value.saturating_mul(counter.multiplier));
                }
                // Thread time only applies to slices of the thread.
                _ if counter.is_thread_time => {}
                value => {
                    let place = self.place(track, "");
                    if let EventTargetKind::Counter { name, counter } = &place.kind {
                        self.begin_event('C', ts);
                        self.out.push_str(&place.owner);
                        self.out.push_str(name);
                        self.value(value, counter);
                    }
                }
            }
        }
        ran
    }
}

/// A counter value.
#[derive(Clone, Copy, Debug)]
enum Value {
    Whole(i64),
    Double(f64),
}
