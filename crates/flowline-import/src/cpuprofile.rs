//! `.cpuprofile` files: a standalone V8 CPU profile, as saved by DevTools and Node. Older files nest their nodes below
//! `head`. The profile becomes one process with one thread, whose calls are derived from the samples alone.

use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::text::Text;
use crate::json_rest::{warn_of_escapes, warn_of_rest};
use crate::progress::Phase;
use crate::text_start::json_start;
use crate::v8::{self, CpuProfile, OTHER, ProfilePart};
use flowline_json::{Cursor, JsonError, Kind, Problem};
use flowline_profile::{
    Capabilities, Meta, Ns, Process, ProcessId, Profile, Source, SourceKind, StackTablesBuilder, Stopwatch, Thread,
    ThreadSamples, TimeRange, TrackKind, WarningKind, Warnings,
};

/// Upper bound of the memory per byte of text: a sample and its time take at least four bytes of text and become
/// columns and calls.
const BYTES_PER_BYTE: u64 = 4;

/// The importer of `.cpuprofile` files.
pub(super) struct V8Profile;

impl Importer for V8Profile {
    /// Length of the complete text, which [`Importer::finish`] parses.
    type Parsed = usize;

    fn detect(probe: &FormatProbe<'_>) -> Detection {
        let found = match probe {
            FormatProbe::Member(b"timeDeltas", value) => { *value }.peek().map(|kind| kind == Kind::Array),
            FormatProbe::Member(b"nodes", value) => first_node(*value),
            FormatProbe::Member(b"head", value) => v8::head_of(*value).map(|head| head == v8::Head::Cpu),
            FormatProbe::Start(_) | FormatProbe::Array | FormatProbe::Member(..) => Ok(false),
        };
        match found {
            Ok(is_profile) => is_profile.into(),
            Err(error) if error.problem == Problem::Truncated => Detection::NeedMore,
            Err(_) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<usize, ImportError> {
        // Waits for the complete text.
        let (bytes, _) = text.available_after(usize::MAX);
        context.options.budget.check(bytes.len() as u64 * BYTES_PER_BYTE)?;
        if context.progress.is_cancelled() { Err(ImportError::Cancelled) } else { Ok(bytes.len()) }
    }

    fn finish(length: usize, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        let (step, progress) = (Stopwatch::start(), context.progress);
        let text = source.bytes().get(..length).unwrap_or_default();
        progress.begin(Phase::Parse, length as u64);
        let (mut part, mut cursor) = (ProfilePart::default(), json_start(text));
        match part.read(&mut cursor, &mut context.warnings) {
            Ok(()) => warn_of_rest(text, cursor.offset(), &mut context.warnings),
            Err(error) => {
                part.is_cut = true;
                let kind =
                    if error.problem == Problem::Truncated { WarningKind::Truncated } else { WarningKind::BrokenJson };
                context.warnings.add(kind, || error.to_string());
            }
        }
        warn_of_escapes(text, 0..cursor.offset().min(length), &mut context.warnings);
        progress.advance(length as u64);
        context.timings.parse = step.elapsed();
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        let step = Stopwatch::start();
        let profile = profile(part, source, &mut context.warnings);
        context.timings.derive = step.elapsed();
        Ok(profile)
    }
}

/// True if the value is an array whose first element is a node.
fn first_node(mut list: Cursor<'_>) -> Result<bool, JsonError> {
    if list.peek()? != Kind::Array {
        return Ok(false);
    }
    list.enter_array()?;
    Ok(list.next_element()? && is_node(list)?)
}

/// True if the value is a node: an object that names a function.
fn is_node(mut node: Cursor<'_>) -> Result<bool, JsonError> {
    if node.peek()? != Kind::Object {
        return Ok(false);
    }
    node.enter_object()?;
    while let Some(key) = node.next_key()? {
        if matches!(key.bytes, b"callFrame" | b"functionName") {
            return Ok(true);
        }
        node.skip_value()?;
    }
    Ok(false)
}

fn profile(part: ProfilePart<'_>, source: &Source, warnings: &mut Warnings) -> Profile {
    let mut tables = StackTablesBuilder::new(OTHER);
    let [start, end] = part.bounds();
    let cpu = CpuProfile::new(part, None, &mut tables, warnings, &|| "the profile".to_owned());
    let calls = v8::calls(&cpu, &mut tables, warnings);
    let sampled = cpu.time.first().map(|first| TimeRange { start: *first, end: cpu.end });
    let stated = start.zip(end).filter(|(start, end)| start <= end).map(|(start, end)| TimeRange { start, end });
    // Bounds in seconds may use a different clock than the samples.
    let stated = stated
        .filter(|stated| sampled.is_none_or(|sampled| stated.start <= sampled.end && sampled.start <= stated.end));
    let range = sampled.into_iter().chain(stated).reduce(TimeRange::union).unwrap_or_default();
    let interval = cpu.interval();
    let mut profile = Profile { source: source.clone(), ..Profile::default() };
    profile.meta = Meta {
        kind: SourceKind::CpuProfile,
        capabilities: Capabilities::DEVTOOLS,
        interval: if interval > Ns(0) { interval } else { Ns(0) },
        range,
        ..Meta::default()
    };
    profile.processes.push(Process { pid: "1".into(), name: "CPU profile".into() });
    let samples = ThreadSamples { cpu: cpu.into_samples(), calls: Some(calls), ..ThreadSamples::default() };
    profile.threads.push(Thread {
        process: ProcessId(0),
        tid: "1".into(),
        name: "JavaScript".into(),
        kind: TrackKind::Thread,
        parent: None,
        nested: 0,
        is_main: true,
        range,
        samples: Some(Box::new(samples)),
        ..Thread::default()
    });
    v8::add_stacks(&mut profile, tables.finish());
    profile
}
