//! `--self-profile` records the program's own work as a trace that the program opens.

use std::collections::BTreeSet;

use flowline_synth::Format;

use crate::support::program::Program;

#[test]
fn a_render_records_loading_and_its_frames() {
    let program = Program::new("self");
    let trace = program.path("self.json");
    let image = program.path("o.png");
    program.good(&["render", "example", "-o", &image, "--size", "300x200", "--no-cache", "--self-profile", &trace]);
    let info = program.object(&["info", &trace, "--json"]);
    assert_eq!(info["format"], "chrome", "{info}");
    assert_eq!(info["warnings"].as_array().map_or(0, Vec::len), 0, "{info}");
    let markers = program.lines(&["dump", &trace, "markers"]);
    let names: BTreeSet<&str> = markers.iter().filter_map(|marker| marker["name"].as_str()).collect();
    for name in ["import", "base index", "flows", "refresh", "widgets", "frame", "scene", "draw"] {
        assert!(names.contains(name), "{name} in {names:?}");
    }
}

#[test]
fn the_trace_never_replaces_an_input_and_is_written_after_errors() {
    let program = Program::new("selfin");
    let recording = program.synthetic("t.json", Format::Chrome, 100, 1);
    let before = std::fs::read(&recording).expect("a file");
    let message = program.refused(&["info", &recording, "--self-profile", &recording]);
    assert!(message.contains("the recording being read"), "{message}");
    assert_eq!(std::fs::read(&recording).expect("a file"), before);

    let trace = program.path("after.json");
    let missing = program.path("missing.json");
    program.refused(&["info", &missing, "--self-profile", &trace]);
    assert!(!program.lines(&["dump", &trace, "markers"]).is_empty(), "the failed import is recorded");
}
