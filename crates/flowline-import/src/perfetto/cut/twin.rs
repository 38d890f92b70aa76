//! The whole trace as JSON, with the packet of each event, and the list of its packets.

use foldhash::{HashMap, HashSet};

use super::kernel::{KernelRow, KernelSlice};
use super::kernel_item::KernelList;
use super::packet_list::{ListedPacket, PacketRole};
use crate::error::ImportError;
use crate::options::Options;
use crate::perfetto::event::{OwnerId, TraceEvent};
use crate::perfetto::first_pass::Facts;
use crate::perfetto::output::Output;
use crate::perfetto::packet::{self, Packet, kind};
use crate::perfetto::targets::Targets;
use crate::perfetto::text_output::write_event;
use crate::perfetto::track_event::TrackEvent;
use crate::perfetto::tracks::TrackDescriptor;
use crate::perfetto::whole_text::{START, end_document};
use crate::perfetto::wire::Fields;
use crate::perfetto::writer::Writer;
use crate::progress::Progress;
use flowline_profile::{CPUS_PID, OWN_EVENT, THREAD_STATE_SUFFIX};

/// Number of bytes of text between two checks of the memory budget.
const CHECK: usize = 1 << 18;
/// Type of track events that enter a state.
const STATE: u64 = 5;
/// Packet number of events that are derived at the end of the trace.
const NO_PACKET: u32 = u32::MAX;

/// An event of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwinEvent {
    /// Offset in the text.
    pub(super) offset: u64,
    /// Place of the event in the trace.
    pub(super) place: u64,
    /// Number of the packet that states the event; [`NO_PACKET`] for none.
    pub(super) packet: u32,
    /// Index of its slice, for a run on a CPU and for a state of a thread, which several kernel events state together.
    pub(super) kernel_slice: Option<u32>,
}

impl TwinEvent {
    /// True for the event that the packet states itself.
    pub(super) const fn is_own(&self) -> bool {
        self.place & OWN_EVENT != 0
    }
}

/// A trace and its text.
#[derive(Debug)]
pub(super) struct Twin {
    pub(super) facts: Facts,
    pub(super) text: String,
    /// The events, in the order of the text and of the packets.
    pub(super) events: Vec<TwinEvent>,
    pub(super) packets: Vec<ListedPacket>,
    pub(super) kernel: KernelList,
    pub(super) kernel_slices: Vec<KernelSlice>,
    /// Threads that a packet lists, so that the part knows their processes.
    pub(super) listed_threads: HashSet<i64>,
    /// Tracks without a name, with the names of their first events.
    pub(super) unnamed_tracks: Vec<((u32, u64), String)>,
}

/// Writes the text and remembers the packets of its events.
struct TwinOutput<'a> {
    text: String,
    events: Vec<TwinEvent>,
    kernel_slices: Vec<KernelSlice>,
    /// Number of the packet that is read; [`NO_PACKET`] at the end.
    packet: u32,
    /// The places of the packets that were read, ascending; after the last one, the end of the trace.
    packet_places: Vec<u64>,
    has_events: bool,
    next_check: usize,
    refused: Option<ImportError>,
    options: &'a Options,
    progress: &'a Progress,
}

impl TwinOutput<'_> {
    /// Returns the number of the packet of an event: an event that a later packet completes has its own place.
    fn packet_of(&self, place: u64) -> u32 {
        let place = place & !OWN_EVENT;
        let is_before = self.packet_places.last().is_some_and(|last| place < *last);
        if !is_before {
            return self.packet;
        }
        let number = self.packet_places.partition_point(|first| *first <= place).checked_sub(1);
        number.and_then(|number| u32::try_from(number).ok()).unwrap_or(NO_PACKET)
    }

    fn separate(&mut self) {
        if self.text.len() >= self.next_check {
            self.next_check = self.text.len() + CHECK;
            self.refused = self.options.budget.check(2 * self.text.len() as u64).err();
            if self.progress.is_cancelled() {
                self.refused = Some(ImportError::Cancelled);
            }
        }
        self.text.push_str(if std::mem::replace(&mut self.has_events, true) { ",\n" } else { "\n" });
    }
}

/// Returns the row of a run on a CPU or of a state of a thread; `None` for other events.
fn kernel_row(event: &TraceEvent<'_>, facts: &Facts) -> Option<KernelRow> {
    // The kernel events of other machines are always kept.
    if event.phase != b'X' || facts.machine > 0 {
        return None;
    }
    match (&*event.categories, &event.owner.process, event.owner.thread.as_ref()?) {
        ("sched", OwnerId::Name(process), OwnerId::Number(cpu)) if &**process == CPUS_PID => Some(KernelRow::Cpu(*cpu)),
        ("thread state", _, OwnerId::Name(thread)) => {
            thread.strip_suffix(THREAD_STATE_SUFFIX)?.parse().ok().map(KernelRow::Thread)
        }
        _ => None,
    }
}

impl Output for TwinOutput<'_> {
    const NAMES: bool = true;
    const EVENTS: bool = true;
    const DERIVED: bool = true;

    fn metadata(&mut self, text: &str) {
        self.separate();
        self.text.push_str(text);
    }

    fn event(&mut self, event: &TraceEvent<'_>, facts: &Facts, place: u64) {
        self.separate();
        let (offset, packet) = (self.text.len() as u64, self.packet_of(place));
        let kernel_slice = kernel_row(event, facts).and_then(|row| {
            let until = event.ts.saturating_add(event.duration.unwrap_or_default());
            self.kernel_slices.push(KernelSlice { row, since: event.ts, until });
            u32::try_from(self.kernel_slices.len() - 1).ok()
        });
        self.events.push(TwinEvent { offset, place, packet, kernel_slice });
        write_event(&mut self.text, event, facts);
    }

    fn advance(&mut self, _read: u64) {}

    fn is_stopped(&self) -> bool {
        self.refused.is_some()
    }
}

/// The list of packets while it is filled.
#[derive(Default)]
struct Lists {
    packets: Vec<ListedPacket>,
    kernel: KernelList,
    listed_threads: HashSet<i64>,
    unnamed_tracks: Vec<((u32, u64), String)>,
    unnamed_indexes: HashMap<(u32, u64), Option<u32>>,
}

impl Twin {
    /// Reads a trace.
    ///
    /// # Errors
    /// If memory is insufficient, or when canceled.
    pub(super) fn read(trace: &[u8], options: &Options, progress: &Progress) -> Result<Self, ImportError> {
        let facts = Facts::read(trace, &mut || !progress.is_cancelled());
        if facts.ended.is_stopped {
            return Err(ImportError::Cancelled);
        }
        let targets = Targets::default();
        let output = TwinOutput {
            text: String::from(START),
            events: Vec::new(),
            kernel_slices: Vec::new(),
            packet: 0,
            packet_places: Vec::new(),
            has_events: false,
            next_check: CHECK,
            refused: None,
            options,
            progress,
        };
        let mut writer = Writer::new((&facts, &targets), trace.len(), output);
        let mut lists = Lists::default();
        packet::each(trace, &mut |packet, at| {
            writer.output.packet = u32::try_from(lists.packets.len()).unwrap_or(NO_PACKET);
            writer.output.packet_places.push(at as u64);
            writer.packet(packet, at as u64);
            lists.add(packet, at as u64, &writer);
            if lists.packets.len().is_multiple_of(1 << 12) && progress.is_cancelled() {
                writer.output.refused = Some(ImportError::Cancelled);
            }
            !writer.is_stopped()
        });
        writer.output.packet = NO_PACKET;
        writer.output.packet_places.push(trace.len() as u64);
        writer.finish(trace.len() as u64);
        let Writer { output, frames, omitted, .. } = &mut writer;
        if let Some(refused) = output.refused.take() {
            return Err(refused);
        }
        end_document(&mut output.text, &facts, &frames.text, omitted, false);
        let (text, events) = (std::mem::take(&mut output.text), std::mem::take(&mut output.events));
        let kernel_slices = std::mem::take(&mut output.kernel_slices);
        drop(writer);
        let Lists { packets, mut kernel, listed_threads, unnamed_tracks, .. } = lists;
        kernel.find_wakers();
        Ok(Self { facts, text, events, packets, kernel, kernel_slices, listed_threads, unnamed_tracks })
    }
}

impl Lists {
    /// Adds a packet that a reader has read.
    fn add(&mut self, packet: &Packet<'_>, at: u64, writer: &Writer<'_, TwinOutput<'_>>) {
        let facts = writer.facts.of_machine(packet.machine);
        let sequence = writer.state.sequences.known(packet.sequence);
        let is_readable = sequence.is_none_or(|sequence| sequence.accepts(packet));
        let role = PacketRole::of(packet);
        let time = packet.timestamp.filter(|_| is_readable).and_then(|time| {
            let sequence = sequence?;
            let clock = sequence.clock(packet, facts.clocks.default_clock());
            facts.clocks.to_trace(packet.sequence, clock, sequence.bases.clocks.reached(clock, time))
        });
        let mut listed = ListedPacket {
            role,
            sequence: packet.sequence,
            time,
            is_cleared: packet.is_cleared,
            is_readable,
            is_state: false,
            relates_clocks: false,
            unnamed_track: None,
        };
        match packet.data {
            Some((kind::FTRACE, _)) if packet.machine > 0 => listed.relates_clocks = true,
            Some((kind::FTRACE, bundle)) if is_readable => {
                let number = u32::try_from(self.packets.len()).unwrap_or(NO_PACKET);
                listed.relates_clocks = Fields::new(bundle).any(|field| matches!(field.number, 6 | 7));
                self.kernel.add(number, at + packet.offset_of(bundle), bundle, facts);
            }
            Some((kind::TRACK_EVENT, event)) if is_readable => {
                let event = TrackEvent::read(event);
                listed.is_state = event.kind == STATE;
                let track = event.track.or_else(|| sequence?.defaults.track);
                let track = track.filter(|track| *track > 0 || event.legacy.is_none_or(<[u8]>::is_empty));
                let has_time = time.is_some() || event.delta_us.is_some() || event.absolute_us.is_some();
                if let Some(track) = track.filter(|_| has_time) {
                    let name = || sequence.and_then(|own| event.name(own)).unwrap_or_default().into_owned();
                    listed.unnamed_track = self.unnamed((packet.machine, track), facts, name);
                }
            }
            Some((kind::PROCESS_TREE | kind::THREAD_DESCRIPTOR | kind::TRACK_DESCRIPTOR, _)) if packet.machine > 0 => {}
            Some((kind::PROCESS_TREE, tree)) => {
                let threads = Fields::new(tree).filter(|field| field.number == 2);
                self.listed_threads.extend(threads.filter_map(|thread| Some(thread.message().field(1)?.signed())));
            }
            Some((kind::THREAD_DESCRIPTOR, thread)) => {
                self.listed_threads.extend(Fields::new(thread).field(2).map(|tid| tid.signed()));
            }
            Some((kind::TRACK_DESCRIPTOR, track)) => {
                self.listed_threads.extend(TrackDescriptor::read(track).thread.map(|thread| thread.tid));
            }
            _ => {}
        }
        self.packets.push(listed);
    }

    /// Returns the index of a track that takes its name from its first event.
    fn unnamed(&mut self, track: (u32, u64), facts: &Facts, first: impl FnOnce() -> String) -> Option<u32> {
        *self.unnamed_indexes.entry(track).or_insert_with(|| {
            let name = facts.tracks.name_to_state(track.1, &first())?;
            let next = u32::try_from(self.unnamed_tracks.len()).ok()?;
            self.unnamed_tracks.push((track, name));
            Some(next)
        })
    }
}
