//! Chrome trace events: an array of events, or an object with `traceEvents`; from Chrome, Node, Bazel, clang, PyTorch and
//! many others. (Format: "Trace Event Format" of the Catapult project. Where its tools disagree, the rules are told at
//! the functions.)
//!
//! `scan` and `list` find and read the events in parallel (`event`; most by `plain`), `batch` and `trace` number their texts,
//! `tracks` sorts events onto tracks; then every track is built by itself, in parallel (`slices`; `asyncs` by id), flow
//! events bind to slices (`flows`), and `assemble` makes a profile of it.

mod assemble;
mod asyncs;
mod batch;
mod colors;
mod counters;
mod event;
mod flows;
mod ids;
mod lines;
mod list;
mod names;
mod plain;
mod scan;
mod slices;
mod trace;
mod tracks;

use std::time::Instant;

use rayon::prelude::*;

use super::progress::{Phase, Progress};
use super::source::Text;
use super::{ImportError, Options, Timings};
use crate::profile::json::{Cursor, decode_value};
use crate::profile::{
    FlowStep, MarkerId, Meta, Profile, Source, StatedFlows, StringId, Strings, Value, WarningKind, Warnings,
};
use event::{NONE, TextId};
use flows::{Flows, Stand, Step};
use lines::{GroupName, Line, Members};
pub(super) use scan::is_arriving;
use trace::Trace;
use tracks::{Track, Tracks};

/// Bytes of a chunk that one thread reads at a time.
pub(super) const CHUNK: usize = 1 << 21;

/// A trace as read, before anything is derived.
pub(super) struct Read {
    trace: Trace,
    tracks: Tracks,
    parts: Vec<(String, u64)>,
    pub(super) warnings: Warnings,
}

/// Memory that deriving and indexing an event takes, at most, beside what was read.
const BYTES_AN_EVENT: u64 = 64;

/// Reads all events of a trace.
pub(super) fn read(
    text: &Text,
    options: &Options,
    mut warnings: Warnings,
    timings: &mut Timings,
    progress: &Progress,
) -> Result<Read, ImportError> {
    let step = Instant::now();
    let total = if let (bytes, true) = text.upto(0) { bytes.len() as u64 } else { 0 };
    progress.begin(Phase::Parse, total);
    let (mut trace, mut tracks, mut found) = (Trace::default(), Tracks::default(), Warnings::default());
    let (mut checked, mut refused) = (0, None);
    let parts = scan::scan(text, options.chunk, progress, &mut warnings, |batch| {
        trace.adopt(batch);
        tracks.add(&trace, batch, &mut found);
        found.merge(std::mem::take(&mut batch.warnings));
        if tracks.count >= checked + (1 << 20) {
            checked = tracks.count;
            refused = options.budget.check(checked * BYTES_AN_EVENT).err();
        }
        refused.is_none()
    });
    warnings.merge(found);
    if let Some(refused) = refused {
        return Err(refused);
    }
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    let is_array = tracks.count == 0 && text.upto(0).0.trim_ascii_start().starts_with(b"[");
    if is_array && warnings.count(WarningKind::WrongType) > 0 {
        return Err(ImportError::UnknownJson("an array of other things than trace events".into()));
    }
    timings.parse = step.elapsed();
    Ok(Read { trace, tracks, parts, warnings })
}

/// Makes a profile of what was read from `source`.
pub(super) fn derive(
    read: Read,
    source: &Source,
    options: &Options,
    timings: &mut Timings,
    progress: &Progress,
) -> Result<Profile, ImportError> {
    let step = Instant::now();
    let Read { mut trace, mut tracks, parts, mut warnings } = read;
    options.budget.check(tracks.count * BYTES_AN_EVENT)?;
    let args = source.clone().with_member("args");
    let names = names::read(&args, &trace, &tracks.metadata);
    let legacy_steps = names::steps(&args, &mut trace, &tracks.asyncs);
    progress.begin(Phase::Derive, tracks.list.len() as u64);
    let (list, asyncs) = (std::mem::take(&mut tracks.list), std::mem::take(&mut tracks.asyncs));
    let first_of_groups = u32::try_from(list.len()).unwrap_or(NONE);
    // Tracks and async events know nothing of each other: where one waits for its longest part, the other goes on.
    let (of_tracks, of_groups) = rayon::join(
        || lines_of_tracks(&trace, list, progress),
        || {
            let (groups, warnings) = asyncs::build(&trace, &asyncs, &legacy_steps);
            drop(asyncs);
            let (lines, steps, groups) = lines::of_groups(&trace, first_of_groups, groups);
            let members = Members::of_lines(&lines, first_of_groups, groups.len());
            (groups, lines, steps, members, warnings)
        },
    );
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    let (mut lines, mut steps, of_tracks) = of_tracks;
    let (groups, async_lines, by_bind, members, of_groups) = of_groups;
    warnings.merge(of_tracks);
    warnings.merge(of_groups);
    lines.extend(async_lines);
    steps.extend(by_bind);

    let mut profile = Profile { source: args.clone(), parts, ..Profile::default() };
    profile.meta = Meta { format: "chrome", stacks_first: true, colors_by_name: true, ..Meta::default() };
    profile.meta.not_drawn = tracks.not_drawn.into_iter().map(|(phase, count)| (char::from(phase), count)).collect();
    let ((flows, of_flows), (first_markers, of_counters)) = rayon::join(
        || {
            let mut found = Warnings::default();
            let flows = flows::cut(&trace, &steps, &mut found);
            drop(steps);
            (flows, found)
        },
        || {
            let mut found = Warnings::default();
            let counters = counters::build(&args, &trace, &tracks.counters, &mut found);
            lines.extend(assemble::silent_threads(&lines, &trace, &names));
            (assemble::assemble(lines, counters, &trace, &names, &mut profile), found)
        },
    );
    warnings.merge(of_flows);
    warnings.merge(of_counters);
    // Giving memory back takes a while, and nobody has to wait for it.
    let extras = trace.take_extras();
    rayon::spawn(move || drop(extras));
    profile.flows = stated(&trace, &first_markers, (&groups, &members), &flows, &mut profile.strings);
    rayon::spawn(move || drop((trace, groups, members, flows)));
    profile.meta.product = product(&profile);
    profile.parts.extend(names.others);
    profile.warnings = warnings;
    timings.derive = step.elapsed();
    Ok(profile)
}

/// The recorded program, if the trace says: a browser writes it into `metadata`, in old traces `clientInfo`.
fn product(profile: &Profile) -> String {
    let of_part = |name: &str| {
        let (_, place) = profile.parts.iter().find(|(part, _)| part == name)?;
        let offset = usize::try_from(*place).ok()?;
        let value = decode_value(&mut Cursor::at(profile.source.bytes(), offset)).ok()?;
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let browser = |agent: &str| agent.split_whitespace().find(|word| word.contains("Chrome/")).map(str::to_owned);
        let stated = ["product-version", "chrome-version", "version", "source"].into_iter().find_map(text);
        stated.map(str::to_owned).or_else(|| text("user-agent").and_then(browser))
    };
    of_part("metadata").or_else(|| of_part("clientInfo")).unwrap_or_default()
}

/// Lines of threads and of instants of processes, and the steps of flows on them; tracks in parallel.
fn lines_of_tracks(trace: &Trace, tracks: Vec<Track>, progress: &Progress) -> (Vec<Line>, Vec<Step>, Warnings) {
    let numbered: Vec<(u32, Track)> = (0..).zip(tracks).collect();
    let build = |(number, track): (u32, Track)| {
        let mut warnings = Warnings::default();
        let (line, steps) = lines::of_track(trace, number, track, &mut warnings);
        progress.advance(1);
        (line, steps, warnings)
    };
    let built: Vec<(Line, Vec<Step>, Warnings)> = numbered.into_par_iter().with_max_len(1).map(build).collect();
    let (mut lines, mut steps, mut warnings) = (Vec::new(), Vec::new(), Warnings::default());
    steps.reserve_exact(built.iter().map(|(_, steps, _)| steps.len()).sum());
    for (line, found, warned) in built {
        lines.push(line);
        steps.extend(found);
        warnings.merge(warned);
    }
    (lines, steps, warnings)
}

/// Flows with the numbers of markers: those of flow events, and the groups of async slices.
fn stated(
    trace: &Trace,
    first_markers: &[MarkerId],
    (groups, members): (&[GroupName], &Members),
    flows: &Flows,
    strings: &mut Strings,
) -> StatedFlows {
    let mut stated = StatedFlows::default();
    stated.flows.reserve_exact(flows.flows.len() + groups.len());
    stated.steps.reserve_exact(flows.steps.len() + members.len());
    let step = |&(time, line, at): &Stand| {
        let marker = MarkerId(first_markers[line as usize].0.saturating_add(at));
        FlowStep { time, marker }
    };
    let mut names: Vec<Option<StringId>> = vec![None; trace.texts.len()];
    let mut name_of = |name: TextId| match names.get_mut(name as usize) {
        Some(known) => *known.get_or_insert_with(|| strings.intern(trace.texts.get(name))),
        None => strings.intern(""),
    };
    let mut rest = flows.steps.as_slice();
    for flow in &flows.flows {
        let (own, others) = rest.split_at(flow.steps as usize);
        rest = others;
        stated.push(flow.id, name_of(flow.name), own.iter().map(step));
    }
    for (group, members) in groups.iter().zip(members.groups()) {
        if let Some(id) = group.id.filter(|_| members.len() > 1) {
            stated.push(id, name_of(group.name), members.iter().map(step));
        }
    }
    // Groups of one slice were counted, too.
    stated.flows.shrink_to_fit();
    stated.steps.shrink_to_fit();
    stated
}
