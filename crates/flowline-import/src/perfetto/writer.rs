//! Reads the packets of a trace: the second pass, which needs the facts of the first. It keeps the state of packet
//! sequences and passes what packets state to an [`Output`].

use std::rc::Rc;

use foldhash::{HashMap, HashSet};

use super::clock_segment::ClockSegment;
use super::counter_number::CounterNumber;
use super::destination_use::Use;
use super::event::{Args, Owner, OwnerId, TraceEvent};
use super::first_pass::Facts;
use super::kernel::scheduling::Scheduling;
use super::machine_ids::process_name_on;
use super::machine_state::MachineState;
use super::named::Named;
use super::named_tracks::NamedTracks;
use super::output::Output;
use super::owner_descriptor::ThreadKey;
use super::owner_text::{metadata_event, name_event, sort_event};
use super::packet::{Packet, kind};
use super::sequence::Sequence;
use super::skipped_data::SkippedData;
use super::sources::frame::OpenFrames;
use super::sources::groups::NamedGroups;
use super::sources::heap_history::HeapProfiles;
use super::sources::packet_kinds;
use super::stacks::FrameTree;
use super::state::State;
use super::targets::{Targets, read, write};
use super::tracks::{Counter, EventTarget, EventTargetKind};
use flowline_profile::OWN_EVENT;

/// Reads packets.
pub(super) struct Writer<'f, O> {
    pub(super) facts: &'f Facts,
    /// Destinations known so far: a reader of names adds its own.
    pub(super) targets: &'f Targets,
    pub(super) output: O,
    pub(super) state: State,
    /// The first uses of destinations, if the output wants them.
    pub(super) uses: Vec<Use>,
    /// Place of the next event.
    pub(super) place: u64,
    /// Offset of the packet.
    at: u64,
    /// CPU times of threads at track events, by the offset of the packet, if the output wants them.
    pub(super) cpu_times: Vec<(u64, i64)>,
    /// The same for CPU times of slices.
    pub(super) cpu_durations: Vec<(u64, i64)>,
    /// True if any track event has a stack.
    pub(super) has_stacks: bool,
    pub(super) places: HashMap<u64, Rc<EventTarget>>,
    /// The destination found last.
    pub(super) last_place: Option<(u64, Rc<EventTarget>)>,
    /// The counter track of the last extra counter value.
    pub(super) last_counter: Option<(u64, &'f Counter)>,
    /// The relation of the last packet's clock to the trace clock.
    pub(super) times: ClockSegment,
    pub(super) threads: HashMap<ThreadKey, Rc<EventTarget>>,
    pub(super) named_processes: HashSet<i64>,
    pub(super) named_cpus: HashSet<u32>,
    pub(super) named_groups: NamedGroups,
    pub(super) open_frames: OpenFrames,
    pub(super) heap_profiles: HeapProfiles,
    pub(super) named_heaps: HashSet<Owner>,
    pub(super) scheduling: Scheduling,
    /// Owners of state tracks, by thread.
    pub(super) state_owners: HashMap<i64, Rc<Owner>>,
    /// The states of other machines.
    pub(super) machines: Vec<MachineState<'f>>,
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
            uses: Vec::new(),
            place: 0,
            at: 0,
            cpu_times: Vec::new(),
            cpu_durations: Vec::new(),
            has_stacks: false,
            places: HashMap::default(),
            last_place: None,
            last_counter: None,
            times: ClockSegment::default(),
            threads: HashMap::default(),
            named_processes: HashSet::default(),
            named_cpus: HashSet::default(),
            named_groups: NamedGroups::default(),
            open_frames: OpenFrames::default(),
            heap_profiles: HeapProfiles::default(),
            named_heaps: HashSet::default(),
            scheduling: Scheduling::default(),
            state_owners: HashMap::default(),
            machines: Vec::new(),
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
        if packet.machine != self.facts.machine {
            return self.packet_of_machine(packet, at);
        }
        if packet.has_no_effect() {
            return;
        }
        let sequence = self.state.sequences.of(packet.sequence);
        if !sequence.apply(packet, O::STACKS) {
            self.omit("packets that refer to lost packets");
            return;
        }
        let time = packet.timestamp.and_then(|time| {
            let clock = sequence.clock(packet, self.facts.clocks.default_clock());
            let time = sequence.bases.clocks.time(clock, time);
            self.times.convert(&self.facts.clocks, (packet.sequence, clock), time)
        });
        let Some((number, data)) = packet.data else { return };
        match number {
            kind::TRACK_EVENT => self.track_event(packet, time, data),
            kind::FTRACE => {
                self.place += packet.offset_of(data);
                self.kernel_events(packet, data);
            }
            kind::PROCESS_STATS => self.process_stats(time, data),
            kind::PERF_SAMPLE => self.perf_sample(packet, time, data),
            packet_kinds::HEAP_PROFILE => self.heap_profile(packet, time, data),
            kind::STREAMING_PROFILE => self.streaming_profile(packet, time, data),
            kind::CHROME_EVENTS => {
                self.cut_clock(data);
                self.chrome_events(data);
            }
            // Read in the first pass, or applied to the sequence.
            kind::CLOCK_SNAPSHOT
            | kind::TRACK_DESCRIPTOR
            | kind::THREAD_DESCRIPTOR
            | kind::PROCESS_TREE
            | kind::PROCESS_DESCRIPTOR
            | kind::EXTENSION_DESCRIPTOR
            | kind::SYSTEM_INFO => {}
            number => self.other_packet(packet.sequence, time, number, data),
        }
    }

    /// Keeps the CPU time of a track event.
    pub(super) fn keep_cpu_time(&mut self, ran: Option<i64>) {
        if O::CPU_TIMES {
            self.cpu_times.extend(ran.map(|ran| (self.at, ran)));
        }
    }

    /// Keeps the CPU time of a slice.
    pub(super) fn keep_cpu_duration(&mut self, ran: Option<i64>) {
        if O::CPU_TIMES {
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
        if O::USES {
            self.uses.push(Use::Track(track, first.into()));
        }
        let place = match self.facts.tracks.thread(track) {
            Some(thread) => self.thread_target(thread),
            None => {
                let place = if O::USES {
                    self.facts.tracks.place_without_owner(track)
                } else {
                    let mut events = Vec::new();
                    let place = self.facts.tracks.place(track, first, &mut write(&self.targets.named), &mut events);
                    self.name_all(&events);
                    place
                };
                let (process, thread) = self.facts.tracks.owners(track);
                process.into_iter().for_each(|process| self.name_process(process));
                if let (Some(thread), EventTargetKind::Track { .. }) = (thread, &place.kind) {
                    drop(self.thread_target(thread));
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

    /// Returns the owner of the events of a track that is identified only by its process and name.
    pub(super) fn named_target(&mut self, process: OwnerId, name: &str) -> Owner {
        if let Some(known) = read(&self.targets.named).known(process.clone(), name) {
            return known;
        }
        if O::USES {
            self.uses.push(Use::Named(process.clone(), name.to_owned()));
        }
        let mut events = Vec::new();
        let owner = write(&self.targets.named).track(NamedTracks::by_name(process.clone(), name), name, &mut events);
        self.name_all(&events);
        self.name_owner(&process);
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
                if O::USES {
                    self.uses.push(Use::Thread(thread));
                }
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

    /// Uses destinations in the order of their first events, so that they get their numbers and names.
    pub(super) fn use_all(&mut self, uses: Vec<Use>) {
        for one in uses {
            match one {
                Use::Track(track, first) => drop(self.place(track, &first)),
                Use::Thread(thread) => drop(self.thread_target(thread)),
                Use::Named(process, name) => drop(self.named_target(process, &name)),
                Use::Process(pid) => self.name_process(pid),
                Use::OfMachine(machine, one) => {
                    self.on_machine(machine, |writer| writer.use_all(vec![*one]));
                }
            }
        }
    }

    /// Forgets the destinations that it can look up among those of all readers: there may be millions.
    pub(super) fn forget_targets(&mut self) {
        self.last_place = None;
        self.places = HashMap::default();
        self.threads = HashMap::default();
    }

    /// Names a process once.
    pub(super) fn name_process(&mut self, pid: i64) {
        if !(O::NAMES || O::USES) || !self.named_processes.insert(pid) {
            return;
        }
        if O::USES {
            self.uses.push(Use::Process(pid));
            return;
        }
        let unnamed = Named::default();
        let named = self.facts.processes.get(&pid).unwrap_or(&unnamed);
        let (machine, owner) = (self.facts.machine, Owner::thread(pid, pid));
        let name = process_name_on(machine, pid, &named.name);
        self.name(&owner, ["process_name", "process_sort_index"], &name, named.sort_index);
        if !named.command_line.is_empty() && named.command_line != named.name {
            let text = metadata_event(machine, &owner, "process_command_line", "command_line", &named.command_line);
            self.output.metadata(&text);
        }
        if !named.labels.is_empty() {
            self.output.metadata(&metadata_event(machine, &owner, "process_labels", "labels", &named.labels));
        }
    }

    /// States the name and the sort index of a process or thread.
    pub(super) fn name(&mut self, owner: &Owner, [kind, sort_kind]: [&str; 2], name: &str, sort_index: Option<i64>) {
        if !O::NAMES {
            return;
        }
        if !name.is_empty() {
            self.output.metadata(&name_event(self.facts.machine, owner, kind, name));
        }
        if let Some(index) = sort_index {
            self.output.metadata(&sort_event(self.facts.machine, owner, sort_kind, index));
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
        self.end_derived();
        self.end_machines();
    }

    /// Ends the data of the machine that needs the state of the whole trace.
    pub(super) fn end_derived(&mut self) {
        self.end_scheduling();
        self.end_frames();
        self.end_heap_profiles();
    }
}
