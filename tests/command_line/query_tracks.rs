//! `render --view` of a view with query tracks runs their queries in the program `flowline-query`, here a shell script.

use std::os::unix::fs::PermissionsExt as _;

use flowline::ui::SavedView;
use serde_json::json;

use crate::support::program::{Outcome, Program};

/// The link of a view of one second of the example with a query track, and a range in the middle of it: start and length.
fn view(program: &Program) -> (String, [i64; 2]) {
    let markers = program.lines(&["dump", "example", "markers"]);
    let start = markers.iter().filter_map(|marker| marker["start_ns"].as_i64()).min().expect("markers");
    let view = json!({"version": 1, "times": {"shown": [start, 0.0, 1e9]}, "tracks": {"queries":
        [{"name": "track of a query", "sql": "SELECT ts, dur, name FROM slice"}]}});
    let link = SavedView::from_json(view.to_string().as_bytes()).expect("a view").to_link();
    (link, [start + 250_000_000, 500_000_000])
}

/// Draws the view with a script as the program; returns the drawing.
fn draw(program: &Program, link: &str, script: &str) -> (Outcome, String) {
    let file = program.file("flowline-query", script);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("an executable file");
    let picture = program.path("picture.svg");
    let output = program
        .command()
        .env("FLOWLINE_QUERY", &file)
        .args(["render", "example", "-o", &picture, &format!("--view={link}"), "--size", "1000x700"])
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let outcome = Outcome { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    (outcome, std::fs::read_to_string(&picture).expect("a drawing"))
}

#[test]
fn a_query_track_is_drawn() {
    let program = Program::new("query tracks");
    let (link, [ts, dur]) = view(&program);
    let log = program.path("log");
    let script = format!(
        r#"#!/bin/sh
echo "$@" > '{log}'
echo '{{"ready":{{"version":1}}}}'
while read -r line; do
  echo "$line" >> '{log}'
  echo '{{"id":1,"columns":[{{"name":"ts","type":"integer"}},{{"name":"dur","type":"integer"}},{{"name":"name","type":"text"}}]}}'
  echo '{{"id":1,"batch":[[{ts}],[{dur}],["found by the query"]]}}'
  echo '{{"id":1,"done":{{"rows":1,"ms":1,"more":false}}}}'
done
"#
    );
    let (_, drawing) = draw(&program, &link, &script);
    for text in ["track of a query", "found by the query"] {
        assert!(drawing.contains(text), "{text} is drawn");
    }
    let log = std::fs::read_to_string(log).expect("a log");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], "serve example");
    assert_eq!(lines[1], r#"{"id":1,"sql":"SELECT ts, dur, name FROM slice","limit":100000}"#);
}

#[test]
fn a_program_that_fails_leaves_a_heading() {
    let program = Program::new("failing query tracks");
    let (link, _) = view(&program);
    for script in ["#!/bin/sh\nexit 3\n", "#!/bin/sh\necho '{\"failed\":\"It cannot be read.\"}'\n"] {
        let (_, drawing) = draw(&program, &link, script);
        assert!(drawing.contains("track of a query") && drawing.contains("failed"), "{script}");
    }
}
