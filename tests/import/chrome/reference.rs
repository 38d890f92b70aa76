//! The naive reader of Chrome trace events: sequential, slow, written only from the rules (see docs/markers.md).
//!
//! One pass collects the events, then every part of the answer is worked out on its own with a look at all events:
//! names, counters, threads, asyncs, flows. Text is compared as text: a pid 5 is the pid "5", and not "0x5". Nothing is
//! shared with the importer under test, which is compared with this by `compare::difference`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::event::{Event, Id, in_time_order, read_event};
use super::{asyncs, flow_steps, text, threads};

/// What the rules say of a recording.
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

/// How often each kind of damage was met.
pub(crate) type Warnings = BTreeMap<&'static str, u64>;

/// `kind` is "thread", "process" (tid empty), "global" (pid and tid empty) or "async" (one a process, tid empty).
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) kind: &'static str,
    pub(crate) pid: String,
    pub(crate) tid: String,
    /// By start, longer first, then in file order.
    pub(crate) slices: Vec<Slice>,
}

/// A slice or an instant, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slice {
    pub(crate) start_ns: i64,
    /// None for an instant.
    pub(crate) end_ns: Option<i64>,
    pub(crate) name: String,
    pub(crate) cat: String,
    /// How many slices contain it; none where slices overlap partly and the rules leave the row open.
    pub(crate) depth: Option<usize>,
    pub(crate) incomplete: bool,
    /// Begin and end merged, the end's members win. Null if neither has any.
    pub(crate) args: Value,
    /// Of an async: some text that is the same for all of one operation.
    pub(crate) group: Option<String>,
    /// Of an async: some text that is the same for all of one id, where the reader knows it.
    pub(crate) key: Option<String>,
}

impl Slice {
    /// The end, which is the start of an instant.
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
    /// Time, track and slice in it, in time order; a slice may come twice.
    pub(crate) steps: Vec<(i64, usize, usize)>,
    /// From which step to which.
    pub(crate) arrows: Vec<(usize, usize)>,
    /// Some step had a choice of slices whose depth is open: which one it takes is not to be compared.
    pub(crate) loose: bool,
}

/// What metadata says, by pid and by (pid, tid); the last one in the file counts.
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

/// A slice and the event that made it, which is what flows refer to and what breaks ties.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) slice: Slice,
    pub(crate) event: usize,
    /// The event that ended it.
    pub(crate) end_event: Option<usize>,
}

/// Which events made which slice: event index to track and slice.
pub(crate) type Places = BTreeMap<usize, (usize, usize)>;

pub(crate) fn warn(warnings: &mut Warnings, kind: &'static str) {
    *warnings.entry(kind).or_default() += 1;
}

/// A reader of trace events: this one, or the one under test behind an adapter.
pub(crate) trait Read {
    /// For messages.
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

/// Reads a whole recording. Never fails: what is not understood is counted.
pub(crate) fn read(text: &[u8]) -> Reference {
    let mut out = Reference::default();
    let mut events = Vec::new();
    for (index, element) in text::elements_of_document(text).into_iter().enumerate() {
        events.extend(read_event(index, element, &mut out));
    }
    out.names = read_names(&events);
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

/// Metadata, in file order so that the last one counts. Others than these five are not looked at.
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

/// A counter for each (pid, name, id), a series for each key of its args.
fn read_counters(events: &[Event<'_>], warnings: &mut Warnings) -> Vec<Counter> {
    let mut counters: BTreeMap<(&str, &str, Option<&Id>), Counter> = BTreeMap::new();
    for event in in_time_order(events.iter().filter(|event| event.phase == "C")) {
        if !event.raw_args.is_empty() && event.raw_args.first() != Some(&b'{') {
            warn(warnings, "wrong_type");
            continue;
        }
        for (key, raw) in text::members(event.raw_args) {
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
