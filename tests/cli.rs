//! The command line as a person or a script meets it: the program itself is run, and its output, its messages and its
//! exit status are what is checked.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use flowline::app::{Origin, UserRules, load};
use flowline::import::{Options, Progress};
use flowline::index::FlowGraph;
use flowline::index::Index;
use flowline::index::search::{Query, run as search};
use serde_json::{Value, json};

/// What a run left behind.
#[derive(Debug)]
struct Outcome {
    status: Option<i32>,
    out: String,
    err: String,
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flowline"));
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("XDG_RUNTIME_DIR", std::env::temp_dir());
    command.stdin(Stdio::null());
    command
}

fn flowline(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Outcome {
    let output = program().args(arguments).output().expect("the program starts");
    Outcome {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    }
}

/// The output of a run that must end well and silently.
fn good(arguments: &[&str]) -> String {
    let outcome = flowline(arguments);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    assert_eq!(outcome.err, "", "{arguments:?} says something although it is no terminal");
    outcome.out
}

/// The message of a run that must fail with status 1, one line, and nothing on standard output.
fn refused(arguments: &[&str]) -> String {
    let outcome = flowline(arguments);
    assert_eq!(outcome.status, Some(1), "{arguments:?}: {outcome:?}");
    assert_eq!(outcome.out, "", "{arguments:?}");
    assert_eq!(outcome.err.lines().count(), 1, "{arguments:?}: {}", outcome.err);
    outcome.err
}

fn object(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "one object on one line: {text}");
    serde_json::from_str(text).expect("JSON")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a count, not {value}"))
}

/// A folder of a test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), bytes).expect("a file");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left of a failed test does no harm.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

/// The bundled recording, read through the library.
fn example() -> &'static Arc<Index> {
    static EXAMPLE: OnceLock<Arc<Index>> = OnceLock::new();
    EXAMPLE.get_or_init(|| {
        load(&Origin::Example, Options::default(), &UserRules::built_in(), &Progress::default())
            .expect("the example can be read")
            .index
    })
}

/// The bundled recording as text.
fn example_text() -> Vec<u8> {
    let mut text = Vec::new();
    let packed = include_bytes!("../fixtures/example.json.gz");
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut text).expect("gzip");
    text
}

#[test]
fn info_says_what_a_recording_holds() {
    let text = good(&["info", "example"]);
    let profile = example().profile();
    for (what, amount) in [
        ("processes", profile.processes.len()),
        ("threads", profile.threads.len()),
        ("markers", profile.marker_count()),
        ("counters", profile.counters.len()),
    ] {
        let line = text.lines().find(|line| line.starts_with(what)).unwrap_or_else(|| panic!("{what} in {text}"));
        assert_eq!(line.split_whitespace().nth(1), Some(amount.to_string().as_str()), "{line}");
    }
    for what in ["format", "size", "duration", "loaded in", "memory"] {
        assert!(text.lines().any(|line| line.starts_with(what)), "{what} in {text}");
    }
}

#[test]
fn info_has_every_stable_key() {
    let info = object(&good(&["info", "example", "--json"]));
    let profile = example().profile();
    for key in
        ["file_bytes", "json_bytes", "version", "processes", "threads", "markers", "incomplete", "counters", "warnings"]
    {
        assert!(info[key].is_u64(), "{key}: {}", info[key]);
    }
    for key in ["start_ns", "duration_ns"] {
        assert!(info[key].is_i64(), "{key}: {}", info[key]);
    }
    for key in ["flows", "memberships"] {
        assert!(info.get(key).is_some_and(|value| value.is_null() || value.is_u64()), "{key}: {info}");
    }
    for key in ["total", "read", "scan", "parse", "derive", "rows", "pyramid"] {
        assert!(info["load_ms"][key].as_f64().is_some_and(|ms| ms >= 0.0), "load_ms.{key}: {info}");
    }
    assert!(info["load_ms"].get("flows").is_some_and(|value| value.is_null() || value.is_f64()), "{info}");
    for key in ["peak_bytes", "index_bytes", "payload_bytes"] {
        assert!(info["memory"][key].is_u64(), "memory.{key}: {info}");
    }
    assert_eq!(info["format"], "firefox-raw");
    assert_eq!(count(&info["markers"]), profile.marker_count() as u64);
    assert_eq!(count(&info["threads"]), profile.threads.len() as u64);
    assert_eq!(count(&info["processes"]), profile.processes.len() as u64);
    assert_eq!(info["start_ns"], profile.meta.range.start.0);
    assert_eq!(info["duration_ns"], profile.meta.range.len());
    assert!(count(&info["json_bytes"]) > count(&info["file_bytes"]), "the example is packed");
}

#[test]
fn dumped_threads_add_up() {
    let threads = lines(&good(&["dump", "example", "threads"]));
    let profile = example().profile();
    assert_eq!(threads.len(), profile.threads.len());
    for (number, thread) in threads.iter().enumerate() {
        assert_eq!(keys(thread), ["markers", "name", "pid", "process", "thread", "tid"]);
        assert_eq!(thread["thread"], number);
        for key in ["name", "pid", "process", "tid"] {
            assert!(thread[key].is_string(), "{key}: {thread}");
        }
    }
    let total: u64 = threads.iter().map(|thread| count(&thread["markers"])).sum();
    assert_eq!(total, profile.marker_count() as u64);
}

#[test]
fn dumped_markers_are_numbered_and_ordered() {
    let markers = lines(&good(&["dump", "example", "markers"]));
    assert_eq!(markers.len(), example().profile().marker_count());
    let mut before: BTreeMap<u64, i64> = BTreeMap::new();
    for (number, marker) in markers.iter().enumerate() {
        assert_eq!(
            keys(marker),
            ["category", "data", "end_ns", "incomplete", "marker", "name", "start_ns", "thread"],
            "{marker}"
        );
        assert_eq!(marker["marker"], number);
        assert!(marker["name"].is_string() && marker["category"].is_string() && marker["incomplete"].is_boolean());
        assert!(marker["data"].is_object() || marker["data"].is_null(), "{marker}");
        let start = marker["start_ns"].as_i64().expect("a start");
        assert!(marker["end_ns"].is_null() || marker["end_ns"].as_i64().is_some_and(|end| end >= start), "{marker}");
        let thread = count(&marker["thread"]);
        assert!(before.insert(thread, start).is_none_or(|before| before <= start), "{marker} comes after a later one");
    }
    let instants = markers.iter().filter(|marker| marker["end_ns"].is_null()).count();
    assert!(instants > 0 && instants < markers.len());
}

#[test]
fn dumped_rows_hold_every_marker_once_and_none_overlaps() {
    let markers = lines(&good(&["dump", "example", "markers"]));
    let rows = lines(&good(&["dump", "example", "rows"]));
    let layouts: BTreeSet<&str> = rows.iter().map(|row| row["layout"].as_str().expect("a layout")).collect();
    assert_eq!(layouts.into_iter().collect::<Vec<_>>(), ["name", "stack"]);
    for layout in ["name", "stack"] {
        let mut seen = vec![false; markers.len()];
        for row in rows.iter().filter(|row| row["layout"] == layout) {
            assert_eq!(keys(row), ["category", "group", "layout", "markers", "row", "thread"]);
            let mut end = i64::MIN;
            for number in row["markers"].as_array().expect("markers") {
                let number = usize::try_from(count(number)).expect("small");
                let marker = &markers[number];
                assert!(!std::mem::replace(&mut seen[number], true), "marker {number} stands on two rows");
                assert_eq!(marker["thread"], row["thread"]);
                let start = marker["start_ns"].as_i64().expect("a start");
                assert!(start >= end, "marker {number} overlaps the one before it: {row}");
                end = marker["end_ns"].as_i64().unwrap_or(start);
            }
        }
        assert!(seen.iter().all(|seen| *seen), "a marker stands on no row of layout {layout}");
        let only = lines(&good(&["dump", "example", "rows", "--layout", layout]));
        assert_eq!(only, rows.iter().filter(|row| row["layout"] == layout).cloned().collect::<Vec<_>>());
    }
}

#[test]
fn dumped_counters_have_ordered_samples() {
    let counters = lines(&good(&["dump", "example", "counters"]));
    assert_eq!(counters.len(), example().profile().counters.len());
    assert!(!counters.is_empty());
    for (number, counter) in counters.iter().enumerate() {
        assert_eq!(keys(counter), ["counter", "name", "pid", "samples", "series"]);
        assert_eq!(counter["counter"], number);
        let samples = counter["samples"].as_array().expect("samples");
        let times: Vec<i64> = samples.iter().map(|sample| sample[0].as_i64().expect("nanoseconds")).collect();
        assert!(times.is_sorted() && !times.is_empty());
        assert!(samples.iter().all(|sample| sample[1].is_number() && sample.as_array().map(Vec::len) == Some(2)));
    }
}

#[test]
fn warnings_of_a_damaged_recording_are_counted_and_placed() {
    let folder = Folder::new("warnings");
    let text = example_text();
    let cut = folder.file("cut.json", &text[..text.len() * 3 / 5]);
    assert_eq!(good(&["dump", "example", "warnings"]), "", "the example is sound");
    let warnings = lines(&good(&["dump", &cut, "warnings"]));
    assert!(warnings.iter().any(|warning| warning["kind"] == "truncated"), "{warnings:?}");
    for warning in &warnings {
        assert_eq!(keys(warning), ["count", "first", "kind"]);
        assert!(count(&warning["count"]) > 0 && warning["first"].is_string(), "{warning}");
    }
    let info = object(&good(&["info", &cut, "--json"]));
    assert_eq!(count(&info["warnings"]), warnings.iter().map(|warning| count(&warning["count"])).sum::<u64>());
    let told = good(&["info", &cut]);
    assert_eq!(told.lines().filter(|line| line.starts_with("note")).count(), warnings.len(), "{told}");
}

#[test]
fn a_search_prints_what_the_library_finds() {
    let profile = example().profile();
    for query in
        ["runnable", "paint, load", "dur:>5ms", "-name:runnable", "thread:gecko,name:http", "no marker says this"]
    {
        let hits = search(profile, &FlowGraph::build(profile), &Query::parse(query), &|| true).expect("nobody cancels");
        let expected: Vec<u64> = hits.iter(profile).map(|id| u64::from(id.0)).collect();
        let option = format!("--search={query}");
        let found: Vec<u64> =
            lines(&good(&["dump", "example", "markers", &option])).iter().map(|line| count(&line["marker"])).collect();
        assert_eq!(found, expected, "{query}");
        let rows = lines(&good(&["dump", "example", "rows", "--layout", "name", &option]));
        let on_rows: BTreeSet<u64> =
            rows.iter().flat_map(|row| row["markers"].as_array().expect("markers")).map(count).collect();
        assert_eq!(on_rows, expected.into_iter().collect(), "rows of {query}");
    }
    let everything = good(&["dump", "example", "markers"]);
    assert_eq!(good(&["dump", "example", "markers", "--search", ""]), everything);
    assert_eq!(good(&["dump", "example", "markers", "--search", "-name:no such name"]), everything, "a leading hyphen");
}

/// A decoded picture.
struct Picture {
    size: (u32, u32),
    rgba: Vec<u8>,
}

impl Picture {
    fn open(path: &str) -> Self {
        let file = BufReader::new(std::fs::File::open(path).expect("a picture"));
        let mut reader = png::Decoder::new(file).read_info().expect("PNG");
        let mut rgba = vec![0; reader.output_buffer_size().expect("small")];
        let frame = reader.next_frame(&mut rgba).expect("pixels");
        assert_eq!((frame.color_type, frame.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
        Self { size: (frame.width, frame.height), rgba }
    }

    fn colors(&self) -> usize {
        self.rgba.chunks_exact(4).collect::<BTreeSet<_>>().len()
    }

    fn brightness(&self) -> f64 {
        let sum: f64 = self.rgba.chunks_exact(4).flat_map(|pixel| &pixel[..3]).map(|value| f64::from(*value)).sum();
        sum / f64::from(self.size.0 * self.size.1 * 3)
    }
}

#[test]
fn render_draws_what_is_asked_for() {
    let folder = Folder::new("render");
    let draw = |options: &[&str]| {
        let path = folder.path("picture.png");
        let mut arguments = vec!["render", "example", "-o", &path];
        if !options.contains(&"--size") {
            arguments.extend(["--size", "900x600"]);
        }
        arguments.extend(options);
        assert_eq!(good(&arguments), "", "pictures are not told of");
        Picture::open(&path)
    };
    let plain = draw(&[]);
    assert_eq!(plain.size, (900, 600));
    assert!(plain.colors() > 40, "only {} colours", plain.colors());
    assert!(plain.rgba == draw(&[]).rgba, "the same arguments give the same picture");
    let light = draw(&["--theme", "light"]);
    assert!(plain.brightness() < 90.0 && light.brightness() > 170.0, "{} {}", plain.brightness(), light.brightness());
    assert_eq!(draw(&["--size", "640x1111"]).size, (640, 1111));
    let fine = draw(&["--size", "1800x1200", "--scale", "2"]);
    assert_eq!(fine.size, (1800, 1200));
    let wide = draw(&["--size", "1800x1200"]);
    assert!(fine.rgba != wide.rgba, "--scale 2 draws everything twice as large");
    for options in [
        ["--range", "1000..1200"].as_slice(),
        &["--range", "1s..1.2s"],
        &["--select", "400"],
        &["--hover", "400"],
        &["--search", "runnable"],
        &["--layout", "stack"],
        &["--table"],
    ] {
        let picture = draw(options);
        assert_eq!(picture.size, (900, 600));
        assert!(picture.rgba != plain.rgba, "{options:?} changes nothing");
    }
    assert!(draw(&["--range", "1000..1200"]).rgba == draw(&["--range", "1s..1.2s"]).rgba, "one range, two units");
}

#[test]
fn a_marker_that_does_not_exist_is_refused() {
    let folder = Folder::new("marker");
    let path = folder.path("none.png");
    for option in ["--select", "--hover"] {
        let message = refused(&["render", "example", "-o", &path, option, "4000000000"]);
        assert!(message.contains(option) && message.contains("4000000000") && message.contains("2744"), "{message}");
        assert!(!Path::new(&path).exists(), "nothing was drawn, so nothing is written");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let folder = Folder::new("unwritable");
    let path = folder.path("no such folder/out");
    for arguments in [["render", "example", "-o", &path].as_slice(), &["synth", "--markers", "10", "-o", &path]] {
        let message = refused(arguments);
        assert!(message.contains(&path), "{message}");
    }
}

#[test]
fn wrong_usage_has_its_own_status() {
    let folder = Folder::new("usage");
    let path = folder.path("out.png");
    let render = |option: &'static str, value: &'static str| vec!["render", "example", "-o", &path, option, value];
    for arguments in [
        vec!["info"],
        vec!["info", "example", "--yaml"],
        vec!["dump", "example"],
        vec!["dump", "example", "poems"],
        vec!["render", "example"],
        render("--size", "banana"),
        render("--size", "10x10"),
        render("--size", "99999x100"),
        render("--scale", "0"),
        render("--scale", "NaN"),
        render("--range", "5..1"),
        render("--range", "5"),
        render("--select", "-1"),
        render("--theme", "pink"),
        vec!["bench", "example", "--seconds", "soon"],
        vec!["bench", "example", "--seconds=-1"],
        vec!["bench", "example", "--seconds", "NaN"],
        vec!["bench", "example", "--seconds", "inf"],
        vec!["synth"],
        vec!["synth", "--markers", "many", "-o", &path],
        vec!["--keys", "emacs"],
        vec!["one.json", "two.json"],
    ] {
        let outcome = flowline(&arguments);
        assert_eq!(outcome.status, Some(2), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.out, "", "{arguments:?}");
        assert!(outcome.err.starts_with("error: "), "{arguments:?}: {}", outcome.err);
    }
    assert!(!Path::new(&path).exists());
}

#[test]
fn help_and_version_end_well() {
    assert!(good(&["--version"]).starts_with("flowline "));
    let help = good(&["--help"]);
    for command in ["render", "info", "dump", "bench", "synth"] {
        assert!(help.contains(command), "{help}");
        assert!(good(&[command, "--help"]).contains("Usage: flowline"), "{command}");
    }
}

#[test]
fn what_is_no_recording_is_refused_in_one_line_that_names_the_file() {
    let folder = Folder::new("refused");
    std::fs::create_dir_all(folder.path("folder.json")).expect("a folder");
    let files = [
        (folder.path("missing.json"), "No such file"),
        (folder.path("folder.json"), "directory"),
        (folder.file("empty.json", ""), "empty"),
        (folder.file("blank.json", "  \n"), "empty"),
        (folder.file("picture.json", b"\x89PNG\r\n\x1a\n0000000000"), "PNG"),
        (folder.file("words.json", "these are words"), "not a recording"),
        (folder.file("other.json", "{\"dependencies\": {}}"), "dependencies"),
        (folder.file("damaged.json.gz", b"\x1f\x8b\x08\x00 this is no gzip"), "gzip"),
        (
            folder.file("old.json", json!({"meta": {"version": 3, "interval": 1}, "threads": []}).to_string()),
            "version 3",
        ),
        (folder.file("numbers.json", "[1, 2, 3]"), "array of other things"),
    ];
    let out = folder.path("out.png");
    for (file, reason) in &files {
        let name = Path::new(file).file_name().and_then(OsStr::to_str).expect("a name");
        for arguments in [
            ["info", file].as_slice(),
            &["info", file, "--json"],
            &["dump", file, "markers"],
            &["render", file, "-o", &out],
            &["bench", file],
        ] {
            let message = refused(arguments);
            assert!(message.contains(reason), "{arguments:?}: {message}");
            assert_eq!(message.matches(name).count(), 1, "the file is named once: {message}");
        }
    }
    assert!(!Path::new(&out).exists());
    let packed = folder.file("packed.json.gz", include_bytes!("../fixtures/example.json.gz"));
    let message = refused(&["info", &packed, "--max-unpacked", "1000"]);
    assert!(message.contains("--max-unpacked") && message.contains("packed.json.gz"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_file_name_that_is_no_text_is_no_reason_to_panic() {
    use std::os::unix::ffi::OsStrExt;
    let outcome = flowline([OsStr::new("info"), OsStr::from_bytes(b"missing\xff.json")]);
    assert_eq!((outcome.status, outcome.out.as_str(), outcome.err.lines().count()), (Some(1), "", 1), "{outcome:?}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for what in ["markers", "rows"] {
        let mut child = program()
            .args(["dump", "example", what])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::with_capacity(64, child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        assert!(line.starts_with('{'), "{line}");
        // The pipe is closed here, long before everything is written.
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{what}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{what}");
    }
}

#[test]
fn bench_has_every_stable_key() {
    let bench = object(&good(&["bench", "example", "--seconds", "0.3", "--size", "640x400", "--json"]));
    assert!(bench["adapter"].as_str().is_some_and(|adapter| !adapter.is_empty()), "{bench}");
    assert_eq!(count(&bench["markers"]), example().profile().marker_count() as u64);
    assert!(count(&bench["frames"]) > 0);
    for part in ["cpu_ms", "gpu_ms", "frame_ms"] {
        let times = bench.get(part).unwrap_or_else(|| panic!("{part}: {bench}"));
        if part == "gpu_ms" && times.is_null() {
            continue;
        }
        let value = |key: &str| times[key].as_f64().unwrap_or_else(|| panic!("{part}.{key}: {bench}"));
        let ordered = [0.0, value("p50"), value("p95"), value("p99"), value("max")];
        assert!(ordered.is_sorted(), "{part}: {times}");
    }
    let text = good(&["bench", "example", "--seconds", "0.1", "--size", "640x400"]);
    assert!(text.contains("CPU") && text.contains("frame"), "{text}");
}

#[test]
fn synthetic_recordings_hold_exactly_what_was_asked_for() {
    let folder = Folder::new("synth");
    for (markers, threads, name) in
        [("5000", "3", "plain.json"), ("5000", "3", "packed.json.gz"), ("1", "1", "one.json")]
    {
        let path = folder.path(name);
        let arguments = ["synth", "--markers", markers, "--threads", threads, "-o", &path];
        assert_eq!(good(&arguments), "");
        let info = object(&good(&["info", &path, "--json"]));
        assert_eq!(info["markers"].to_string(), markers, "{name}");
        assert_eq!(info["threads"].to_string(), threads, "{name}");
        assert_eq!(lines(&good(&["dump", &path, "markers"])).len().to_string(), markers, "{name}");
    }
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("a file");
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(bytes("packed.json.gz").as_slice()).read_to_end(&mut unpacked).expect("gzip");
    assert!(unpacked == bytes("plain.json"), "packed or not, it is one recording");
}

#[test]
fn synthetic_recordings_are_repeatable() {
    let folder = Folder::new("repeatable");
    let write = |name: &str, options: &[&str]| {
        let path = folder.path(name);
        let mut arguments = vec!["synth", "--markers", "3000", "-o", &path];
        arguments.extend(options);
        good(&arguments);
        std::fs::read(path).expect("a file")
    };
    for format in ["firefox", "chrome"] {
        let first = write("first", &["--format", format]);
        assert!(first == write("second", &["--format", format]), "{format}: the same options, the same bytes");
        assert!(first == write("seed", &["--format", format, "--seed", "1"]), "{format}: the first seed is 1");
        assert!(first != write("other", &["--format", format, "--seed", "2"]), "{format}: another seed");
        assert!(first != write("flows", &["--format", format, "--flows", "0"]), "{format}: no flows");
        let value: Value = serde_json::from_slice(&first).expect("JSON");
        assert_eq!(value.get("traceEvents").is_some(), format == "chrome");
    }
}
