//! The tracks that are not threads, as owners of events, and the metadata events that describe them.
//!
//! The event `named_track` tells a track from a thread. Its arguments are `parent`, the thread id of the thread or track
//! above it, if there is one, and `order`, which is `chronological` if the tracks below that parent are sorted by their
//! first events.

use std::sync::Arc;

use foldhash::HashMap;

use super::event::{Owner, OwnerId};
use super::owner_text::{name_event, owner_id, owner_members, sort_event};
use super::siblings::{ChildOrder, SiblingKey};

/// Place of a track among those below its parent.
#[derive(Clone, Debug)]
pub(super) struct TrackPlace {
    /// The thread or track above; without a thread, only the process.
    pub(super) parent: Owner,
    pub(super) key: SiblingKey,
    /// Order of the tracks below the parent.
    pub(super) order: ChildOrder,
    /// Rank in an explicit order.
    pub(super) rank: i64,
}

/// Process id for tracks without a process.
const NO_PROCESS: &str = "global";

/// The number of a track among those with events, or among those that were first seen as the parent of another.
#[derive(Clone, Copy, Debug)]
enum TrackNumber {
    Track(u32),
    Group(u32),
}

impl TrackNumber {
    /// The thread id of the track.
    fn id(self) -> OwnerId {
        let id = match self {
            Self::Track(number) => format!("track {number}"),
            Self::Group(number) => format!("group {number}"),
        };
        OwnerId::Name(id.into())
    }
}

/// The tracks that are not threads. Those with the same parent and key are one track. There may be millions, so parents
/// and owners are numbers.
#[derive(Debug)]
pub(super) struct NamedTracks {
    /// The machine of the tracks.
    machine: u32,
    /// Numbers of parents, and of the processes and threads of counters.
    parents: HashMap<Owner, u32>,
    owners: HashMap<(u32, SiblingKey), TrackNumber>,
    /// Number of tracks with events.
    tracks: u32,
    /// Number of tracks that were first seen as the parent of another.
    groups: u32,
    /// The first counter with each process or thread and name.
    counters: HashMap<(u32, Box<str>), u64>,
    /// The process id for tracks without a process.
    global: Arc<str>,
    has_global: bool,
}

impl Default for NamedTracks {
    fn default() -> Self {
        Self::of_machine(0)
    }
}

impl NamedTracks {
    /// The tracks of a machine.
    pub(super) fn of_machine(machine: u32) -> Self {
        Self {
            machine,
            parents: HashMap::default(),
            owners: HashMap::default(),
            tracks: 0,
            groups: 0,
            counters: HashMap::default(),
            global: NO_PROCESS.into(),
            has_global: false,
        }
    }

    /// The machine of the tracks.
    pub(super) const fn machine(&self) -> u32 {
        self.machine
    }

    /// The process of tracks without a process.
    pub(super) fn global(&self) -> OwnerId {
        OwnerId::Name(Arc::clone(&self.global))
    }

    /// True once: when the first track without a process is found, and that process gets its name.
    pub(super) const fn is_first_global(&mut self) -> bool {
        !std::mem::replace(&mut self.has_global, true)
    }

    /// Returns true if another counter has the same process or thread, and name.
    pub(super) fn is_other_counter(&mut self, of: Owner, name: &str, uuid: u64) -> bool {
        let of = self.number(of);
        *self.counters.entry((of, name.into())).or_insert(uuid) != uuid
    }

    fn number(&mut self, parent: Owner) -> u32 {
        let next = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        *self.parents.entry(parent).or_insert(next)
    }

    /// Returns the owner of the events of a track. `out` receives the metadata events that describe a new one.
    pub(super) fn track(&mut self, place: TrackPlace, name: &str, out: &mut Vec<String>) -> Owner {
        let next = self.tracks + 1;
        let (owner, is_new) = self.find(place, name, TrackNumber::Track(next), out);
        self.tracks += u32::from(is_new);
        owner
    }

    /// Returns the owner of a track that contains other tracks. Its number is independent of those of tracks with events.
    pub(super) fn group(&mut self, place: TrackPlace, name: &str, out: &mut Vec<String>) -> Owner {
        let next = self.groups + 1;
        let (owner, is_new) = self.find(place, name, TrackNumber::Group(next), out);
        self.groups += u32::from(is_new);
        owner
    }

    fn find(&mut self, place: TrackPlace, name: &str, next: TrackNumber, out: &mut Vec<String>) -> (Owner, bool) {
        let TrackPlace { parent, key, order, rank } = place;
        let key = (self.number(parent.clone()), key);
        if let Some(known) = self.owners.get(&key) {
            return (Owner { process: parent.process, thread: Some(known.id()) }, false);
        }
        let owner = Owner { process: parent.process.clone(), thread: Some(next.id()) };
        out.push(name_event(self.machine, &owner, "thread_name", name));
        out.push(description(self.machine, &owner, &parent, order));
        if order == ChildOrder::Explicit && rank != 0 {
            out.push(sort_event(self.machine, &owner, "thread_sort_index", rank));
        }
        self.owners.insert(key, next);
        (owner, true)
    }

    /// Returns the place of a track of a process that is identified only by its name.
    pub(super) fn by_name(process: OwnerId, name: &str) -> TrackPlace {
        let parent = Owner { process, thread: None };
        TrackPlace { parent, key: SiblingKey::Name(name.into()), order: ChildOrder::ByName, rank: 0 }
    }

    /// Returns the owner of a track of a process that is already known by its name.
    pub(super) fn known(&self, process: OwnerId, name: &str) -> Option<Owner> {
        let TrackPlace { parent, key, .. } = Self::by_name(process, name);
        let number = self.owners.get(&(*self.parents.get(&parent)?, key))?;
        Some(Owner { thread: Some(number.id()), ..parent })
    }
}

/// Returns the metadata event that tells a track from a thread.
fn description(machine: u32, owner: &Owner, parent: &Owner, order: ChildOrder) -> String {
    let mut out = String::from("{\"ph\":\"M\"");
    owner_members(&mut out, machine, owner);
    out.push_str(",\"name\":\"named_track\",\"args\":{");
    if let Some(parent) = &parent.thread {
        out.push_str("\"parent\":");
        owner_id(&mut out, parent);
    }
    if order == ChildOrder::Chronological {
        out.push_str(if parent.thread.is_some() { "," } else { "" });
        out.push_str("\"order\":\"chronological\"");
    }
    out.push_str("}}");
    out
}
