//! The tracks that a trace describes: threads, processes, counters, and nested tracks.

use foldhash::HashMap;

use super::json_text::{self, hex, integer, quoted, text};
use super::wire::Fields;

/// Process and thread ids.
pub(super) type ThreadKey = (i64, i64);

/// A described track.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    /// The parent track; 0 without a parent.
    parent: u64,
    name: String,
    thread: Option<ThreadKey>,
    process: Option<i64>,
    counter: Option<Counter>,
}

#[derive(Clone, Debug)]
/// Properties of a counter.
pub(super) struct Counter {
    /// True if the counter is the CPU time of its thread.
    pub(super) is_thread_time: bool,
    pub(super) unit: String,
    /// Multiplier of the values.
    pub(super) multiplier: i64,
    /// True if values are deltas to the previous value.
    pub(super) is_incremental: bool,
}

const THREAD_TIME: u64 = 1;
/// Units by number.
const UNITS: [&str; 4] = ["", "ns", "", "bytes"];

impl Counter {
    fn read(message: Fields<'_>) -> Self {
        let mut counter = Self { is_thread_time: false, unit: String::new(), multiplier: 1, is_incremental: false };
        for field in message {
            match field.number {
                1 => counter.is_thread_time = field.number() == THREAD_TIME,
                3 if counter.unit.is_empty() => {
                    let unit = usize::try_from(field.number()).ok().and_then(|unit| UNITS.get(unit));
                    counter.unit = unit.copied().unwrap_or_default().to_owned();
                }
                4 if field.number() > 0 => counter.multiplier = field.signed(),
                5 => counter.is_incremental = field.is_true(),
                6 => counter.unit = text(field.bytes()).into_owned(),
                _ => {}
            }
        }
        counter
    }
}

/// Ids and names in the description of a process or a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnerDescriptor {
    pub(super) pid: i64,
    pub(super) tid: i64,
    pub(super) name: String,
    /// The first argument of the process's command line.
    pub(super) command: String,
    pub(super) labels: Vec<String>,
    pub(super) sort_index: Option<i64>,
}

impl OwnerDescriptor {
    pub(super) fn process(message: &[u8]) -> Self {
        let mut described = Self::default();
        for field in Fields::new(message) {
            match field.number {
                1 => described.pid = field.signed(),
                2 if described.command.is_empty() => described.command = text(field.bytes()).into_owned(),
                3 => described.sort_index = Some(field.signed()),
                4 => described.name = chrome_process(field.number()).to_owned(),
                6 if !field.bytes().is_empty() => described.name = text(field.bytes()).into_owned(),
                8 => described.labels.push(text(field.bytes()).into_owned()),
                _ => {}
            }
        }
        described
    }

    pub(super) fn thread(message: &[u8]) -> Self {
        let mut described = Self::default();
        for field in Fields::new(message) {
            match field.number {
                1 => described.pid = field.signed(),
                2 => described.tid = field.signed(),
                3 => described.sort_index = Some(field.signed()),
                5 => described.name = text(field.bytes()).into_owned(),
                _ => {}
            }
        }
        described
    }
}

/// Returns Chrome's name of a process type.
fn chrome_process(number: u64) -> &'static str {
    const NAMES: [&str; 9] = [
        "",
        "Browser",
        "Renderer",
        "Utility",
        "Zygote",
        "SandboxHelper",
        "GPU Process",
        "PPAPI Plugin",
        "PPAPI Broker",
    ];
    usize::try_from(number).ok().and_then(|number| NAMES.get(number)).copied().unwrap_or_default()
}

/// The description of a track.
#[derive(Debug, Default)]
pub(super) struct TrackDescriptor {
    pub(super) uuid: u64,
    track: Track,
    pub(super) process: Option<OwnerDescriptor>,
    pub(super) thread: Option<OwnerDescriptor>,
}

impl TrackDescriptor {
    pub(super) fn read(message: &[u8]) -> Self {
        let mut read = Self::default();
        let (mut chrome_name, mut has_static_name) = ("", false);
        for field in Fields::new(message) {
            match field.number {
                1 => read.uuid = field.number(),
                // A static name has priority over a dynamic name.
                2 | 13 if has_static_name => {}
                2 | 10 | 13 => {
                    has_static_name = field.number == 10;
                    read.track.name = text(field.bytes()).into_owned();
                }
                3 => {
                    let process = OwnerDescriptor::process(field.bytes());
                    read.track.process = Some(process.pid);
                    read.process = Some(process);
                }
                4 => {
                    let thread = OwnerDescriptor::thread(field.bytes());
                    read.track.thread = Some((thread.pid, thread.tid));
                    read.thread = Some(thread);
                }
                5 => read.track.parent = field.number(),
                6 => {
                    let kind = field.message().field(1);
                    chrome_name = kind.map(|kind| chrome_process(kind.number())).unwrap_or_default();
                }
                8 => read.track.counter = Some(Counter::read(field.message())),
                _ => {}
            }
        }
        if let Some(process) = &mut read.process
            && process.name.is_empty()
        {
            process.name = chrome_name.to_owned();
        }
        read
    }
}

/// All tracks of a trace.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    by_uuid: HashMap<u64, Track>,
    /// Names of threads.
    thread_names: HashMap<ThreadKey, String>,
}

/// Maximum number of parents that are followed.
const MAX_DEPTH: usize = 32;
/// Maximum length of a track's full name, including its parents, in bytes. Longer names are reduced to the track's own
/// name.
const MAX_LABEL: usize = 2000;
/// Process id for tracks without a process.
const NO_PROCESS: &str = "\"global\"";
/// Metadata event that names [`NO_PROCESS`].
const NO_PROCESS_NAMED: &str =
    r#"{"ph":"M","pid":"global","tid":"global","name":"process_name","args":{"name":"Global tracks"}}"#;

#[derive(Clone, Debug)]
/// Destination of the events of a track.
pub(super) struct EventTarget {
    pub(super) owner: Box<str>,
    /// Process and thread members of an event.
    pub(super) kind: EventTargetKind,
}

#[derive(Clone, Debug)]
pub(super) enum EventTargetKind {
    /// A thread.
    Thread,
    /// A separate track.
    Track {
        /// The track id, as a member of an event.
        id: Box<str>,
    },
    /// A counter.
    Counter {
        /// Name, unit and thread, as members of an event.
        name: Box<str>,
        counter: Counter,
    },
}

impl Tracks {
    /// Adds a description. Earlier properties of the track remain unless the new description replaces them.
    pub(super) fn add(&mut self, description: TrackDescriptor) {
        let known = self.by_uuid.entry(description.uuid).or_default();
        let Track { parent, name, thread, process, counter } = description.track;
        if parent != 0 {
            known.parent = parent;
        }
        // The first name wins.
        if known.name.is_empty() {
            known.name = name;
        }
        known.thread = thread.or(known.thread);
        known.process = process.or(known.process);
        known.counter = counter.or_else(|| known.counter.take());
    }

    /// Sets the names of threads, which become prefixes of the names of their nested tracks.
    pub(super) fn name_threads(&mut self, names: HashMap<ThreadKey, String>) {
        self.thread_names = names;
    }

    /// Returns the thread of a thread track.
    pub(super) fn thread(&self, uuid: u64) -> Option<ThreadKey> {
        self.by_uuid.get(&uuid)?.thread
    }

    /// Returns the process of a track.
    pub(super) fn process(&self, uuid: u64) -> Option<i64> {
        self.owner(uuid, self.by_uuid.get(&uuid)?).process
    }

    /// Returns the counter of a counter track.
    pub(super) fn counter(&self, uuid: u64) -> Option<&Counter> {
        self.by_uuid.get(&uuid)?.counter.as_ref()
    }

    /// Returns the destination of the events of a track that is not a thread. `named` assigns one number to all tracks
    /// with the same process and name. `out` receives the metadata events that name them. A track without a name gets
    /// the name of its `first` event.
    pub(super) fn place(&self, uuid: u64, first: &str, named: &mut NamedTracks, out: &mut Vec<String>) -> EventTarget {
        let unknown = Track::default();
        let track = self.by_uuid.get(&uuid).unwrap_or(&unknown);
        let Owner { process, thread, names } = self.owner(uuid, track);
        let pid: Box<str> = process.map_or_else(|| NO_PROCESS.into(), |pid| pid.to_string().into());
        if process.is_none() {
            out.push(NO_PROCESS_NAMED.to_owned());
        }
        if let Some(counter) = track.counter.clone() {
            let mut name = String::from(r#","name":"#);
            let own = if names.is_empty() { format!("Counter {uuid:#x}") } else { names };
            json_text::string(&mut name, own.as_bytes());
            let is_other = named.is_other_counter(&pid, &name, thread, uuid);
            if is_other || thread.is_some() {
                name.push_str(r#","id":"#);
                match thread {
                    Some((_, tid)) if !is_other => integer(&mut name, tid),
                    _ => hex(&mut name, uuid),
                }
            }
            if !counter.unit.is_empty() {
                name.push_str(r#","unit":"#);
                json_text::string(&mut name, counter.unit.as_bytes());
            }
            let owner = format!(r#","pid":{pid}"#).into();
            return EventTarget { owner, kind: EventTargetKind::Counter { name: name.into(), counter } };
        }
        let of_thread = thread.map(|thread| match self.thread_names.get(&thread) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("Thread {}", thread.1),
        });
        let label = match (of_thread, names) {
            (None, names) if names.is_empty() && track.process.is_some() => "Process track".into(),
            (thread, names) => {
                let own = if track.name.is_empty() { Some(first).filter(|name| !name.is_empty()) } else { None };
                let names = [names.as_str()].into_iter().filter(|names| !names.is_empty()).chain(own);
                let names: Vec<&str> = names.collect();
                let names = if names.is_empty() { "Track".to_owned() } else { names.join(" / ") };
                thread.into_iter().map(|thread| format!("{thread}: ")).chain([names]).collect()
            }
        };
        let owner = named.members(&pid, label, out);
        let mut id = String::from(r#","id2":{"track":"#);
        hex(&mut id, uuid);
        id.push('}');
        EventTarget { owner, kind: EventTargetKind::Track { id: id.into() } }
    }

    /// Returns the owner of a track, and its name with the names of its parents as prefix.
    fn owner(&self, uuid: u64, track: &Track) -> Owner {
        let mut names: Vec<&str> = Vec::new();
        let (mut at, mut uuid) = (Some(track), uuid);
        let (mut process, mut thread) = (None, None);
        for _ in 0..MAX_DEPTH {
            let Some(track) = at else { break };
            if let Some(own) = track.thread {
                (process, thread) = (Some(own.0), Some(own));
                break;
            }
            if track.process.is_some() {
                process = track.process;
                break;
            }
            if !track.name.is_empty() {
                names.push(&track.name);
            }
            let parent = track.parent;
            at = if parent == uuid { None } else { self.by_uuid.get(&parent) };
            uuid = parent;
        }
        names.reverse();
        names.dedup();
        // The limit matters because many tracks may share long names.
        let length = names.iter().map(|name| name.len()).sum::<usize>();
        let names =
            if length > MAX_LABEL { names.last().map_or("", |name| name).to_owned() } else { names.join(" / ") };
        Owner { process, thread, names }
    }
}

struct Owner {
    process: Option<i64>,
    thread: Option<ThreadKey>,
    names: String,
}

/// Returns process and thread members of an event.
pub(super) fn thread_members((pid, tid): ThreadKey) -> Box<str> {
    format!(r#","pid":{pid},"tid":{tid}"#).into()
}

/// Numbers of tracks that are not threads. Tracks with the same process and name share a number.
#[derive(Debug, Default)]
pub(super) struct NamedTracks {
    numbers: HashMap<(Box<str>, String), usize>,
    /// The first counter with each process, name and thread.
    counters: HashMap<(Box<str>, String, Option<ThreadKey>), u64>,
}

impl NamedTracks {
    /// Returns true if another counter has the same process, name and thread.
    fn is_other_counter(&mut self, pid: &str, name: &str, thread: Option<ThreadKey>, uuid: u64) -> bool {
        *self.counters.entry((pid.into(), name.to_owned(), thread)).or_insert(uuid) != uuid
    }

    /// Returns process and track number as members of an event.
    pub(super) fn owner(&mut self, pid: i64, name: &str, out: &mut Vec<String>) -> Box<str> {
        self.members(&pid.to_string(), name.to_owned(), out)
    }

    fn members(&mut self, pid: &str, label: String, out: &mut Vec<String>) -> Box<str> {
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry((pid.into(), label)).or_insert_with_key(|(pid, label)| {
            let name = quoted(label.as_bytes());
            out.push(format!(
                r#"{{"ph":"M","pid":{pid},"tid":"track {next}","name":"thread_name","args":{{"name":{name}}}}}"#
            ));
            next
        });
        format!(r#","pid":{pid},"tid":"track {number}""#).into()
    }
}
