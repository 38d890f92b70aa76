//! Traces of pages by Chrome DevTools: requests, frames, interactions, navigations, timers, samples.

use std::fmt::Display;

use crate::events::trace;
use crate::{Shape, shapes};

pub(crate) const SHAPES: [Shape; 14] = shapes![
    screenshots 2_000
    requests 4_000
    events_of_one_request 4_000
    layout_shifts 4_000
    interactions 4_000
    frames 4_000
    navigations 3_000
    long_tasks 8_000
    timers 8_000
    style_recalculations 8_000
    chunks_of_samples 20_000
    samples_of_one_chain 10_000
    custom_tracks 20_000
    notes 4_000
];

/// The threads of a page and its first navigation.
fn page() -> impl Iterator<Item = String> {
    [
        r#""ph":"M","name":"process_name","pid":1,"tid":1,"args":{"name":"Renderer"}"#,
        r#""ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"CrRendererMain"}"#,
        r#""ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"Compositor"}"#,
        r#""ph":"I","name":"TracingStartedInBrowser","cat":"disabled-by-default-devtools.timeline","pid":1,"tid":1,"ts":1,"s":"t","args":{"data":{"frameTreeNodeId":1,"persistentIds":true,"frames":[{"frame":"F","url":"https://a/","name":"","processId":1}]}}"#,
        r#""ph":"R","name":"navigationStart","cat":"blink.user_timing","pid":1,"tid":1,"ts":2,"args":{"frame":"F","data":{"documentLoaderURL":"https://a/","isLoadingMainFrame":true,"isOutermostMainFrame":true,"navigationId":"N"}}"#,
    ]
    .map(str::to_owned)
    .into_iter()
}

fn of_page(events: impl Iterator<Item = String>) -> Vec<u8> {
    trace(page().chain(events))
}

/// An event of the timeline with the contents of its arguments.
fn event(phase: &str, name: &str, time: usize, more: impl Display, arguments: impl Display) -> String {
    let category = "devtools.timeline,devtools.timeline.frame,blink.user_timing,loading";
    format!(
        r#""ph":"{phase}","name":"{name}","cat":"{category}","pid":1,"tid":1,"ts":{time},"s":"t"{more},"args":{{{arguments}}}"#
    )
}

fn task(name: &str, time: usize, length: usize, arguments: impl Display) -> String {
    event("X", name, time, format_args!(r#","dur":{length}"#), arguments)
}

fn screenshots(n: usize) -> Vec<u8> {
    const IMAGE: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQ";
    of_page((0..n).flat_map(|at| {
        let image = format!(r#""snapshot":"{IMAGE}""#);
        let shot = event("O", "Screenshot", 10 + at * 100, r#","id":"0x1""#, image);
        [
            shot.replace("devtools.timeline,", "disabled-by-default-devtools.screenshot,"),
            task("RunTask", 10 + at * 100, 50, ""),
        ]
    }))
}

fn request(name: &str, id: usize, time: usize, more: impl Display) -> String {
    event("I", name, time, "", format_args!(r#""data":{{"requestId":"r{id}"{more}}}"#))
}

fn sent(at: usize, time: usize) -> String {
    let from = at.saturating_sub(1);
    request(
        "ResourceSendRequest",
        at,
        time,
        format_args!(
            r#","url":"https://a/{at}.js","frame":"F","requestMethod":"GET","priority":"High","resourceType":"Script","renderBlocking":"blocking","initiator":{{"type":"script","url":"https://a/{from}.js"}}"#
        ),
    )
}

const RESPONSE: &str = r#","statusCode":200,"mimeType":"text/javascript","encodedDataLength":5,"frame":"F","headers":[{"name":"a","value":"b"}]"#;

fn requests(n: usize) -> Vec<u8> {
    of_page((0..n).flat_map(|at| {
        [
            sent(at, 10 + at),
            request("ResourceReceiveResponse", at, 10 + at + n, RESPONSE),
            request(
                "ResourceFinish",
                at,
                10 + at + 2 * n,
                r#","didFail":false,"encodedDataLength":5,"decodedBodyLength":9"#,
            ),
        ]
    }))
}

fn events_of_one_request(n: usize) -> Vec<u8> {
    let data = (0..n).map(|at| request("ResourceReceivedData", 0, 30 + at * 10, r#","encodedDataLength":5"#));
    of_page([sent(0, 10), request("ResourceReceiveResponse", 0, 20, RESPONSE)].into_iter().chain(data))
}

fn layout_shifts(n: usize) -> Vec<u8> {
    of_page((0..n).flat_map(|at| {
        let time = 10 + at * 1000;
        let shift = format!(
            r#""frame":"F","data":{{"score":0.1,"weighted_score_delta":0.1,"had_recent_input":false,"cumulative_score":1.5,"is_main_frame":true,"impacted_nodes":[{{"node_id":{at},"new_rect":[0,0,1,1],"old_rect":[0,0,2,2]}}]}}"#
        );
        [event("I", "LayoutShift", time, "", shift), task("Layout", time - 5, 4, r#""beginData":{"frame":"F"}"#)]
    }))
}

fn interactions(n: usize) -> Vec<u8> {
    let id = |at: usize| format!(r#","id2":{{"local":"0x{at:x}"}}"#);
    let begin = move |at: usize| {
        let data = format!(
            r#""data":{{"interactionId":{},"type":"click","duration":50,"timeStamp":1,"processingStart":2,"processingEnd":3,"frame":"F","nodeId":1}}"#,
            at + 1
        );
        event("b", "EventTiming", 10 + at, id(at), data)
    };
    of_page((0..n).map(begin).chain((0..n).map(move |at| event("e", "EventTiming", 10 + at + n, id(at), ""))))
}

fn frames(n: usize) -> Vec<u8> {
    of_page((0..n).flat_map(|at| {
        let id = format!(r#","id2":{{"local":"0x{at:x}"}}"#);
        let reporter = format!(
            r#""frame_reporter":{{"frame_sequence":{at},"frame_source":1,"layer_tree_host_id":1,"state":"STATE_PRESENTED_ALL"}}"#
        );
        let frame = format!(r#""layerTreeId":1,"frameSeqId":{at}"#);
        let time = 10 + at * 10;
        [
            event("b", "PipelineReporter", time, &id, reporter),
            event("e", "PipelineReporter", time + 10 * n, &id, ""),
            event("I", "BeginFrame", time, "", &frame),
            event("I", "DrawFrame", time + 10 * n, "", &frame),
            event("I", "DroppedFrame", time + 7, "", format_args!(r#"{frame},"hasPartialUpdate":true"#)),
        ]
        .map(|event| event.replace(r#""tid":1"#, r#""tid":2"#))
    }))
}

fn navigations(n: usize) -> Vec<u8> {
    of_page((0..n).flat_map(|at| {
        let start = format!(
            r#""frame":"F","data":{{"documentLoaderURL":"https://a/{at}","isLoadingMainFrame":true,"isOutermostMainFrame":true,"navigationId":"N{at}"}}"#
        );
        let paint = format!(r#""frame":"F","data":{{"navigationId":"N{at}"}}"#);
        [
            event("R", "navigationStart", 10 + at * 100, "", start),
            event("R", "firstContentfulPaint", 50 + at * 100, "", paint),
            task("RunTask", 20 + at * 100, 60, ""),
        ]
    }))
}

fn long_tasks(n: usize) -> Vec<u8> {
    of_page((0..n).flat_map(|at| {
        let time = 10 + at * 100_000;
        let call = format!(
            r#""data":{{"functionName":"f{at}","url":"https://a/{at}.js","scriptId":"{at}","lineNumber":{at}}}"#
        );
        [
            task("RunTask", time, 90_000, ""),
            task("FunctionCall", time + 10, 80_000, call),
            task("Layout", time + 20, 50_000, r#""beginData":{"frame":"F"}"#),
        ]
    }))
}

fn timers(n: usize) -> Vec<u8> {
    let install = r#""data":{"timerId":7,"timeout":1,"singleShot":false,"frame":"F"}"#;
    let fire = r#""data":{"timerId":7,"frame":"F"}"#;
    let fires = (0..n).map(move |at| task("TimerFire", n + 10 + at * 10, 5, fire));
    of_page((0..n).map(move |at| event("I", "TimerInstall", 10 + at, "", install)).chain(fires))
}

fn style_recalculations(n: usize) -> Vec<u8> {
    const REASONS: [&str; 3] = ["ScheduleStyleRecalculation", "InvalidateLayout", "StyleRecalcInvalidationTracking"];
    let reason =
        |at: usize| event("I", REASONS[at % 3], 10 + at, "", format_args!(r#""data":{{"frame":"F","nodeId":{at}}}"#));
    let work = move |at: usize| {
        let name = ["UpdateLayoutTree", "Layout"][at % 2];
        task(name, n + 10 + at * 10, 5, r#""beginData":{"frame":"F"},"elementCount":5"#)
    };
    of_page((0..n).map(reason).chain((0..n).map(work)))
}

/// The chunks of a CPU profile with ten nodes each; `sample` gives the node of each sample.
fn samples(n: usize, sample: impl Fn(usize) -> usize) -> Vec<u8> {
    let chunk = |first: usize| {
        let node = |at: usize| {
            let parent = if at == 0 { String::new() } else { format!(r#","parent":{at}"#) };
            format!(
                r#"{{"id":{},"callFrame":{{"functionName":"f{at}","scriptId":1,"codeType":"JS"}}{parent}}}"#,
                at + 1
            )
        };
        let nodes: Vec<String> = (first..first + 10).map(node).collect();
        let samples: Vec<String> = (first..first + 10).map(|at| sample(at).to_string()).collect();
        let data = format!(
            r#""data":{{"cpuProfile":{{"nodes":[{}],"samples":[{}]}},"timeDeltas":[10,10,10,10,10,10,10,10,10,10]}}"#,
            nodes.join(","),
            samples.join(",")
        );
        event("P", "ProfileChunk", 10 + first * 10, r#","id":"0x1""#, data)
    };
    let profile = event("P", "Profile", 5, r#","id":"0x1""#, r#""data":{"startTime":5}"#);
    of_page(std::iter::once(profile).chain((0..n / 10).map(|at| chunk(at * 10))))
}

fn chunks_of_samples(n: usize) -> Vec<u8> {
    samples(n, |_| 1)
}

fn samples_of_one_chain(n: usize) -> Vec<u8> {
    samples(n, |at| at + 1)
}

fn custom_tracks(n: usize) -> Vec<u8> {
    let id = |at: usize| format!(r#","id2":{{"local":"0x{at:x}"}}"#);
    let begin = move |at: usize| {
        let detail = format!(
            r#""startTime":1,"detail":"{{\"devtools\":{{\"dataType\":\"track-entry\",\"track\":\"T{at}\",\"trackGroup\":\"G\"}}}}""#
        );
        event("b", "m", 10 + at, id(at), detail)
    };
    of_page((0..n).map(begin).chain((0..n).map(move |at| event("e", "m", 10 + at + n, id(at), ""))))
}

/// A trace of DevTools with a note per slice.
fn notes(n: usize) -> Vec<u8> {
    let slices: Vec<String> = page()
        .chain((0..n).map(|at| task("RunTask", 10 + at * 10, 5, "")))
        .map(|event| format!("{{{event}}}"))
        .collect();
    let note = |at: usize| format!(r#"{{"entry":"r-{at}","label":"note {at}"}}"#);
    let notes: Vec<String> = (0..n).map(note).collect();
    let range =
        |at: usize| format!(r#"{{"bounds":{{"min":{},"max":{},"range":5}},"label":"r{at}"}}"#, at * 10, at * 10 + 5);
    let ranges: Vec<String> = (0..n).map(range).collect();
    format!(
        r#"{{"traceEvents":[{}],"metadata":{{"source":"DevTools","modifications":{{"entriesModifications":{{"hiddenEntries":[],"expandableEntries":[]}},"initialBreadcrumb":{{"window":{{"min":0,"max":9,"range":9}},"child":null}},"annotations":{{"entryLabels":[{}],"labelledTimeRanges":[{}],"linksBetweenEntries":[]}}}}}}}}"#,
        slices.join(",\n"),
        notes.join(","),
        ranges.join(",")
    )
    .into_bytes()
}
