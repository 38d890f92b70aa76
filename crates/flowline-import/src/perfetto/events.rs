//! Converts track events to trace events: slices, instants, states and counter values.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::counter_number::CounterNumber;
use super::event::{Args, TraceEvent};
use super::first_pass::Facts;
use super::legacy::Legacy;
use super::output::Output;
use super::packet::Packet;
use super::track_event::TrackEvent;
use super::tracks::{Counter, EventTarget, EventTargetKind};
use super::wire::Fields;
use super::writer::{Writer, emit};

/// Types of track events.
const SLICE_BEGIN: u64 = 1;
const SLICE_END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;
const STATE: u64 = 5;

impl<'f, O: Output> Writer<'f, O> {
    /// Writes a track event. `time` is the time of its packet.
    pub(super) fn track_event(&mut self, packet: &Packet<'_>, time: Option<i64>, message: &[u8]) {
        let event = TrackEvent::read(message);
        self.has_stacks |= event.has_stack;
        let Some(ts) = self.time_of(packet, time, &event) else {
            self.omit("track events without a time");
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
        self.keep_cpu_time(ran_ns);
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
            (Some(delta), _) => sequence.bases.pass(delta)?,
            (None, Some(absolute)) => absolute,
            (None, None) => return time,
        };
        Some(self.facts.clocks.legacy_to_trace(micros.saturating_mul(1000)))
    }

    /// Returns the name of an event.
    fn name_text(&self, packet: &Packet<'_>, event: &TrackEvent<'_>) -> String {
        let sequence = self.state.sequences.known(packet.sequence);
        sequence.and_then(|sequence| event.name(sequence)).map(Cow::into_owned).unwrap_or_default()
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
            (_, EventTargetKind::Counter { .. }) => return self.omit("slices on counter tracks"),
            (STATE, EventTargetKind::Track { .. }) => return self.enter_state(packet, event, ts, place),
            (SLICE_BEGIN, EventTargetKind::Thread) => b'B',
            (SLICE_BEGIN, EventTargetKind::Track { .. }) => b'b',
            (SLICE_END, EventTargetKind::Thread) => b'E',
            (SLICE_END, EventTargetKind::Track { .. }) => b'e',
            (INSTANT | STATE, EventTargetKind::Thread) => b'i',
            (INSTANT, EventTargetKind::Track { .. }) => b'n',
            _ => return self.omit("track events of unknown type"),
        };
        if !O::EVENTS {
            return;
        }
        let binding = event.legacy.and_then(|legacy| Legacy::read(legacy).binding());
        let id = place.id();
        self.track_event_of(packet, event, TraceEvent { id, ran, binding, ..TraceEvent::new(phase, ts, &place.owner) });
    }

    /// Passes an event on with its names, flows and arguments.
    pub(super) fn track_event_of(&mut self, packet: &Packet<'_>, event: &TrackEvent<'_>, stated: TraceEvent<'_>) {
        let own_place = self.own_place();
        let Self { state, output, facts, .. } = self;
        let Some(sequence) = state.sequences.known(packet.sequence) else { return };
        let stated = TraceEvent {
            categories: event.categories(sequence),
            name: event.name(sequence).or(stated.name),
            flows: event.flows(),
            args: match (event.has_annotations, event.has_args) {
                (true, _) => Args::Annotated(event.message, sequence),
                (_, true) => Args::Event(event.message, sequence),
                _ if event.has_stack => Args::Event(event.message, sequence),
                _ => Args::None,
            },
            has_stack: event.has_stack,
            ..stated
        };
        output.event(&stated, facts, own_place);
    }

    /// Enters a state, which lasts until the next state of its track.
    fn enter_state(&mut self, packet: &Packet<'_>, event: &TrackEvent<'_>, ts: i64, place: &EventTarget) {
        let track = event.track.or_else(|| self.sequence(packet).defaults.track).unwrap_or_default();
        let id = place.id();
        let was_open = self.state.open_states.insert(track, event.has_name) == Some(true);
        if was_open && O::EVENTS {
            let end = TraceEvent { id, ..TraceEvent::new(b'e', ts, &place.owner) };
            emit(&mut self.output, self.facts, &mut self.place, &end);
        }
        // A state without a name only ends the previous one.
        if event.has_name && O::EVENTS {
            let begin = TraceEvent { id, ..TraceEvent::new(b'b', ts, &place.owner) };
            self.track_event_of(packet, event, begin);
        }
    }

    fn counter_event(&mut self, packet: &Packet<'_>, event: &TrackEvent<'_>, ts: i64, place: &EventTarget) {
        let EventTargetKind::Counter { counter, .. } = &place.kind else {
            return self.omit("counter values on tracks that are not counters");
        };
        let track = event.track.or_else(|| self.sequence(packet).defaults.track).unwrap_or_default();
        let whole = event.value.map(CounterNumber::Whole);
        let Some(stated) = whole.or(event.double.map(CounterNumber::Double)) else { return };
        let value = if counter.is_incremental { self.sequence(packet).bases.add(track, stated) } else { stated };
        if O::EVENTS {
            let Some(sequence) = self.state.sequences.known(packet.sequence) else { return };
            let categories = event.categories(sequence);
            value_event((&mut self.output, self.facts, &mut self.place), ts, place, categories, value);
        }
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
            let ran = match event.ran_delta_us {
                Some(delta) => self.sequence(packet).bases.run(delta),
                None => event.ran_us?,
            };
            return Some(ran.saturating_mul(1000));
        }
        if !event.has_extra_counters {
            let value = CounterNumber::Whole(event.extra_value?);
            let track = *self.sequence(packet).defaults.counters.first()?;
            return self.extra_counter(packet, (ts, place), track, value);
        }
        let (mut tracks, mut double_tracks) = (SmallVec::<[u64; 4]>::new(), SmallVec::<[u64; 4]>::new());
        let (mut values, mut doubles) = (SmallVec::<[CounterNumber; 4]>::new(), SmallVec::<[CounterNumber; 4]>::new());
        for field in Fields::new(event.message) {
            match field.number {
                12 => values.extend(field.numbers().map(|value| CounterNumber::Whole(value.cast_signed()))),
                31 => tracks.extend(field.numbers()),
                45 => double_tracks.extend(field.numbers()),
                46 => doubles.extend(field.words().map(|word| CounterNumber::Double(f64::from_bits(word)))),
                _ => {}
            }
        }
        let defaults = &self.sequence(packet).defaults;
        for (own, usual, count) in [
            (&mut tracks, &defaults.counters, values.len()),
            (&mut double_tracks, &defaults.double_counters, doubles.len()),
        ] {
            if own.is_empty() {
                own.extend(usual.iter().copied().take(count));
            }
        }
        let mut ran = None;
        for (track, value) in tracks.into_iter().zip(values).chain(double_tracks.into_iter().zip(doubles)) {
            ran = self.extra_counter(packet, (ts, place), track, value).or(ran);
        }
        ran
    }

    /// Reads the value of an extra counter. Returns it if it is the CPU time of the thread.
    fn extra_counter(
        &mut self,
        packet: &Packet<'_>,
        (ts, place): (i64, &EventTarget),
        track: u64,
        stated: CounterNumber,
    ) -> Option<i64> {
        let counter = self.counter_track(track)?;
        let sequence = self.sequence(packet);
        let value = if counter.is_incremental { sequence.bases.add(track, stated) } else { stated };
        if counter.is_thread_time {
            // Thread time only applies to slices of the thread.
            return match value {
                CounterNumber::Whole(value) if matches!(place.kind, EventTargetKind::Thread) => {
                    Some(value.saturating_mul(counter.multiplier))
                }
                CounterNumber::Whole(_) | CounterNumber::Double(_) => None,
            };
        }
        let place = self.place(track, "");
        if O::EVENTS {
            let output = (&mut self.output, self.facts, &mut self.place);
            value_event(output, ts, &place, Cow::Borrowed(""), value);
        }
        None
    }

    /// Returns the counter of a track.
    fn counter_track(&mut self, track: u64) -> Option<&'f Counter> {
        if let Some((last, counter)) = self.last_counter
            && last == track
        {
            return Some(counter);
        }
        let counter = self.facts.tracks.counter(track)?;
        self.last_counter = Some((track, counter));
        Some(counter)
    }
}

/// Passes on a value of a counter; events of other tracks are none.
fn value_event<O: Output>(
    (output, facts, place): (&mut O, &Facts, &mut u64),
    ts: i64,
    target: &EventTarget,
    categories: Cow<'_, str>,
    value: CounterNumber,
) {
    let EventTargetKind::Counter { name, counter, .. } = &target.kind else { return };
    let event = TraceEvent {
        id: target.id(),
        name: Some(Cow::Borrowed(name)),
        unit: &counter.unit,
        categories,
        args: Args::Value(value.times(counter.multiplier)),
        ..TraceEvent::new(b'C', ts, &target.owner)
    };
    emit(output, facts, place, &event);
}
