//! Trace events: names, arguments, nests, overlaps, flows, counters, threads.

use std::fmt::Display;

use crate::{Shape, shapes};

pub(crate) const SHAPES: [Shape; 24] = shapes![
    names 40_000
    argument_keys 40_000
    equal_arguments 40_000
    overlaps 40_000
    operations_of_one_id 40_000
    operations_at_once 40_000
    crossing_flows 20_000
    flow_through_all 20_000
    flows_from_one 20_000
    nest 20_000
    nest_of_complete_events 20_000
    nest_with_flows 10_000
    nest_beside_waits 10_000
    counters 5_000
    series_of_a_counter 5_000
    threads 10_000
    processes 10_000
    at_one_time 10_000
    objects 20_000
    bound_links 20_000
    without_times 20_000
    ends_before_begins 20_000
    long_names 4_000
    stacks_of_events 10_000
];

/// A trace of events without braces.
pub(crate) fn trace(events: impl Iterator<Item = String>) -> Vec<u8> {
    let lines: Vec<String> = events.map(|event| format!("{{{event}}}")).collect();
    format!("[\n{}\n]", lines.join(",\n")).into_bytes()
}

/// A complete event of process 1.
pub(crate) fn slice(name: impl Display, thread: usize, start: usize, length: usize) -> String {
    format!(r#""ph":"X","name":"{name}","cat":"c","pid":1,"tid":{thread},"ts":{start},"dur":{length}"#)
}

/// An event of another phase, with further members.
pub(crate) fn event(phase: &str, name: impl Display, thread: usize, time: usize, more: impl Display) -> String {
    format!(r#""ph":"{phase}","name":"{name}","cat":"c","pid":1,"tid":{thread},"ts":{time}{more}"#)
}

fn names(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| slice(format_args!("n{at}"), 1, at * 10, 5)))
}

fn argument_keys(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| slice("n", 1, at * 10, 5) + &format!(r#","args":{{"k{at}":{at}}}"#)))
}

fn equal_arguments(n: usize) -> Vec<u8> {
    trace(
        (0..n).map(|at| {
            slice("n", 1, at * 10, 5) + &format!(r#","args":{{"a":{at},"data":{{"url":"https://a/{at}"}}}}"#)
        }),
    )
}

fn overlaps(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| slice(at % 9, 1, at, 2 * n)))
}

fn operations(n: usize, id: impl Fn(usize) -> usize) -> Vec<u8> {
    let id = |at: usize| format!(r#","id":"{}""#, id(at));
    let begins = (0..n).map(|at| event("b", "o", 1, at, id(at)));
    trace(begins.chain((0..n).map(|at| event("e", "o", 1, n + at, id(at)))))
}

fn operations_of_one_id(n: usize) -> Vec<u8> {
    operations(n, |_| 1)
}

fn operations_at_once(n: usize) -> Vec<u8> {
    operations(n, |at| at)
}

fn flow(phase: &str, id: usize, thread: usize, time: usize) -> String {
    event(phase, "f", thread, time, format_args!(r#","id":{id},"bp":"e""#))
}

fn crossing_flows(n: usize) -> Vec<u8> {
    let later = 10 * n;
    trace((0..n).flat_map(|at| {
        let ends = (n - 1 - at) * 10 + later;
        [
            slice("a", 1, at * 10, 5),
            slice("b", 2, at * 10 + later, 5),
            flow("s", at, 1, at * 10 + 1),
            flow("f", at, 2, ends + 1),
        ]
    }))
}

fn flow_through_all(n: usize) -> Vec<u8> {
    trace((0..n).flat_map(|at| {
        let phase = if at == 0 { "s" } else { "t" };
        [slice("a", at % 2, at * 10, 5), flow(phase, 1, at % 2, at * 10 + 1)]
    }))
}

fn flows_from_one(n: usize) -> Vec<u8> {
    let first = std::iter::once(slice("a", 0, 0, 100 * n));
    trace(first.chain((0..n).flat_map(|at| {
        let thread = 1 + at % 3;
        [slice("b", thread, at * 10 + 20, 5), flow("s", at, 0, 1), flow("f", at, thread, at * 10 + 21)]
    })))
}

fn nest(n: usize) -> Vec<u8> {
    let begins = (0..n).map(|at| event("B", at % 7, 1, at, ""));
    trace(begins.chain((0..n).map(|at| event("E", "", 1, n + at, ""))))
}

fn nest_of_complete_events(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| slice(at % 7, 1, at, 2 * (n - at))))
}

/// Each level of a nest posts work to another thread, which posts the next level.
fn nest_with_flows(n: usize) -> Vec<u8> {
    trace((0..n).flat_map(|at| {
        [
            slice(at % 7, 1, at * 10, 20 * (n - at)),
            slice("w", 2, at * 10 + 3, 4),
            flow("s", 2 * at, 1, at * 10 + 1),
            flow("f", 2 * at, 2, at * 10 + 3),
            flow("s", 2 * at + 1, 2, at * 10 + 5),
            flow("f", 2 * at + 1, 1, at * 10 + 10),
        ]
    }))
}

/// A chain of posts whose every wait is for a thread that also has a deep nest.
fn nest_beside_waits(n: usize) -> Vec<u8> {
    let nest = (0..n).map(|at| slice(at % 7, 1, at, 2 * (n - at)));
    let first = 3 * n;
    trace(nest.chain((0..n).flat_map(move |at| {
        let start = first + at * 10;
        let begins = if at == 0 { None } else { Some(flow("f", at - 1, 1 + at % 2, start)) };
        [slice("w", 1 + at % 2, start, 4), flow("s", at, 1 + at % 2, start + 1)].into_iter().chain(begins)
    })))
}

fn counters(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| event("C", format_args!("c{at}"), 1, at * 10, format_args!(r#","args":{{"v":{at}}}"#))))
}

fn series_of_a_counter(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| event("C", "c", 1, at * 10, format_args!(r#","args":{{"v{at}":{at}}}"#))))
}

fn threads(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| slice("n", at, at * 10, 5)))
}

fn processes(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| slice("n", 1, at * 10, 5).replace(r#""pid":1"#, &format!(r#""pid":{at}"#))))
}

fn at_one_time(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| slice(format_args!("n{at}"), 1, 5, 0)))
}

fn objects(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| {
        let phase = if at == 0 { "N" } else { "O" };
        event(phase, "o", 1, at, format_args!(r#","id":"0x{:x}","args":{{"snapshot":{{"a":{at}}}}}"#, at % 5))
    }))
}

fn bound_links(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| {
        slice("a", at % 3, at * 10, 8) + &format!(r#","bind_id":"0x1","flow_out":true,"flow_in":{}"#, at > 0)
    }))
}

fn without_times(n: usize) -> Vec<u8> {
    let damaged = (0..n).map(|at| slice("n", 1, at, 5).replace(r#""ts":"#, r#""ts":"x","t":"#));
    trace(damaged.chain([slice("a", 1, 1, 1)]))
}

fn ends_before_begins(n: usize) -> Vec<u8> {
    let ends = (0..n).map(|at| event("E", "", at % 100, at, ""));
    trace(ends.chain((0..n).map(|at| event("B", "n", at % 100, n + at, ""))))
}

fn long_names(n: usize) -> Vec<u8> {
    trace((0..n).map(|at| slice(format_args!("{at}{}", "std::vector<".repeat(40)), 1, at * 10, 5)))
}

/// Events with stacks of calls, deeper from event to event.
fn stacks_of_events(n: usize) -> Vec<u8> {
    let frame = |at: usize| {
        let parent = at.checked_sub(1).map(|parent| format!(r#","parent":"{parent}""#)).unwrap_or_default();
        format!(r#""{at}":{{"name":"f{at}","category":"c"{parent}}}"#)
    };
    let frames: Vec<String> = (0..n / 10).map(frame).collect();
    let events: Vec<String> =
        (0..n).map(|at| format!(r#"{{{},"sf":"{}"}}"#, slice("n", 1, at * 10, 5), at / 10)).collect();
    format!(r#"{{"stackFrames":{{{}}},"traceEvents":[{}]}}"#, frames.join(","), events.join(",\n")).into_bytes()
}
