//! Graphs of marker values: a schema may define a track that shows fields of its markers over time. Each graph becomes
//! one counter per thread and marker name.

use std::collections::BTreeMap;

use rayon::prelude::*;

use flowline_profile::text::Format;
use flowline_profile::{
    Counter, CounterGraph, Graph, LocalMarker, Ns, Profile, Sample, Schema, Series, StringId, Thread, TimeRange, Value,
};

/// Maximum number of graph counters per recording: every marker name of a thread has its own.
const MAX_COUNTERS: usize = 1000;

/// Adds the counters that schemas define.
pub(in crate::firefox) fn attach(profile: &mut Profile) {
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

/// The counters of a thread, by marker name and then in schema order.
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
        // Markers with the same name usually have one type; the schema of the first marker wins.
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

/// The samples of a graph. The value of a bar ends with its marker; the value of a line lasts until the next marker.
fn samples(thread: &Thread, markers: &[LocalMarker], values: &[Value], graph: &Graph) -> Vec<Sample> {
    let known = markers.iter().zip(values).filter_map(|(marker, value)| {
        let value = value.get(&graph.key).and_then(Value::as_f64).filter(|value| value.is_finite())?;
        Some((thread.markers.range(*marker), value))
    });
    if graph.is_bar {
        return BarSweep::samples(known);
    }
    known.map(|(range, value)| Sample { time: range.start, value }).collect()
}

/// The active bars in a sweep over time. The active bar that began last is shown.
#[derive(Debug, Default)]
struct BarSweep {
    samples: Vec<Sample>,
    /// End and value of each active bar, in start order; bars before the last one may have ended.
    on: Vec<(Ns, f64)>,
}

impl BarSweep {
    /// The samples of bars, which must be in start order. A zero-length bar ends immediately.
    fn samples(bars: impl Iterator<Item = (TimeRange, f64)>) -> Vec<Sample> {
        let mut all = Self::default();
        for (TimeRange { start, end }, value) in bars {
            all.end_before(start);
            all.samples.push(Sample { time: start, value });
            if end > start {
                all.on.push((end, value));
            } else {
                all.show_last(start);
            }
        }
        all.end_before(Ns(i64::MAX));
        all.samples
    }

    /// Ends the bars that end at or before `time`. At `time` itself, a new bar begins and is shown instead of the
    /// remaining ones.
    fn end_before(&mut self, time: Ns) {
        while let Some((at, _)) = self.on.last().copied().filter(|(end, _)| *end <= time) {
            while self.on.last().is_some_and(|(end, _)| *end <= at) {
                self.on.pop();
            }
            if at < time {
                self.show_last(at);
            }
        }
    }

    fn show_last(&mut self, time: Ns) {
        self.samples.push(Sample { time, value: self.on.last().map_or(0.0, |(_, value)| *value) });
    }
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
        category: thread.name.to_string(),
        pid: profile.processes.get(thread.process.index()).map_or_else(String::new, |process| process.pid.to_string()),
        process: Some(thread.process),
        unit: unit.to_owned(),
        color: graph.color.clone(),
        graph: CounterGraph::Level,
        series: vec![Series { name: what.to_owned(), samples: samples.into() }],
    }
}
