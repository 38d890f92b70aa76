//! Reports of Firefox's garbage collector, line by line: the `nursery` of a minor collection, the `timings` of a major
//! one and of its slices.
//!
//! Raw profiles contain the times of phases in milliseconds (`times`, `totals`) and the mutator's share in percent;
//! processed ones contain microseconds (`phase_times`) and ratios. Both produce the same text. The names of phases form
//! a tree (`sweep.mark.mark_gray`); the phases with the longest self times are listed.

use super::field_line::FieldLine;
use flowline_format::{format_bytes, format_duration_ms, format_number, format_percent};
use flowline_json::Value;

/// Maximum number of phases.
const MAX_PHASES: usize = 6;
/// Minimum duration of listed phases of a minor collection, in milliseconds.
const MIN_MINOR_PHASE_MS: f64 = 0.25;

/// The member with the report, for payloads of this type.
pub(super) fn report_key(kind: Option<&str>) -> Option<&'static str> {
    match kind? {
        "GCMinor" => Some("nursery"),
        "GCMajor" | "GCSlice" => Some("timings"),
        _ => None,
    }
}

/// A line of the report: label, key, and style of the value.
type Entry = (&'static str, &'static str, Style);

#[derive(Clone, Copy)]
enum Style {
    Text,
    Count,
    Bytes,
    Milliseconds,
    Microseconds,
    /// A part of the count with another key.
    CountOf(&'static str),
    BytesOf(&'static str),
    /// A size before, with the size after under another key.
    BytesTo(&'static str),
    /// The mutator's share of time.
    Share,
}

const ENTRIES: [Entry; 26] = [
    ("Status", "status", Style::Text),
    ("Reason", "reason", Style::Text),
    ("Non-incremental reason", "nonincremental_reason", Style::Text),
    ("Budget", "budget", Style::Text),
    ("State before", "initial_state", Style::Text),
    ("State after", "final_state", Style::Text),
    ("Pause", "pause", Style::Milliseconds),
    ("Total slice time", "total_time", Style::Milliseconds),
    ("Longest pause", "max_pause", Style::Milliseconds),
    ("Heap", "allocated_bytes", Style::BytesTo("post_heap_size")),
    ("Malloc heap", "pre_malloc_heap_size", Style::BytesTo("post_malloc_heap_size")),
    ("Trigger amount", "trigger_amount", Style::BytesOf("trigger_threshold")),
    ("Mutator in 20 ms", "mmu_20ms", Style::Share),
    ("Mutator in 50 ms", "mmu_50ms", Style::Share),
    ("Minor collections", "minor_gcs", Style::Count),
    ("Slices", "slices", Style::Count),
    ("Slice", "slice", Style::Count),
    ("Page faults", "page_faults", Style::Count),
    ("Zones", "zones_collected", Style::CountOf("total_zones")),
    ("Compartments", "total_compartments", Style::Count),
    ("Bytes tenured", "bytes_tenured", Style::BytesOf("bytes_used")),
    ("Cells tenured", "cells_tenured", Style::CountOf("cells_allocated_nursery")),
    ("Nursery used", "bytes_used", Style::BytesOf("cur_capacity")),
    ("New nursery size", "new_capacity", Style::Bytes),
    ("Lazily allocated", "lazy_capacity", Style::Bytes),
    ("Time allocating chunks", "chunk_alloc_us", Style::Microseconds),
];

/// The member with the report of a payload type and the key in it that a line with this label shows.
#[must_use]
pub fn report_path(kind: Option<&str>, label: &str) -> Option<[&'static str; 2]> {
    let (_, key, _) = ENTRIES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(label))?;
    Some([report_key(kind)?, key])
}

/// The lines of a report. A report that is not an object becomes one line.
pub(super) fn lines(report: &Value) -> Vec<FieldLine> {
    let Value::Object(_) = report else {
        return if report.is_null() {
            Vec::new()
        } else {
            vec![FieldLine::new("report", "Report", report.display_js())]
        };
    };
    let line = |(label, key, style): &Entry| Some(FieldLine::new(key, label, text(report, key, *style)?));
    let mut lines: Vec<FieldLine> = ENTRIES.iter().filter_map(line).collect();
    let phases = phases(report);
    let phase = |(name, ms): (&str, f64)| FieldLine::new(name, &format!("Phase {name}"), format_duration_ms(ms));
    lines.extend(phases.into_iter().map(phase));
    lines
}

fn text(report: &Value, key: &str, style: Style) -> Option<String> {
    let value = report.get(key).filter(|value| !value.is_null())?;
    let number = |key: &str| report.get(key).and_then(Value::as_f64);
    let Some(own) = value.as_f64().filter(|_| !matches!(style, Style::Text)) else {
        let text = value.display_js();
        return (!text.is_empty() && text != "None").then_some(text);
    };
    let part_of = |whole: Option<f64>, write: &dyn Fn(f64) -> String| match whole {
        Some(whole) if whole > 0.0 => {
            format!("{} of {} ({})", write(own), write(whole), format_percent(own / whole))
        }
        _ => write(own),
    };
    Some(match style {
        Style::Text | Style::Count => format_number(own),
        Style::Bytes => format_bytes(own),
        Style::Milliseconds => format_duration_ms(own),
        Style::Microseconds => format_duration_ms(own / 1e3),
        Style::CountOf(whole) => part_of(number(whole), &format_number),
        Style::BytesOf(whole) => part_of(number(whole), &format_bytes),
        Style::BytesTo(after) => match number(after) {
            Some(after) => format!("{} before, {} after", format_bytes(own), format_bytes(after)),
            None => format!("{} before", format_bytes(own)),
        },
        Style::Share => {
            let is_percent = report.get("totals").is_some();
            format_percent(if is_percent { own / 100.0 } else { own })
        }
    })
}

/// The phases with the longest self times in milliseconds, longest first. The self time of a phase excludes its
/// subphases.
fn phases(report: &Value) -> Vec<(&str, f64)> {
    let found = [("phase_times", 1e-3), ("times", 1.0), ("totals", 1.0)];
    let Some((Value::Object(members), unit)) =
        found.iter().find_map(|(key, unit)| report.get(key).map(|times| (times, *unit)))
    else {
        return Vec::new();
    };
    let mut own: Vec<(&str, f64)> = Vec::new();
    let is_minor = report.get("bytes_tenured").is_some();
    for (name, time) in members.iter().filter(|(name, _)| name != "Total") {
        own.push((name, time.as_f64().unwrap_or(0.0) * unit));
    }
    if !is_minor {
        // When sorted by name, the subphases of a phase follow it.
        own.sort_by(|a, b| a.0.cmp(b.0));
        let mut open: Vec<usize> = Vec::new();
        for at in 0..own.len() {
            let (name, time) = own[at];
            let is_inside = |phase: &str| name.strip_prefix(phase).is_some_and(|rest| rest.starts_with('.'));
            while open.pop_if(|phase| !is_inside(own[*phase].0)).is_some() {}
            if let Some(parent) = open.last() {
                own[*parent].1 -= time;
            }
            open.push(at);
        }
    }
    own.retain(|(_, time)| if is_minor { *time > MIN_MINOR_PHASE_MS } else { *time > 1e-3 });
    own.sort_by(|a, b| b.1.total_cmp(&a.1));
    own.truncate(MAX_PHASES);
    own
}
