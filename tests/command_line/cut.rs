//! `cut`.

use std::io::Read as _;

use flowline_synth::Format;
use serde_json::Value;

use crate::support::FORMATS;
use crate::support::program::Program;

/// The lines of `dump markers` that touch a range, without marker numbers.
fn markers(program: &Program, file: &str, range: std::ops::Range<i64>) -> Vec<Value> {
    let mut lines = program.lines(&["dump", file, "markers"]);
    let touches = |line: &Value| {
        let start = line["start_ns"].as_i64().expect("a start");
        start < range.end && line["end_ns"].as_i64().unwrap_or(start) >= range.start
    };
    lines.retain(touches);
    for line in &mut lines {
        line.as_object_mut().expect("an object").remove("marker");
    }
    lines
}

/// Zero of the displayed clock and the length of a recording.
fn clock(program: &Program, file: &str) -> (i64, i64) {
    let info = program.object(&["info", file, "--json"]);
    (info["start_ns"].as_i64().expect("a start"), info["duration_ns"].as_i64().expect("a length"))
}

#[test]
fn a_part_contains_the_same_markers_as_the_whole() {
    let program = Program::new("cut");
    for format in FORMATS {
        let whole = program.synthetic(&format!("{format:?}.json.gz"), format, 20_000, 5);
        let (start, length) = clock(&program, &whole);
        let (from, to) = (length / 4, length / 3);
        let range = format!("{from}ns..{to}ns");
        let [plain, packed, piped] = ["plain.json", "packed.json.gz", "piped.json"].map(|name| program.path(name));
        for output in [&plain, &packed] {
            assert_eq!(program.good(&["cut", &whole, "--range", &range, "-o", output]), "");
        }
        std::fs::write(&piped, program.good(&["cut", &whole, "--range", &range, "-o", "-"])).expect("written");
        let text = std::fs::read(&plain).expect("a file");
        let mut unpacked = Vec::new();
        let file = std::fs::File::open(&packed).expect("a file");
        flate2::read::GzDecoder::new(file).read_to_end(&mut unpacked).expect("gzip");
        assert!(unpacked == text && std::fs::read(&piped).expect("a file") == text, "all three outputs are equal");
        serde_json::from_slice::<Value>(&text).expect("valid JSON");

        let inside = start + from..start + to;
        let expected = markers(&program, &whole, inside.clone());
        assert!(expected.len() > 500 && expected.len() < 10_000, "{}", expected.len());
        assert_eq!(markers(&program, &plain, inside), expected, "{format:?}");
        assert_eq!(clock(&program, &plain), (start, length), "the clock is unchanged: {format:?}");
        // Cutting the part with the same options returns the same part.
        let twice = program.path("twice.json");
        program.good(&["cut", &plain, "--range", &range, "-o", &twice]);
        assert!(std::fs::read(twice).expect("a file") == text);
    }
}

#[test]
fn search_and_threads_filter_the_part() {
    let program = Program::new("cut-search");
    for format in FORMATS {
        let whole = program.synthetic("whole.json", format, 5_000, 9);
        let found = program.lines(&["dump", &whole, "markers"]);
        let (name, thread) = (found[100]["name"].clone(), found[100]["thread"].to_string());
        let part = program.path("part.json");
        let search = format!("name:={name}");
        program.good(&["cut", &whole, "--search", &search, "--thread", &thread, "-o", &part]);
        let strip = |file: &str| {
            let mut lines = program.lines(&["dump", file, "markers", "--search", &search]);
            let is_of = |line: &Value| line["thread"].as_u64().is_some_and(|number| number.to_string() == thread);
            lines.retain(is_of);
            for line in &mut lines {
                let line = line.as_object_mut().expect("an object");
                // The depth counts surrounding slices, which the search excludes.
                line.retain(|key, _| key != "marker" && key != "depth");
            }
            lines
        };
        assert_eq!(strip(&part), strip(&whole), "{format:?}");
        let count = program.lines(&["dump", &part, "markers"]).len();
        assert!(count < found.len() / 2, "{count}");
    }
}

#[test]
fn unsupported_input_is_refused_in_one_sentence() {
    let program = Program::new("cut-refused");
    let out = program.path("out.json");
    let collapsed = program.file("stacks.txt", "main;work 5\nmain;wait 7\n");
    let cpuprofile = program.file(
        "one.cpuprofile",
        r#"{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":""}}],"startTime":0,"endTime":9,"samples":[1],"timeDeltas":[1]}"#,
    );
    for file in [&collapsed, &cpuprofile] {
        let message = program.refused(&["cut", file, "-o", &out]);
        assert!(
            message.contains(
                "cut supports Firefox Profiler profiles, Chrome trace events and Perfetto traces; this recording is in"
            ),
            "{message}"
        );
    }
    let trace = program.file("trace.json", r#"[{"ph":"X","name":"a","ts":1,"dur":2000,"pid":1,"tid":1}]"#);
    for (option, value, expected_text) in [
        ("--range", "50..60", "--range is outside the recording, which spans 0"),
        ("--search", "nothing of that", "no matching markers in this part"),
        ("--thread", "nobody", "there is no thread \"nobody\""),
    ] {
        let message = program.refused(&["cut", &trace, option, value, "-o", &out]);
        assert!(message.contains(expected_text), "{message}");
    }
    let empty = program.run(["cut", &trace, "--range", "1..1", "-o", &out]);
    assert_eq!(empty.status, Some(2), "an empty range is a usage error: {empty:?}");
    let nowhere = program.path("no such folder/out.json");
    assert!(program.refused(&["cut", &trace, "-o", &nowhere]).contains(&nowhere));
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn damage_is_reported_and_the_part_before_it_is_cut() {
    let program = Program::new("cut-damage");
    let whole = program.synthetic("whole.json", Format::Firefox, 3_000, 2);
    let text = std::fs::read(&whole).expect("a file");
    let broken = program.file("broken.json", &text[..text.len() / 2]);
    let out = program.path("out.json");
    let outcome = program.run(["cut", &broken, "-o", &out]);
    assert_eq!((outcome.status, outcome.out.as_str()), (Some(0), ""), "{outcome:?}");
    assert!(outcome.err.contains("the recording is damaged; cutting its readable part"), "{}", outcome.err);
    serde_json::from_slice::<Value>(&std::fs::read(&out).expect("a file")).expect("the part is complete JSON");
    let all = 0..i64::MAX;
    assert_eq!(markers(&program, &out, all.clone()), markers(&program, &broken, all));
}

/// A full disk.
#[cfg(target_os = "linux")]
#[test]
fn an_incomplete_file_does_not_appear() {
    let program = Program::new("cut-full");
    let whole = program.synthetic("whole.json", Format::Chrome, 20_000, 2);
    let out = program.path("out.json");
    // A file size limit has the same effect as a full disk.
    let script = format!(
        "ulimit -f 100; trap '' XFSZ; exec '{}' cut '{whole}' --no-cache -o '{out}'",
        env!("CARGO_BIN_EXE_flowline")
    );
    let run = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
    assert_eq!(run.status.code(), Some(1), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(String::from_utf8_lossy(&run.stderr).contains(&out));
    let folder = std::path::Path::new(&out).parent().expect("a folder");
    let left: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok).map(|file| file.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("out.json")), "{left:?}");
}

#[test]
fn flows_of_the_part_are_kept_on_request() {
    let program = Program::new("cut-flows");
    for format in FORMATS {
        let whole = program.synthetic("whole.json", format, 5_000, 4);
        let (start, length) = clock(&program, &whole);
        let (from, to) = (length / 3, length / 2);
        let range = format!("{from}ns..{to}ns");
        let members = |line: &Value| line["markers"].as_array().expect("members").len();
        let part = |more: &[&str]| -> (usize, usize) {
            let output = program.path("part.json");
            program.good(&[&["cut", &whole, "--range", &range, "-o", &output][..], more].concat());
            let flows = program.lines(&["dump", &output, "flows"]);
            let markers = markers(&program, &output, start + from..start + to);
            (flows.iter().map(members).sum(), markers.len())
        };
        let inside: Vec<u64> = program
            .lines(&["dump", &whole, "markers"])
            .iter()
            .filter(|line| {
                let start_ns = line["start_ns"].as_i64().expect("a start");
                start_ns < start + to && line["end_ns"].as_i64().unwrap_or(start_ns) >= start + from
            })
            .map(|line| line["marker"].as_u64().expect("a number"))
            .collect();
        let has_one = |line: &&Value| {
            line["markers"]
                .as_array()
                .expect("members")
                .iter()
                .any(|marker| inside.contains(&marker.as_u64().expect("it")))
        };
        let flows = program.lines(&["dump", &whole, "flows"]);
        let expected: usize = flows.iter().filter(has_one).map(members).sum();
        let (without, with) = (part(&[]), part(&["--keep-flows"]));
        assert!(without.0 < with.0, "{format:?}: {without:?} {with:?}");
        assert!(with.0 >= expected, "{format:?}: {} of {expected} members", with.0);
        assert_eq!(without.1, with.1, "the part is unchanged");
    }
}

#[test]
fn urls_and_screenshots_are_removed_on_request() {
    let program = Program::new("cut-private");
    let image = format!("/9j/{}", "4AAQSkZJRg".repeat(20));
    let events = serde_json::json!([
        {"ph": "X", "name": "https://a.example/x", "pid": 1, "tid": 1, "ts": 0, "dur": 90, "args": {"host": "a.example"}},
        {"ph": "O", "name": "Screenshot", "id": 1, "pid": 1, "tid": 1, "ts": 10, "args": {"snapshot": image}},
    ]);
    let trace = program.file("private.json", events.to_string());
    let names = |options: &[&str]| {
        let out = program.path("out.json");
        program.good(&[&["cut", &trace, "-o", &out][..], options].concat());
        let text = std::fs::read_to_string(&out).expect("a file");
        let names: Vec<String> = program
            .lines(&["dump", &out, "markers"])
            .iter()
            .map(|line| line["name"].as_str().expect("a name").to_owned())
            .collect();
        (names, text.contains("a.example"), text.contains("/9j/"))
    };
    // Members are in alphabetical order, so the host alone is the first address.
    let both = |first: &str| vec![first.to_owned(), "Screenshot".to_owned()];
    assert_eq!(names(&[]), (both("https://a.example/x"), true, true));
    assert_eq!(names(&["--remove-urls"]), (both("https:<URL-2>"), false, true));
    let one = |name: &str| vec![name.to_owned()];
    assert_eq!(names(&["--remove-screenshots"]), (one("https://a.example/x"), true, false));
    assert_eq!(names(&["--remove-urls", "--remove-screenshots"]), (one("https:<URL-2>"), false, false));
}
