//! Reads the packets of a trace: the second pass, which needs the facts of the first. It keeps the state of packet
//! sequences and passes what packets state to an [`Output`].

use std::rc::Rc;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use foldhash::{HashMap, HashSet};

use super::event::{Args, CounterNumber, Owner, OwnerId, TraceEvent};
use super::first_pass::Facts;
use super::json_text::{integer, quoted};
use super::output::Output;
use super::owner_descriptor::ThreadKey;
use super::owner_text::{name_event, owner_members};
use super::packet::{Packet, kind};
use super::scheduling::{Cpus, Scheduling};
use super::sequence::Sequence;
use super::sequences::Sequences;
use super::skipped_data::SkippedData;
use super::stacks::FrameTree;
use super::tracks::{EventTarget, EventTargetKind, NamedTracks, TrackDescriptor};
use flowline_profile::OWN_EVENT;

/// The state that packets depend on. With a copy of it, reading can begin at the packet where it was taken.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) sequences: Sequences,
    /// State tracks with an open state.
    pub(super) open_states: HashSet<u64>,
    pub(super) cpus: Cpus,
}

/// The destinations of all events that were read in order. Readers of parts look theirs up.
#[derive(Debug, Default)]
pub(super) struct Targets {
    places: RwLock<HashMap<u64, EventTarget>>,
    threads: RwLock<HashMap<ThreadKey, EventTarget>>,
    named: RwLock<NamedTracks>,
}

/// Locks a table for reading.
fn read<T>(table: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

/// Locks a table for a new entry.
fn write<T>(table: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    table.write().unwrap_or_else(PoisonError::into_inner)
}

/// Reads packets.
pub(super) struct Writer<'f, O> {
    pub(super) facts: &'f Facts,
    /// Destinations known so far: a reader of names adds its own.
    targets: &'f Targets,
    pub(super) output: O,
    pub(super) state: State,
    /// Place of the next event.
    pub(super) place: u64,
    /// Offset of the packet.
    at: u64,
    /// CPU times of threads at track events, by the offset of the packet. Only a reader of names collects them.
    pub(super) cpu_times: Vec<(u64, i64)>,
    /// The same for CPU times of slices.
    pub(super) cpu_durations: Vec<(u64, i64)>,
    places: HashMap<u64, Rc<EventTarget>>,
    /// The destination found last.
    last_place: Option<(u64, Rc<EventTarget>)>,
    threads: HashMap<ThreadKey, Rc<EventTarget>>,
    named_processes: HashSet<i64>,
    pub(super) named_cpus: HashSet<u32>,
    pub(super) scheduling: Scheduling,
    /// Owners of state tracks, by thread.
    pub(super) state_owners: HashMap<i64, Rc<Owner>>,
    pub(super) omitted: SkippedData,
    pub(super) frames: FrameTree,
}

/// Passes an event to an output, and counts it.
pub(super) fn emit<O: Output>(output: &mut O, facts: &Facts, place: &mut u64, event: &TraceEvent<'_>) {
    output.event(event, facts, *place);
    *place += 1;
}

impl<'f, O: Output> Writer<'f, O> {
    /// Creates a reader of a trace of `trace_bytes` bytes.
    pub(super) fn new((facts, targets): (&'f Facts, &'f Targets), trace_bytes: usize, output: O) -> Self {
        let frames = FrameTree::of_trace(trace_bytes);
        Self { frames, ..Self::resumed((facts, targets), State::default(), output) }
    }

    /// Creates a reader that goes on from a state.
    pub(super) fn resumed((facts, targets): (&'f Facts, &'f Targets), state: State, output: O) -> Self {
        Self {
            facts,
            targets,
            output,
            state,
            place: 0,
            at: 0,
            cpu_times: Vec::new(),
            cpu_durations: Vec::new(),
            places: HashMap::default(),
            last_place: None,
            threads: HashMap::default(),
            named_processes: HashSet::default(),
            named_cpus: HashSet::default(),
            scheduling: Scheduling::default(),
            state_owners: HashMap::default(),
            omitted: SkippedData::default(),
            frames: FrameTree::default(),
        }
    }

    /// Returns true if nothing more is wanted.
    pub(super) fn is_stopped(&self) -> bool {
        self.output.is_stopped()
    }

    /// Counts an item that is not imported.
    pub(super) fn omit(&mut self, what: &'static str) {
        if O::EVENTS {
            self.omitted.add(what);
        }
    }

    /// Counts an item that is not imported and needs the state of the whole trace.
    pub(super) fn omit_derived(&mut self, what: &'static str) {
        if O::DERIVED {
            self.omitted.add(what);
        }
    }

    /// Reads the packet at offset `at` of the trace.
    pub(super) fn packet(&mut self, packet: &Packet<'_>, at: u64) {
        self.output.advance(at);
        (self.place, self.at) = (at, at);
        if packet.has_no_effect() {
            return;
        }
        let sequence = self.state.sequences.of(packet.sequence);
        let is_whole = sequence.take(packet, O::DERIVED);
        if let Some((kind::CLOCK_SNAPSHOT, snapshot)) = packet.data {
            sequence.clocks.set(snapshot);
        }
        if !is_whole {
            self.omit("packets that refer to lost packets");
            return;
        }
        let time = packet.timestamp.and_then(|time| {
            let clock = sequence.clock(packet, self.facts.clocks.default_clock());
            let time = sequence.clocks.time(clock, time);
            self.facts.clocks.to_trace(packet.sequence, clock, time)
        });
        let Some((number, data)) = packet.data else { return };
        match number {
            kind::TRACK_EVENT => self.track_event(packet, time, data),
            kind::FTRACE => {
                self.place += packet.offset_of(data);
                self.kernel_events(data);
            }
            kind::PROCESS_STATS => self.process_stats(time, data),
            kind::PERF_SAMPLE => self.perf_sample(packet, time, data),
            kind::STREAMING_PROFILE => self.streaming_profile(packet, time, data),
            kind::THREAD_DESCRIPTOR => self.sequence(packet).describe_thread(data),
            kind::TRACK_DESCRIPTOR => {
                // A sequence that describes a thread belongs to it, unless its events name another thread.
                if let Some(thread) = TrackDescriptor::read(data).thread {
                    self.sequence(packet).thread = Some((thread.pid, thread.tid));
                }
            }
            // Read in the first pass.
            kind::CLOCK_SNAPSHOT
            | kind::PROCESS_TREE
            | kind::PROCESS_DESCRIPTOR
            | kind::EXTENSION_DESCRIPTOR
            | kind::SYSTEM_INFO => {}
            kind::CHROME_EVENTS => self.cut_clock(data),
            number => {
                if let Some(what) = not_read(number) {
                    self.omit(what);
                }
            }
        }
    }

    /// Keeps the CPU time of a track event.
    pub(super) fn keep_cpu_time(&mut self, ran: Option<i64>) {
        if O::NAMES {
            self.cpu_times.extend(ran.map(|ran| (self.at, ran)));
        }
    }

    /// Keeps the CPU time of a slice.
    pub(super) fn keep_cpu_duration(&mut self, ran: Option<i64>) {
        if O::NAMES {
            self.cpu_durations.extend(ran.map(|ran| (self.at, ran)));
        }
    }

    /// Place of the event that the packet states itself.
    pub(super) const fn own_place(&self) -> u64 {
        self.at | OWN_EVENT
    }

    /// Returns the sequence of a packet.
    pub(super) fn sequence(&mut self, packet: &Packet<'_>) -> &mut Sequence {
        self.state.sequences.of(packet.sequence)
    }

    /// Passes metadata events on.
    fn name_all(&mut self, events: &[String]) {
        if O::NAMES {
            events.iter().for_each(|event| self.output.metadata(event));
        }
    }

    /// Returns the destination of the events of a track. `first` is the name of the current event.
    pub(super) fn place(&mut self, track: u64, first: &str) -> Rc<EventTarget> {
        if let Some(known) = self.known_target(track) {
            return known;
        }
        let place = match self.facts.tracks.thread(track) {
            Some(thread) => self.thread_target(thread),
            None => {
                let mut events = Vec::new();
                let place = self.facts.tracks.place(track, first, &mut write(&self.targets.named), &mut events);
                self.name_all(&events);
                if let Some(process) = self.facts.tracks.process(track) {
                    self.name_process(process);
                }
                Rc::new(place)
            }
        };
        write(&self.targets.places).insert(track, EventTarget::clone(&place));
        self.places.insert(track, Rc::clone(&place));
        place
    }

    /// Returns the destination of the events of a track that already has events.
    pub(super) fn known_target(&mut self, track: u64) -> Option<Rc<EventTarget>> {
        if let Some((last, place)) = &self.last_place
            && *last == track
        {
            return Some(Rc::clone(place));
        }
        let place = match self.places.get(&track) {
            Some(known) => Rc::clone(known),
            None => {
                let shared = Rc::new(read(&self.targets.places).get(&track)?.clone());
                self.places.insert(track, Rc::clone(&shared));
                shared
            }
        };
        self.last_place = Some((track, Rc::clone(&place)));
        Some(place)
    }

    /// Returns the owner of the events of a process track that is identified only by name.
    pub(super) fn named_target(&mut self, pid: i64, name: &str) -> Owner {
        let process = OwnerId::Number(pid);
        if let Some(known) = read(&self.targets.named).known(process.clone(), name) {
            return known;
        }
        let mut events = Vec::new();
        let owner = write(&self.targets.named).track(process, name.to_owned(), &mut events);
        self.name_all(&events);
        self.name_process(pid);
        owner
    }

    /// Returns the destination of the events of a thread.
    pub(super) fn thread_target(&mut self, thread: ThreadKey) -> Rc<EventTarget> {
        if let Some(known) = self.threads.get(&thread) {
            return Rc::clone(known);
        }
        let shared = read(&self.targets.threads).get(&thread).cloned();
        let place = Rc::new(match shared {
            Some(shared) => shared,
            None => {
                self.name_process(thread.0);
                let owner = Owner::thread(thread.0, thread.1);
                if let Some(named) = self.facts.threads.get(&thread) {
                    self.name(&owner, ["thread_name", "thread_sort_index"], &named.name, named.sort_index);
                }
                let target = EventTarget { owner, kind: EventTargetKind::Thread };
                write(&self.targets.threads).insert(thread, target.clone());
                target
            }
        });
        self.threads.insert(thread, Rc::clone(&place));
        place
    }

    /// Names a process once.
    pub(super) fn name_process(&mut self, pid: i64) {
        if !O::NAMES || !self.named_processes.insert(pid) {
            return;
        }
        let Some(named) = self.facts.processes.get(&pid) else { return };
        let owner = Owner::thread(pid, pid);
        self.name(&owner, ["process_name", "process_sort_index"], &named.name, named.sort_index);
        if !named.labels.is_empty() {
            let labels = quoted(named.labels.as_bytes());
            let mut text = String::from("{\"ph\":\"M\"");
            owner_members(&mut text, &owner);
            text.push_str(",\"name\":\"process_labels\",\"args\":{\"labels\":");
            text.push_str(&labels);
            text.push_str("}}");
            self.output.metadata(&text);
        }
    }

    /// States the name and the sort index of a process or thread.
    pub(super) fn name(&mut self, owner: &Owner, [kind, sort_kind]: [&str; 2], name: &str, sort_index: Option<i64>) {
        if !O::NAMES {
            return;
        }
        if !name.is_empty() {
            self.output.metadata(&name_event(owner, kind, name));
        }
        if let Some(index) = sort_index {
            let mut text = String::from("{\"ph\":\"M\"");
            owner_members(&mut text, owner);
            text.push_str(",\"name\":\"");
            text.push_str(sort_kind);
            text.push_str("\",\"args\":{\"sort_index\":");
            integer(&mut text, index);
            text.push_str("}}");
            self.output.metadata(&text);
        }
    }

    /// States a counter value of a process.
    pub(super) fn counter(&mut self, ts: i64, process: OwnerId, name: &str, unit: &str, value: i64) {
        if !O::EVENTS {
            return;
        }
        let owner = Owner { process, thread: None };
        let event = TraceEvent {
            name: Some(name.into()),
            unit,
            args: Args::Value(CounterNumber::Whole(value)),
            ..TraceEvent::new(b'C', ts, &owner)
        };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }

    /// Ends the trace after `read` bytes.
    pub(super) fn finish(&mut self, read: u64) {
        self.output.advance(read);
        self.place = read;
        self.end_scheduling();
    }
}

/// Describes a packet type that is not imported; `None` if it contains nothing about the recorded time.
pub(super) fn not_read(number: u64) -> Option<&'static str> {
    Some(match number {
        // Information about the recording itself.
        4
        | 33
        | 34
        | 35
        | 46..=49
        | 51
        | 61
        | 64
        | 67
        | 69
        | 72
        | 75
        | 78
        | 79
        | 82
        | 83
        | 84
        | 86
        | 89
        | 90
        | 107
        | 109
        | 111
        | 113
        | 122..=128
        | 131
        | 134
        | 138
        | 900 => return None,
        7 => "system statistics packets",
        37 | 68 | 71 | 73 | 74 => "memory profile packets",
        38 | 40 | 77 | 91 | 115 | 119 => "power and battery counter packets",
        39 | 63 | 132 => "log message packets",
        52 | 53 | 57 | 62 | 65 | 129 => "GPU event packets",
        135 => "CPU sample packets in the new format",
        95 => "Windows event packets",
        99..=103 => "V8 code packets",
        kind::ZSTD_COMPRESSED => "zstd-compressed packets",
        _ => "unsupported packets",
    })
}
