//! Tabs of Firefox profiles on the command line: `dump threads` names them, `--tab` selects one.

use serde_json::{Value, json};

use crate::support::program::Program;

const TABS: &str = include_str!("../../fixtures/cases/tabs.json");

#[test]
fn threads_name_their_tab_and_the_page() {
    let program = Program::new("tabs");
    let file = program.file("tabs.json", TABS);
    let threads = program.lines(&["dump", &file, "threads"]);
    let found: Vec<[&Value; 3]> = threads.iter().map(|line| [&line["pid"], &line["tab"], &line["is_page"]]).collect();
    let expected = [
        [json!("100"), Value::Null, json!(false)],
        [json!("100"), Value::Null, json!(false)],
        [json!("100"), Value::Null, json!(false)],
        [json!("101"), json!(5), json!(false)],
        [json!("102"), json!(6), json!(true)],
    ];
    assert_eq!(found, expected.each_ref().map(|line| line.each_ref()));
    let example = program.lines(&["dump", "example", "threads"]);
    assert!(example.iter().any(|line| line["is_page"] == true && line["tab"].is_i64()), "{example:?}");
}

#[test]
fn a_tab_restricts_statistics_and_insights() {
    let program = Program::new("tabs");
    let file = program.file("tabs.json", TABS);
    let count = |arguments: &[&str]| -> u64 {
        let all = [&["stats", file.as_str(), "--json"], arguments].concat();
        program.lines(&all).iter().map(|line| line["count"].as_u64().expect("a count")).sum()
    };
    let threads = program.lines(&["dump", &file, "threads"]);
    let markers = |pid: &str| -> u64 {
        let own = threads.iter().filter(|line| line["pid"] == pid);
        own.map(|line| line["markers"].as_u64().expect("a count")).sum()
    };
    assert_eq!(count(&["--tab", "5"]), markers("101"));
    assert_eq!(count(&["--tab", "b.example"]), markers("102"));
    assert_eq!(count(&["--tab", "5", "--thread", "0"]), 0, "a thread of the browser");
    assert_eq!(count(&[]), ["100", "101", "102"].map(markers).iter().sum::<u64>());
    let unknown = program.refused(&["stats", &file, "--tab", "c.example"]);
    assert!(unknown.contains("6 (https://b.example/), 5 (https://a.example/)"), "{unknown}");
    let several = program.refused(&["stats", &file, "--tab", "example"]);
    assert!(several.contains("matches several tabs"), "{several}");
    let pages = program.object(&["insights", &file, "--json", "--tab", "5"]);
    let urls: Vec<&Value> = pages["navigations"].as_array().expect("pages").iter().map(|page| &page["url"]).collect();
    assert_eq!(urls, [&json!("https://a.example/")]);
}

#[test]
fn requests_are_listed_once() {
    let program = Program::new("tabs");
    let file = program.file("tabs.json", TABS);
    let requests = program.lines(&["dump", &file, "network"]);
    let found: Vec<[&Value; 2]> = requests.iter().map(|line| [&line["url"], &line["pid"]]).collect();
    let expected =
        [[json!("https://update.example/"), json!("100")], [json!("https://b.example/app.js"), json!("102")]];
    assert_eq!(found, expected.each_ref().map(|line| line.each_ref()));
}
