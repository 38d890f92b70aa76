//! Output files of commands: never the file that is being read, complete or absent, standard output for `-`. Nothing is
//! written from a recording that has changed.

use std::path::Path;

use flowline_synth::Format;

use crate::support::program::Program;

/// Commands that write a file from a recording, without `-o OUT`.
const WRITERS: [&[&str]; 6] = [
    &["cut", "--range", "0..1"],
    &["annotate"],
    &["export", "--format", "csv"],
    &["render", "--size", "100x100"],
    &["render", "--size", "100x100", "--table"],
    &["cut"],
];

fn with<'a>(writer: &[&'a str], file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&writer[..1], &[file], &writer[1..], more].concat()
}

#[test]
fn no_command_overwrites_its_input() {
    let program = Program::new("over");
    let recording = program.synthetic("t.json", Format::Chrome, 200, 1);
    let other = program.synthetic("other.json", Format::Chrome, 200, 2);
    let notes = program.file("notes.json", r#"{"format":"flowline notes","version":1,"notes":[]}"#);
    let rules = program.file("rules.json", r#"{"version":1,"rules":[]}"#);
    let hard = program.path("hard.json");
    std::fs::hard_link(&recording, &hard).expect("a link");
    let mut names = vec![recording.clone(), hard];
    #[cfg(unix)]
    {
        let soft = program.path("soft.json");
        std::os::unix::fs::symlink("t.json", &soft).expect("a link");
        names.push(soft);
    }
    let inputs = [&recording, &other, &notes, &rules];
    let before: Vec<Vec<u8>> = inputs.iter().map(|file| std::fs::read(file).expect("a file")).collect();
    for writer in WRITERS {
        for target in &names {
            let message = program.refused(&with(writer, &recording, &["-o", target]));
            assert!(message.contains("the recording being read") && message.contains(target.as_str()), "{message}");
        }
        let message = program.refused(&with(writer, &recording, &["--notes", &notes, "-o", &notes]));
        assert!(message.contains("the notes file being read"), "{message}");
        let message = program.refused(&with(writer, &recording, &["--flow-rules", &rules, "-o", &rules]));
        assert!(message.contains("the flow rules file being read"), "{message}");
    }
    let compared = ["render", &recording, "--compare", &other, "--size", "100x100", "-o", &other];
    assert!(program.refused(&compared).contains("the recording being read"));
    for (file, before) in inputs.iter().zip(before) {
        assert!(std::fs::read(file).expect("a file") == before, "{file} is unchanged");
    }
}

#[test]
fn a_minus_writes_to_standard_output_in_every_command() {
    let program = Program::new("minus");
    let recording = program.synthetic("t.json", Format::Chrome, 200, 1);
    let output = |arguments: &[&str]| {
        let output = program.command().args(arguments).current_dir(program.path("")).output().expect("it starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!Path::new(&program.path("-")).exists(), "{arguments:?} creates a file named -");
        output.stdout
    };
    for writer in WRITERS {
        let file = program.path("out");
        let piped = output(&with(writer, &recording, &["-o", "-"]));
        program.good(&with(writer, &recording, &["-o", &file]));
        assert!(!piped.is_empty() && piped == std::fs::read(&file).expect("a file"), "{writer:?}");
    }
    let synth = ["synth", "--markers", "5", "-o"];
    let file = program.path("synth.json");
    let piped = output(&[&synth[..], &["-"]].concat());
    program.good(&[&synth[..], &[&file]].concat());
    assert!(piped == std::fs::read(&file).expect("a file"));
    let message = program.refused(&["export", &recording, "-o", "-"]);
    assert!(message.contains("--format"), "{message}");
}

#[cfg(unix)]
#[test]
fn standard_output_may_not_be_the_recording() {
    let program = Program::new("append");
    let recording = program.synthetic("t.json", Format::Chrome, 200, 1);
    let before = std::fs::read(&recording).expect("a file");
    for writer in WRITERS {
        let file = std::fs::File::options().append(true).open(&recording).expect("a file");
        let run =
            program.command().args(with(writer, &recording, &["-o", "-"])).stdout(file).output().expect("it starts");
        assert_eq!(run.status.code(), Some(1), "{writer:?}");
        assert!(std::fs::read(&recording).expect("a file") == before, "{writer:?}");
    }
}

#[test]
fn an_existing_file_stays_until_the_new_one_is_complete() {
    let program = Program::new("complete");
    let old = program.file("old.json", "precious");
    let wrong = ["synth", "--format", "perfetto", "--samples", "20", "--markers", "5", "-o", &old];
    program.refused(&wrong);
    assert_eq!(std::fs::read_to_string(&old).expect("a file"), "precious");
    #[cfg(unix)]
    {
        let link = program.path("link.json");
        std::fs::create_dir(program.path("elsewhere")).expect("a folder");
        std::os::unix::fs::symlink("elsewhere/new.json", &link).expect("a link");
        program.good(&["synth", "--markers", "5", "-o", &link]);
        assert!(Path::new(&link).is_symlink() && Path::new(&program.path("elsewhere/new.json")).is_file());
    }
}

/// The command reads its notes from a pipe. It therefore waits after loading the recording until the recording has
/// changed.
#[cfg(unix)]
#[test]
fn nothing_is_written_from_a_changed_recording() {
    use std::process::{Command, Stdio};
    for (name, change) in [("shorter", 0), ("longer", 1), ("other bytes", 2)] {
        let program = Program::new("changes");
        let recording = program.synthetic("t.json", Format::Chrome, 5_000, 1);
        let (pipe, out) = (program.path("notes"), program.path("out"));
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let run = |arguments: &[&str]| {
            let command = program.command().args(arguments).stderr(Stdio::piped()).spawn().expect("it starts");
            // Opening blocks until the reader opens the pipe, which happens after the recording is loaded.
            let mut notes = std::fs::File::options().write(true).open(&pipe).expect("a pipe");
            let file = std::fs::File::options().write(true).open(&recording).expect("the recording");
            // The clock of the file system has a coarse resolution.
            std::thread::sleep(std::time::Duration::from_millis(20));
            let length = file.metadata().expect("facts").len();
            match change {
                0 => file.set_len(length / 3).expect("shorter"),
                1 => file.set_len(length + 1).expect("longer"),
                _ => std::os::unix::fs::FileExt::write_all_at(&file, b"[7]", length / 2).expect("written"),
            }
            let text = r#"{"format":"flowline notes","version":1,"notes":[]}"#;
            std::io::Write::write_all(&mut notes, text.as_bytes()).expect("written");
            drop(notes);
            command.wait_with_output().expect("it ends")
        };
        for writer in [&["annotate"][..], &["render", "--size", "100x100"], &["dump", "annotations"]] {
            std::fs::write(&recording, flowline_synth_text()).expect("written");
            let output = if writer[0] == "dump" { &[][..] } else { &["-o", out.as_str()] };
            let arguments = with(writer, &recording, &[output, &["--no-cache", "--notes", &pipe]].concat());
            let ended = run(&arguments);
            let message = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert_eq!(ended.status.code(), Some(1), "{name}, {writer:?}: {message}");
            assert!(message.contains("has changed since it was opened"), "{name}, {writer:?}: {message}");
            assert!(!Path::new(&out).exists(), "{name}, {writer:?}");
        }
    }
}

#[cfg(unix)]
fn flowline_synth_text() -> Vec<u8> {
    let options = flowline_synth::Options {
        markers: 5_000,
        format: Format::Chrome,
        threads: Some(3),
        flows: None,
        samples: 0,
        seed: 3,
    };
    let mut text = Vec::new();
    flowline_synth::write(&options, &mut text).expect("writing to memory succeeds");
    text
}

#[test]
fn unreadable_input_is_not_cut() {
    let program = Program::new("unreadable");
    for (name, text) in
        [("empty.json", ""), ("noise.json", "noise"), ("half.json", "{\"traceEvents\":"), ("n.json", "7")]
    {
        let file = program.file(name, text);
        let out = program.path("out.json");
        program.refused(&["cut", &file, "-o", &out]);
        assert!(!Path::new(&out).exists(), "{name}");
    }
    program.refused(&["cut", &program.path("missing.json"), "-o", &program.path("out.json")]);
}

#[test]
fn heights_must_be_valid_numbers() {
    let program = Program::new("heights");
    for height in ["nan", "inf", "-1", "1e9", "tall"] {
        let outcome = program.run(["render", "example", "--table-height", height, "-o", &program.path("x.png")]);
        assert_eq!(outcome.status, Some(2), "{height}: {outcome:?}");
    }
}
