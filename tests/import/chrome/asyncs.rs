//! Asyncs: the nestable ones (`b` `e` `n`) and the legacy ones (`S` `T` `p` `F`), each read id by id.
//!
//! A group is all events of one id; its slices are paired and nested within it alone. Which thread an event came from
//! does not matter.

use std::collections::BTreeMap;

use serde_json::Value;

use super::event::{Event, in_time_order};
use super::reference::{Entry, Warnings, warn};
use super::threads::{cut_off, instant, nest, pair, slice};

/// What the events of one id made.
#[derive(Debug)]
pub(crate) struct Group {
    /// Of the earliest event.
    pub(crate) pid: String,
    pub(crate) id: String,
    pub(crate) has_id: bool,
    /// By start, longer first, then in file order; with depths.
    pub(crate) entries: Vec<Entry>,
}

/// The groups of a recording, in no particular order.
pub(crate) fn groups(events: &[Event<'_>], warnings: &mut Warnings) -> Vec<Group> {
    let mut by_key: BTreeMap<String, Vec<&Event<'_>>> = BTreeMap::new();
    for event in events {
        let key = match event.phase.as_str() {
            "b" | "e" | "n" => format!("nestable {:?} {:?} {:?}", event.cat, event.async_scope, event.id),
            "S" | "T" | "p" | "F" => format!("legacy {:?} {:?}", event.name, event.id),
            _ => continue,
        };
        by_key.entry(key).or_default().push(event);
    }
    by_key.into_iter().map(|(key, events)| group(&key, &in_time_order(events.into_iter()), warnings)).collect()
}

/// One group from its events, at least one, in time order.
fn group(key: &str, events: &[&Event<'_>], warnings: &mut Warnings) -> Group {
    let mut entries = if key.starts_with("nestable") { nestable(events, warnings) } else { legacy(events, warnings) };
    nest(&mut entries, warnings);
    for entry in &mut entries {
        entry.slice.group = Some(key.to_owned());
    }
    let id = events[0].id.as_ref().map(|id| id.text.clone()).unwrap_or_default();
    Group { pid: events[0].pid.clone(), id, has_id: events[0].id.is_some(), entries }
}

/// An end closes the nearest open begin of its name, or without a name the innermost; what is open inside stays open.
fn nestable(events: &[&Event<'_>], warnings: &mut Warnings) -> Vec<Entry> {
    let (first, last) = (events[0].ts, events[events.len() - 1].ts);
    let mut entries = Vec::new();
    let mut open: Vec<&Event<'_>> = Vec::new();
    for event in events {
        match event.phase.as_str() {
            "b" => open.push(event),
            "e" => {
                let begin = open.iter().rposition(|begin| event.name.is_empty() || begin.name == event.name);
                match begin {
                    Some(begin) => entries.push(pair(open.remove(begin), event)),
                    None => entries.push(begun_at(first, event, warnings)),
                }
            }
            _ => entries.push(instant(event)),
        }
    }
    for begin in open {
        warn(warnings, "unmatched_start");
        entries.push(cut_off(begin, last));
    }
    entries
}

/// One slice at a time from `S` to `F`; the steps are slices inside, or instants where `T` and `p` are mixed.
fn legacy(events: &[&Event<'_>], warnings: &mut Warnings) -> Vec<Entry> {
    let (first, last) = (events[0].ts, events[events.len() - 1].ts);
    let has = |phase: &str| events.iter().any(|event| event.phase == phase);
    let is_mixed = has("T") && has("p");
    if is_mixed {
        warn(warnings, "mixed_steps");
    }
    let mut entries = Vec::new();
    let mut open: Option<&Event<'_>> = None;
    for (at, event) in events.iter().enumerate() {
        match event.phase.as_str() {
            "S" => {
                if let Some(begin) = open.replace(event) {
                    warn(warnings, "unmatched_start");
                    entries.push(cut_off(begin, event.ts));
                }
            }
            "F" => entries.push(match open.take() {
                Some(begin) => pair(begin, event),
                None => begun_at(first, event, warnings),
            }),
            _ if is_mixed => entries.push(named_step(instant(event))),
            "T" => {
                let next = events.get(at + 1).map_or(last, |next| next.ts);
                entries.push(named_step(slice(event, event.ts, Some(next))));
            }
            _ => {
                let previous = if at == 0 { first } else { events[at - 1].ts };
                entries.push(named_step(slice(event, previous, Some(event.ts))));
            }
        }
    }
    if let Some(begin) = open {
        warn(warnings, "unmatched_start");
        entries.push(cut_off(begin, last));
    }
    entries
}

/// The slice of an end that matches nothing.
fn begun_at(first: i64, end: &Event<'_>, warnings: &mut Warnings) -> Entry {
    warn(warnings, "unmatched_end");
    let mut entry = slice(end, first, Some(end.ts));
    entry.slice.incomplete = true;
    entry
}

/// A step is named by its args.
fn named_step(mut entry: Entry) -> Entry {
    if let Value::String(step) = &entry.slice.args["step"] {
        entry.slice.name = step.clone();
    }
    entry
}
