//! Imports Chrome trace events: an array of events, an object with `traceEvents`, or JSON Lines (one event per line).
//! Chrome, Node, Bazel, clang, PyTorch and many other programs write them. The format is the "Trace Event Format" of
//! the Catapult project; where its tools disagree, the functions document the rule.
//!
//! `top_level` and `event_list` read the events in parallel (`event_reader`, mostly through `fast_path`); `batch` and
//! `trace` number their strings; `event_tracks` assigns events to tracks. Then every track is built in parallel
//! (`slices`, async slices by id in `asyncs`), flow events bind to slices (`flows`) and form flows (`split_flows`), and
//! `assemble` builds a profile from the tracks.
//!
//! `thread_samples` adds samples to threads: V8 CPU profiles (`cpu_profiles`), which `calls` combines with events into
//! calls, or samples in the formats of trace events (`plain_samples`).

mod assemble;
mod async_begins;
mod async_bindings;
mod async_key;
mod async_tracks;
mod asyncs;
mod batch;
mod calls;
mod clock;
mod clusters;
mod colors;
mod counter_values;
mod counters;
mod cpu_profiles;
mod cut;
mod event;
mod event_links;
mod event_list;
mod event_names;
mod event_reader;
mod event_tracks;
mod fast_path;
mod flow_builder;
mod flow_segmentation;
mod flow_step_partitions;
mod flow_steps;
mod flows;
mod frame_table;
mod ids;
mod implicit_ends;
mod marker_tracks;
mod metadata;
mod perfetto_info;
mod recent_values;
mod sample_trace_ids;
mod slice;
mod slice_order;
mod slices;
mod thread_samples;
mod top_level;
mod trace;
mod trace_event_samples;
mod track_events;

use std::cmp::Reverse;
use std::time::Instant;

use rayon::prelude::*;

use super::error::ImportError;
use super::importer::{Detection, FormatProbe, ImportContext, Importer};
use super::io::text::Text;
use super::progress::{Phase, Progress};
use super::text_start::json_start;
use super::unsupported_formats::unsupported_array;
use super::v8;
pub(super) use assemble::THREAD_STATE_SUFFIX;
use async_bindings::FlowEventKeys;
use async_tracks::AsyncTracks;
use asyncs::AsyncGroups;
pub(super) use cut::cut;
use event_tracks::{EventTrack, EventTracks};
use flow_builder::{FlowBuilder, FlowNames};
use flow_step_partitions::StepPartitions;
use flow_steps::TrackSteps;
use flowline_json::{Cursor, Kind, Problem, decode_value};
use flowline_profile::{
    Capabilities, Lazy, Meta, Profile, Source, SourceKind, TrackKind, Value, WarningKind, Warnings, parallel_chunk_size,
};
use ids::NONE;
use marker_tracks::{BuiltTracks, MarkerTrack, SMALL_TRACKS};
use thread_samples::{TraceSamples, TrackSampleData, TrackSamples};
use trace::Trace;

/// The importer of Chrome trace events.
pub(super) struct Chrome;

/// A parsed trace, before markers are derived.
pub(super) struct Parsed {
    trace: Trace,
    tracks: EventTracks,
    parts: Vec<(String, u64)>,
}

impl Importer for Chrome {
    type Parsed = Parsed;

    fn detect(clue: &FormatProbe<'_>) -> Detection {
        match clue {
            FormatProbe::Array => Detection::Yes,
            FormatProbe::Member(b"traceEvents", value) => match { *value }.peek() {
                Ok(kind) => (kind == Kind::Array).into(),
                Err(error) if error.problem == Problem::Truncated => Detection::NeedMore,
                Err(_) => Detection::No,
            },
            // JSON Lines: the first object is an event.
            FormatProbe::Member(b"ph", value) => match { *value }.peek() {
                Ok(kind) => (kind == Kind::String).into(),
                Err(error) if error.problem == Problem::Truncated => Detection::NeedMore,
                Err(_) => Detection::No,
            },
            FormatProbe::Start(_) | FormatProbe::Member(..) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Parsed, ImportError> {
        let step = Instant::now();
        let (options, progress) = (context.options, context.progress);
        let total = if let (bytes, true) = text.available_after(0) { bytes.len() as u64 } else { 0 };
        progress.begin(Phase::Parse, total);
        let (mut trace, mut tracks, mut found) = (Trace::default(), EventTracks::default(), Warnings::default());
        let (mut checked, mut refused) = (0, None);
        let parts = top_level::read(text, options.chunk, progress, &mut context.warnings, |batch| {
            trace.merge_batch(batch);
            tracks.add(&trace, batch, &mut found);
            found.merge(std::mem::take(&mut batch.warnings));
            if tracks.count >= checked + (1 << 20) {
                checked = tracks.count;
                refused = options.budget.check(tracks.memory(&trace)).err();
            }
            refused.is_none()
        });
        context.warnings.merge(found);
        if let Some(refused) = refused {
            return Err(refused);
        }
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        let elements = || [WarningKind::WrongType, WarningKind::MissingPart].map(|kind| context.warnings.count(kind));
        let mut start = json_start(text.available_after(0).0);
        if tracks.count == 0 && start.peek() == Ok(Kind::Array) && elements() != [0, 0] {
            return Err(unsupported_array(start));
        }
        context.timings.parse = step.elapsed();
        Ok(Parsed { trace, tracks, parts })
    }

    fn finish(parsed: Parsed, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        let step = Instant::now();
        context.options.budget.check(parsed.tracks.memory(&parsed.trace))?;
        let profile = derive(parsed, source, &mut context.warnings, context.progress)?;
        context.timings.derive = step.elapsed();
        Ok(profile)
    }
}

/// Derives a profile from a trace.
fn derive(
    parsed: Parsed,
    source: &Source,
    warnings: &mut Warnings,
    progress: &Progress,
) -> Result<Profile, ImportError> {
    let Parsed { mut trace, mut tracks, mut parts } = parsed;
    let source = source.clone().with_member("args");
    let metadata = metadata::read(&source, &trace, &tracks.metadata);
    let legacy_steps = metadata::step_names(&source, &mut trace, &tracks.asyncs);
    let (samples, stacks) = TraceSamples::read(&source, &mut trace, &mut tracks, &mut parts, warnings);
    progress.begin(Phase::Derive, tracks.list.len() as u64);
    let interval = samples.interval;
    let (list, async_events) = (std::mem::take(&mut tracks.list), std::mem::take(&mut tracks.asyncs));
    let first_async_track = u32::try_from(list.len()).unwrap_or(NONE);
    let flow_events = FlowEventKeys::new(&trace, &list, &async_events);
    // Both are independent, so idle cores steal work from the other one.
    let (threads, asyncs) = rayon::join(
        || build_tracks(&trace, list, samples, progress),
        || {
            let groups = AsyncGroups::build(&trace, &async_events, &legacy_steps, &flow_events, false);
            drop(async_events);
            AsyncTracks::build(&trace, first_async_track, groups)
        },
    );
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    let (mut built, mut steps, mut thread_warnings) = threads;
    steps.iter_mut().for_each(|steps| asyncs.async_steps.rebind(&trace, &built, &mut steps.list));
    for offset in steps.iter().flat_map(TrackSteps::unbound) {
        thread_warnings.add(WarningKind::UnboundFlow, || format!("the event at byte {offset}"));
    }
    warnings.merge(thread_warnings);
    warnings.merge(asyncs.warnings);
    built.extend(asyncs.tracks);
    steps.push(asyncs.steps);

    let mut profile = Profile { source: source.clone(), parts, ..Profile::default() };
    profile.meta =
        Meta { kind: SourceKind::ChromeTrace, capabilities: Capabilities::DEVTOOLS, interval, ..Meta::default() };
    profile.meta.not_drawn = tracks.not_drawn.into_iter().map(|(phase, count)| (char::from(phase), count)).collect();
    let counters = counters::build(&source, &trace, (&tracks.counters, &tracks.counts), warnings);
    built.extend(assemble::threads_without_events(&built, &trace, &metadata));
    let first_markers = assemble::assemble(built, counters, &trace, &metadata, &mut profile);
    v8::add_stacks(&mut profile, stacks);
    event_names::add_to_stacks(&mut profile);
    let names = FlowNames::intern(&trace, &steps, &asyncs.labels, &mut profile.strings);
    let extras = trace.take_extras();
    let (pieces, ()) = rayon::join(|| StepPartitions::new(&steps), || drop(extras));
    drop(steps);
    let parts = FlowBuilder { trace, steps: pieces, groups: (asyncs.labels, asyncs.members), first_markers, names };
    profile.explicit_flows = Lazy::new(move || parts.make());
    profile.meta.product = product(&profile);
    perfetto_info::take(&mut profile, warnings);
    let main_cluster = match metadata.clock {
        Some(clock) => clock.main_cluster(&profile),
        None => clusters::main_cluster(&profile),
    };
    profile.meta.main_cluster = main_cluster.unwrap_or_default();
    if let Some(cluster) = profile.main_cluster() {
        let start = cluster.range.start.0;
        warnings.add_many(WarningKind::SeveralClocks, cluster.outside, || {
            format!("the time origin is {start} ns on the input's clock")
        });
    }
    profile.parts.extend(metadata.others);
    Ok(profile)
}

/// Returns the recorded program, if known. Browsers write it to `metadata`, in old traces to `clientInfo`.
fn product(profile: &Profile) -> String {
    let read = |name: &str| {
        let (_, place) = profile.parts.iter().find(|(part, _)| part == name)?;
        let offset = usize::try_from(*place).ok()?;
        let value = decode_value(&mut Cursor::at(profile.source.bytes(), offset)).ok()?;
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let browser = |agent: &str| agent.split_whitespace().find(|word| word.contains("Chrome/")).map(str::to_owned);
        let version = ["product-version", "chrome-version", "version", "source"].into_iter().find_map(text);
        version.map(str::to_owned).or_else(|| text("user-agent").and_then(browser))
    };
    read("metadata").or_else(|| read("clientInfo")).unwrap_or_default()
}

/// Work of one parallel job.
enum TrackJob {
    One(u32, Box<(TrackSampleData, EventTrack)>),
    Small(Vec<(u32, EventTrack)>),
}

/// Builds the tracks of threads and instants in parallel, with their flow steps.
fn build_tracks(
    trace: &Trace,
    tracks: Vec<EventTrack>,
    mut samples: TraceSamples,
    progress: &Progress,
) -> (Vec<MarkerTrack>, Vec<TrackSteps>, Warnings) {
    let count = tracks.len();
    let (mut large, mut small): (Vec<_>, Vec<Vec<_>>) = (Vec::new(), Vec::new());
    for (number, track) in (0..).zip(tracks) {
        let own = samples.take(&track);
        if !matches!(own, TrackSampleData::None) || !marker_tracks::is_small(&track) {
            large.push((number, Box::new((own, track))));
            continue;
        }
        match small.last_mut().filter(|some| some.len() < SMALL_TRACKS) {
            Some(some) => some.push((number, track)),
            None => small.push(vec![(number, track)]),
        }
    }
    // The largest tracks go first, because one that starts last would keep a single core busy.
    large.sort_by_key(|(_, own)| Reverse(own.1.events.list().len()));
    let large = large.into_iter().map(|(number, own)| TrackJob::One(number, own));
    let jobs: Vec<TrackJob> = large.chain(small.into_iter().map(TrackJob::Small)).collect();
    let build = |job: TrackJob| match job {
        TrackJob::One(number, own) => {
            let (own, track) = *own;
            let own = TrackSamples { of_trace: &samples, own };
            progress.advance(1);
            marker_tracks::build_track(trace, number, track, own)
        }
        TrackJob::Small(tracks) => {
            progress.advance(tracks.len() as u64);
            marker_tracks::build_small_tracks(trace, tracks)
        }
    };
    let job_len = parallel_chunk_size(jobs.len());
    let built: Vec<BuiltTracks> = jobs.into_par_iter().with_max_len(job_len).map(build).collect();
    let mut tracks: Vec<MarkerTrack> = Vec::new();
    tracks.resize_with(count, || MarkerTrack::empty(TrackKind::Thread, NONE, NONE));
    let mut steps: Vec<(u32, TrackSteps)> = Vec::new();
    let mut warned: Vec<(u32, Warnings)> = Vec::new();
    for own in built {
        own.tracks.into_iter().for_each(|(number, track)| tracks[number as usize] = track);
        steps.extend(own.steps);
        warned.extend(own.warnings);
    }
    steps.sort_unstable_by_key(|(number, _)| *number);
    // The first example of each kind comes from the first track.
    warned.sort_unstable_by_key(|(number, _)| *number);
    let mut warnings = Warnings::default();
    warned.into_iter().for_each(|(_, own)| warnings.merge(own));
    (tracks, steps.into_iter().map(|(_, steps)| steps).collect(), warnings)
}
