//! The tracks that a trace describes: threads, processes, counters, and nested tracks.

use std::sync::Arc;

use foldhash::HashMap;

use super::event::{EventId, Owner, OwnerId};
use super::json_text::text;
use super::named_tracks::{NamedTracks, TrackPlace};
use super::owner_descriptor::{OwnerDescriptor, ThreadKey, chrome_process};
use super::owner_text::name_event;
use super::siblings::{SiblingKey, Siblings};
use super::wire::Fields;
use flowline_profile::CompactString;

/// A described track. Most have only a name and a parent, and a trace may have millions.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    /// The parent track; 0 without a parent.
    parent: u64,
    name: CompactString,
    /// Shared by tracks with the same properties that follow each other.
    counter: Option<Arc<Counter>>,
    others: Option<Box<OtherProperties>>,
}

/// Properties that few tracks have.
#[derive(Clone, Debug)]
struct OtherProperties {
    thread: Option<ThreadKey>,
    /// True if the events of a thread's track must not be among those that the system records of the thread.
    is_apart: bool,
    process: Option<i64>,
    siblings: Siblings,
}

impl OtherProperties {
    const NONE: Self = Self { thread: None, is_apart: false, process: None, siblings: Siblings::NONE };
}

impl Track {
    fn others(&self) -> &OtherProperties {
        static NONE: OtherProperties = OtherProperties::NONE;
        self.others.as_deref().unwrap_or(&NONE)
    }

    fn others_mut(&mut self) -> &mut OtherProperties {
        self.others.get_or_insert_with(|| Box::new(OtherProperties::NONE))
    }
}

#[derive(Clone, Debug, PartialEq)]
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
                    read.track.name = text(field.bytes()).into();
                }
                3 => {
                    let process = OwnerDescriptor::process(field.bytes());
                    read.track.others_mut().process = Some(process.pid);
                    read.process = Some(process);
                }
                4 => {
                    let thread = OwnerDescriptor::thread(field.bytes());
                    read.track.others_mut().thread = Some((thread.pid, thread.tid));
                    read.thread = Some(thread);
                }
                5 => read.track.parent = field.number(),
                6 => {
                    let kind = field.message().field(1);
                    chrome_name = kind.map(|kind| chrome_process(kind.number())).unwrap_or_default();
                }
                8 => read.track.counter = Some(Arc::new(Counter::read(field.message()))),
                9 if field.is_true() => read.track.others_mut().is_apart = true,
                number if Siblings::has_field(number) => read.track.others_mut().siblings.read(&field),
                _ => {}
            }
        }
        if let Some(process) = read.process.as_mut().filter(|_| !chrome_name.is_empty()) {
            process.chrome_type = chrome_name;
        }
        read
    }
}

/// All tracks of a trace.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    list: Vec<Track>,
    /// Numbers in the list.
    by_uuid: HashMap<u64, u32>,
    /// The counter that was described last.
    last_counter: Option<Arc<Counter>>,
}

/// Maximum number of parents that are followed.
const MAX_DEPTH: usize = 32;
/// Maximum length of a counter's full name, including the parents of its track, in bytes. Longer names are reduced to the
/// counter's own name.
const MAX_LABEL: usize = 2000;
/// Name of a thread's track that is apart from the thread.
const APART: &str = "Track events";

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
        id: Arc<str>,
    },
    /// A counter.
    Counter {
        name: Arc<str>,
        /// Text that tells the counter from others with the same name; empty if there are none.
        id: Arc<str>,
        counter: Arc<Counter>,
    },
}

impl Tracks {
    /// Adds a description. Earlier properties of the track remain unless the new description replaces them.
    pub(super) fn add(&mut self, description: TrackDescriptor) {
        let Track { parent, name, counter, others } = description.track;
        let counter = counter.map(|counter| self.shared(counter));
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let number = *self.by_uuid.entry(description.uuid).or_insert(next) as usize;
        if number == self.list.len() {
            self.list.push(Track::default());
        }
        let Some(known) = self.list.get_mut(number) else { return };
        if parent != 0 {
            known.parent = parent;
        }
        // The first name wins.
        if known.name.is_empty() {
            known.name = name;
        }
        known.counter = counter.or_else(|| known.counter.take());
        if let Some(others) = others {
            let known = known.others_mut();
            known.thread = others.thread.or(known.thread);
            known.is_apart |= others.is_apart;
            known.process = others.process.or(known.process);
            known.siblings.add(others.siblings);
        }
    }

    /// Returns the counter described last if it is the same.
    fn shared(&mut self, counter: Arc<Counter>) -> Arc<Counter> {
        let last = self.last_counter.take().filter(|last| *last == counter).unwrap_or(counter);
        Arc::clone(self.last_counter.insert(last))
    }

    fn get(&self, uuid: u64) -> Option<&Track> {
        self.list.get(*self.by_uuid.get(&uuid)? as usize)
    }

    /// Returns the thread of a thread track; `None` if its events are apart from those of the thread.
    pub(super) fn thread(&self, uuid: u64) -> Option<ThreadKey> {
        self.get(uuid).map(Track::others).filter(|track| !track.is_apart)?.thread
    }

    /// Returns the process of a track, and the thread that it is below.
    pub(super) fn owners(&self, uuid: u64) -> (Option<i64>, Option<ThreadKey>) {
        let owner = self.get(uuid).map(|track| self.owner(uuid, track));
        owner.map_or((None, None), |owner| (owner.process, owner.thread))
    }

    /// Returns the counter of a counter track.
    pub(super) fn counter(&self, uuid: u64) -> Option<&Counter> {
        self.get(uuid)?.counter.as_deref()
    }

    /// True if any name or unit of a track fulfills a condition.
    pub(super) fn any_text(&self, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        self.list.iter().any(|track| {
            is_wanted(&track.name) || track.counter.as_ref().is_some_and(|counter| is_wanted(&counter.unit))
        })
    }

    /// Returns the name that a track without one takes from its `first` event, for a description; `None` for a track with
    /// a name of its own, or whose name would become part of the names of other tracks.
    pub(super) fn name_to_state(&self, uuid: u64, first: &str) -> Option<String> {
        let unknown = Track::default();
        let track = self.get(uuid).unwrap_or(&unknown);
        let others = track.others();
        let has_name = !track.name.is_empty() || others.thread.is_some() || others.process.is_some();
        let is_child = |(own, child): (&u64, &u32)| {
            *own != uuid && self.list.get(*child as usize).is_some_and(|child| child.parent == uuid)
        };
        let is_parent = || self.by_uuid.iter().any(is_child);
        if has_name || track.counter.is_some() || is_parent() {
            return None;
        }
        let own = if first.is_empty() { self.get(track.parent)?.name.as_str() } else { first };
        (!own.is_empty()).then(|| own.to_owned())
    }

    /// Returns the destination of the events of a track that is not a thread. `named` contains the known tracks. `out`
    /// receives the metadata events that describe it and the tracks above it. A track without a name gets the name of its
    /// `first` event.
    pub(super) fn place(&self, uuid: u64, first: &str, named: &mut NamedTracks, out: &mut Vec<String>) -> EventTarget {
        let unknown = Track::default();
        let track = self.get(uuid).unwrap_or(&unknown);
        let owner = self.owner(uuid, track);
        let (process, thread) = (owner.process, owner.thread);
        let pid = process.map_or_else(|| named.global(), OwnerId::Number);
        if process.is_none() && named.is_first_global() {
            let owner = Owner { process: pid.clone(), thread: Some(pid.clone()) };
            out.push(name_event(named.machine(), &owner, "process_name", "Global tracks"));
        }
        if let Some(counter) = track.counter.clone() {
            let names = owner.full_name();
            let name = if names.is_empty() { format!("Counter {uuid:#x}") } else { names };
            let of = Owner { process: pid.clone(), thread: thread.map(|(_, tid)| OwnerId::Number(tid)) };
            let is_other = named.is_other_counter(of, &name, uuid);
            let id = match thread {
                Some((_, tid)) if !is_other => tid.to_string(),
                None if !is_other => String::new(),
                _ => format!("{uuid:#x}"),
            };
            let owner = Owner { process: pid, thread: None };
            let kind = EventTargetKind::Counter { name: name.into(), id: id.into(), counter };
            return EventTarget { owner, kind };
        }
        let mut parent = Owner { process: pid, thread: thread.map(|thread| OwnerId::Number(thread.1)) };
        // With too many parents, the outermost one is unknown.
        let above = if owner.path.len() < MAX_DEPTH { owner.path.get(1..).unwrap_or_default() } else { &[] };
        for (uuid, above) in above.iter().rev().filter(|(_, above)| !above.name.is_empty()) {
            let place = self.place_below(parent, *uuid, above, &above.name);
            parent = named.group(place, &above.name, out);
        }
        let others = track.others();
        let name = match (track.name.as_str(), first) {
            ("", _) if others.process.is_some() => "Process track",
            ("", _) if others.thread.is_some() => APART,
            ("", "") => "Track",
            ("", first) => first,
            (name, _) => name,
        };
        let mut place = self.place_below(parent, uuid, track, name);
        if others.process.is_some() {
            place.key = SiblingKey::Name(name.into());
        }
        let owner = named.track(place, name, out);
        EventTarget { owner, kind: EventTargetKind::Track { id: format!("{uuid:#x}").into() } }
    }

    /// Returns the destination of the events of a track that is not a thread without its names and numbers, for readers
    /// that only follow which tracks are used.
    pub(super) fn place_without_owner(&self, uuid: u64) -> EventTarget {
        let owner = Owner { process: OwnerId::Number(0), thread: None };
        let kind = match self.get(uuid).and_then(|track| track.counter.clone()) {
            Some(counter) => EventTargetKind::Counter { name: Arc::default(), id: Arc::default(), counter },
            None => EventTargetKind::Track { id: Arc::default() },
        };
        EventTarget { owner, kind }
    }

    /// Returns the place of a track below a parent.
    fn place_below(&self, parent: Owner, uuid: u64, track: &Track, name: &str) -> TrackPlace {
        let order = self.get(track.parent).map(|parent| parent.others().siblings.child_order()).unwrap_or_default();
        let siblings = &track.others().siblings;
        TrackPlace { parent, key: siblings.key(uuid, name), order, rank: siblings.rank() }
    }

    /// Returns the owner of a track, and the tracks between both.
    fn owner<'t>(&'t self, uuid: u64, track: &'t Track) -> TrackOwner<'t> {
        let mut path: Vec<(u64, &Track)> = Vec::new();
        let (mut at, mut uuid) = (Some(track), uuid);
        let (mut process, mut thread) = (None, None);
        for _ in 0..MAX_DEPTH {
            let Some(track) = at.filter(|_| path.iter().all(|(known, _)| *known != uuid)) else { break };
            let others = track.others();
            if let Some(own) = others.thread {
                (process, thread) = (Some(own.0), Some(own));
                break;
            }
            if others.process.is_some() {
                process = others.process;
                break;
            }
            path.push((uuid, track));
            uuid = track.parent;
            at = self.get(uuid);
        }
        TrackOwner { process, thread, path }
    }
}

struct TrackOwner<'t> {
    process: Option<i64>,
    thread: Option<ThreadKey>,
    /// The track and those above it, with their ids; the track itself is first. Without those of processes and threads.
    path: Vec<(u64, &'t Track)>,
}

impl TrackOwner<'_> {
    /// Name of the track with those of the tracks above as prefix.
    fn full_name(&self) -> String {
        let mut names: Vec<&str> = self.path.iter().rev().map(|(_, track)| track.name.as_str()).collect();
        names.retain(|name| !name.is_empty());
        names.dedup();
        // The limit matters because many tracks may share long names.
        let length = names.iter().map(|name| name.len()).sum::<usize>();
        if length > MAX_LABEL { names.last().map_or("", |name| name).to_owned() } else { names.join(" / ") }
    }
}
