//! `render` and `bench`.

use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::Path;

use crate::count;
use crate::support::example;
use crate::support::program::Program;

/// A decoded image.
struct Picture {
    size: (u32, u32),
    rgba: Vec<u8>,
}

impl Picture {
    fn open(path: &str) -> Self {
        let file = BufReader::new(std::fs::File::open(path).expect("an image"));
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
fn drivers_print_nothing_on_a_server_without_a_runtime_folder() {
    let program = Program::new("render-server");
    let path = program.path("picture.png");
    for arguments in [["render", "example", "-o", &path].as_slice(), &["--help"]] {
        for folder in [None, Some("/nonexistent/runtime")] {
            let mut command = program.command();
            match folder {
                Some(folder) => command.env("XDG_RUNTIME_DIR", folder),
                None => command.env_remove("XDG_RUNTIME_DIR"),
            };
            let output = command.args(arguments).output().expect("the program starts");
            assert!(output.status.success());
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}, {folder:?}");
        }
    }
}

#[test]
fn render_draws_the_requested_contents() {
    let program = Program::new("render");
    let draw = |options: &[&str]| {
        let path = program.path("picture.png");
        let mut arguments = vec!["render", "example", "-o", &path];
        if !options.contains(&"--size") {
            arguments.extend(["--size", "900x600"]);
        }
        arguments.extend(options);
        assert_eq!(program.good(&arguments), "", "rendering prints no message");
        Picture::open(&path)
    };
    let plain = draw(&[]);
    assert_eq!(plain.size, (900, 600));
    assert!(plain.colors() > 40, "only {} colours", plain.colors());
    assert!(plain.rgba == draw(&[]).rgba, "the same arguments give the same image");
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
        &["--box", "0;200..600"],
        &["--measure", "200..600"],
        &["--layout", "name"],
        &["--table"],
    ] {
        let picture = draw(options);
        assert_eq!(picture.size, (900, 600));
        assert!(picture.rgba != plain.rgba, "{options:?} changes nothing");
    }
    assert!(
        draw(&["--range", "1000..1200"]).rgba == draw(&["--range", "1s..1.2s"]).rgba,
        "the same range in two units"
    );
}

/// A trace with slices of 100 ms: name and start in milliseconds.
fn trace(slices: &[(&str, u32)]) -> String {
    let event = |(name, start): &(&str, u32)| {
        format!(r#"{{"ph":"X","name":"{name}","pid":1,"tid":1,"ts":{},"dur":100000}}"#, start * 1000)
    };
    format!("[{}]", slices.iter().map(event).collect::<Vec<_>>().join(","))
}

#[test]
fn render_draws_two_recordings_with_their_alignment() {
    let program = Program::new("compared");
    let first = program.file("first.json", trace(&[("load", 1_000), ("paint", 1_500), ("idle", 1_900)]));
    let second = program.file("second.json", trace(&[("load", 9_000), ("paint", 9_300), ("idle", 9_900)]));
    let path = program.path("picture.png");
    let draw = |options: &[&str]| {
        let mut arguments = vec!["render", &first, "-o", &path, "--size", "900x700"];
        arguments.extend(options);
        assert_eq!(program.good(&arguments), "");
        Picture::open(&path)
    };
    let (alone, start) = (draw(&[]), draw(&["--compare", &second]));
    assert!(alone.rgba != start.rgba);
    assert!(start.rgba == draw(&["--compare", &second, "--align", "start"]).rgba, "aligned by start by default");
    // The same alignment in three ways: "paint" starts at 500 ms in A and at 300 ms in B. Only the text of the heading
    // differs, and a narrow range leaves it unchanged.
    let heading_less = |picture: Picture| {
        let line = picture.size.0 as usize * 4;
        picture.rgba[line * (picture.size.1 as usize / 2 + 60)..].to_vec()
    };
    let range = ["--compare", &second, "--range", "0..1000", "--align"];
    let aligned = |how: &str| heading_less(draw(&[&range[..], &[how]].concat()));
    assert!(aligned("marker:1,1") == aligned("offset:200"));
    assert!(aligned("offset:0.2s") != aligned("offset:-200"));
    assert!(aligned("offset:0") == aligned("start") && aligned("zero") != aligned("start"));
    let statistics = draw(&["--compare", &second, "--table", "statistics"]);
    assert!(statistics.rgba != draw(&["--table", "statistics"]).rgba);
    let refused = |how: &str, expected_text: &str| {
        let message = program.refused(&["render", &first, "--compare", &second, "--align", how, "-o", &path]);
        assert!(message.contains(expected_text), "{message}");
    };
    refused("marker:3,0", "recording A has no marker 3");
    refused("marker:0,7", "recording B has no marker 7");
    let message = program.refused(&["render", &first, "--compare", "none.json", "-o", &path]);
    assert!(message.contains("none.json"), "{message}");
    for wrong in ["middle", "marker:1", "marker:a,b", "offset:", "start:1"] {
        let outcome = program.run(["render", &first, "--compare", &second, "--align", wrong, "-o", &path]);
        assert_eq!(outcome.status, Some(2), "{wrong}: {outcome:?}");
        assert!(outcome.err.contains("marker:N,M"), "{outcome:?}");
    }
    assert_eq!(program.run(["render", &first, "--align", "zero", "-o", &path]).status, Some(2), "of what?");
}

#[test]
fn a_box_needs_a_thread_and_a_range() {
    let program = Program::new("box");
    let path = program.path("none.png");
    for (text, expected_text) in
        [("0", "THREAD;A..B"), ("0;5", "A..B"), ("nobody;1..2", "nobody"), ("0;9..2", "after it starts")]
    {
        let message = program.refused(&["render", "example", "-o", &path, "--box", text]);
        assert!(message.contains(expected_text) && !Path::new(&path).exists(), "{message}");
    }
}

#[test]
fn a_missing_marker_is_refused() {
    let program = Program::new("marker");
    let path = program.path("none.png");
    for option in ["--select", "--hover"] {
        let message = program.refused(&["render", "example", "-o", &path, option, "4000000000"]);
        assert!(
            message.contains(option) && message.contains("4000000000") && message.contains("markers, numbered from 0"),
            "{message}"
        );
        assert!(!Path::new(&path).exists(), "no file is written after a failure");
    }
}

#[test]
fn bench_has_every_stable_key() {
    let program = Program::new("render");
    let bench = program.object(&["bench", "example", "--seconds", "0.3", "--size", "640x400", "--json"]);
    assert!(bench["adapter"].as_str().is_some_and(|adapter| !adapter.is_empty()), "{bench}");
    assert_eq!(count(&bench["markers"]), example().profile().marker_count() as u64);
    assert!(count(&bench["frames"]) > 0 && count(&bench["expanded_threads"]) > 0, "{bench}");
    for part in ["cpu_ms", "gpu_ms", "frame_ms"] {
        let times = bench.get(part).unwrap_or_else(|| panic!("{part}: {bench}"));
        if part == "gpu_ms" && times.is_null() {
            continue;
        }
        let value = |key: &str| times[key].as_f64().unwrap_or_else(|| panic!("{part}.{key}: {bench}"));
        let ordered = [0.0, value("p50"), value("p95"), value("p99"), value("max")];
        assert!(ordered.is_sorted(), "{part}: {times}");
    }
    let text = program.good(&["bench", "example", "--seconds", "0.1", "--size", "640x400"]);
    assert!(text.contains("CPU") && text.contains("frame"), "{text}");
}

#[test]
fn render_writes_svg_for_svg_file_names() {
    let program = Program::new("render svg");
    let path = program.path("picture.SVG");
    let draw = |options: &[&str]| {
        let mut arguments = vec!["render", "example", "-o", &path, "--size", "900x600"];
        arguments.extend(options);
        assert_eq!(program.good(&arguments), "", "rendering prints no message");
        std::fs::read_to_string(&path).expect("text")
    };
    let plain = draw(&[]);
    let all = crate::support::xml::elements(&plain).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((all[0].name.as_str(), all[0].get("viewBox")), ("svg", Some("0 0 900 600")));
    let texts: Vec<&str> = all.iter().filter(|element| element.name == "text").map(|text| &*text.text).collect();
    for text in ["GeckoMain", "Stack", "Memory"] {
        assert!(texts.contains(&text), "{text} is text: {texts:?}");
    }
    assert!(plain == draw(&[]), "the same arguments give the same drawing");
    let light = draw(&["--theme", "light", "--table", "markers", "--select", "100"]);
    crate::support::xml::elements(&light).unwrap_or_else(|error| panic!("{error}"));
    assert!(light.contains("#f3f4f7") && !light.contains("#1a1e26"), "the theme changes the colors");
}

#[test]
fn images_of_recordings_with_notes_show_finished_tables() {
    let program = Program::new("render notes");
    let trace = program.file("notes.json", crate::cut_answers::trace().to_string());
    let picture = program.path("notes.svg");
    for search in ["", "RunTask"] {
        let options = ["--table", "statistics", "--search", search, "--size", "1400x900", "-o", &picture];
        program.good(&[&["render", &trace], &options[..]].concat());
        let text = std::fs::read_to_string(&picture).expect("an image");
        assert!(text.contains("Active filters:") || text.contains("group"), "the table is shown: {search:?}");
        assert!(!text.contains("Counting"), "counting has finished: {search:?}");
    }
}

#[test]
fn render_shows_the_first_view_of_the_window_unless_a_range_is_given() {
    let program = Program::new("render-first-view");
    let steps = (0..3).map(|at| {
        format!(r#"{{"name":"ProfilerStep#{at}","ph":"X","pid":1,"tid":1,"ts":{},"dur":900000}}"#, at * 1_000_000)
    });
    let recording = program.path("steps.json");
    std::fs::write(&recording, format!("[{}]", steps.collect::<Vec<_>>().join(","))).expect("a file");
    let picture = program.path("picture.svg");
    let texts = |options: &[&str]| {
        let arguments = [&["render", &recording, "-o", &picture, "--size", "1200x700"], options].concat();
        assert_eq!(program.good(&arguments), "");
        std::fs::read_to_string(&picture).expect("an image")
    };
    let first = texts(&[]);
    assert!(first.contains("Showing ProfilerStep#1"), "{first}");
    assert!(!texts(&["--range", "0s..3s"]).contains("Showing ProfilerStep#1"));
}
