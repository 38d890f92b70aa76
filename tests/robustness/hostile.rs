//! Hostile input: deep nesting, unsupported files, repeated keys, too many types; time and memory stay proportional to
//! the input.

use flowline::import::{self, ImportError, Options, Progress};
use flowline::profile::{LocalMarker, ThreadId};
use serde_json::json;

use super::damage::{exercise, gzip, small};
use crate::recording::{Recording, brief, instant, read, read_bytes, text, warned};

#[test]
fn bare_words_and_huge_numbers_are_not_times() {
    let text = Recording::of((0..6).map(|at| instant("Tick", f64::from(at))).collect()).processed().to_string();
    for word in
        ["NaN", "Infinity", "-Infinity", "undefined", "1e999", "99999999999999999999", "1e", "--5", "\"1\"", "{}"]
    {
        let damaged = text.replace("[0.0,1.0,2.0,", &format!("[0.0,{word},2.0,"));
        assert_ne!(damaged, text);
        let profile = exercise(damaged.into_bytes()).unwrap_or_else(|error| panic!("{word}: {error}"));
        assert_eq!((profile.marker_count(), warned(&profile, "bad_time")), (5, 1), "{word}");
    }
}

#[test]
fn a_million_levels_of_nesting_do_not_overflow() {
    let (open, close) = ("[".repeat(1_000_000), "]".repeat(1_000_000));
    let nested = format!("{open}{close}");
    let text = text(&small().raw());
    let key = "\"libs\":[]";
    assert!(text.contains(key));
    let places = [
        text.replacen(key, &format!("\"libs\":{nested}"), 1),
        text.replacen("\"interval\":1.0", &format!("\"interval\":1.0,\"deep\":{nested}"), 1),
        text.replacen("\"color\":\"red\"", &format!("\"deep\":{nested}"), 1),
        text.replacen("\"color\":\"red\"", &format!("\"deep\":{open}"), 1),
        "{\"a\":".repeat(1_000_000),
        nested.clone(),
        format!("{{\"processes\":{}", "[{\"processes\":".repeat(300_000)),
        format!("{{\"meta\":{{\"version\":34}},\"threads\":{nested}}}"),
    ];
    for (number, text) in places.into_iter().enumerate() {
        let read = exercise(text.into_bytes());
        assert!(number > 3 || read.is_ok(), "{number}: {:?}", read.err());
    }
}

#[test]
fn unsupported_input_is_refused_in_one_sentence() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    for (bytes, expected) in [
        (Vec::new(), "empty"),
        (b" \n\t ".to_vec(), "empty"),
        (png, "PNG"),
        (b"<!doctype html>".to_vec(), "HTML"),
        (b"hello".to_vec(), "text"),
        (b"42".to_vec(), "text"),
        (b"\xff\xfe\0\0".to_vec(), "UTF-32"),
        (b"\xff\xfe".to_vec(), "empty"),
        (b"\0\x01\x02".to_vec(), "binary"),
        (b"{}".to_vec(), "no keys"),
        (b"{\"name\":1,\"version\":\"2\"}".to_vec(), "\"name\""),
        (b"{\"traceEvents\":7}".to_vec(), "\"traceEvents\""),
        (b"[1,\"two\"]".to_vec(), "array without trace events"),
        (b"\x1f\x8b".to_vec(), "gzip"),
        (b"\x1f\x8b\x08\0garbage garbage".to_vec(), "gzip"),
        (gzip(b""), "empty"),
        (b"PK\x03\x04 not a zip".to_vec(), "zip"),
        (b"\xdc\xdf\x4a\x53\x4c\x42\x01\x00".to_vec(), "JSLB"),
    ] {
        let error = read_bytes(bytes.clone()).expect_err("nothing usable").to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{bytes:?}: {error}");
    }
    let error = import::open(&std::env::temp_dir(), &Options::default(), &Progress::default()).expect_err("a folder");
    assert!(matches!(error, ImportError::Io { .. }), "{error}");
    let error =
        import::open("/nowhere/at all.json".as_ref(), &Options::default(), &Progress::default()).expect_err("missing");
    assert!(error.to_string().contains("/nowhere/at all.json"), "{error}");
}

#[test]
fn repeated_keys_do_not_mix_up_rows() {
    let text = small().processed().to_string();
    let doubled = text.replacen("\"phase\":[", "\"phase\":[0,0],\"phase\":[", 1).replacen(
        "\"meta\":{",
        "\"meta\":{\"a\":1},\"meta\":{",
        1,
    );
    let profile = exercise(doubled.into_bytes()).expect("readable");
    assert_eq!(profile.threads.len(), 3);
    assert_eq!(warned(&profile, "column_length"), 1);
    let twice = text.replacen("\"type\":\"Task\"", "\"type\":\"Network\",\"type\":\"Task\"", 2);
    assert_eq!(brief(&exercise(twice.into_bytes()).expect("readable"), 0), brief(&read(&small().processed()), 0));
}

#[test]
fn excess_payload_types_are_reported() {
    let rows =
        (0..100_000_u32).map(|at| instant("Tick", f64::from(at)).with(json!({"type": format!("T{at}"), "n": at})));
    let recording = Recording::of(rows.collect());
    let profile = read(&recording.raw());
    assert_eq!(profile.marker_count(), 100_000);
    assert!(warned(&profile, "too_many_types") > 0);
    let markers = &profile.threads[0].markers;
    for marker in (0..markers.len()).map(LocalMarker::new) {
        let kind =
            markers.kind(marker).and_then(|kind| profile.types.get(kind)).map(|kind| profile.strings.get(kind.name));
        assert!(kind.is_none_or(|kind| kind == format!("T{}", marker.0)), "{marker:?} has the wrong type {kind:?}");
        assert_eq!(profile.payload(ThreadId(0), marker).get("n").and_then(|n| n.as_i64()), Some(i64::from(marker.0)));
    }
}

#[test]
fn memory_and_time_stay_proportional() {
    // One long name shared by thousands of threads; thousands of empty processes.
    let mut profile = Recording::of(vec![]).processed();
    profile["shared"]["stringArray"] = json!(["x".repeat(1 << 20)]);
    let markers = json!({"name": [0], "startTime": [1.0], "endTime": [null], "phase": [0], "category": [0], "data": [null], "length": 1});
    profile["threads"] =
        (0..4_000).map(|tid| json!({"name": "t", "pid": "1", "tid": tid, "markers": markers})).collect();
    let profile = read(&profile);
    assert_eq!(profile.marker_count(), 4_000);
    assert!(profile.bytes() < 64 << 20, "{} bytes", profile.bytes());
    let mut nothing = Recording::of(vec![instant("Tick", 1.0)]).raw();
    nothing["processes"] = (0..200_000).map(|at| if at % 2 == 0 { json!(0) } else { json!({}) }).collect();
    let profile = exercise(nothing.to_string().into_bytes()).expect("readable");
    assert_eq!((profile.marker_count(), profile.processes.len()), (1, 1));
    let empty = format!("{{\"meta\":{{\"version\":34}},\"threads\":[{}]}}", "{},".repeat(400_000));
    let profile = read_bytes(empty.into_bytes()).expect("readable");
    assert!(profile.threads.len() < 400_000 && warned(&profile, "missing_part") == 1);
}

#[test]
fn a_canceled_load_stops() {
    let progress = Progress::default();
    progress.cancel();
    let bytes = gzip(small().raw().to_string().as_bytes());
    assert!(matches!(import::read(bytes, &progress), Err(ImportError::Cancelled)));
    let bytes = small().raw().to_string().into_bytes();
    assert!(matches!(import::read(bytes, &progress), Err(ImportError::Cancelled)));
}
