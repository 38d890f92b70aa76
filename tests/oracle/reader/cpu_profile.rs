//! V8 CPU profiles (`.cpuprofile`).

use serde_json::Value;

use super::figures::{PlainThread, Sample};
use super::json::{list, ns_of_us};

/// True for a CPU profile with times.
pub(super) fn is_profile(root: &Value) -> bool {
    root["nodes"].is_array() && root["samples"].is_array() && root["timeDeltas"].is_array()
}

/// The only thread of a profile. A sample lasts until the next one, the last one as long as the others on average, as in
/// DevTools.
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
    let (first, intervals) = (times.first().copied().unwrap_or(time), times.len().saturating_sub(1));
    let mean = i64::try_from(intervals).ok().and_then(|intervals| (time - first).checked_div(intervals));
    times.push(time + mean.unwrap_or(0));
    let ids = list(&root["samples"]);
    let sample = |row: usize| Sample {
        time: times[row],
        delta: None,
        is_work: name_of(&ids[row]) != Some("(idle)"),
        length: times[row + 1] - times[row],
    };
    let samples = (0..ids.len().min(times.len() - 1)).map(sample).collect();
    PlainThread { samples, ..PlainThread::default() }
}
