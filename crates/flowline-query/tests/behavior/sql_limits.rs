//! Limits of depth and size: a sentence instead of an exhausted stack or memory, also in the server of the window.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{failure, query_program, rows};

/// A sum of ones.
fn sum(terms: usize) -> String {
    format!("SELECT {}", vec!["1"; terms].join("+"))
}

#[test]
fn deep_queries_run_up_to_the_limit() {
    assert_eq!(rows("example", &sum(900)), [[json!(900)]]);
    let alternatives = |count: usize| {
        let all: Vec<String> = (0..count).map(|n| format!("(id = {n} AND dur + {n} >= -{n})")).collect();
        format!("SELECT count(*) >= 0 FROM slice WHERE {}", all.join(" OR "))
    };
    assert_eq!(rows("example", &alternatives(300)), [[json!(true)]]);
    let united = vec!["SELECT 1 AS x"; 200].join(" UNION ALL ");
    assert_eq!(rows("example", &format!("SELECT count(*) FROM ({united})")), [[json!(200)]]);
}

#[test]
fn queries_beyond_the_limits_are_refused_with_a_sentence() {
    let doubled = (1..40).fold("WITH a0 AS (SELECT 1 AS x)".to_owned(), |text, n| {
        format!("{text}, a{n} AS (SELECT l.x FROM a{0} l, a{0} r)", n - 1)
    });
    for (query, expected) in [
        (sum(5_000), "more than 1000 operators"),
        (sum(500_000), "more than 1000 operators"),
        (format!("SELECT {}true", "NOT ".repeat(5_000)), "more than 1000 operators"),
        (format!("SELECT 1{}", "::int".repeat(5_000)), "more than 1000 operators"),
        (vec!["SELECT 1"; 5_000].join(" UNION ALL "), "more than 1000 operators"),
        (format!("SELECT 1 FROM {}", vec!["slice"; 5_000].join(", ")), "more than 1000 operators"),
        (format!("{doubled} SELECT count(*) FROM a39"), "too large"),
        (format!("SELECT {}1{}", "(".repeat(300), ")".repeat(300)), "nested too deeply"),
    ] {
        let folder = crate::support::folder();
        // Longer than an argument may be.
        let file = folder.path().join("query.sql");
        std::fs::write(&file, &query).expect("written");
        let message = failure(&["sql", "example", "-f", file.to_str().expect("UTF-8")]);
        assert!(message.contains(expected), "{}: {message}", &query[..40]);
    }
}

#[test]
fn the_server_refuses_a_deep_query_and_stops_an_endless_one() {
    let mut child = Command::new(query_program())
        .args(["serve", "example", "--no-cache"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut requests = child.stdin.take().expect("piped");
    let mut replies = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut next = || crate::next_reply(&mut replies);
    let mut ask = |request: &Value| writeln!(requests, "{request}").expect("sent");
    assert_eq!(next()["ready"]["version"], 1);
    ask(&json!({"id": 1, "sql": sum(5_000)}));
    assert!(next()["error"]["message"].as_str().is_some_and(|text| text.contains("more than 1000 operators")));
    ask(&json!({"id": 2, "sql": sum(900)}));
    next();
    assert_eq!(next()["batch"], json!([[900]]));
    assert_eq!(next()["done"]["rows"], 1);
    ask(&json!({"id": 3, "sql": "SELECT count(*) ts, 1 name FROM generate_series(1, 100000000000000)"}));
    next();
    ask(&json!({"cancel": 3}));
    assert_eq!(next(), json!({"id": 3, "canceled": true}));
    drop(requests);
    assert!(child.wait().expect("ended").success());
}
