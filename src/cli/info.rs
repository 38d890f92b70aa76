//! `flowline info`.

use std::io::Write;

use serde_json::json;

use super::args::InfoArgs;
use super::opening::{Opening, open, origin_for};
use flowline_cache::Outcome;
use flowline_format::{format_bytes, format_counted, format_duration_ns};
use flowline_import::peak_memory;
use flowline_insights::warnings::PageWarnings;
use flowline_load::Loaded;
use flowline_profile::samples::{FuncFlags, NONE};
use flowline_profile::{Profile, ThreadSamples, heap};
use flowline_session::BlankRecording;
use flowline_terminal::{self as terminal, Output};

/// The most memory of the load in bytes: as the system counts it, and on the heap, as the allocator counts it.
#[derive(Clone, Copy)]
struct Peak {
    resident: u64,
    heap: u64,
}

pub(super) fn run(options: &InfoArgs, opening: &Opening) -> anyhow::Result<()> {
    let loaded = open(&origin_for(&options.file), opening)?;
    let peak = Peak { resident: peak_memory(), heap: heap::peak() };
    let kept = kept(&loaded);
    let mut out = Output::new();
    if options.json {
        writeln!(out, "{}", as_json(&loaded, &kept, peak))?;
    } else {
        as_text(&mut out, &loaded, &kept, peak.resident)?;
    }
    out.flush()?;
    Ok(())
}

fn ms(duration: std::time::Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// Stores the index if it is not cached; describes the use of the cache.
fn kept(loaded: &Loaded) -> String {
    let reason = loaded.cache.reason;
    if matches!(loaded.cache.outcome, Outcome::Hit | Outcome::Off) {
        return reason.to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "rounded for display")]
    let size = |bytes: u64| format_bytes(bytes as f64);
    match loaded.keep() {
        Ok(Some(bytes)) => format!("{reason}; stored an index of {}", size(bytes)),
        Ok(None) => format!("{reason}; too small to be worth storing"),
        Err(error) => format!("{reason}; cannot store the index: {error}"),
    }
}

fn as_json(loaded: &Loaded, kept: &str, peak: Peak) -> serde_json::Value {
    let (index, report) = (&loaded.index, &loaded.report);
    let profile = index.profile();
    let (rows, pyramids) = index.bytes();
    let cores = rayon::current_num_threads();
    let axis = profile.meta.capabilities.axis;
    let (sampled, threads) = (Sampled::of(profile), profile.thread_count());
    let warnings: u64 = PageWarnings::with_import(index).list().iter().map(|warning| warning.count).sum();
    let mut object = json!({
        "format": profile.meta.kind.id(),
        "version": profile.meta.version,
        "file_bytes": profile.meta.file_bytes,
        "json_bytes": profile.meta.json_bytes,
        "start_ns": axis.is_time().then_some(profile.meta.range.start.0),
        "duration_ns": axis.is_time().then_some(profile.meta.range.len()),
        "main_part": profile.main_cluster().map(|cluster| {
            json!({
                "start_ns": cluster.range.start.0,
                "duration_ns": cluster.range.len(),
                "markers_outside": cluster.outside,
            })
        }),
        "processes": profile.processes.len(),
        "threads": threads,
        "tracks": profile.threads.len() - threads,
        "markers": profile.marker_count(),
        "incomplete": profile.incomplete_count(),
        "flows": index.flows().len(),
        "memberships": index.flows().memberships(),
        "flow_markers": index.flows().flow_markers(),
        "counters": profile.counters.len(),
        "samples": sampled.samples,
        "null_stacks": sampled.null_stacks,
        "js_allocations": sampled.js_allocations,
        "native_allocations": sampled.native_allocations,
        "marker_stacks": sampled.marker_stacks,
        "stacks": sampled.stacks,
        "functions": sampled.functions,
        "warnings": warnings,
        "not_drawn": profile.meta.not_drawn.iter().map(|(phase, count)| (phase.to_string(), json!(count))).collect::<serde_json::Map<_, _>>(),
        "parts": profile.parts.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "cache": loaded.cache.outcome.name(),
        "cache_reason": kept,
        "load_ms": {
            "total": ms(report.total),
            "picture": ms(report.picture),
            "read": ms(report.import.read.wall),
            "scan": ms(report.import.scan.wall),
            "parse": ms(report.import.parse.wall),
            "derive": ms(report.import.derive.wall),
            "rows": ms(report.index.rows.wall),
            "pyramid": ms(report.index.pyramids.wall),
            "activity": ms(report.index.activity.wall),
            "flows": ms(report.index.flows.wall),
        },
        "parallel_efficiency": {
            "threads": cores,
            "read": report.import.read.parallel_efficiency(cores),
            "scan": report.import.scan.parallel_efficiency(cores),
            "parse": report.import.parse.parallel_efficiency(cores),
            "derive": report.import.derive.parallel_efficiency(cores),
            "rows": report.index.rows.parallel_efficiency(cores),
            "pyramid": report.index.pyramids.parallel_efficiency(cores),
            "activity": report.index.activity.parallel_efficiency(cores),
            "flows": report.index.flows.parallel_efficiency(cores),
        },
        "memory": {
            "peak_bytes": peak.resident,
            "index_bytes": profile.bytes() + rows + pyramids + index.flows().bytes() + index.counters().bytes(),
            "mapped_bytes": loaded.cache.mapped,
            "marker_bytes": profile.bytes() - sampled.bytes,
            "sample_bytes": sampled.bytes,
            "row_bytes": rows,
            "pyramid_bytes": pyramids,
            "flow_bytes": index.flows().bytes(),
            "counter_bytes": index.counters().bytes(),
            "payload_bytes": if profile.meta.json_bytes == profile.meta.file_bytes { 0 } else { profile.meta.json_bytes },
        },
    });
    object["memory"]["peak_heap_bytes"] = peak.heap.into();
    object["unit"] = axis.name().into();
    let blank = BlankRecording::of(index, &PageWarnings::with_import(index));
    object["blank"] = blank.map(|own| json!({"text": own.what, "contents": own.contents, "advice": own.advice})).into();
    object["total"] = (!axis.is_time()).then(|| axis.amount_of(profile.meta.range.len())).into();
    object
}

/// Totals of samples and stacks in all threads.
#[derive(Default)]
struct Sampled {
    samples: usize,
    /// Number of samples without a stack.
    null_stacks: usize,
    threads: usize,
    js_allocations: usize,
    native_allocations: usize,
    marker_stacks: usize,
    /// Stacks and functions, without the names of slices, which trees of slices show as functions.
    stacks: usize,
    functions: usize,
    /// Memory use in bytes, including functions and stacks.
    bytes: usize,
}

impl Sampled {
    fn of(profile: &Profile) -> Self {
        let tables = &profile.stacks;
        let events = tables.funcs.iter().filter(|func| func.flags.has(FuncFlags::IS_EVENT)).count();
        let (stacks, functions) = (tables.len() - events, tables.funcs.len() - events);
        let marker_stacks = profile.event_stacks();
        let mut all = Self { stacks, functions, bytes: tables.bytes(), marker_stacks, ..Self::default() };
        for samples in profile.threads.iter().filter_map(|thread| thread.samples.as_ref()) {
            all.samples += samples.cpu.len();
            all.null_stacks += samples.cpu.stack.iter().filter(|stack| **stack == NONE).count();
            all.threads += usize::from(!samples.cpu.is_empty());
            all.js_allocations += samples.js_allocations.len();
            all.native_allocations += samples.native_allocations.len();
            all.marker_stacks += samples.marker_stacks.marker.len();
            all.bytes += samples.bytes() + size_of::<ThreadSamples>();
        }
        all
    }

    /// Writes one line per kind of sample data in the recording.
    fn as_text(&self, out: &mut impl Write, is_timed: bool) -> std::io::Result<()> {
        let counted = |count: usize, what| format_counted(count as u64, what);
        if self.samples > 0 {
            let threads = counted(self.threads, "thread");
            let nulls = if self.null_stacks == 0 {
                String::new()
            } else {
                format!(", {} without a stack (not in call trees)", self.null_stacks)
            };
            // Without times, the total counts samples, and a stack may count as many of them.
            let name = if is_timed { "samples " } else { "weighted" };
            let stacks = if is_timed {
                ""
            } else if self.samples == 1 {
                " stack"
            } else {
                " stacks"
            };
            terminal::line(out, format_args!("{name}    {}{stacks} of {threads}{nulls}", self.samples))?;
        }
        let allocations = self.js_allocations + self.native_allocations;
        if allocations > 0 {
            let (js, native) = (self.js_allocations, self.native_allocations);
            terminal::line(out, format_args!("allocations {allocations} ({js} JavaScript, {native} native)"))?;
        }
        if self.stacks > 0 {
            let functions = counted(self.functions, "function");
            let markers = counted(self.marker_stacks, "marker");
            let stacks = self.stacks;
            terminal::line(out, format_args!("stacks      {stacks} of {functions}; {markers} with a stack"))?;
        } else if self.marker_stacks > 0 {
            let markers = counted(self.marker_stacks, "marker");
            terminal::line(out, format_args!("stacks      {markers} with a stack"))?;
        }
        Ok(())
    }
}

/// Maximum number of metadata lines.
const MAX_PARTS: usize = 20;

fn as_text(out: &mut impl Write, loaded: &Loaded, kept: &str, peak: u64) -> std::io::Result<()> {
    let (index, report) = (&loaded.index, &loaded.report);
    let profile = index.profile();
    let meta = &profile.meta;
    #[expect(clippy::cast_precision_loss, reason = "rounded for display")]
    let size = |bytes: u64| format_bytes(bytes as f64);
    terminal::line(out, format_args!("format      {}", meta.format_name()))?;
    if !meta.product.is_empty() {
        terminal::line(out, format_args!("product     {}", meta.product))?;
    }
    let unpacked = match meta.json_bytes == meta.file_bytes {
        true => String::new(),
        false => format!(" ({} unpacked)", size(meta.json_bytes)),
    };
    terminal::line(out, format_args!("size        {}{unpacked}", size(meta.file_bytes)))?;
    let length_name = if meta.capabilities.axis.is_time() { "duration" } else { "total   " };
    terminal::line(out, format_args!("{length_name}    {}", profile.clock().length(meta.range.len())))?;
    if let Some(cluster) = profile.main_cluster() {
        let length = format_duration_ns(cluster.range.len());
        let outside = cluster.outside;
        terminal::line(out, format_args!("main part   {length}; {outside} markers outside, maybe on another clock"))?;
    }
    terminal::line(out, format_args!("processes   {}", profile.processes.len()))?;
    let threads = profile.thread_count();
    let tracks = profile.threads.len() - threads;
    terminal::line(out, format_args!("threads     {threads}"))?;
    if tracks > 0 {
        terminal::line(out, format_args!("tracks      {tracks}"))?;
    }
    terminal::line(
        out,
        format_args!("markers     {} ({} incomplete)", profile.marker_count(), profile.incomplete_count()),
    )?;
    let flows = index.flows();
    terminal::line(
        out,
        format_args!(
            "flows       {} ({} of {})",
            flows.len(),
            format_counted(flows.memberships() as u64, "membership"),
            format_counted(flows.flow_markers() as u64, "marker")
        ),
    )?;
    terminal::line(out, format_args!("counters    {}", profile.counters.len()))?;
    if let Some(blank) = BlankRecording::of(index, &PageWarnings::with_import(index)) {
        terminal::line(out, format_args!("blank       {}", blank.what))?;
        for text in blank.contents.iter().map(String::as_str).chain([blank.advice]) {
            terminal::line(out, format_args!("            {text}"))?;
        }
    }
    let sampled = Sampled::of(profile);
    sampled.as_text(out, meta.capabilities.axis.is_time())?;
    let (import, built) = (&report.import, &report.index);
    terminal::line(
        out,
        format_args!(
            "loaded in   {:.0} ms (read {:.0}, scan {:.0}, parse {:.0}, derive {:.0}, rows {:.0}, pyramid {:.0}, activity {:.0}, flows {:.0}), markers shown after {:.0} ms",
            ms(report.total),
            ms(import.read.wall),
            ms(import.scan.wall),
            ms(import.parse.wall),
            ms(import.derive.wall),
            ms(built.rows.wall),
            ms(built.pyramids.wall),
            ms(built.activity.wall),
            ms(built.flows.wall),
            ms(report.picture),
        ),
    )?;
    let (rows, pyramids) = index.bytes();
    let bytes = profile.bytes() + rows + pyramids + flows.bytes() + index.counters().bytes();
    let per_marker = (bytes - sampled.bytes) / profile.marker_count().max(1);
    terminal::line(
        out,
        format_args!("memory      {} ({per_marker} bytes per marker), peak {}", size(bytes as u64), size(peak)),
    )?;
    if loaded.cache.mapped > 0 {
        terminal::line(out, format_args!("mapped      {} of the cached index", size(loaded.cache.mapped)))?;
    }
    terminal::line(
        out,
        format_args!("cache       {}{}{kept}", loaded.cache.outcome.name(), if kept.is_empty() { "" } else { ": " }),
    )?;
    for (phase, count) in &meta.not_drawn {
        terminal::line(out, format_args!("not drawn   {count} × events of phase {phase}"))?;
    }
    for (name, place) in profile.parts.iter().take(MAX_PARTS) {
        terminal::line(out, format_args!("metadata    {name}: {}", profile.part_text(*place, 100)))?;
    }
    if profile.parts.len() > MAX_PARTS {
        terminal::line(out, format_args!("metadata    and {} more", profile.parts.len() - MAX_PARTS))?;
    }
    for warning in PageWarnings::with_import(index).list() {
        terminal::line(
            out,
            format_args!("warning     {} × {}: {}", warning.count, warning.kind.name(), warning.kind.explain()),
        )?;
        terminal::line(out, format_args!("            first: {}", warning.first))?;
    }
    Ok(())
}
