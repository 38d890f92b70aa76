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
    for format in ["firefox", "chrome"] {
        let first = write("first", &["--format", format]);
        assert!(first == write("second", &["--format", format]), "{format}: the same options give the same bytes");
        assert!(first == write("seed", &["--format", format, "--seed", "1"]), "{format}: the default seed is 1");
        assert!(
            first != write("other", &["--format", format, "--seed", "2"]),
            "{format}: another seed gives other bytes"
        );
        assert!(first != write("flows", &["--format", format, "--flows", "0"]), "{format}: no flows");
        let value: Value = serde_json::from_slice(&first).expect("JSON");
        assert_eq!(value.get("traceEvents").is_some(), format == "chrome");
    }
}
