//! Properties of the figures of any recording.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use flowline_format::format_duration_ns;
use serde_json::Value;

use crate::program::Program;
use crate::shown::{Shown, lines};

/// The broken properties of a recording.
pub(crate) fn faults(program: &Program, path: &Path, shown: &Shown) -> Vec<String> {
    let list = |what: &str| lines(program, path, &[what]).unwrap_or_else(|message| panic!("{what}: {message}"));
    let mut faults = shares(shown);
    faults.extend(busy_is_elapsed(shown));
    faults.extend(same_as_samples(shown, &list("samples")));
    faults.extend(rows(shown));
    faults.extend(values(shown));
    faults.extend(whole_sums(shown));
    faults.extend(lanes(shown, &list("network")));
    faults.extend(flags(shown, &list("milestones")));
    faults
}

/// Measured shares are shares, and zero time is not unmeasured time.
fn shares(shown: &Shown) -> Vec<String> {
    let is_share = |line: &&Value| line["measured_share"].as_f64().is_none_or(|share| (0.0..=1.0).contains(&share));
    let bad = shown.threads.iter().chain(&shown.streams).filter(|line| !is_share(line));
    bad.map(|line| format!("measured_share of {line}")).collect()
}

/// No thread and no stream is busy for longer than the recording.
fn busy_is_elapsed(shown: &Shown) -> Vec<String> {
    let Some(line) = shown.items("range").next() else { return Vec::new() };
    let Some((start, end)) = line["whole_start_ns"].as_i64().zip(line["whole_end_ns"].as_i64()) else {
        return vec![format!("no whole range in {line}")];
    };
    let is_longer = |line: &&Value| line["busy_ns"].as_i64().is_some_and(|busy| busy < 0 || busy > end - start);
    let longer = shown.threads.iter().chain(&shown.streams).filter(is_longer);
    longer.map(|line| format!("busy for longer than {} ns: {line}", end - start)).collect()
}

/// `dump threads` and `dump samples` print the same CPU time.
fn same_as_samples(shown: &Shown, samples: &[Value]) -> Vec<String> {
    let mut faults = Vec::new();
    for (line, sampled) in shown.threads.iter().zip(samples) {
        let is_sampled = sampled["samples"].as_u64().is_some_and(|count| count > 1);
        if is_sampled && sampled["cpu_ns"].is_i64() && line["cpu_ns"] != sampled["cpu_ns"] {
            faults.push(format!("{line}: dump samples has {}", sampled["cpu_ns"]));
        }
    }
    faults
}

/// Rows are in the order of their places and do not overlap.
fn rows(shown: &Shown) -> Vec<String> {
    let mut faults = Vec::new();
    let place = |row: &Value, key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    for pair in shown.rows().windows(2) {
        let is_below = place(pair[0], "y") + place(pair[0], "height") <= place(pair[1], "y") + 0.01;
        if !is_below {
            faults.push(format!("{} overlaps {}", pair[0], pair[1]));
        }
        if pair[0]["visible"] == false && pair[1]["visible"] != false {
            faults.push(format!("{} is visible below the edge", pair[1]));
        }
    }
    faults
}

/// The text of a value is that of its nanoseconds.
fn values(shown: &Shown) -> Vec<String> {
    let is_same = |row: &&Value| {
        let Some((text, ns)) = row["value"].as_str().zip(row["value_ns"].as_i64()) else { return true };
        let text = ["≥\u{202f}"].iter().fold(text, |text, word| text.strip_prefix(word).unwrap_or(text));
        let rest = text.strip_prefix(format_duration_ns(ns).as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
    };
    shown.rows().into_iter().filter(|row| !is_same(row)).map(|row| format!("value of {row}")).collect()
}

/// The numbers of the threads of the rows below each row of a process, up to the next process.
pub(crate) fn processes<'a>(rows: &[&'a Value]) -> Vec<(&'a Value, Vec<u64>)> {
    let mut found: Vec<(&Value, Vec<u64>)> = Vec::new();
    for row in rows {
        if row["kind"] == "process" {
            found.push((row, Vec::new()));
        } else if let Some((last, thread)) = found.last_mut().zip(row["thread"].as_u64()) {
            last.1.push(thread);
        }
    }
    found
}

/// The sum of the figures of threads: CPU time if all that did anything have one, else busy time.
pub(crate) fn sum<'a>(threads: impl Iterator<Item = &'a Value>) -> (&'static str, i64) {
    let (mut cpu, mut busy, mut has_clock) = (0, 0, true);
    for line in threads {
        let ns = |key: &str| line[key].as_i64();
        cpu += ns("cpu_ns").unwrap_or(0);
        busy += ns("busy_ns").unwrap_or(0);
        has_clock &= ns("cpu_ns").is_some() || ns("busy_ns").unwrap_or(0) == 0;
    }
    if has_clock { ("cpu", cpu) } else { ("busy", busy) }
}

/// If the whole recording is visible, the value of a process is the sum of its threads.
fn whole_sums(shown: &Shown) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(range) = shown.items("range").next() else { return faults };
    if range["start_ns"] != range["whole_start_ns"] || range["end_ns"] != range["whole_end_ns"] {
        return faults;
    }
    let pid_of: BTreeMap<u64, &Value> =
        shown.threads.iter().filter_map(|line| Some((line["thread"].as_u64()?, &line["pid"]))).collect();
    for (row, threads) in processes(&shown.rows()) {
        let pids: BTreeSet<&str> = threads.iter().filter_map(|thread| pid_of.get(thread)?.as_str()).collect();
        let Some(pid) = pids.first().filter(|_| pids.len() == 1) else { continue };
        let (measure, expected) = sum(shown.threads.iter().filter(|line| line["pid"] == *pid));
        if row["measure"] == measure && row["value_ns"].as_i64() != Some(expected) {
            faults.push(format!("{row}: its threads have {expected} ns"));
        }
        let is_figure = row["measure"] == "cpu" || row["measure"] == "busy";
        if is_figure && row["measure"] != measure && expected > 0 {
            faults.push(format!("{row}: its threads are measured as {measure}"));
        }
    }
    faults
}

/// A lane is present if the recording has its data in the visible range, and absent if it has none at all.
fn lanes(shown: &Shown, requests: &[Value]) -> Vec<String> {
    let mut faults = Vec::new();
    let Some([start, end]) = shown.range() else { return faults };
    let names: Vec<&str> = shown.items("lane").filter_map(|lane| lane["name"].as_str()).collect();
    let touches = |request: &Value| {
        let time = |key: &str| request[key].as_i64();
        time("start_ns").is_some_and(|from| from < end) && time("end_ns").is_some_and(|to| to > start)
    };
    if requests.iter().any(touches) && !names.contains(&"Network") {
        faults.push(format!("no lane of the network among {names:?}"));
    }
    if requests.is_empty() && names.contains(&"Network") {
        faults.push("a lane of the network without requests".to_owned());
    }
    let is_busy = |line: &Value| line["busy_ns"].as_i64().is_some_and(|busy| busy > 0);
    if shown.streams.iter().any(is_busy) && !names.contains(&"GPU") {
        faults.push(format!("no lane of the GPU among {names:?}"));
    }
    if !shown.streams.iter().any(is_busy) && names.contains(&"GPU") {
        faults.push("a lane of the GPU without streams".to_owned());
    }
    faults
}

/// Flags have the times of milestones, and a page that reached a milestone within the range has flags.
fn flags(shown: &Shown, milestones: &[Value]) -> Vec<String> {
    let mut faults = Vec::new();
    let Some([start, end]) = shown.range() else { return faults };
    let known: BTreeSet<(&str, i64)> = milestones
        .iter()
        .filter_map(|line| {
            Some((line["name"].as_str().or_else(|| line["milestone"].as_str())?, line["t_ns"].as_i64()?))
        })
        .collect();
    let flags: Vec<&Value> = shown.items("flag").collect();
    for flag in &flags {
        let place = flag["name"].as_str().zip(flag["at_ns"].as_i64());
        if !place.is_some_and(|place| known.contains(&place) || known.iter().any(|known| known.1 == place.1)) {
            faults.push(format!("dump milestones has no {flag}"));
        }
    }
    let is_reached = |line: &&Value| {
        let is_load = ["FCP", "LCP", "DCL", "Load"].map(Value::from).contains(&line["milestone"]);
        is_load && line["main"] == true && line["t_ns"].as_i64().is_some_and(|time| start <= time && time < end)
    };
    if flags.is_empty() && milestones.iter().any(|line| is_reached(&line)) {
        faults.push("milestones in the visible range have no flags".to_owned());
    }
    faults
}
