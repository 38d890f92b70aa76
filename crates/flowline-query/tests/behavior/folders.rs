//! Folders of exported tables: ids, names, damage, and comparisons of labels.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::{failure, folder, lines, query_program, rows, run};
use crate::trace;

#[test]
fn an_exported_folder_answers_like_the_recording_and_resumes() {
    let folder = folder();
    let trace = trace(folder.path());
    let out = folder.path().join("tables");
    let out = out.to_str().expect("UTF-8");
    let export = |files: &[&str]| {
        run(query_program(), &[&["export-tables"], files, &["-o", out, "--label", "build=1"]].concat())
    };
    let first = export(&[&trace, "example"]);
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let again = export(&[&trace]);
    assert!(String::from_utf8_lossy(&again.stdout).contains("already exported"));
    for table in ["slice", "args", "counter", "flow_member", "stack_sample", "network_request", "milestone", "track"] {
        let one = |input: &str| rows(input, &format!("SELECT count(*) FROM {table}"))[0][0].as_i64().expect("a count");
        let both = one(&trace) + one("example");
        assert_eq!(one(out), both, "{table}");
    }
    let query = "SELECT name, count(*), sum(dur), percentile_exact(dur, 0.99) FROM slice WHERE recording_id = \
                 (SELECT recording_id FROM recording WHERE file LIKE '%trace.json') GROUP BY name ORDER BY name";
    assert_eq!(rows(out, query), rows(&trace, query));
    assert_eq!(rows(out, "SELECT DISTINCT labels FROM recording"), [[json!(r#"{"build":"1"}"#)]]);
    let leftovers = walk(Path::new(out)).into_iter().filter(|path| !path.ends_with(".parquet")).collect::<Vec<_>>();
    assert_eq!(leftovers, [""; 0]);

    let damaged = walk(Path::new(out)).into_iter().find(|path| path.contains("/slice/")).expect("a file of slices");
    fs::write(&damaged, b"PAR1 but not really").expect("written");
    let message = failure(&["sql", out, "SELECT count(*) FROM slice"]);
    assert!(message.contains(&damaged) && message.contains("--skip-damaged"), "{message}");
    let rest = run(query_program(), &["sql", out, "SELECT count(*) FROM slice", "--csv", "--skip-damaged"]);
    assert!(rest.status.success() && String::from_utf8_lossy(&rest.stderr).contains(&damaged));
    let days = "SELECT day, count(*) FROM slice WHERE day <> '' GROUP BY day";
    let days = run(query_program(), &["sql", out, days, "--csv", "--skip-damaged"]);
    let days = String::from_utf8_lossy(&days.stdout).into_owned();
    let day = damaged.split("day=").nth(1).and_then(|rest| rest.split('/').next()).expect("a partition");
    assert!(days.lines().count() == 2 && !days.contains(day), "the days of the other files: {days}");
}

#[test]
fn failures_are_errors_and_other_files_are_exported() {
    let folder = folder();
    let trace = trace(folder.path());
    let [missing, out] = ["missing.json", "tables"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    let exported = run(query_program(), &["export-tables", &missing, &trace, "-o", &out]);
    assert_eq!(exported.status.code(), Some(1));
    let [report, message] = [exported.stdout, exported.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains(&format!("{missing}: failed: ")), "{message}");
    assert!(!report.contains("failed: ") && report.contains("1 recording exported, 0 skipped, 1 failed"), "{report}");
}

/// The id of a recording.
fn id(recording: &Path) -> String {
    let id = rows(recording.to_str().expect("UTF-8"), "SELECT recording_id FROM recording")[0][0].clone();
    id.as_str().expect("a text").to_owned()
}

#[test]
fn recording_ids_depend_on_all_bytes_and_on_nothing_else() {
    let folder = folder();
    let (one, other) = (folder.path().join("one.json"), folder.path().join("other.json"));
    let event = |number: usize| {
        format!(
            r#"{{"ph":"X","pid":1,"tid":2,"ts":{number},"dur":1,"name":"an event with a rather long name {number:06}"}}"#
        )
    };
    let text = format!("[{}]", (0..12_000).map(event).collect::<Vec<_>>().join(",\n"));
    fs::write(&one, &text).expect("written");
    fs::write(&other, &text).expect("written");
    let file = fs::File::options().append(true).open(&other).expect("opened");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("set");
    let first = id(&one);
    assert!(first.len() == 16 && first.bytes().all(|digit| digit.is_ascii_hexdigit()), "{first}");
    assert_eq!(id(&other), first, "name and time do not matter");
    // One digit of one event, at places that a sample of the file would hardly contain all.
    let mut seen = vec![first];
    for number in [1_003, 3_501, 5_999, 8_123, 10_777] {
        let changed = text.replace(&format!("name {number:06}"), &format!("name {:06}", number + 1));
        assert_eq!(changed.len(), text.len());
        fs::write(&other, changed).expect("written");
        seen.push(id(&other));
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count, "{seen:?}");
}

#[test]
fn names_of_folders_are_taken_literally() {
    let folder = folder();
    let trace = trace(folder.path());
    for name in ["a [1]", "all*", "what?", "100%", "20%20", "é #1", "a+b&c=d", "[", "{x,y}"] {
        let out = folder.path().join(name).join("day=1");
        let out = out.to_str().expect("UTF-8");
        let exported = run(query_program(), &["export-tables", &trace, "-o", out]);
        assert!(exported.status.success(), "{name}: {}", String::from_utf8_lossy(&exported.stderr));
        assert_eq!(rows(out, "SELECT count(*), min(day) FROM slice"), [[json!(6), json!("unknown")]], "{name}");
        // The other files of a table with a damaged one are opened one by one.
        fs::write(Path::new(out).join("slice/day=unknown/0.parquet"), b"no").expect("written");
        let rest = run(query_program(), &["sql", out, "SELECT count(*) AS n FROM slice", "--csv", "--skip-damaged"]);
        assert_eq!(String::from_utf8_lossy(&rest.stdout), "n\n6\n", "{name}");
    }
}

#[test]
fn regressions_compare_any_two_labels() {
    let folder = folder();
    let out = folder.path().join("tables");
    let out = out.to_str().expect("UTF-8");
    for (number, (label, dur)) in
        (0..6).flat_map(|_| [("build=2", 100), ("build=1", 300), ("it's=\"x\"", 500)]).enumerate()
    {
        let path = folder.path().join(format!("{number}.json"));
        let dur = dur + number;
        fs::write(&path, format!(r#"[{{"ph":"X","pid":1,"tid":2,"ts":0,"dur":{dur},"name":"paint"}}]"#))
            .expect("written");
        let path = path.to_str().expect("UTF-8");
        let exported = run(query_program(), &["export-tables", path, "-o", out, "--label", label]);
        assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    }
    let compare = |a: &str, b: &str| -> (f64, f64) {
        let found = lines(query_program(), &["fleet", "regressions", out, "--a", a, "--b", b, "--json"]);
        let paint = found.iter().find(|own| own["name"] == "paint" && own["metric"] == "p50").expect("a difference");
        (paint["greater"].as_f64().expect("a share"), paint["p"].as_f64().expect("a probability"))
    };
    // The labels of the views, exchanged.
    let (greater, p) = compare("build=2", "build=1");
    assert!(greater > 0.999 && p < 0.01, "{greater} {p}");
    let (greater, p) = compare("it's=\"x\"", "build=2");
    assert!(greater < 0.001 && p < 0.01, "{greater} {p}");
    let question = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fleet/questions/regressions.sql");
    let asked = lines(query_program(), &["sql", out, "-f", question.to_str().expect("UTF-8"), "--json"]);
    assert_eq!(
        (&asked[0]["name"], &asked[0]["u"]),
        (&json!("paint"), &json!(0.0)),
        "from build 1 to build 2: {asked:?}"
    );
}

#[test]
fn tables_without_rows_are_empty() {
    let folder = folder();
    let text = folder.path().join("stacks.txt");
    fs::write(&text, "main;work 12\nmain;rest 3\n").expect("written");
    let out = folder.path().join("tables");
    let out = out.to_str().expect("UTF-8");
    let export = run(query_program(), &["export-tables", text.to_str().expect("UTF-8"), "-o", out]);
    assert!(export.status.success(), "{}", String::from_utf8_lossy(&export.stderr));
    assert_eq!(rows(out, "SELECT count(*), min(day), min(url) FROM milestone"), [[json!(0), json!(null), json!(null)]]);
    assert_eq!(rows(out, "SELECT sum(weight) FROM stack_sample WHERE day = 'unknown'"), [[json!(15.0)]]);
}

/// All files below a folder.
fn walk(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else {
            found.push(path.to_str().expect("UTF-8").to_owned());
        }
    }
    found.sort();
    found
}
