//! Chrome traces: `info`, `dump`, `render`, `synth`.

use serde_json::{Value, json};

use crate::support::program::Program;

/// A thread with a nested slice, an instant and a flow to another thread; an operation, a counter and every kind of
/// metadata.
const TRACE: &str = r#"{"displayTimeUnit":"ns","metadata":{"product-version":"Browser/1"},"traceEvents":[
{"ph":"M","name":"process_name","pid":7,"args":{"name":"Browser"}},
{"ph":"M","name":"thread_name","pid":7,"tid":7,"args":{"name":"Main"}},
{"ph":"M","name":"num_cpus","pid":7,"args":{"number":4}},
{"ph":"X","name":"outer","cat":"a,b","pid":7,"tid":7,"ts":100.001,"dur":50,"args":{"url":"x","data":{"list":[{"type":"script","deep":"needle"}]}}},
{"ph":"X","name":"inner","cat":"a","pid":7,"tid":7,"ts":110,"dur":20},
{"ph":"I","name":"mark","cat":"a","pid":7,"tid":7,"ts":115,"s":"t"},
{"ph":"s","name":"flow","cat":"f","id":"0x1","pid":7,"tid":7,"ts":112},
{"ph":"f","name":"flow","cat":"f","id":"0x1","pid":7,"tid":8,"ts":130},
{"ph":"X","name":"target","cat":"c","pid":7,"tid":8,"ts":140,"dur":5},
{"ph":"b","name":"load","cat":"n","id":1,"pid":7,"tid":8,"ts":100},
{"ph":"b","name":"part","cat":"n","id":1,"pid":7,"tid":8,"ts":105},
{"ph":"e","name":"part","cat":"n","id":1,"pid":7,"tid":8,"ts":108},
{"ph":"e","name":"load","cat":"n","id":1,"pid":7,"tid":8,"ts":160},
{"ph":"I","name":"all","cat":"a","pid":7,"tid":7,"ts":101,"s":"g"},
{"ph":"C","name":"heap","pid":7,"ts":100,"args":{"used":10,"free":"5"}},
{"ph":"C","name":"heap","pid":7,"ts":120,"args":{"used":30,"free":1}},
{"ph":"P","name":"sample","pid":7,"tid":7,"ts":120},
{"ph":"k","name":"switch","pid":7,"tid":7,"ts":120},
{"ph":"E","pid":7,"tid":8,"ts":150,"name":"nothing"}]}"#;

#[test]
fn dump_prints_every_part_of_a_trace() {
    let program = Program::new("dump");
    let file = program.file("trace.json", TRACE);
    let threads = program.lines(&["dump", &file, "threads"]);
    let named: Vec<_> =
        threads.iter().map(|thread| (&thread["process"], &thread["name"], &thread["markers"])).collect();
    let expected = [
        ("Whole recording", "Global instants", 1),
        ("Browser", "Main", 3),
        ("Browser", "Thread 8", 1),
        ("Browser", "Async", 2),
    ];
    for (found, (process, name, count)) in named.iter().zip(expected) {
        assert_eq!((found.0, found.1, found.2), (&json!(process), &json!(name), &json!(count)));
    }
    assert_eq!(named.len(), expected.len());

    let markers = program.lines(&["dump", &file, "markers"]);
    let of = |name: &str| markers.iter().find(|marker| marker["name"] == name).expect("the counter exists");
    let outer = of("outer");
    assert_eq!((&outer["start_ns"], &outer["end_ns"]), (&json!(100_001), &json!(150_001)));
    assert_eq!((&outer["cat"], &outer["track"], &outer["depth"]), (&json!("a,b"), &json!("thread"), &json!(0)));
    assert_eq!(outer["data"]["url"], "x");
    for (name, track, depth) in [
        ("inner", "thread", 1),
        ("mark", "thread", 2),
        ("load", "async", 0),
        ("part", "async", 1),
        ("all", "global", 0),
    ] {
        assert_eq!((&of(name)["track"], &of(name)["depth"]), (&json!(track), &json!(depth)), "{name}");
    }
    assert_eq!(of("mark")["end_ns"], Value::Null);

    let flows = program.lines(&["dump", &file, "flows"]);
    let flow = flows.iter().find(|flow| flow["id"] == "0x1").expect("the flow");
    assert_eq!(flow["markers"], json!([of("inner")["marker"], of("target")["marker"]]));
    assert_eq!(flow["name"], "flow");
    assert!(flows.iter().any(|flow| flow["id"] == "1" && flow["name"] == "load"), "the operation forms a flow");

    let counters = program.lines(&["dump", &file, "counters"]);
    let samples: Vec<_> = counters.iter().map(|line| (&line["series"], &line["samples"])).collect();
    assert_eq!(samples[0], (&json!("used"), &json!([[100_000, 10.0], [120_000, 30.0]])));
    assert_eq!(samples[1], (&json!("free"), &json!([[100_000, 5.0], [120_000, 1.0]])));

    let warnings = program.lines(&["dump", &file, "warnings"]);
    let kinds: Vec<_> = warnings.iter().map(|warning| warning["kind"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["unmatched_end", "not_drawn"]);
    assert!(warnings[0]["first"].as_str().expect("a place").contains("byte"), "{}", warnings[0]);
}

#[test]
fn info_describes_a_trace() {
    let program = Program::new("info");
    let file = program.file("trace.json", TRACE);
    let info: Value = program.object(&["info", &file, "--json"]);
    assert_eq!(info["format"], "chrome");
    assert_eq!((&info["markers"], &info["flows"], &info["counters"]), (&json!(7), &json!(2), &json!(1)));
    assert_eq!(info["not_drawn"], json!({"k": 1}));
    let text = program.good(&["info", &file]);
    for part in ["Chrome trace events", "Browser/1", "num_cpus (pid 7): {\"number\":4}", "displayTimeUnit: \"ns\""] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn searches_match_arguments_and_whole_categories() {
    let program = Program::new("search");
    let file = program.file("trace.json", TRACE);
    let found = |query: &str| -> Vec<String> {
        let lines = program.lines(&["dump", &file, "markers", "--search", query]);
        lines.iter().map(|marker| marker["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(found("url:x"), ["outer"]);
    assert_eq!(found("needle"), ["outer"]);
    assert_eq!(found("deep:need"), ["outer"]);
    assert_eq!((found("type:script"), found("data:needle")), (vec!["outer".to_owned()], vec!["outer".to_owned()]));
    assert_eq!(found("list:script"), ["outer"]);
    assert!(found("url:needle").is_empty() && found("deep").is_empty(), "keys are not values");
    assert_eq!(found("cat:=b"), ["outer"]);
    assert_eq!(found("-cat:=a"), ["target", "load", "part"]);
    assert_eq!(found("flow:0x1"), ["inner", "target"]);
}

#[test]
fn a_synthetic_trace_is_read_back_completely() {
    let program = Program::new("synth");
    let file = program.path("synth.json");
    program.good(&["synth", "--markers", "20000", "--format", "chrome", "-o", &file]);
    let info: Value = program.object(&["info", &file, "--json"]);
    assert_eq!((&info["format"], &info["markers"]), (&json!("chrome"), &json!(20_000)));
    // Only the endless run loops are incomplete.
    assert_eq!(info["warnings"], info["incomplete"], "every event is shown");
    assert!(info["incomplete"].as_u64() < Some(20), "{info}");
    assert!(info["flows"].as_u64() > Some(1_000) && info["counters"].as_u64() > Some(0), "{info}");
    let picture = program.path("synth.png");
    program.good(&["render", &file, "-o", &picture, "--size", "800x600"]);
    assert!(std::fs::metadata(&picture).expect("an image").len() > 10_000);
}

#[test]
fn flow_arrows_are_dumped() {
    let program = Program::new("dump");
    let kernel = |at: i64| {
        format!(
            r#"{{"ph":"X","name":"kernel","pid":2,"tid":1,"ts":{at},"dur":1}},
               {{"ph":"f","bp":"e","id":7,"pid":2,"tid":1,"ts":{at}}}"#
        )
    };
    let kernels: Vec<String> = (1..=50).map(|at| kernel(at * 10)).collect();
    let launch =
        r#"{"ph":"X","name":"launch","pid":1,"tid":1,"ts":0,"dur":5},{"ph":"s","id":7,"pid":1,"tid":1,"ts":0}"#;
    let file = program.file("fan.json", format!("[{launch},{}]", kernels.join(",")));
    let flows = program.lines(&["dump", &file, "flows"]);
    assert_eq!(flows.len(), 1);
    let expected: Vec<Value> = (1..=50).map(|kernel| json!([0, kernel])).collect();
    assert_eq!(flows[0]["arrows"], Value::Array(expected));
    // Recordings with flow ids only have no arrows.
    assert!(program.lines(&["dump", "example", "flows"]).iter().all(|flow| flow.get("arrows").is_none()));
}

/// Three thousand flows begin in one shared slice and end in one slice each.
#[test]
fn flow_dump_size_is_linear_in_steps_not_in_connections() {
    let program = Program::new("dump");
    let flow = |id: i64| {
        format!(
            r#"{{"ph":"s","id":{id},"pid":1,"tid":1,"ts":1}},{{"ph":"X","name":"to","pid":2,"tid":1,"ts":{at},"dur":1}},
               {{"ph":"f","bp":"e","id":{id},"pid":2,"tid":1,"ts":{at}}}"#,
            at = id * 10
        )
    };
    let flows: Vec<String> = (1..=3_000).map(flow).collect();
    let hub = r#"{"ph":"X","name":"hub","pid":1,"tid":1,"ts":0,"dur":5}"#;
    let file = program.file("hub.json", format!("[{hub},{}]", flows.join(",")));
    let flows = program.lines(&["dump", &file, "flows"]);
    assert_eq!(flows.len(), 3_000);
    for (number, flow) in flows.iter().enumerate() {
        let direct = flow["direct"].as_array().expect("a list");
        assert_eq!((direct.len(), &flow["direct_count"]), (1_000, &json!(2_999)));
        assert!(!direct.contains(&json!(number)), "no flow is connected to itself");
        assert!(flow.get("incoming_count").is_none(), "short lists need no count");
    }
    let all = program.lines(&["dump", &file, "flows", "--all"]);
    assert_eq!(all[7]["direct"].as_array().map(Vec::len), Some(2_999));
    assert!(all[7].get("direct_count").is_none());
}

#[test]
fn dumps_contain_stacks_rows_and_threads_of_events() {
    let program = Program::new("event-stacks");
    let trace = r#"{"traceEvents":[
        {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"Main"}},
        {"ph":"X","name":"x","pid":1,"tid":1,"ts":0,"dur":10,"stack":["main","work","leaf"]},
        {"ph":"X","name":"overlap","pid":1,"tid":1,"ts":5,"dur":10},
        {"ph":"X","name":"y","pid":1,"tid":1,"ts":20,"dur":5,"sf":2},
        {"ph":"b","name":"load","cat":"n","id":1,"pid":1,"tid":1,"ts":1},
        {"ph":"e","name":"load","cat":"n","id":1,"pid":1,"tid":1,"ts":9}],
        "stackFrames":{"1":{"name":"root","category":"app"},"2":{"name":"kid","parent":1}}}"#;
    let file = program.file("trace.json", trace);
    let markers = program.lines(&["dump", &file, "markers"]);
    let of = |name: &str| markers.iter().find(|marker| marker["name"] == name).expect("a marker");
    let frame = |name: &str, file: Value| json!({"name": name, "file": file, "line": null, "column": null});
    assert_eq!(
        of("x")["stack"],
        json!([frame("leaf", Value::Null), frame("work", Value::Null), frame("main", Value::Null)])
    );
    assert_eq!(of("y")["stack"], json!([frame("kid", Value::Null), frame("root", json!("app"))]));
    assert_eq!((&of("y")["stack_ns"], of("overlap").get("stack")), (&json!(20_000), None));
    assert_eq!((&of("x")["depth"], &of("overlap")["depth"]), (&json!(0), &json!(1)), "the row that is drawn");
    let main = &of("x")["thread"];
    assert_eq!((&of("load")["began_on"], &of("load")["ended_on"]), (main, main));
    let info: Value = program.object(&["info", &file, "--json"]);
    assert_eq!(info["marker_stacks"], 2);
    assert!(program.good(&["info", &file]).contains("2 markers with a stack"));
}
