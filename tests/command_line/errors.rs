//! Help, wrong usage, and refused input.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use flowline_synth::Format;
use serde_json::json;

use crate::support::program::Program;

#[test]
fn an_unwritable_path_is_named() {
    let program = Program::new("unwritable");
    let path = program.path("no such folder/out");
    for arguments in [["render", "example", "-o", &path].as_slice(), &["synth", "--markers", "10", "-o", &path]] {
        let message = program.refused(arguments);
        assert!(message.contains(&path), "{message}");
    }
}

#[test]
fn wrong_usage_has_its_own_exit_status() {
    let program = Program::new("usage");
    let path = program.path("out.png");
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
        let outcome = program.run(&arguments);
        assert_eq!(outcome.status, Some(2), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.out, "", "{arguments:?}");
        assert!(outcome.err.starts_with("error: "), "{arguments:?}: {}", outcome.err);
    }
    assert!(!Path::new(&path).exists());
}

#[test]
fn help_and_version_exit_successfully() {
    let program = Program::new("errors");
    assert!(program.good(&["--version"]).starts_with("flowline "));
    let help = program.good(&["--help"]);
    for command in ["render", "info", "dump", "bench", "synth"] {
        assert!(help.contains(command), "{help}");
        assert!(program.good(&[command, "--help"]).contains("Usage: flowline"), "{command}");
    }
}

#[test]
fn unsupported_files_are_refused_in_one_line_that_names_the_file() {
    let program = Program::new("refused");
    std::fs::create_dir_all(program.path("folder.json")).expect("a folder");
    let files = [
        (program.path("missing.json"), "No such file"),
        (program.path("folder.json"), "directory"),
        (program.file("empty.json", ""), "empty"),
        (program.file("blank.json", "  \n"), "empty"),
        (program.file("picture.json", b"\x89PNG\r\n\x1a\n0000000000"), "PNG"),
        (program.file("words.json", "these are words"), "not a recording"),
        (program.file("other.json", "{\"dependencies\": {}}"), "dependencies"),
        (program.file("damaged.json.gz", b"\x1f\x8b\x08\x00 this is no gzip"), "gzip"),
        (
            program.file("old.json", json!({"meta": {"version": 3, "interval": 1}, "threads": []}).to_string()),
            "version 3",
        ),
        (program.file("numbers.json", "[1, 2, 3]"), "array without trace events"),
    ];
    let out = program.path("out.png");
    for (file, reason) in &files {
        let name = Path::new(file).file_name().and_then(OsStr::to_str).expect("a name");
        for arguments in [
            ["info", file].as_slice(),
            &["info", file, "--json"],
            &["dump", file, "markers"],
            &["render", file, "-o", &out],
            &["bench", file],
        ] {
            let message = program.refused(arguments);
            assert!(message.contains(reason), "{arguments:?}: {message}");
            assert_eq!(message.matches(name).count(), 1, "the file is named once: {message}");
        }
    }
    assert!(!Path::new(&out).exists());
    let packed = program.file("packed.json.gz", include_bytes!("../../fixtures/example.json.gz"));
    let message = program.refused(&["info", &packed, "--max-unpacked", "1000"]);
    assert!(message.contains("--max-unpacked") && message.contains("packed.json.gz"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_non_utf8_file_name_does_not_panic() {
    let program = Program::new("errors");
    use std::os::unix::ffi::OsStrExt;
    let outcome = program.run([OsStr::new("info"), OsStr::from_bytes(b"missing\xff.json")]);
    assert_eq!((outcome.status, outcome.out.as_str(), outcome.err.lines().count()), (Some(1), "", 1), "{outcome:?}");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let program = Program::new("errors");
    let long = program.synthetic("long.json", Format::Chrome, 20_000, 1);
    let commands: [&[&str]; 8] = [
        &["dump", "example", "markers"],
        &["dump", "example", "rows"],
        &["stats", &long, "--by", "name", "--json"],
        &["export", &long, "-o", "-", "--format", "csv"],
        &["cut", &long, "-o", "-", "--range", "0s..1000s"],
        &["annotate", &long, "-o", "-"],
        &["synth", "-o", "-", "--format", "chrome", "--markers", "20000"],
        &["render", "example", "-o", "-"],
    ];
    for what in commands {
        let mut child = program
            .command()
            .args(what)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut begin = [0; 4];
        child.stdout.take().expect("a pipe").read_exact(&mut begin).expect("output");
        // The pipe closes here, long before all output is written.
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{what:?}");
        assert_eq!(output.status.code(), Some(0), "{what:?}");
    }
}

#[test]
fn files_of_the_user_must_exist_and_end() {
    let program = Program::new("errors");
    let missing = program.path("missing.json");
    for command in [&["info", "example"][..], &["dump", "example", "threads"], &["stats", "example"]] {
        let message = program.refused(&[command, &["--notes", &missing]].concat());
        assert!(message.contains("missing.json"), "{message}");
    }
    let message = program.refused(&["info", "example", "--self-profile", "-"]);
    assert!(message.contains("--self-profile"), "{message}");
    if cfg!(target_os = "linux") {
        let message = program.refused(&["info", "example", "--flow-rules", "/dev/zero"]);
        assert!(message.contains("/dev/zero") && message.contains("16 MiB"), "{message}");
        let message = program.refused(&["insights", "example", "--budget", "/dev/zero"]);
        assert!(message.contains("/dev/zero") && message.contains("16 MiB"), "{message}");
    }
}
