//! `dump calls`: one line per function call.

use serde_json::json;

use crate::support::program::Program;

/// Two threads with the same number in two processes; one of them has a name.
const TRACE: &str = r#"[{"ph":"M","name":"thread_name","pid":1,"tid":9,"args":{"name":"Main"}},
{"ph":"P","name":"Profile","pid":1,"tid":9,"ts":100,"id":1},{"ph":"P","name":"Profile","pid":2,"tid":9,"ts":100,"id":1},
{"ph":"P","name":"ProfileChunk","pid":1,"tid":5,"ts":1,"id":1,"args":{"data":{"timeDeltas":[1,2,3],"cpuProfile":{"samples":[3,2,1],"nodes":[
{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"f","url":"a.js","scriptId":"4","lineNumber":0,"columnNumber":7}},
{"id":3,"parent":2,"callFrame":{"functionName":"","scriptId":0}}]}}}},
{"ph":"P","name":"ProfileChunk","pid":2,"tid":5,"ts":1,"id":1,"args":{"data":{"timeDeltas":[1,1],"cpuProfile":{"samples":[2,1],"nodes":[
{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"g"}}]}}}}]"#;

#[test]
fn calls_are_dumped_by_thread() {
    let program = Program::new("calls");
    let file = program.file("trace.json", TRACE);
    let own = [
        json!({"thread": 0, "name": "f", "file": "a.js", "line": 0, "column": 7, "start_ns": 101_000, "end_ns": 106_000, "depth": 0}),
        json!({"thread": 0, "name": "(anonymous)", "file": "", "line": null, "column": null, "start_ns": 101_000, "end_ns": 103_000, "depth": 1}),
    ];
    for thread in ["0", "Main"] {
        assert_eq!(program.lines(&["dump", &file, "calls", "--thread", thread]), own, "{thread}");
    }
    let all = program.lines(&["dump", &file, "calls"]);
    assert_eq!(
        all.iter().map(|line| line["name"].as_str().expect("a name")).collect::<Vec<_>>(),
        ["f", "(anonymous)", "g"]
    );
    assert!(program.refused(&["dump", &file, "calls", "--thread", "9"]).contains("0, 1"), "both have this number");
    assert!(program.refused(&["dump", &file, "calls", "--thread", "none"]).contains("dump threads"));
}
