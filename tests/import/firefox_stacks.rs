//! Functions, frames and stacks of Firefox profiles: frame strings, and the tables of every version.

use crate::firefox_samples::{raw, raw_thread};
use crate::recording::{read, warned};
use crate::stacks::{frames, path, paths, resource, samples_of};
use flowline::profile::samples::{NONE, ResourceKind};
use flowline::profile::{LocalMarker, MarkerSurface, Profile, ThreadId};
use serde_json::{Value, json};

/// A raw thread with a stack in which each frame calls the next; one sample ends in each frame.
fn thread_of(locations: &[&str]) -> Value {
    let count = locations.len();
    let samples: Value = (0..count).map(|stack| json!([stack, stack])).collect();
    let mut thread = raw_thread(&samples, &json!([]));
    thread["stackTable"]["data"] = (0..count).map(|stack| json!([stack.checked_sub(1), stack])).collect();
    thread["frameTable"]["data"] = (0..count).map(|frame| json!([frame])).collect();
    thread["stringTable"] = json!(locations);
    thread
}

fn fields(frames: &[Value], keys: &[&str]) -> Vec<Value> {
    frames.iter().map(|frame| keys.iter().map(|key| frame[*key].clone()).collect()).collect()
}

#[test]
fn frame_strings_identify_functions() {
    let mut profile = raw(vec![thread_of(&[
        "(root)",
        "0x1010",
        "0x9999",
        "ns::f(int) (in libxul.so)",
        "g (https://user@Example.org:443/app.js:10:5)[1]",
        "https://example.org/app.js:1:1",
        "h (self-hosted:780:27)",
        "k (moz-extension://abc/lib.js:3:4)",
        "m (moz-extension://other/lib.js:3:4)",
    ])]);
    profile["libs"] = json!([{"start": 0x1000, "end": 0x2000, "offset": 0x100, "name": "libfoo.so"}]);
    profile["sources"] = json!({
        "schema": {"id": 0, "filename": 1}, "data": [["id0", "zero.js"], ["id1", "https://example.org/app.js"]],
    });
    profile["meta"]["extensions"] = json!({
        "schema": {"id": 0, "name": 1, "baseURL": 2}, "data": [["a@b", "Addon", "moz-extension://abc/"]],
    });
    let profile = read(&profile);
    let samples = &samples_of(&profile, 0).cpu;
    let shown = frames(&profile, samples.stack(8).expect("a stack"));
    assert_eq!(
        fields(&shown, &["function", "file", "line", "column", "resource", "isJS"]),
        [
            json!(["m", "moz-extension://other/lib.js", 3, 4, "moz-extension://other", true]),
            json!(["k", "moz-extension://abc/lib.js", 3, 4, "Extension \"Addon\" (ID: a@b)", true]),
            json!(["h", "self-hosted", 780, 27, "self-hosted", true]),
            json!([
                "(root scope) https://example.org/app.js",
                "https://example.org/app.js",
                1,
                1,
                "https://example.org",
                true
            ]),
            json!(["g", "https://example.org/app.js", 10, 5, "https://example.org", true]),
            json!(["ns::f(int)", null, null, null, "libxul.so", false]),
            json!(["0x9999", null, null, null, null, false]),
            json!(["0x1010", null, null, null, "libfoo.so", false]),
            json!(["(root)", null, null, null, null, false]),
        ]
    );
    assert_eq!(resource(&profile, "k").map(|(kind, _)| kind), Some(ResourceKind::ADDON));
    assert_eq!(resource(&profile, "m").map(|(kind, _)| kind), Some(ResourceKind::WEBHOST));
    assert_eq!(resource(&profile, "h").map(|(kind, _)| kind), Some(ResourceKind::URL));
    assert_eq!(profile.stacks.sources.len(), 5, "two scripts with one URL have different ids");
}

#[test]
fn return_addresses_of_callers_are_lowered() {
    let mut thread = thread_of(&["0x1010", "0x1020"]);
    thread["markers"]["data"] = json!([[0, 1, 0, 0, 0, {"type": "T", "stack": {"samples": {"schema": {"stack": 0, "time": 1}, "data": [[1, 1]]}}}]]);
    let mut profile = raw(vec![thread]);
    profile["libs"] = json!([{"start": 0x1000, "end": 0x2000, "offset": 0, "name": "libfoo.so"}]);
    let profile = read(&profile);
    let samples = samples_of(&profile, 0);
    let addresses = |stack| fields(&frames(&profile, stack), &["function", "address"]);
    let leaf = |sample| addresses(samples.cpu.stack(sample).expect("a stack"));
    assert_eq!(leaf(0), [json!(["0x1010", 0x10])]);
    assert_eq!(leaf(1), [json!(["0x1020", 0x20]), json!(["0x1010", 0xf])]);
    let (taken, _) = samples.marker_stacks.get(LocalMarker(0)).expect("a stack");
    assert_eq!(addresses(taken), [json!(["0x1020", 0x1f]), json!(["0x1010", 0xf])]);
    assert_eq!(profile.stacks.funcs.len(), 2, "functions are not split");
}

#[test]
fn functions_are_merged_across_threads_and_processes() {
    let mut profile = raw(vec![thread_of(&["x", "f (a.js:1:2)"]), thread_of(&["f (a.js:1:2)", "f (a.js:1:3)", "x"])]);
    profile["processes"] = json!([raw(vec![thread_of(&["x", "y"])])]);
    let profile = read(&profile);
    let names: Vec<&str> =
        (0..profile.stacks.funcs.len()).map(|func| profile.stacks.name(flowline::profile::FuncId::new(func))).collect();
    assert_eq!(names, ["x", "f", "f", "y"], "in order of first appearance");
    assert_eq!(paths(&profile, &samples_of(&profile, 1).cpu), ["f", "f>f", "f>f>x"]);
}

#[test]
fn the_first_frame_of_a_label_decides_its_relevance() {
    let mut thread = thread_of(&["L", "M"]);
    thread["frameTable"]["data"] = json!([[0, true], [0, false], [1, false]]);
    thread["stackTable"]["data"] = json!([[null, 0], [0, 1], [1, 2]]);
    thread["samples"]["data"] = json!([[2, 1]]);
    let profile = read(&raw(vec![thread]));
    let shown = frames(&profile, samples_of(&profile, 0).cpu.stack(0).expect("a stack"));
    assert_eq!(
        fields(&shown, &["function", "relevantForJS"]),
        [json!(["M", false]), json!(["L", true]), json!(["L", true])]
    );
}

/// A processed profile with the tables of version `version`: root calls `native` in lib.so and `script` in x.js.
fn version(version: u32) -> Value {
    let mut stacks = json!({"frame": [0, 1, 2], "length": 3});
    if version < 66 {
        stacks["prefix"] = json!([null, 0, 0]);
    } else {
        stacks["prefixOffset"] = json!([0, 1, 2]);
    }
    let mut frames = json!({
        "address": [-1, 16, -1], "inlineDepth": [0, 1, 0], "category": [1, null, 2], "subcategory": [0, null, 1],
        "func": [0, 1, 2], "nativeSymbol": [null, 0, null], "line": [null, null, 8], "column": [null, null, null], "length": 3,
    });
    if version < 53 {
        stacks["category"] = json!([1, 1, 2]);
        stacks["subcategory"] = json!([0, 0, 1]);
    }
    let mut funcs = json!({
        "name": [0, 1, 2], "isJS": [false, false, true], "relevantForJS": [true, false, false], "resource": [-1, 0, 1],
        "lineNumber": [null, null, 5], "columnNumber": [null, null, 6], "length": 3,
    });
    if version < 58 {
        funcs["fileName"] = json!([null, null, 4]);
    } else {
        funcs["source"] = json!([null, null, 0]);
    }
    let mut resources = json!({"name": [3, -1], "host": [null, null], "type": [1, 3], "length": 2});
    if version < 70 {
        resources["lib"] = json!([0, null]);
    } else {
        frames["lib"] = json!([-1, 0, -1]);
    }
    let tables = json!({
        "stackTable": stacks, "frameTable": frames, "funcTable": funcs, "resourceTable": resources,
        "nativeSymbols": {"libIndex": [0], "address": [12], "name": [1], "functionSize": [null], "length": 1},
    });
    let strings = json!(["root", "native", "script", "lib.so", "x.js"]);
    let mut thread =
        json!({"name": "T", "pid": "1", "tid": 1, "samples": {"stack": [1, 2, null], "time": [1, 2, 3], "length": 3}});
    let mut shared = json!({});
    if version < 56 {
        thread["stringArray"] = strings
    } else {
        shared["stringArray"] = strings
    }
    let tables_of = if version < 60 { &mut thread } else { &mut shared };
    for (key, table) in tables.as_object().expect("tables") {
        tables_of[key] = table.clone();
    }
    if version >= 58 {
        let id = if version < 61 { "uuid" } else { "id" };
        shared["sources"] = json!({id: [null], "filename": [4], "length": 1});
    }
    let libs = json!([{"name": "lib.so", "path": "/lib.so"}]);
    let category = |name: &str, color: &str| json!({"name": name, "color": color, "subcategories": ["Other", "More"]});
    let mut profile = json!({
        "meta": {"version": 30, "preprocessedProfileVersion": version, "interval": 1,
            "categories": [category("Idle", "transparent"), category("Other", "grey"), category("JavaScript", "yellow")]},
        "libs": [],
    });
    if version >= 56 {
        profile["shared"] = shared;
    }
    if version < 41 {
        thread["libs"] = libs
    } else {
        profile["libs"] = libs
    }
    profile["threads"] = json!([thread]);
    profile
}

#[test]
fn every_version_has_the_same_meaning() {
    for number in [40, 41, 47, 50, 53, 56, 58, 60, 61, 65, 66, 70, 71] {
        let profile = read(&version(number));
        let samples = &samples_of(&profile, 0).cpu;
        assert_eq!(paths(&profile, samples), ["root>native", "root>script", "-"], "version {number}");
        let keys = ["file", "line", "column", "resource", "category", "address", "inlineDepth", "relevantForJS"];
        let native = frames(&profile, samples.stack(0).expect("a stack"));
        let script = frames(&profile, samples.stack(1).expect("a stack"));
        assert_eq!(
            fields(&native, &keys),
            [
                json!([null, null, null, "lib.so", 1, 16, 1, false]),
                json!([null, null, null, null, 1, null, null, true])
            ],
            "version {number}"
        );
        assert_eq!(
            fields(&script[..1], &keys),
            [json!(["x.js", 8, 6, "<unnamed resource>", 2, null, null, false])],
            "version {number}"
        );
        let stack = samples.stack(1).expect("a stack");
        assert_eq!(profile.stacks.subcategory[stack.index()], 1, "version {number}");
        let symbol = &profile.stacks.native_symbols[0];
        let text = |id| profile.stacks.strings.get(id);
        assert_eq!(
            (symbol.address, text(symbol.name), text(symbol.library)),
            (12, "native", "lib.so"),
            "version {number}"
        );
        assert!(profile.warnings.list().is_empty(), "version {number}: {:?}", profile.warnings.list());
    }
}

#[test]
fn categories_may_be_in_the_stack_table_only() {
    let mut profile = version(47);
    let frames = profile["threads"][0]["frameTable"].as_object_mut().expect("a table");
    frames.remove("category");
    frames.remove("subcategory");
    let profile = read(&profile);
    let samples = &samples_of(&profile, 0).cpu;
    let seen = |sample: usize| {
        let stack = samples.stack(sample).expect("a stack").index();
        (profile.stacks.category[stack], profile.stacks.subcategory[stack])
    };
    assert_eq!((seen(0), seen(1)), ((1, 0), (2, 1)));

    let mut partly = version(47);
    partly["threads"][0]["frameTable"].as_object_mut().expect("a table").remove("subcategory");
    let profile = read(&partly);
    let stack = samples_of(&profile, 0).cpu.stack(1).expect("a stack").index();
    assert_eq!((profile.stacks.category[stack], profile.stacks.subcategory[stack]), (2, 0));
}

#[test]
fn implementations_become_missing_subcategories() {
    let mut profile = version(47);
    profile["threads"][0]["frameTable"]["implementation"] = json!([null, null, 1]);
    let with = |profile: &Value| {
        let profile = read(profile);
        let stack = samples_of(&profile, 0).cpu.stack(1).expect("a stack").index();
        let category = &profile.categories[usize::from(profile.stacks.category[stack])];
        category.subcategories.get(usize::from(profile.stacks.subcategory[stack])).cloned()
    };
    assert_eq!(with(&profile).as_deref(), Some("More"), "the categories have subcategories");
    for category in profile["meta"]["categories"].as_array_mut().expect("categories") {
        category["subcategories"] = json!(["Other"]);
    }
    assert_eq!(with(&profile).as_deref(), Some("JIT (native)"));
    profile["meta"]["doesNotUseFrameImplementation"] = json!(true);
    assert_eq!(with(&profile).as_deref(), Some("Other"));
}

#[test]
fn original_source_locations_take_precedence() {
    let mut profile = version(70);
    profile["shared"]["sources"] = json!({"id": [null, null], "filename": [4, 3], "length": 2});
    profile["shared"]["sourceLocationTable"] =
        json!({"source": [1, 1], "line": [30, 40], "column": [3, 4], "length": 2});
    profile["shared"]["funcTable"]["originalLocation"] = json!([null, null, 0]);
    let shown = |profile: &Value| -> Vec<Value> {
        let profile = read(profile);
        fields(
            &frames(&profile, samples_of(&profile, 0).cpu.stack(1).expect("a stack"))[..1],
            &["file", "line", "column"],
        )
    };
    assert_eq!(shown(&profile), [json!(["lib.so", 30, 3])]);
    profile["shared"]["frameTable"]["originalLocation"] = json!([null, null, 1]);
    assert_eq!(shown(&profile), [json!(["lib.so", 40, 4])]);
    profile["shared"]["funcTable"]["originalLocation"] = json!([null, null, null]);
    assert_eq!(shown(&profile), [json!(["lib.so", 40, 4])]);
}

#[test]
fn threads_of_old_versions_share_functions() {
    let mut profile = version(47);
    let mut other = profile["threads"][0].clone();
    other["funcTable"]["name"] = json!([2, 1, 0]);
    other["tid"] = json!(2);
    profile["threads"].as_array_mut().expect("threads").push(other);
    let profile = read(&profile);
    // The first table contains root, native and script. In the second, only native is equal in every column.
    assert_eq!(profile.stacks.funcs.len(), 5);
    let leaf = |thread| profile.stacks.func(samples_of(&profile, thread).cpu.stack(0).expect("a stack"));
    assert_eq!(leaf(0), leaf(1));
    assert_eq!(path(&profile, samples_of(&profile, 1).cpu.stack(1)), "script>root");
}

#[test]
fn shared_functions_are_resolved_by_index() {
    let mut profile = version(70);
    let funcs = profile["shared"]["funcTable"].as_object_mut().expect("a table");
    for (key, value) in [("name", 1), ("resource", 0)] {
        funcs[key] = json!([value, value, value]);
    }
    for (key, value) in [
        ("isJS", json!(false)),
        ("relevantForJS", json!(false)),
        ("source", Value::Null),
        ("lineNumber", Value::Null),
        ("columnNumber", Value::Null),
    ] {
        funcs[key] = json!([value, value, value]);
    }
    let profile: Profile = read(&profile);
    assert_eq!(profile.stacks.funcs.len(), 3);
    assert_eq!(paths(&profile, &samples_of(&profile, 0).cpu), ["native>native", "native>native", "-"]);
}

#[test]
fn forward_stacks_and_cycles_are_reported() {
    let mut profile = version(65);
    // 0 is called by 3; 1 and 2 call each other; 4 has an unknown caller; 5 has a missing frame.
    profile["shared"]["stackTable"] =
        json!({"frame": [1, 1, 2, 0, 0, 9], "prefix": [3, 2, 1, null, 99, 3], "length": 6});
    profile["threads"][0]["samples"] = json!({"stack": [0, 1, 2, 4, 5, 77], "time": [1, 2, 3, 4, 5, 6], "length": 6});
    let profile = read(&profile);
    let samples = &samples_of(&profile, 0).cpu;
    assert_eq!(paths(&profile, samples), ["root>native", "script>native", "script", "root", "root>(unknown)", "-"]);
    assert_eq!((warned(&profile, "stack_order"), warned(&profile, "index_out_of_range")), (2, 3));
    assert!(profile.is_consistent());
    assert!(samples.stack.contains(&NONE));
}

#[test]
fn fields_show_stacks_and_parts_of_a_whole() {
    let mut thread = thread_of(&["main", "work", "leaf"]);
    thread["stringTable"] = json!(["main", "work", "leaf", "Mark"]);
    thread["markers"]["data"] = json!([
        [3, 1, 0, 0, 0, {"type": "StackF", "stk": 2}],
        [3, 2, 0, 0, 0, {"type": "Part", "used": 3_000_000, "cap": 4_000_000}],
        [3, 3, 0, 0, 0, {"type": "Part", "used": 3_000_000, "cap": 0}],
    ]);
    let mut profile = raw(vec![thread]);
    profile["meta"]["markerSchema"] = json!([
        {"name": "StackF", "display": ["marker-chart", "timeline-memory"], "fields": [{"key": "stk", "label": "Where", "format": "stack"}]},
        {"name": "Part", "display": [], "fields": [
            {"key": "used", "label": "Nursery", "format": "bytes", "percentageDivisorKey": "cap"},
            {"key": "cap", "format": "bytes", "hidden": true},
        ]},
    ]);
    let profile = read(&profile);
    let thread = ThreadId(0);
    let line = |marker: usize| {
        let lines = profile.field_lines(thread, LocalMarker::new(marker), profile.clock());
        lines.iter().map(|line| format!("{}: {}", line.label, line.value)).collect::<Vec<_>>()
    };
    assert_eq!(line(0), ["Where: leaf ← work ← main"]);
    assert_eq!(
        (line(1), line(2)),
        (vec!["Nursery: 3.00 MB of 4.00 MB (75.0%)".to_owned()], vec!["Nursery: 3.00 MB".to_owned()])
    );
    let trace = profile.marker_stack(thread, LocalMarker::new(0)).expect("the stack of the field");
    assert_eq!(trace.frames.len(), 3);
    let schema = profile.schema_of(thread, LocalMarker::new(0)).expect("a schema");
    let shown = [MarkerSurface::Chart, MarkerSurface::Table, MarkerSurface::Memory, MarkerSurface::Overview];
    assert_eq!(shown.map(|surface| schema.is_shown_in(surface)), [true, false, true, false]);
    let everywhere = profile.schema_of(thread, LocalMarker::new(1)).expect("a schema");
    assert_eq!(shown.map(|surface| everywhere.is_shown_in(surface)), [true, true, false, false]);
}
