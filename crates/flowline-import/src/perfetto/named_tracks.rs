//! The tracks that are not threads, as owners of events, and the metadata events that describe them.
//!
//! The event `named_track` tells a track from a thread. Its arguments are `parent`, the thread id of the thread or track
//! above it, if there is one, and `order`, which is `chronological` if the tracks below that parent are sorted by their
//! first events.

use foldhash::HashMap;

use super::event::{Owner, OwnerId};
use super::owner_descriptor::ThreadKey;
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

/// The tracks that are not threads. Those with the same parent and key are one track.
#[derive(Debug, Default)]
pub(super) struct NamedTracks {
    /// The machine of the tracks.
    machine: u32,
    owners: HashMap<(Owner, SiblingKey), Owner>,
    /// Number of tracks with events.
    tracks: usize,
    /// Number of tracks that were first seen as the parent of another.
    groups: usize,
    /// The first counter with each process, name and thread.
    counters: HashMap<(OwnerId, String, Option<ThreadKey>), u64>,
}

impl NamedTracks {
    /// The tracks of a machine.
    pub(super) fn of_machine(machine: u32) -> Self {
        Self { machine, ..Self::default() }
    }

    /// The machine of the tracks.
    pub(super) const fn machine(&self) -> u32 {
        self.machine
    }

    /// Returns true if another counter has the same process, name and thread.
    pub(super) fn is_other_counter(&mut self, pid: &OwnerId, name: &str, thread: Option<ThreadKey>, uuid: u64) -> bool {
        *self.counters.entry((pid.clone(), name.to_owned(), thread)).or_insert(uuid) != uuid
    }

    /// Returns the owner of the events of a track. `out` receives the metadata events that describe a new one.
    pub(super) fn track(&mut self, place: TrackPlace, name: &str, out: &mut Vec<String>) -> Owner {
        let next = format!("track {}", self.tracks + 1);
        let (owner, is_new) = self.find(place, name, next, out);
        self.tracks += usize::from(is_new);
        owner
    }

    /// Returns the owner of a track that contains other tracks. Its number is independent of those of tracks with events.
    pub(super) fn group(&mut self, place: TrackPlace, name: &str, out: &mut Vec<String>) -> Owner {
        let next = format!("group {}", self.groups + 1);
        let (owner, is_new) = self.find(place, name, next, out);
        self.groups += usize::from(is_new);
        owner
    }

    fn find(&mut self, place: TrackPlace, name: &str, next: String, out: &mut Vec<String>) -> (Owner, bool) {
        let TrackPlace { parent, key, order, rank } = place;
        let key = (parent, key);
        if let Some(known) = self.owners.get(&key) {
            return (known.clone(), false);
        }
        let owner = Owner { process: key.0.process.clone(), thread: Some(OwnerId::Name(next.into())) };
        out.push(name_event(self.machine, &owner, "thread_name", name));
        out.push(description(self.machine, &owner, &key.0, order));
        if order == ChildOrder::Explicit && rank != 0 {
            out.push(sort_event(self.machine, &owner, "thread_sort_index", rank));
        }
        self.owners.insert(key, owner.clone());
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
        self.owners.get(&(parent, key)).cloned()
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
