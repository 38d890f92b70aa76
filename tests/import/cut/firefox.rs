//! Parts of Firefox profiles, raw and processed.

use flowline_synth::{Format, Options, write};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{CutOptions, check, incomplete, markers, read};
use crate::recording::{Recording, Row, Track, closing, instant, interval, opening, text};

/// Rows with few names and times, so that everything collides; times are in milliseconds.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let name = || prop::sample::select(vec!["a", "b"]);
    let time = || (0..24_i32).prop_map(f64::from);
    let flow = || {
        prop::sample::select(vec![json!(null), json!({"type": "F", "flow": "x"}), json!({"type": "F", "flow": "y"})])
    };
    let request = |status: &'static str| {
        move |(id, start, length): (u32, f64, f64)| {
            let data = json!({"type": "Network", "id": id, "status": status, "URI": "https://example.org"});
            interval("Load", start, start + length).with(data)
        }
    };
    let shot = |(window, at, gone): (u32, f64, bool)| {
        let kind = if gone { "CompositorScreenshotWindowDestroyed" } else { "CompositorScreenshot" };
        instant("CompositorScreenshot", at).with(json!({"type": kind, "windowID": window.to_string()}))
    };
    let message = |(number, at, phase): (i64, f64, usize)| {
        let phase = ["endpoint", "transferStart", "transferEnd"][phase];
        let data = json!({"type": "IPC", "otherPid": 101, "messageSeqno": number, "messageType": "M",
            "direction": "sending", "phase": phase, "sync": false});
        instant("IPC", at).with(data)
    };
    let row = prop_oneof![
        3 => (name(), time(), flow()).prop_map(|(name, at, data)| instant(name, at).with(data)),
        3 => (name(), time(), time(), flow()).prop_map(|(name, a, b, data)| interval(name, a, b).with(data)),
        3 => (name(), time(), flow()).prop_map(|(name, at, data)| opening(name, at).with(data)),
        3 => (name(), time(), flow()).prop_map(|(name, at, data)| closing(name, at).with(data)),
        1 => (0..3_u32, time(), time()).prop_map(request("STATUS_START")),
        1 => (0..3_u32, time(), time()).prop_map(request("STATUS_STOP")),
        1 => (0..2_u32, time(), any::<bool>()).prop_map(shot),
        1 => (0..3_i64, time(), 0..3_usize).prop_map(message),
    ];
    prop::collection::vec(row, 0..24)
}

/// The other side of the messages in [`rows`].
fn answers() -> impl Strategy<Value = Vec<Row>> {
    let row = (0..3_i64, 0..24_i32, any::<bool>()).prop_map(|(number, at, end)| {
        let data = json!({"type": "IPC", "otherPid": 100, "messageSeqno": number, "messageType": "M",
            "direction": "receiving", "phase": if end { "endpoint" } else { "transferEnd" }, "sync": false});
        instant("IPC", f64::from(at)).with(data)
    });
    prop::collection::vec(row, 0..8)
}

fn recordings() -> impl Strategy<Value = Recording> {
    let samples = || prop::collection::vec((0..24_i32).prop_map(f64::from), 0..6);
    (rows(), answers(), samples(), samples()).prop_map(|(rows, answers, samples, others)| {
        let schemas =
            json!([{"name": "F", "display": ["marker-chart"], "fields": [{"key": "flow", "format": "flow-id"}]}]);
        let mut recording = Recording::of(rows).schemas(schemas);
        recording.tracks[0].samples = samples;
        recording.starts.push(1003.5);
        recording.tracks.push(Track { name: "Other".into(), process: 1, samples: others, rows: answers });
        recording
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_part_of_any_profile_matches_the_whole(
        recording in recordings(),
        (start, length) in (0..24_i64, 1..12_i64),
        name in prop::sample::select(vec![None, Some("a"), Some("IPCOut")]),
        thread in prop::sample::select(vec![None, Some("GeckoMain")]),
    ) {
        for (_, whole) in recording.read_both() {
            let range = CutOptions::range(start * 1_000_000, (start + length) * 1_000_000);
            for part in [CutOptions::EVERYTHING, range, CutOptions { name, thread, ..range }] {
                let cut = check(&whole, &part);
                serde_json::from_slice::<Value>(&cut).expect("JSON");
            }
        }
    }
}

#[test]
fn synthetic_profiles_keep_samples_and_references_to_them() {
    let options =
        Options { markers: 20_000, format: Format::Firefox, threads: None, flows: None, samples: 5_000, seed: 3 };
    let mut text = Vec::new();
    write(&options, &mut text).expect("writing to memory succeeds");
    let whole = read(&text);
    let range = whole.meta.range;
    let (start, end) = (range.start.0 + range.len() / 3, range.start.0 + range.len() / 2);
    let part = CutOptions::range(start, end);
    let cut = check(&whole, &part);
    assert!(cut.len() * 2 < text.len(), "{} of {}", cut.len(), text.len());
    let again = read(&cut);
    for (own, other) in again.threads.iter().zip(&whole.threads) {
        let stacks =
            |profile: &flowline::profile::Profile, thread: &flowline::profile::Thread| -> Vec<(i64, Vec<String>)> {
                let Some(samples) = &thread.samples else { return Vec::new() };
                let table = &samples.cpu;
                let inside = (0..table.len()).filter(|at| (start..end).contains(&table.time[*at].0));
                let frames = |at: usize| match table.stack(at) {
                    Some(stack) => {
                        let frames = profile.stacks.walk(stack);
                        frames.map(|stack| profile.stacks.name(profile.stacks.frame(stack).func).to_owned()).collect()
                    }
                    None => Vec::new(),
                };
                inside.map(|at| (table.time[at].0, frames(at))).collect()
            };
        assert_eq!(stacks(&again, own), stacks(&whole, other), "{}", own.name);
    }
    assert_eq!(markers(&again, &part).len(), markers(&whole, &part).len());
}

/// A processed profile with every kind of table that has times.
fn with_tables() -> Value {
    let mut recording = Recording::of((0..10).map(|at| instant("x", f64::from(at))).collect()).processed();
    recording["threads"][0]["samples"] = json!({
        "stack": [null, null, null, null, null], "timeDeltas": [0.5, 1.25, 1.0, 2.0, 1.0],
        "threadCPUDelta": [1, 2, 3, 4, 5], "length": 5, "weightType": "samples", "weight": null,
    });
    recording["threads"][0]["jsAllocations"] = json!({
        "time": [1, 4, 8], "stack": [null, null, null], "weight": [8, 16, 32], "weightType": "bytes", "length": 3,
    });
    recording["counters"] = json!([{
        "name": "malloc", "category": "Memory", "pid": "100", "mainThreadIndex": 0, "description": "",
        "samples": {"timeDeltas": [1, 1, 1, 1, 1, 1, 1], "count": [10, -3, 4, 5, 6, 7, 8], "length": 7},
    }]);
    recording
}

#[test]
fn time_differences_include_omitted_samples() {
    let whole = read(text(&with_tables()).as_bytes());
    let cut = check(&whole, &CutOptions::range(4_000_000, 6_000_000));
    let cut: Value = serde_json::from_slice(&cut).expect("JSON");
    let samples = &cut["threads"][0]["samples"];
    // At 0.5 (first), 2.75 (last before the range), 4.75, 5.75 (also last).
    assert_eq!(samples["timeDeltas"], json!([0.5, 2.25, 2.0, 1.0]));
    let lengths = [&samples["length"], &cut["threads"][0]["markers"]["length"]];
    assert_eq!(lengths, [&json!(4), &json!(2)]);
    assert_eq!(samples["threadCPUDelta"], json!([1, 3, 4, 5]));
    assert_eq!(cut["threads"][0]["jsAllocations"]["time"], json!([1, 4, 8]));
    let counter = &cut["counters"][0]["samples"];
    // At 2 (lowest sum), 3 (last before the range), 4, 5 and 6 (first after it).
    assert_eq!((&counter["timeDeltas"], &counter["count"]), (&json!([2.0, 1, 1, 1, 1]), &json!([7, 4, 5, 6, 7])));
}

#[test]
fn raw_counters_include_omitted_samples() {
    let mut recording = Recording::of(vec![instant("x", 1.0)]).raw();
    recording["counters"] = json!([{"name": "malloc", "category": "Memory", "samples": {
        "schema": {"time": 0, "count": 1, "number": 2}, "data": [[1, 10, 1], [2, 5, 1], [3, -4, 1], [4, 2, 1]],
    }}]);
    let cut = check(&read(text(&recording).as_bytes()), &CutOptions::range(3_500_000, 5_000_000));
    let cut: Value = serde_json::from_slice(&cut).expect("JSON");
    // The first sample is the lowest one.
    assert_eq!(cut["counters"][0]["samples"]["data"], json!([[1, 10, 1], [3, 1, 1], [4, 2, 1]]));
}

#[test]
fn the_part_before_damage_is_cut() {
    let recording = Recording::of((0..40).map(|at| interval("x", f64::from(at), f64::from(at) + 0.5)).collect());
    for form in [recording.raw(), with_tables()] {
        let whole = text(&form);
        let mut read_something = 0;
        // The first half contains no threads yet.
        for end in (whole.len() / 2..whole.len()).step_by(7) {
            let Ok(imported) = flowline::import::read(whole.as_bytes()[..end].to_vec(), &Default::default()) else {
                continue;
            };
            let cut = CutOptions::EVERYTHING.cut(&imported.profile);
            assert_eq!(
                markers(&read(&cut), &CutOptions::EVERYTHING),
                markers(&imported.profile, &CutOptions::EVERYTHING),
                "{end}"
            );
            serde_json::from_slice::<Value>(&cut).unwrap_or_else(|error| panic!("{end}: {error}"));
            read_something += usize::from(imported.profile.marker_count() > 0);
        }
        assert!(read_something > 10);
    }
}

#[test]
fn incomplete_markers_keep_their_ends() {
    let rows = vec![opening("long", 2.0), closing("lost", 5.0), instant("x", 3.0), interval("y", 1.0, 30.0)];
    let mut recording = Recording::of(rows);
    for samples in [vec![0.0, 6.0, 20.0], Vec::new()] {
        recording.tracks[0].samples = samples;
        for (_, whole) in recording.read_both() {
            let part = CutOptions { name: Some("long"), ..CutOptions::EVERYTHING };
            check(&whole, &part);
            assert_eq!(incomplete(&whole, &part), 1);
        }
    }
}

#[test]
fn a_container_is_written_as_json() {
    let whole = read(&crate::versions::slabs());
    assert_eq!(whole.meta.kind.id(), "firefox-processed-jslb");
    let cut = check(&whole, &CutOptions::EVERYTHING);
    serde_json::from_slice::<serde_json::Value>(&cut).unwrap_or_else(|error| panic!("{error}: {}", cut.escape_ascii()));
    assert_eq!(read(&cut).meta.kind.id(), "firefox-processed");
}
