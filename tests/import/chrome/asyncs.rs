//! Asyncs: the nestable ones (`b` `e` `n`), the legacy ones (`S` `T` `p` `F`) and objects (`N` `O` `D`), each read id by
//! id.
//!
//! The slices of an id are paired only within that id. A group extends from the first begin until no slice is open,
//! plus later leftovers until the next begin. The thread of an event is irrelevant.

use std::collections::BTreeMap;

use serde_json::Value;

use super::event::{Event, in_time_order};
use super::reference::{Entry, Warnings, warn};
use super::threads::{incomplete_slice, instant, nest, pair, slice};

/// The result of one operation's events.
#[derive(Debug)]
pub(crate) struct Group {
    /// Pid of the earliest event.
    pub(crate) pid: String,
    pub(crate) id: String,
    pub(crate) has_id: bool,
    /// Sorted by start, longer first, then in file order; with depths.
    pub(crate) entries: Vec<Entry>,
}

/// All groups of a recording, in no particular order.
pub(crate) fn groups(events: &[Event<'_>], warnings: &mut Warnings) -> Vec<Group> {
    let mut by_key: BTreeMap<String, Vec<&Event<'_>>> = BTreeMap::new();
    for event in events {
        let key = match event.phase.as_str() {
            "b" | "e" | "n" => format!("nestable {:?} {:?} {:?}", event.cat, event.async_scope, event.id),
            "S" | "T" | "p" | "F" => format!("legacy {:?} {:?}", event.name, event.id),
            "N" | "O" | "D" => {
                format!("object {:?} {:?} {:?} {:?}", event.pid, event.name, event.async_scope, event.id)
            }
            _ => continue,
        };
        by_key.entry(key).or_default().push(event);
    }
    let drawn = events.iter().filter(|event| !["M", "s", "t", "f"].contains(&event.phase.as_str()));
    let last = drawn.map(|event| event.ts.max(event.ts + event.dur.unwrap_or(0))).max().unwrap_or(0);
    let of_key =
        |(key, events): (String, Vec<&Event<'_>>)| of_id(&key, &in_time_order(events.into_iter()), last, warnings);
    by_key.into_iter().flat_map(of_key).collect()
}

/// Groups of one id, from its events (at least one) in time order. `last` is the recording's last time.
fn of_id(key: &str, events: &[&Event<'_>], last: i64, warnings: &mut Warnings) -> Vec<Group> {
    let is_legacy = key.starts_with("legacy");
    let entries = if is_legacy { legacy(events, last, warnings) } else { nestable(events, last, warnings) };
    let mut operations: BTreeMap<usize, (String, Vec<Entry>)> = BTreeMap::new();
    for (operation, pid, mut entry) in entries {
        entry.slice.key = Some(key.to_owned());
        entry.slice.group = Some(format!("{operation} of {key}"));
        operations.entry(operation).or_insert_with(|| (pid, Vec::new())).1.push(entry);
    }
    let id = events[0].id.as_ref().map(|id| id.text.clone()).unwrap_or_default();
    let group = |(pid, mut entries): (String, Vec<Entry>)| {
        nest(&mut entries, warnings);
        let has_id = events[0].id.is_some() && !key.starts_with("object");
        Group { pid, id: id.clone(), has_id, entries }
    };
    operations.into_values().map(group).collect()
}

/// Number of the operation, process of its begin event, and the slice.
type AsyncEntry = (usize, String, Entry);

/// An end closes the nearest open begin with its name, or without a name the innermost begin. Begins inside stay open.
fn nestable(events: &[&Event<'_>], last: i64, warnings: &mut Warnings) -> Vec<AsyncEntry> {
    let first = events[0].ts;
    let mut parts = Vec::new();
    let mut open: Vec<(usize, String, &Event<'_>)> = Vec::new();
    let (mut operation, mut pid, mut has_begun) = (0, events[0].pid.clone(), false);
    for event in events {
        match event.phase.as_str() {
            "b" | "N" => {
                if open.is_empty() && has_begun {
                    (operation, pid) = (operation + 1, event.pid.clone());
                }
                has_begun = true;
                open.push((operation, pid.clone(), event));
            }
            "e" | "D" => {
                let begin = open.iter().rposition(|(_, _, begin)| event.name.is_empty() || begin.name == event.name);
                parts.push(match begin.map(|begin| open.remove(begin)) {
                    Some((operation, pid, begin)) => (operation, pid, pair(begin, event)),
                    None => (operation, pid.clone(), begun_at(first, event, warnings)),
                });
            }
            _ => parts.push((operation, pid.clone(), instant(event))),
        }
    }
    for (operation, pid, begin) in open {
        warn(warnings, "unmatched_start");
        parts.push((operation, pid, incomplete_slice(begin, last)));
    }
    parts
}

/// One slice at a time, from `S` to `F`. Steps are slices inside it, or instants if `T` and `p` are mixed.
fn legacy(events: &[&Event<'_>], last: i64, warnings: &mut Warnings) -> Vec<AsyncEntry> {
    let first = events[0].ts;
    let has = |phase: &str| events.iter().any(|event| event.phase == phase);
    let is_mixed = has("T") && has("p");
    if is_mixed {
        warn(warnings, "mixed_steps");
    }
    let mut parts = Vec::new();
    let mut open: Option<(usize, String, &Event<'_>)> = None;
    let (mut operation, mut pid, mut has_begun) = (0, events[0].pid.clone(), false);
    for (at, event) in events.iter().enumerate() {
        let here = |entry: Entry, operation: usize, pid: &str| (operation, pid.to_owned(), entry);
        match event.phase.as_str() {
            "S" => {
                if let Some((operation, pid, begin)) = open.take() {
                    warn(warnings, "unmatched_start");
                    parts.push((operation, pid, incomplete_slice(begin, event.ts)));
                }
                if has_begun {
                    (operation, pid) = (operation + 1, event.pid.clone());
                }
                has_begun = true;
                open = Some((operation, pid.clone(), event));
            }
            "F" => parts.push(match open.take() {
                Some((operation, pid, begin)) => (operation, pid, pair(begin, event)),
                None => here(begun_at(first, event, warnings), operation, &pid),
            }),
            _ if is_mixed => parts.push(here(named_step(instant(event)), operation, &pid)),
            "T" => {
                let next = events.get(at + 1).map(|next| next.ts);
                let step = match next {
                    None if open.is_some() => incomplete_slice(event, last),
                    next => slice(event, event.ts, Some(next.unwrap_or(event.ts))),
                };
                parts.push(here(named_step(step), operation, &pid));
            }
            _ => {
                let previous = if at == 0 { first } else { events[at - 1].ts };
                parts.push(here(named_step(slice(event, previous, Some(event.ts))), operation, &pid));
            }
        }
    }
    if let Some((operation, pid, begin)) = open {
        warn(warnings, "unmatched_start");
        parts.push((operation, pid, incomplete_slice(begin, last)));
    }
    parts
}

/// The slice of an unmatched end.
fn begun_at(first: i64, end: &Event<'_>, warnings: &mut Warnings) -> Entry {
    warn(warnings, "unmatched_end");
    let mut entry = slice(end, first, Some(end.ts));
    entry.slice.incomplete = true;
    entry
}

/// Names a step by its args.
fn named_step(mut entry: Entry) -> Entry {
    if let Value::String(step) = &entry.slice.args["step"] {
        entry.slice.name = step.clone();
    }
    entry
}
