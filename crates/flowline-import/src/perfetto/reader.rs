//! Reads a trace after its facts are known: one thread follows the state that packets depend on, and the others read the
//! events of the parts behind it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::args;
use super::batch_output::BatchOutput;
use super::first_pass::Facts;
use super::packet::{self, Packet};
use super::sequence::Sequence;
use super::skipped_data::SkippedData;
use super::whole_text::Document;
use super::writer::{State, Targets, Writer};
use crate::progress::Progress;

/// The state at a packet.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// Offset of the packet.
    pub(super) at: usize,
    pub(super) state: State,
}

/// The data that the events of a trace depend on.
#[derive(Debug)]
pub(super) struct TraceState {
    pub(super) facts: Facts,
    pub(super) targets: Targets,
    /// Ascending; the first one is at the start.
    pub(super) checkpoints: Vec<Checkpoint>,
    /// Number of bytes of the trace.
    pub(super) length: usize,
    /// The data that arguments refer to, by sequence, in file order.
    generations: BTreeMap<u32, Vec<Generation>>,
    /// CPU times of threads at track events, by the offset of the packet.
    cpu_times: Vec<(u64, i64)>,
    /// CPU times of slices that legacy events state, by the offset of the packet.
    cpu_durations: Vec<(u64, i64)>,
}

/// The interned data of a sequence until it is cleared. Entries are never replaced before, so that all packets of the
/// generation can use all of it.
#[derive(Debug)]
struct Generation {
    /// Offset of its first packet.
    from: usize,
    sequence: Sequence,
}

/// The result of reading the state of a trace.
pub(super) struct Read {
    checkpoints: Vec<Checkpoint>,
    generations: BTreeMap<u32, Vec<Generation>>,
    cpu_times: Vec<(u64, i64)>,
    /// CPU times of slices that legacy events state, by the offset of the packet.
    cpu_durations: Vec<(u64, i64)>,
}

/// Maximum number of checkpoints, because each is a copy of the state.
const MAX_CHECKPOINTS: usize = 1 << 12;
/// Number of packets between two checks for cancellation.
const CANCEL_INTERVAL: u32 = 1 << 12;

/// The names and the events that need the state of the whole trace, as a JSON document.
pub(super) struct Names {
    pub(super) text: String,
    frames: String,
    omitted: SkippedData,
}

impl TraceState {
    /// Reads the state of a trace at about every `spacing` bytes; `None` if `goes_on` returned `false`. `reached` gets
    /// each part, which ends at the next checkpoint, as soon as its events can be read.
    pub(super) fn read<'t>(
        facts: &'t Facts,
        targets: &'t Targets,
        trace: &[u8],
        spacing: usize,
        goes_on: &mut (dyn FnMut(u64) -> bool + Send),
        mut reached: impl FnMut(Part),
    ) -> Option<(Read, Names)> {
        let spacing = spacing.max(trace.len() / MAX_CHECKPOINTS).max(1);
        let mut checkpoints = vec![Checkpoint { at: 0, state: State::default() }];
        let mut text = String::new();
        let mut wanted = true;
        let mut take = |block: &str, read: u64| {
            text.push_str(block);
            wanted = wanted && goes_on(read);
            wanted
        };
        let mut writer = Writer::new((facts, targets), trace.len(), Document::<false>::new(&mut take));
        let mut count = 0_u32;
        let mut generations: BTreeMap<u32, Vec<Generation>> = BTreeMap::default();
        let part_to = |checkpoints: &[Checkpoint], end: usize| {
            let number = checkpoints.len() - 1;
            let Checkpoint { at, state } = &checkpoints[number];
            Part { number, bytes: *at..end, state: state.clone() }
        };
        packet::each(trace, &mut |packet, at| {
            if checkpoints.last().is_none_or(|last| at >= last.at + spacing) {
                reached(part_to(&checkpoints, at));
                checkpoints.push(Checkpoint { at, state: writer.state.clone() });
            }
            let packet = Packet::read(packet);
            if packet.is_cleared || (packet.interned.is_some() && !generations.contains_key(&packet.sequence)) {
                let own = generations.entry(packet.sequence).or_default();
                if let Some(last) = own.last_mut() {
                    last.sequence = writer.state.sequences.of(packet.sequence).clone();
                }
                own.push(Generation { from: at, sequence: Sequence::default() });
            }
            writer.packet(&packet, at as u64);
            count = count.wrapping_add(1);
            if count.is_multiple_of(CANCEL_INTERVAL) {
                writer.output.check();
            }
            !writer.is_stopped()
        });
        if !writer.is_stopped() {
            reached(part_to(&checkpoints, trace.len()));
        }
        writer.finish(trace.len() as u64);
        let is_stopped = writer.is_stopped();
        for (sequence, own) in &mut generations {
            if let Some(last) = own.last_mut() {
                last.sequence = writer.state.sequences.of(*sequence).clone();
            }
        }
        let cpu_times = std::mem::take(&mut writer.cpu_times);
        let cpu_durations = std::mem::take(&mut writer.cpu_durations);
        let frames = std::mem::take(&mut writer.frames.text);
        let omitted = std::mem::take(&mut writer.omitted);
        writer.output.pass_on();
        drop(writer);
        let names = Names { text, frames, omitted };
        (!is_stopped).then_some((Read { checkpoints, generations, cpu_times, cpu_durations }, names))
    }

    /// Reads the state of a trace whose events were read before.
    pub(super) fn again(trace: &[u8], spacing: usize) -> Self {
        let (facts, targets) = (Facts::read(trace, &mut || true), Targets::default());
        let read = Self::read(&facts, &targets, trace, spacing, &mut |_| true, |_| {});
        let read = read.map(|(read, _)| read).unwrap_or_default();
        Self::new(facts, targets, read, trace.len())
    }

    fn new(facts: Facts, targets: Targets, read: Read, length: usize) -> Self {
        let Read { checkpoints, generations, cpu_times, cpu_durations } = read;
        Self { facts, targets, checkpoints, length, generations, cpu_times, cpu_durations }
    }

    /// The arguments of the track event in the packet at an offset; empty without arguments.
    pub(super) fn args_at(&self, trace: &[u8], at: usize) -> String {
        let mut out = String::new();
        let Some(message) = trace.get(at..).and_then(packet::first) else { return out };
        let packet = Packet::read(message);
        let Some((packet::kind::TRACK_EVENT, event)) = packet.data else { return out };
        let empty = Sequence::default();
        let own = self.generations.get(&packet.sequence).map(Vec::as_slice).unwrap_or_default();
        let after = own.partition_point(|generation| generation.from <= at);
        let sequence = after.checked_sub(1).map_or(&empty, |number| &own[number].sequence);
        args::write(&mut out, event, sequence, &self.facts.schema);
        const OPENING: &str = ",\"args\":";
        match out.strip_prefix(OPENING) {
            Some(args) => args.to_owned(),
            None => String::new(),
        }
    }

    /// The parts of the trace in which packets of a sequence refer to interned data that fulfill a condition.
    pub(super) fn interned_in(&self, is_wanted: &dyn Fn(&Sequence) -> bool) -> Vec<Range<usize>> {
        let of_sequence = |own: &Vec<Generation>| {
            let ends = own.iter().skip(1).map(|next| next.from).chain([self.length]);
            let wanted = own.iter().zip(ends).filter(|(generation, _)| is_wanted(&generation.sequence));
            wanted.map(|(generation, end)| generation.from..end).collect::<Vec<_>>()
        };
        self.generations.values().flat_map(of_sequence).collect()
    }

    /// CPU time of the thread at the track event in the packet at an offset.
    pub(super) fn cpu_time_at(&self, at: u64) -> Option<i64> {
        time_at(&self.cpu_times, at)
    }

    /// CPU time of the slice that the track event in the packet at an offset states.
    pub(super) fn cpu_duration_at(&self, at: u64) -> Option<i64> {
        time_at(&self.cpu_durations, at)
    }
}

/// Looks a time up by the offset of its packet.
fn time_at(times: &[(u64, i64)], at: u64) -> Option<i64> {
    let number = times.binary_search_by_key(&at, |time| time.0).ok()?;
    Some(times[number].1)
}

impl Default for Read {
    fn default() -> Self {
        let start = Checkpoint { at: 0, state: State::default() };
        Self {
            checkpoints: vec![start],
            generations: BTreeMap::default(),
            cpu_times: Vec::new(),
            cpu_durations: Vec::new(),
        }
    }
}

/// A part of a trace between two checkpoints.
pub(super) struct Part {
    number: usize,
    bytes: Range<usize>,
    state: State,
}

/// The receiver of the events, and the number of the next part.
struct Consumer<C> {
    next: usize,
    consume: C,
}

/// Reads a trace: one thread reads the state, all others the events of the parts behind it. `consume` gets the events in
/// file order, with the data that is not imported; nothing more is read once it returns `false`.
pub(super) fn read_trace(
    facts: Facts,
    trace: &[u8],
    spacing: usize,
    progress: &Progress,
    goes_on: &mut (dyn FnMut(u64) -> bool + Send),
    consume: impl FnMut(&mut BatchOutput, &SkippedData) -> bool + Send,
) -> Option<(TraceState, Names)> {
    let targets = Targets::default();
    let spare: Mutex<Vec<BatchOutput>> = Mutex::default();
    let ready: Mutex<BTreeMap<usize, (BatchOutput, SkippedData)>> = Mutex::default();
    let consumer = Mutex::new(Consumer { next: 0, consume });
    let wanted = AtomicBool::new(true);
    let of = (&facts, &targets);
    let read_part = |part: Part| {
        if !wanted.load(Ordering::Relaxed) {
            return;
        }
        let output = lock(&spare).pop().unwrap_or_default();
        let mut writer = Writer::resumed(of, part.state, output);
        packet::each_in(trace, part.bytes.clone(), &mut |packet, at| {
            writer.packet(&Packet::read(packet), at as u64);
            true
        });
        progress.advance(part.bytes.len() as u64);
        lock(&ready).insert(part.number, (writer.output, writer.omitted));
        // One thread at a time consumes the parts that are next; the others go on reading.
        while let Ok(mut consumer) = consumer.try_lock() {
            let next = consumer.next;
            let Some((mut output, omitted)) = lock(&ready).remove(&next) else {
                drop(consumer);
                if lock(&ready).contains_key(&next) {
                    continue;
                }
                return;
            };
            consumer.next += 1;
            if wanted.load(Ordering::Relaxed) && !(consumer.consume)(&mut output, &omitted) {
                wanted.store(false, Ordering::Relaxed);
            }
            output.clear();
            lock(&spare).push(output);
        }
    };
    let mut still = |read| goes_on(read) && wanted.load(Ordering::Relaxed);
    let read = rayon::scope(|scope| {
        let read_part = &read_part;
        TraceState::read(&facts, &targets, trace, spacing, &mut still, |part| {
            scope.spawn(move |_| read_part(part));
        })
    });
    let (read, names) = read?;
    Some((TraceState::new(facts, targets, read, trace.len()), names))
}

/// Locks data that is valid even after a panic.
fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Names {
    /// Ends the document with the data that is not imported.
    pub(super) fn finish(mut self, facts: &Facts, others: &SkippedData, has_cpu_times: bool) -> String {
        self.omitted.merge(others);
        let text = &mut self.text;
        super::whole_text::end_document(text, facts, &self.frames, &self.omitted, has_cpu_times);
        self.text
    }
}
