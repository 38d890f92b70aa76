//! Conversion of samples and events to calls, rule by rule.

use super::{NODES, calls_of, chunk, chunk_with, head, slice, slice_with};

/// A profile that starts at time 0, with samples every 10 from 10 on.
fn profile(samples: &[u32]) -> [String; 2] {
    let list: Vec<String> = samples.iter().map(u32::to_string).collect();
    [head(0), chunk(NODES, &list.join(","), &vec!["10"; samples.len()].join(","))]
}

fn calls(samples: &[u32], events: &[String]) -> Vec<String> {
    calls_of(&[&profile(samples)[..], events].concat())
}

#[test]
fn a_call_lasts_from_its_first_sample_to_the_next_sample_without_it() {
    let found = calls(&[2, 5, 6, 6, 5, 2, 3], &[slice("RunTask", 0, 100), slice("FunctionCall", 5, 90)]);
    assert_eq!(found, ["20+40 a d0 s1", "30+20 b<a d1 s2"]);
}

#[test]
fn a_call_ends_with_the_event_it_started_in() {
    let found = calls(&[5, 6, 6], &[slice("RunTask", 0, 100), slice("FunctionCall", 5, 60)]);
    assert_eq!(found, ["10+55 a d0 s0", "20+45 b<a d1 s1"]);
}

#[test]
fn garbage_collection_keeps_the_calls_of_the_previous_sample() {
    let found = calls(&[4, 5, 4, 4, 6, 3, 4, 5], &[slice("FunctionCall", 0, 100)]);
    assert_eq!(found, ["20+40 a d0 s1", "50+10 b<a d1 s4", "80+20 a d0 s7"]);
}

#[test]
fn samples_in_events_without_scripts_are_ignored() {
    // During Layout, a stays open and c is ignored.
    let events = [slice("FunctionCall", 5, 90), slice("Layout", 15, 30)];
    assert_eq!(calls(&[5, 7, 7, 7, 5, 3], &events), ["10+50 a d0 s0"]);
    // A function called inside the event ends with it, and a does not.
    let events = [slice("FunctionCall", 5, 90), slice("Layout", 15, 40), slice("v8.callFunction", 18, 30)];
    assert_eq!(calls(&[5, 6, 6, 5, 5, 3], &events), ["10+50 a d0 s0", "20+20 b<a d1 s1"]);
}

#[test]
fn calls_below_the_locked_depth_are_not_compared() {
    // c is recorded in an event that started in a; the callees of a stay below it.
    let events = [slice("FunctionCall", 5, 90), slice("EventDispatch", 15, 40)];
    let found = calls(&[5, 7, 6, 5], &events);
    assert_eq!(found, ["10+85 a d0 s0", "30+10 b<a d1 s2"]);
}

#[test]
fn tasks_end_all_calls() {
    // The first task is cut off at the start of the recording.
    let found = calls(&[5, 5, 5, 5], &[slice("RunTask", 25, 50), slice("FunctionCall", 26, 40)]);
    assert_eq!(found, ["10+15 a d0 s0", "30+36 a d0 s2"]);
    let found = calls(&[5, 5, 5], &[slice("FunctionCall", 5, 40), slice("RunMicrotasks", 15, 10)]);
    assert_eq!(found, ["10+5 a d0 s0", "20+5 a d0 s1", "30+15 a d0 s2"]);
}

#[test]
fn samples_outside_all_events_are_calls() {
    assert_eq!(calls(&[5, 6, 3, 5, 5], &[]), ["10+20 a d0 s0", "20+10 b<a d1 s1", "40+10 a d0 s3"]);
    // Until an event starts.
    let found = calls(&[5, 5, 5, 5, 5], &[slice("Paint", 25, 10)]);
    assert_eq!(found, ["10+15 a d0 s0", "30+5 a d0 s2", "40+10 a d0 s3"]);
}

#[test]
fn simultaneous_slices_come_before_samples_and_instants_after() {
    let found = calls(&[5, 5], &[slice("RunTask", 10, 30), slice("FunctionCall", 10, 30)]);
    assert_eq!(found, ["10+30 a d0 s0"]);
    let found = calls(&[5, 5], &[slice("RunTask", 10, 0)]);
    assert_eq!(found, ["20+0 a d0 s1", "10+0 a d0 s0"].map(str::to_owned).into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn pairs_count_as_slices_and_unfinished_ones_have_no_length() {
    let pair = |name: &str, from: i64, to: i64| {
        let event = |phase: &str, ts: i64| format!(r#"{{"name":"{name}","ph":"{phase}","pid":10,"tid":11,"ts":{ts}}}"#);
        [event("B", from), event("E", to)]
    };
    let found = calls(&[5, 5, 5], &pair("FunctionCall", 5, 25));
    assert_eq!(found, ["10+15 a d0 s0", "30+0 a d0 s2"]);
    let [open, _] = pair("Layout", 15, 0);
    assert_eq!(calls(&[5, 5, 5], &[slice("FunctionCall", 5, 40), open]), ["10+35 a d0 s0"]);
}

#[test]
fn v8_internal_code_is_skipped_and_frames_match_by_script_name_and_line() {
    let nodes = format!(
        r#"{NODES},{{"id":8,"parent":5,"callFrame":{{"functionName":"StackGuard","url":"native V8Runtime","scriptId":0}}}},
        {{"id":9,"parent":8,"callFrame":{{"functionName":"b","url":"y.js","scriptId":5,"lineNumber":5,"columnNumber":77}}}}"#
    );
    let found = calls_of(&[head(0), chunk(&nodes, "6,9,8", "10,10,10"), slice("FunctionCall", 0, 50)]);
    assert_eq!(found, ["10+40 a d0 s0", "10+20 b<a d1 s0"], "the first node is kept");
}

#[test]
fn events_can_refer_to_stacks() {
    let ids = r#""trace_ids":{"9007199254740993":6,"9007199254740992":7,"8":5}"#;
    let members = format!(r#""nodes":[{NODES}],"samples":[3,5,3],{ids}"#);
    let profile = [head(0), chunk_with(&members, "10,20,30")];
    let found = |events: &[String]| calls_of(&[&profile[..], events].concat());
    let layout = |args: &str| [slice("FunctionCall", 12, 80), slice_with("Layout", 20, 5, args)];
    // The stack starts with the event and continues in the next sample.
    let expected = ["20+40 a d0 s-", "20+10 b<a d1 s-"];
    assert_eq!(found(&layout(r#"{"data":{"sampleTraceId":9007199254740993}}"#)), expected);
    assert_eq!(found(&layout(r#"{"beginData":{"sampleTraceId":9007199254740993},"sampleTraceId":8}"#)), expected);
    assert_eq!(found(&layout(r#"{"sampleTraceId":9007199254740992}"#)), ["20+10 c d0 s-", "30+30 a d0 s1"]);
    for unknown in [r#"{"sampleTraceId":77}"#, r#"{"sampleTraceId":0}"#, r#"{"beginData":{},"sampleTraceId":8}"#, "{}"]
    {
        assert_eq!(found(&layout(unknown)), ["30+30 a d0 s1"], "{unknown}");
    }
}

#[test]
fn an_event_with_a_stack_shows_running_scripts() {
    let members = format!(r#""nodes":[{NODES}],"samples":[5,7,5],"trace_ids":{{"8":5,"9":6}}"#);
    let events = |args: &str| {
        let paint = slice_with("Paint", 10, 50, args);
        calls_of(&[head(0), chunk_with(&members, "20,10,10"), slice("RunTask", 0, 90), paint])
    };
    assert_eq!(events(r#"{"sampleTraceId":8}"#), ["10+80 a d0 s-"]);
    assert_eq!(events(r#"{"sampleTraceId":9}"#), ["10+80 a d0 s-", "10+80 b<a d1 s-"]);
}

#[test]
fn instants_count_only_with_a_stack() {
    let members = format!(r#""nodes":[{NODES}],"samples":[7,7,3],"trace_ids":{{"8":6}}"#);
    let instant = |phase: &str, args: &str| {
        let event = format!(r#"{{"name":"mark","ph":"{phase}","s":"t","pid":10,"tid":11,"ts":25,"args":{args}}}"#);
        calls_of(&[head(0), chunk_with(&members, "10,20,10"), slice("FunctionCall", 5, 90), event])
    };
    let plain = ["10+30 c d0 s0"];
    assert_eq!(instant("I", "{}"), plain);
    assert_eq!(instant("i", r#"{"sampleTraceId":8}"#), plain);
    assert_eq!(instant("R", r#"{"sampleTraceId":8}"#), plain);
    let named = ["10+15 c d0 s0", "25+5 a d0 s-", "25+5 b<a d1 s-", "30+10 c d0 s1"];
    assert_eq!(instant("I", r#"{"data":{"sampleTraceId":8}}"#), named);
}

#[test]
fn invalid_nodes_are_skipped_and_keep_their_numbers() {
    let nodes = format!(r#"{NODES},{{"id":8,"parent":77,"callFrame":{{"functionName":"lost"}}}}"#);
    let found = calls_of(&[head(0), chunk(&nodes, "5,8,99,5,7", "10,10,10,10,10"), slice("FunctionCall", 0, 90)]);
    assert_eq!(found, ["10+40 a d0 s0", "50+40 c d0 s4"]);
}
