//! Counters: one track per process, name and id; one series per argument. Numeric strings count as numbers.

use foldhash::HashMap;
use rayon::prelude::*;

use super::counter_values::{Count, CounterArgValue, Counts};
use crate::trace_events::text::event::Event;
use crate::trace_events::text::event::file_offset;
use crate::trace_events::text::event_reader::text_at;
use crate::trace_events::text::ids::{Id, IdIdentity, IdKind, NONE, TextId};
use crate::trace_events::text::trace::Trace;
use flowline_json::{RawString, decode_value};
use flowline_profile::{Column, Counter, EVENT_PLACES, Sample, Series, Source, Value, WarningKind, Warnings};

/// A counter.
struct CounterTrack {
    pid: TextId,
    name: TextId,
    cat: TextId,
    id: Id,
}

/// The counters of a trace, in the order of their first events, and the events of each. A trace may have a million counters
/// with a few events, so the events are one list of numbers.
struct CounterTracks {
    list: Vec<CounterTrack>,
    /// Numbers of events among all counter events, by track, in file order.
    events: Vec<u32>,
    /// The end of each track in `events`.
    ends: Vec<u32>,
}

impl CounterTracks {
    fn new(trace: &Trace, events: &[Event]) -> Self {
        let mut list: Vec<CounterTrack> = Vec::new();
        let mut by_key: HashMap<(TextId, TextId, IdIdentity), u32> = HashMap::default();
        let mut ends: Vec<u32> = Vec::new();
        let track_of = |event: &Event| {
            let (pid, id) = (trace.pid(event), trace.extra(event).id);
            let (name, cat) = trace.labels.get(event.label);
            let track = *by_key.entry((pid, name, id.identity())).or_insert_with(|| {
                list.push(CounterTrack { pid, name, cat, id });
                ends.push(0);
                u32::try_from(list.len() - 1).unwrap_or(NONE)
            });
            ends[track as usize] += 1;
            track
        };
        let tracks: Vec<u32> = events.iter().map(track_of).collect();
        drop(by_key);
        // From the numbers of events to their starts, which become ends when the events are added.
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut numbers = vec![0; tracks.len()];
        for (number, track) in (0..).zip(tracks) {
            let end = &mut ends[track as usize];
            numbers[*end as usize] = number;
            *end += 1;
        }
        Self { list, events: numbers, ends }
    }

    /// The numbers of the events of a track.
    fn events_of(&self, track: usize) -> &[u32] {
        let start = track.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.events[start as usize..self.ends[track] as usize]
    }
}

/// Builds all counters in the order of their first events.
pub(in crate::trace_events) fn build(
    source: &Source,
    trace: &Trace,
    (events, counts): (&[Event], &Counts),
    warnings: &mut Warnings,
) -> Vec<(TextId, Counter)> {
    let tracks = CounterTracks::new(trace, events);
    let build = |(number, track): (usize, &CounterTrack)| {
        track.build(source, trace, (events, tracks.events_of(number)), counts)
    };
    let built: Vec<(Counter, Option<Box<Warnings>>)> = tracks.list.par_iter().enumerate().map(build).collect();
    let owned = |(track, (counter, found)): (&CounterTrack, (Counter, Option<Box<Warnings>>))| {
        found.into_iter().for_each(|found| warnings.merge(*found));
        (track.pid, counter)
    };
    // A counter without a value is not drawn, and counts nowhere.
    tracks.list.iter().zip(built).map(owned).filter(|(_, counter)| !counter.series.is_empty()).collect()
}

impl CounterTrack {
    fn build(
        &self,
        source: &Source,
        trace: &Trace,
        (events, numbers): (&[Event], &[u32]),
        counts: &Counts,
    ) -> (Counter, Option<Box<Warnings>>) {
        let mut warnings = Warnings::default();
        let mut series: Vec<Series> = Vec::new();
        let mut by_name: HashMap<TextId, usize> = HashMap::default();
        let own = || numbers.iter().map(|number| (&events[*number as usize], *number as usize));
        for (event, number) in own() {
            for Count { name, value } in counts.of(number) {
                let text = || trace.texts.get(*name);
                let number = match value {
                    CounterArgValue::Number(number) => *number,
                    CounterArgValue::NoNumber => {
                        let place =
                            || format!("{} in the counter event at byte {}", text(), file_offset(event.offset()));
                        warnings.add(WarningKind::WrongType, place);
                        continue;
                    }
                    CounterArgValue::Missing => {
                        let place = || format!("no args in the counter event at byte {}", file_offset(event.offset()));
                        warnings.add(WarningKind::MissingPart, place);
                        continue;
                    }
                    CounterArgValue::NoObject => {
                        let place = || format!("args of the event at byte {}", file_offset(event.offset()));
                        warnings.add(WarningKind::WrongType, place);
                        continue;
                    }
                };
                let at = *by_name.entry(*name).or_insert_with(|| {
                    series.push(Series { name: text().to_owned(), samples: Column::new() });
                    series.len() - 1
                });
                series[at].samples.push(Sample { time: event.ts, value: number });
            }
        }
        series.shrink_to_fit();
        for series in &mut series {
            series.samples.make_mut().sort_by_key(|sample| sample.time);
            series.samples.shrink_to_fit();
        }
        let texts = &trace.texts;
        let id = id_text(source.bytes(), &self.id);
        let name = texts.get(self.name);
        let name = if id.is_empty() { name.to_owned() } else { format!("{name} [{id}]") };
        let counter = Counter {
            name,
            category: texts.get(self.cat).to_owned(),
            pid: texts.get(self.pid).to_owned(),
            unit: self.unit(source, (trace, counts), own().next(), &series),
            series,
            ..Counter::default()
        };
        (counter, (!warnings.is_empty()).then(|| Box::new(warnings)))
    }
}

impl CounterTrack {
    /// Returns the unit from the first event, or from the names.
    fn unit(
        &self,
        source: &Source,
        (trace, counts): (&Trace, &Counts),
        first: Option<(&Event, usize)>,
        series: &[Series],
    ) -> String {
        let name = trace.texts.get(self.name);
        let read = first.map_or(NONE, |(_, number)| counts.unit(number));
        if read != NONE {
            return trace.texts.get(read).to_owned();
        }
        // Reading one event of a binary recording means to read the events before it.
        let object = first.map(|(event, _)| event.offset()).filter(|offset| *offset < EVENT_PLACES);
        let object = object.and_then(|offset| source.object_at(offset));
        let stated = object.as_ref().and_then(|object| object.member("unit"));
        let stated = stated.and_then(|mut unit| decode_value(&mut unit).ok());
        match stated.as_ref().and_then(Value::as_str) {
            Some(unit) => unit.to_owned(),
            None => stated_unit(name, series).to_owned(),
        }
    }
}

/// Unit suffixes of names, in lower case, and the displayed unit. Other units stay part of the name.
const UNITS: &[(&str, &str)] = &[
    ("bytes", "bytes"),
    ("kb", "KB"),
    ("kib", "KiB"),
    ("mb", "MB"),
    ("mib", "MiB"),
    ("gb", "GB"),
    ("ns", "ns"),
    ("us", "us"),
    ("ms", "ms"),
    ("hz", "Hz"),
    ("khz", "kHz"),
    ("mhz", "MHz"),
];

/// Returns the unit of a counter: the last word of its name or of the names of all its series. Trace events have no
/// units, and a word like "memory" does not tell bytes from megabytes.
fn stated_unit(name: &str, series: &[Series]) -> &'static str {
    let stated = |text: &str| {
        let word = last_word(text).to_ascii_lowercase();
        UNITS.iter().find(|(unit, _)| *unit == word).map(|(_, shown)| *shown)
    };
    let mut of_series = series.iter().map(|series| stated(&series.name));
    let first = of_series.next().flatten().filter(|first| of_series.all(|other| other == Some(*first)));
    stated(name).or(first).unwrap_or_default()
}

/// Returns the last word of a name, such as `bytes` in `cached_bytes`, `cachedBytes` or `cached (bytes)`.
fn last_word(text: &str) -> &str {
    let text = text.trim_end_matches(|last: char| !last.is_alphanumeric());
    let mut start = text.len();
    for (at, next) in text.char_indices().rev() {
        let is_inside = next.is_alphanumeric();
        if !is_inside {
            break;
        }
        start = at;
        // An upper-case letter after a lower-case one starts a word.
        let before = text[..at].chars().next_back();
        if next.is_uppercase() && before.is_some_and(char::is_lowercase) {
            break;
        }
    }
    &text[start..]
}

/// Returns the text of an id; empty without an id.
pub(in crate::trace_events) fn id_text(text: &[u8], id: &Id) -> String {
    match id.kind() {
        IdKind::None => String::new(),
        _ => text_at(text, id.offset()).as_ref().map(RawString::decode).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_the_last_word() {
        let unit = |name: &str| stated_unit(name, &[]);
        for name in ["bytes", "unused_memory_bytes", "CachedBytes", "size (bytes)", "mem [Bytes]"] {
            assert_eq!(unit(name), "bytes", "{name}");
        }
        assert_eq!((unit("BlinkGC.AllocatedObjectSizeKB"), unit("actual_mhz"), unit("lag ms")), ("KB", "MHz", "ms"));
        for name in ["", "Memory usage (Bazel)", "size of pool", "heap", "columns", "bytes read", "kilobytes", "forms"]
        {
            assert_eq!(unit(name), "", "{name}");
        }
        let series = |name: &str| Series { name: name.into(), samples: Column::new() };
        assert_eq!(stated_unit("pool", &[series("free_bytes"), series("usedBytes")]), "bytes");
        assert_eq!(stated_unit("pool", &[series("free_bytes"), series("items")]), "");
    }
}
