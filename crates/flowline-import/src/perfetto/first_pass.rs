//! First pass over a trace: data that applies to the whole trace, such as clocks, tracks, and names of processes and
//! threads. It precedes the events, because packets of several writers are not in time order.

use foldhash::HashMap;

use super::clocks::{Clocks, Snapshots};
use super::json_text::{integer, quoted, string, text};
use super::owner_descriptor::{OwnerDescriptor, ThreadKey};
use super::packet::{Packet, ReadOutcome, each, kind};
use super::schema::Schema;
use super::tracks::{TrackDescriptor, Tracks};
use super::wire::{Field, Fields};

/// Name and order of a process or a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) name: String,
    /// Labels of a process.
    pub(super) labels: String,
    pub(super) sort_index: Option<i64>,
    /// True for a name that the process or thread reports itself, false for its command.
    is_own: bool,
}

impl Named {
    /// Sets the name unless a better one is known.
    fn learn(&mut self, name: &str, is_own: bool) {
        if !name.is_empty() && (self.name.is_empty() || is_own || !self.is_own) {
            name.clone_into(&mut self.name);
            self.is_own |= is_own;
        }
    }
}

#[derive(Debug)]
/// Data that applies to the whole trace.
pub(super) struct Facts {
    pub(super) clocks: Clocks,
    pub(super) tracks: Tracks,
    pub(super) processes: HashMap<i64, Named>,
    pub(super) threads: HashMap<ThreadKey, Named>,
    /// The process of each thread.
    process_of: HashMap<i64, i64>,
    pub(super) schema: Schema,
    /// Metadata of the recording, as members of a JSON object.
    pub(super) metadata: String,
    pub(super) ended: ReadOutcome,
    /// True if packets were compressed.
    pub(super) is_packed: bool,
}

impl Facts {
    /// Reads a trace until `goes_on` returns `false`.
    pub(super) fn read(trace: &[u8], goes_on: &mut dyn FnMut() -> bool) -> Self {
        let mut reader = Reader::default();
        let mut count = 0_u32;
        let ended = each(trace, &mut |packet, _| {
            reader.packet(&Packet::read(packet));
            count = count.wrapping_add(1);
            !count.is_multiple_of(1 << 12) || goes_on()
        });
        reader.finish(ended)
    }

    /// Returns the process of a thread in kernel events.
    pub(super) fn process_of(&self, tid: i64) -> Option<i64> {
        self.process_of.get(&tid).copied()
    }
}

/// Collects the data of the first pass.
struct Reader {
    snapshots: Snapshots,
    tracks: Tracks,
    processes: HashMap<i64, Named>,
    threads: HashMap<ThreadKey, Named>,
    process_of: HashMap<i64, i64>,
    /// The process of each thread according to its printed lines.
    stated_processes: HashMap<i64, i64>,
    schema: Schema,
    metadata: String,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            snapshots: Snapshots::default(),
            tracks: Tracks::default(),
            processes: HashMap::default(),
            threads: HashMap::default(),
            process_of: HashMap::default(),
            stated_processes: HashMap::default(),
            schema: Schema::built_in(),
            metadata: String::new(),
        }
    }
}

impl Reader {
    fn packet(&mut self, packet: &Packet<'_>) {
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
            kind::FTRACE => self.printed(data),
            kind::EXTENSION_DESCRIPTOR => self.schema.learn(data),
            kind::CHROME_EVENTS => {
                Fields::new(data).filter(|field| field.number == 2).for_each(|field| self.chrome_metadata(field));
            }
            kind::SYSTEM_INFO => self.system_info(Fields::new(data)),
            _ => {}
        }
    }

    fn process(&mut self, described: &OwnerDescriptor) {
        let known = self.processes.entry(described.pid).or_default();
        known.learn(&described.name, true);
        known.learn(&described.command, false);
        if !described.labels.is_empty() {
            known.labels = described.labels.join(", ");
        }
        known.sort_index = described.sort_index.or(known.sort_index);
    }

    fn thread(&mut self, described: &OwnerDescriptor) {
        self.process_of.insert(described.tid, described.pid);
        let known = self.threads.entry((described.pid, described.tid)).or_default();
        known.learn(&described.name, true);
        known.sort_index = described.sort_index.or(known.sort_index);
    }

    /// Reads the process of unlisted threads from the lines that they print.
    fn printed(&mut self, bundle: &[u8]) {
        for event in Fields::new(bundle).filter(|field| field.number == 2) {
            let Some(line) = event.message().field(3).and_then(|print| print.message().field(2)) else { continue };
            let mut parts = line.bytes().splitn(3, |byte| *byte == b'|');
            let (Some([_]), Some(pid)) = (parts.next(), parts.next()) else { continue };
            let pid = std::str::from_utf8(pid.trim_ascii()).ok().and_then(|pid| pid.parse::<i64>().ok());
            let tid = event.message().field(2).map_or(0, |tid| tid.signed());
            if let Some(pid) = pid.filter(|pid| *pid > 0) {
                self.stated_processes.entry(tid).or_insert(pid);
            }
        }
    }

    /// Reads the system's list of processes and threads.
    fn process_tree(&mut self, fields: Fields<'_>) {
        for field in fields {
            let (mut first, mut second, mut name) = (0, 0, String::new());
            for part in field.message() {
                match (field.number, part.number) {
                    (_, 1) => first = part.signed(),
                    (1, 3) if name.is_empty() => name = text(part.bytes()).into_owned(),
                    (2, 2) => name = text(part.bytes()).into_owned(),
                    (2, 3) => second = part.signed(),
                    _ => {}
                }
            }
            match field.number {
                1 => self.process(&OwnerDescriptor { pid: first, command: name, ..OwnerDescriptor::default() }),
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
                2 | 5 => string(&mut value, field.bytes()),
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
        string(&mut self.metadata, name);
        self.metadata.push(':');
        self.metadata.push_str(value);
    }

    fn finish(mut self, ended: ReadOutcome) -> Facts {
        let listed = std::mem::take(&mut self.process_of);
        self.process_of = std::mem::take(&mut self.stated_processes);
        self.process_of.extend(listed);
        let names = self.threads.iter().map(|(thread, named)| (*thread, named.name.clone()));
        self.tracks.name_threads(names.collect());
        Facts {
            clocks: self.snapshots.finish(),
            tracks: self.tracks,
            processes: self.processes,
            threads: self.threads,
            process_of: self.process_of,
            schema: self.schema,
            metadata: self.metadata,
            is_packed: ended.unpacked > 0,
            ended,
        }
    }
}
