//! `flowline dump`: JSON Lines with integer nanoseconds on the input's clock; samples also in formats of other tools.

use std::io::Write;

use serde_json::json;

use super::stacks::{StackFile, stacks};
use super::{annotations, calls, calltree, flows, insights, milestones, path, samples, threads, view};
use crate::cli::args::{DumpArgs, What};
use crate::cli::lookup::{find_thread, found};
use crate::cli::opening::{Opening, finish, notes_of, open, origin_for};
use flowline_index::search::Hits;
use flowline_index::{Arrangement, GroupKind, Index, row_depths};
use flowline_insights::warnings::PageWarnings;
use flowline_profile::{LocalMarker, Profile, ThreadId};
use flowline_scene::TRACK_KINDS;
use flowline_session::{EventStacks, write_marker_json};
use flowline_terminal::Output;

pub(crate) fn run(options: &DumpArgs, opening: &Opening) -> anyhow::Result<()> {
    let origin = origin_for(&options.file);
    let loaded = open(&origin, opening)?;
    let index = &loaded.index;
    let profile = index.profile();
    // In a call tree, the search matches functions instead of markers.
    let hits = if options.what == What::Calltree { None } else { found(index, &options.search) };
    let mut out = Output::new();
    let mut outcome = Ok(());
    match options.what {
        What::View => outcome = view::view(&mut out, &loaded, origin.path(), options)?,
        What::Threads => threads::threads(&mut out, index)?,
        What::Streams => threads::streams(&mut out, index)?,
        What::Markers => markers(&mut out, profile, hits.as_ref())?,
        What::Rows => {
            let all = [Arrangement::ByName, Arrangement::Stack];
            let wanted = options.layout.map(Arrangement::from);
            for arrangement in all.into_iter().filter(|arrangement| wanted.is_none_or(|wanted| wanted == *arrangement))
            {
                rows(&mut out, index, arrangement, hits.as_ref())?;
            }
        }
        What::Flows => flows::flows(&mut out, index, &loaded.setup.rules, hits.as_ref(), options.all)?,
        What::Path => path::path(&mut out, index, options)?,
        What::Counters => counters(&mut out, profile)?,
        What::Milestones => milestones::milestones(&mut out, index, hits.as_ref())?,
        What::Insights => insights::insights(&mut out, index, hits.as_ref())?,
        What::Tracks(name) => tracks(&mut out, index, name, hits.as_ref())?,
        What::Calltree => calltree::call_tree(&mut out, profile, options)?,
        What::Collapsed => stacks(&mut out, profile, options, StackFile::Collapsed)?,
        What::Speedscope => stacks(&mut out, profile, options, StackFile::Speedscope)?,
        What::Samples => samples::samples(&mut out, profile, options.each)?,
        What::Calls => {
            let thread = options.thread.as_ref().map(|text| find_thread(profile, text)).transpose()?;
            calls::calls(&mut out, profile, thread)?;
        }
        What::Annotations => {
            annotations::annotations(&mut out, profile, &notes_of(index, opening)?)?;
        }
        What::Warnings => {
            for warning in PageWarnings::with_import(index).list() {
                let line = json!({"kind": warning.kind.name(), "count": warning.count, "first": warning.first});
                writeln!(out, "{line}")?;
            }
        }
    }
    out.flush()?;
    finish(&loaded)?;
    outcome
}

/// Writes the entries of the tracks of a kind; with a search, only entries with a matching marker.
fn tracks(out: &mut impl Write, index: &Index, name: &str, hits: Option<&Hits>) -> std::io::Result<()> {
    let is_hit = |hits: &Hits, marker| {
        let found = index.profile().locate(marker);
        found.is_some_and(|(thread, local)| hits.contains(thread, local))
    };
    for line in TRACK_KINDS
        .iter()
        .filter(|kind| kind.is_dumped() && kind.dump_name().0 == name)
        .flat_map(|kind| kind.dump(index))
    {
        if hits.is_none_or(|hits| line.markers.iter().any(|marker| is_hit(hits, *marker))) {
            writeln!(out, "{}", line.json)?;
        }
    }
    Ok(())
}

fn markers(out: &mut impl Write, profile: &Profile, hits: Option<&Hits>) -> std::io::Result<()> {
    let mut line = String::new();
    let stacks = EventStacks::new(profile);
    for (id, thread) in profile.threads_with_ids() {
        let depths = if profile.meta.capabilities.trace_event_keys { row_depths(profile, thread) } else { Vec::new() };
        match hits {
            Some(hits) => {
                for local in hits.thread(id) {
                    marker(out, &mut line, &stacks, id, *local, &depths)?;
                }
            }
            None => {
                for local in (0..thread.markers.len()).map(LocalMarker::new) {
                    marker(out, &mut line, &stacks, id, local, &depths)?;
                }
            }
        }
    }
    Ok(())
}

/// Writes the line of a marker. For traces, `depths` contains the depths of the markers of its thread.
fn marker(
    out: &mut impl Write,
    line: &mut String,
    stacks: &EventStacks<'_>,
    id: ThreadId,
    local: LocalMarker,
    depths: &[Option<u32>],
) -> std::io::Result<()> {
    line.clear();
    write_marker_json(line, stacks, (id, local), depths.get(local.index()).copied().flatten());
    writeln!(out, "{line}")
}

fn rows(out: &mut impl Write, index: &Index, arrangement: Arrangement, hits: Option<&Hits>) -> std::io::Result<()> {
    let profile = index.profile();
    let layout = index.layout(arrangement);
    for (id, thread) in profile.threads_with_ids() {
        let rows = &layout.thread(id).rows;
        for group in &rows.groups {
            let name = match group.kind {
                GroupKind::Name(name) => profile.strings.get(name),
                GroupKind::Network => "Network Requests",
                GroupKind::Operations(name) => profile.strings.get(name),
                GroupKind::Stack => "Stack",
                GroupKind::Internals => "Internals",
            };
            for row in 0..group.rows {
                let found = rows.row((group.first_row + row) as usize).iter();
                let markers: Vec<u32> = found
                    .filter(|local| hits.is_none_or(|hits| hits.contains(id, **local)))
                    .map(|local| thread.global(*local).0)
                    .collect();
                if markers.is_empty() {
                    continue;
                }
                let line = json!({
                    "thread": id.0,
                    "layout": arrangement.name(),
                    "group": name,
                    "category": profile.category_name(group.category),
                    "row": row,
                    "markers": markers,
                });
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(())
}

fn counters(out: &mut impl Write, profile: &Profile) -> std::io::Result<()> {
    for (number, counter) in profile.counters.iter().enumerate() {
        for series in &counter.series {
            let samples: Vec<_> = series.samples.iter().map(|sample| json!([sample.time.0, sample.value])).collect();
            let name = counter.series_name(series);
            let line = json!({
                "counter": number,
                "pid": counter.pid,
                "name": counter.name,
                "series": name,
                "samples": samples,
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
