//! `flowline sql` and its siblings run `flowline-query`, here a shell script.

use std::os::unix::fs::PermissionsExt as _;

use crate::support::program::Program;

/// A script that prints its arguments and fails with status 7.
const SCRIPT: &str = "#!/bin/sh\nfor argument; do echo \"$argument\"; done\nexit 7\n";

#[test]
fn arguments_and_exit_status_are_passed_on() {
    let program = Program::new("query");
    let script = program.file("query.sh", SCRIPT);
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("an executable file");
    for (arguments, expected) in [
        (&["sql", "a.json", "SELECT 1", "--csv"][..], "sql\na.json\nSELECT 1\n--csv\n"),
        (&["sql", "--no-cache", "a.json", "-f", "q.sql"], "sql\n--no-cache\na.json\n-f\nq.sql\n"),
        (&["export-tables", "a.json", "-o", "out", "--label", "k=v"], "export-tables\na.json\n-o\nout\n--label\nk=v\n"),
        (&["fleet", "regressions", "out", "--a", "b=1"], "fleet\nregressions\nout\n--a\nb=1\n"),
        (&["sql", "--help"], "sql\n--help\n"),
    ] {
        let output = program.command().env("FLOWLINE_QUERY", &script).args(arguments).output().expect("started");
        assert_eq!(output.status.code(), Some(7), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{arguments:?}");
    }
}

#[test]
fn a_missing_program_is_explained() {
    let program = Program::new("query missing");
    let missing = program.path("no-such-program");
    let output = program.command().env("FLOWLINE_QUERY", missing).args(["sql", "a.json", "SELECT 1"]).output();
    let output = output.expect("started");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("flowline-query") && message.contains("./dev query"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}
