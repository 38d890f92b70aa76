//! The importer of the output of `perf script`.

use std::ops::Range;

use foldhash::HashMap;
use rayon::prelude::*;

use super::detection::{is_perf_script, is_skipped};
use super::line::{FrameLine, Header, Line};
use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::text::Text;
use crate::progress::Progress;
use crate::sampled::{self, ChunkStacks, Sampled, SampledThread, WeightClock};
use flowline_profile::samples::{Frame, Func, NONE, Resource, ResourceKind, ScriptSource, WeightUnit};
use flowline_profile::{
    Ns, Process, Profile, SampleTable, Source, SourceKind, StackId, StackTablesBuilder, Stopwatch, ThreadSamples,
    TimeRange, WarningKind, Warnings,
};

/// Category index of user functions.
const USER: u16 = 1;
/// Category index of kernel functions.
const KERNEL: u16 = 2;

/// The importer.
pub(crate) struct PerfScript;

impl Importer for PerfScript {
    type Parsed = Sampled;

    fn detect(probe: &FormatProbe<'_>) -> Detection {
        match probe {
            FormatProbe::Start(text) => is_perf_script(text).into(),
            FormatProbe::Array | FormatProbe::Member(..) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Sampled, ImportError> {
        let step = Stopwatch::start();
        let bytes = sampled::whole_lines(text, context, |part| memchr::memmem::rfind(part, b"\n\n").map(|at| at + 2));
        // A blank line always ends a sample.
        let after_blank = |text: &[u8], from: usize| {
            memchr::memmem::find(&text[from..], b"\n\n").map_or(text.len(), |at| from + at + 2)
        };
        let chunks = sampled::chunks(bytes, context.options.chunk, after_blank);
        let progress = context.progress;
        let read = |range: Range<usize>| {
            let length = range.len() as u64;
            let chunk = (!progress.is_cancelled()).then(|| Chunk::read(bytes, range));
            progress.advance(length);
            chunk
        };
        let chunks: Vec<Option<Chunk<'_>>> = chunks.into_par_iter().with_max_len(1).map(read).collect();
        let chunks: Option<Vec<Chunk<'_>>> = chunks.into_iter().collect();
        let joined = chunks.and_then(|chunks| join(chunks, progress, &mut context.warnings));
        let recording = joined.ok_or(ImportError::Cancelled)?;
        recording.check_memory(context)?;
        context.timings.parse = step.elapsed();
        Ok(recording)
    }

    fn finish(parsed: Sampled, source: &Source, _: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        Ok(parsed.into_profile(source))
    }
}

/// A parsed sample with indexes into the lists of its chunk.
struct RawSample {
    thread: u32,
    time: Option<Ns>,
    stack: u32,
    weight: Option<f64>,
    /// Duration, or amount on the axis, to the next sample, if that has no time.
    length: Ns,
}

/// Identity of a thread: process, thread, event.
type Key<'a> = (&'a [u8], &'a [u8], &'a [u8]);

/// A parsed chunk of the text.
#[derive(Default)]
struct Chunk<'a> {
    frames: Vec<FrameLine<'a>>,
    frame_numbers: HashMap<FrameLine<'a>, u32>,
    stacks: ChunkStacks,
    threads: HashMap<Key<'a>, u32>,
    /// The threads in the order of their first samples, with the last name of each.
    thread_list: Vec<(Key<'a>, &'a [u8])>,
    /// True if any header states a process.
    has_pids: bool,
    samples: Vec<RawSample>,
    /// Header and frames of the current sample, innermost frame first.
    open: Option<(Header<'a>, Vec<FrameLine<'a>>)>,
    warnings: Warnings,
}

impl<'a> Chunk<'a> {
    fn read(text: &'a [u8], range: Range<usize>) -> Self {
        let mut chunk = Self::default();
        for (place, line) in sampled::lines(text, range) {
            if is_skipped(line) {
                chunk.close();
                continue;
            }
            match Line::read(line, chunk.open.is_some()) {
                Some(Line::Frame(frame)) => chunk.open.iter_mut().for_each(|(_, frames)| frames.push(frame)),
                Some(Line::Place(place)) => {
                    let last = chunk.open.iter_mut().find_map(|(_, frames)| frames.last_mut());
                    last.into_iter().for_each(|frame| frame.place = place);
                }
                Some(Line::Record) => chunk.close(),
                Some(Line::Header(header)) => {
                    chunk.close();
                    chunk.open = Some((header, FrameLine::read(header.rest).into_iter().collect()));
                }
                None => {
                    chunk.warnings.add(WarningKind::BadLine, || format!("byte {place}: neither a sample nor a frame"));
                }
            }
        }
        chunk.close();
        chunk
    }

    /// Returns the number of a frame.
    fn frame(&mut self, frame: FrameLine<'a>) -> u32 {
        *self.frame_numbers.entry(frame).or_insert_with(|| {
            self.frames.push(frame);
            u32::try_from(self.frames.len() - 1).unwrap_or(NONE)
        })
    }

    /// Ends the current sample.
    fn close(&mut self) {
        let Some((header, frames)) = self.open.take() else { return };
        self.has_pids |= header.has_pid;
        let key = (header.pid, header.tid, header.event);
        let thread = *self.threads.entry(key).or_insert_with(|| {
            self.thread_list.push((key, header.comm));
            u32::try_from(self.thread_list.len() - 1).unwrap_or(NONE)
        });
        self.thread_list[thread as usize].1 = header.comm;
        let stack = frames.into_iter().rev().fold(NONE, |caller, frame| {
            let frame = self.frame(frame);
            self.stacks.child(caller, frame)
        });
        let weight = header.period.and_then(sampled::number);
        let unit = if weight.is_some() && is_clock(header.event) { WeightUnit::Nanoseconds } else { WeightUnit::Plain };
        let length = WeightClock::new(unit, Ns(0)).length(header.period.unwrap_or(b"1"));
        self.samples.push(RawSample { thread, time: header.time, stack, weight, length });
    }
}

/// A thread under construction.
struct Thread {
    process: usize,
    tid: String,
    name: String,
    event: String,
    times: Vec<Ns>,
    stacks: Vec<u32>,
    weights: Vec<Option<f64>>,
    /// In a recording without times: the sum of the lengths of the samples.
    clock: WeightClock,
}

/// Joins the chunks into a recording; `None` if the import is stopped.
fn join(chunks: Vec<Chunk<'_>>, progress: &Progress, warnings: &mut Warnings) -> Option<Sampled> {
    let mut recording = Sampled::new(SourceKind::PerfScript);
    recording.categories.extend([sampled::category("User", "yellow"), sampled::category("Kernel", "orange")]);
    let mut builder = StackTablesBuilder::default();
    let mut process_numbers: HashMap<&[u8], usize> = HashMap::default();
    let mut thread_numbers: HashMap<Key<'_>, usize> = HashMap::default();
    let mut threads: Vec<Thread> = Vec::new();
    let mut events: Vec<&[u8]> = Vec::new();
    let has_times = chunks.iter().flat_map(|chunk| &chunk.samples).any(|sample| sample.time.is_some());
    let mut clock = WeightClock::new(WeightUnit::Plain, Ns(0));
    let files = Files::of(&chunks);
    let has_processes = knows_processes(&chunks);
    for chunk in &chunks {
        if progress.is_cancelled() {
            return None;
        }
        let numbers = chunk.stacks.add_to(&mut builder, |builder, caller, frame| {
            let frame = &chunk.frames[frame as usize];
            let frame = function(builder, caller, frame, files.file(frame));
            builder.frame(frame)
        });
        let mut own = Vec::with_capacity(chunk.thread_list.len());
        for (key, comm) in &chunk.thread_list {
            let (pid, tid, event) = *key;
            let pid = if has_processes { pid } else { &[] };
            let process = *process_numbers.entry(pid).or_insert_with(|| {
                recording.processes.push(Process { pid: text(pid).into(), ..Process::default() });
                recording.processes.len() - 1
            });
            let thread = *thread_numbers.entry(*key).or_insert_with(|| {
                if !events.contains(&event) && events.len() < 2 {
                    events.push(event);
                }
                let (tid, event) = (text(tid), text(event));
                let (times, stacks, weights) = (Vec::new(), Vec::new(), Vec::new());
                let clock = WeightClock::new(WeightUnit::Plain, Ns(0));
                threads.push(Thread { process, tid, name: String::new(), event, times, stacks, weights, clock });
                threads.len() - 1
            });
            threads[thread].name = text(comm);
            own.push(thread);
        }
        for sample in &chunk.samples {
            if let Some(time) = sample.time {
                clock.now = time;
            }
            let thread = &mut threads[own[sample.thread as usize]];
            let clock = if has_times { &mut clock } else { &mut thread.clock };
            thread.times.push(clock.advance(sample.length));
            thread.stacks.push(sampled::global(&numbers, sample.stack));
            thread.weights.push(sample.weight);
        }
    }
    chunks.into_iter().for_each(|chunk| warnings.merge(chunk.warnings));
    name_processes(&mut recording.processes, &threads);
    // `perf script -F -comm` prints no names.
    for thread in threads.iter_mut().filter(|thread| thread.name.is_empty()) {
        thread.name = format!("Thread {}", thread.tid);
    }
    for process in recording.processes.iter_mut().filter(|process| process.name.is_empty()) {
        process.name = format!("Process {}", process.pid).into();
    }
    recording.threads = threads.into_iter().map(|thread| finished(thread, events.len() > 1)).collect();
    for thread in &mut recording.threads {
        thread.is_main = thread.tid == recording.processes[thread.process].pid;
    }
    recording.threads.sort_by_key(|thread| (thread.process, !thread.is_main));
    recording.stacks = builder.finish();
    if has_times {
        recording.interval = interval(&recording.threads);
        // The last sample of each thread lasts one interval.
        for thread in &mut recording.threads {
            thread.range.end = thread.range.end + recording.interval;
        }
    } else {
        recording.set_axis_of_weights();
        recording.interval = recording.last_length();
    }
    Some(recording)
}

/// Returns true if the headers state processes, or only one thread.
fn knows_processes(chunks: &[Chunk<'_>]) -> bool {
    let mut tids = chunks.iter().flat_map(|chunk| &chunk.thread_list).map(|((_, tid, _), _)| tid);
    let first = tids.next();
    chunks.iter().any(|chunk| chunk.has_pids) || tids.all(|tid| Some(tid) == first)
}

/// Names the processes: by the main thread, or by the first thread if there is no main thread. A process without an id
/// has the name of its threads if they have the same one.
fn name_processes(processes: &mut [Process], threads: &[Thread]) {
    for thread in threads {
        let process = &mut processes[thread.process];
        if process.name.is_empty() || thread.tid == process.pid {
            process.name = thread.name.as_str().into();
        }
    }
    for process in processes.iter_mut().filter(|process| process.pid.is_empty()) {
        if threads.iter().any(|thread| *thread.name != *process.name) {
            process.name = "All threads".into();
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The file of each function. perf does not find the file of every address, so addresses without one get the file that
/// is known of their function.
struct Files<'a>(HashMap<(&'a [u8], &'a [u8]), &'a [u8]>);

impl<'a> Files<'a> {
    fn of(chunks: &[Chunk<'a>]) -> Self {
        let mut files = HashMap::default();
        for frame in chunks.iter().flat_map(|chunk| &chunk.frames) {
            if let Some((file, _)) = frame.place {
                files.entry((frame.symbol, frame.library)).or_insert(file);
            }
        }
        Self(files)
    }

    fn file(&self, frame: &FrameLine<'a>) -> Option<&'a [u8]> {
        let known = || self.0.get(&(frame.symbol, frame.library)).copied();
        frame.place.map(|(file, _)| file).or_else(known)
    }
}

/// Adds the frame of a line.
fn function(
    builder: &mut StackTablesBuilder,
    caller: Option<StackId>,
    line: &FrameLine<'_>,
    file: Option<&[u8]>,
) -> Frame {
    let source = file.map_or(NONE, |file| {
        let [file, id] = [&String::from_utf8_lossy(file), ""].map(|text| builder.text(text));
        builder.source(ScriptSource { file, id })
    });
    let position = line.place.map_or(NONE, |(_, line)| line);
    let name = builder.text(&String::from_utf8_lossy(&line.name()));
    let caller = caller.map(|caller| *builder.tables().frame(caller));
    // An inlined frame has the library and the category of its caller.
    if let Some(caller) = caller.filter(|_| line.is_inlined()) {
        let resource = builder.tables().funcs[caller.func.index()].resource;
        let func = builder.func(Func { resource, source, ..Func::named(name) });
        let inline_depth = caller.inline_depth.saturating_add(1);
        return Frame { category: caller.category, inline_depth, line: position, ..Frame::of(func) };
    }
    let library = (!line.library.is_empty()).then(|| builder.text(&String::from_utf8_lossy(line.library)));
    let resource = library.map_or(NONE, |name| builder.resource(Resource { name, kind: ResourceKind::LIBRARY }));
    let func = builder.func(Func { resource, source, ..Func::named(name) });
    let category = if line.is_kernel() { KERNEL } else { USER };
    Frame { category, line: position, ..Frame::of(func) }
}

/// True for an event whose periods are nanoseconds of CPU time.
fn is_clock(event: &[u8]) -> bool {
    let rest = |clock: &&[u8]| event.strip_prefix(*clock);
    [b"cpu-clock".as_slice(), b"task-clock"].iter().filter_map(rest).any(|rest| rest.is_empty() || rest[0] == b':')
}

/// Converts a thread with its samples.
fn finished(thread: Thread, names_event: bool) -> SampledThread {
    let has_periods = thread.weights.iter().any(Option::is_some);
    let (weights, unit) = match (has_periods, is_clock(thread.event.as_bytes())) {
        (false, _) => (Vec::new(), WeightUnit::Samples),
        (true, false) => (thread.weights, WeightUnit::Plain),
        (true, true) => (thread.weights, WeightUnit::Nanoseconds),
    };
    let weights = weights.into_iter().map(|weight| weight.unwrap_or(1.0)).collect();
    let cpu = SampleTable::with_columns(thread.times, thread.stacks, Vec::new(), weights, unit);
    let end = cpu.time.last().map(|last| thread.clock.now.max(*last));
    let range = cpu.time.first().zip(end).map(|(start, end)| TimeRange { start: *start, end });
    let name = if names_event { format!("{} ({})", thread.name, thread.event) } else { thread.name };
    SampledThread {
        process: thread.process,
        tid: thread.tid,
        name,
        is_main: false,
        range: range.unwrap_or_default(),
        samples: ThreadSamples { cpu, ..ThreadSamples::default() },
    }
}

/// Returns the sampling interval: the median sample distance in the thread with the most samples.
fn interval(threads: &[SampledThread]) -> Ns {
    let busiest = threads.iter().max_by_key(|thread| thread.samples.cpu.len());
    let times = busiest.map_or(&[][..], |thread| &thread.samples.cpu.time);
    let mut distances: Vec<Ns> = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|ns| ns.0 > 0).collect();
    if distances.is_empty() {
        return Ns(0);
    }
    let middle = distances.len() / 2;
    *distances.select_nth_unstable(middle).1
}
