//! First pass over a trace: data that applies to the whole trace, such as clocks, tracks, and names of processes and
//! threads. It precedes the events, because packets of several writers are not in time order.

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::HashMap;

use super::clocks::{Clocks, Snapshots};
use super::divided_trace::DividedTrace;
use super::json_text::{integer, json, quoted, string, text};
use super::kernel::facts::{Kernel, KernelFacts, ThreadNames};
use super::machine_ids::{MAX_MACHINES, name_of};
use super::named::Named;
use super::owner_descriptor::{OwnerDescriptor, ThreadKey, add_argument};
use super::packet::{Packet, ReadOutcome, each, kind};
use super::process_name::{self, NameKind};
use super::schema::Schema;
use super::sources::counter_descriptors::CounterDescriptors;
use super::sources::module_symbols::ModuleSymbols;
use super::sources::packet_kinds;
use super::tracks::{TrackDescriptor, Tracks};
use super::wire::{Field, Fields};

#[derive(Debug)]
/// Data that applies to the whole trace.
pub(super) struct Facts {
    /// The machine whose facts these are; 0 for the machine that recorded the trace.
    pub(super) machine: u32,
    /// Those of other machines, by number.
    pub(super) machines: Vec<Self>,
    pub(super) clocks: Clocks,
    pub(super) tracks: Tracks,
    pub(super) processes: HashMap<i64, Named>,
    pub(super) threads: HashMap<ThreadKey, Named>,
    /// The process of each thread.
    process_of: HashMap<i64, i64>,
    pub(super) kernel: Kernel,
    pub(super) schema: Arc<Schema>,
    pub(super) counter_descriptors: CounterDescriptors,
    pub(super) symbols: ModuleSymbols,
    /// Metadata of the recording, as members of a JSON object.
    pub(super) metadata: String,
    pub(super) ended: ReadOutcome,
}

impl Facts {
    /// Reads the packets of a divided trace that do not only state an event, until `goes_on` returns `false`.
    pub(super) fn of_parts(trace: &[u8], divided: &DividedTrace, goes_on: &mut dyn FnMut() -> bool) -> Self {
        let mut reader = Reader::default();
        let mut ended = divided.ended;
        for part in &divided.parts {
            for machine in &part.machines {
                reader.of_machine(*machine);
            }
            if !goes_on() {
                ended.is_stopped = true;
                break;
            }
            part.others(trace).for_each(|(packet, _)| reader.packet(&packet));
        }
        reader.finish(ended)
    }

    /// Reads a trace until `goes_on` returns `false`.
    pub(super) fn read(trace: &[u8], goes_on: &mut dyn FnMut() -> bool) -> Self {
        let mut reader = Reader::default();
        let mut count = 0_u32;
        let ended = each(trace, &mut |packet, _| {
            reader.packet(packet);
            count = count.wrapping_add(1);
            !count.is_multiple_of(1 << 12) || goes_on()
        });
        reader.finish(ended)
    }

    /// Returns the facts of a machine; those of the machine that recorded the trace for one without any.
    pub(super) fn of_machine(&self, machine: u32) -> &Self {
        self.machines.iter().find(|facts| facts.machine == machine).unwrap_or(self)
    }

    /// Returns the process of a thread in kernel events.
    pub(super) fn process_of(&self, tid: i64) -> Option<i64> {
        self.process_of.get(&tid).copied()
    }

    /// Returns the name of a thread in kernel events. A thread of an unknown process is listed under its own id.
    pub(super) fn thread_name(&self, tid: i64) -> Option<&str> {
        let pid = self.process_of(tid).unwrap_or(tid);
        let name = self.threads.get(&(pid, tid)).map(|named| named.name.as_str());
        name.filter(|name| !name.is_empty())
    }
}

/// Collects the data of the first pass.
struct Reader {
    machine: u32,
    /// The readers of other machines.
    machines: BTreeMap<u32, Self>,
    snapshots: Snapshots,
    tracks: Tracks,
    processes: HashMap<i64, Named>,
    threads: HashMap<ThreadKey, Named>,
    process_of: HashMap<i64, i64>,
    kernel: KernelFacts,
    schema: Schema,
    counter_descriptors: CounterDescriptors,
    symbols: ModuleSymbols,
    metadata: String,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            machine: 0,
            machines: BTreeMap::default(),
            snapshots: Snapshots::default(),
            tracks: Tracks::default(),
            processes: HashMap::default(),
            threads: HashMap::default(),
            process_of: HashMap::default(),
            kernel: KernelFacts::default(),
            schema: Schema::built_in(),
            counter_descriptors: CounterDescriptors::default(),
            symbols: ModuleSymbols::default(),
            metadata: String::new(),
        }
    }
}

impl Reader {
    /// Returns the reader of another machine; `None` for too many machines.
    fn of_machine(&mut self, machine: u32) -> Option<&mut Self> {
        if self.machines.len() >= MAX_MACHINES {
            return self.machines.get_mut(&machine);
        }
        Some(self.machines.entry(machine).or_insert_with(|| Self {
            machine,
            schema: Schema::default(),
            ..Self::default()
        }))
    }

    fn packet(&mut self, packet: &Packet<'_>) {
        if packet.machine != self.machine {
            if let Some(other) = self.of_machine(packet.machine) {
                other.packet(packet);
            }
            // Types of messages do not depend on the machine.
            if let Some((kind::EXTENSION_DESCRIPTOR, data)) = packet.data {
                self.schema.learn(data);
            }
            return;
        }
        packet.interned.iter().for_each(|interned| self.counter_descriptors.learn_interned(packet.sequence, interned));
        let Some((number, data)) = packet.data else { return };
        match number {
            kind::CLOCK_SNAPSHOT => self.snapshots.add(packet.sequence, data),
            kind::TRACK_DESCRIPTOR => {
                let mut description = TrackDescriptor::read(data);
                description.process.take().into_iter().for_each(|process| self.process(&process));
                description.thread.take().into_iter().for_each(|thread| self.thread(&thread));
                self.tracks.add(description);
            }
            kind::PROCESS_DESCRIPTOR => self.process(&OwnerDescriptor::process(data)),
            kind::THREAD_DESCRIPTOR => self.thread(&OwnerDescriptor::thread(data)),
            kind::PROCESS_TREE => self.process_tree(Fields::new(data)),
            kind::FTRACE => self.kernel.bundle(data),
            kind::EXTENSION_DESCRIPTOR => self.schema.learn(data),
            kind::CHROME_EVENTS => {
                Fields::new(data).filter(|field| field.number == 2).for_each(|field| self.chrome_metadata(field));
            }
            kind::SYSTEM_INFO => self.system_info(Fields::new(data)),
            packet_kinds::MODULE_SYMBOLS => self.symbols.learn(data),
            number => self.counter_descriptors.learn(packet.sequence, number, data),
        }
    }

    fn process(&mut self, described: &OwnerDescriptor) {
        let known = self.processes.entry(described.pid).or_default();
        let is_command = process_name::is_command(&described.name, &described.command);
        let (name, kind) = match (described.chrome_type, &*described.name) {
            ("", name) if !is_command => (name, NameKind::Own),
            ("", command) => (process_name::program(command), NameKind::Program),
            (chrome_type, _) => (chrome_type, NameKind::ChromeType),
        };
        known.learn(process_name::program(&described.command), NameKind::Program);
        known.learn(name, kind);
        let command_line = if is_command { &described.name } else { &described.command_line };
        if command_line.len() > known.command_line.len() {
            command_line.clone_into(&mut known.command_line);
        }
        if !described.labels.is_empty() {
            known.labels = described.labels.join(", ");
        }
        known.sort_index = described.sort_index.or(known.sort_index);
    }

    fn thread(&mut self, described: &OwnerDescriptor) {
        self.process_of.insert(described.tid, described.pid);
        let known = self.threads.entry((described.pid, described.tid)).or_default();
        known.learn(&described.name, NameKind::Own);
        known.sort_index = described.sort_index.or(known.sort_index);
    }

    /// Reads the system's list of processes and threads.
    fn process_tree(&mut self, fields: Fields<'_>) {
        for field in fields {
            let (mut first, mut second, mut name) = (0, 0, String::new());
            let mut command_line = String::new();
            for part in field.message() {
                match (field.number, part.number) {
                    (_, 1) => first = part.signed(),
                    (1, 3) => add_argument(&mut name, &mut command_line, part.bytes()),
                    (2, 2) => name = text(part.bytes()).into_owned(),
                    (2, 3) => second = part.signed(),
                    _ => {}
                }
            }
            match field.number {
                1 => {
                    let command = name;
                    self.process(&OwnerDescriptor { pid: first, command, command_line, ..OwnerDescriptor::default() });
                }
                2 => self.thread(&OwnerDescriptor { pid: second, tid: first, name, ..OwnerDescriptor::default() }),
                _ => {}
            }
        }
    }

    /// Reads a metadata entry: a name with a value.
    fn chrome_metadata(&mut self, metadata: Field<'_>) {
        let mut name = &[][..];
        for field in metadata.message() {
            let mut value = String::new();
            match field.number {
                1 => name = field.bytes(),
                2 => string(&mut value, field.bytes()),
                5 => json(&mut value, field.bytes()),
                3 => value.push_str(if field.is_true() { "true" } else { "false" }),
                4 => integer(&mut value, field.signed()),
                _ => {}
            }
            if !value.is_empty() && !name.is_empty() && name != super::cut_clock::CLOCK {
                self.say(name, &value);
            }
        }
    }

    fn system_info(&mut self, fields: Fields<'_>) {
        for field in fields {
            let mut value = String::new();
            let name = match field.number {
                1 => {
                    self.kernel.system(field.message());
                    let words = field.message().map(|word| text(word.bytes()).into_owned());
                    value.push_str(&quoted(words.collect::<Vec<_>>().join(" ").as_bytes()));
                    "system"
                }
                2 => "android-build",
                4 => "tracing-service",
                8 => "cpus",
                9 => "android-model",
                _ => continue,
            };
            match field.number {
                1 => {}
                8 => integer(&mut value, field.number()),
                _ => string(&mut value, field.bytes()),
            }
            self.say(name.as_bytes(), &value);
        }
    }

    /// Adds a member to the metadata of the recording.
    fn say(&mut self, name: &[u8], value: &str) {
        if !self.metadata.is_empty() {
            self.metadata.push(',');
        }
        string(&mut self.metadata, name_of(self.machine, &text(name)).as_bytes());
        self.metadata.push(':');
        self.metadata.push_str(value);
    }

    fn finish(mut self, ended: ReadOutcome) -> Facts {
        let schema = Arc::new(std::mem::take(&mut self.schema));
        self.finish_with(&schema, ended)
    }

    fn finish_with(mut self, schema: &Arc<Schema>, ended: ReadOutcome) -> Facts {
        let (processes, threads, process_of) = (&mut self.processes, &mut self.threads, &mut self.process_of);
        let names = ThreadNames { processes, threads, process_of };
        let clocks = self.snapshots.finish();
        let kernel = self.kernel.finish(names, &clocks);
        let machines = std::mem::take(&mut self.machines);
        let machines: Vec<Facts> = machines.into_values().map(|other| other.finish_with(schema, ended)).collect();
        let metadata = std::iter::once(&self.metadata).chain(machines.iter().map(|facts| &facts.metadata));
        let metadata: Vec<&str> = metadata.map(String::as_str).filter(|members| !members.is_empty()).collect();
        Facts {
            machine: self.machine,
            metadata: metadata.join(","),
            machines,
            clocks,
            tracks: self.tracks,
            processes: self.processes,
            threads: self.threads,
            process_of: self.process_of,
            kernel,
            schema: Arc::clone(schema),
            counter_descriptors: self.counter_descriptors,
            symbols: self.symbols,
            ended,
        }
    }
}
