//! Writes a trace as trace events in JSON: the second pass.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use foldhash::{HashMap, HashSet};

use super::first_pass::Facts;
use super::json_text::{integer, micros, quoted, string};
use super::packet::{Packet, kind};
use super::scheduling::{Cpus, Scheduling};
use super::sequence::Sequence;
use super::stacks::FrameTree;
use super::tracks::{EventTarget, EventTargetKind, NamedTracks, ThreadKey, TrackDescriptor, thread_members};

/// Size of a text block that is passed on, in bytes.
const BLOCK: usize = 1 << 18;

/// Skipped data: number of items per kind.
#[derive(Debug, Default)]
pub(super) struct SkippedData(BTreeMap<&'static str, u64>);

impl SkippedData {
    pub(super) fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }
}

/// Receives a piece of text and the number of trace bytes read so far; returns whether to continue.
pub(super) type TextSink<'t> = &'t mut dyn FnMut(&str, u64) -> bool;

/// Writes the events of a trace.
pub(super) struct Writer<'f> {
    pub(super) facts: &'f Facts,
    take: TextSink<'f>,
    /// Number of trace bytes read so far.
    read: u64,
    is_stopped: bool,
    /// True if the receiver stopped the conversion.
    pub(super) out: String,
    has_events: bool,
    pub(super) sequences: HashMap<u32, Sequence>,
    places: HashMap<u64, Rc<EventTarget>>,
    threads: HashMap<ThreadKey, Rc<EventTarget>>,
    named: NamedTracks,
    named_processes: HashSet<i64>,
    /// State tracks with an open state.
    pub(super) open_states: HashSet<u64>,
    pub(super) cpus: Cpus,
    pub(super) scheduling: Scheduling,
    /// State tracks beside threads, by thread.
    pub(super) state_owners: HashMap<i64, Rc<str>>,
    pub(super) omitted: SkippedData,
    pub(super) frames: FrameTree,
}

impl<'f> Writer<'f> {
    /// Creates a writer for a trace of `trace_bytes` bytes and starts the text.
    pub(super) fn new(facts: &'f Facts, trace_bytes: usize, take: TextSink<'f>) -> Self {
        Self {
            facts,
            take,
            read: 0,
            is_stopped: false,
            out: String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":["),
            has_events: false,
            sequences: HashMap::default(),
            places: HashMap::default(),
            threads: HashMap::default(),
            named: NamedTracks::default(),
            named_processes: HashSet::default(),
            open_states: HashSet::default(),
            cpus: Cpus::default(),
            scheduling: Scheduling::default(),
            state_owners: HashMap::default(),
            omitted: SkippedData::default(),
            frames: FrameTree::of_trace(trace_bytes),
        }
    }

    /// Returns true if the receiver stopped the conversion.
    pub(super) const fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Passes the pending text on.
    fn pass_on(&mut self) {
        self.is_stopped = self.is_stopped || !(self.take)(&self.out, self.read);
        self.out.clear();
    }

    /// Writes the packet at offset `at` of the trace.
    pub(super) fn packet(&mut self, packet: &Packet<'_>, at: u64) {
        self.read = at;
        if packet.has_no_effect() {
            return;
        }
        let sequence = self.sequences.entry(packet.sequence).or_default();
        let is_whole = sequence.take(packet);
        if let Some((kind::CLOCK_SNAPSHOT, snapshot)) = packet.data {
            sequence.clocks.set(snapshot);
        }
        if !is_whole {
            self.omitted.add("packets that refer to lost packets");
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
            kind::FTRACE => self.kernel_events(data),
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
            | kind::CHROME_EVENTS
            | kind::SYSTEM_INFO => {}
            number => {
                if let Some(what) = not_read(number) {
                    self.omitted.add(what);
                }
            }
        }
    }

    /// Returns the sequence of a packet.
    pub(super) fn sequence(&mut self, packet: &Packet<'_>) -> &mut Sequence {
        self.sequences.entry(packet.sequence).or_default()
    }

    /// Starts an event with its phase and time.
    pub(super) fn begin_event(&mut self, phase: char, ts: i64) {
        self.separate();
        self.out.push_str("{\"ph\":\"");
        self.out.push(phase);
        self.out.push_str("\",\"ts\":");
        micros(&mut self.out, ts);
    }

    fn separate(&mut self) {
        // One packet may contain many events, and a few bytes may refer to long names.
        if self.out.len() >= BLOCK {
            self.pass_on();
        }
        if std::mem::replace(&mut self.has_events, true) {
            self.out.push_str(",\n");
        } else {
            self.out.push('\n');
        }
    }

    /// Writes complete events.
    fn write_all(&mut self, events: &[String]) {
        for event in events {
            self.separate();
            self.out.push_str(event);
        }
    }

    /// Returns the destination of the events of a track. `first` is the name of the current event.
    pub(super) fn place(&mut self, track: u64, first: &str) -> Rc<EventTarget> {
        if let Some(known) = self.places.get(&track) {
            return Rc::clone(known);
        }
        let place = match self.facts.tracks.thread(track) {
            Some(thread) => self.thread_target(thread),
            None => {
                let mut events = Vec::new();
                let place = self.facts.tracks.place(track, first, &mut self.named, &mut events);
                self.write_all(&events);
                if let Some(process) = self.facts.tracks.process(track) {
                    self.name_process(process);
                }
                Rc::new(place)
            }
        };
        self.places.insert(track, Rc::clone(&place));
        place
    }

    /// Returns the destination of the events of a track that already has events.
    pub(super) fn known_target(&self, track: u64) -> Option<Rc<EventTarget>> {
        self.places.get(&track).map(Rc::clone)
    }

    /// Returns the destination of the events of a process track that is identified only by name.
    pub(super) fn named_target(&mut self, pid: i64, name: &str) -> Box<str> {
        let mut events = Vec::new();
        let owner = self.named.owner(pid, name, &mut events);
        self.write_all(&events);
        self.name_process(pid);
        owner
    }

    /// Returns the destination of the events of a thread.
    pub(super) fn thread_target(&mut self, thread: ThreadKey) -> Rc<EventTarget> {
        if let Some(known) = self.threads.get(&thread) {
            return Rc::clone(known);
        }
        self.name_process(thread.0);
        let owner = thread_members(thread);
        if let Some(named) = self.facts.threads.get(&thread) {
            self.name(&owner, ["thread_name", "thread_sort_index"], &named.name, named.sort_index);
        }
        let place = Rc::new(EventTarget { owner, kind: EventTargetKind::Thread });
        self.threads.insert(thread, Rc::clone(&place));
        place
    }

    /// Writes the name of a process once.
    pub(super) fn name_process(&mut self, pid: i64) {
        if !self.named_processes.insert(pid) {
            return;
        }
        let Some(named) = self.facts.processes.get(&pid) else { return };
        let owner = format!(",\"pid\":{pid},\"tid\":{pid}");
        self.name(&owner, ["process_name", "process_sort_index"], &named.name, named.sort_index);
        if !named.labels.is_empty() {
            let labels = quoted(named.labels.as_bytes());
            self.write_all(&[format!(
                "{{\"ph\":\"M\"{owner},\"name\":\"process_labels\",\"args\":{{\"labels\":{labels}}}}}"
            )]);
        }
    }

    /// Writes the name and the sort index of a process or thread.
    pub(super) fn name(&mut self, owner: &str, [kind, sort_kind]: [&str; 2], name: &str, sort_index: Option<i64>) {
        if !name.is_empty() {
            let name = quoted(name.as_bytes());
            self.write_all(&[format!("{{\"ph\":\"M\"{owner},\"name\":\"{kind}\",\"args\":{{\"name\":{name}}}}}")]);
        }
        if let Some(index) = sort_index {
            self.write_all(&[format!(
                "{{\"ph\":\"M\"{owner},\"name\":\"{sort_kind}\",\"args\":{{\"sort_index\":{index}}}}}"
            )]);
        }
    }

    /// Writes a counter value of a process.
    pub(super) fn counter(&mut self, ts: i64, pid: impl std::fmt::Display, name: &str, unit: &str, value: i64) {
        self.begin_event('C', ts);
        self.out.push_str(",\"pid\":");
        integer(&mut self.out, pid);
        self.out.push_str(",\"name\":");
        string(&mut self.out, name.as_bytes());
        if !unit.is_empty() {
            self.out.push_str(",\"unit\":");
            string(&mut self.out, unit.as_bytes());
        }
        self.out.push_str(",\"args\":{\"value\":");
        integer(&mut self.out, value);
        self.out.push_str("}}");
    }

    /// Ends the text after `read` bytes of the trace.
    pub(super) fn finish(&mut self, read: u64) {
        self.read = read;
        self.end_scheduling();
        self.out.push_str("\n]");
        for (name, members) in [("stackFrames", &self.frames.text), ("metadata", &self.facts.metadata)] {
            if !members.is_empty() {
                let _infallible = write!(self.out, ",\"{name}\":{{{members}}}");
            }
        }
        self.out.push_str(",\"perfetto\":{\"left_out\":{");
        for (at, (what, count)) in self.omitted.0.iter().enumerate() {
            self.out.push_str(if at > 0 { "," } else { "" });
            string(&mut self.out, what.as_bytes());
            self.out.push(':');
            integer(&mut self.out, count);
        }
        self.out.push_str("}}}\n");
        self.pass_on();
    }
}

/// Describes a packet type that is not imported; `None` if it contains nothing about the recorded time.
fn not_read(number: u64) -> Option<&'static str> {
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
