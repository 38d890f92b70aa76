//! Chrome trace events: an array of events, or an object with `traceEvents`; from Chrome, Node, Bazel, clang, PyTorch and
//! many others. (Format: "Trace Event Format" of the Catapult project. Where its tools disagree, the rules are told at
//! the functions.)
//!
//! `scan` and `list` find and read the events in parallel into columns (`event`), `texts` gives texts common numbers,
//! `tracks` sorts events onto tracks; then every track is built by itself, in parallel (`slices`; `asyncs` by id), flow
//! events bind to slices (`flows`), and `assemble` makes a profile of it.

mod assemble;
mod asyncs;
mod colors;
mod counters;
mod event;
mod flows;
mod list;
mod names;
mod scan;
mod slices;
mod texts;
mod tracks;

use std::time::Instant;

use rayon::prelude::*;

use super::progress::{Phase, Progress};
use super::{ImportError, Timings};
use crate::profile::json::{Cursor, decode_value};
use crate::profile::{
    FlowStep, LocalMarker, MarkerId, Meta, Ns, Profile, Source, StatedFlows, Strings, Value, WarningKind, Warnings,
};
use assemble::Line;
use asyncs::Group;
use event::{IdKind, NONE};
use flows::{Flow, Step};
pub(super) use scan::is_trace;
use texts::Events;

/// Bytes of a chunk that one thread reads at a time.
pub(super) const CHUNK: usize = 1 << 21;

/// Reads a trace in chunks of `size` bytes.
pub(super) fn read(
    root: Cursor<'_>,
    source: &Source,
    size: usize,
    mut warnings: Warnings,
    timings: &mut Timings,
    progress: &Progress,
) -> Result<Profile, ImportError> {
    let step = Instant::now();
    let text = source.bytes();
    let args = source.clone().with_member("args");
    progress.begin(Phase::Parse, text.len() as u64);
    let is_array = text.get(root.offset()) == Some(&b'[');
    let outline = scan::scan(root, size, progress, &mut warnings);
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    let parts = outline.parts;
    let mut events = Events::join(outline.batches);
    if is_array && events.list.is_empty() && warnings.count(WarningKind::WrongType) > 0 {
        return Err(ImportError::UnknownJson("an array of other things than trace events".into()));
    }
    timings.parse = step.elapsed();

    let step = Instant::now();
    let sorted = tracks::sort(&events, &mut warnings);
    let names = names::read(&args, &events, &sorted.metadata);
    let steps = names::steps(&args, &mut events, &sorted.asyncs);
    progress.begin(Phase::Derive, sorted.tracks.len() as u64);
    let (mut lines, bound) = thread_lines(&events, sorted.tracks, progress, &mut warnings);
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    let (groups, found) = asyncs::build(text, &events, &sorted.asyncs, &steps);
    warnings.merge(found);
    lines.extend(assemble::async_lines(&groups));
    let by_bind = (0_u32..).zip(&lines).flat_map(|(number, line)| flows::bound_slices(&events, number, &line.slices));
    let steps: Vec<Step> = bound.into_iter().chain(by_bind).collect();
    let flows = flows::cut(text, &events, steps, &mut warnings);
    let counters = counters::build(&args, &events, &sorted.counters, &mut warnings);

    let mut profile = Profile { source: args, parts, ..Profile::default() };
    profile.meta = Meta { format: "chrome", stacks_first: true, colors_by_name: true, ..Meta::default() };
    profile.meta.not_drawn = sorted.not_drawn.into_iter().map(|(phase, count)| (char::from(phase), count)).collect();
    let first_markers = assemble::assemble(&mut lines, counters, &events, &names, &mut profile);
    profile.own_colors = own_colors(&events, &lines, &first_markers);
    profile.flows = stated(&events, &lines, &first_markers, &groups, &flows, &mut profile.strings);
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

/// Slices of threads and instants of processes, and what flow events bind to, tracks in parallel.
fn thread_lines(
    events: &Events,
    tracks: Vec<tracks::Track>,
    progress: &Progress,
    warnings: &mut Warnings,
) -> (Vec<Line>, Vec<Step>) {
    let numbered: Vec<(u32, tracks::Track)> = (0..).zip(tracks).collect();
    let build = |(number, track): (u32, tracks::Track)| {
        let mut warnings = Warnings::default();
        let slices = slices::build(&events.list, &track.events, &mut warnings);
        let steps = flows::bind(events, number, &track, &slices);
        progress.advance(1);
        let line = Line {
            kind: track.kind,
            pid: track.pid,
            tid: track.tid,
            slices,
            groups: Vec::new(),
            events: track.events.len() as u64,
        };
        (line, steps, warnings)
    };
    let built: Vec<(Line, Vec<Step>, Warnings)> = numbered.into_par_iter().with_max_len(1).map(build).collect();
    let (mut lines, mut bound) = (Vec::new(), Vec::new());
    for (line, steps, found) in built {
        lines.push(line);
        bound.extend(steps);
        warnings.merge(found);
    }
    (lines, bound)
}

fn marker(first_markers: &[MarkerId], line: usize, slice: usize) -> MarkerId {
    MarkerId(first_markers[line].0.saturating_add(LocalMarker::new(slice).0))
}

/// Markers whose events name a colour.
fn own_colors(events: &Events, lines: &[Line], first_markers: &[MarkerId]) -> Vec<(MarkerId, &'static str)> {
    let of_line = |(number, line): (usize, &Line)| {
        let color = |(at, slice): (usize, &slices::Slice)| {
            let extra = events.extra(&events.list[slice.source as usize]);
            let word = colors::of_cname(events.texts.get(extra.cname)).filter(|_| extra.cname != NONE)?;
            Some((marker(first_markers, number, at), word))
        };
        line.slices.iter().enumerate().filter_map(color).collect::<Vec<_>>()
    };
    let mut colors: Vec<_> = lines.par_iter().enumerate().flat_map_iter(of_line).collect();
    colors.sort_unstable_by_key(|(marker, _)| *marker);
    colors
}

/// Flows with the numbers of markers: those of flow events, and the groups of async slices.
fn stated(
    events: &Events,
    lines: &[Line],
    first_markers: &[MarkerId],
    groups: &[Group],
    flows: &[Flow],
    strings: &mut Strings,
) -> StatedFlows {
    let mut stated = StatedFlows::default();
    for flow in flows {
        let step = |step: &Step| FlowStep {
            time: step.ts,
            marker: marker(first_markers, step.track as usize, step.slice as usize),
        };
        let name = strings.intern(events.texts.get(flow.name));
        stated.push(flow.id.offset, name, flow.steps.iter().map(step));
    }
    let mut members: Vec<Vec<(Ns, MarkerId)>> = vec![Vec::new(); groups.len()];
    for (number, line) in lines.iter().enumerate() {
        for (at, group) in line.groups.iter().enumerate() {
            members[*group as usize].push((line.slices[at].start, marker(first_markers, number, at)));
        }
    }
    for (group, members) in groups.iter().zip(members) {
        if members.len() < 2 || group.id.kind == IdKind::None {
            continue;
        }
        let name = group.slices.first().map_or(NONE, |slice| slice.name);
        let name = strings.intern(events.texts.get(name));
        stated.push(group.id.offset, name, members.into_iter().map(|(time, marker)| FlowStep { time, marker }));
    }
    stated
}
