//! Reads bundles of Linux kernel events and passes each event (`FtraceEvent`: fields 1 time, 2 thread, 5 flags, and one
//! field with the event) to the code for its kind. `print_events` converts the lines that programs print to the kernel
//! trace.

use super::bundle::Bundle;
use super::compact_events::CompactEvents;
use super::kinds::kernel_kind;
use crate::perfetto::output::Output;
use crate::perfetto::packet::{Packet, distance};
use crate::perfetto::wire::Field;
use crate::perfetto::writer::Writer;

/// Events before the time from which all CPUs have events.
pub(in crate::perfetto) const BEFORE_DATA: &str = "kernel events before those of all CPUs begin";

impl<O: Output> Writer<'_, O> {
    /// Writes a bundle of events of one CPU.
    pub(in crate::perfetto) fn kernel_events(&mut self, packet: &Packet<'_>, bundle: &[u8]) {
        let read = Bundle::read(bundle);
        let clock = read.clock(self.facts.kernel.shift);
        let cpu = read.cpu;
        if read.follows_loss && O::DERIVED {
            self.lose_events(cpu);
        }
        let clocks = &self.facts.clocks;
        let time = |stated: i64| clock.to_trace(clocks, stated);
        let mut compact = Vec::new();
        let start = self.place;
        for field in read.fields() {
            match field.number {
                2 => {
                    self.place = start + distance(bundle, field.bytes());
                    self.kernel_event(packet, cpu, field, &time);
                }
                4 if O::DERIVED => compact.push(field),
                _ => {}
            }
        }
        for field in compact {
            self.compact_events(cpu, &CompactEvents::read(field), &time);
        }
    }

    fn kernel_event(&mut self, packet: &Packet<'_>, cpu: u32, event: Field<'_>, time: &impl Fn(i64) -> i64) {
        let (mut ts, mut tid, mut flags) = (0, 0, 0);
        let mut what = None;
        for field in event.message() {
            match field.number {
                1 => ts = time(field.signed()),
                2 => tid = field.signed(),
                5 => flags = field.number(),
                _ => what = Some(field),
            }
        }
        let Some(what) = what else { return };
        if ts < self.facts.kernel.starts_at {
            self.omit(BEFORE_DATA);
            return;
        }
        if O::DERIVED {
            self.scheduling.reach(cpu, ts);
        }
        match what.number {
            3 => self.print((ts, tid), what),
            4 if O::DERIVED => self.sched_switch((ts, cpu), what),
            11 | 13 => self.cpu_counter((ts, cpu), what),
            12 => self.frequency_limits((ts, cpu), what),
            14..=16 => self.clock_counter((ts, cpu), what),
            24 | 25 | 36 | 37 => self.interrupt((ts, cpu), what),
            57 | 58 => self.work_item(packet, (ts, tid), what),
            328 => self.memory_events((ts, tid), what),
            329 | 330 => self.system_call((ts, tid), what),
            332 => self.gpu_frequency((ts, cpu), what),
            20 | 114 if O::DERIVED => {
                let woken = what.message().field(2).map_or(0, |woken| woken.signed());
                self.scheduling.wake((ts, cpu), Some(tid), woken, flags);
            }
            235 if O::DERIVED => self.new_task((ts, cpu), tid, what),
            326 => self.oom_score(ts, what),
            18 if O::DERIVED => self.blocked_reason(packet, (ts, cpu), what),
            // Only the reader of the whole trace needs scheduling. The waking event already covers the wake-up; the other
            // events name or end threads.
            4 | 17 | 18 | 20 | 114 | 235..=240 => {}
            other => self.omit(kernel_kind(other)),
        }
    }

    /// Reads the creation of a task (`task_newtask`, field 1 `pid`): it can run from then on.
    fn new_task(&mut self, at: (i64, u32), creator: i64, event: Field<'_>) {
        let task = event.message().field(1).map_or(0, |task| task.signed());
        self.scheduling.wake(at, Some(creator), task, 0);
    }

    /// Reads why a thread slept: `sched_blocked_reason`, with fields 1 `pid`, 2 `caller` (an interned symbol of the
    /// kernel) and 3 `io_wait`.
    fn blocked_reason(&mut self, packet: &Packet<'_>, at: (i64, u32), event: Field<'_>) {
        let (mut tid, mut caller, mut by_io) = (0, 0, false);
        for field in event.message() {
            match field.number {
                1 => tid = field.signed(),
                2 => caller = field.number(),
                3 => by_io = field.is_true(),
                _ => {}
            }
        }
        let sequence = self.state.sequences.known(packet.sequence);
        let function = sequence.and_then(|sequence| sequence.kernel_symbols.get(&caller));
        self.scheduling.block(at, tid, by_io, function.map(|function| &**function));
    }
}
