//! Reads a trace after its facts are known, in parallel: the state at the start of each part, then the events of all
//! parts.
//!
//! Packets depend on state from earlier packets of their sequence. What few packets state (interned data, defaults,
//! clocks, threads) is followed by one thread. The values that all packets add to (incremental times and counters) are
//! added up for each part by itself, and then from part to part (see `bases`).

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::prelude::*;

use super::args;
use super::bases::Bases;
use super::batch_output::BatchOutput;
use super::destination_use::Use;
use super::divided_trace::{DividedTrace, TracePart, divide};
use super::first_pass::Facts;
use super::packet::{self, Packet};
use super::quiet_output::{CpuTimesOutput, UsesOutput};
use super::sequence::Sequence;
use super::skipped_data::SkippedData;
use super::state::State;
use super::targets::Targets;
use super::whole_text::Document;
use super::writer::Writer;
use crate::progress::Progress;
use flowline_profile::get_or_build;

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
    cpu_times: OnceLock<CpuTimes>,
    /// True if any track event has a stack.
    pub(super) has_stacks: bool,
}

/// The interned data of a sequence until it is cleared. Entries are never replaced before, so that all packets of the
/// generation can use all of it.
#[derive(Debug)]
struct Generation {
    /// Offset of its first packet.
    from: usize,
    sequence: Sequence,
}

/// CPU times, by the offset of the packet.
#[derive(Debug, Default)]
struct CpuTimes {
    /// Of threads at track events.
    at_events: Vec<(u64, i64)>,
    /// Of slices that legacy events state.
    of_slices: Vec<(u64, i64)>,
}

/// The names and the events that need the state of the whole trace, as a JSON document.
pub(super) struct Names {
    pub(super) text: String,
    frames: String,
    omitted: SkippedData,
}

/// The state of a trace at the starts of its parts.
struct States {
    checkpoints: Vec<Checkpoint>,
    generations: BTreeMap<u32, Vec<Generation>>,
    /// The first uses of destinations in each part.
    uses: Vec<Vec<Use>>,
    has_stacks: bool,
}

/// The effects of a part.
struct PartEnd {
    bases: Vec<(u32, Bases)>,
    /// State tracks whose state changed; true if they have an open one.
    open_states: Vec<(u64, bool)>,
    uses: Vec<Use>,
    /// True if any track event has a stack.
    has_stacks: bool,
}

impl States {
    fn read(facts: &Facts, trace: &[u8], parts: &[TracePart], goes_on: &(dyn Fn() -> bool + Sync)) -> Option<Self> {
        let (stated, generations) = stated(trace, parts);
        let wanted = AtomicBool::new(goes_on());
        let end = |(part, state): (&TracePart, &State)| {
            let end = PartEnd::read(facts, trace, part, state, &wanted);
            wanted.fetch_and(goes_on(), Ordering::Relaxed);
            end
        };
        let ends: Vec<PartEnd> = parts.par_iter().zip(&stated).map(end).collect();
        let has_stacks = ends.iter().any(|end| end.has_stacks);
        let mut state = State::default();
        let (mut checkpoints, mut uses) = (Vec::with_capacity(parts.len()), Vec::with_capacity(parts.len()));
        let mut next_stated = stated.iter().skip(1);
        for (part, end) in parts.iter().zip(ends) {
            checkpoints.push(Checkpoint { at: part.bytes.start, state: state.share() });
            uses.push(end.uses);
            let Some(next) = next_stated.next() else { break };
            state.sequences.follow(&next.sequences, end.bases);
            state.open_states.extend(end.open_states);
            state.open_states.retain(|_, is_open| *is_open);
        }
        wanted.into_inner().then_some(Self { checkpoints, generations, uses, has_stacks })
    }
}

impl PartEnd {
    /// Reads a part. `stated` is the state at its start without the values that packets add to.
    fn read(facts: &Facts, trace: &[u8], part: &TracePart, stated: &State, wanted: &AtomicBool) -> Self {
        let targets = Targets::default();
        let mut writer = Writer::resumed((facts, &targets), stated.start_part(), UsesOutput);
        if wanted.load(Ordering::Relaxed) {
            packet::each_in(trace, part.bytes.clone(), &mut |packet, at| {
                writer.packet(packet, at as u64);
                true
            });
        }
        let mut open_states: Vec<_> = std::mem::take(&mut writer.state.open_states).into_iter().collect();
        open_states.sort_unstable();
        Self { bases: writer.state.sequences.end_part(), open_states, uses: writer.uses, has_stacks: writer.has_stacks }
    }
}

/// Returns what packets state at the start of each part, and the interned data of all sequences.
fn stated(trace: &[u8], parts: &[TracePart]) -> (Vec<State>, BTreeMap<u32, Vec<Generation>>) {
    let mut state = State::default();
    let mut generations: BTreeMap<u32, Vec<Generation>> = BTreeMap::default();
    let mut states = Vec::with_capacity(parts.len());
    for part in parts {
        states.push(state.share());
        for (packet, at) in part.others(trace) {
            if packet.is_cleared || (packet.interned.is_some() && !generations.contains_key(&packet.sequence)) {
                let own = generations.entry(packet.sequence).or_default();
                if let Some(last) = own.last_mut() {
                    last.sequence = state.sequences.of(packet.sequence).clone();
                }
                own.push(Generation { from: at, sequence: Sequence::default() });
            }
            state.sequences.of(packet.sequence).apply(&packet, true);
        }
    }
    for (sequence, own) in &mut generations {
        if let Some(last) = own.last_mut() {
            last.sequence = state.sequences.of(*sequence).clone();
        }
    }
    (states, generations)
}

impl TraceState {
    /// Reads the state of a trace whose events were read before.
    pub(super) fn again(trace: &[u8], spacing: usize) -> Self {
        let goes_on = || true;
        let divided = divide(trace, spacing, &goes_on).unwrap_or_default();
        let (facts, targets) = (Facts::of_parts(trace, &divided, &mut || true), Targets::default());
        let states = States::read(&facts, trace, &divided.parts, &goes_on);
        let states = states.unwrap_or_else(|| States {
            checkpoints: vec![Checkpoint { at: 0, state: State::default() }],
            generations: BTreeMap::default(),
            uses: Vec::new(),
            has_stacks: false,
        });
        let mut writer = Writer::resumed((&facts, &targets), State::default(), UsesOutput);
        states.uses.into_iter().for_each(|uses| writer.use_all(uses));
        drop(writer);
        let (checkpoints, generations) = (states.checkpoints, states.generations);
        let (length, has_stacks) = (trace.len(), states.has_stacks);
        Self { facts, targets, checkpoints, length, generations, cpu_times: OnceLock::new(), has_stacks }
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
    pub(super) fn cpu_time_at(&self, trace: &[u8], at: u64) -> Option<i64> {
        time_at(&self.cpu_times(trace).at_events, at)
    }

    /// CPU time of the slice that the track event in the packet at an offset states.
    pub(super) fn cpu_duration_at(&self, trace: &[u8], at: u64) -> Option<i64> {
        time_at(&self.cpu_times(trace).of_slices, at)
    }

    /// The CPU times of all events. They are read when the first one is asked for.
    fn cpu_times(&self, trace: &[u8]) -> &CpuTimes {
        get_or_build(&self.cpu_times, || {
            let ends = self.checkpoints.iter().skip(1).map(|checkpoint| checkpoint.at).chain([self.length]);
            let parts: Vec<_> = self.checkpoints.iter().zip(ends).collect();
            let read = |(start, end): (&Checkpoint, usize)| {
                let state = start.state.clone();
                let mut writer = Writer::resumed((&self.facts, &self.targets), state, CpuTimesOutput);
                packet::each_in(trace, start.at..end, &mut |packet, at| {
                    writer.packet(packet, at as u64);
                    true
                });
                (writer.cpu_times, writer.cpu_durations)
            };
            let read: Vec<_> = parts.into_par_iter().map(read).collect();
            let mut times = CpuTimes::default();
            for (at_events, of_slices) in read {
                times.at_events.extend(at_events);
                times.of_slices.extend(of_slices);
            }
            times
        })
    }
}

/// Looks a time up by the offset of its packet.
fn time_at(times: &[(u64, i64)], at: u64) -> Option<i64> {
    let number = times.binary_search_by_key(&at, |time| time.0).ok()?;
    Some(times[number].1)
}

/// The receiver of the events, and the number of the next part.
struct Consumer<C> {
    next: usize,
    consume: C,
}

/// Reads the events of a trace. `consume` gets them in file order, with the data that is not imported; nothing more is
/// read once it returns `false`.
pub(super) fn read_trace(
    facts: Facts,
    trace: &[u8],
    divided: &DividedTrace,
    progress: &Progress,
    goes_on: &(dyn Fn() -> bool + Sync),
    consume: impl FnMut(&mut BatchOutput, &SkippedData) -> bool + Send,
) -> Option<(TraceState, Names)> {
    let targets = Targets::default();
    let States { checkpoints, generations, uses, has_stacks } = States::read(&facts, trace, &divided.parts, goes_on)?;
    let spare: Mutex<Vec<BatchOutput>> = Mutex::default();
    let ready: Mutex<BTreeMap<usize, (BatchOutput, SkippedData)>> = Mutex::default();
    let consumer = Mutex::new(Consumer { next: 0, consume });
    let (wanted, next) = (AtomicBool::new(true), AtomicUsize::new(0));
    let still = || wanted.load(Ordering::Relaxed) && goes_on();
    let of = (&facts, &targets);
    let mut text = String::new();
    let mut take = |block: &str, _| {
        text.push_str(block);
        still()
    };
    let mut names = Writer::new(of, trace.len(), Document::<false>::new(&mut take));
    // Parts look up the destinations that are used before them.
    uses.into_iter().for_each(|uses| names.use_all(uses));
    names.forget_targets();
    let read_part = |number: usize, part: &TracePart| {
        let output = lock(&spare).pop().unwrap_or_default();
        let mut writer = Writer::resumed(of, checkpoints[number].state.clone(), output);
        packet::each_in(trace, part.bytes.clone(), &mut |packet, at| {
            writer.packet(packet, at as u64);
            true
        });
        progress.advance(part.bytes.len() as u64);
        lock(&ready).insert(number, (writer.output, writer.omitted));
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
            if !output.is_large() {
                output.clear();
                lock(&spare).push(output);
            }
        }
    };
    // In file order, so that few parts wait for being consumed.
    let read_parts = || {
        while still() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = divided.parts.get(number) else { return };
            read_part(number, part);
        }
    };
    let names = rayon::in_place_scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| read_parts());
        }
        read_derived(&mut names, trace, &divided.parts, &checkpoints);
        let frames = std::mem::take(&mut names.frames.text);
        let omitted = std::mem::take(&mut names.omitted);
        names.output.pass_on();
        drop(names);
        (frames, omitted)
    });
    if !still() {
        return None;
    }
    let (frames, omitted) = names;
    let (length, cpu_times) = (trace.len(), OnceLock::new());
    let state = TraceState { facts, targets, checkpoints, length, generations, cpu_times, has_stacks };
    Some((state, Names { text, frames, omitted }))
}

/// Number of packets between two checks for cancellation.
const CANCEL_INTERVAL: u32 = 1 << 12;

/// Reads the packets whose meaning depends on the whole trace before them.
fn read_derived(
    names: &mut Writer<'_, Document<'_, false>>,
    trace: &[u8],
    parts: &[TracePart],
    checkpoints: &[Checkpoint],
) {
    let mut count = 0_u32;
    for (part, checkpoint) in parts.iter().zip(checkpoints).filter(|(part, _)| part.has_derived) {
        names.state = checkpoint.state.clone();
        packet::each_in(trace, part.bytes.clone(), &mut |packet, at| {
            names.packet(packet, at as u64);
            count = count.wrapping_add(1);
            if count.is_multiple_of(CANCEL_INTERVAL) {
                names.output.check();
            }
            !names.is_stopped()
        });
        if names.is_stopped() {
            return;
        }
    }
    names.finish(trace.len() as u64);
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
