//! Every version and container has the same meaning: one tiny recording in the format of each version, packed in each
//! way.

use std::io::Write;

use crate::recording::{self, read, read_bytes, seen, warned};
use flowline::import::{self, ImportError, Options, Progress};
use flowline::profile::text::Format;
use flowline::profile::{Ns, Profile, Sample, ThreadId};
use json_slabs::Builder;
use serde_json::{Value, json};

/// The oldest supported and the newest known version.
const PROCESSED: (u32, u32) = (40, 71);
const RAW: (u32, u32) = (20, 36);

/// A processed profile in the format of version `version`.
fn processed(version: u32) -> Value {
    let strings = json!(["Tick", "Work", "10924c9c0aaaaaaa1"]);
    let field =
        json!([{"key": "flow", "label": "Flow", "format": if version < 51 { "unique-string" } else { "flow-id" }}]);
    let (fields, description) = if version < 55 { ("data", "ignored") } else { ("fields", "description") };
    let mut schema = json!({"name": "Task", "display": ["marker-chart"], fields: field});
    if version < 55 {
        schema["data"].as_array_mut().expect("a list").push(json!({"label": "Description", "value": "Some work"}));
    }
    schema[description] = json!("Some work");
    let times = if version < 50 { json!({"time": [1.0, 3.5]}) } else { json!({"timeDeltas": [1.0, 2.5]}) };
    let mut samples = json!({"stack": [null, null], "length": 2, "weight": null, "weightType": "samples"});
    samples.as_object_mut().expect("object").extend(times.as_object().expect("object").clone());
    let counts = json!({"time": [1.0, 2.0, 3.0], "count": [5, -2, 0.5], "length": 3});
    let counts =
        if version < 48 { json!({"sampleGroups": [{"id": 0, "samples": counts}]}) } else { json!({"samples": counts}) };
    let mut counter = json!({"name": "malloc", "category": "Memory", "description": "", "mainThreadIndex": 0});
    counter.as_object_mut().expect("object").extend(counts.as_object().expect("object").clone());
    counter["pid"] = if version < 47 { json!(12) } else { json!("12") };
    let mut thread = json!({
        "processType": "default", "name": "GeckoMain", "isMainThread": true, "registerTime": 0, "unregisterTime": null,
        "pid": if version < 47 { json!(12) } else { json!("12") },
        "tid": if version < 60 { json!(34) } else { json!("34") },
        "samples": samples,
        "markers": {
            "data": [null, {"type": "Task", "flow": 2}, {"type": "Task", "flow": 2, "more": [1]}],
            "name": [0, 1, 1], "startTime": [0.5, 1.25, null], "endTime": [null, null, 2.75], "phase": [0, 2, 3],
            "category": [0, 1, 1], "length": 3,
        },
        "frameTable": {"length": 0}, "stackTable": {"length": 0},
    });
    let mut shared = json!({});
    if version < 56 {
        thread["stringArray"] = strings;
    } else {
        shared["stringArray"] = strings;
    }
    if version >= 60 {
        let prefix = if version < 66 { "prefix" } else { "prefixOffset" };
        shared["stackTable"] = json!({"frame": [], prefix: [], "length": 0});
        thread.as_object_mut().expect("object").retain(|key, _| !key.ends_with("Table"));
    }
    let mut profile = json!({
        "meta": {
            "interval": 1, "startTime": 1e12, "version": 28, "preprocessedProfileVersion": version,
            "categories": [{"name": "Other", "color": "grey", "subcategories": []}, {"name": "DOM", "color": "blue", "subcategories": []}],
            "markerSchema": [schema], "product": "Firefox",
        },
        "libs": [], "counters": [counter], "threads": [thread],
    });
    if version >= 56 {
        profile["shared"] = shared;
    }
    profile
}

/// A raw profile in the format of version `version`.
fn raw(version: u32) -> Value {
    let field =
        json!([{"key": "flow", "label": "Flow", "format": "flow-id"}, {"label": "Description", "value": "Some work"}]);
    let samples = json!({"schema": {"time": 0, "count": 1}, "data": [[1, 5], [2.0, -2], [3, 0.5], [4.0]]});
    let counts = if version < 31 {
        json!({"sample_groups": [{"id": 0, "samples": samples}]})
    } else {
        json!({"samples": samples})
    };
    let mut counter = json!({"name": "malloc", "category": "Memory", "description": ""});
    counter.as_object_mut().expect("object").extend(counts.as_object().expect("object").clone());
    json!({
        "meta": {
            "interval": 1, "startTime": 1e12, "version": version, "product": "Firefox",
            "categories": [{"name": "Other", "color": "grey"}, {"name": "DOM", "color": "blue"}],
            "markerSchema": [{"name": "Task", "display": ["marker-chart"], "data": field}],
        },
        "libs": [], "counters": [counter], "pausedRanges": [], "processes": [],
        "threads": [{
            "name": "GeckoMain", "processType": "default", "pid": if version < 30 { json!(12) } else { json!("12") }, "tid": 34,
            "samples": {"data": [[null, 1.0], [null, 3.5, 0.1]], "schema": {"stack": 0, "time": 1}},
            "markers": {
                "schema": {"category": 4, "data": 5, "endTime": 2, "name": 0, "phase": 3, "startTime": 1},
                "data": [
                    [0, 0.5, 0, 0, 0], [1, 1.25, 0, 2, 1, {"type": "Task", "flow": 2}],
                    [1, 0, 2.75, 3, 1, {"type": "Task", "flow": 2, "more": [1]}],
                ],
            },
            "stringTable": ["Tick", "Work", "10924c9c0aaaaaaa1"],
        }],
    })
}

/// Checks the meaning that every one of them has.
fn check(profile: &Profile, what: &str) {
    assert_eq!(profile.threads.len(), 1, "{what}");
    let thread = &profile.threads[0];
    assert_eq!((thread.name.as_str(), thread.tid.as_str(), thread.is_main), ("GeckoMain", "34", true), "{what}");
    assert_eq!(profile.process_of(ThreadId(0)).pid, "12", "{what}");
    let found = seen(profile, 0);
    let brief: Vec<_> =
        found.iter().map(|s| (s.name.as_str(), s.start.0, s.end.map(|end| end.0), s.category.as_str())).collect();
    assert_eq!(brief, [("Tick", 500_000, None, "Other"), ("Work", 1_250_000, Some(2_750_000), "DOM")], "{what}");
    assert_eq!(found[1].data, json!({"type": "Task", "flow": "10924c9c0aaaaaaa1", "more": [1]}), "{what}");
    let schema = profile.types.iter().find_map(|(_, kind)| kind.schema.as_ref().filter(|schema| schema.name == "Task"));
    let schema = schema.expect("the schema");
    assert_eq!(schema.description.as_deref(), Some("Some work"), "{what}");
    let fields: Vec<_> =
        schema.fields.iter().map(|field| (field.key.as_str(), field.format.is_string_index())).collect();
    assert_eq!(fields, [("flow", true)], "{what}");
    assert_eq!(profile.meta.range.end, Ns(4_500_000), "{what}: last sample plus one interval");
    assert_eq!(profile.counters.len(), 1, "{what}");
    let samples = [(1_000_000, 5.0), (2_000_000, 3.0), (3_000_000, 3.5)];
    let samples = samples.map(|(time, value)| Sample { time: Ns(time), value });
    assert_eq!(
        (profile.counters[0].name.as_str(), &profile.counters[0].series[0].samples[..]),
        ("malloc", &samples[..]),
        "{what}"
    );
}

fn undamaged(profile: &Profile, what: &str) {
    assert!(profile.warnings.list().is_empty(), "{what}: {:?}", profile.warnings.list());
}

#[test]
fn processed_versions_have_the_same_meaning() {
    for version in [40, 41, 46, 47, 48, 49, 50, 51, 54, 55, 56, 59, 60, 65, 66, 70, 71] {
        let profile = read(&processed(version));
        check(&profile, &format!("version {version}"));
        undamaged(&profile, &format!("version {version}"));
        assert_eq!((profile.meta.kind.id(), profile.meta.version), ("firefox-processed", version));
    }
    let schema_of = |version| {
        let profile = read(&processed(version));
        let types: Vec<_> = profile.types.iter().filter_map(|(_, kind)| kind.schema.clone()).collect();
        types.into_iter().find(|schema| schema.name == "Task").expect("Task").fields[0].format.clone()
    };
    assert_eq!((schema_of(50), schema_of(51)), (Format::UniqueString, Format::FlowId));
}

#[test]
fn raw_versions_have_the_same_meaning() {
    for version in [20, 24, 28, 30, 31, 34] {
        let profile = read(&raw(version));
        check(&profile, &format!("raw version {version}"));
        undamaged(&profile, &format!("raw version {version}"));
        assert_eq!((profile.meta.kind.id(), profile.meta.version), ("firefox-raw", version));
    }
}

#[test]
fn newer_versions_are_read_with_a_warning() {
    for (profile, known) in
        [(read(&processed(PROCESSED.1 + 9)), "known up to 71"), (read(&raw(RAW.1 + 1)), "known up to 36")]
    {
        check(&profile, "newer");
        let warnings = profile.warnings.list();
        assert_eq!(warnings.iter().map(|warning| warning.kind.name()).collect::<Vec<_>>(), ["newer_version"]);
        assert!(warnings[0].first.contains(known), "{}", warnings[0].first);
    }
}

#[test]
fn too_old_versions_are_refused_in_one_sentence() {
    let mut ancient = processed(PROCESSED.0);
    ancient["meta"]["preprocessedProfileVersion"] = json!(PROCESSED.0 - 1);
    for (profile, found, oldest) in [(ancient, 39, 40), (raw(RAW.0 - 1), 19, 20), (raw(3), 3, 20)] {
        let error = read_bytes(profile.to_string().into_bytes()).expect_err("too old");
        assert!(matches!(error, ImportError::TooOld { .. }));
        let text = error.to_string();
        for part in [format!("version {found}"), format!("version {oldest} and later"), "Firefox Profiler".into()] {
            assert!(text.contains(&part), "{text}");
        }
        assert!(!text.contains('\n'));
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("memory");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

#[test]
fn compressed_files_are_detected_by_content() {
    let text = raw(34).to_string().into_bytes();
    let (front, back) = text.split_at(text.len() / 2);
    let mut with_mark = b"\xef\xbb\xbf  \n".to_vec();
    with_mark.extend(&text);
    let notes = vec![b' '; text.len() * 2];
    let cases = [
        ("plain", text.clone()),
        ("byte order mark", with_mark),
        ("gzip", gzip(&text)),
        ("gzip of several members", [gzip(front), gzip(back)].concat()),
        ("gzip in gzip", gzip(&gzip(&text))),
        ("zip", zip(&[("profile.json", &text)])),
        ("zip without a telling name", zip(&[("data", &text)])),
        (
            "zip with more in it",
            zip(&[("README.txt", &notes), ("a/profile.json", &text), ("__MACOSX/a/._profile.json", b"{}")]),
        ),
        ("zip that holds gzip", zip(&[("notes", b"x"), ("profile.json.gz", &gzip(&text))])),
    ];
    for (what, bytes) in cases {
        let profile = read_bytes(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        check(&profile, what);
        undamaged(&profile, what);
        assert!(profile.meta.json_bytes >= text.len() as u64, "{what}");
    }
}

#[test]
fn other_recordings_in_an_archive_are_named() {
    let trace = |count: usize| {
        let events = vec![r#"{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}"#; count];
        format!("[{}]", events.join(",")).into_bytes()
    };
    let (one, two, three) = (trace(1), trace(2), trace(3));
    let bytes = zip(&[("rank0.json", &one), ("b/rank1.json", &three), ("rank2.pftrace", &two), ("notes.txt", b"x")]);
    let profile = read_bytes(bytes).expect("the largest");
    assert_eq!(profile.marker_count(), 3);
    let warnings = profile.warnings.list();
    assert_eq!((warnings.len(), warnings[0].kind.name(), warnings[0].count), (1, "other_recordings", 2));
    assert_eq!(warnings[0].first, "b/rank1.json is open; not rank0.json, rank2.pftrace");
}

#[test]
fn a_file_on_disk_is_mapped_and_the_limit_applies() {
    let folder = std::env::temp_dir().join(format!("flowline-versions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("recording.bin");
    std::fs::write(&path, gzip(&[raw(34).to_string().as_bytes(), &b" ".repeat(1 << 20)].concat())).expect("written");
    let profile = import::open(&path, &Options::default(), &Progress::default()).expect("readable").profile;
    check(&profile, "a file");
    assert!(profile.meta.file_bytes < profile.meta.json_bytes);
    let refused = import::open(&path, &Options { max_unpacked: 1 << 16, ..Options::default() }, &Progress::default())
        .expect_err("too large");
    assert!(matches!(refused, ImportError::TooLarge { limit: 65_536 }), "{refused}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// A profile of version 71 in a container: columns as typed arrays; threads, shared tables and payloads as JSON slabs.
pub(crate) fn slabs() -> Vec<u8> {
    let mut builder = Builder::new();
    let payloads = json!([null, {"type": "Task", "flow": 2}, {"type": "Task", "flow": 2, "more": [1]}]);
    let data = builder.add_json_slab(payloads.to_string().into_bytes()).0;
    let name = builder.add_slab_from_vec(vec![0_u8, 1, 1]).0;
    let start = builder.add_slab_from_vec(vec![0.5_f64, 1.25, f64::NAN]).0;
    let end = builder.add_slab_from_vec(vec![f64::NAN, f64::NAN, 2.75_f64]).0;
    let phase = builder.add_slab_from_vec(vec![0_u8, 2, 3]).0;
    let category = builder.add_slab_from_vec(vec![0_i32, 1, 1]).0;
    let deltas = builder.add_slab_from_vec(vec![1.0_f64, 2.5]).0;
    let times = builder.add_slab_from_vec(vec![1.0_f32, 2.0, 3.0]).0;
    let counts = builder.add_slab_from_vec(vec![5.0_f64, -2.0, 0.5]).0;
    let at = |slab: usize| json!({"$s": slab});
    let mut profile = processed(71);
    profile["threads"][0]["markers"] = json!({
        "data": at(data), "name": at(name), "startTime": at(start), "endTime": at(end), "phase": at(phase),
        "category": at(category), "length": 3,
    });
    profile["threads"][0]["samples"] = json!({"timeDeltas": at(deltas), "length": 2});
    profile["counters"][0]["samples"] = json!({"time": at(times), "count": at(counts), "length": 3});
    let markers = builder.add_json_slab(profile["threads"][0]["markers"].to_string().into_bytes()).0;
    profile["threads"][0]["markers"] = at(markers);
    for part in ["threads", "shared", "counters"] {
        let inside = if part == "threads" { profile[part][0].take() } else { profile[part].take() };
        let slab = at(builder.add_json_slab(inside.to_string().into_bytes()).0);
        profile[part] = if part == "threads" { json!([slab]) } else { slab };
    }
    builder.finish(profile.to_string().as_bytes())
}

#[test]
fn containers_may_have_typed_arrays_and_nested_slabs() {
    for (what, bytes) in [("container", slabs()), ("packed container", gzip(&slabs()))] {
        let profile = read_bytes(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        check(&profile, what);
        undamaged(&profile, what);
        assert_eq!(profile.meta.kind.id(), "firefox-processed-jslb");
    }
}

#[test]
fn a_slab_referenced_a_million_times_is_read_once() {
    let mut builder = Builder::new();
    let rows = 20_000;
    let zeros = builder.add_slab_from_vec(vec![0_u32; rows]).0;
    let thread =
        json!({"name": "x", "markers": {"name": {"$s": zeros}, "startTime": {"$s": zeros}, "phase": {"$s": zeros}}});
    let thread = builder.add_json_slab(thread.to_string().into_bytes()).0;
    let mut profile = processed(71);
    profile["threads"] = (0..100_000).map(|_| json!({"$s": thread})).collect();
    let profile = read_bytes(builder.finish(profile.to_string().as_bytes())).expect("readable");
    assert!(profile.marker_count() >= rows, "the first references are read");
    assert!(profile.marker_count() < 100_000_000 / 4, "{}", profile.marker_count());
    assert!(warned(&profile, "wrong_type") > 0);
}

/// Counters belong to the adjacent process and define their own display; missing properties follow from the category.
#[test]
fn counters_have_a_process_and_a_unit() {
    use flowline::profile::{CounterGraph, ProcessId};
    let samples = json!({"schema": {"time": 0, "count": 1}, "data": [[1, 5], [2, 1]]});
    let counter = |name: &str, category: &str| json!({"name": name, "category": category, "samples": samples});
    let mut parent = raw(34);
    let mut child = raw(34);
    child["threads"][0]["pid"] = json!(99);
    parent["counters"] = json!([
        counter("malloc", "Memory"),
        counter("processCPU", "CPU"),
        counter("eth0", "Bandwidth"),
        counter("Power: GPU", "power"),
        counter("jobs", "Other"),
    ]);
    let mut own = counter("jobs", "Other");
    own["display"] =
        json!({"graphType": "line-accumulated", "unit": "jobs", "color": "teal", "label": "Queue", "sortWeight": 5});
    child["counters"] = json!([own]);
    parent["processes"] = json!([child]);
    let profile = recording::read(&parent);
    undamaged(&profile, "counters");
    let seen: Vec<_> = profile
        .counters
        .iter()
        .map(|counter| {
            let process = counter.process.map_or(9, |process| process.0);
            (
                counter.title(),
                counter.unit.as_str(),
                counter.color.as_str(),
                counter.graph,
                process,
                counter.pid.as_str(),
            )
        })
        .collect();
    let expected = [
        ("Memory", "bytes", "orange", CounterGraph::Relative, 0, "12"),
        ("Process CPU", "percent", "grey", CounterGraph::Rate, 0, "12"),
        ("Bandwidth", "bytes", "blue", CounterGraph::Rate, 0, "12"),
        ("Power: GPU", "pWh", "grey", CounterGraph::Rate, 0, "12"),
        ("jobs", "", "grey", CounterGraph::Rate, 0, "12"),
        ("Queue", "jobs", "teal", CounterGraph::Relative, 1, "99"),
    ];
    assert_eq!(seen, expected);

    let mut saved = processed(70);
    let mut of_thread = saved["counters"][0].clone();
    of_thread["pid"] = json!("unheard of");
    of_thread["display"] = json!({"graphType": "line-rate", "unit": 7, "color": null});
    saved["counters"] = json!([saved["counters"][0], of_thread]);
    let profile = recording::read(&saved);
    assert_eq!(
        profile.counters.iter().map(|counter| counter.process).collect::<Vec<_>>(),
        [Some(ProcessId::new(0)); 2]
    );
    assert_eq!(profile.counters[0].graph, CounterGraph::Relative);
    assert_eq!((profile.counters[1].graph, profile.counters[1].unit.as_str()), (CounterGraph::Rate, "7"));
}
