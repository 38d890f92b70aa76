//! `stats`, `compare` and `export` in scripts. A plain loop recomputes the printed values from `dump markers`.

use std::collections::BTreeMap;

use flowline_synth::Format;
use serde_json::{Value, json};

use crate::support::csv::records;
use crate::support::program::Program;
use crate::support::recording::real::shared;

/// Start, end (`None` for an instant) and incompleteness of the markers per group.
type Groups = BTreeMap<Vec<String>, Vec<(i64, Option<i64>, bool)>>;

fn grouped(markers: &[Value], range: Option<(i64, i64)>, key: impl Fn(&Value) -> Vec<String>) -> Groups {
    let mut groups = Groups::new();
    for marker in markers {
        let start = marker["start_ns"].as_i64().expect("a start");
        if range.is_none_or(|(from, to)| (from..to).contains(&start)) {
            let incomplete = marker["incomplete"].as_bool().expect("a flag");
            groups.entry(key(marker)).or_default().push((start, marker["end_ns"].as_i64(), incomplete));
        }
    }
    groups
}

/// Asserts that a line of `stats` matches its markers.
fn check(line: &Value, markers: &[(i64, Option<i64>, bool)], range: Option<(i64, i64)>) {
    let mut lengths: Vec<i64> = markers.iter().filter_map(|(start, end, _)| Some((*end)? - start)).collect();
    lengths.sort_unstable();
    let part = |(start, end, _): &(i64, Option<i64>, bool)| {
        end.map_or(0, |end| range.map_or(end, |(_, to)| end.min(to)) - start)
    };
    let percentile = |thousandths: usize| {
        let rank = (lengths.len() * thousandths).div_ceil(1000);
        rank.checked_sub(1).map(|rank| lengths[rank])
    };
    let mut pieces: Vec<(i64, i64)> = Vec::new();
    let mut sorted: Vec<(i64, i64)> = markers.iter().map(|marker| (marker.0, marker.0 + part(marker))).collect();
    sorted.sort_unstable();
    for (from, to) in sorted {
        match pieces.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => pieces.push((from, to)),
        }
    }
    for (key, expected) in [
        ("count", json!(markers.len())),
        ("timed", json!(lengths.len())),
        ("incomplete", json!(markers.iter().filter(|marker| marker.2).count())),
        ("total_ns", json!(markers.iter().map(part).sum::<i64>())),
        ("min_ns", json!(lengths.first())),
        ("p50_ns", json!(percentile(500))),
        ("p90_ns", json!(percentile(900))),
        ("p99_ns", json!(percentile(990))),
        ("p999_ns", json!(percentile(999))),
        ("max_ns", json!(lengths.last())),
        ("first_ns", json!(markers.iter().map(|marker| marker.0).min())),
        ("last_ns", json!(markers.iter().map(|marker| marker.1.unwrap_or(marker.0)).max())),
        ("covered_ns", json!(pieces.iter().map(|(from, to)| to - from).sum::<i64>())),
        ("longest_gap_ns", json!(pieces.windows(2).map(|pair| pair[1].0 - pair[0].1).max())),
    ] {
        assert_eq!(line[key], expected, "{key} of {line}");
    }
    let mean = (!lengths.is_empty()).then(|| lengths.iter().sum::<i64>() as f64 / lengths.len() as f64);
    match mean {
        None => assert!(line["mean_ns"].is_null() && line["stddev_ns"].is_null(), "{line}"),
        Some(mean) => {
            assert!((line["mean_ns"].as_f64().expect("a mean") - mean).abs() <= 1e-6 * mean.max(1.0), "{line}")
        }
    }
}

fn check_all(lines: &[Value], groups: &Groups, range: Option<(i64, i64)>, key: impl Fn(&Value) -> Vec<String>) {
    assert_eq!(lines.len(), groups.len());
    assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line["total_ns"].as_i64())), "groups are sorted by total");
    for line in lines {
        check(line, &groups[&key(line)], range);
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Compares the statistics of a recording with its dump: the whole recording, and a range with a pivot.
fn compare_with_dump(program: &Program, file: &str) {
    let markers = program.lines(&["dump", file, "markers", "--no-cache"]);
    let name = |line: &Value| vec![text(&line["name"])];
    let all = program.lines(&["stats", file, "--json", "--no-cache"]);
    check_all(&all, &grouped(&markers, None, name), None, name);
    let info = program.object(&["info", file, "--json", "--no-cache"]);
    let main = if info["main_part"].is_null() { &info } else { &info["main_part"] };
    let (zero, length) = (main["start_ns"].as_i64().expect("a start"), main["duration_ns"].as_i64().expect("a length"));
    let (from, to) = (length / 1_000_000 / 5, length / 1_000_000 * 3 / 5);
    if from < to {
        let range = Some((zero + from * 1_000_000, zero + to * 1_000_000));
        let pivot = |line: &Value| vec![text(&line["name"]), text(&line["thread"])];
        let asked = format!("{from}..{to}");
        let lines = program.lines(&["stats", file, "--json", "--by", "name,thread", "--range", &asked, "--no-cache"]);
        check_all(&lines, &grouped(&markers, range, pivot), range, pivot);
    }
}

#[test]
fn statistics_match_the_dump() {
    let program = Program::new("stats");
    compare_with_dump(&program, "example");
    for (format, seed) in [(Format::Firefox, 3), (Format::Chrome, 4)] {
        compare_with_dump(&program, &program.synthetic("synthetic.json", format, 5_000, seed));
    }
}

#[test]
fn statistics_of_real_recordings_match_the_dump() {
    let program = Program::new("stats");
    for path in ["profiles/firefox-153-processed-1s.json.gz", "traces/chromium-156-2s.json.gz"] {
        match shared(path) {
            Some(file) => compare_with_dump(&program, file.to_str().expect("UTF-8")),
            None => compare_with_dump(&program, &program.synthetic("own.json", Format::Firefox, 1_000, 7)),
        }
    }
}

#[test]
fn a_summary_agrees_with_the_statistics_of_overlapping_markers() {
    let program = Program::new("stats-summary");
    for range in ["0..1000000", "10..40"] {
        let arguments = |more: &[&'static str]| -> Vec<&str> {
            ["stats", "example", "--json", "--range", range].into_iter().chain(more.iter().copied()).collect()
        };
        let [summary] = program.lines(&arguments(&["--summary"])).try_into().expect("one object");
        let by_name = program.lines(&arguments(&["--overlap"]));
        let sum = |key: &str| by_name.iter().map(|line| line[key].as_i64().expect("a number")).sum::<i64>();
        assert_eq!(summary["markers"].as_i64(), Some(sum("count")));
        let kinds = summary["kinds"].as_array().expect("kinds");
        let of_kinds = kinds.iter().map(|kind| kind["self_ns"].as_i64().expect("a time")).sum::<i64>();
        assert!(!kinds.is_empty() && Some(of_kinds) == summary["self_ns"].as_i64(), "{summary}");
        let counted = kinds.iter().map(|kind| kind["count"].as_i64().expect("a count")).sum::<i64>();
        let also = ["instants", "operations"].map(|key| summary[key].as_i64().expect("a count"));
        assert_eq!(counted + also[0] + also[1], sum("count"), "{summary}");
        for name in summary["names"].as_array().expect("names") {
            let own = by_name.iter().find(|line| line["name"] == name["name"]).expect("its group");
            // Some markers of a name can be work, and others only count.
            let counts = [own, name].map(|line| line["count"].as_i64().expect("a count"));
            assert!(counts[1] <= counts[0], "{name}");
            assert!(counts[1] < counts[0] || own["self_ns"] == name["self_ns"], "{name}");
        }
        let text = program.good(&["stats", "example", "--range", range, "--summary"]);
        assert!(text.contains("longest self time"), "{text}");
    }
    let both = program.run(["stats", "example", "--summary", "--by", "thread"]);
    assert!(both.status == Some(2) && both.err.contains("--by"), "{both:?}");
}

/// Two recordings: `b` has longer paints and one different name.
fn two(program: &Program) -> (String, String) {
    let of = |factor: u32, last: &str| {
        let slice = |at: u32| json!({"ph": "X", "pid": 1, "tid": 1, "ts": at * 100, "dur": factor * (10 + at % 5), "name": "Paint", "cat": "x"});
        let other =
            |name: &str, at: u32| json!({"ph": "X", "pid": 1, "tid": 2, "ts": at, "dur": 7, "name": name, "cat": "x"});
        let mut events: Vec<Value> = (0..30).map(slice).collect();
        events.extend([other("Same, \"always\"\nthe same", 5), other(last, 50)]);
        json!({"traceEvents": events}).to_string()
    };
    (program.file("a.json", of(1, "Old")), program.file("b.json", of(2, "New")))
}

#[test]
fn comparisons_report_growth() {
    let program = Program::new("compare");
    let (a, b) = two(&program);
    let lines = program.lines(&["compare", &a, &b, "--json"]);
    let status: BTreeMap<String, &Value> = lines.iter().map(|line| (text(&line["name"]), &line["status"])).collect();
    assert_eq!(
        json!(status),
        json!({"Paint": "both", "Old": "vanished", "New": "new", "Same, \"always\"\nthe same": "both"})
    );
    let paint = &lines[0];
    assert_eq!(
        (&paint["name"], &paint["total_ns_a"], &paint["total_ns_b"]),
        (&json!("Paint"), &json!(360_000), &json!(720_000))
    );
    assert_eq!((paint["total_ns_ratio"].as_f64(), paint["u"].as_f64()), (Some(2.0), Some(0.0)), "{paint}");
    assert_eq!(paint["p50_ns_difference"], 12_000, "{paint}");
    assert!(paint["p"].as_f64().expect("a probability") < 1e-6, "{paint}");
    let same = program.lines(&["compare", &a, &a, "--json"]);
    assert!(same.iter().all(|line| line["total_ns_difference"] == 0 && line["p"].as_f64().is_none_or(|p| p == 1.0)));
    for (most, status) in [("50%", 3), ("100%", 0)] {
        assert_eq!(program.run(["compare", &a, &b, "--fail-above", most]).status, Some(status), "{most}");
    }
    assert_eq!(program.run(["compare", &a, &b, "--fail-above", "much"]).status, Some(2));
    let halves = program.lines(&["compare", &a, &a, "--json", "--range", "0..1.5", "--range-b", "1.5..3"]);
    let paint = halves.iter().find(|line| line["name"] == "Paint").expect("the group exists in both");
    assert_eq!((&paint["count_a"], &paint["count_b"]), (&json!(15), &json!(15)), "{paint}");
    let markdown = program.good(&["compare", &a, &b, "--markdown"]);
    assert!(markdown.starts_with("| name | count A |") && markdown.contains("| longer (p \\< 0.001) |"), "{markdown}");
    assert!(markdown.lines().all(|line| line.starts_with('|')), "{markdown}");
}

/// The text of a comparison: columns are separated by at least two spaces.
fn columns(table: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let cells = line.split("  ").map(|cell| cell.trim().to_owned());
        cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
    };
    table.lines().map(cells).collect()
}

#[test]
fn durations_of_a_compared_column_have_one_unit_that_its_heading_names() {
    let program = Program::new("compare-units");
    let (a, _) = two(&program);
    // B is a thousand times slower, so that each number alone would have another unit.
    let slice = |at: u32| json!({"ph": "X", "pid": 1, "tid": 1, "ts": at * 100_000, "dur": 12_000, "name": "Paint"});
    let b = program.file("slow.json", json!({"traceEvents": (0..30).map(slice).collect::<Vec<_>>()}).to_string());
    for layout in [&["compare", &a, &b][..], &["compare", &a, &b, "--markdown"]] {
        let text = program.good(layout).replace(" | ", "  ").replace('|', "");
        let rows = columns(&text);
        let headings = ["total A ms", "total B ms", "difference ms", "mean A ms", "mean B ms", "p50 A ms", "p99 B ms"];
        assert!(headings.iter().all(|name| rows[0].iter().any(|cell| cell == name)), "{text}");
        let paint = rows.iter().find(|row| row[0] == "Paint").expect("the group exists in both");
        assert_eq!(paint[3..6], ["0.360", "360.000", "+359.640"], "{text}");
        let is_unit = |cell: &String| ["s", "ms", "µs", "ns"].iter().any(|unit| cell.ends_with(&format!(" {unit}")));
        assert!(!rows[1..].iter().flatten().any(is_unit), "{text}");
    }
}

#[test]
fn tables_have_a_totals_row() {
    let program = Program::new("stats");
    let (a, _) = two(&program);
    let table = program.good(&["stats", &a]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 6, "{table}");
    assert!(lines[1].starts_with("Paint ") && lines[4].starts_with("all 3 groups "), "{table}");
    let csv = program.good(&["stats", &a, "--csv"]);
    assert!(
        csv.starts_with("name,count,timed,incomplete,total_ns,") && csv.contains("\"Same, \"\"always\"\"\nthe same\","),
        "{csv}"
    );
    let message = program.refused(&["stats", &a, "--by", "nonsense"]);
    assert!(message.contains("nonsense"), "{message}");
    assert_eq!(program.good(&["stats", &a, "--search", "name:=nothing", "--json"]), "");
    assert_eq!(program.good(&["stats", &a, "--search", "name:=nothing"]).lines().count(), 3);
}

#[test]
fn counters_and_flows_have_statistics() {
    let program = Program::new("stats-lists");
    let value =
        |ts: u32, value: Value| json!({"ph": "C", "pid": 7, "ts": ts, "name": "Queue", "args": {"length": value}});
    let slice = |tid: u32, ts: u32, dur: u32, name: &str| json!({"ph": "X", "pid": 7, "tid": tid, "ts": ts, "dur": dur, "name": name, "cat": "x"});
    let step = |ph: &str, tid: u32, ts: u32, id: u32| json!({"ph": ph, "bp": "e", "pid": 7, "tid": tid, "ts": ts, "id": id, "name": "request, \"slow\"", "cat": "f"});
    let events = json!([
        value(0, json!(2)),
        value(10, json!(6)),
        value(30, json!(1)),
        slice(1, 0, 10, "send"),
        slice(2, 20, 5, "take"),
        slice(1, 30, 10, "send"),
        slice(2, 70, 30, "take"),
        step("s", 1, 0, 1),
        step("f", 2, 20, 1),
        step("s", 1, 30, 2),
        step("f", 2, 70, 2),
    ]);
    let file = program.file("trace.json", events.to_string());
    let counters = program.lines(&["stats", &file, "--of", "counters", "--json"]);
    let line = &counters[0];
    assert_eq!(counters.len(), 1, "{counters:?}");
    let keys = ["series", "graph", "samples", "min", "max", "first", "last", "change", "integral", "max_at_ns"];
    let shown: Vec<&Value> = keys.iter().map(|key| &line[*key]).collect();
    assert_eq!(json!(shown), json!(["length", "level", 3, 1, 6, 2, 1, -1, null, 10_000]));
    // 2 for 10, 6 for 20 and 1 for 70 of 100 microseconds.
    assert!((line["mean"].as_f64().expect("a mean") - 2.1).abs() < 1e-9, "{line}");
    let part = program.lines(&["stats", &file, "--of", "counters", "--json", "--range", "5us..20us"]);
    assert_eq!((&part[0]["first"], &part[0]["last"], &part[0]["samples"]), (&json!(2), &json!(6), &json!(1)));
    let csv = records(&program.good(&["stats", &file, "--of", "counters", "--csv"]));
    assert_eq!((csv.len(), csv[0][0].as_str(), csv[1].len()), (2, "counter", csv[0].len()));
    for option in [["--search", "x"], ["--thread", "1"], ["--by", "name"]] {
        let message = program.refused(&[&["stats", &file, "--of", "counters"][..], &option].concat());
        assert!(message.contains(option[0]), "{message}");
    }

    let flows = |more: &[&str]| program.lines(&[&["stats", &file, "--of", "flows", "--json"][..], more].concat());
    let all = flows(&[]);
    let line = &all[0];
    let keys = ["kind", "count", "total_ns", "min_ns", "p50_ns", "max_ns"];
    let shown: Vec<&Value> = keys.iter().map(|key| &line[*key]).collect();
    assert_eq!(json!(shown), json!(["request, \"slow\"", 2, 95_000, 25_000, 25_000, 70_000]), "{all:?}");
    assert_eq!(flows(&["--range", "25us..50us"])[0]["max_ns"], 70_000);
    assert_eq!(flows(&["--search", "name:=take", "--range", "0us..50us"])[0]["count"], 1);
    assert_eq!(flows(&["--search", "name:=nothing"]).len(), 0);
    let table = program.good(&["stats", &file, "--of", "flows"]);
    assert!(table.lines().nth(2).is_some_and(|line| line.starts_with("all 1 kind ")), "{table}");
    let nothing = program.good(&["stats", &file, "--of", "flows", "--search", "name:=nothing"]);
    assert_eq!(nothing, "No matching flows.\n");
    let (a, _) = two(&program);
    assert_eq!(program.good(&["stats", &a, "--of", "flows"]), "The recording has no flows.\n");
    assert_eq!(program.good(&["stats", &a, "--of", "counters"]), "The recording has no counters.\n");
    assert_eq!(program.good(&["stats", &a, "--of", "flows", "--json"]), "");
}

#[test]
fn exports_contain_plain_names_and_json_objects() {
    let program = Program::new("stats-texts");
    let names = ["a\tb", "a\\u0009b", "\u{2028}", "<b>&amp;|", "c\rd"];
    let values = [json!({"k": 1}), json!({"k": 2}), json!([1, 2]), json!("1,2"), json!([{"k": [3]}])];
    let slice = |(ts, (name, value)): (usize, (&str, &Value))| json!({"ph": "X", "pid": 1, "tid": 1, "ts": ts, "dur": 1, "name": name, "args": {"o": value}});
    let events: Vec<Value> = names.into_iter().zip(&values).enumerate().map(slice).collect();
    let file = program.file("trace.json", json!(events).to_string());
    let keys = |csv: &str| records(csv).iter().skip(1).map(|row| row[0].clone()).collect::<Vec<String>>();
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    let expected = sorted(names.map(str::to_owned).to_vec());
    assert_eq!(sorted(keys(&program.good(&["stats", &file, "--csv"]))), expected);
    assert_eq!(sorted(keys(&program.good(&["compare", &file, &file, "--csv"]))), expected);
    let markdown = program.good(&["compare", &file, &file, "--markdown"]);
    assert!(markdown.contains("| a\tb ") && markdown.contains("| \\<b\\>\\&amp;\\| "), "{markdown}");
    let table = program.good(&["stats", &file]);
    assert!(!table.contains('\t') && table.contains("a\\u0009b"), "{table}");
    let grouped = sorted(keys(&program.good(&["stats", &file, "--by", "o", "--csv"])));
    assert_eq!(grouped, [r#"1,2"#, r#"[1,2]"#, r#"[{"k":[3]}]"#, r#"{"k":1}"#, r#"{"k":2}"#]);
}

#[test]
fn exported_markers_match_the_dump() {
    let program = Program::new("export");
    let (a, _) = two(&program);
    let markers = program.lines(&["dump", &a, "markers", "--search", "dur:<12us"]);
    let export = |name: &str| {
        let out = program.path(name);
        assert_eq!(program.good(&["export", &a, "-o", &out, "--search", "dur:<12us"]), "");
        std::fs::read_to_string(out).expect("a file")
    };
    let array: Value = serde_json::from_str(&export("out.json")).expect("JSON");
    assert_eq!(array, json!(markers));
    let rows = records(&export("out.csv"));
    assert_eq!(rows.len(), markers.len() + 1);
    let heading = rows[0].clone();
    for (row, marker) in rows[1..].iter().zip(&markers) {
        for key in ["marker", "thread", "name", "category", "start_ns", "end_ns", "incomplete"] {
            let column = heading.iter().position(|name| name == key).expect("a column");
            assert_eq!(row[column], text(&marker[key]), "{key}");
        }
    }
    let tsv = export("out.tsv");
    assert_eq!(tsv.lines().count(), markers.len() + 1);
    assert!(tsv.lines().all(|line| line.split('\t').count() == heading.len()), "{tsv}");
    assert_eq!(export("out.md").lines().count(), markers.len() + 2);
    assert_eq!(program.run(["export", &a, "-o", &a, "--format", "csv"]).status, Some(1));
    assert!(program.refused(&["export", &a, "-o", &program.path("out.doc")]).contains("--format"));
    let nothing = program.path("none.json");
    program.good(&["export", &a, "-o", &nothing, "--search", "name:=nothing"]);
    assert_eq!(
        serde_json::from_str::<Value>(&std::fs::read_to_string(nothing).expect("a file")).expect("JSON"),
        json!([])
    );
}

#[test]
fn export_columns_can_be_selected() {
    let program = Program::new("export-columns");
    let slice = |ts: u32, dur: u32, name: &str, args: Value| json!({"ph": "X", "pid": 1, "tid": 1, "ts": ts, "dur": dur, "name": name, "cat": "x", "args": args});
    let list = json!({"url": "a,b", "name": 5, "list": [1, "x"]});
    let events = json!([
        slice(0, 100, "outer", list),
        slice(10, 30, "inner", json!({})),
        json!({"ph": "i", "s": "t", "pid": 1, "tid": 1, "ts": 50, "name": "now", "cat": "x"}),
    ]);
    let file = program.file("trace.json", events.to_string());
    let export = |name: &str, columns: &str| {
        let out = program.path(name);
        program.good(&["export", &file, "-o", &out, "--columns", columns]);
        std::fs::read_to_string(out).expect("a file")
    };
    let rows = records(&export("out.csv", "name,self_ns,url,data.name,list"));
    let expected = [
        ["name", "self_ns", "url", "data.name", "list"],
        ["outer", "70000", "a,b", "5", "[1,\"x\"]"],
        ["inner", "30000", "", "", ""],
        ["now", "", "", "", ""],
    ];
    assert_eq!(rows, expected);
    let objects: Value = serde_json::from_str(&export("out.json", "data.name,name,list")).expect("JSON");
    let expected = json!([
        {"data.name": 5, "name": "outer", "list": [1, "x"]},
        {"data.name": null, "name": "inner", "list": null},
        {"data.name": null, "name": "now", "list": null},
    ]);
    assert_eq!(objects, expected);
    let out = program.path("none.csv");
    let message = program.refused(&["export", &file, "-o", &out, "--columns", "name,nonsense"]);
    assert!(message.contains("nonsense") && !std::path::Path::new(&out).exists(), "{message}");
}

/// Two recordings of stacks: `main;parse` grew, `old` vanished, `new` is new. `parse` calls itself.
const STACKS: [&str; 2] = [
    "main;parse 5\nmain;parse;parse 2\nmain;draw 7\nold 2\n",
    "main;parse 9\nmain;parse;parse 2\nmain;draw 3\nnew 1\n",
];

#[test]
fn recordings_with_samples_only_have_statistics_of_functions() {
    let program = Program::new("functions");
    let [a, b] = ["a.folded", "b.folded"].map(str::to_owned);
    let [a, b] = [program.file(&a, STACKS[0]), program.file(&b, STACKS[1])];
    let row = |line: &Value| {
        (line["function"].as_str().expect("a name").to_owned(), line["self"].clone(), line["total"].clone())
    };
    let found: Vec<_> = program.lines(&["stats", &a, "--json"]).iter().map(row).collect();
    // Recursion counts once.
    let expected = [("draw", 7, 7), ("parse", 7, 7), ("old", 2, 2), ("main", 0, 14)];
    assert_eq!(found, expected.map(|(name, own, total)| (name.to_owned(), json!(own), json!(total))));
    let first = &program.lines(&["stats", &a, "--json", "--of", "functions"])[0];
    assert_eq!((&first["unit"], &first["self_share"], &first["place"]), (&json!("none"), &json!(0.4375), &Value::Null));
    let text = program.good(&["stats", &a]);
    assert!(text.contains("all 4 functions") && text.contains("16 samples"), "{text}");
    let searched = program.lines(&["stats", &a, "--json", "--search", "parse"]);
    assert_eq!(searched.iter().map(row).collect::<Vec<_>>().len(), 2, "stacks with the function");
    for refused in [&["stats", &a, "--by", "thread"][..], &["compare", &a, &b, "--normalize"]] {
        assert!(program.refused(refused).contains("samples are grouped by function"));
    }

    let lines = program.lines(&["compare", &a, &b, "--json"]);
    let row = |line: &Value| {
        let keys = ["function", "status", "self_a", "self_b", "self_difference", "total_a", "total_b"];
        keys.map(|key| line[key].to_string().replace('"', "")).join(" ")
    };
    let expected = [
        "draw both 7 3 -4 7 3",
        "parse both 7 11 4 7 11",
        "old vanished 2 null null 2 null",
        "new new null 1 null null 1",
        "main both 0 0 0 14 14",
    ];
    assert_eq!(lines.iter().map(row).collect::<Vec<_>>(), expected);
    assert_eq!(lines[0]["total_ratio"], json!(3.0 / 7.0));
    let table = program.good(&["compare", &a, &b]);
    assert!(table.starts_with("function") && table.contains("vanished") && table.contains("+4"), "{table}");
    assert!(program.good(&["compare", &a, &b, "--markdown"]).starts_with("| function | self A |"));
    assert_eq!(program.good(&["compare", &a, &b, "--csv"]).lines().count(), 6);
    for (most, status) in [("50%", 3), ("60%", 0)] {
        assert_eq!(program.run(["compare", &a, &b, "--fail-above", most]).status, Some(status), "{most}");
    }
    let markers = program.lines(&["compare", &a, &b, "--of", "markers", "--json"]);
    assert!(markers.is_empty(), "no markers");
}

#[test]
fn functions_of_timed_samples_have_times() {
    let program = Program::new("timed_functions");
    let node = |id: u32, name: &str, parent: u32| {
        format!(r#"{{"id":{id},"callFrame":{{"functionName":"{name}","url":"a.js"}},"parent":{parent}}}"#)
    };
    let profile = |samples: &str| {
        let nodes = [r#"{"id":1,"callFrame":{"functionName":"(root)"}}"#.to_owned(), node(2, "f", 1), node(3, "g", 2)];
        format!(
            r#"{{"nodes":[{}],"samples":{samples},"timeDeltas":[10,10,10,10],"startTime":0,"endTime":50}}"#,
            nodes.join(",")
        )
    };
    let [a, b] =
        [program.file("a.cpuprofile", profile("[2,3,3,2]")), program.file("b.cpuprofile", profile("[3,3,3,2]"))];
    let lines = program.lines(&["stats", &a, "--json"]);
    let of = |name: &str| lines.iter().find(|line| line["function"] == name).cloned().unwrap_or_default();
    assert_eq!((&of("g")["self"], &of("g")["unit"], &of("g")["place"]), (&json!(20_000), &json!("ns"), &json!("a.js")));
    assert_eq!((&of("f")["self"], &of("f")["total"]), (&json!(20_000), &json!(40_000)));
    let compared = program.lines(&["compare", &a, &b, "--json"]);
    let g = compared.iter().find(|line| line["function"] == "g").expect("a function");
    assert_eq!((&g["self_difference"], &g["total_b"]), (&json!(10_000), &json!(30_000)));
    let other = program.file("c.folded", STACKS[0]);
    assert!(program.refused(&["compare", &a, &other]).contains("different units: ns and none"));
}
