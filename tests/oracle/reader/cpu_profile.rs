//! V8 CPU profiles (`.cpuprofile`).

use serde_json::Value;

use super::figures::{PlainThread, Sample};
use super::json::{list, ns_of_us};

/// True for a CPU profile with times.
pub(super) fn is_profile(root: &Value) -> bool {
    root["nodes"].is_array() && root["samples"].is_array() && root["timeDeltas"].is_array()
}

/// The only thread of a profile. A sample lasts until the next one, the last one until the end of the profile.
pub(super) fn thread(root: &Value) -> PlainThread {
    let name_of = |id: &Value| {
        let node = list(&root["nodes"]).iter().find(|node| node["id"] == *id);
        node.and_then(|node| node["callFrame"]["functionName"].as_str().or_else(|| node["functionName"].as_str()))
    };
    let mut time = ns_of_us(&root["startTime"]).unwrap_or(0);
    let mut times = Vec::new();
    for delta in list(&root["timeDeltas"]) {
        time += ns_of_us(delta).unwrap_or(0);
        times.push(time);
    }
    times.push(ns_of_us(&root["endTime"]).unwrap_or(time).max(time));
    let sample = |(row, id): (usize, &Value)| Sample {
        time: times[row],
        delta: None,
        is_work: name_of(id) != Some("(idle)"),
        length: times[row + 1] - times[row],
    };
    let samples = list(&root["samples"]).iter().take(times.len() - 1).enumerate().map(sample).collect();
    PlainThread { samples, ..PlainThread::default() }
}
