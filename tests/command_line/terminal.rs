//! No text from a recording, a file name or an argument reaches the terminal as a control character.

use serde_json::{Value, json};

use crate::support::program::{Outcome, Program};

/// Terminal colors, title and clipboard sequences, a bell, a C1 control, bidirectional marks, a line feed, DEL.
const EVIL: &str = "\u{1b}]0;T\u{7}\u{1b}[31mred\u{202e}evil\u{2066}\u{9b}31m\nnote\r\u{85}\u{7f}";

/// Fails on the first character that a terminal may interpret.
#[track_caller]
fn assert_visible(outcome: &Outcome, what: &str) {
    for text in [&outcome.out, &outcome.err] {
        let bad = text.chars().find(|character| {
            let is_control = character.is_control() && *character != '\n';
            is_control
                || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
        });
        assert_eq!(bad, None, "{what}: {text:?}");
    }
}

/// A trace, a Firefox profile and unsupported files, full of control characters, escaped and raw.
fn recordings() -> Vec<(&'static str, Vec<u8>)> {
    let event = json!({"ph": "X", "ts": 1, "dur": 5, "pid": 1, "tid": 1, "name": EVIL, "args": {EVIL: EVIL}});
    let trace = json!({
        "traceEvents": [
            event,
            {"ph": format!("Q{EVIL}"), "ts": 2, "pid": 1, "tid": 1},
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": EVIL}},
            {"ph": "C", "name": EVIL, "pid": EVIL, "tid": 1, "ts": 3, "args": {EVIL: 1}},
            {"ph": "E", "ts": 9, "pid": 1, "tid": 1, "name": EVIL},
            {"ph": "s", "id": EVIL, "ts": 2, "pid": 1, "tid": 1, "name": "f", "cat": EVIL},
            {"ph": "f", "id": EVIL, "ts": 3, "pid": 1, "tid": 1, "name": "f", "cat": EVIL, "bp": "e"},
        ],
        EVIL: 1,
        "metadata": {"product": EVIL},
    });
    // Raw bytes inside strings, which violate JSON.
    let raw = trace.to_string().replace("\\u001b", "\u{1b}").replace("\\u0007", "\u{7}").replace("\\n", "\u{1b}");
    let thread = json!({
        "name": EVIL, "processName": EVIL, "pid": EVIL, "tid": EVIL,
        "markers": {"name": [0], "startTime": [1.0], "endTime": [null], "phase": [7], "category": [0],
            "data": [{"type": EVIL, EVIL: EVIL}], "length": 1},
    });
    let profile = json!({
        "meta": {"preprocessedProfileVersion": 60, "interval": 1, "product": EVIL, "categories": [{"name": EVIL, "color": EVIL}],
            "markerSchema": [{"name": EVIL, "tooltipLabel": format!("{{marker.{EVIL}}}"), "display": [], "fields": [{"key": EVIL, "format": EVIL}]}]},
        "libs": [], "shared": {"stringArray": [EVIL]}, "threads": [thread],
    });
    vec![
        ("trace", trace.to_string().into_bytes()),
        ("raw", raw.into_bytes()),
        ("firefox", profile.to_string().into_bytes()),
        ("key", json!({EVIL: 1}).to_string().into_bytes()),
        ("array", json!([{EVIL: 1}]).to_string().into_bytes()),
        ("text", EVIL.as_bytes().to_vec()),
        ("gzip", [b"\x1f\x8b".as_slice(), EVIL.as_bytes()].concat()),
    ]
}

#[test]
fn text_of_a_recording_is_escaped_for_the_terminal() {
    let program = Program::new("terminal");
    for (name, bytes) in recordings() {
        // The file name is as hostile as the contents.
        let file = program.file(&format!("{name}{EVIL}.json"), bytes);
        let mut runs = vec![vec!["info", &file], vec!["info", &file, "--json"]];
        let what = ["threads", "markers", "rows", "flows", "counters", "warnings"];
        runs.extend(what.map(|what| vec!["dump", &file, what]));
        let mut printed = 0;
        for arguments in runs {
            let outcome = program.run(&arguments);
            assert_visible(&outcome, &format!("{name} {arguments:?}"));
            assert!(outcome.status == Some(0) || outcome.err.lines().count() == 1, "{name}: {}", outcome.err);
            printed += outcome.out.matches("\\u001b").count() + outcome.err.matches("\\u001b").count();
        }
        assert!(printed > 0, "{name}: control characters are printed escaped");
    }
}

#[test]
fn escaped_json_contains_the_same_text() {
    let program = Program::new("terminal-json");
    let (_, trace) = recordings().swap_remove(0);
    let file = program.file("trace.json", trace);
    let markers = program.lines(&["dump", &file, "markers"]);
    assert_eq!(markers[0]["name"], EVIL);
    assert_eq!(markers[0]["data"], json!({EVIL: EVIL}));
    let parts = program.object(&["info", &file, "--json"])["parts"].clone();
    assert!(parts.as_array().expect("a list").contains(&Value::from(EVIL)), "{parts}");
    // Lines from the recording do not become output lines.
    let notes = program.good(&["info", &file]);
    assert!(notes.lines().all(|line| line != "note"), "{notes}");
}

#[test]
fn usage_errors_quote_arguments_visibly() {
    let program = Program::new("terminal-usage");
    let option = format!("--{EVIL}");
    let missing = program.path(&format!("missing{EVIL}"));
    let out = program.path(&format!("no folder{EVIL}/x.png"));
    for arguments in [
        vec!["info", "example", &option],
        vec!["info", "example", EVIL],
        vec!["dump", "example", EVIL],
        vec!["info", &missing],
        vec!["info", "example", "--flow-rules", &missing],
        vec!["render", "example", "-o", &out],
        vec!["render", "example", "-o", &out, "--flow", EVIL],
        vec![&missing],
    ] {
        let outcome = program.run(&arguments);
        assert_ne!(outcome.status, Some(0), "{arguments:?}");
        assert_visible(&outcome, &format!("{arguments:?}"));
    }
}
