//! Converts stack samples. Frames become the `stackFrames` member of the text, and each sample becomes an event that
//! refers to its innermost frame.

use std::sync::Arc;

use super::event::TraceEvent;
use super::output::Output;
use super::packet::Packet;
use super::wire::Fields;
use super::writer::{Writer, emit};

impl<O: Output> Writer<'_, O> {
    /// Writes a perf sample.
    pub(super) fn perf_sample(&mut self, packet: &Packet<'_>, time: Option<i64>, message: &[u8]) {
        const SKIPPED: u64 = 18;
        let (mut pid, mut tid, mut stack) = (0, 0, 0);
        for field in Fields::new(message) {
            match field.number {
                2 => pid = field.signed(),
                3 => tid = field.signed(),
                4 => stack = field.number(),
                // A skipped sample, or an event of the profiler itself.
                SKIPPED | 19 => return,
                _ => {}
            }
        }
        match time {
            Some(ts) => self.sample(packet, ts, (pid, tid), stack),
            None => self.omit_derived("CPU samples without a time"),
        }
    }

    /// Writes the samples that a thread recorded of itself.
    pub(super) fn streaming_profile(&mut self, packet: &Packet<'_>, time: Option<i64>, message: &[u8]) {
        let (mut stacks, mut differences) = (Vec::new(), Vec::new());
        for field in Fields::new(message) {
            match field.number {
                1 => stacks.extend(field.numbers()),
                2 => differences.extend(field.numbers().map(u64::cast_signed)),
                _ => {}
            }
        }
        let sequence = self.sequence(packet);
        let Some(thread) = sequence.thread else { return self.omit_derived("CPU samples of an unknown thread") };
        let mut ts = match sequence.bases.now_us() {
            Some(now) => self.facts.clocks.legacy_to_trace(now.saturating_mul(1000)),
            None => time.unwrap_or_default(),
        };
        let mut passed = 0_i64;
        for (stack, difference) in stacks.into_iter().zip(differences) {
            passed = passed.wrapping_add(difference);
            ts = ts.saturating_add(difference.saturating_mul(1000));
            self.sample(packet, ts, thread, stack);
        }
        self.sequence(packet).bases.pass(passed);
    }

    fn sample(&mut self, packet: &Packet<'_>, ts: i64, thread: (i64, i64), stack: u64) {
        if !O::DERIVED {
            return;
        }
        let place = self.thread_target(thread);
        let sequence = self.state.sequences.of(packet.sequence);
        let Some(frame) = Arc::make_mut(&mut sequence.stacks).innermost(stack, &self.facts.symbols, &mut self.frames)
        else {
            self.omit_derived("CPU samples without a stack");
            return;
        };
        let event =
            TraceEvent { name: Some("sample".into()), frame: Some(frame), ..TraceEvent::new(b'P', ts, &place.owner) };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }
}
