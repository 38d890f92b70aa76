//! Keys of calls in DevTools notes.

use std::collections::BTreeSet;

use flowline::profile::samples::CallKey;
use flowline::profile::{CallRef, Implementation, Profile};

use super::{NODES, chunk, chunk_with, head, read, slice, slice_with, trace};
use crate::chrome::real_content;
use crate::recording::real::{open, shared};

/// Every call of a profile with its key.
fn keys(profile: &Profile) -> Vec<(CallRef, Option<CallKey<'_>>)> {
    let functions = Implementation::All;
    let of_thread = |(thread, own): (_, &flowline::profile::Thread)| {
        let count = own.samples.as_ref().and_then(|samples| samples.calls.as_ref()).map_or(0, |calls| calls.len());
        (0..u32::try_from(count).expect("few")).map(move |call| CallRef { thread, functions, call })
    };
    let calls = profile.threads_with_ids().flat_map(of_thread);
    calls.map(|call| (call, profile.key_of_call(call))).collect()
}

/// The call for a key in DevTools format.
fn call_of(profile: &Profile, text: &str) -> Option<CallRef> {
    let [pid, tid, sample, node] = text.strip_prefix("p-")?.split('-').collect::<Vec<_>>().try_into().ok()?;
    profile.call_of_key(CallKey { pid, tid, sample: sample.parse().ok(), node: node.parse().ok()? })
}

#[test]
fn calls_are_found_by_sample_and_node() {
    // The samples are out of order: numbers refer to time order.
    let profile = trace(&[
        head(0),
        chunk(NODES, "5,6,7,6", "10,20,-10,20"),
        slice("RunTask", 0, 100),
        slice("FunctionCall", 5, 90),
    ]);
    let found = keys(&profile);
    let named: Vec<(Option<u32>, u32)> =
        found.iter().map(|(_, key)| key.as_ref().map(|key| (key.sample, key.node)).expect("a name")).collect();
    assert_eq!(named, [(Some(0), 5), (Some(1), 7), (Some(2), 5), (Some(2), 6)]);
    for (call, key) in found {
        let key = key.expect("a name");
        assert_eq!((key.pid, key.tid), ("10", "11"));
        assert_eq!(profile.call_of_key(key), Some(call));
    }
    for unknown in ["p-10-11-0-6", "p-10-11-9-5", "p-10-12-0-5", "p-9-11-0-5", "p-10-11-x-5"] {
        assert_eq!(call_of(&profile, unknown), None, "{unknown}");
    }
}

#[test]
fn calls_started_by_events_have_no_sample() {
    let chunk = chunk_with(&format!(r#""nodes":[{NODES}],"samples":[3],"trace_ids":{{"77":5}}"#), "90");
    let event = slice_with("FunctionCall", 20, 30, r#"{"data":{"sampleTraceId":77}}"#);
    let profile = trace(&[head(0), chunk, event]);
    let found = keys(&profile);
    let [(_, Some(key))] = found[..] else { panic!("a single call: {found:?}") };
    assert_eq!((key.sample, key.node), (None, 5));
    assert_eq!(profile.call_of_key(key), None);
}

#[test]
fn keys_of_other_recordings_match_no_calls() {
    let text = r#"{"traceEvents":[{"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":9}],
        "stackFrames":{"1":{"name":"f"}},
        "samples":[{"tid":1,"ts":1,"name":"cpu","sf":1,"weight":1}]}"#;
    let profile = read(text);
    assert!(profile.stacks.node_id.is_empty());
    assert!(keys(&profile).is_empty());
}

#[test]
fn notes_of_a_real_recording_find_their_calls() {
    let Some(file) = shared("traces/rec-a-annotated.json.gz") else { return };
    let profile = open(&file).expect("readable");
    let text = String::from_utf8(real_content(&file)).expect("text");
    let names: BTreeSet<&str> = text.split('"').filter(|text| text.starts_with("p-") && text.len() > 8).collect();
    assert!(names.len() > 30);
    for name in names {
        let call = call_of(&profile, name).unwrap_or_else(|| panic!("{name} identifies a call"));
        let key = profile.key_of_call(call).expect("a name");
        let sample = key.sample.expect("a sample");
        assert_eq!(format!("p-{}-{}-{sample}-{}", key.pid, key.tid, key.node), name);
    }
}
