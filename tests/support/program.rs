//! Running the `flowline` program.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use flowline_synth::Format;
use serde_json::Value;

use super::folder::Folder;

/// The program without a display and without input. Configuration, state and cache of the user are in `home`.
pub(crate) fn command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flowline"));
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    for variable in ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env(variable, home);
    }
    command.stdin(Stdio::null());
    command
}

/// Exit status and output of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program with its own home folder, which also contains the test's files.
#[derive(Debug)]
pub(crate) struct Program {
    folder: Folder,
}

impl Program {
    pub(crate) fn new(name: &str) -> Self {
        Self { folder: Folder::new(name) }
    }

    /// The path of a file in the folder, as an argument.
    pub(crate) fn path(&self, name: &str) -> String {
        argument(&self.folder.path(name))
    }

    /// Writes a file and returns its path as an argument.
    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        argument(&self.folder.file(name, contents))
    }

    /// Writes a synthetic recording and returns its path as an argument.
    pub(crate) fn synthetic(&self, name: &str, format: Format, markers: u64, seed: u64) -> String {
        argument(&self.folder.synthetic(name, format, markers, seed))
    }

    /// A command that has not started yet.
    pub(crate) fn command(&self) -> Command {
        command(self.folder.root())
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Outcome {
        let output = self.command().args(arguments).output().expect("the program starts");
        Outcome {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// The output of a run that must succeed without any message.
    #[track_caller]
    pub(crate) fn good(&self, arguments: &[&str]) -> String {
        let outcome = self.run(arguments);
        assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.err, "", "{arguments:?} prints a message although standard error is not a terminal");
        outcome.out
    }

    /// The message of a run that must fail with status 1, print one line, and leave standard output empty.
    #[track_caller]
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let outcome = self.run(arguments);
        assert_eq!(outcome.status, Some(1), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.out, "", "{arguments:?}");
        assert_eq!(outcome.err.lines().count(), 1, "{arguments:?}: {}", outcome.err);
        outcome.err
    }

    /// The JSON Lines printed by a run.
    #[track_caller]
    pub(crate) fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        let text = self.good(arguments);
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
    }

    /// The JSON object that a run prints on a single line.
    #[track_caller]
    pub(crate) fn object(&self, arguments: &[&str]) -> Value {
        let text = self.good(arguments);
        assert_eq!(text.lines().count(), 1, "one object on one line: {text}");
        serde_json::from_str(&text).expect("JSON")
    }
}

fn argument(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}
