//! Damaged, cut and hostile input: nothing panics or hangs, data before the damage is kept, and every kind of damage is
//! reported with its position.

use std::io::Write;
use std::sync::Arc;

use crate::recording::{
    Recording, Track, brief, closing, instant, interval, opening, read, read_bytes, seen, text, warned,
};
use flowline::import::ImportError;
use flowline::index::FlowGraph;
use flowline::index::search::{Query, run};
use flowline::index::{Index, MAX_TICK};
use flowline::profile::{Arrangement, LocalMarker, Profile};
use json_slabs::Builder;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Two processes, three threads, markers of every kind.
pub(crate) fn small() -> Recording {
    let schemas = json!([{"name": "Task", "display": [], "isStackBased": true, "colorField": "color", "chartLabel": "{marker.data.flow}",
        "fields": [{"key": "flow", "format": "flow-id"}, {"key": "text", "format": "string"}]}]);
    let task =
        |flow: &str| json!({"type": "Task", "flow": format!("@{flow}"), "text": "a \"b\" \u{1f600}", "color": "red"});
    let network = |status: &str| json!({"type": "Network", "id": 1, "status": status, "startTime": 1.5});
    let ipc = |other: usize, direction: &str| {
        json!({
            "type": "IPC", "otherPid": Recording::pid(other), "messageType": "M", "messageSeqno": 1, "direction": direction, "phase": "endpoint",
        })
    };
    let mut recording = Recording::of(vec![
        instant("Tick", 0.5).of(4),
        opening("Work", 1.0).with(task("abc")),
        interval("Load", 1.5, 2.0).with(network("STATUS_START")),
        instant("IPC", 2.0).with(ipc(1, "sending")),
        closing("Work", 3.0).with(task("abc")),
        interval("Load", 2.5, 3.5).with(network("STATUS_STOP")),
        instant("CompositorScreenshot", 4.0).with(json!({"type": "CompositorScreenshot", "windowID": "w"})),
    ]);
    let rows = (0..6).map(|at| instant("Other", f64::from(at)));
    recording.tracks.push(Track { name: "Plain".into(), process: 0, samples: vec![], rows: rows.collect() });
    recording.starts.push(1000.5);
    let rows = vec![instant("IPC", 2.5).with(ipc(0, "receiving")), interval("Late", 3.0, 4.0).of(3)];
    recording.tracks.push(Track { name: "Child".into(), process: 1, samples: vec![0.0], rows });
    recording.schemas(schemas)
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// The processed form with its columns as typed arrays and its threads as JSON slabs.
pub(crate) fn container(recording: &Recording) -> Vec<u8> {
    let mut profile = recording.processed();
    let mut builder = Builder::new();
    for thread in profile["threads"].as_array_mut().expect("threads") {
        let markers = thread["markers"].as_object_mut().expect("columns");
        for (key, column) in markers.iter_mut() {
            let numbers = |column: &Value| -> Vec<f64> {
                column.as_array().expect("a column").iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect()
            };
            let slab = match key.as_str() {
                "startTime" | "endTime" => builder.add_slab_from_vec(numbers(column)),
                "name" | "phase" | "category" => {
                    let number = |number: &Value| u32::try_from(number.as_u64().expect("an index")).expect("small");
                    builder.add_slab_from_vec(column.as_array().expect("a column").iter().map(number).collect())
                }
                "data" => builder.add_json_slab(column.to_string().into_bytes()),
                _ => continue,
            };
            *column = json!({"$s": slab.0});
        }
        *thread = json!({"$s": builder.add_json_slab(text(thread).into_bytes()).0});
    }
    builder.finish(text(&profile).as_bytes())
}

/// The four forms of a recording.
pub(crate) fn forms(recording: &Recording) -> [(&'static str, Vec<u8>); 4] {
    let raw = text(&recording.raw()).into_bytes();
    let packed = gzip(&raw);
    [
        ("raw", raw),
        ("processed", text(&recording.processed()).into_bytes()),
        ("container", container(recording)),
        ("gzip", packed),
    ]
}

/// Reads bytes, checks the profile for consistency, and queries all of it.
pub(crate) fn exercise(bytes: Vec<u8>) -> Result<Arc<Profile>, ImportError> {
    let profile = Arc::new(read_bytes(bytes)?);
    for (id, thread) in profile.threads_with_ids() {
        let markers = &thread.markers;
        assert!(markers.times().starts().is_sorted());
        assert!(markers.times().ranges().all(|range| range.start <= range.end));
        for marker in (0..markers.len()).map(LocalMarker::new) {
            assert_eq!(profile.locate(thread.global(marker)), Some((id, marker)));
            let _ = profile.field_lines(id, marker, profile.clock());
            for kind in [flowline::profile::text::LabelKind::Chart, flowline::profile::text::LabelKind::Table] {
                let _ = profile.marker_label(kind, id, marker, profile.clock());
            }
        }
        let _ = seen(&profile, id.index());
    }
    assert!(profile.is_consistent());
    for samples in profile.threads.iter().filter_map(|thread| thread.samples.as_ref()) {
        for table in [&samples.cpu, &samples.js_allocations, &samples.native_allocations] {
            assert!(table.time.is_sorted());
            let walked = (0..table.len()).filter_map(|sample| table.stack(sample));
            assert!(walked.map(|stack| profile.stacks.walk(stack).count()).all(|depth| depth <= profile.stacks.len()));
        }
        let _ = flowline::index::samples::cpu::per_cent(&samples.cpu, 1e6);
    }
    for warning in profile.warnings.list() {
        assert!(warning.count > 0 && !warning.first.is_empty(), "{warning:?} has no position");
    }
    let index = Index::build(Arc::clone(&profile), Arrangement::Stack);
    for arrangement in [Arrangement::ByName, Arrangement::Stack] {
        for (id, thread) in profile.threads_with_ids() {
            let layout = index.layout(arrangement).thread(id);
            let count: u32 = (0..layout.rows.len())
                .flat_map(|row| layout.spans(index.source(), thread, row, 100.0, 0, MAX_TICK))
                .map(|span| span.count)
                .sum();
            assert_eq!(count as usize, thread.markers.len());
        }
    }
    assert!(run(&profile, &FlowGraph::build(&profile), &Query::parse("abc,dur:>1,-name:tick"), &|| true).is_some());
    Ok(profile)
}

#[test]
fn a_cut_at_any_byte_keeps_the_data_before_it() {
    let recording = small();
    for (form, bytes) in forms(&recording) {
        let whole = exercise(bytes.clone()).unwrap_or_else(|error| panic!("{form}: {error}"));
        assert!(whole.warnings.list().is_empty(), "{form}: {:?}", whole.warnings.list());
        let mut most = 0;
        for cut in 0..bytes.len() {
            match exercise(bytes[..cut].to_vec()) {
                Ok(profile) => {
                    let damage = warned(&profile, "truncated") + warned(&profile, "broken_json");
                    assert!(damage > 0, "{form} cut at {cut}: no warning");
                    most = most.max(profile.marker_count());
                    assert!(
                        profile.marker_count() + 2 >= most,
                        "{form} cut at {cut} lost markers that a shorter cut had"
                    );
                }
                Err(error) => {
                    assert!(most == 0, "{form} cut at {cut}: {error}");
                    assert!(!error.to_string().contains('\n'), "{error}");
                }
            }
        }
        assert!(most + 2 >= whole.marker_count(), "{form}: {most}");
    }
}

#[test]
fn complete_rows_before_a_cut_are_kept() {
    let rows = (0..200).map(|at| instant("Tick", f64::from(at)));
    let text = text(&Recording::of(rows.collect()).raw());
    let first = text.find("[1,").expect("a row");
    for cut in (first..text.find("stringTable").expect("strings")).step_by(7) {
        let profile = read_bytes(text.as_bytes()[..cut].to_vec()).expect("readable");
        let rows_before = text[..cut].matches(",0,0,0]").count();
        assert_eq!(profile.marker_count(), rows_before, "cut at {cut}");
        let warnings = profile.warnings.list();
        let cut_warning = warnings.iter().find(|warning| warning.kind.name() == "truncated").expect("said");
        assert!(cut_warning.first.contains(&format!("byte {cut}")), "{}", cut_warning.first);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn flipped_bytes_never_panic(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        form in 0_usize..4,
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let (_, mut bytes) = forms(&small()).into_iter().nth(form).expect("a form");
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let _ = exercise(bytes);
    }

    #[test]
    fn misplaced_structural_bytes_never_panic(
        flips in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{}\",:0-9e.nN\\-]"), 1..6),
        processed in any::<bool>(),
    ) {
        let recording = small();
        let mut bytes = text(&if processed { recording.processed() } else { recording.raw() }).into_bytes();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte.as_bytes()[0];
        }
        let _ = exercise(bytes);
    }
}

/// Values of every wrong type.
fn wrong_values() -> Vec<Value> {
    let deep = (0..300).fold(json!(1), |inner, _| json!([inner]));
    vec![
        json!(null),
        json!(true),
        json!("text"),
        json!({}),
        json!([]),
        json!({"a": [1, {"b": 2}]}),
        json!(-1),
        json!(1e300),
        json!(4_294_967_295_u64),
        json!([null, "x", {}, [], -5, 1e300, true]),
        deep,
    ]
}

#[test]
fn wrong_types_do_not_affect_other_threads() {
    let recording = small();
    let paths = |form: &str| -> Vec<&'static str> {
        let mut paths = vec![
            "/meta/markerSchema",
            "/meta/markerSchema/0/fields",
            "/meta/categories",
            "/meta/interval",
            "/meta/startTime",
            "/meta/markerSchema/0",
            "/meta/categories/0",
            "/libs",
            "/threads/0",
            "/threads/0/name",
            "/threads/0/pid",
            "/threads/0/samples",
            "/threads/0/markers",
        ];
        paths.extend(match form {
            "raw" => [
                "/threads/0/markers/schema",
                "/threads/0/markers/data",
                "/threads/0/markers/data/1",
                "/threads/0/markers/data/1/5",
                "/threads/0/markers/data/1/0",
                "/threads/0/samples/schema",
                "/threads/0/samples/data",
                "/threads/0/stringTable",
                "/threads/0/stringTable/1",
                "/threads/0/markers/schema/startTime",
                "/processes",
            ],
            _ => [
                "/threads/0/markers/name",
                "/threads/0/markers/startTime",
                "/threads/0/markers/endTime",
                "/threads/0/markers/phase",
                "/threads/0/markers/category",
                "/threads/0/markers/data",
                "/threads/0/markers/data/1",
                "/threads/0/markers/name/1",
                "/threads/0/samples/time",
                "/threads/0/markers/category/1",
                "/threads/0/markers/data/1/flow",
            ],
        });
        paths
    };
    for (form, whole) in [("raw", recording.raw()), ("processed", recording.processed())] {
        let untouched = brief(&read(&whole), 1);
        for path in paths(form) {
            for wrong in wrong_values() {
                let mut profile = whole.clone();
                *profile.pointer_mut(path).unwrap_or_else(|| panic!("{path} in {form}")) = wrong.clone();
                let what = || format!("{form}: {path} is {}", &wrong.to_string()[..wrong.to_string().len().min(60)]);
                let profile =
                    exercise(profile.to_string().into_bytes()).unwrap_or_else(|error| panic!("{}: {error}", what()));
                let plain = (0..profile.threads.len()).find(|&thread| profile.threads[thread].name == "Plain");
                let plain = plain.unwrap_or_else(|| panic!("{}: thread Plain is missing", what()));
                assert_eq!(brief(&profile, plain), untouched, "{}", what());
                if path.starts_with("/threads/0/markers") || path.starts_with("/threads/0/samples") {
                    assert_eq!(profile.threads[0].name, "GeckoMain", "{}: data after the damage is read", what());
                }
            }
        }
    }
}

#[test]
fn invalid_values_are_counted_and_the_rest_is_shown() {
    let mut rows: Vec<_> = (0..8).map(|at| instant("Tick", f64::from(at))).collect();
    rows[1].phase = 7;
    rows[2].start = json!(1e300);
    rows[3].start = json!(null);
    rows[4] = interval("Back", 4.5, 4.0);
    rows[5].category = 99;
    (rows[6].phase, rows[6].end) = (1, json!("6.5"));
    for (form, profile) in Recording::of(rows.clone()).read_both() {
        let times: Vec<f64> = brief(&profile, 0).into_iter().map(|seen| seen.1).collect();
        let without_time: &[f64] =
            if form == "raw" { &[0.0, 0.0, 1.0, 4.0, 5.0, 7.0] } else { &[0.0, 1.0, 4.0, 5.0, 7.0] };
        assert_eq!(times, without_time, "{form}");
        assert_eq!((warned(&profile, "unknown_phase"), warned(&profile, "negative_duration")), (1, 1), "{form}");
        assert_eq!(
            warned(&profile, "bad_time"),
            if form == "raw" { 2 } else { 3 },
            "{form}: a raw null is written as 0"
        );
        assert_eq!(warned(&profile, "index_out_of_range"), 1, "{form}");
        let strayed = seen(&profile, 0).into_iter().find(|seen| seen.start.as_ms() == 5.0).expect("shown");
        assert_eq!(strayed.category, "Other", "{form}: not the first category");
    }
    let mut profile = Recording::of(rows).processed();
    profile["threads"][0]["markers"]["category"][0] = json!(-1);
    profile["threads"][0]["markers"]["name"][7] = json!(4_000_000_000_u32);
    profile["threads"][0]["markers"]["startTime"].as_array_mut().expect("a column").push(json!(99));
    let profile = exercise(profile.to_string().into_bytes()).expect("readable");
    assert_eq!((warned(&profile, "index_out_of_range"), warned(&profile, "column_length")), (3, 1));
    let found = seen(&profile, 0);
    assert_eq!((found[0].category.as_str(), found.last().expect("shown").name.as_str()), ("Other", "(unknown)"));
}
