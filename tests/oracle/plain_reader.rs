//! Every recording: the figures of threads, processes, streams and requests are those of the plain reader.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::Program;
use crate::properties;
use crate::reader::{EVERYTHING, Figures, Form, Plain, PlainThread, read, union};
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
    // In traces, the share decides only whether the time is CPU time.
    if let Some((shown, expected)) = line["measured_share"].as_f64().zip(expected.measured_share)
        && plain.has_clock
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
        faults.extend(differences(line, thread, thread.figures()));
    }
    let streams = plain.threads.iter().filter(|thread| thread.is_stream()).count();
    if streams != shown.streams.len() {
        faults.push(format!("{} streams, the plain reader has {streams}", shown.streams.len()));
    }
    faults
}

/// No thread has more CPU time than the recording is long, unless the file states it.
fn compare_elapsed(plain: Option<&Plain>, shown: &Shown, samples: &[Value]) -> Vec<String> {
    let is_stated = |line: &Value| {
        let mut threads = plain.iter().flat_map(|plain| &plain.threads);
        let is_same = |thread: &PlainThread| {
            line["tid"] == thread.tid.as_str() && line["cpu_ns"].as_i64() == thread.figures().cpu_ns
        };
        // Samples of a clock state their time as weights.
        let is_weight = |sampled: &Value| {
            sampled["thread"] == line["thread"] && sampled["weight_unit"] == "ns" && sampled["weight"] == line["cpu_ns"]
        };
        threads.any(is_same) || samples.iter().any(is_weight)
    };
    let longer = properties::longer_than_elapsed(shown).filter(|line| !is_stated(line));
    longer.map(|line| format!("more CPU time than the recording is long: {line}")).collect()
}

/// The measure and figure of a process: the sum of its threads, or the union of its streams.
fn figure_of_process(threads: &[&PlainThread]) -> (&'static str, i64) {
    if threads.iter().any(|thread| thread.is_stream()) {
        return ("gpu", union(threads.iter().flat_map(|thread| thread.gpu_work(EVERYTHING))));
    }
    let figures: Vec<Figures> = threads.iter().map(|thread| thread.figures()).collect();
    let has_clock = figures.iter().all(|figures| figures.cpu_ns.is_some() || figures.busy_ns.unwrap_or(0) == 0);
    let figure = |figures: &Figures| if has_clock { figures.cpu_ns } else { figures.busy_ns };
    (if has_clock { "cpu" } else { "busy" }, figures.iter().filter_map(figure).sum())
}

/// Compares the rows of processes.
fn compare_processes(plain: &Plain, shown: &Shown) -> Vec<String> {
    let mut faults = Vec::new();
    let rows = shown.rows();
    for row in rows.iter().filter(|row| row["kind"] == "process" && plain.form != Form::CpuProfile) {
        let is_its = |thread: &&PlainThread| row["pid"] == thread.pid.as_str();
        let threads: Vec<&PlainThread> = plain.threads.iter().filter(is_its).collect();
        let is_unknown =
            |thread: &&PlainThread| thread.overlaps() || plain.has_other_samples && thread.slices.is_empty();
        if threads.iter().any(is_unknown) || threads.is_empty() {
            continue;
        }
        let (measure, expected) = figure_of_process(&threads);
        let is_same = row["measure"] == measure && row["value_ns"] == expected;
        if expected > 0 && !is_same {
            faults.push(format!("the plain reader has {expected} ns of {measure}: {row}"));
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
        let plain = read(&contents(path));
        let mut found = properties::faults(&program, path, &shown);
        let samples = lines(&program, path, &["samples"]).expect("samples");
        found.extend(compare_elapsed(plain.as_ref(), &shown, &samples));
        if let Some(plain) = plain {
            counts.compared += 1;
            found.extend(compare_threads(&plain, &shown, &mut counts));
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
    assert!(counts.compared == counts.recordings && counts.recordings >= 10 && counts.threads >= 130, "{counts:?}");
}

/// Fails if a recording beside the project differs. `part` of `parts` lets tests share a folder.
#[track_caller]
fn check_beside(folder: &str, part: usize, parts: usize) {
    let paths: Vec<PathBuf> = beside(folder).into_iter().skip(part).step_by(parts).collect();
    let (counts, faults) = check(&format!("{folder}-{part}"), &paths);
    assert!(faults.is_empty(), "{counts:?}\n{faults}");
}

#[test]
fn every_firefox_profile_beside_the_project_shows_them() {
    check_beside("profiles", 0, 1);
}

#[test]
fn every_trace_beside_the_project_shows_them() {
    check_beside("traces", 0, 1);
}

#[test]
fn every_other_small_input_beside_the_project_shows_them() {
    check_beside("cases", 0, 2);
}

#[test]
fn the_other_small_inputs_beside_the_project_show_them_too() {
    check_beside("cases", 1, 2);
}
