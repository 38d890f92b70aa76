//! Derives a profile from a trace.

use super::asyncs::async_bindings::FlowEventKeys;
use super::asyncs::async_groups::AsyncGroups;
use super::asyncs::async_tracks::AsyncTracks;
use super::flows::flow_builder::{FlowBuilder, FlowNames};
use super::flows::flow_step_partitions::StepPartitions;
use super::flows::flow_steps::TrackSteps;
use super::samples::thread_samples::TraceSamples;
use super::text::ids::NONE;
use super::text::trace::Trace;
use super::text::{metadata, perfetto_info, system_events};
use super::tracks::build_tracks::build_tracks;
use super::tracks::event_tracks::EventTracks;
use super::tracks::{assemble, clusters, counters, track_tree};
use crate::error::ImportError;
use crate::progress::{Phase, Progress};
use crate::trace_events::text::event::file_offset;
use crate::v8;
use flowline_json::{Cursor, decode_value};
use flowline_profile::{Capabilities, Lazy, Meta, Profile, Source, SourceKind, Value, WarningKind, Warnings};

/// A parsed trace, before markers are derived.
pub(crate) struct Parsed {
    pub(super) trace: Trace,
    pub(super) tracks: EventTracks,
    pub(super) parts: Vec<(String, u64)>,
}

/// Derives a profile from a trace.
pub(super) fn derive(
    parsed: Parsed,
    source: &Source,
    warnings: &mut Warnings,
    progress: &Progress,
) -> Result<Profile, ImportError> {
    let Parsed { mut trace, mut tracks, mut parts } = parsed;
    trace.ends_have_categories = perfetto_info::is_in(&parts);
    let source = source.clone().with_member("args");
    let mut metadata = metadata::read(&source, &trace, &tracks.metadata);
    metadata.find_parents(&mut trace);
    system_events::read(&source, &parts, &mut trace, &mut metadata, warnings);
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
        thread_warnings.add(WarningKind::UnboundFlow, || format!("the event at byte {}", file_offset(offset)));
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
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    built.extend(track_tree::tracks_without_events(&built, &trace, &metadata));
    let first_markers = assemble::assemble(built, counters, &trace, &metadata, &mut profile);
    v8::add_stacks(&mut profile, stacks);
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
    if let Some((count, name)) = clusters::extreme_durations(&profile) {
        let name = profile.strings.get(name);
        warnings.add_many(WarningKind::ExtremeDuration, count, || format!("the slice \"{name}\""));
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
