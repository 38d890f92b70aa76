//! Flows: `dump flows`, `info`, `render` with entered and pinned flows, flow rules.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::support::program::Program;

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// Flows of the example, and the names of two flows that have connections.
fn flows(program: &Program) -> (Vec<Value>, [String; 2]) {
    let flows = program.lines(&["dump", "example", "flows"]);
    let info: Value = program.object(&["info", "example", "--json"]);
    let start = info["start_ns"].as_i64().expect("a time");
    let name = |flow: &Value| {
        let ns = flow["start_ns"].as_i64().expect("a time") - start;
        format!("{};{}.{:06}", flow["id"].as_str().expect("an id"), ns / 1_000_000, ns % 1_000_000)
    };
    let connected = |flow: &&Value| {
        !numbers(&flow["incoming"]).is_empty()
            && !numbers(&flow["outgoing"]).is_empty()
            && numbers(&flow["markers"]).len() > 2
    };
    let mut found = flows.iter().filter(connected).map(name);
    let two = [found.next().expect("one"), found.next().expect("another")];
    drop(found);
    (flows, two)
}

/// The pixels of a rendered image of the example.
fn picture(program: &Program, arguments: &[&str]) -> Vec<u8> {
    let file = program.path("picture.png");
    let mut all = vec!["render", "example", "-o", &file, "--size", "1000x700"];
    all.extend(arguments);
    assert_eq!(program.good(&all), "");
    let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&file).expect("an image")))
        .read_info()
        .expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
    reader.next_frame(&mut pixels).expect("pixels");
    pixels
}

#[test]
fn dumped_flows_have_their_markers_and_are_consistent() {
    let program = Program::new("dump");
    let (flows, _) = flows(&program);
    let markers = program.lines(&["dump", "example", "markers"]);
    let keys = [
        "direct",
        "end_ns",
        "flow",
        "id",
        "incoming",
        "longest_wait_ns",
        "markers",
        "outgoing",
        "posted_from",
        "resource",
        "idle_ns",
        "run_ns",
        "start_ns",
        "type",
        "wait_ns",
    ];
    for (number, flow) in flows.iter().enumerate() {
        let found: BTreeSet<&str> = flow.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(found, BTreeSet::from(keys));
        assert_eq!(flow["flow"], number);
        let members = numbers(&flow["markers"]);
        let starts: Vec<i64> = members
            .iter()
            .map(|marker| markers[usize::try_from(*marker).expect("few")]["start_ns"].as_i64().expect("a time"))
            .collect();
        assert!(starts.is_sorted() && !starts.is_empty(), "flow {number}");
        assert_eq!(flow["start_ns"].as_i64(), starts.first().copied());
        assert_eq!(members.iter().collect::<BTreeSet<_>>().len(), members.len(), "every marker is listed once");
        for (one, other) in [("incoming", "outgoing"), ("outgoing", "incoming"), ("direct", "direct")] {
            for connected in numbers(&flow[one]) {
                let back = numbers(&flows[usize::try_from(connected).expect("few")][other]);
                assert!(
                    back.contains(&(number as u64)),
                    "flow {number} is listed in {other} of its {one} flow {connected}"
                );
            }
        }
    }
    let info: Value = program.object(&["info", "example", "--json"]);
    let memberships: usize = flows.iter().map(|flow| numbers(&flow["markers"]).len()).sum();
    assert_eq!(
        (info["flows"].as_u64(), info["memberships"].as_u64()),
        (Some(flows.len() as u64), Some(memberships as u64))
    );
    assert!(info["load_ms"]["flows"].as_f64().is_some_and(|ms| ms > 0.0));
}

/// The flows of a trace.
fn flows_of(program: &Program, events: &str) -> Vec<Value> {
    let file = program.file("trace.json", format!("[{events}]"));
    program.lines(&["dump", &file, "flows"])
}

#[test]
fn a_flow_without_its_posting_is_posted_from_no_thread() {
    let program = Program::new("posted");
    let slices = r#"{"ph":"X","pid":1,"tid":7,"ts":100,"dur":50,"name":"kernel"},
        {"ph":"X","pid":2,"tid":2,"ts":10,"dur":400,"name":"cpu"},{"ph":"X","pid":2,"tid":3,"ts":300,"dur":9,"name":"late"}"#;
    let step = |ph: &str, pid: u32, tid: u32, ts: u32| {
        format!(r#"{{"ph":"{ph}","bp":"e","id":5,"pid":{pid},"tid":{tid},"ts":{ts},"cat":"c","name":"f"}}"#)
    };
    let (start, middle, end) = (step("s", 2, 2, 20), step("t", 1, 7, 110), step("f", 2, 3, 301));
    for steps in [vec![&end], vec![&middle, &end], vec![&middle]] {
        let steps: Vec<String> = steps.into_iter().cloned().collect();
        let found = flows_of(&program, &format!("{slices},{}", steps.join(",")));
        assert_eq!((found.len(), &found[0]["posted_from"]), (1, &Value::Null), "{steps:?}: {found:?}");
    }
    let found = flows_of(&program, &format!("{slices},{start},{middle},{end}"));
    let thread = found[0]["posted_from"].as_u64().expect("a thread");
    assert_eq!(
        program.lines(&["dump", &program.path("trace.json"), "threads"])[usize::try_from(thread).expect("few")]["tid"],
        "2"
    );
    // An operation is on a track, and was posted from the thread of its first event.
    let operation = r#"{"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"Poster"}},{"ph":"b","name":"load","id":1,"pid":1,"tid":7,"ts":1},{"ph":"n","name":"part","id":1,"pid":1,"tid":7,"ts":2}"#;
    let thread = flows_of(&program, operation)[0]["posted_from"].as_u64().expect("a thread");
    let threads = program.lines(&["dump", &program.path("trace.json"), "threads"]);
    assert_eq!(threads[usize::try_from(thread).expect("few")]["tid"], "7");
}

#[test]
fn a_search_finds_a_flow_and_the_flows_of_its_markers() {
    let program = Program::new("search");
    let (flows, [name, _]) = flows(&program);
    let id = name.split(';').next().expect("an id");
    let wanted = flows.iter().find(|flow| flow["id"] == id).expect("the flow");
    let query = format!("flow:{name}");
    let found = program.lines(&["dump", "example", "markers", "--search", &query]);
    let found: BTreeSet<u64> = found.iter().map(|marker| marker["marker"].as_u64().expect("a number")).collect();
    assert_eq!(found, numbers(&wanted["markers"]).into_iter().collect());
    let with = program.lines(&["dump", "example", "flows", "--search", &query]);
    assert!(with.iter().any(|flow| flow["flow"] == wanted["flow"]));
    assert!(with.iter().all(|flow| numbers(&flow["markers"]).iter().any(|marker| found.contains(marker))));
}

#[test]
fn images_show_entered_and_pinned_flows_and_options() {
    let program = Program::new("render");
    let (_, [first, second]) = flows(&program);
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for arguments in [
        vec![],
        vec!["--flow", &first],
        vec!["--flow", &first, "--flow", &second],
        vec!["--pin", &first],
        vec!["--flow", &first, "--pin", &second],
        vec!["--flow", &first, "--path"],
        vec!["--flow", &first, "--connections"],
        vec!["--flow", &first, "--chain", "3"],
        vec!["--flow", &first, "--table", "flow"],
        vec!["--table", "flows"],
    ] {
        let shown = picture(&program, &arguments);
        assert!(!seen.contains(&shown), "{arguments:?} changes nothing");
        seen.push(shown);
    }
    let message = program.refused(&["render", "example", "-o", &program.path("x.png"), "--flow", "nowhere;1"]);
    assert!(message.contains("--flow nowhere;1") && message.contains("dump"), "{message}");
    assert!(!Path::new(&program.path("x.png")).exists());
}

#[test]
fn flow_rules_change_the_image_and_invalid_rules_are_named() {
    let program = Program::new("rules");
    let (_, [flow, _]) = flows(&program);
    let plain = picture(&program, &["--flow", &flow]);
    let good = r#"{"rules":[{"name":"all","when":{"first":"*"},"label":[{"text":"Mine"}],"tint":"red"}]}"#;
    let rules = program.file("good.json", good);
    assert_ne!(picture(&program, &["--flow", &flow, "--flow-rules", &rules]), plain);

    let half =
        r#"{"rules":[{"name":"all","when":{"first":"*"},"label":[{"text":"Mine"}],"tint":"pink"},{"name":"lost"}]}"#;
    let rules = program.file("half.json", half);
    let output = program.run(["info", "example", "--flow-rules", &rules]);
    let message = output.err;
    assert!(output.status == Some(0) && !output.out.is_empty(), "valid rules still apply");
    assert_eq!(message.lines().count(), 2, "{message}");
    assert!(message.contains("\"all\"") && message.contains("tint") && message.contains("lost"), "{message}");

    let message = program.refused(&["info", "example", "--flow-rules", &program.path("missing.json")]);
    assert!(message.contains("missing.json"), "{message}");

    // The user's own rules file is read without an option.
    std::fs::create_dir_all(program.path("flowline")).expect("a folder");
    program.file("flowline/flow-rules.json", good);
    assert_ne!(picture(&program, &["--flow", &flow]), plain);
}
