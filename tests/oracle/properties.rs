//! Properties of the figures of any recording.

use std::collections::BTreeSet;
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
    faults.extend(sums(shown));
    faults.extend(lanes(shown, &list("network")));
    faults.extend(flags(shown, &list("milestones"), &list("interactions")));
    faults.extend(crate::first_view::faults(shown));
    faults
}

/// Measured shares are shares, and zero time is not unmeasured time.
fn shares(shown: &Shown) -> Vec<String> {
    let is_share = |line: &&Value| line["measured_share"].as_f64().is_none_or(|share| (0.0..=1.0).contains(&share));
    let bad = shown.threads.iter().chain(&shown.streams).filter(|line| !is_share(line));
    bad.map(|line| format!("measured_share of {line}")).collect()
}

/// The length of the recording.
fn elapsed(shown: &Shown) -> Option<i64> {
    let range = shown.items("range").next()?;
    Some(range["whole_end_ns"].as_i64()? - range["whole_start_ns"].as_i64()?)
}

/// No thread and no stream is busy for longer than the recording.
fn busy_is_elapsed(shown: &Shown) -> Vec<String> {
    let Some(elapsed) = elapsed(shown) else { return vec!["no range".to_owned()] };
    let is_longer = |line: &&Value| line["busy_ns"].as_i64().is_some_and(|busy| busy < 0 || busy > elapsed);
    let longer = shown.threads.iter().chain(&shown.streams).filter(is_longer);
    longer.map(|line| format!("busy for longer than {elapsed} ns: {line}")).collect()
}

/// The threads with more CPU time than the recording is long.
pub(crate) fn longer_than_elapsed(shown: &Shown) -> impl Iterator<Item = &Value> {
    let elapsed = elapsed(shown).unwrap_or(0);
    shown.threads.iter().filter(move |line| line["cpu_ns"].as_i64().is_some_and(|cpu| cpu > elapsed))
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
    }
    let visible: Vec<bool> = shown.rows().iter().map(|row| row["visible"] == true).collect();
    let parts = visible.chunk_by(|first, second| first == second).filter(|part| part[0]).count();
    if parts > 1 {
        faults.push("rows between visible ones are not visible".to_owned());
    }
    faults
}

/// Measures of time.
const TIMES: [&str; 4] = ["cpu", "busy", "gpu", "core"];

/// True for a row whose value is a time of threads.
fn has_time(row: &Value) -> bool {
    row["measure"].as_str().is_some_and(|measure| TIMES.contains(&measure))
}

/// The text of a value is that of its nanoseconds. A value of nothing is empty, one of several threads names their number, and
/// one that is partly unknown is a lower limit.
fn values(shown: &Shown) -> Vec<String> {
    let is_same = |row: &&Value| {
        let Some((text, ns)) = row["value"].as_str().zip(row["value_ns"].as_i64()) else { return false };
        let is_partly_known = row["measured_share"].as_f64().is_some_and(|share| share < 0.999);
        let threads = row["threads"].as_u64().unwrap_or(0);
        let limit = if is_partly_known { "\u{2265}\u{202f}" } else { "" };
        let among = match row["measure"].as_str() {
            _ if threads < 2 => String::new(),
            // The union of streams is no sum, and the name of a group contains the number of its threads.
            Some("gpu") => String::new(),
            _ if row["kind"] == "group" => String::new(),
            Some("core") => format!(" on {threads} cores"),
            _ => format!(" on {threads} threads"),
        };
        text == format!("{limit}{}{among}", format_duration_ns(ns)) || (text.is_empty() && ns == 0)
    };
    let rows = shown.rows().into_iter().filter(|row| has_time(row) && !is_same(row));
    rows.map(|row| format!("value of {row}")).collect()
}

/// True for a thread and false for another track. A thread that only the scheduler mentions has only states.
fn is_thread(line: &Value) -> bool {
    let tid = line["tid"].as_str().unwrap_or_default();
    let is_state = tid.ends_with(" state") && line["parent"].is_u64();
    !(tid.is_empty() || is_state || tid.starts_with("track ") || is_core(line))
}

fn is_core(line: &Value) -> bool {
    line["pid"] == "cpus" && line["name"].as_str().is_some_and(|name| name.starts_with("CPU "))
}

/// The rows of threads have the figures of `dump threads`, and those of processes their sums.
fn sums(shown: &Shown) -> Vec<String> {
    let mut faults = Vec::new();
    for row in shown.rows().into_iter().filter(|row| has_time(row)) {
        let threads: Vec<&Value> = match row["kind"].as_str() {
            Some("thread" | "track") => shown.threads.iter().filter(|line| line["thread"] == row["thread"]).collect(),
            Some("process") => {
                let counts = if row["measure"] == "core" { is_core } else { is_thread };
                shown.threads.iter().filter(|line| line["pid"] == row["pid"] && counts(line)).collect()
            }
            _ => continue,
        };
        let streams = |line: &&Value| shown.streams.iter().any(|stream| stream["thread"] == line["thread"]);
        if threads.iter().any(streams) && threads.len() > 1 {
            continue;
        }
        let (measure, expected) = sum(&threads);
        if row["value_ns"] != expected {
            faults.push(format!("its threads have {expected} ns: {row}"));
        }
        let is_measure = row["measure"] == measure || (measure == "busy" && row["measure"] != "cpu");
        if !is_measure && expected > 0 {
            faults.push(format!("its threads have {measure}: {row}"));
        }
        let working = threads.iter().filter(|line| line[format!("{measure}_ns")].as_i64().unwrap_or(0) > 0).count();
        if row["threads"] != working {
            faults.push(format!("{working} threads have {measure}: {row}"));
        }
    }
    faults
}

/// The sum of the figures of threads: CPU time if all that did anything have one, else busy time.
fn sum(threads: &[&Value]) -> (&'static str, i64) {
    let ns = |line: &Value, key: &str| line[key].as_i64().unwrap_or(0);
    let has_clock = threads.iter().all(|line| line["cpu_ns"].is_i64() || ns(line, "busy_ns") == 0);
    let measure = if has_clock { "cpu" } else { "busy" };
    (measure, threads.iter().map(|line| ns(line, &format!("{measure}_ns"))).sum())
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
fn flags(shown: &Shown, milestones: &[Value], interactions: &[Value]) -> Vec<String> {
    let mut faults = Vec::new();
    let Some([start, end]) = shown.range() else { return faults };
    let named: BTreeSet<(&str, i64)> = milestones
        .iter()
        .filter_map(|line| {
            Some((line["name"].as_str().or_else(|| line["milestone"].as_str())?, line["t_ns"].as_i64()?))
        })
        .collect();
    let flags: Vec<&Value> = shown.items("flag").collect();
    for flag in &flags {
        let is_known = match flag["name"].as_str().zip(flag["at_ns"].as_i64()) {
            Some(("INP", at)) => interactions.iter().any(|line| line["start_ns"] == at || line["end_ns"] == at),
            Some(place) => named.contains(&place) || place.0.starts_with("ProfilerStep"),
            None => false,
        };
        if !is_known {
            faults.push(format!("no command has {flag}"));
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
