//! A Firefox profile whose samples have event delays and stacks.

use serde_json::{Value, json};

use super::{Recording, interval};

/// Samples of a thread: milliseconds, event delay, and the functions of the stack from the root on.
pub(crate) type Delayed = (f64, f64, &'static [&'static str]);

/// Three times without reaction: 30 to 100 ms in `reflow`, two overlapping ones as 140 to 201 ms in functions of a library
/// without names, and 300 to 360 ms without samples inside, in the slice `Styles`.
pub(crate) const DELAYS: [Delayed; 11] = [
    (20.0, 0.0, &["main"]),
    (40.0, 10.0, &["main", "reflow"]),
    (80.0, 50.0, &["main", "reflow"]),
    (99.0, 69.0, &["main", "paint"]),
    (100.0, 70.0, &["main"]),
    (101.0, 0.0, &["main"]),
    (150.0, 10.0, &["main", "0x1000"]),
    (180.0, 20.0, &["main", "0x2000"]),
    (200.0, 60.0, &["main", "work"]),
    (201.0, 55.0, &[]),
    (202.0, 0.0, &[]),
];

/// The profile of a page in raw form.
pub(crate) fn profile() -> Value {
    let rows = vec![interval("Styles", 305.0, 355.0).with(json!({"type": "Styles"})), interval("LongTask", 10.0, 90.0)];
    let schema = json!([{"name": "Styles", "display": ["marker-chart", "timeline-overview"], "data": [],
        "isStackBased": true}]);
    let mut raw = Recording::of(rows).schemas(schema).raw();
    let mut strings: Vec<String> = serde_json::from_value(raw["threads"][0]["stringTable"].clone()).expect("texts");
    let (mut stacks, mut frames): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    let mut samples: Vec<Value> = Vec::new();
    for (ms, delay, functions) in DELAYS.iter().chain(&[(360.0, 60.0, &[] as &[&str]), (361.0, 0.0, &[])]) {
        let mut stack = Value::Null;
        for function in *functions {
            strings.push((*function).to_owned());
            frames.push(json!([strings.len() - 1]));
            stacks.push(json!([stack, frames.len() - 1]));
            stack = json!(stacks.len() - 1);
        }
        samples.push(json!([stack, ms, delay]));
    }
    raw["libs"] = json!([{"name": "libxul.so", "start": 0, "end": 1 << 20, "offset": 0}]);
    let thread = &mut raw["threads"][0];
    thread["processName"] = json!("Web Content");
    thread["samples"] = json!({"schema": {"stack": 0, "time": 1, "eventDelay": 2}, "data": samples});
    thread["stackTable"] = json!({"schema": {"prefix": 0, "frame": 1}, "data": stacks});
    thread["frameTable"] = json!({"schema": {"location": 0}, "data": frames});
    thread["stringTable"] = json!(strings);
    raw
}
