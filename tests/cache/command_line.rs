//! The cache from the command line. The program itself is run.

use std::process::{Command, Stdio};

use flowline_synth::Format;
use serde_json::Value;

use super::Folder;

impl Folder {
    /// The output of the program with its cache in this folder.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flowline"));
        for variable in ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env(variable, &self.0);
        }
        let output = command.stdin(Stdio::null()).args(arguments).output().expect("the program starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    #[track_caller]
    fn info(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(&[&["info", "--json"], arguments].concat())).expect("JSON")
    }
}

#[test]
fn a_second_opening_is_told_and_prints_the_same() {
    let folder = Folder::new("cli");
    for format in super::FORMATS {
        let path = folder.synthetic(&format!("{format:?}.json"), format, 150_000, 3);
        let path = path.to_str().expect("UTF-8");
        let off = folder.info(&[path, "--no-cache"]);
        assert_eq!((&off["cache"], &off["cache_reason"]), (&Value::from("off"), &Value::from("switched off")));
        let first = folder.info(&[path]);
        assert!(first["cache"] == "miss" && first["cache_reason"].as_str().expect("words").contains("now"), "{first}");
        let second = folder.info(&[path]);
        assert_eq!(second["cache"], "hit");
        for key in ["markers", "flows", "memberships", "counters", "warnings", "duration_ns", "format", "json_bytes"] {
            assert_eq!(first[key], second[key], "{key}");
        }
        for what in ["threads", "markers", "rows", "flows", "counters", "warnings"] {
            let (read, kept) = (folder.run(&["dump", path, what, "--no-cache"]), folder.run(&["dump", path, what]));
            assert!(read == kept, "{what}");
        }
        let search = ["dump", path, "markers", "--search", "net, dur:>2ms"];
        assert!(folder.run(&search) == folder.run(&[&search[..], &["--no-cache"]].concat()));
    }
    assert_eq!(folder.run(&["cache"]).lines().count(), 2);
    assert!(folder.run(&["cache", "clear"]).starts_with("2 removed"));
    assert_eq!(folder.run(&["cache"]), "");
}

#[test]
fn a_bound_from_the_environment_or_the_line() {
    let folder = Folder::new("cli-bound");
    let path = folder.synthetic("a.json", Format::Chrome, 150_000, 3);
    let path = path.to_str().expect("UTF-8");
    let told = folder.info(&[path, "--cache-limit", "1000"]);
    assert!(told["cache_reason"].as_str().expect("words").contains("more room"), "{told}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_flowline"));
    let output = command.args(["info", path]).env("FLOWLINE_CACHE_LIMIT", "much").output().expect("the program starts");
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("FLOWLINE_CACHE_LIMIT"));
}
