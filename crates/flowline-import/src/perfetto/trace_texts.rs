//! Shows the events of a trace as text. The packets before an event, back to a checkpoint, are read for the state that it
//! depends on.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::event::TraceEvent;
use super::first_pass::Facts;
use super::output::Output;
use super::packet::{self, distance};
use super::quiet_output::NoOutput;
use super::reader::TraceState;
use super::state::State;
use super::text_filter::TextFilter;
use super::text_output::write_event;
use super::writer::Writer;
use flowline_profile::text::Wanted;
use flowline_profile::{EventTexts, OWN_EVENT, Source, get_or_build};

/// Distance between two checkpoints in bytes, if a trace is read only for texts.
const SPACING: usize = 1 << 18;

/// Writes the event at one place.
struct OneEvent {
    place: u64,
    text: String,
}

impl Output for OneEvent {
    const NAMES: bool = false;
    const EVENTS: bool = true;
    const DERIVED: bool = false;

    fn metadata(&mut self, _text: &str) {}

    fn event(&mut self, event: &TraceEvent<'_>, facts: &Facts, place: u64) {
        if place == self.place {
            self.text.clear();
            write_event(&mut self.text, event, facts);
        }
    }

    fn advance(&mut self, _read: u64) {}
}

/// Passes each event on.
struct EachEvent<'e> {
    text: String,
    each: &'e mut dyn FnMut(u64, &str),
}

impl Output for EachEvent<'_> {
    const NAMES: bool = false;
    const EVENTS: bool = true;
    const DERIVED: bool = false;

    fn metadata(&mut self, _text: &str) {}

    fn event(&mut self, event: &TraceEvent<'_>, facts: &Facts, place: u64) {
        self.text.clear();
        write_event(&mut self.text, event, facts);
        (self.each)(place, &self.text);
    }

    fn advance(&mut self, _read: u64) {}
}

/// The state after a packet, to go on from there.
struct Reached {
    /// Offset of the next packet.
    next: usize,
    state: State,
}

/// The events of a trace.
pub(super) struct TraceTexts {
    trace: Source,
    state: OnceLock<TraceState>,
    /// Where readers stopped: most places are asked for in order.
    reached: Mutex<Vec<Reached>>,
}

impl std::fmt::Debug for TraceTexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TraceTexts").finish_non_exhaustive()
    }
}

impl TraceTexts {
    /// Shows the events of a trace whose state is known.
    pub(super) fn new(trace: Source, state: TraceState) -> Self {
        Self { trace, state: OnceLock::from(state), reached: Mutex::default() }
    }

    fn state(&self) -> &TraceState {
        get_or_build(&self.state, || TraceState::again(self.trace.bytes(), SPACING))
    }

    /// The state at or before a place, as near as possible.
    fn nearest(&self, trace: &TraceState, place: usize) -> Reached {
        let after = trace.checkpoints.partition_point(|checkpoint| checkpoint.at <= place);
        let checkpoint = &trace.checkpoints[after.saturating_sub(1)];
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |known: &Reached| (checkpoint.at..=place).contains(&known.next);
        let best = (0..reached.len()).filter(|at| fits(&reached[*at])).max_by_key(|at| reached[*at].next);
        match best {
            Some(at) => reached.swap_remove(at),
            None => Reached { next: checkpoint.at, state: checkpoint.state.clone() },
        }
    }

    fn keep(&self, stop: Reached) {
        let most = 2 * rayon::current_num_threads();
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        if reached.len() >= most {
            reached.remove(0);
        }
        reached.push(stop);
    }
}

/// The events of a trace. Its state is read when the first event is asked for.
#[must_use]
pub fn trace_texts(trace: Source) -> Arc<dyn EventTexts> {
    Arc::new(TraceTexts { trace, state: OnceLock::new(), reached: Mutex::default() })
}

impl EventTexts for TraceTexts {
    fn text_at(&self, place: u64) -> String {
        let (trace, bytes) = (self.state(), self.trace.bytes());
        let at = usize::try_from(place & !OWN_EVENT).unwrap_or(usize::MAX);
        let start = self.nearest(trace, at.min(trace.length));
        let mut writer = Writer::resumed((&trace.facts, &trace.targets), start.state, NoOutput);
        let (mut next, mut text) = (start.next, String::new());
        packet::each_in(bytes, start.next..trace.length, &mut |packet, packet_at| {
            let message = packet.message;
            let end = usize::try_from(distance(bytes, message)).unwrap_or(usize::MAX).saturating_add(message.len());
            // Damaged bytes may be between two packets.
            if packet_at > at {
                return false;
            }
            if at < end {
                let state = std::mem::take(&mut writer.state);
                let output = OneEvent { place, text: String::new() };
                let mut one = Writer::resumed((&trace.facts, &trace.targets), state, output);
                one.packet(packet, packet_at as u64);
                text = one.output.text;
                writer.state = one.state;
            } else {
                writer.packet(packet, packet_at as u64);
            }
            next = end;
            end <= at
        });
        self.keep(Reached { next, state: writer.state });
        text
    }

    fn args_at(&self, place: u64) -> Option<String> {
        let at = usize::try_from(place & !OWN_EVENT).ok()?;
        (place & OWN_EVENT != 0).then(|| self.state().args_at(self.trace.bytes(), at))
    }

    fn cpu_time_at(&self, place: u64) -> Option<i64> {
        self.state().cpu_time_at(self.trace.bytes(), place & !OWN_EVENT)
    }

    fn cpu_duration_at(&self, place: u64) -> Option<i64> {
        self.state().cpu_duration_at(self.trace.bytes(), place & !OWN_EVENT)
    }

    fn has_stacks(&self) -> bool {
        self.state().has_stacks
    }

    fn each_in(&self, part: Range<u64>, each: &mut dyn FnMut(u64, &str)) {
        let (trace, bytes) = (self.state(), self.trace.bytes());
        let [start, end] = [part.start, part.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX).min(trace.length));
        let first = self.nearest(trace, start);
        let mut writer = Writer::resumed((&trace.facts, &trace.targets), first.state, NoOutput);
        packet::each_in(bytes, first.next..start, &mut |packet, at| {
            writer.packet(packet, at as u64);
            true
        });
        let state = std::mem::take(&mut writer.state);
        let output = EachEvent { text: String::new(), each };
        let mut writer = Writer::resumed((&trace.facts, &trace.targets), state, output);
        packet::each_in(bytes, start..end, &mut |packet, at| {
            writer.packet(packet, at as u64);
            true
        });
    }

    fn part_filter<'a>(&'a self, wanted: Wanted<'a>) -> Box<dyn Fn(Range<u64>) -> bool + Sync + 'a> {
        let filter = TextFilter::new(self.state(), self.trace.bytes(), wanted);
        Box::new(move |part| filter.may_contain(part))
    }

    fn parts(&self) -> Vec<u64> {
        let trace = self.state();
        trace.checkpoints.iter().map(|checkpoint| checkpoint.at as u64).chain([trace.length as u64]).collect()
    }

    fn recording(&self) -> &Source {
        &self.trace
    }
}
