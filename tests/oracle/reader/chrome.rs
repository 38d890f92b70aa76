//! Trace events.

use std::collections::BTreeMap;

use serde_json::Value;

use super::figures::{PlainThread, Slice};
use super::json::{ns_of_sum_of_us, ns_of_us, text};

/// A process and a thread of it, as text.
type Key = (String, String);

fn key(event: &Value) -> Option<Key> {
    let pid = text(&event["pid"])?;
    let tid = text(&event["tid"]).unwrap_or_else(|| pid.clone());
    Some((pid, tid))
}

fn member(event: &Value, name: &str) -> String {
    event[name].as_str().unwrap_or_default().to_owned()
}

/// The events of a trace, if the file contains one.
pub(super) fn events(root: &Value) -> Option<&[Value]> {
    let all = root.as_array().or_else(|| root["traceEvents"].as_array())?;
    let is_event = |event: &Value| event["ph"].is_string();
    all.iter().any(is_event).then_some(all.as_slice())
}

/// `ts` plus `dur`. A negative duration is none.
fn end(event: &Value) -> Option<i64> {
    Some(ns_of_sum_of_us(&event["ts"], &event["dur"])?.max(ns_of_us(&event["ts"])?))
}

/// The last time of each thread.
fn last_times(events: &[Value]) -> BTreeMap<Key, i64> {
    let mut last = BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] != "M") {
        let Some((thread, time)) = key(event).zip(end(event).or_else(|| ns_of_us(&event["ts"]))) else { continue };
        let known = last.entry(thread).or_insert(time);
        *known = time.max(*known);
    }
    last
}

/// The threads of a trace, by process and thread id.
pub(super) fn threads(events: &[Value]) -> Vec<PlainThread> {
    let last = last_times(events);
    let mut threads: BTreeMap<Key, PlainThread> = BTreeMap::new();
    let mut halves: BTreeMap<Key, Vec<(i64, &Value)>> = BTreeMap::new();
    for event in events {
        let Some(thread) = key(event) else { continue };
        let new = || PlainThread { pid: thread.0.clone(), tid: thread.1.clone(), ..PlainThread::default() };
        match event["ph"].as_str() {
            Some("M") if event["name"] == "thread_name" => {
                threads.entry(thread.clone()).or_insert_with(new).name =
                    event["args"]["name"].as_str().map(str::to_owned);
            }
            Some("X") => {
                let Some(start) = ns_of_us(&event["ts"]) else { continue };
                let end = end(event).unwrap_or_else(|| start.max(last[&thread]));
                let slice = slice(event, start, end, ns_of_us(&event["tdur"]));
                threads.entry(thread.clone()).or_insert_with(new).slices.push(slice);
            }
            Some("B" | "E") => {
                let Some(time) = ns_of_us(&event["ts"]) else { continue };
                halves.entry(thread.clone()).or_default().push((time, event));
                threads.entry(thread.clone()).or_insert_with(new);
            }
            _ => {}
        }
    }
    for (thread, mut found) in halves {
        found.sort_by_key(|half| half.0);
        let paired = pairs(&found, last[&thread]);
        threads.get_mut(&thread).expect("entered above").slices.extend(paired);
    }
    threads.into_values().collect()
}

fn slice(begin: &Value, start: i64, end: i64, cpu: Option<i64>) -> Slice {
    Slice { start, end, name: member(begin, "name"), category: member(begin, "cat"), cpu }
}

/// The slices of begins and ends of a thread, which are in the order of their times.
fn pairs(halves: &[(i64, &Value)], last: i64) -> Vec<Slice> {
    let mut open: Vec<(i64, &Value)> = Vec::new();
    let mut used = vec![false; halves.len()];
    let mut slices = Vec::new();
    for (index, (time, event)) in halves.iter().enumerate() {
        if event["ph"] == "B" {
            open.push((*time, event));
            continue;
        }
        let name = event["name"].as_str().unwrap_or_default();
        let is_its_begin = |begin: &(i64, &Value)| name.is_empty() || begin.1["name"] == name;
        let Some(at) = open.iter().rposition(is_its_begin).filter(|_| !used[index]) else { continue };
        // Slices inside end with it, by their own end if that has the same time.
        for (start, inner) in open.drain(at + 1..).rev() {
            let later = index + 1..halves.len();
            let own = later
                .take_while(|own| halves[*own].0 == *time)
                .find(|own| !used[*own] && halves[*own].1["ph"] == "E" && halves[*own].1["name"] == inner["name"]);
            if let Some(own) = own {
                used[own] = true;
            }
            slices.push(slice(inner, start, *time, own.and_then(|own| thread_time(inner, halves[own].1))));
        }
        let (start, begin) = open.pop().expect("found above");
        slices.push(slice(begin, start, *time, thread_time(begin, event)));
    }
    slices.extend(open.into_iter().map(|(start, begin)| slice(begin, start, start.max(last), None)));
    slices
}

/// The difference of the thread's clock.
fn thread_time(begin: &Value, end: &Value) -> Option<i64> {
    Some(ns_of_us(&end["tts"])? - ns_of_us(&begin["tts"])?)
}

/// Schemes of requests that count.
const SCHEMES: [&str; 5] = ["http", "https", "file", "blob", "filesystem"];

/// The number of requests. The events of an id are one request; its address is that of the last time it was sent.
pub(super) fn requests(events: &[Value]) -> usize {
    let mut sent: Vec<&Value> = events.iter().filter(|event| event["name"] == "ResourceSendRequest").collect();
    sent.sort_by_key(|event| ns_of_us(&event["ts"]));
    let mut addresses = BTreeMap::new();
    for data in sent.into_iter().map(|event| &event["args"]["data"]) {
        if let Some(id) = data["requestId"].as_str() {
            addresses.insert(id, data["url"].as_str().unwrap_or_default());
        }
    }
    let counts = |address: &&&str| SCHEMES.contains(&address.split(':').next().unwrap_or_default());
    addresses.values().filter(counts).count()
}

/// True if the trace contains samples of a V8 CPU profile, whose threads this reader does not derive.
pub(super) fn has_samples(events: &[Value]) -> bool {
    events.iter().any(|event| event["ph"] == "P")
}
