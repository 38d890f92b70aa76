//! Counters: one track per process, name and id; one series per argument. Numeric strings count as numbers.

use foldhash::HashMap;
use rayon::prelude::*;

use super::event::Event;
use super::event_reader::text_at;
use super::ids::{Id, IdKind, TextId};
use super::metadata::event_args;
use super::trace::Trace;
use crate::profile::json::RawString;
use crate::profile::{Column, Counter, Sample, Series, Source, Value, WarningKind, Warnings};

/// The events of one counter.
struct CounterTrack {
    pid: TextId,
    name: TextId,
    cat: TextId,
    id: Id,
    /// In file order.
    events: Vec<Event>,
}

/// All counters in the order of their first events.
pub(super) fn build(
    source: &Source,
    trace: &Trace,
    events: &[Event],
    warnings: &mut Warnings,
) -> Vec<(TextId, Counter)> {
    let mut tracks: Vec<CounterTrack> = Vec::new();
    let mut by_key: HashMap<(TextId, TextId, u64), Vec<usize>> = HashMap::default();
    for event in events {
        let (pid, id) = (trace.pid(event), trace.extra(event).id);
        let (name, cat) = trace.labels.get(event.label);
        // Hash collisions aside, there is one track.
        let known = by_key.entry((pid, name, id.hash)).or_default();
        let found = known.iter().copied().find(|track| tracks[*track].id.matches(&id));
        let track = found.unwrap_or_else(|| {
            known.push(tracks.len());
            tracks.push(CounterTrack { pid, name, cat, id, events: Vec::new() });
            tracks.len() - 1
        });
        tracks[track].events.push(*event);
    }
    let built: Vec<(Counter, Warnings)> = tracks.par_iter().map(|track| track.build(source, trace)).collect();
    let build = |(track, (counter, found)): (&CounterTrack, (Counter, Warnings))| {
        warnings.merge(found);
        (track.pid, counter)
    };
    tracks.iter().zip(built).map(build).collect()
}

impl CounterTrack {
    fn build(&self, source: &Source, trace: &Trace) -> (Counter, Warnings) {
        let mut warnings = Warnings::default();
        let mut series: Vec<Series> = Vec::new();
        let mut by_name: HashMap<String, usize> = HashMap::default();
        for event in &self.events {
            let members = match event_args(source, event) {
                Value::Object(members) => members,
                Value::Null => continue,
                _ => {
                    warnings.add(WarningKind::WrongType, || format!("args of the event at byte {}", event.offset()));
                    continue;
                }
            };
            for (name, value) in members {
                let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
                // NaN and infinities are gaps, not damage.
                if number.is_some_and(|number: f64| !number.is_finite()) {
                    continue;
                }
                let Some(number) = number else {
                    let place = || format!("{name} in the counter event at byte {}", event.offset());
                    warnings.add(WarningKind::WrongType, place);
                    continue;
                };
                let at = by_name.get(&name).copied().unwrap_or_else(|| {
                    by_name.insert(name.clone(), series.len());
                    series.push(Series { name, samples: Column::new() });
                    series.len() - 1
                });
                series[at].samples.push(Sample { time: event.ts, value: number });
            }
        }
        for series in &mut series {
            series.samples.make_mut().sort_by_key(|sample| sample.time);
        }
        let texts = &trace.texts;
        let id = id_text(source.bytes(), &self.id);
        let name = texts.get(self.name);
        let name = if id.is_empty() { name.to_owned() } else { format!("{name} [{id}]") };
        let counter = Counter {
            name,
            category: texts.get(self.cat).to_owned(),
            pid: texts.get(self.pid).to_owned(),
            unit: guess_unit(texts.get(self.name), &series).into(),
            series,
            ..Counter::default()
        };
        (counter, warnings)
    }
}

/// Guesses the unit of a counter, which trace events do not have: names with words for memory mean bytes.
fn guess_unit(name: &str, series: &[Series]) -> &'static str {
    let means_bytes = |text: &str| {
        let text = text.to_ascii_lowercase();
        ["byte", "memory", "heap", "resident", "rss"].iter().any(|word| text.contains(word))
    };
    let is_bytes = means_bytes(name) || (!series.is_empty() && series.iter().all(|series| means_bytes(&series.name)));
    if is_bytes { "bytes" } else { "" }
}

/// The text of an id; empty without an id.
pub(super) fn id_text(text: &[u8], id: &Id) -> String {
    match id.kind() {
        IdKind::None => String::new(),
        _ => text_at(text, id.offset()).as_ref().map(RawString::decode).unwrap_or_default(),
    }
}
