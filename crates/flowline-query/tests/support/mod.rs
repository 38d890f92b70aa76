//! Runs both programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// The program `flowline-query`.
pub(crate) fn query_program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_flowline-query"))
}

/// The program `flowline`, which a test of the whole workspace builds; otherwise it is built now.
pub(crate) fn flowline() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let find = || {
        let path = query_program().with_file_name(format!("flowline{}", std::env::consts::EXE_SUFFIX));
        if !path.exists() {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let status = Command::new(env!("CARGO")).args(["build", "--bin", "flowline"]).current_dir(root).status();
            assert!(status.expect("cargo").success(), "flowline must build");
        }
        path
    };
    BUILT.get_or_init(find).clone()
}

/// A folder for the files of a test, removed at the end.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs a program with its own user folders.
pub(crate) fn run(program: &Path, arguments: &[&str]) -> Output {
    let state = folder();
    let mut command = Command::new(program);
    for variable in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
        command.env(variable, state.path().join(variable));
    }
    command.args(arguments).output().expect("the program starts")
}

/// The text that a program prints; it must succeed.
pub(crate) fn print(program: &Path, arguments: &[&str]) -> String {
    let output = run(program, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Lines of JSON that a program prints; it must succeed.
pub(crate) fn lines(program: &Path, arguments: &[&str]) -> Vec<Value> {
    print(program, arguments)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// The values of a JSON object in the order of its members.
struct Row(Vec<Value>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Row;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
                let mut values = Vec::new();
                while let Some((_, value)) = map.next_entry::<String, Value>()? {
                    values.push(value);
                }
                Ok(Row(values))
            }
        }
        from.deserialize_map(Members)
    }
}

/// The rows of a query as lists of values, in the order of their columns.
pub(crate) fn rows(recording: &str, query: &str) -> Vec<Vec<Value>> {
    let text = print(query_program(), &["sql", recording, query, "--json"]);
    let row = |line: &str| serde_json::from_str::<Row>(line).unwrap_or_else(|error| panic!("{error}: {line}")).0;
    text.lines().map(row).collect()
}

/// The error of a command that must fail.
pub(crate) fn failure(arguments: &[&str]) -> String {
    let output = run(query_program(), arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(message.lines().count(), 1, "one line: {message}");
    message
}
