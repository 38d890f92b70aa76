//! `dump samples`, stacks in `dump markers`, and sample counts in `info`.

use serde_json::{Value, json};

use crate::support::program::Program;

fn recording() -> Value {
    json!({
        "meta": {
            "version": 34, "preprocessedProfileVersion": 70, "interval": 1, "startTime": 1000, "product": "Test",
            "sampleUnits": {"threadCPUDelta": "\u{b5}s"},
            "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]}], "markerSchema": [],
        },
        "libs": [],
        "shared": {
            "stringArray": ["main", "", "x.js", "lib.so", "Mark"],
            "stackTable": {"frame": [0, 1, 2], "prefixOffset": [0, 1, 1]},
            "frameTable": {"func": [0, 1, 1], "line": [3, null, 8], "column": [null, null, null], "category": [0, 0, 0]},
            "funcTable": {
                "name": [0, 1], "isJS": [false, true], "relevantForJS": [false, false], "resource": [0, -1], "source": [null, 0],
                "lineNumber": [null, 5], "columnNumber": [null, 6],
            },
            "resourceTable": {"name": [3], "type": [1]},
            "sources": {"id": [null], "filename": [2]},
        },
        "threads": [
            {
                "name": "T", "pid": "1", "tid": 1,
                "samples": {"stack": [1, null, 2], "timeDeltas": [1, 1, 2.5], "weight": [2, 1, 0.5], "threadCPUDelta": [900, 40, null]},
                "jsAllocations": {"time": [1], "weight": [8], "weightType": "bytes", "stack": [0]},
                "markers": {
                    "name": [4, 4], "startTime": [1, 2], "endTime": [null, null], "phase": [0, 0], "category": [0, 0],
                    "data": [{"type": "T", "cause": {"time": 0.5, "stack": 0}}, {"type": "T", "cause": {"stack": 2}}],
                },
            },
            {"name": "U", "pid": "1", "tid": 2, "samples": {"stack": [], "timeDeltas": []}, "markers": {}},
        ],
    })
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn samples_are_counted_and_listed() {
    let program = Program::new("samples");
    let path = program.file("samples.json", recording().to_string().as_bytes());
    let summary = lines(&program.good(&["dump", &path, "samples"]));
    assert_eq!(
        summary,
        [
            json!({
                "thread": 0, "samples": 3, "null_stacks": 1, "first_ns": 1_000_000, "last_ns": 4_500_000, "cpu_ns": 40_000,
                "weight": 3.5, "weight_unit": "samples",
            }),
            json!({
                "thread": 1, "samples": 0, "null_stacks": 0, "first_ns": null, "last_ns": null, "cpu_ns": 0, "weight": 0,
                "weight_unit": "samples",
            }),
        ]
    );
    let main = json!({"name": "main", "file": "lib.so", "line": 3, "column": null});
    let inner = |line: u32| json!({"name": "(anonymous)", "file": "x.js", "line": line, "column": 6});
    let each = lines(&program.good(&["dump", &path, "samples", "--each"]));
    assert_eq!(
        each,
        [
            json!({"thread": 0, "t_ns": 1_000_000, "weight": 2, "cpu_ns": null, "stack": [inner(5), main]}),
            json!({"thread": 0, "t_ns": 2_000_000, "weight": 1, "cpu_ns": 40_000, "stack": null}),
            json!({"thread": 0, "t_ns": 4_500_000, "weight": 0.5, "cpu_ns": null, "stack": [inner(8), inner(5), main]}),
        ]
    );
    let markers = lines(&program.good(&["dump", &path, "markers"]));
    assert_eq!((&markers[0]["stack"], &markers[0]["stack_ns"]), (&json!([main]), &json!(500_000)));
    assert_eq!((&markers[1]["stack"], &markers[1]["stack_ns"]), (&json!([inner(8), inner(5), main]), &Value::Null));
}

#[test]
fn info_counts_samples_and_stacks() {
    let program = Program::new("samples-info");
    let path = program.file("samples.json", recording().to_string().as_bytes());
    let info = program.object(&["info", &path, "--json"]);
    let counts = [
        ("samples", 3),
        ("null_stacks", 1),
        ("js_allocations", 1),
        ("native_allocations", 0),
        ("marker_stacks", 2),
        ("stacks", 3),
        ("functions", 2),
    ];
    for (key, count) in counts {
        assert_eq!(info[key], count, "{key}: {info}");
    }
    assert!(info["memory"]["sample_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{info}");
    let text = program.good(&["info", &path]);
    for line in [
        "samples     3 of 1 thread, 1 without a stack (not in call trees)",
        "allocations 1 (1 JavaScript, 0 native)",
        "stacks      3 of 2 functions; 2 markers with a stack",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} in {text}");
    }
}

/// Functions of two sites, an add-on and a library; memory that is allocated and released.
fn places() -> Value {
    let mut recording = recording();
    recording["shared"] = json!({
        "stringArray": ["main", "load", "draw", "block", "libc.so", "Blocker", "https://www.a.org/x.js", "https://b.org/y.js", "https://cdn.a.org/z.js"],
        "stackTable": {"frame": [0, 1, 2, 3, 4], "prefixOffset": [0, 1, 2, 1, 4]},
        "frameTable": {"func": [0, 1, 2, 3, 4], "line": [null, null, null, null, null], "column": [null, null, null, null, null], "category": [0, 0, 0, 0, 0]},
        "funcTable": {
            "name": [0, 1, 2, 3, 1], "isJS": [false, true, true, true, true],
            "relevantForJS": [false, false, false, false, false], "resource": [0, -1, -1, 1, -1],
            "source": [null, 0, 1, null, 2], "lineNumber": [null, 1, 1, 1, 1], "columnNumber": [null, 1, 1, 1, 1],
        },
        "resourceTable": {"name": [4, 5], "type": [1, 2]},
        "sources": {"id": [null, null, null], "filename": [6, 7, 8]},
    });
    recording["threads"] = json!([{
        "name": "T", "pid": "1", "tid": 1, "markers": {},
        // main>load (a.org), main>draw (b.org), main>draw>block, main>load from another file of a.org.
        "samples": {"stack": [1, 2, 3, 4, 4, 0], "timeDeltas": [1, 1, 1, 1, 1, 1]},
        "nativeAllocations": {
            "time": [1, 2, 3, 4], "weight": [64, 32, -64, -8], "weightType": "bytes", "stack": [1, 2, 4, 4],
            "memoryAddress": [4096, 8192, 4096, 12288], "threadId": [1, 1, 1, 1],
        },
    }]);
    recording
}

/// The lines of `dump calltree`, each with the names from its root. Checks the numbers of nodes, parents and depths.
fn call_tree(program: &Program, path: &str, options: &[&str]) -> Vec<(String, Value)> {
    let all: Vec<&str> = ["dump", path, "calltree"].into_iter().chain(options.iter().copied()).collect();
    let mut found: Vec<(String, Value)> = Vec::new();
    for (node, line) in lines(&program.good(&all)).into_iter().enumerate() {
        assert_eq!(line["node"], node, "nodes are numbered in the order of lines");
        let name = line["name"].as_str().expect("a name");
        let parent = line["parent"].as_u64().map(|parent| &found[usize::try_from(parent).expect("small")]);
        let depth = parent.map_or(0, |(_, parent)| parent["depth"].as_u64().expect("a depth") + 1);
        assert_eq!(line["depth"], depth, "{line}");
        let path = parent.map_or_else(|| name.to_owned(), |(path, _)| format!("{path}>{name}"));
        found.push((path, line));
    }
    found
}

/// The paths of a call tree with their total and self weights.
fn weights(program: &Program, path: &str, options: &[&str]) -> Vec<(String, i64, i64)> {
    let number = |line: &Value, key: &str| line[key].as_i64().expect("a number");
    let line = |(path, line): (String, Value)| (path, number(&line, "total_samples"), number(&line, "self_samples"));
    call_tree(program, path, options).into_iter().map(line).collect()
}

#[test]
fn lines_of_deep_trees_do_not_grow_with_the_depth() {
    const LEVELS: usize = 5_000;
    let program = Program::new("deep-tree");
    let slice = |at: usize| {
        let (start, length) = (at, 2 * (LEVELS - at));
        json!({"ph": "X", "pid": 1, "tid": 1, "name": format!("n{}", at % 7), "ts": start, "dur": length, "cat": "c"})
    };
    let file = program.file("deep.json", Value::from((0..LEVELS).map(slice).collect::<Vec<_>>()).to_string());
    for options in [&[][..], &["--group-by", "library"]] {
        let text = program.good(&[&["dump", &file, "calltree"], options].concat());
        let lines = lines(&text);
        let levels = lines.len() - options.len() / 2;
        assert_eq!(levels, LEVELS, "{options:?}");
        let last = lines.last().expect("lines");
        assert_eq!(
            (&last["name"], &last["depth"]),
            (&json!(format!("n{}", (LEVELS - 1) % 7)), &json!(lines.len() - 1))
        );
        assert_eq!(last["parent"], lines.len() - 2);
        let longest = text.lines().map(str::len).max().unwrap_or_default();
        assert!(longest < 200, "{longest} bytes in one line");
    }
}

#[test]
fn call_trees_are_grouped_by_file_library_and_site() {
    let program = Program::new("groups");
    let file = program.file("places.json", places().to_string().as_bytes());
    let groups = |by: &str| {
        let all = weights(&program, &file, &["--invert", "--group-by", by]);
        let first = all.into_iter().filter(|(path, ..)| !path.contains('>'));
        first.map(|(path, total, own)| format!("{path} {total} {own}")).collect::<Vec<_>>()
    };
    let one = ["https://www.a.org/x.js 1 1", "https://b.org/y.js 1 1"];
    assert_eq!(groups("url")[..2], [" 2 2", "https://cdn.a.org/z.js 2 2"].map(str::to_owned), "{:?}", groups("url"));
    assert_eq!(groups("url")[2..], one.map(str::to_owned));
    assert_eq!(groups("third-party"), ["a.org 3 3", " 1 1", "b.org 1 1", "Blocker 1 1"].map(str::to_owned));
    assert_eq!(groups("library"), [" 4 4", "libc.so 1 1", "Blocker 1 1"].map(str::to_owned));
    assert_eq!(groups("category"), ["Other 6 6".to_owned()]);
    // The call tree has the same groups: those of the innermost functions.
    let calls = weights(&program, &file, &["--group-by", "library"]);
    let row = |path: &str, total, own| (path.to_owned(), total, own);
    assert!(
        calls.contains(&row("libc.so>main", 1, 1)) && calls.contains(&row("Blocker>main>draw>block", 1, 1)),
        "{calls:?}"
    );
    assert_eq!(calls.iter().filter(|(path, ..)| !path.contains('>')).count(), 3, "{calls:?}");
}

#[test]
fn samples_are_grouped_by_the_category_of_their_innermost_frame() {
    let program = Program::new("leaf-category");
    let mut recording = places();
    recording["meta"]["categories"] = json!([{"name": "Other", "color": "grey", "subcategories": ["Other"]},
        {"name": "JavaScript", "color": "yellow", "subcategories": ["Other"]}]);
    // Everything but `main` is JavaScript.
    recording["shared"]["frameTable"]["category"] = json!([0, 1, 1, 1, 1]);
    let file = program.file("categories.json", recording.to_string().as_bytes());
    let calls = weights(&program, &file, &["--group-by", "category"]);
    let row = |path: &str, total, own| (path.to_owned(), total, own);
    assert_eq!(calls[..2], [row("JavaScript", 5, 0), row("JavaScript>main", 5, 0)], "{calls:?}");
    assert_eq!(calls[calls.len() - 2..], [row("Other", 1, 1), row("Other>main", 1, 1)], "{calls:?}");
}

#[test]
fn threads_without_samples_have_trees_of_their_slices() {
    let program = Program::new("slices");
    let slice = |tid: u32, name: &str, ts: u32, dur: u32| json!({"ph": "X", "pid": 1, "tid": tid, "name": name, "ts": ts, "dur": dur, "cat": "c"});
    let named =
        |tid: u32, name: &str| json!({"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": {"name": name}});
    let events = json!([
        named(1, "Main"),
        named(2, "Other"),
        slice(1, "Task", 0, 8),
        slice(1, "Parse", 1, 3),
        slice(1, "Task", 10, 8),
        slice(1, "Layout", 11, 2),
        slice(2, "Elsewhere", 0, 5)
    ]);
    let file = program.file("slices.json", events.to_string());
    let tree = |options: &[&str]| -> Vec<(String, i64, i64, i64)> {
        let line = |(path, line): (String, Value)| {
            let number = |key: &str| line[key].as_i64().expect("a number");
            (path, number("total_ns"), number("self_ns"), number("count"))
        };
        call_tree(&program, &file, options).into_iter().map(line).collect()
    };
    let row = |path: &str, total, own, count| (path.to_owned(), total, own, count);
    let expected =
        [row("Task", 16_000, 11_000, 2), row("Task>Parse", 3_000, 3_000, 1), row("Task>Layout", 2_000, 2_000, 1)];
    assert_eq!(tree(&["--thread", "Main"]), expected);
    assert_eq!(tree(&["--thread", "Main", "--entries", "all"]), expected);
    assert!(tree(&["--thread", "Main", "--entries", "samples"]).is_empty());
    assert_eq!(tree(&["--thread", "Main", "--invert"])[0], row("Task", 16_000, 11_000, 2));
    assert_eq!(tree(&["--thread", "Other"]), [row("Elsewhere", 5_000, 5_000, 1)]);
    assert_eq!(tree(&[]).len(), 4, "all threads");
    // The names of slices are no functions of samples.
    assert_eq!(program.object(&["info", &file, "--json"])["functions"], 0);
}

#[test]
fn filtered_samples_keep_their_stacks() {
    let program = Program::new("filter-samples");
    let file = program.file("places.json", places().to_string().as_bytes());
    let found =
        weights(&program, &file, &["--transform", "filter-samples:B.ORG", "--transform", "filter-samples:block"]);
    let row = |path: &str, own| (path.to_owned(), 1, own);
    assert_eq!(found, [row("main", 0), row("main>draw", 0), row("main>draw>block", 1)]);
}

#[test]
fn allocations_and_releases_match_by_address() {
    let program = Program::new("memory");
    let file = program.file("places.json", places().to_string().as_bytes());
    let leaves = |options: &[&str]| {
        let all = weights(&program, &file, options);
        let leaves = all.into_iter().filter(|(_, _, own)| *own != 0);
        leaves.map(|(path, _, own)| format!("{path} {own}")).collect::<Vec<_>>()
    };
    assert_eq!(leaves(&["--kind", "allocated"]), ["main>load 64", "main>draw 32"]);
    assert_eq!(leaves(&["--kind", "retained"]), ["main>draw 32"]);
    assert_eq!(leaves(&["--kind", "deallocated"]), ["main>load -64"], "the allocation site");
    assert_eq!(leaves(&["--kind", "deallocation-sites"]), ["main>load -72"]);
    let before = ["--kind", "retained", "--range", "0ms..1.5ms"];
    assert_eq!(leaves(&before), ["main>load 64", "main>draw 32"], "released after the range");
    assert_eq!(leaves(&["--kind", "deallocated", "--range", "1ms..10ms"]), [""; 0], "allocated before it");
}

/// No command states a time of samples without times.
#[test]
fn samples_without_times_have_amounts() {
    let program = Program::new("amounts");
    let heap = r#"{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,"children":[
        {"callFrame":{"functionName":"alloc"},"selfSize":4096,"id":2,"children":[]}]},"samples":[]}"#;
    let perf = "prog 10\n\t1 f (/a)\n\t2 main (/a)\n\nprog 10\n\t1 g (/a)\n\t2 main (/a)\n\n";
    for (name, text, unit, total, shown, folded) in [
        ("heap.heapprofile", heap, "bytes", json!(4096.0), "4.1 KB", "alloc 4096\n"),
        ("perf.txt", perf, "samples", json!(2.0), "2 samples", "main;f 1\nmain;g 1\n"),
        ("stacks.txt", "main;a 30\nmain;b 5\n", "samples", json!(35.0), "35 samples", "main;a 30\nmain;b 5\n"),
    ] {
        let file = program.file(name, text);
        let info = program.object(&["info", &file, "--json"]);
        assert_eq!((&info["unit"], &info["total"]), (&json!(unit), &total), "{name}");
        assert!(info["duration_ns"].is_null() && info["start_ns"].is_null(), "{name}: {info}");
        let lines = program.good(&["info", &file]);
        assert!(lines.contains(&format!("total       {shown}\n")) && !lines.contains("duration"), "{name}: {lines}");
        for command in [&["stats", &file][..], &["stats", &file, "--summary"]] {
            let text = program.good(command);
            let is_time = |word: &str| ["µs", "ms", "ns", "s"].contains(&word.trim_end_matches(','));
            assert!(!text.split_whitespace().any(is_time), "{name}: {text}");
            assert!(text.contains(shown), "{name}: {text}");
        }
        for what in ["calltree", "calls", "samples"] {
            for line in program.good(&["dump", &file, what]).lines() {
                let line: Value = serde_json::from_str(line).expect("JSON");
                let members = line.as_object().expect("an object");
                let times = members.iter().filter(|(key, value)| key.ends_with("_ns") && !value.is_null());
                assert_eq!(times.count(), 0, "{name}: {line}");
            }
        }
        let calls = program.good(&["dump", &file, "calls"]);
        let first: Value = serde_json::from_str(calls.lines().next().expect("a call")).expect("JSON");
        assert_eq!((&first["unit"], &first["total"].as_f64()), (&json!(unit), &total.as_f64()), "{name}: {first}");
        assert_eq!(program.good(&["dump", &file, "collapsed"]), folded, "{name}");
    }
}
