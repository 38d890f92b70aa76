//! Firefox profiles, raw and processed.

use serde_json::Value;

use super::figures::{PlainThread, Sample};
use super::firefox_markers;
use super::firefox_tables::{Stacks, Table};
use super::json::{list, ns_of_ms, rounded, text};

/// True for a Firefox profile of either form.
pub(super) fn is_profile(root: &Value) -> bool {
    root["meta"]["version"].is_number() && root["threads"].is_array()
}

/// A process of a profile with the difference of its clock in nanoseconds.
pub(super) struct Process<'a> {
    pub(super) value: &'a Value,
    pub(super) shift: i64,
}

/// The root process and those nested in it.
pub(super) fn processes(root: &Value) -> Vec<Process<'_>> {
    let start = |process: &Value| process["meta"]["startTime"].as_f64().unwrap_or(0.0);
    let mut found = vec![Process { value: root, shift: 0 }];
    let mut at = 0;
    while at < found.len() {
        let nested = list(&found[at].value["processes"]).iter();
        found.extend(nested.map(|value| Process { value, shift: rounded((start(value) - start(root)) * 1e6) }));
        at += 1;
    }
    found
}

/// Nanoseconds of a unit of CPU time; `None` for cycles.
fn unit(root: &Value) -> Option<f64> {
    match root["meta"]["sampleUnits"]["threadCPUDelta"].as_str()? {
        "ns" => Some(1.0),
        "µs" | "us" => Some(1000.0),
        _ => None,
    }
}

/// The threads of a profile.
pub(super) fn threads(root: &Value) -> Vec<PlainThread> {
    let mut threads = Vec::new();
    for process in processes(root) {
        threads.extend(list(&process.value["threads"]).iter().map(|value| thread(root, &process, value)));
    }
    threads
}

fn thread(root: &Value, process: &Process<'_>, value: &Value) -> PlainThread {
    let (table, stacks) = (Table(&value["samples"]), Stacks::new(root, process.value, value));
    let times: Vec<i64> = table.times().iter().map(|time| time + process.shift).collect();
    let interval = ns_of_ms(&root["meta"]["interval"]).unwrap_or(1_000_000);
    let unit = unit(root);
    let delta = |row: usize| Some(rounded(table.get(row, "threadCPUDelta").as_f64()? * unit?));
    let samples: Vec<Sample> = (0..times.len())
        .map(|row| Sample {
            time: times[row],
            delta: delta(row),
            is_work: table.index(row, "stack").is_some_and(|stack| !stacks.is_idle(stack)),
            length: times.get(row + 1).map_or(interval, |next| next - times[row]),
        })
        .collect();
    let nesting = firefox_markers::nesting_types(root, process.value);
    PlainThread {
        pid: text(&value["pid"]).unwrap_or_default(),
        tid: text(&value["tid"]).unwrap_or_default(),
        name: value["name"].as_str().map(str::to_owned),
        has_clock: unit.is_some() && (0..times.len()).any(|row| !table.get(row, "threadCPUDelta").is_null()),
        samples,
        has_weights: value["samples"]["weight"].is_array(),
        slices: firefox_markers::slices(Table(&value["markers"]), process.shift, &nesting),
    }
}
