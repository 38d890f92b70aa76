//! Slices and instants of threads, and the instants of processes and of the whole recording.
//!
//! Begin and end events are paired with one stack per thread. Depth follows afterwards from containment of closed
//! intervals, so that it does not depend on the event kinds of a slice.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use super::event::{Event, in_time_order};
use super::reference::{Entry, Slice, Warnings, warn};

type Tracks = BTreeMap<(&'static str, String, String), Vec<Entry>>;

/// Tracks of threads, processes and the recording: (kind, pid, tid) to slices with depths.
pub(crate) fn tracks(events: &[Event<'_>], warnings: &mut Warnings) -> Tracks {
    let mut of_threads: BTreeMap<(&str, &str), Vec<&Event<'_>>> = BTreeMap::new();
    let mut tracks = Tracks::new();
    for event in events {
        match event.phase.as_str() {
            "i" | "I" | "R" if event.instant_scope == "p" => {
                tracks.entry(("process", event.pid.clone(), String::new())).or_default().push(instant(event));
            }
            "i" | "I" | "R" if event.instant_scope == "g" => {
                tracks.entry(("global", String::new(), String::new())).or_default().push(instant(event));
            }
            "B" | "E" | "X" | "i" | "I" | "R" => {
                of_threads.entry((&event.pid, &event.tid)).or_default().push(event);
            }
            _ => {}
        }
    }
    for ((pid, tid), events) in of_threads {
        let entries = slices_of_thread(&in_time_order(events.into_iter()), warnings);
        if !entries.is_empty() {
            tracks.insert(("thread", pid.to_owned(), tid.to_owned()), entries);
        }
    }
    for entries in tracks.values_mut() {
        nest(entries, warnings);
    }
    tracks
}

/// All slices of a thread from its events in time order.
fn slices_of_thread(events: &[&Event<'_>], warnings: &mut Warnings) -> Vec<Entry> {
    let last = events.iter().map(|event| event.ts.max(event.ts + event.dur.unwrap_or(0))).max().unwrap_or(0);
    let mut entries = Vec::new();
    let mut open: Vec<&Event<'_>> = Vec::new();
    // Begins closed by the end of an outer slice, with that time; their own end may follow at the same time. Innermost
    // first.
    let mut ended_inside: Vec<(&Event<'_>, i64)> = Vec::new();
    for event in events {
        match event.phase.as_str() {
            "B" => open.push(event),
            "E" => {
                let begins_here = |begin: &&Event<'_>| begin.ts == event.ts;
                let has_name = |begin: &&Event<'_>| event.name.is_empty() || begin.name == event.name;
                let nearest_begins_here = open.iter().rev().find(|begin| has_name(begin)).is_some_and(begins_here);
                let waiting = ended_inside.iter().position(|(begin, ended)| *ended == event.ts && has_name(begin));
                if let Some(waiting) = waiting.filter(|_| !nearest_begins_here) {
                    entries.push(pair(ended_inside.remove(waiting).0, event));
                    continue;
                }
                let begin = if event.name.is_empty() {
                    open.len().checked_sub(1)
                } else {
                    open.iter().rposition(|begin| begin.name == event.name)
                };
                let Some(begin) = begin else {
                    warn(warnings, "unmatched_end");
                    continue;
                };
                ended_inside.extend(open.drain(begin + 1..).rev().map(|inner| (inner, event.ts)));
                let begin = open.pop().expect("the begin event is the last one left");
                entries.push(pair(begin, event));
            }
            "X" => entries.push(match event.dur {
                Some(dur) => {
                    if dur < 0 {
                        warn(warnings, "negative_duration");
                    }
                    slice(event, event.ts, Some(event.ts + dur.max(0)))
                }
                None => {
                    warn(warnings, "unmatched_start");
                    incomplete_slice(event, last)
                }
            }),
            _ => entries.push(instant(event)),
        }
    }
    for (inner, end) in ended_inside {
        warn(warnings, "unmatched_start");
        entries.push(incomplete_slice(inner, end));
    }
    for event in open {
        warn(warnings, "unmatched_start");
        entries.push(incomplete_slice(event, last));
    }
    entries
}

/// A slice (or an instant, without an end) with the name, category and args of an event.
pub(crate) fn slice(event: &Event<'_>, start_ns: i64, end_ns: Option<i64>) -> Entry {
    Entry {
        slice: Slice {
            start_ns,
            end_ns,
            name: event.name.clone(),
            cat: event.cat.clone(),
            args: event.args.clone(),
            ..Slice::default()
        },
        event: event.index,
        end_event: None,
    }
}

/// An instant at the event's time.
pub(crate) fn instant(event: &Event<'_>) -> Entry {
    slice(event, event.ts, None)
}

/// A slice with a missing end.
pub(crate) fn incomplete_slice(begin: &Event<'_>, end: i64) -> Entry {
    let mut entry = slice(begin, begin.ts, Some(end));
    entry.slice.incomplete = true;
    entry
}

/// A slice from a begin event to its end event. The end's args win, and the first category given is used.
pub(crate) fn pair(begin: &Event<'_>, end: &Event<'_>) -> Entry {
    let mut entry = slice(begin, begin.ts, Some(end.ts));
    entry.end_event = Some(end.index);
    if begin.cat.is_empty() {
        entry.slice.cat.clone_from(&end.cat);
    }
    match (&mut entry.slice.args, &end.args) {
        (_, Value::Null) => {}
        (args, Value::Object(wins)) if wins.is_empty() && !args.is_null() => {}
        (args @ Value::Object(_), wins @ Value::Object(_)) => merge_deeply(args, wins),
        (Value::Object(args), _) if !args.is_empty() => {}
        (args, wins) => *args = wins.clone(),
    }
    entry
}

/// Sort key of slices: start, longer first, then file order of their events.
pub(crate) fn order(entry: &Entry) -> (i64, Reverse<i64>, usize) {
    (entry.slice.start_ns, Reverse(entry.slice.end()), entry.event)
}

/// Sorts slices and sets the depth of each: the number of slices that contain it. An instant contains nothing.
///
/// A slice that partly overlaps an open one is counted as a warning. Its row is undefined, and so is the row of every
/// slice that touches it: their depth is `None`.
pub(crate) fn nest(entries: &mut [Entry], warnings: &mut Warnings) {
    entries.sort_by_key(order);
    let mut stack: Vec<i64> = Vec::new();
    let mut overlapping: Vec<i64> = Vec::new();
    for Entry { slice, .. } in entries {
        let (start, end) = (slice.start_ns, slice.end());
        overlapping.retain(|open_end| *open_end >= start);
        let touches = !overlapping.is_empty();
        // Slices that ended before this start are closed. So are slices that end exactly here, unless they contain this
        // slice without length.
        while stack.last().is_some_and(|top| *top < start || (*top == start && end > start)) {
            stack.pop();
        }
        let overlaps = stack.iter().chain(&overlapping).any(|open_end| start < *open_end && *open_end < end);
        if overlaps {
            warn(warnings, "overlapping");
            overlapping.push(end);
            continue;
        }
        slice.depth = (!touches).then_some(stack.len());
        if slice.end_ns.is_some() {
            stack.push(end);
        }
    }
}

/// Merges an object into another one, also the objects in them. Another value of the begin moves to a key of its own.
fn merge_deeply(base: &mut Value, wins: &Value) {
    match (base, wins) {
        (Value::Object(base), Value::Object(wins)) => {
            let mut moved = Vec::new();
            for (key, value) in wins {
                let own = base.entry(key).or_insert(Value::Null);
                if value.is_null() {
                    continue;
                }
                if !own.is_null() && own != value && !(own.is_object() && value.is_object()) {
                    moved.push((key, own.take()));
                }
                merge_deeply(own, value);
            }
            for (key, value) in moved {
                let mut key = format!("{key} (begin)");
                while base.contains_key(&key) {
                    key += " (begin)";
                }
                base.insert(key, value);
            }
        }
        (base, wins) => *base = wins.clone(),
    }
}
