//! Samples, marker stacks and allocations of Firefox profiles, in raw and in processed form.

use crate::recording::{read, warned};
use crate::stacks::{path, paths, samples_of};
use flowline::profile::samples::WeightUnit;
use flowline::profile::{CpuUnit, LocalMarker, Ns, Profile, SampleTable, StackId};
use serde_json::{Value, json};

/// A thread of a raw profile with the stacks a, a>b, a>b>c and d.
pub(crate) fn raw_thread(samples: &Value, markers: &Value) -> Value {
    json!({
        "name": "GeckoMain", "pid": 1, "tid": 2,
        "samples": {"schema": {"stack": 0, "time": 1, "eventDelay": 2, "argumentValues": 3, "threadCPUDelta": 4}, "data": samples},
        "markers": {"schema": {"name": 0, "startTime": 1, "endTime": 2, "phase": 3, "category": 4, "data": 5}, "data": markers},
        "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1], [1, 2], [null, 3]]},
        "frameTable": {
            "schema": {"location": 0, "relevantForJS": 1, "innerWindowID": 2, "implementation": 3, "line": 4, "column": 5, "category": 6, "subcategory": 7},
            "data": [[0, false, 0, null, null, null, 1, 0], [1, false], [2, true, 0, null, 7, 9], [3]],
        },
        "stringTable": ["a", "b", "c", "d", "Mark"],
    })
}

/// A raw profile of threads.
pub(crate) fn raw(threads: Vec<Value>) -> Value {
    let category = |name: &str, color: &str| json!({"name": name, "color": color, "subcategories": ["Other"]});
    json!({
        "meta": {
            "version": 34, "interval": 1, "startTime": 1000.0, "sampleUnits": {"time": "ms", "threadCPUDelta": "\u{b5}s"},
            "categories": [category("Idle", "transparent"), category("Other", "grey"), category("DOM", "blue")],
        },
        "libs": [], "threads": threads, "processes": [],
    })
}

/// A processed profile with one thread and the same stacks.
fn processed(samples: &Value, markers: &Value) -> Value {
    let mut profile = raw(vec![]);
    profile["meta"]["preprocessedProfileVersion"] = json!(70);
    profile["shared"] = json!({
        "stringArray": ["a", "b", "c", "d", "Mark"],
        "stackTable": {"frame": [0, 1, 2, 3], "prefixOffset": [0, 1, 1, 0], "length": 4},
        "frameTable": {
            "address": [-1, -1, -1, -1], "func": [0, 1, 2, 3], "category": [1, null, null, null], "line": [null, null, 7, null],
            "column": [null, null, 9, null], "length": 4,
        },
        "funcTable": {
            "name": [0, 1, 2, 3], "isJS": [false, false, false, false], "relevantForJS": [false, false, true, false],
            "resource": [-1, -1, -1, -1], "source": [null, null, null, null], "length": 4,
        },
    });
    profile["threads"] = json!([{"name": "GeckoMain", "pid": "1", "tid": 2, "samples": samples, "markers": markers}]);
    profile
}

fn times(table: &SampleTable) -> Vec<f64> {
    table.time.iter().map(|time| time.as_ms()).collect()
}

fn deltas(table: &SampleTable) -> Vec<Option<u64>> {
    (0..table.len()).map(|sample| table.cpu_delta(sample)).collect()
}

fn marker_stack(profile: &Profile, thread: usize, marker: u32) -> Option<(String, Option<f64>)> {
    let found: Option<(StackId, Option<Ns>)> = samples_of(profile, thread).marker_stacks.get(LocalMarker(marker));
    found.map(|(stack, time)| (path(profile, Some(stack)), time.map(Ns::as_ms)))
}

#[test]
fn both_forms_have_the_same_meaning() {
    let rows =
        json!([[2, 1.5, 0, null, 64000], [null, 2.25], [3, 3, 0, null, 5_000_000_000_u64], [1, 4, 0, null, null]]);
    let columns = json!({
        "stack": [2, null, 3, 1], "timeDeltas": [1.5, 0.75, 0.75, 1], "weight": null, "weightType": "samples",
        "threadCPUDelta": [64000, null, 5_000_000_000_u64, null], "length": 4,
    });
    for profile in [read(&raw(vec![raw_thread(&rows, &json!([]))])), read(&processed(&columns, &json!({})))] {
        let table = &samples_of(&profile, 0).cpu;
        assert_eq!(times(table), [1.5, 2.25, 3.0, 4.0]);
        assert_eq!(paths(&profile, table), ["a>b>c", "-", "d", "a>b"]);
        assert_eq!(deltas(table), [Some(64_000), None, Some(5_000_000_000), None]);
        assert_eq!((profile.meta.cpu_unit, table.weight_unit), (Some(CpuUnit::Microseconds), WeightUnit::Samples));
        assert_eq!(profile.threads[0].range.end, Ns(5_000_000), "the last sample plus one interval");
        let categories: Vec<u16> = profile.stacks.category.to_vec();
        assert_eq!(categories, [1, 1, 1, 1], "frames without a category inherit their caller's or the default");
        assert!(profile.warnings.list().is_empty(), "{:?}", profile.warnings.list());
        assert!(profile.is_consistent());
    }
}

#[test]
fn weights_count_samples_milliseconds_or_bytes() {
    for (name, unit) in [
        (json!("samples"), WeightUnit::Samples),
        (json!("tracing-ms"), WeightUnit::Milliseconds),
        (json!("bytes"), WeightUnit::Bytes),
        (Value::Null, WeightUnit::Samples),
    ] {
        let columns = json!({"stack": [0, 1], "time": [1, 2], "weight": [2.5, -1], "weightType": name});
        let profile = read(&processed(&columns, &json!({})));
        let table = &samples_of(&profile, 0).cpu;
        assert_eq!((table.weight(0), table.weight(1), table.weight_unit), (2.5, -1.0, unit));
        assert_eq!(profile.meta.cpu_unit, None);
    }
}

#[test]
fn cpu_times_need_a_unit_and_are_dropped_if_all_are_unknown() {
    let rows = json!([[0, 1, 0, null, 5], [0, 2, 0, null, 6]]);
    let mut profile =
        raw(vec![raw_thread(&rows, &json!([])), raw_thread(&json!([[0, 1], [0, 2, 0, null, null]]), &json!([]))]);
    let read_units = |profile: &Value| {
        let profile = read(profile);
        let known = |thread| samples_of(&profile, thread).cpu.has_cpu_deltas();
        (profile.meta.cpu_unit, known(0), known(1))
    };
    assert_eq!(read_units(&profile), (Some(CpuUnit::Microseconds), true, false));
    for (name, unit) in [("ns", CpuUnit::Nanoseconds), ("variable CPU cycles", CpuUnit::Cycles)] {
        profile["meta"]["sampleUnits"]["threadCPUDelta"] = json!(name);
        assert_eq!(read_units(&profile), (Some(unit), true, false));
    }
    profile["meta"].as_object_mut().expect("an object").remove("sampleUnits");
    assert_eq!(read_units(&profile), (None, false, false));
}

/// A thread object with one sample, as in payloads of raw profiles.
fn taken(stack: &Value, time: f64) -> Value {
    json!({"name": "", "samples": {"schema": {"stack": 0, "time": 1}, "data": [[stack, time]]}, "tid": 2})
}

#[test]
fn markers_have_stacks() {
    let text = json!({"type": "Log", "stack": "f@x.js:1\ng@x.js:2"});
    let rows = json!([
        [4, 1, 0, 0, 1, {"type": "T", "stack": taken(&json!(2), 0.5)}],
        [4, 2, 0, 0, 1, text],
        [4, 3, 0, 0, 1, {"type": "T", "stack": taken(&Value::Null, 3.0)}],
        [4, 4, 0, 2, 1, {"type": "T", "stack": taken(&json!(0), 4.0)}],
        [4, 0, 5, 3, 1, {"type": "T", "stack": taken(&json!(3), 5.0)}],
        [4, 6, 0, 2, 1, {"type": "T", "stack": taken(&json!(1), 6.0)}],
        [4, 0, 7, 3, 1, {"type": "T"}],
        [4, 8, 8, 1, 1, {"type": "Network", "id": 1, "status": "STATUS_START", "stack": taken(&json!(1), 7.5)}],
        [4, 8, 9, 1, 1, {"type": "Network", "id": 1, "status": "STATUS_STOP", "stack": taken(&json!(2), 9.0)}],
        [4, 10, 0, 0, 1],
        [4, 11, 0, 0, 1, {"type": "T", "stack": {"samples": {"schema": {"stack": 0}, "data": []}}}],
    ]);
    let raw = raw(vec![raw_thread(&json!([]), &rows)]);
    let mut columns = json!({"name": [], "startTime": [], "endTime": [], "phase": [], "category": [], "data": []});
    for row in rows.as_array().expect("rows") {
        for (key, place) in [("name", 0), ("startTime", 1), ("endTime", 2), ("phase", 3), ("category", 4)] {
            columns[key].as_array_mut().expect("a column").push(row[place].clone());
        }
        let mut data = row.get(5).cloned().unwrap_or(Value::Null);
        if let Some(sample) = data["stack"]["samples"]["data"].get(0).cloned() {
            data.as_object_mut().expect("an object").remove("stack");
            if !sample[0].is_null() {
                data["cause"] = json!({"tid": 2, "time": sample[1], "stack": sample[0]});
            }
        }
        columns["data"].as_array_mut().expect("a column").push(data);
    }
    for profile in [read(&raw), read(&processed(&json!({}), &columns))] {
        let found: Vec<_> = (0..8).map(|marker| marker_stack(&profile, 0, marker)).collect();
        let is = |path: &str, time| Some((path.to_owned(), Some(time)));
        let (end, start) = (is("d", 5.0), is("a>b", 6.0));
        assert_eq!(found, [is("a>b>c", 0.5), None, None, end, start, is("a>b", 7.5), None, None]);
        assert!(profile.warnings.list().is_empty(), "{:?}", profile.warnings.list());
    }
}

#[test]
fn a_cause_may_lack_its_time() {
    let columns = json!({
        "name": [4], "startTime": [1], "endTime": [null], "phase": [0], "category": [1], "data": [{"type": "T", "cause": {"stack": 1}}],
    });
    let profile = read(&processed(&json!({}), &columns));
    assert_eq!(marker_stack(&profile, 0, 0), Some(("a>b".into(), None)));
}

#[test]
fn samples_of_child_processes_are_shifted_by_their_clock() {
    let markers = json!([[4, 2, 0, 0, 1, {"type": "T", "stack": taken(&json!(1), 1.75)}],
        [4, 3, 0, 0, 1, {"type": "JS allocation", "size": 8, "stack": taken(&json!(2), 3.0)}]]);
    let mut profile = raw(vec![]);
    let mut child = raw(vec![raw_thread(&json!([[2, 1.5]]), &markers)]);
    child["meta"]["startTime"] = json!(1100.25);
    profile["processes"] = json!([child]);
    let profile = read(&profile);
    let samples = samples_of(&profile, 0);
    assert_eq!((times(&samples.cpu), times(&samples.js_allocations)), (vec![101.75], vec![103.25]));
    assert_eq!(marker_stack(&profile, 0, 0), Some(("a>b".into(), Some(102.0))));
}

#[test]
fn allocations_are_removed_from_the_markers() {
    let native = |size: i64, address: u64| json!({"type": "Native allocation", "size": size, "memoryAddress": address, "threadId": 2});
    let mut second = native(64, 4096);
    second["stack"] = taken(&json!(1), 3.0);
    let rows = json!([
        [4, 1, 0, 0, 1, {"type": "T"}],
        [4, 5, 0, 0, 1, native(-64, 4096)],
        [4, 3, 0, 0, 1, second],
        [4, 2, 0, 0, 1, {"type": "JS allocation", "className": "Object", "size": 32, "inNursery": true, "stack": taken(&json!(2), 2.0)}],
        [4, 6, 0, 0, 1, {"type": "T"}],
    ]);
    let profile = read(&raw(vec![raw_thread(&json!([]), &rows)]));
    assert_eq!((profile.marker_count(), profile.threads[0].raw_markers), (2, 2));
    let samples = samples_of(&profile, 0);
    let js = &samples.js_allocations;
    assert_eq!((times(js), paths(&profile, js), js.weight(0)), (vec![2.0], vec!["a>b>c".to_owned()], 32.0));
    let native = &samples.native_allocations;
    assert_eq!((times(native), paths(&profile, native)), (vec![3.0, 5.0], vec!["a>b".to_owned(), "-".to_owned()]));
    assert_eq!((&native.weight[..], &samples.native_addresses[..]), (&[64.0, -64.0][..], &[4096, 4096][..]));
    assert_eq!(native.weight_unit, WeightUnit::Bytes);
    assert_eq!(warned(&profile, "sample_order"), 1);
}

#[test]
fn allocations_of_processed_profiles_are_read() {
    let mut profile = processed(&json!({}), &json!({}));
    profile["threads"][0]["jsAllocations"] =
        json!({"time": [1, 2], "className": ["A", "B"], "weight": [8, 16], "weightType": "bytes", "stack": [1, null]});
    profile["threads"][0]["nativeAllocations"] = json!({"time": [1, 2], "weight": [8, -8], "weightType": "bytes", "stack": [1, 0], "memoryAddress": [7, 7], "threadId": [2, 2]});
    let profile = read(&profile);
    let samples = samples_of(&profile, 0);
    assert_eq!(paths(&profile, &samples.js_allocations), ["a>b", "-"]);
    assert_eq!(paths(&profile, &samples.native_allocations), ["a>b", "a"]);
    assert_eq!(&samples.native_addresses[..], [7, 7]);
    assert_eq!(samples.native_allocations.weight_unit, WeightUnit::Bytes);
    assert!(samples.cpu.is_empty());
}
