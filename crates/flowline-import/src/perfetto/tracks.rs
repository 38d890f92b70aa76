//! The tracks that a trace describes: threads, processes, counters, and nested tracks.

use foldhash::HashMap;

use super::event::{EventId, Owner, OwnerId};
use super::json_text::text;
use super::owner_descriptor::{OwnerDescriptor, ThreadKey, chrome_process};
use super::owner_text::name_event;
use super::wire::Fields;

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
const NO_PROCESS: &str = "global";
/// Metadata event that names [`NO_PROCESS`].
const NO_PROCESS_NAMED: &str =
    r#"{"ph":"M","pid":"global","tid":"global","name":"process_name","args":{"name":"Global tracks"}}"#;

/// Destination of the events of a track.
#[derive(Clone, Debug)]
pub(super) struct EventTarget {
    /// Process and thread of the events.
    pub(super) owner: Owner,
    pub(super) kind: EventTargetKind,
}

impl EventTarget {
    /// The id of events of this destination.
    pub(super) fn id(&self) -> EventId<'_> {
        match &self.kind {
            EventTargetKind::Thread => EventId::None,
            EventTargetKind::Track { id } => EventId::Track(id),
            EventTargetKind::Counter { id, .. } if id.is_empty() => EventId::None,
            EventTargetKind::Counter { id, .. } => EventId::Counter(id),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum EventTargetKind {
    /// A thread.
    Thread,
    /// A separate track.
    Track {
        /// The id of the track.
        id: Box<str>,
    },
    /// A counter.
    Counter {
        name: Box<str>,
        /// Text that tells the counter from others with the same name; empty if there are none.
        id: Box<str>,
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

    /// True if any name or unit of a track fulfills a condition.
    pub(super) fn any_text(&self, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        self.by_uuid.values().any(|track| {
            is_wanted(&track.name) || track.counter.as_ref().is_some_and(|counter| is_wanted(&counter.unit))
        })
    }

    /// Returns the name that a track without one takes from its `first` event, for a description; `None` for a track with
    /// a name of its own, or whose name would become part of the names of other tracks.
    pub(super) fn name_to_state(&self, uuid: u64, first: &str) -> Option<String> {
        let unknown = Track::default();
        let track = self.by_uuid.get(&uuid).unwrap_or(&unknown);
        let has_name = !track.name.is_empty() || track.thread.is_some() || track.process.is_some();
        let is_parent = || self.by_uuid.iter().any(|(own, child)| *own != uuid && child.parent == uuid);
        if has_name || track.counter.is_some() || is_parent() {
            return None;
        }
        let own = if first.is_empty() { self.by_uuid.get(&track.parent)?.name.as_str() } else { first };
        (!own.is_empty()).then(|| own.to_owned())
    }

    /// Returns the destination of the events of a track that is not a thread. `named` assigns one number to all tracks
    /// with the same process and name. `out` receives the metadata events that name them. A track without a name gets
    /// the name of its `first` event.
    pub(super) fn place(&self, uuid: u64, first: &str, named: &mut NamedTracks, out: &mut Vec<String>) -> EventTarget {
        let unknown = Track::default();
        let track = self.by_uuid.get(&uuid).unwrap_or(&unknown);
        let TrackOwner { process, thread, names } = self.owner(uuid, track);
        let pid = process.map_or_else(|| OwnerId::Name(NO_PROCESS.into()), OwnerId::Number);
        if process.is_none() {
            out.push(NO_PROCESS_NAMED.to_owned());
        }
        if let Some(counter) = track.counter.clone() {
            let name = if names.is_empty() { format!("Counter {uuid:#x}") } else { names };
            let is_other = named.is_other_counter(&pid, &name, thread, uuid);
            let id = match thread {
                Some((_, tid)) if !is_other => tid.to_string(),
                None if !is_other => String::new(),
                _ => format!("{uuid:#x}"),
            };
            let owner = Owner { process: pid, thread: None };
            let kind = EventTargetKind::Counter { name: name.into(), id: id.into(), counter };
            return EventTarget { owner, kind };
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
        let owner = named.track(pid, label, out);
        EventTarget { owner, kind: EventTargetKind::Track { id: format!("{uuid:#x}").into() } }
    }

    /// Returns the owner of a track, and its name with the names of its parents as prefix.
    fn owner(&self, uuid: u64, track: &Track) -> TrackOwner {
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
        TrackOwner { process, thread, names }
    }
}

struct TrackOwner {
    process: Option<i64>,
    thread: Option<ThreadKey>,
    names: String,
}

/// Numbers of tracks that are not threads. Tracks with the same process and name share a number.
#[derive(Debug, Default)]
pub(super) struct NamedTracks {
    numbers: HashMap<(OwnerId, String), usize>,
    /// The first counter with each process, name and thread.
    counters: HashMap<(OwnerId, String, Option<ThreadKey>), u64>,
}

impl NamedTracks {
    /// Returns true if another counter has the same process, name and thread.
    fn is_other_counter(&mut self, pid: &OwnerId, name: &str, thread: Option<ThreadKey>, uuid: u64) -> bool {
        *self.counters.entry((pid.clone(), name.to_owned(), thread)).or_insert(uuid) != uuid
    }

    /// Returns the owner of a named track. `out` receives the metadata event that names a new one.
    pub(super) fn track(&mut self, process: OwnerId, label: String, out: &mut Vec<String>) -> Owner {
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry((process.clone(), label)).or_insert_with_key(|(process, label)| {
            out.push(name_event(&track_owner(process.clone(), next), "thread_name", label));
            next
        });
        track_owner(process, number)
    }

    /// Returns the owner of a track that already has a number.
    pub(super) fn known(&self, process: OwnerId, label: &str) -> Option<Owner> {
        let number = *self.numbers.get(&(process.clone(), label.to_owned()))?;
        Some(track_owner(process, number))
    }
}

fn track_owner(process: OwnerId, number: usize) -> Owner {
    Owner { process, thread: Some(OwnerId::Name(format!("track {number}").into())) }
}
