//! `stats` by payload fields: nested fields, labels, the list of fields, and unknown fields.

use serde_json::{Value, json};

use crate::support::program::Program;
use crate::support::recording::{Recording, Row, Track, instant, interval};

/// Markers with fields in a nested object.
fn nested_fields() -> Value {
    let event = |at: u32, reason: &str| {
        json!({"ph": "X", "pid": 1, "tid": 1, "ts": at, "dur": 5, "name": "GC",
            "args": {"nursery": {"reason": reason, "bytes": at}, "kind": "minor"}})
    };
    json!([event(0, "FULL"), event(10, "EAGER"), event(20, "FULL"),
        {"ph": "X", "pid": 1, "tid": 1, "ts": 30, "dur": 5, "name": "Other", "args": {"url": "a"}}])
}

#[test]
fn markers_are_grouped_by_nested_fields_and_their_short_names() {
    let program = Program::new("nested-fields");
    let file = program.file("trace.json", nested_fields().to_string());
    let groups = |by: &str| -> Vec<(Value, u64)> {
        let lines = program.lines(&["stats", &file, "--by", by, "--json"]);
        lines.iter().map(|line| (line[by].clone(), line["count"].as_u64().expect("a count"))).collect()
    };
    for by in ["reason", "nursery.reason", "Reason"] {
        assert_eq!(groups(by), [(json!("FULL"), 2), (json!("EAGER"), 1), (Value::Null, 1)], "{by}");
    }
    assert_eq!(groups("data.url")[0].1, 3);
}

#[test]
fn fields_are_listed_and_an_unknown_one_names_similar_ones() {
    let program = Program::new("fields");
    let file = program.file("trace.json", nested_fields().to_string());
    let listed: Vec<(String, u64)> = program
        .lines(&["stats", &file, "--fields", "--json"])
        .iter()
        .map(|line| (line["field"].as_str().expect("a path").to_owned(), line["count"].as_u64().expect("a count")))
        .collect();
    let expected = [("kind", 3), ("nursery.bytes", 3), ("nursery.reason", 3), ("url", 1)];
    assert_eq!(listed, expected.map(|(path, count)| (path.to_owned(), count)));
    let message = program.refused(&["stats", &file, "--by", "reasn"]);
    assert!(message.contains("no matching marker has a field \"reasn\"; similar: nursery.reason"), "{message}");
    let message = program.refused(&["stats", &file, "--by", "nothing like it"]);
    assert!(!message.contains("similar") && message.contains("--fields"), "{message}");
}

#[test]
fn markers_of_firefox_are_grouped_by_the_labels_of_their_details() {
    let program = Program::new("labels");
    let minor = |at: f64, reason: &str| {
        interval("GCMinor", at, at + 1.0).with(json!({"type": "GCMinor",
            "nursery": {"status": "complete", "reason": reason, "bytes_used": 100, "cur_capacity": 1000}}))
    };
    let text = interval("Note", 9.0, 10.0).with(json!({"type": "Text", "name": "here"}));
    let schemas =
        json!([{"name": "Text", "display": [], "fields": [{"key": "name", "label": "Details", "format": "string"}]}]);
    let rows = vec![minor(1.0, "OUT_OF_NURSERY"), minor(3.0, "EAGER_NURSERY_COLLECTION"), text];
    let file = program.file("profile.json", Recording::of(rows).schemas(schemas).raw().to_string());
    let texts = |by: &str| -> Vec<Value> {
        let mut texts: Vec<Value> =
            program.lines(&["stats", &file, "--by", by, "--json"]).iter().map(|line| line[by].clone()).collect();
        texts.sort_by_key(Value::to_string);
        texts
    };
    for by in ["reason", "nursery.reason", "Reason"] {
        assert_eq!(texts(by), [json!("EAGER_NURSERY_COLLECTION"), json!("OUT_OF_NURSERY"), Value::Null], "{by}");
    }
    assert_eq!(texts("Details"), [json!("here"), Value::Null]);
    assert_eq!(texts("Nursery used"), [json!("100"), Value::Null]);
}

/// A message between the two processes of a recording.
fn message(own: usize, sending: bool, at: f64) -> Row {
    instant("IPC", at).with(json!({
        "type": "IPC", "otherPid": Recording::pid(1 - own), "messageType": "PTest::Msg_A", "messageSeqno": 5,
        "side": "parent", "direction": if sending { "sending" } else { "receiving" }, "phase": "endpoint", "sync": false,
    }))
}

#[test]
fn messages_are_grouped_and_found_by_sender_receiver_and_direction() {
    let program = Program::new("messages");
    let mut recording = Recording::of(vec![interval("Work", 0.0, 20.0), message(0, true, 10.0)]);
    recording.starts = vec![1000.0, 1000.0];
    let rows = vec![interval("Work", 12.0, 80.0), message(1, false, 90.0)];
    recording.tracks.push(Track { name: "Child".into(), process: 1, samples: vec![0.0, 100.0], rows });
    let file = program.file("profile.json", recording.raw().to_string());
    let groups = |by: &str, search: &str| -> Vec<(Value, u64)> {
        let lines = program.lines(&["stats", &file, "--by", by, "--search", search, "--json"]);
        lines.iter().map(|line| (line[by].clone(), line["count"].as_u64().expect("a count"))).collect()
    };
    let messages = "type:IPC";
    assert_eq!(groups("direction", messages), [(json!("receiving"), 1), (json!("sending"), 1)]);
    let [sender, receiver] = ["sender", "receiver"].map(|by| {
        let found = groups(by, messages);
        assert_eq!((found.len(), found[0].1), (1, 2), "both markers have the same {by}: {found:?}");
        found[0].0.as_str().expect("a process").to_owned()
    });
    assert!(sender.contains(&Recording::pid(0).to_string()) && receiver.contains(&Recording::pid(1).to_string()));
    assert_ne!(sender, receiver);
    for (search, count) in [
        (format!("sender:\"{sender}\""), 2),
        (format!("sender:=\"{sender}\""), 2),
        (format!("receiver:\"{receiver}\""), 2),
        (format!("sender:\"{receiver}\""), 0),
        (format!("-sender:\"{sender}\" type:IPC"), 0),
        (format!("direction:sending sender:\"{sender}\""), 1),
    ] {
        let found: u64 = groups("name", &search).iter().map(|(_, count)| count).sum();
        assert_eq!(found, count, "{search}");
    }
    let listed: Vec<Value> = program.lines(&["stats", &file, "--fields", "--json"]);
    for field in ["sender", "receiver", "direction"] {
        let line = listed.iter().find(|line| line["field"] == field);
        assert_eq!(line.expect("it is listed")["count"], 2, "{field}");
    }
    let columns = ["--search", "type:IPC", "--columns", "name,sender,receiver,direction"];
    let columns = program.good(&[&["export", &file, "--output", "-", "--format", "csv"][..], &columns].concat());
    assert_eq!(columns.matches(&sender).count() + columns.matches(&receiver).count(), 4, "{columns}");
}
