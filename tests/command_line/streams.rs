//! Standard input, named pipes and devices: read and limited like files; waiting for a pipe prints a message.
#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::program::Program;

const TRACE: &str = "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]";

fn start(program: &Program, arguments: &[&str]) -> Child {
    let mut command = program.command();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// A named pipe.
fn fifo(program: &Program, name: &str) -> String {
    let path = program.path(name);
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    path
}

#[test]
fn a_minus_reads_standard_input() {
    let program = Program::new("stdin");
    let out = program.path("out.png");
    let packed = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(TRACE.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    };
    for (arguments, text) in [
        (vec!["info", "-", "--json"], TRACE.as_bytes()),
        (vec!["dump", "-", "markers"], &packed),
        (vec!["render", "-", "-o", &out, "--size", "400x300"], TRACE.as_bytes()),
    ] {
        let mut child = start(&program, &arguments);
        child.stdin.take().expect("a pipe").write_all(text).expect("is read");
        let output = child.wait_with_output().expect("it ends");
        let (shown, stderr_text) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!((output.status.code(), stderr_text.as_ref()), (Some(0), ""), "{arguments:?}");
        assert!(
            arguments[0] == "render" || shown.contains("\"markers\":1") || shown.contains("\"name\":\"a\""),
            "{shown}"
        );
    }
    assert!(std::path::Path::new(&out).exists());
    // Errors name standard input.
    let mut child = start(&program, &["info", "-"]);
    child.stdin.take().expect("a pipe").write_all(b"hello").expect("is read");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard input: this is text"));
}

#[test]
fn an_endless_device_is_refused_at_once() {
    let program = Program::new("device");
    let began = Instant::now();
    for options in [["--max-memory", "500000000"].as_slice(), &[]] {
        let message = program.refused(&[&["info", "/dev/zero"], options].concat());
        assert!(message.contains("/dev/zero: this is a binary file"), "{message}");
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn an_endless_pipe_stops_at_the_memory_limit() {
    let program = Program::new("endless");
    for (option, expected_text) in [("--max-memory", "--max-memory"), ("--max-unpacked", "--max-unpacked")] {
        let mut child = start(&program, &["info", "-", option, "200000000"]);
        let mut input = child.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || {
            let block = [b'[', b' '].repeat(1 << 19);
            let mut written = 0_u64;
            // Until the reader is gone.
            while input.write_all(&block).is_ok() {
                written += block.len() as u64;
            }
            written
        });
        let output = child.wait_with_output().expect("it ends");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{message}");
        assert!(message.contains(expected_text), "{message}");
        let written = writer.join().expect("ends");
        assert!(written < 260_000_000, "{written} bytes were accepted");
    }
}

#[test]
fn waiting_for_a_pipe_without_a_writer_prints_a_message() {
    let program = Program::new("fifo");
    let path = fifo(&program, "pipe");
    let mut child = start(&program, &["dump", &path, "markers"]);
    // The message appears before anything is written to the pipe.
    let mut stderr_text = [0; 256];
    let length = child.stderr.take().expect("a pipe").read(&mut stderr_text).expect("a message");
    let stderr_text = String::from_utf8_lossy(&stderr_text[..length]).into_owned();
    assert!(stderr_text.contains("pipe: Waiting for data from the pipe"), "{stderr_text}");
    std::fs::write(&path, TRACE).expect("is read");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
}

#[test]
fn waiting_for_a_pipe_can_be_canceled() {
    use flowline::import::{ImportError, Options, Phase, Progress, open};
    let program = Program::new("fifo-cancel");
    let path = std::path::PathBuf::from(fifo(&program, "pipe"));
    let progress = std::sync::Arc::new(Progress::default());
    let load = {
        let (path, progress) = (path.clone(), std::sync::Arc::clone(&progress));
        std::thread::spawn(move || open(&path, &Options::default(), &progress))
    };
    let began = Instant::now();
    while progress.get().0 != Phase::AwaitWriter && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    progress.cancel();
    assert!(matches!(load.join().expect("ends"), Err(ImportError::Cancelled)));
    assert!(began.elapsed() < Duration::from_secs(10));
    // The waiting thread continues and ends as soon as there is a writer.
    drop(std::fs::File::options().write(true).open(&path));
}

/// A process of its own, because the memory of other tests counts against the limit, too.
#[test]
fn threads_count_against_the_memory_limit() {
    let program = Program::new("threads");
    let trace = |name: &str, thread_of: fn(usize) -> usize| {
        let event = |at| format!(r#"{{"ph":"X","name":"a","ts":{at},"dur":1,"pid":1,"tid":{}}}"#, thread_of(at));
        program.file(name, format!("[{}]", (0..400_000).map(event).collect::<Vec<_>>().join(",\n")))
    };
    let [one, many] = [trace("one.json", |_| 1), trace("many.json", |at| at)];
    let limited = |file| ["info", file, "--no-cache", "--max-memory", "150000000"];
    program.good(&limited(&one));
    let message = program.refused(&limited(&many));
    assert!(message.contains("not enough memory"), "{message}");
}
