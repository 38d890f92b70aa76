//! `synth`.

use std::io::Read;

use serde_json::Value;

use crate::support::program::Program;

#[test]
fn synthetic_recordings_match_the_requested_sizes() {
    let program = Program::new("synth");
    for (markers, threads, name) in
        [("5000", "3", "plain.json"), ("5000", "3", "packed.json.gz"), ("1", "1", "one.json")]
    {
        let path = program.path(name);
        let arguments = ["synth", "--markers", markers, "--threads", threads, "-o", &path];
        assert_eq!(program.good(&arguments), "");
        let info = program.object(&["info", &path, "--json"]);
        assert_eq!(info["markers"].to_string(), markers, "{name}");
        assert_eq!(info["threads"].to_string(), threads, "{name}");
        assert_eq!(program.lines(&["dump", &path, "markers"]).len().to_string(), markers, "{name}");
    }
    let bytes = |name: &str| std::fs::read(program.path(name)).expect("a file");
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(bytes("packed.json.gz").as_slice()).read_to_end(&mut unpacked).expect("gzip");
    assert!(unpacked == bytes("plain.json"), "compressed and plain recordings are equal");
}

#[test]
fn synthetic_recordings_are_repeatable() {
    let program = Program::new("repeatable");
    let write = |name: &str, options: &[&str]| {
        let path = program.path(name);
        let mut arguments = vec!["synth", "--markers", "3000", "-o", &path];
        arguments.extend(options);
        program.good(&arguments);
        std::fs::read(path).expect("a file")
    };
    for format in ["firefox", "chrome", "page"] {
        let first = write("first", &["--format", format]);
        assert!(first == write("second", &["--format", format]), "{format}: the same options give the same bytes");
        assert!(first == write("seed", &["--format", format, "--seed", "1"]), "{format}: the default seed is 1");
        assert!(
            first != write("other", &["--format", format, "--seed", "2"]),
            "{format}: another seed gives other bytes"
        );
        let has_flows = first == write("flows", &["--format", format, "--flows", "0"]);
        assert_eq!(has_flows, format == "page", "{format}: only the flows of a page are fixed");
        let value: Value = serde_json::from_slice(&first).expect("JSON");
        assert_eq!(value.get("traceEvents").is_some(), format != "firefox");
    }
}

/// A visit of a page has everything that the insights read, and nothing in it is damaged.
#[test]
fn the_synthetic_visit_of_a_page_has_all_that_insights_read() {
    let program = Program::new("synthetic_page");
    let path = program.path("page.json");
    program.good(&["synth", "--markers", "150000", "--samples", "3000", "--format", "page", "-o", &path]);
    let info = program.object(&["info", &path, "--json"]);
    assert_eq!((info["markers"].as_u64(), info["samples"].as_u64()), (Some(150_000), Some(3_000)));
    assert_eq!(info["warnings"].as_u64(), Some(0), "{info}");
    let insights = program.object(&["insights", &path, "--json"]);
    let load = insights["navigations"].as_array().expect("a list").iter().find(|own| own["kind"] == "hard");
    let load = load.expect("a navigation");
    for metric in ["fcp_ns", "lcp_ns", "inp_ns", "tbt_ns", "load_ns", "dcl_ns", "long_tasks"] {
        assert!(load["metrics"][metric].as_f64().is_some_and(|value| value > 0.0), "{metric}: {load}");
    }
    assert!(load["metrics"]["cls"].as_f64().is_some_and(|score| score > 0.0), "{load}");
    assert!(load["frames"]["shown"].as_u64().is_some_and(|frames| frames > 100), "{load}");
    let unknown: Vec<&str> = load["insights"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|own| own["state"] == "unknown")
        .filter_map(|own| own["insight"].as_str())
        .collect();
    assert_eq!(unknown, ["SlowCSSSelector"]);
}
