//! CPU profiles of V8, in traces and in separate files, and samples in the trace format's own forms, compared by
//! meaning in a short notation.

mod calls;
mod damage;
mod files;
mod joining;
mod keys;
mod plain;
mod positions;
mod real;

use flowline::import::{self, Progress};
use flowline::profile::samples::NONE;
use flowline::profile::{Profile, StackId, Thread, ThreadSamples};

/// The default nodes: root 1, program 2, idle 3, garbage collector 4, a 5, b 6 in a, c 7.
const NODES: &str = r#"{"id":1,"callFrame":{"functionName":"(root)","scriptId":0}},
    {"id":2,"callFrame":{"functionName":"(program)","scriptId":0},"parent":1},
    {"id":3,"callFrame":{"functionName":"(idle)","scriptId":0},"parent":1},
    {"id":4,"callFrame":{"functionName":"(garbage collector)","scriptId":0},"parent":1},
    {"id":5,"callFrame":{"functionName":"a","url":"x.js","scriptId":5,"lineNumber":0,"columnNumber":10},"parent":1},
    {"id":6,"callFrame":{"functionName":"b","url":"x.js","scriptId":5,"lineNumber":5,"columnNumber":4},"parent":5},
    {"id":7,"callFrame":{"functionName":"c","url":"x.js","scriptId":5,"lineNumber":9,"columnNumber":4},"parent":1}"#;

fn read(text: impl Into<Vec<u8>>) -> Profile {
    import::read(text.into(), &Progress::default()).expect("readable").profile
}

/// A trace of events.
fn trace(events: &[String]) -> Profile {
    read(format!("[{}]", events.join(",\n")))
}

/// The start of a profile on thread 11 of process 10.
fn head(ts: i64) -> String {
    format!(r#"{{"name":"Profile","ph":"P","pid":10,"tid":11,"ts":{ts},"id":"0x1","args":{{"data":{{}}}}}}"#)
}

/// A chunk of that profile with nodes, samples and time differences.
fn chunk(nodes: &str, samples: &str, deltas: &str) -> String {
    chunk_with(&format!(r#""nodes":[{nodes}],"samples":[{samples}]"#), deltas)
}

/// A chunk of that profile with arbitrary members of its `cpuProfile`.
fn chunk_with(members: &str, deltas: &str) -> String {
    format!(
        r#"{{"name":"ProfileChunk","ph":"P","pid":10,"tid":99,"ts":5000,"id":"0x1","args":{{"data":{{
            "cpuProfile":{{{members}}},"timeDeltas":[{deltas}]}}}}}}"#
    )
}

/// A slice on the thread.
fn slice(name: &str, ts: i64, dur: i64) -> String {
    slice_with(name, ts, dur, "{}")
}

fn slice_with(name: &str, ts: i64, dur: i64, args: &str) -> String {
    format!(r#"{{"name":"{name}","ph":"X","pid":10,"tid":11,"ts":{ts},"dur":{dur},"args":{args}}}"#)
}

/// The only thread with samples.
fn sampled(profile: &Profile) -> &Thread {
    let mut threads = profile.threads.iter().filter(|thread| thread.samples.is_some());
    let thread = threads.next().expect("one thread has samples");
    assert!(threads.next().is_none(), "only one");
    assert!(profile.is_consistent());
    thread
}

fn samples(thread: &Thread) -> &ThreadSamples {
    thread.samples.as_ref().expect("the thread has samples")
}

/// Function names of a stack, innermost first.
fn names(profile: &Profile, stack: StackId) -> String {
    let stacks = &profile.stacks;
    let names: Vec<&str> = stacks.walk(stack).map(|stack| stacks.name(stacks.func(stack))).collect();
    names.join("<")
}

/// Samples of a thread: microseconds and stack names.
fn sample_texts(profile: &Profile, thread: &Thread) -> Vec<String> {
    let table = &samples(thread).cpu;
    let told = |at: usize| {
        let stack = table.stack(at).map_or_else(|| "?".to_owned(), |stack| names(profile, stack));
        format!("{} {stack}", table.time[at].0 / 1000)
    };
    (0..table.len()).map(told).collect()
}

/// Calls of a thread: start and duration in microseconds, stack names, depth, sample.
fn call_texts(profile: &Profile, thread: &Thread) -> Vec<String> {
    let calls = samples(thread).calls.as_ref().expect("the thread has calls");
    let told = |at: usize| {
        let (start, end) = (calls.start[at].0, calls.end[at].0);
        let sample = if calls.sample[at] == NONE { "-".to_owned() } else { calls.sample[at].to_string() };
        let stack = names(profile, calls.stack[at]);
        format!("{}+{} {stack} d{} s{sample}", start / 1000, (end - start) / 1000, calls.depth[at])
    };
    (0..calls.len()).map(told).collect()
}

/// Calls of a trace with one thread.
fn calls_of(events: &[String]) -> Vec<String> {
    let profile = trace(events);
    call_texts(&profile, sampled(&profile))
}
