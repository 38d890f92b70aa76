//! Facts about the whole trace in kernel events: names and processes of threads, the version of the kernel, and the time
//! from which all CPUs have events.
//!
//! Names come from `sched_switch` (event field 4; `prev_comm` 1, `prev_pid` 2, `next_comm` 5, `next_pid` 6), its compact
//! form, `task_newtask` (235; `pid` 1, `comm` 2, `clone_flags` 3) and `task_rename` (236; `pid` 1, `newcomm` 3). The
//! latest name of a thread applies. Names that a process reports itself or that the system lists take precedence.

use foldhash::{HashMap, HashSet};

use super::bundle::{Bundle, KernelTime};
use super::compact_events::CompactEvents;
use super::task_states::TaskStates;
use super::thread_names::MAX_NAME;
use crate::perfetto::clocks::Clocks;
use crate::perfetto::json_text::text;
use crate::perfetto::named::Named;
use crate::perfetto::owner_descriptor::ThreadKey;
use crate::perfetto::wire::{Field, Fields};

/// Flag of a new task that is a thread of its creator's process.
const CLONE_THREAD: u64 = 0x1_0000;

/// A task that began while recording.
#[derive(Debug)]
struct NewTask {
    ts: i64,
    tid: i64,
    /// The thread that created it, if it belongs to the same process.
    creator: Option<i64>,
}

/// The names and processes that the facts complete.
pub(in crate::perfetto) struct ThreadNames<'n> {
    pub(in crate::perfetto) processes: &'n mut HashMap<i64, Named>,
    pub(in crate::perfetto) threads: &'n mut HashMap<ThreadKey, Named>,
    /// The process of each thread.
    pub(in crate::perfetto) process_of: &'n mut HashMap<i64, i64>,
}

/// Collects the facts.
#[derive(Debug, Default)]
pub(in crate::perfetto) struct KernelFacts {
    /// The latest name of each thread, with its time.
    names: HashMap<i64, (i64, Box<[u8]>)>,
    new_tasks: Vec<NewTask>,
    /// The process of each thread according to its printed lines.
    stated_processes: HashMap<i64, i64>,
    states: TaskStates,
    shift: Option<i64>,
    /// CPUs with a bundle.
    cpus: HashSet<u32>,
    /// The time before the first bundle of each CPU that states one.
    starts: Vec<KernelTime>,
}

/// Properties of the kernel and of its events.
#[derive(Clone, Copy, Debug)]
pub(in crate::perfetto) struct Kernel {
    pub(in crate::perfetto) states: TaskStates,
    /// The time from which all CPUs have events, on the trace clock. Before it, a ring buffer has overwritten the events
    /// of some CPUs, so those of the others give a wrong picture. Perfetto's trace processor drops them, too.
    pub(in crate::perfetto) starts_at: i64,
    /// Difference of the time since boot to other clocks of kernel events.
    pub(in crate::perfetto) shift: i64,
}

impl KernelFacts {
    /// Reads a bundle of events.
    pub(in crate::perfetto) fn bundle(&mut self, bundle: &[u8]) {
        let bundle = Bundle::read(bundle);
        self.shift = self.shift.or_else(|| bundle.shift());
        let clock = bundle.clock(self.shift.unwrap_or_default());
        if self.cpus.insert(bundle.cpu) {
            self.starts.extend(bundle.previous_end(clock));
        }
        for field in bundle.fields() {
            match field.number {
                2 => self.event(field),
                4 => CompactEvents::read(field).switches().for_each(|next| self.learn(next.ts, next.tid, next.name)),
                _ => {}
            }
        }
    }

    fn event(&mut self, event: Field<'_>) {
        let (mut ts, mut tid, mut payload) = (0, 0, None);
        for field in event.message() {
            match field.number {
                1 => ts = field.signed(),
                2 => tid = field.signed(),
                3 | 4 | 235 | 236 => payload = Some(field),
                _ => {}
            }
        }
        let Some(payload) = payload else { return };
        match payload.number {
            3 => self.printed(tid, payload),
            4 => {
                let ([mut before, mut next], [mut name_before, mut name]) = ([0, 0], [&[][..], &[][..]]);
                for field in payload.message() {
                    match field.number {
                        1 => name_before = field.bytes(),
                        2 => before = field.signed(),
                        5 => name = field.bytes(),
                        6 => next = field.signed(),
                        _ => {}
                    }
                }
                self.learn(ts, before, name_before);
                self.learn(ts, next, name);
            }
            number => {
                let name_field = if number == 235 { 2 } else { 3 };
                let (mut task, mut name, mut flags) = (0, &[][..], 0);
                for field in payload.message() {
                    match field.number {
                        1 => task = field.signed(),
                        3 if number == 235 => flags = field.number(),
                        field_number if field_number == name_field => name = field.bytes(),
                        _ => {}
                    }
                }
                self.learn(ts, task, name);
                if number == 235 && task > 0 {
                    let creator = (flags & CLONE_THREAD != 0).then_some(tid);
                    self.new_tasks.push(NewTask { ts, tid: task, creator });
                }
            }
        }
    }

    /// Sets the name of a thread unless a later one is known. Idle CPUs run thread 0, which is not a real thread.
    fn learn(&mut self, ts: i64, tid: i64, name: &[u8]) {
        if tid <= 0 || name.is_empty() || name.len() > MAX_NAME {
            return;
        }
        let known = self.names.entry(tid).or_insert_with(|| (ts, name.into()));
        if known.0 <= ts {
            known.0 = ts;
            if *known.1 != *name {
                known.1 = name.into();
            }
        }
    }

    /// Reads the process of a thread from a line that it prints.
    fn printed(&mut self, tid: i64, print: Field<'_>) {
        let Some(line) = print.message().field(2) else { return };
        let mut parts = line.bytes().splitn(3, |byte| *byte == b'|');
        let (Some([_]), Some(pid)) = (parts.next(), parts.next()) else { return };
        let pid = std::str::from_utf8(pid.trim_ascii()).ok().and_then(|pid| pid.parse::<i64>().ok());
        if let Some(pid) = pid.filter(|pid| *pid > 0) {
            self.stated_processes.entry(tid).or_insert(pid);
        }
    }

    /// Reads the version of the kernel from `SystemInfo.utsname`.
    pub(in crate::perfetto) fn system(&mut self, names: Fields<'_>) {
        let release = names.field(3).map(|release| text(release.bytes()));
        self.states = release.and_then(|release| TaskStates::of_release(&release)).unwrap_or(self.states);
    }

    /// Adds names and processes to those that the trace lists.
    pub(in crate::perfetto) fn finish(mut self, of: ThreadNames<'_>, clocks: &Clocks) -> Kernel {
        let ThreadNames { processes, threads, process_of } = of;
        // The main thread of a process has its id.
        let mains: Vec<i64> = processes.keys().copied().collect();
        for pid in mains {
            process_of.entry(pid).or_insert(pid);
        }
        self.new_tasks.sort_by_key(|task| task.ts);
        for NewTask { tid, creator, .. } in self.new_tasks {
            let known =
                |creator: i64| process_of.get(&creator).or_else(|| self.stated_processes.get(&creator)).copied();
            let process = creator.map_or(Some(tid), known);
            if let Some(process) = process {
                process_of.entry(tid).or_insert(process);
            }
        }
        let stated: Vec<(i64, i64)> = self.stated_processes.into_iter().collect();
        for &(tid, pid) in &stated {
            process_of.entry(tid).or_insert(pid);
        }
        for &(_, pid) in &stated {
            process_of.entry(pid).or_insert(pid);
        }
        let names: Vec<_> = self.names.into_iter().collect();
        for (tid, (_, name)) in names {
            let process = process_of.get(&tid).copied();
            let name = text(&name);
            threads.entry((process.unwrap_or(tid), tid)).or_default().learn_if_unnamed(&name);
            if process == Some(tid) {
                processes.entry(tid).or_default().learn_if_unnamed(&name);
            }
        }
        let starts_at = self.starts.iter().map(|start| start.to_trace(clocks)).max().unwrap_or(i64::MIN);
        Kernel { states: self.states, starts_at, shift: self.shift.unwrap_or_default() }
    }
}
