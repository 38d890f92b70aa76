//! The rows of CPUs with the threads that run on them, from context switches.

use super::compact_events::CompactEvents;
use super::scheduling::Running;
use crate::perfetto::event::{Args, Owner, OwnerId, TraceEvent};
use crate::perfetto::json_text::{integer, string};
use crate::perfetto::output::Output;
use crate::perfetto::wire::Field;
use crate::perfetto::writer::{Writer, emit};
use flowline_profile::CPUS_PID;

/// Process id of the tracks of CPUs.
pub(in crate::perfetto) fn cpus() -> OwnerId {
    OwnerId::Name(CPUS_PID.into())
}

/// A context switch.
struct Switch {
    ts: i64,
    /// Kernel state of the previous thread.
    state: i64,
    tid: i64,
    priority: i64,
}

impl<O: Output> Writer<'_, O> {
    /// Reads a context switch: `sched_switch`, with fields 2 `prev_pid`, 4 `prev_state`, 6 `next_pid`, 7 `next_prio`.
    pub(in crate::perfetto) fn sched_switch(&mut self, (ts, cpu): (i64, u32), event: Field<'_>) {
        let (mut switch, mut before) = (Switch { ts, state: 0, tid: 0, priority: 0 }, 0);
        for field in event.message() {
            match field.number {
                2 => before = field.signed(),
                4 => switch.state = field.signed(),
                6 => switch.tid = field.signed(),
                7 => switch.priority = field.signed(),
                _ => {}
            }
        }
        self.switch(cpu, Some(before), &switch);
    }

    /// Reads switches and wake-ups stored as columns.
    pub(in crate::perfetto) fn compact_events(
        &mut self,
        cpu: u32,
        events: &CompactEvents<'_>,
        time: &impl Fn(i64) -> i64,
    ) {
        for woken in events.wake_ups() {
            let ts = time(woken.ts);
            if !self.precedes_data(ts) {
                self.scheduling.wake((ts, cpu), None, woken.woken, woken.flags);
            }
        }
        for next in events.switches() {
            if self.is_stopped() {
                return;
            }
            let (ts, state, tid, priority) = (time(next.ts), next.state, next.tid, next.priority);
            if !self.precedes_data(ts) {
                self.scheduling.reach(cpu, ts);
                self.switch(cpu, None, &Switch { ts, state, tid, priority });
            }
        }
    }

    /// Returns true for a time at which some CPUs have no events yet, and counts the event.
    fn precedes_data(&mut self, ts: i64) -> bool {
        let precedes = ts < self.facts.kernel.starts_at;
        if precedes {
            self.omit_derived(super::kernel_events::BEFORE_DATA);
        }
        precedes
    }

    /// Switches a CPU to another thread. `before` is the previous thread, if the event contains it.
    fn switch(&mut self, cpu: u32, before: Option<i64>, switch: &Switch) {
        let Switch { ts, state, tid, priority } = *switch;
        let running = self.scheduling.running.insert(cpu, Running { since: ts, tid, priority });
        let known = running.as_ref().map(|running| running.tid);
        self.scheduling.switch((ts, cpu), before.or(known), state, tid);
        if let Some(running) = running {
            // If another thread was running, switches were lost, and with them the state of this one.
            let is_end = before.is_none_or(|before| before == running.tid);
            self.ran(cpu, &running, ts, is_end.then_some(state));
        }
    }

    /// Ends the run of a CPU at its last event, because later events were lost.
    pub(in crate::perfetto) fn lose_events(&mut self, cpu: u32) {
        self.omit_derived("gaps with lost kernel events");
        let Some(last) = self.scheduling.last_of.get(&cpu).copied() else { return };
        self.scheduling.lose((last, cpu));
        if let Some(running) = self.scheduling.running.remove(&cpu) {
            self.ran(cpu, &running, last.max(running.since), None);
        }
    }

    /// Writes the run of a thread on a CPU. Idle CPUs have gaps.
    fn ran(&mut self, cpu: u32, running: &Running, until: i64, state: Option<i64>) {
        if running.tid == 0 || until < running.since {
            return;
        }
        self.name_cpu(cpu);
        let facts = self.facts;
        let pid = facts.process_of(running.tid);
        let process = pid.and_then(|pid| facts.processes.get(&pid)).map(|process| process.name.as_str());
        let args = |out: &mut String| {
            out.push_str("{\"tid\":");
            integer(out, running.tid);
            if let Some(pid) = pid {
                out.push_str(",\"pid\":");
                integer(out, pid);
            }
            if let Some(process) = process.filter(|name| !name.is_empty()) {
                out.push_str(",\"process\":");
                string(out, process.as_bytes());
            }
            out.push_str(",\"priority\":");
            integer(out, running.priority);
            if let Some(state) = state {
                out.push_str(",\"end_state\":");
                string(out, facts.kernel.states.letters(state).as_bytes());
            }
            out.push('}');
        };
        let owner = Owner { process: cpus(), thread: Some(OwnerId::Number(cpu.into())) };
        let event = TraceEvent {
            duration: Some(until.saturating_sub(running.since)),
            categories: "sched".into(),
            name: Some(facts.thread_name(running.tid).unwrap_or_default().into()),
            args: Args::Made(&args),
            ..TraceEvent::new(b'X', running.since, &owner)
        };
        emit(&mut self.output, facts, &mut self.place, &event);
    }

    /// Ends all running slices at the last event of the trace.
    pub(in crate::perfetto) fn end_scheduling(&mut self) {
        if !O::DERIVED {
            return;
        }
        let mut running: Vec<(u32, Running)> = std::mem::take(&mut self.scheduling.running).into_iter().collect();
        running.sort_by_key(|(cpu, _)| *cpu);
        let last = self.scheduling.last_of.values().copied().max().unwrap_or_default();
        for (cpu, running) in running.into_iter().filter(|(_, running)| running.since < last) {
            self.ran(cpu, &running, last, None);
        }
        self.thread_states(last);
    }

    /// Names the row of a CPU. Its interrupts follow it.
    pub(in crate::perfetto) fn name_cpu(&mut self, cpu: u32) {
        if !O::NAMES {
            return;
        }
        if self.named_cpus.is_empty() {
            let owner = Owner { process: cpus(), thread: None };
            self.name(&owner, ["process_name", "process_sort_index"], "CPUs", Some(-1));
        }
        if self.named_cpus.insert(cpu) {
            let owner = Owner { process: cpus(), thread: Some(OwnerId::Number(cpu.into())) };
            let index = 3 * i64::from(cpu);
            self.name(&owner, ["thread_name", "thread_sort_index"], &format!("CPU {cpu}"), Some(index));
        }
    }
}
