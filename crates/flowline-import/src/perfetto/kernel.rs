//! Converts Linux kernel events: scheduling and CPU frequencies. `printed` converts the lines that programs print to
//! the kernel trace.

use std::sync::Arc;

use super::event::{Args, Owner, OwnerId, TraceEvent};
use super::json_text::{integer, string, text};
use super::output::Output;
use super::packet::distance;
use super::scheduling::Running;
use super::thread_names::MAX_NAME;
use super::wire::{Field, Fields};
use super::writer::{Writer, emit};
use flowline_profile::CPUS_PID;

/// Process id of the CPU tracks.
fn cpus() -> OwnerId {
    OwnerId::Name(CPUS_PID.into())
}

/// Bundle clock without adjustments.
const RAW_CLOCK: u64 = 4;

/// A context switch.
struct Switch {
    ts: i64,
    /// Kernel state of the previous thread.
    state: i64,
    tid: i64,
    priority: i64,
    name: String,
}

impl<O: Output> Writer<'_, O> {
    /// Writes a bundle of events of one CPU.
    pub(super) fn kernel_events(&mut self, bundle: &[u8]) {
        let (mut cpu, mut clock, mut own, mut boot) = (0, 0, None, None);
        for field in Fields::new(bundle) {
            match field.number {
                1 => cpu = super::packet::id(&field),
                5 => clock = field.number(),
                6 => own = Some(field.signed()),
                7 => boot = Some(field.signed()),
                _ => {}
            }
        }
        // The default kernel clock counts since boot. For other clocks, the first bundle with both times defines the
        // offset.
        let shift = match (clock, own.zip(boot)) {
            (0, _) => 0,
            (_, Some((own, boot))) => *self.state.cpus.shift.get_or_insert_with(|| boot.saturating_sub(own)),
            (_, None) => self.state.cpus.shift.unwrap_or_default(),
        };
        let clocks = &self.facts.clocks;
        let time = |stated: i64| match clock {
            RAW_CLOCK => clocks.raw_to_trace(stated),
            _ => clocks.kernel_to_trace(stated.saturating_add(shift)),
        };
        let mut others = Vec::new();
        let start = self.place;
        for field in Fields::new(bundle) {
            match field.number {
                2 => {
                    self.place = start + distance(bundle, field.bytes());
                    self.kernel_event(cpu, field, &time);
                }
                4 => others.push(field),
                _ => {}
            }
        }
        for field in others {
            self.place = start + distance(bundle, field.bytes());
            self.compact_switches(cpu, field, &time);
        }
    }

    fn kernel_event(&mut self, cpu: u32, event: Field<'_>, time: &impl Fn(i64) -> i64) {
        let (mut ts, mut tid) = (0, 0);
        let mut what = None;
        for field in event.message() {
            match field.number {
                1 => ts = time(field.signed()),
                2 => tid = field.signed(),
                5 => {}
                _ => what = Some(field),
            }
        }
        let Some(what) = what else { return };
        self.state.cpus.last = self.state.cpus.last.max(ts);
        match what.number {
            3 => {
                let line = what.message().field(2).map(|line| text(line.bytes()).into_owned()).unwrap_or_default();
                self.print(ts, tid, line.trim_end_matches(['\n', '\0']));
            }
            4 => {
                let (mut switch, mut before) = (Switch { ts, state: 0, tid: 0, priority: 0, name: String::new() }, 0);
                for field in what.message() {
                    match field.number {
                        2 => before = field.signed(),
                        4 => switch.state = field.signed(),
                        5 if field.bytes().len() <= MAX_NAME => switch.name = text(field.bytes()).into_owned(),
                        6 => switch.tid = field.signed(),
                        7 => switch.priority = field.signed(),
                        _ => {}
                    }
                }
                // A different thread was running, so events were lost.
                if self.state.cpus.running.get(&cpu).is_some_and(|running| running.tid != before) {
                    self.state.cpus.running.remove(&cpu);
                }
                self.switch(cpu, Some(before), switch);
            }
            11 | 13 => {
                let (mut state, mut of) = (0, cpu);
                for field in what.message() {
                    match field.number {
                        1 => state = field.signed(),
                        2 => of = super::packet::id(&field),
                        _ => {}
                    }
                }
                let is_frequency = what.number == 11;
                // All bits set means that the CPU left the idle state.
                let state = if !is_frequency && state == i64::from(u32::MAX) { -1 } else { state };
                self.name_cpu(of);
                let name = if is_frequency { "frequency" } else { "idle state" };
                let unit = if is_frequency { "kHz" } else { "" };
                self.counter(ts, cpus(), &format!("CPU {of} {name}"), unit, state);
            }
            20 | 114 => {
                let woken = what.message().field(2).map_or(0, |woken| woken.signed());
                if O::DERIVED {
                    self.scheduling.wake((ts, cpu), Some(tid), woken);
                }
            }
            236 => self.rename(what),
            // The waking event already covers the wake-up; the other events begin or end threads.
            17 | 235 | 237..=240 => {}
            _ => self.omit("unsupported kernel events"),
        }
    }

    /// Reads context switches stored as columns. Each time is a delta to the previous one.
    fn compact_switches(&mut self, cpu: u32, compact: Field<'_>, time: &impl Fn(i64) -> i64) {
        let (mut times, mut states, mut tids, mut priorities) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut names, mut name_numbers) = (Vec::new(), Vec::new());
        let (mut wake_times, mut woken) = (Vec::new(), Vec::new());
        for field in compact.message() {
            let signed = field.numbers().map(u64::cast_signed);
            match field.number {
                1 => times.extend(signed),
                2 => states.extend(signed),
                3 => tids.extend(signed),
                4 => priorities.extend(signed),
                5 if field.bytes().len() > MAX_NAME => names.push(String::new()),
                5 => names.push(text(field.bytes()).into_owned()),
                6 => name_numbers.extend(field.numbers()),
                7 => wake_times.extend(signed),
                8 => woken.extend(signed),
                _ => {}
            }
        }
        let mut now = 0_i64;
        for (difference, woken) in wake_times.into_iter().zip(woken) {
            now = now.saturating_add(difference);
            if O::DERIVED {
                self.scheduling.wake((time(now), cpu), None, woken);
            }
        }
        now = 0;
        for (at, (difference, tid)) in times.into_iter().zip(tids).enumerate() {
            if self.is_stopped() {
                return;
            }
            now = now.saturating_add(difference);
            let name = name_numbers.get(at).and_then(|number| names.get(usize::try_from(*number).ok()?));
            let of = |list: &[i64]| list.get(at).copied().unwrap_or_default();
            let ts = time(now);
            self.state.cpus.last = self.state.cpus.last.max(ts);
            let (state, priority) = (of(&states), of(&priorities));
            self.switch(cpu, None, Switch { ts, state, tid, priority, name: name.cloned().unwrap_or_default() });
        }
    }

    /// Switches a CPU to another thread. `before` is the previous thread, if the event contains it.
    fn switch(&mut self, cpu: u32, before: Option<i64>, switch: Switch) {
        let Switch { ts, state, tid, priority, name } = switch;
        let before = before.or_else(|| self.state.cpus.running.get(&cpu).map(|running| running.tid));
        if O::DERIVED {
            self.scheduling.switch((ts, cpu), before, state, tid);
        }
        if !name.is_empty() && self.state.cpus.names.get(&tid) != Some(&name) {
            Arc::make_mut(&mut self.state.cpus.names).insert(tid, name);
        }
        let next = Running { since: ts, tid, priority };
        if let Some(running) = self.state.cpus.running.insert(cpu, next) {
            self.ran(cpu, &running, ts, Some(state));
        }
    }

    /// Writes the run of a thread on a CPU. Idle CPUs have gaps.
    fn ran(&mut self, cpu: u32, running: &Running, until: i64, state: Option<i64>) {
        if running.tid == 0 || until < running.since {
            return;
        }
        self.name_cpu(cpu);
        // Their arguments depend on earlier switches of the CPU.
        if !O::DERIVED {
            return;
        }
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
                string(out, state_text(state).as_bytes());
            }
            out.push('}');
        };
        let owner = Owner { process: cpus(), thread: Some(OwnerId::Number(cpu.into())) };
        let event = TraceEvent {
            duration: Some(until.saturating_sub(running.since)),
            categories: "sched".into(),
            name: Some(self.name_of(running.tid).unwrap_or_default().into()),
            args: Args::Made(&args),
            ..TraceEvent::new(b'X', running.since, &owner)
        };
        emit(&mut self.output, facts, &mut self.place, &event);
    }

    /// Ends all running slices at the last event of the trace.
    pub(super) fn end_scheduling(&mut self) {
        let mut running: Vec<(u32, Running)> = std::mem::take(&mut self.state.cpus.running).into_iter().collect();
        running.sort_by_key(|(cpu, _)| *cpu);
        let last = self.state.cpus.last;
        for (cpu, running) in running.into_iter().filter(|(_, running)| running.since < last) {
            self.ran(cpu, &running, last, None);
        }
        if O::DERIVED {
            self.thread_states(last);
        }
    }

    fn name_cpu(&mut self, cpu: u32) {
        if !O::NAMES {
            return;
        }
        if self.named_cpus.is_empty() {
            let owner = Owner { process: cpus(), thread: None };
            self.name(&owner, ["process_name", "process_sort_index"], "CPUs", Some(-1));
        }
        if self.named_cpus.insert(cpu) {
            let owner = Owner { process: cpus(), thread: Some(OwnerId::Number(cpu.into())) };
            self.name(&owner, ["thread_name", "thread_sort_index"], &format!("CPU {cpu}"), Some(i64::from(cpu)));
        }
    }
}

/// Formats a kernel thread state with the kernel's letters.
fn state_text(state: i64) -> String {
    const LETTERS: [(i64, char); 11] = [
        (1, 'S'),
        (2, 'D'),
        (4, 'T'),
        (8, 't'),
        (16, 'X'),
        (32, 'Z'),
        (64, 'x'),
        (128, 'K'),
        (256, 'W'),
        (512, 'P'),
        (1024, 'N'),
    ];
    const PREEMPTED: i64 = 2048;
    let letters: String = LETTERS.iter().filter(|(bit, _)| state & bit != 0).map(|(_, letter)| letter).collect();
    match (letters.is_empty(), state) {
        (true, state) if state & PREEMPTED != 0 => "R+".into(),
        (true, _) => "R".into(),
        (false, _) => letters,
    }
}
