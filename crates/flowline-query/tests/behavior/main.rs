//! The program in use: errors with places and suggestions, output forms, functions, limits of memory, exported folders, and the
//! protocol of the window.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test program uses a part of it")]
mod support;

mod folders;
mod sql_limits;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use support::{failure, flowline, folder, lines, query_program, rows, run};

/// A small trace with names that need quoting, an unfinished slice, and numbers that JSON barely has.
const TRACE: &str = r#"[
{"ph":"X","pid":1,"tid":2,"ts":0,"dur":100,"name":"outer","args":{"a":{"b":[1,2.5,"x"]},"n":null,"t":true}},
{"ph":"X","pid":1,"tid":2,"ts":10,"dur":20,"name":"it's \"quoted\", 50%"},
{"ph":"X","pid":1,"tid":2,"ts":40,"dur":20,"name":"inner"},
{"ph":"X","pid":1,"tid":2,"ts":45,"dur":5,"name":"deep"},
{"ph":"i","pid":1,"tid":2,"ts":300,"name":"mark","s":"t"},
{"ph":"B","pid":1,"tid":2,"ts":200,"name":"open"},
{"ph":"C","pid":1,"tid":2,"ts":10,"name":"heap","args":{"used":1.5}},
{"ph":"C","pid":1,"tid":2,"ts":20,"name":"heap","args":{"used":2.5}}
]"#;

pub(crate) fn trace(folder: &Path) -> String {
    let path = folder.join("trace.json");
    fs::write(&path, TRACE).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

/// The rows of a query as objects.
fn sql(recording: &str, query: &str) -> Vec<Value> {
    lines(query_program(), &["sql", recording, query, "--json"])
}

#[test]
fn errors_name_the_place_and_suggest_names() {
    let folder = folder();
    let trace = trace(folder.path());
    for (query, expected) in [
        ("SELECT * FROM slices", "line 1, column 15: there is no table slices; did you mean slice?"),
        ("SELECT\n  nme FROM slice", "line 2, column 3: there is no column nme; did you mean name?"),
        ("SELECT percentile_exct(dur, 0.5) FROM slice", "did you mean percentile_exact?"),
        ("SELEC 1", "line 1, column 1"),
        ("SELECT * FROM slice WHERE", "an expression"),
        ("SELECT percentile_exact(dur, 2) FROM slice", "a literal from 0 to 1"),
        ("SELECT percentile_exact(name, 0.5) FROM slice", "needs numbers"),
        ("SELECT * FROM path('x')", "path needs the number of a slice"),
        ("SELECT * FROM ancestors(99)", "there is no slice 99"),
        ("SELECT * FROM flow_chain(1, 'up')", "'outgoing' or 'incoming'"),
        ("SELECT 1/0", "ivide by zero"),
    ] {
        let message = failure(&["sql", &trace, query]);
        assert!(message.contains(expected), "{query}: {message}");
    }
    assert!(failure(&["sql", &trace]).contains("a query is missing"));
    assert!(failure(&["sql", "missing.json", "SELECT 1"]).contains("missing.json"));
}

#[test]
fn slices_have_depths_parents_self_times_and_arguments() {
    let folder = folder();
    let trace = trace(folder.path());
    let found = rows(&trace, "SELECT name, ts, dur, depth, self_dur, parent_id IS NULL FROM slice ORDER BY id");
    let zero = found[0][1].as_i64().expect("a time");
    let expected = [
        json!(["outer", 0, 100_000, 0, 60_000, true]),
        json!(["it's \"quoted\", 50%", 10_000, 20_000, 1, 20_000, false]),
        json!(["inner", 40_000, 20_000, 1, 15_000, false]),
        json!(["deep", 45_000, 5_000, 2, 5_000, false]),
        json!(["open", 200_000, null, 0, null, true]),
        json!(["mark", 300_000, 0, 1, null, false]),
    ];
    let found: Vec<Value> = found
        .into_iter()
        .map(|mut row| {
            row[1] = json!(row[1].as_i64().expect("a time") - zero);
            json!(row)
        })
        .collect();
    assert_eq!(found, expected);
    let quoted = rows(&trace, "SELECT count(*) FROM slice WHERE name = 'it''s \"quoted\", 50%'");
    assert_eq!(quoted, [[json!(1)]]);
    let args = rows(&trace, "SELECT key, type, string_value, int_value, real_value FROM args ORDER BY key");
    let expected = [
        json!(["a.b[0]", "int", null, 1, null]),
        json!(["a.b[1]", "real", null, null, 2.5]),
        json!(["a.b[2]", "string", "x", null, null]),
        json!(["n", "null", null, null, null]),
        json!(["t", "bool", null, 1, null]),
    ];
    assert_eq!(args.into_iter().map(Value::from).collect::<Vec<_>>(), expected);
    let extracted = rows(
        &trace,
        "SELECT extract_arg(arg_set_id, 'a.b[1]'), extract_arg(arg_set_id, 'z') FROM slice WHERE name = 'outer'",
    );
    assert_eq!(extracted, [[json!("2.5"), Value::Null]]);
}

#[test]
fn nothing_is_written_to_an_input_or_by_a_query() {
    let folder = folder();
    let trace = trace(folder.path());
    let message = failure(&["sql", &trace, "SELECT 1", "--parquet", &trace]);
    assert!(message.contains("belongs to the input"), "{message}");
    for query in [
        format!("COPY (SELECT 1) TO '{trace}' STORED AS CSV"),
        "CREATE TABLE t AS SELECT 1".into(),
        "DELETE FROM slice".into(),
        "INSERT INTO slice SELECT * FROM slice".into(),
        "SET datafusion.execution.batch_size = 1".into(),
    ] {
        failure(&["sql", &trace, &query]);
    }
    assert_eq!(fs::read_to_string(&trace).expect("kept"), TRACE);
}

#[test]
fn functions_return_relatives() {
    let folder = folder();
    let trace = trace(folder.path());
    let id = |name: &str| rows(&trace, &format!("SELECT id FROM slice WHERE name = '{name}'"))[0][0].clone();
    let names = |from: String| -> Vec<Value> { rows(&trace, &format!("SELECT name FROM {from}")).concat() };
    assert_eq!(names(format!("ancestors({})", id("deep"))), ["outer", "inner"]);
    assert_eq!(names(format!("descendants({})", id("outer"))), ["it's \"quoted\", 50%", "inner", "deep"]);
    assert_eq!(
        rows(&trace, "SELECT intersect_ns(0, 10, 5, 10), intersect_ns(0, NULL, 5, 10)"),
        [[json!(5), Value::Null]]
    );
    let late =
        rows("example", "SELECT slice_id FROM milestone WHERE name = 'Load' AND slice_id IS NOT NULL")[0][0].clone();
    let parts =
        rows("example", &format!("SELECT count(*), sum(dur), max(ts + dur) - min(ts) FROM path({late})")).remove(0);
    assert!(
        parts[0].as_i64().is_some_and(|count| count > 1) && parts[1] == parts[2],
        "segments partition the path: {parts:?}"
    );
    let ends = rows("example", "SELECT slice_out, slice_in FROM flow LIMIT 1").remove(0);
    for (from, to, direction) in [(&ends[0], &ends[1], "outgoing"), (&ends[1], &ends[0], "incoming")] {
        let chain = rows("example", &format!("SELECT id FROM flow_chain({from}, '{direction}')")).concat();
        assert!(chain.contains(to), "{direction} of {from}: {chain:?}");
    }
}

#[test]
fn conditions_reach_the_scan() {
    let folder = folder();
    let trace = trace(folder.path());
    for (query, expected) in [
        ("SELECT name FROM slice WHERE ts > 5 AND track_id = 1 AND name LIKE 'a%'", "filters=["),
        ("SELECT name FROM slice LIMIT 3", "limit=3"),
        ("SELECT count(*) FROM slice", ""),
    ] {
        let plan = sql(&trace, &format!("EXPLAIN {query}")).iter().map(ToString::to_string).collect::<String>();
        assert!(plan.contains(expected) && !plan.contains("FilterExec"), "{plan}");
    }
}

#[test]
fn results_have_four_forms() {
    let folder = folder();
    let trace = trace(folder.path());
    let query = "SELECT name, dur, real FROM (SELECT name, dur, 'NaN'::double AS real FROM slice ORDER BY id LIMIT 2)";
    let print = |form: &[&str]| {
        let output = run(query_program(), &[&["sql", &trace, query], form].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(print(&[]).contains("2 rows"));
    assert_eq!(print(&["--csv"]).lines().next(), Some("name,dur,real"));
    assert_eq!(print(&["--json"]).lines().next(), Some(r#"{"name":"outer","dur":100000,"real":"NaN"}"#));
    let parquet = folder.path().join("out.parquet");
    print(&["--parquet", parquet.to_str().expect("UTF-8")]);
    assert!(fs::read(&parquet).expect("written").starts_with(b"PAR1"));
    assert_eq!(print(&["--limit", "1", "--csv"]).lines().count(), 2);
}

#[test]
fn little_memory_spills_or_stops_with_a_sentence() {
    let folder = folder();
    let path = folder.path().join("big.json");
    let path = path.to_str().expect("UTF-8");
    let made = run(&flowline(), &["synth", "--markers", "200000", "--format", "chrome", "-o", path]);
    assert!(made.status.success());
    let sorted = "SELECT count(*) FROM (SELECT id, name, row_number() OVER (ORDER BY dur, id) AS place FROM slice)";
    let output = run(query_program(), &["sql", path, sorted, "--csv", "--max-memory", "300M"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // An exact percentile keeps all values.
    let values = "SELECT percentile_exact(dur, 0.5) FROM slice s1 CROSS JOIN (SELECT id FROM slice LIMIT 200)";
    let output = run(query_program(), &["sql", path, values, "--csv", "--max-memory", "150M"]);
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("--max-memory") && message.lines().count() == 1, "{message}");
    }
}

/// The next reply of a server. A slow machine gets progress of opening first.
pub(crate) fn next_reply(replies: &mut impl Iterator<Item = std::io::Result<String>>) -> Value {
    let values = replies.map(|line| serde_json::from_str::<Value>(&line.expect("UTF-8")).expect("JSON"));
    let mut others = values.filter(|reply| reply["opening"].is_null());
    others.next().expect("a line")
}

#[test]
fn the_server_answers_cancels_and_survives_errors() {
    let mut child = Command::new(query_program())
        .args(["serve", "example", "--no-cache"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut requests = child.stdin.take().expect("piped");
    let mut replies = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut next = || next_reply(&mut replies);
    let ready = next();
    assert_eq!(ready["ready"]["version"], 1);
    let info = &lines(&flowline(), &["info", "example", "--json"])[0];
    assert_eq!(ready["ready"]["recording"]["slices"], info["markers"]);
    assert_eq!(ready["ready"]["recording"]["duration_ns"], info["duration_ns"]);
    assert!(ready["ready"]["tables"].as_array().expect("tables").iter().any(|table| table["name"] == "slice"));
    let mut ask = |request: &Value| writeln!(requests, "{request}").expect("sent");
    ask(&json!({"id": 1, "sql": "SELECT id, name FROM slice ORDER BY id LIMIT 3"}));
    assert_eq!(next()["columns"], json!([{"name": "id", "type": "integer"}, {"name": "name", "type": "text"}]));
    assert_eq!(next()["batch"][0], json!([0, 1, 2]));
    assert_eq!(next()["done"]["rows"], 3);
    ask(&json!({"id": 2, "sql": "SELECT nme FROM slice"}));
    let error = next();
    assert_eq!((&error["id"], &error["error"]["line"], &error["error"]["column"]), (&json!(2), &json!(1), &json!(8)));
    ask(&json!({"id": 3, "sql": "SELECT id FROM slice", "limit": 2}));
    next();
    assert_eq!(next()["batch"][0].as_array().expect("values").len(), 2);
    assert_eq!(next()["done"]["more"], true);
    ask(
        &json!({"id": 4, "sql": "SELECT count(*) FROM slice a, slice b, slice c, slice d WHERE a.dur + b.dur > c.dur + d.dur"}),
    );
    next();
    ask(&json!({"cancel": 4}));
    assert_eq!(next(), json!({"id": 4, "canceled": true}));
    ask(&json!({"nonsense": true}));
    assert!(next()["error"].is_object());
    drop(requests);
    assert!(child.wait().expect("ended").success());
}

#[test]
fn the_reference_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/query-schema.md");
    let printed = run(query_program(), &["schema"]).stdout;
    if std::env::var_os("FLOWLINE_UPDATE").is_some() {
        fs::write(&path, &printed).expect("written");
    }
    let written = fs::read(&path).expect("docs/query-schema.md");
    assert!(
        written == printed,
        "docs/query-schema.md is not what `flowline-query schema` prints; run with FLOWLINE_UPDATE=1"
    );
}
