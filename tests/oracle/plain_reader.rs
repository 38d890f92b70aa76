//! Every recording: the figures of threads, processes, streams and requests are those of the plain reader.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::Program;
use crate::properties;
use crate::reader::{Figures, Form, Plain, PlainThread, read, union};
use crate::recordings::{beside, contents, fixtures};
use crate::shown::{Shown, lines};

/// Counts of comparisons, so that a test cannot pass without any.
#[derive(Debug, Default)]
struct Counts {
    recordings: usize,
    compared: usize,
    threads: usize,
}

/// The thread that the program shows for one of the plain reader.
fn line_of<'a>(threads: &'a [Value], plain: &PlainThread, form: Form) -> Option<&'a Value> {
    if form == Form::CpuProfile {
        return threads.first();
    }
    let mut same = threads.iter().filter(|line| line["pid"] == plain.pid.as_str() && line["tid"] == plain.tid.as_str());
    match &plain.name {
        Some(name) if form == Form::Firefox => same.find(|line| line["name"] == name.as_str()),
        _ => same.next(),
    }
}

/// The differences between a line and the plain reader's figures.
fn differences(line: &Value, plain: &PlainThread, expected: Figures) -> Vec<String> {
    let what = format!("{}/{} {}", plain.pid, plain.tid, plain.name.as_deref().unwrap_or_default());
    let mut faults = Vec::new();
    let is_empty = plain.samples.len() < 2 && plain.slices.is_empty();
    let mut compare = |key: &str, expected: Option<i64>| {
        let shown = line[key].as_i64();
        // What has no samples and no slices has no time, known or not.
        if shown != expected && !(is_empty && shown.unwrap_or(0) == expected.unwrap_or(0)) {
            faults.push(format!("{what}: {key} is {shown:?}, the plain reader has {expected:?}"));
        }
    };
    // CPU times of slices that overlap partly cannot be added.
    if !plain.overlaps() {
        compare("cpu_ns", expected.cpu_ns);
    }
    compare("busy_ns", expected.busy_ns);
    if let Some((shown, expected)) = line["measured_share"].as_f64().zip(expected.measured_share)
        && (shown - expected).abs() > 1e-6
    {
        faults.push(format!("{what}: measured_share is {shown}, the plain reader has {expected}"));
    }
    faults
}

/// Compares every thread and stream.
fn compare_threads(plain: &Plain, shown: &Shown, counts: &mut Counts) -> Vec<String> {
    let mut faults = Vec::new();
    for thread in &plain.threads {
        let has_unknown_samples = plain.has_other_samples && thread.slices.is_empty();
        if has_unknown_samples {
            continue;
        }
        let lines = if thread.is_stream() { &shown.streams } else { &shown.threads };
        let Some(line) = line_of(lines, thread, plain.form) else {
            if !thread.slices.is_empty() || !thread.samples.is_empty() {
                faults.push(format!("{}/{} {:?} is missing", thread.pid, thread.tid, thread.name));
            }
            continue;
        };
        counts.threads += 1;
        faults.extend(differences(line, thread, thread.figures(None)));
    }
    let streams = plain.threads.iter().filter(|thread| thread.is_stream()).count();
    if streams != shown.streams.len() {
        faults.push(format!("{} streams, the plain reader has {streams}", shown.streams.len()));
    }
    faults
}

/// Compares the rows of threads with the figures within the visible range.
fn compare_rows(plain: &Plain, shown: &Shown) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(range) = shown.range() else { return faults };
    let by_number: BTreeMap<u64, &Value> =
        shown.threads.iter().filter_map(|line| Some((line["thread"].as_u64()?, line))).collect();
    for row in shown.rows().into_iter().filter(|row| row["kind"] == "thread") {
        let Some(line) = row["thread"].as_u64().and_then(|thread| by_number.get(&thread)) else { continue };
        let is_it = |thread: &&PlainThread| {
            line["pid"] == thread.pid.as_str() && line["tid"] == thread.tid.as_str() && !thread.overlaps()
        };
        let is_named =
            |thread: &&PlainThread| plain.form != Form::Firefox || thread.name.as_deref() == line["name"].as_str();
        let Some(thread) = plain.threads.iter().find(|thread| is_it(thread) && is_named(thread)) else { continue };
        let figures = thread.figures(Some(range));
        let expected = match row["measure"].as_str() {
            Some("cpu") => figures.cpu_ns,
            Some("busy") => figures.busy_ns,
            _ => continue,
        };
        // A slice that the range cuts counts in proportion, which is rounded.
        let tolerance = if thread.is_cut_by(range) { 2 } else { 0 };
        let shown = row["value_ns"].as_i64();
        let is_near = |shown: i64| expected.is_some_and(|expected| (shown - expected).abs() <= tolerance);
        if !shown.is_some_and(is_near) {
            faults.push(format!("row {row}: the plain reader has {expected:?} in {range:?}"));
        }
    }
    faults
}

/// The measure and figure of a process within a range: the sum of its threads, or the union of its streams.
fn figure_of_process(threads: &[&PlainThread], range: [i64; 2]) -> (&'static str, i64) {
    if threads.iter().any(|thread| thread.is_stream()) {
        return ("busy", union(threads.iter().flat_map(|thread| thread.gpu_work(range))));
    }
    let figures: Vec<Figures> = threads.iter().map(|thread| thread.figures(Some(range))).collect();
    let (cpu, busy) = figures
        .iter()
        .fold((0, 0), |(cpu, busy), figures| (cpu + figures.cpu_ns.unwrap_or(0), busy + figures.busy_ns.unwrap_or(0)));
    let has_clock = figures.iter().all(|figures| figures.cpu_ns.is_some() || figures.busy_ns.unwrap_or(0) == 0);
    if has_clock { ("cpu", cpu) } else { ("busy", busy) }
}

/// Compares the rows of processes with the figures within the visible range.
fn compare_processes(plain: &Plain, shown: &Shown) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(range) = shown.range() else { return faults };
    let pid_of = |number: &u64| shown.threads.iter().find(|line| line["thread"] == *number)?["pid"].as_str();
    for (row, numbers) in properties::processes(&shown.rows()) {
        let pids: BTreeSet<&str> = numbers.iter().filter_map(pid_of).collect();
        let Some(pid) = pids.first().filter(|_| pids.len() == 1 && plain.form != Form::CpuProfile) else { continue };
        let threads: Vec<&PlainThread> = plain.threads.iter().filter(|thread| thread.pid == *pid).collect();
        let is_unknown =
            |thread: &&PlainThread| thread.overlaps() || plain.has_other_samples && thread.slices.is_empty();
        if threads.iter().any(is_unknown) || threads.is_empty() {
            continue;
        }
        let (measure, expected) = figure_of_process(&threads, range);
        let cut = threads.iter().filter(|thread| thread.is_cut_by(range)).count();
        let tolerance = if measure == "cpu" { 2 * i64::try_from(cut).expect("few") } else { 0 };
        let is_near = row["value_ns"].as_i64().is_some_and(|shown| (shown - expected).abs() <= tolerance);
        if expected > 0 && !(row["measure"] == measure && is_near) {
            faults.push(format!("{row}: the plain reader has {expected} ns of {measure} in {range:?}"));
        }
    }
    faults
}

/// Compares the number of requests.
fn compare_requests(plain: &Plain, program: &Program, path: &Path) -> Vec<String> {
    let Some(expected) = plain.requests else { return Vec::new() };
    let shown = lines(program, path, &["network"]).expect("requests").len();
    if shown == expected { Vec::new() } else { vec![format!("{shown} requests, the plain reader has {expected}")] }
}

/// The faults of all files, one a line.
#[expect(clippy::print_stdout, reason = "reports the number of comparisons")]
fn check(name: &str, paths: &[PathBuf]) -> (Counts, String) {
    let program = Program::new(&format!("oracle-{name}"));
    let (mut counts, mut faults) = (Counts::default(), Vec::new());
    for path in paths {
        let Some(shown) = Shown::of(&program, path) else { continue };
        counts.recordings += 1;
        let mut found = properties::faults(&program, path, &shown);
        if let Some(plain) = read(&contents(path)) {
            counts.compared += 1;
            found.extend(compare_threads(&plain, &shown, &mut counts));
            found.extend(compare_rows(&plain, &shown));
            found.extend(compare_processes(&plain, &shown));
            found.extend(compare_requests(&plain, &program, path));
        }
        faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", path.display())));
    }
    println!("{name}: {counts:?} of {} files", paths.len());
    (counts, faults.join("\n"))
}

#[test]
fn every_fixture_shows_the_figures_of_the_plain_reader() {
    let (counts, faults) = check("fixtures", &fixtures());
    assert!(faults.is_empty(), "{faults}");
    assert!(counts.compared == counts.recordings && counts.recordings >= 10 && counts.threads >= 60, "{counts:?}");
}

/// Fails if a recording beside the project differs.
#[track_caller]
fn check_beside(folder: &str) {
    let (counts, faults) = check(&folder.replace('/', "-"), &beside(folder));
    assert!(faults.is_empty(), "{counts:?}\n{faults}");
}

#[test]
fn every_firefox_profile_beside_the_project_shows_them() {
    check_beside("profiles");
}

#[test]
fn every_trace_beside_the_project_shows_them() {
    check_beside("traces");
}

#[test]
fn every_small_input_beside_the_project_shows_them() {
    check_beside("cases");
}
