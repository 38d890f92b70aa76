//! Events of the Linux kernel: which thread runs on which processor, frequencies, and what programs print into the kernel's
//! trace, as Android's do.

use foldhash::{HashMap, HashSet};

use super::json_text::{integer, micros, string, text};
use super::tracks::ThreadKey;
use super::wire::{Field, Fields};
use super::writer::Writer;

/// The process of rows of processors.
const CPUS: &str = ",\"pid\":\"cpus\"";

/// A thread on a processor.
#[derive(Clone, Debug)]
struct Running {
    since: i64,
    tid: i64,
    priority: i64,
    name: String,
}

/// What the processors do.
#[derive(Debug, Default)]
pub(super) struct Cpus {
    running: HashMap<u32, Running>,
    named: HashSet<u32>,
    /// The process that a thread said it belongs to.
    said: HashMap<i64, i64>,
    /// The latest time of all.
    last: i64,
    /// What is added to times of another clock.
    shift: Option<i64>,
}

/// A bundle's clock without corrections.
const RAW_CLOCK: u64 = 4;

/// A switch of a processor to another thread.
struct Switch {
    ts: i64,
    /// Why the thread before stopped.
    state: i64,
    tid: i64,
    priority: i64,
    name: String,
}

impl Writer<'_> {
    /// Writes a bundle of events of a processor.
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
        // Without a statement, the kernel's clock counts since the start of the system. Of others, the first bundle that
        // states both times tells how they differ.
        let shift = match (clock, own.zip(boot)) {
            (0, _) => 0,
            (_, Some((own, boot))) => *self.cpus.shift.get_or_insert_with(|| boot.saturating_sub(own)),
            (_, None) => self.cpus.shift.unwrap_or_default(),
        };
        let clocks = &self.facts.clocks;
        let time = |stated: i64| match clock {
            RAW_CLOCK => clocks.of_raw_clock(stated),
            _ => clocks.of_kernel(stated.saturating_add(shift)),
        };
        let mut others = Vec::new();
        for field in Fields::new(bundle) {
            match field.number {
                2 => self.kernel_event(cpu, field, &time),
                4 => others.push(field),
                _ => {}
            }
        }
        others.into_iter().for_each(|field| self.compact_switches(cpu, field, &time));
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
        self.cpus.last = self.cpus.last.max(ts);
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
                        5 => switch.name = text(field.bytes()).into_owned(),
                        6 => switch.tid = field.signed(),
                        7 => switch.priority = field.signed(),
                        _ => {}
                    }
                }
                // Another thread ran before: events were lost.
                if self.cpus.running.get(&cpu).is_some_and(|running| running.tid != before) {
                    self.cpus.running.remove(&cpu);
                }
                self.switch(cpu, switch);
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
                // All bits mean that it is no longer idle.
                let state = if !is_frequency && state == i64::from(u32::MAX) { -1 } else { state };
                self.name_cpu(of);
                let name = if is_frequency { "frequency" } else { "idle state" };
                let unit = if is_frequency { "kHz" } else { "" };
                self.cpu_counter(ts, &format!("CPU {of} {name}"), unit, state);
            }
            // They only wake, name, or end threads.
            17 | 20 | 114 | 235..=240 => {}
            _ => self.left_out.add("kernel events of other kinds"),
        }
    }

    fn cpu_counter(&mut self, ts: i64, name: &str, unit: &str, value: i64) {
        self.begin_event('C', ts);
        self.out.push_str(CPUS);
        self.out.push_str(",\"name\":");
        string(&mut self.out, name.as_bytes());
        self.out.push_str(",\"unit\":");
        string(&mut self.out, unit.as_bytes());
        self.out.push_str(",\"args\":{\"value\":");
        integer(&mut self.out, value);
        self.out.push_str("}}");
    }

    /// Switches in columns: each time is a difference to the one before.
    fn compact_switches(&mut self, cpu: u32, compact: Field<'_>, time: &impl Fn(i64) -> i64) {
        let (mut times, mut states, mut tids, mut priorities) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut names, mut name_numbers) = (Vec::new(), Vec::new());
        for field in compact.message() {
            let signed = field.numbers().map(u64::cast_signed);
            match field.number {
                1 => times.extend(signed),
                2 => states.extend(signed),
                3 => tids.extend(signed),
                4 => priorities.extend(signed),
                5 => names.push(text(field.bytes()).into_owned()),
                6 => name_numbers.extend(field.numbers()),
                _ => {}
            }
        }
        let mut now = 0_i64;
        for (at, (difference, tid)) in times.into_iter().zip(tids).enumerate() {
            now = now.saturating_add(difference);
            let name = name_numbers.get(at).and_then(|number| names.get(usize::try_from(*number).ok()?));
            let of = |list: &[i64]| list.get(at).copied().unwrap_or_default();
            let ts = time(now);
            self.cpus.last = self.cpus.last.max(ts);
            let (state, priority) = (of(&states), of(&priorities));
            self.switch(cpu, Switch { ts, state, tid, priority, name: name.cloned().unwrap_or_default() });
        }
    }

    fn switch(&mut self, cpu: u32, switch: Switch) {
        let Switch { ts, state, tid, priority, name } = switch;
        let next = Running { since: ts, tid, priority, name };
        if let Some(running) = self.cpus.running.insert(cpu, next) {
            self.ran(cpu, &running, ts, Some(state));
        }
    }

    /// Writes how long a thread ran on a processor. Idle processors have gaps.
    fn ran(&mut self, cpu: u32, running: &Running, until: i64, state: Option<i64>) {
        if running.tid == 0 || until < running.since {
            return;
        }
        self.name_cpu(cpu);
        let pid = self.facts.process_of(running.tid);
        let known = pid.and_then(|pid| self.facts.threads.get(&(pid, running.tid)));
        let name = known.map(|known| known.name.as_str()).filter(|name| !name.is_empty()).unwrap_or(&running.name);
        self.begin_event('X', running.since);
        self.out.push_str(",\"dur\":");
        micros(&mut self.out, until - running.since);
        self.out.push_str(CPUS);
        self.out.push_str(",\"tid\":");
        integer(&mut self.out, cpu);
        self.out.push_str(",\"cat\":\"sched\",\"name\":");
        string(&mut self.out, name.as_bytes());
        self.out.push_str(",\"args\":{\"tid\":");
        integer(&mut self.out, running.tid);
        if let Some(pid) = pid {
            self.out.push_str(",\"pid\":");
            integer(&mut self.out, pid);
        }
        let process = pid.and_then(|pid| self.facts.processes.get(&pid)).map(|process| process.name.as_str());
        if let Some(process) = process.filter(|name| !name.is_empty()) {
            self.out.push_str(",\"process\":");
            string(&mut self.out, process.as_bytes());
        }
        self.out.push_str(",\"priority\":");
        integer(&mut self.out, running.priority);
        if let Some(state) = state {
            self.out.push_str(",\"end_state\":");
            string(&mut self.out, state_text(state).as_bytes());
        }
        self.out.push_str("}}");
    }

    /// What runs at the end of the trace runs until its last event.
    pub(super) fn end_scheduling(&mut self) {
        let mut running: Vec<(u32, Running)> = std::mem::take(&mut self.cpus.running).into_iter().collect();
        running.sort_by_key(|(cpu, _)| *cpu);
        for (cpu, running) in running {
            self.ran(cpu, &running, self.cpus.last, None);
        }
    }

    fn name_cpu(&mut self, cpu: u32) {
        if self.cpus.named.is_empty() {
            self.name(CPUS, ["process_name", "process_sort_index"], "CPUs", Some(-1));
        }
        if self.cpus.named.insert(cpu) {
            let owner = format!("{CPUS},\"tid\":{cpu}");
            self.name(&owner, ["thread_name", "thread_sort_index"], &format!("CPU {cpu}"), Some(i64::from(cpu)));
        }
    }

    /// The thread of a line: its process is the one that the system lists, or the one that the thread says.
    fn printing(&mut self, tid: i64, said: Option<i64>) -> ThreadKey {
        if let Some(said) = said {
            self.cpus.said.insert(tid, said);
        }
        let pid = self.facts.process_of(tid).or_else(|| self.cpus.said.get(&tid).copied());
        (pid.unwrap_or(tid), tid)
    }

    /// Writes what a program printed: the kind, its process, and more, with bars between them.
    fn print(&mut self, ts: i64, tid: i64, line: &str) {
        let mut parts = line.splitn(3, '|');
        let (kind, pid) = (parts.next().unwrap_or_default(), parts.next());
        let pid = pid.and_then(|pid| pid.trim().parse::<i64>().ok());
        let rest = parts.next().unwrap_or_default();
        let (first, second) = rest.split_once('|').unwrap_or((rest, ""));
        let (phase, name) = match kind {
            "B" => ('B', rest),
            "E" => ('E', ""),
            "I" => ('i', rest),
            "C" => return self.printed_counter(ts, (tid, pid), first, second),
            // A name and a number of a slice beside the thread's.
            "S" => return self.printed_slice('b', ts, (tid, pid), [first, first, second]),
            "F" => return self.printed_slice('e', ts, (tid, pid), [first, first, second]),
            // The same on a track with a name.
            "G" => {
                let (name, number) = second.rsplit_once('|').unwrap_or((second, ""));
                return self.printed_slice('b', ts, (tid, pid), [first, name, number]);
            }
            "H" => return self.printed_slice('e', ts, (tid, pid), [first, "", second]),
            "N" => return self.printed_slice('n', ts, (tid, pid), [first, second, ""]),
            _ => {
                if !line.starts_with("trace_event_clock_sync") {
                    self.left_out.add("lines printed into the kernel's trace");
                }
                return;
            }
        };
        let thread = self.printing(tid, pid.filter(|_| phase != 'E'));
        let place = self.thread_place(thread);
        self.begin_event(phase, ts);
        self.out.push_str(&place.owner);
        if phase != 'E' {
            self.out.push_str(",\"name\":");
            string(&mut self.out, name.as_bytes());
        }
        self.out.push('}');
    }

    fn printed_counter(&mut self, ts: i64, (tid, said): (i64, Option<i64>), name: &str, value: &str) {
        let (pid, _) = self.printing(tid, None);
        let pid = said.filter(|pid| *pid > 0).unwrap_or(pid);
        let Ok(value) = value.trim().parse::<i64>() else { return };
        self.name_process(pid);
        self.begin_event('C', ts);
        self.out.push_str(",\"pid\":");
        integer(&mut self.out, pid);
        self.out.push_str(",\"name\":");
        string(&mut self.out, name.as_bytes());
        self.out.push_str(",\"args\":{\"value\":");
        integer(&mut self.out, value);
        self.out.push_str("}}");
    }

    fn printed_slice(
        &mut self,
        phase: char,
        ts: i64,
        (tid, said): (i64, Option<i64>),
        [track, name, number]: [&str; 3],
    ) {
        let (pid, _) = self.printing(tid, None);
        let pid = said.filter(|pid| *pid > 0).unwrap_or(pid);
        let owner = self.named_place(pid, track);
        self.begin_event(phase, ts);
        self.out.push_str(&owner);
        self.out.push_str(",\"id2\":{\"track\":");
        string(&mut self.out, format!("{pid} {track} {number}").as_bytes());
        self.out.push('}');
        if phase != 'e' {
            self.out.push_str(",\"name\":");
            string(&mut self.out, name.as_bytes());
        }
        self.out.push('}');
    }

    /// Writes how much memory processes had.
    pub(super) fn process_stats(&mut self, time: Option<i64>, stats: &[u8]) {
        const COUNTERS: [(u64, &str); 8] = [
            (2, "mem.virt"),
            (3, "mem.rss"),
            (4, "mem.rss.anon"),
            (5, "mem.rss.file"),
            (6, "mem.rss.shmem"),
            (7, "mem.swap"),
            (8, "mem.locked"),
            (9, "mem.rss.watermark"),
        ];
        const OOM_SCORE: u64 = 10;
        let Some(ts) = time else { return };
        for process in Fields::new(stats).filter(|field| field.number == 1) {
            let pid = process.message().field(1).map_or(0, |pid| pid.signed());
            for field in process.message() {
                let counter = COUNTERS.iter().find(|(number, _)| *number == field.number);
                let (name, unit, value) = match counter {
                    Some((_, name)) => (*name, "bytes", field.signed().saturating_mul(1024)),
                    None if field.number == OOM_SCORE => ("oom_score_adj", "", field.signed()),
                    None => continue,
                };
                self.name_process(pid);
                self.begin_event('C', ts);
                self.out.push_str(",\"pid\":");
                integer(&mut self.out, pid);
                self.out.push_str(",\"name\":");
                string(&mut self.out, name.as_bytes());
                self.out.push_str(",\"unit\":");
                string(&mut self.out, unit.as_bytes());
                self.out.push_str(",\"args\":{\"value\":");
                integer(&mut self.out, value);
                self.out.push_str("}}");
            }
        }
    }
}

/// Why a thread stopped, in the kernel's letters.
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
