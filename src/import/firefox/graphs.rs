//! Graphs of the values of markers: a schema may ask for a track that shows fields of its markers over time. Each of them
//! becomes a counter for every thread and name of marker.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::profile::text::Format;
use crate::profile::{
    Counter, CounterGraph, Graph, LocalMarker, Ns, Profile, Sample, Schema, Series, StringId, Thread, TimeRange, Value,
};

/// Counters of one recording, at most: every name of a thread has its own.
const MAX_COUNTERS: usize = 1000;

/// Adds the counters that schemas ask for.
pub(super) fn attach(profile: &mut Profile) {
    let has_graphs: Vec<bool> = profile
        .types
        .iter()
        .map(|(_, kind)| kind.schema.as_ref().is_some_and(|schema| !schema.graphs.is_empty()))
        .collect();
    if !has_graphs.contains(&true) {
        return;
    }
    let known = &*profile;
    let of_thread = |thread: &Thread| counters_of(known, thread, &has_graphs);
    let counters: Vec<Counter> = known.threads.par_iter().with_max_len(1).flat_map_iter(of_thread).collect();
    profile.counters.extend(counters.into_iter().take(MAX_COUNTERS));
}

/// The counters of a thread, by name of the markers and then in the order of the schema.
fn counters_of(profile: &Profile, thread: &Thread, has_graphs: &[bool]) -> Vec<Counter> {
    let mut by_name: BTreeMap<StringId, Vec<LocalMarker>> = BTreeMap::new();
    for marker in (0..thread.markers.len()).map(LocalMarker::new) {
        let kind = thread.markers.kind(marker);
        if kind.is_some_and(|kind| has_graphs.get(kind.index()) == Some(&true)) {
            by_name.entry(thread.markers.name(marker)).or_default().push(marker);
        }
    }
    let mut counters = Vec::new();
    for (name, markers) in by_name {
        // Markers of a name have one type, as a rule; the first one's schema counts.
        let kind = markers.first().and_then(|marker| thread.markers.kind(*marker));
        let Some(schema) = kind.and_then(|kind| profile.types.schema(kind)) else { continue };
        let values: Vec<Value> = markers.par_iter().map(|marker| profile.payload_in(thread, *marker)).collect();
        for graph in &schema.graphs {
            let samples = samples(thread, &markers, &values, graph);
            if !samples.is_empty() {
                counters.push(counter(profile, thread, name, (schema, graph), samples));
            }
        }
    }
    counters
}

/// The values of a graph. That of a bar ends with its marker; that of a line holds until the next.
fn samples(thread: &Thread, markers: &[LocalMarker], values: &[Value], graph: &Graph) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::with_capacity(markers.len());
    let mut until: Option<Ns> = None;
    for (marker, value) in markers.iter().zip(values) {
        let Some(value) = value.get(&graph.key).and_then(Value::as_f64).filter(|value| value.is_finite()) else {
            continue;
        };
        let TimeRange { start, end } = thread.markers.range(*marker);
        samples.extend(until.filter(|until| *until < start).map(|time| Sample { time, value: 0.0 }));
        samples.push(Sample { time: start, value });
        until = (graph.is_bar && end > start).then(|| until.map_or(end, |until| until.max(end)));
    }
    samples.extend(until.map(|time| Sample { time, value: 0.0 }));
    samples
}

fn counter(
    profile: &Profile,
    thread: &Thread,
    name: StringId,
    (schema, graph): (&Schema, &Graph),
    samples: Vec<Sample>,
) -> Counter {
    let field = schema.field(&graph.key);
    let unit = match field.map(|field| &field.format) {
        Some(Format::Bytes) => "bytes",
        Some(Format::Percentage) => "percent",
        Some(Format::Duration | Format::Time | Format::Seconds | Format::Milliseconds) => "ms",
        Some(Format::Microseconds) => "us",
        Some(Format::Nanoseconds) => "ns",
        _ => "",
    };
    let name = profile.strings.get(name);
    let what = field.map_or(graph.key.as_str(), |field| field.label.as_str());
    Counter {
        name: format!("{name}: {what}"),
        label: String::new(),
        category: thread.name.clone(),
        pid: profile.processes.get(thread.process.index()).map_or_else(String::new, |process| process.pid.clone()),
        process: Some(thread.process),
        unit: unit.to_owned(),
        color: graph.color.clone(),
        graph: CounterGraph::Level,
        series: vec![Series { name: what.to_owned(), samples: samples.into() }],
    }
}
