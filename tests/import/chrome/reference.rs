//! The naive reader of Chrome trace events: sequential, slow, written only from the rules (see docs/markers.md).
//!
//! One pass collects the events. Every part of the result (names, counters, threads, asyncs, flows) is then computed
//! separately from all events. Text is compared as text: a pid 5 equals the pid "5", but not "0x5". The reader shares
//! no code with the importer under test; `compare::difference` compares the two.

use std::collections::BTreeMap;

use serde_json::Value;

use super::event::{Event, Id, in_time_order, read_event};
use super::{asyncs, flow_steps, text, threads};

/// The result for a recording according to the rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reference {
    /// Tracks with at least one slice, in no particular order.
    pub(crate) tracks: Vec<Track>,
    pub(crate) counters: Vec<Counter>,
    pub(crate) flows: Vec<Flow>,
    pub(crate) names: Names,
    /// Events that are only counted, by phase.
    pub(crate) not_drawn: BTreeMap<String, u64>,
    pub(crate) warnings: Warnings,
}

/// Number of occurrences of each kind of damage.
pub(crate) type Warnings = BTreeMap<&'static str, u64>;

/// `kind` is "thread", "process" (tid empty), "global" (pid and tid empty) or "async" (one per process, tid empty).
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) kind: &'static str,
    pub(crate) pid: String,
    pub(crate) tid: String,
    /// Sorted by start, longer first, then in file order.
    pub(crate) slices: Vec<Slice>,
}

/// A slice or an instant, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slice {
    pub(crate) start_ns: i64,
    /// `None` for an instant.
    pub(crate) end_ns: Option<i64>,
    pub(crate) name: String,
    pub(crate) cat: String,
    /// Number of slices that contain this one; `None` where partial overlap leaves the row undefined.
    pub(crate) depth: Option<usize>,
    pub(crate) incomplete: bool,
    /// Members of begin and end, merged with the end winning. Null if neither has any.
    pub(crate) args: Value,
    /// For an async: a text shared by all slices of one operation.
    pub(crate) group: Option<String>,
    /// For an async: a text shared by all slices of one id, if the reader knows it.
    pub(crate) key: Option<String>,
}

impl Slice {
    /// The end, which equals the start for an instant.
    pub(crate) fn end(&self) -> i64 {
        self.end_ns.unwrap_or(self.start_ns)
    }
}

/// A counter and its series with at least one sample each, in time order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counter {
    pub(crate) pid: String,
    pub(crate) name: String,
    pub(crate) id: Option<String>,
    pub(crate) series: Vec<(String, Vec<(i64, f64)>)>,
}

/// A flow with at least one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) id: String,
    /// Time, track and slice index, in time order; a slice may occur twice.
    pub(crate) steps: Vec<(i64, usize, usize)>,
    /// Source and target steps of each arrow.
    pub(crate) arrows: Vec<(usize, usize)>,
    /// True if some step had candidate slices with undefined depth, so that its binding must not be compared.
    pub(crate) loose: bool,
}

/// Names from metadata, by pid and by (pid, tid); the last one in the file counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Names {
    pub(crate) processes: BTreeMap<String, ProcessNames>,
    pub(crate) threads: BTreeMap<(String, String), ThreadNames>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ProcessNames {
    pub(crate) name: Option<String>,
    pub(crate) labels: Option<String>,
    pub(crate) sort_index: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ThreadNames {
    pub(crate) name: Option<String>,
    pub(crate) sort_index: Option<i64>,
}

/// A slice and its event, which flows refer to and which breaks ties.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) slice: Slice,
    pub(crate) event: usize,
    /// The event that ended it.
    pub(crate) end_event: Option<usize>,
}

/// Slices by event: event index to track and slice.
pub(crate) type Places = BTreeMap<usize, (usize, usize)>;

pub(crate) fn warn(warnings: &mut Warnings, kind: &'static str) {
    *warnings.entry(kind).or_default() += 1;
}

/// A reader of trace events: the naive one, or an adapter for the importer under test.
pub(crate) trait Read {
    /// Shown in messages.
    const NAME: &'static str;
    fn read(text: &[u8]) -> Reference;
}

/// The naive reader.
pub(crate) struct Naive;

impl Read for Naive {
    const NAME: &'static str = "the naive reader";

    fn read(text: &[u8]) -> Reference {
        read(text)
    }
}

/// Reads a whole recording. Never fails: unsupported input is counted.
pub(crate) fn read(text: &[u8]) -> Reference {
    let mut out = Reference::default();
    let mut events = Vec::new();
    for (index, element) in text::elements_of_document(text).into_iter().enumerate() {
        events.extend(read_event(index, element, &mut out));
    }
    out.names = read_names(&events);
    let others = name_by_system(text, &events, &mut out.names);
    for _ in 0..others {
        warn(&mut out.warnings, "not_drawn");
    }
    out.counters = read_counters(&events, &mut out.warnings);

    let mut tracks: BTreeMap<(&'static str, String, String), Vec<Entry>> = threads::tracks(&events, &mut out.warnings);
    let groups = asyncs::groups(&events, &mut out.warnings);
    for group in &groups {
        let track = tracks.entry(("async", group.pid.clone(), String::new())).or_default();
        track.extend(group.entries.iter().cloned());
    }
    let mut places = Places::new();
    for ((kind, pid, tid), mut entries) in tracks {
        entries.sort_by_key(threads::order);
        for (slice, entry) in entries.iter().enumerate() {
            places.insert(entry.event, (out.tracks.len(), slice));
        }
        let slices = entries.into_iter().map(|entry| entry.slice).collect();
        out.tracks.push(Track { kind, pid, tid, slices });
    }
    out.flows = flow_steps::flows(&events, &groups, &places, &out.tracks, &mut out.warnings);
    out
}

/// Reads metadata in file order, so that the last one counts. Only these five kinds are used.
fn read_names(events: &[Event<'_>]) -> Names {
    let mut names = Names::default();
    for event in events.iter().filter(|event| event.phase == "M") {
        let args: BTreeMap<String, &[u8]> = match event.raw_args.first() {
            Some(b'{') => text::members(event.raw_args).into_iter().collect(),
            _ => BTreeMap::new(),
        };
        let argument = |key: &str| args.get(key).copied().and_then(text::scalar_text);
        let process = || event.pid.clone();
        let thread = || (event.pid.clone(), event.tid.clone());
        let sort_index = argument("sort_index").and_then(|text| text.parse().ok());
        let (name, labels) = (argument("name"), argument("labels"));
        match event.name.as_str() {
            "process_name" if name.is_some() => names.processes.entry(process()).or_default().name = name,
            "process_labels" if labels.is_some() => names.processes.entry(process()).or_default().labels = labels,
            "process_sort_index" if sort_index.is_some() => {
                names.processes.entry(process()).or_default().sort_index = sort_index;
            }
            "thread_name" if name.is_some() => names.threads.entry(thread()).or_default().name = name,
            "thread_sort_index" if sort_index.is_some() => {
                names.threads.entry(thread()).or_default().sort_index = sort_index;
            }
            _ => {}
        }
    }
    names
}

/// Applies the names that records of the system (Fuchsia) give to processes and threads with events but without a
/// name. Returns the number of other records.
fn name_by_system(text: &[u8], events: &[Event<'_>], names: &mut Names) -> u64 {
    let document: Value = serde_json::from_slice(text).unwrap_or_default();
    let id = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut others = 0;
    for record in document["systemTraceEvents"]["events"].as_array().into_iter().flatten() {
        let (pid, tid) = (id(&record["pid"]), id(&record["tid"]));
        let name = record["name"].as_str().map(str::to_owned);
        match record["ph"].as_str() {
            Some("p") if events.iter().any(|event| event.pid == pid) => {
                let known = &mut names.processes.entry(pid).or_default().name;
                *known = known.take().or(name);
            }
            Some("t") if events.iter().any(|event| event.pid == pid && event.tid == tid) => {
                let known = &mut names.threads.entry((pid, tid)).or_default().name;
                *known = known.take().or(name);
            }
            Some("p" | "t") => {}
            _ => others += 1,
        }
    }
    others
}

/// Reads a counter for each (pid, name, id), with a series for each key of its args.
fn read_counters(events: &[Event<'_>], warnings: &mut Warnings) -> Vec<Counter> {
    let mut counters: BTreeMap<(&str, &str, Option<&Id>), Counter> = BTreeMap::new();
    for event in in_time_order(events.iter().filter(|event| event.phase == "C")) {
        if !event.raw_args.is_empty() && event.raw_args.first() != Some(&b'{') {
            warn(warnings, "wrong_type");
            continue;
        }
        let members = if event.raw_args.is_empty() { Vec::new() } else { text::members(event.raw_args) };
        if members.is_empty() {
            warn(warnings, "missing_part");
        }
        for (key, raw) in members {
            let is_bare_word = !raw.starts_with(b"\"") && (raw.ends_with(b"NaN") || raw.ends_with(b"Infinity"));
            if is_bare_word {
                continue;
            }
            let Some(value) = text::scalar_text(raw).and_then(|text| text.parse::<f64>().ok()) else {
                warn(warnings, "wrong_type");
                continue;
            };
            if !value.is_finite() {
                continue;
            }
            let counter = counters.entry((&event.pid, &event.name, event.id.as_ref())).or_insert_with(|| Counter {
                pid: event.pid.clone(),
                name: event.name.clone(),
                id: event.id.as_ref().map(|id| id.text.clone()),
                series: Vec::new(),
            });
            match counter.series.iter_mut().find(|(known, _)| *known == key) {
                Some((_, samples)) => samples.push((event.ts, value)),
                None => counter.series.push((key, vec![(event.ts, value)])),
            }
        }
    }
    counters.into_values().collect()
}
