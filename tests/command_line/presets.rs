//! Presets on the command line: `--preset` of `render` and `dump view`.

use serde_json::{Value, json};

use crate::support::program::Program;

const TABS: &str = include_str!("../../fixtures/cases/tabs.json");

fn with_presets(presets: &Value) -> Program {
    let program = Program::new("presets");
    let folder = program.path("flowline");
    std::fs::create_dir_all(&folder).expect("a folder");
    program.file("flowline/presets.json", json!({"version": 1, "presets": presets}).to_string());
    program
}

/// The names of the threads that the window shows.
fn threads(lines: &[Value]) -> Vec<String> {
    let rows = lines.iter().filter(|line| line["item"] == "row" && line["kind"] == "thread");
    rows.map(|line| line["name"].as_str().unwrap_or_else(|| panic!("{line}")).to_owned()).collect()
}

#[test]
fn a_preset_chooses_threads_and_a_search() {
    let main = json!([{"process": "*", "thread": "GeckoMain"}]);
    let program = with_presets(&json!([
        {"format": "firefox", "name": "main", "only": main},
        {"format": "firefox", "name": "others", "all_but": main},
        {"format": "chrome", "name": "chrome", "search": "paint"},
    ]));
    let file = program.file("tabs.json", TABS);
    let all = threads(&program.lines(&["dump", &file, "view"]));
    let main = threads(&program.lines(&["dump", &file, "view", "--preset", "main"]));
    let others = threads(&program.lines(&["dump", &file, "view", "--preset", "others"]));
    assert!(!main.is_empty() && main.iter().all(|name| name == "GeckoMain"), "{all:?} {main:?}");
    assert!(others.iter().all(|name| name != "GeckoMain"), "{others:?}");
    assert!(all.len() > main.len(), "{all:?}");
    let unknown = program.refused(&["dump", &file, "view", "--preset", "chrome"]);
    assert!(
        unknown.contains("no preset is named \"chrome\"; those for this format are \"main\", \"others\""),
        "{unknown}"
    );
    let picture = program.path("x.svg");
    program.good(&["render", &file, "-o", &picture, "--preset", "main"]);
    let svg = std::fs::read_to_string(&picture).expect("a picture");
    let plain = program.path("y.svg");
    program.good(&["render", &file, "-o", &plain]);
    assert_ne!(svg, std::fs::read_to_string(&plain).expect("a picture"));
}

#[test]
fn unreadable_presets_are_an_error_only_where_one_is_wanted() {
    let program = with_presets(&json!([]));
    let none = program.refused(&["dump", "example", "view", "--preset", "x"]);
    assert!(none.contains("there are none for recordings of this format"), "{none}");
    program.file("flowline/presets.json", "{");
    let damaged = program.refused(&["dump", "example", "view", "--preset", "x"]);
    assert!(damaged.contains("presets.json"), "{damaged}");
    program.good(&["dump", "example", "view"]);
}
