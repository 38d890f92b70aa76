//! Fields of markers in display and search: one clock, all members, pages, garbage collector reports, lists of flows,
//! and markers that the recording hides from the chart or from tables.

use crate::recording::flows::{name_of, names};
use crate::recording::{self, Recording, Row, Track, instant, interval};
use flowline::format::format_time;
use flowline::index::FlowGraph;
use flowline::index::search::{Query, run};
use flowline::profile::text::LabelKind;
use flowline::profile::{HiddenTypes, LocalMarker, MarkerSurface, Profile, ThreadId};
use flowline::scene::Scope;
use flowline::session::{MarkerColumn, ordered, ordered_shown};
use serde_json::{Value, json};

/// Key, label and value of each line of a marker.
fn lines(profile: &Profile, thread: u32, marker: u32) -> Vec<(String, String, String)> {
    let lines = profile.field_lines(ThreadId(thread), LocalMarker(marker), profile.clock());
    lines.into_iter().map(|line| (line.key, line.label, line.value)).collect()
}

/// Value of a field.
#[track_caller]
fn value(profile: &Profile, thread: u32, marker: u32, key: &str) -> String {
    let lines = lines(profile, thread, marker);
    let line = lines.iter().find(|(known, ..)| known == key);
    line.unwrap_or_else(|| panic!("no {key} in {lines:?}")).2.clone()
}

/// Names of the markers that match a search.
fn found(profile: &Profile, query: &str) -> Vec<String> {
    let hits = run(profile, &FlowGraph::build(profile), &Query::parse(query), &|| true).expect("not canceled");
    names(profile, hits.iter(profile))
}

#[test]
fn payload_times_use_the_clock_of_their_marker() {
    let schema = json!([{"name": "Tick", "tableLabel": "at {marker.data.due}", "fields": [
        {"key": "due", "label": "Due", "format": "time"},
        {"key": "steps", "label": "Steps", "format": {"type": "table", "columns": [{"type": "string"}, {"type": "time"}]}},
    ]}]);
    let half = |status: &str| json!({"type": "Network", "id": 7, "status": status, "URI": "https://a.example/", "responseEnd": 4.000001});
    let rows = vec![
        instant("Tick", 3.25).with(json!({"type": "Tick", "due": 3.250001, "steps": [["a", 3.5]]})),
        interval("Load", 3.0, 3.5).with(half("STATUS_START")),
        interval("Load", 3.5, 5.0).with(half("STATUS_STOP")),
    ];
    let mut recording = Recording::of(Vec::new()).schemas(schema);
    recording.starts.push(recording.starts[0] + 500.0);
    recording.tracks[0].samples = vec![100.0, 900.0];
    recording.tracks.push(Track { name: "Child".into(), process: 1, samples: vec![0.0, 6.0], rows });
    let profile = recording::read(&recording.raw());
    // The recording starts at 100 ms, the child process 500 ms after the clock's zero.
    let start = |marker: u32| {
        let time = profile.thread(ThreadId(1)).markers.start(LocalMarker::new(marker as usize));
        format_time(profile.clock().show(time))
    };
    assert_eq!([start(0), start(1)], ["403.000 ms", "403.250 ms"]);
    assert_eq!(value(&profile, 1, 0, "fetchStart"), "403.500 ms");
    assert_eq!(value(&profile, 1, 0, "responseEnd"), "404.000 ms");
    assert_eq!(value(&profile, 1, 1, "due"), "403.250 ms");
    assert_eq!(value(&profile, 1, 1, "steps"), "(a, 403.500 ms)");
    assert_eq!(profile.marker_label(LabelKind::Table, ThreadId(1), LocalMarker(1), profile.clock()), "at 403.250 ms");
    assert_eq!(found(&profile, "due:403.250001"), ["Tick"]);
    assert_eq!(found(&profile, "due:3.25000"), ["Tick"], "some of the digits");
    assert_eq!(found(&profile, "fetchstart:403.5"), ["Load"]);
    assert_eq!([found(&profile, "due:503"), found(&profile, "fetchstart:503")], [[""; 0]; 2]);
    // The dumped payload uses the recording's clock, like the times of the marker.
    let payload = profile.payload_resolved(ThreadId(1), LocalMarker(1));
    assert_eq!(payload.get("due").and_then(flowline::profile::Value::as_f64), Some(503.250_001));
}

#[test]
fn whole_numbers_are_shown_without_a_fraction() {
    let fields: Vec<Value> = ["decimal", "milliseconds", "seconds", "integer", "microseconds"]
        .iter()
        .map(|format| json!({"key": format, "format": format}))
        .collect();
    let schema = json!([{"name": "T", "fields": fields}]);
    let row = instant("T", 1.0).with(json!({
        "type": "T", "decimal": 4, "milliseconds": 4.0, "seconds": 4000, "integer": 4, "microseconds": 4.25
    }));
    for (form, profile) in Recording::of(vec![row]).schemas(schema).read_both() {
        let values = lines(&profile, 0, 0).into_iter().map(|line| line.2).collect::<Vec<_>>();
        assert_eq!(values, ["4", "4.00 ms", "4.000 s", "4", "4.3 µs"], "{form}");
    }
}

/// Markers that reference a window, with pages.
fn with_pages() -> [Value; 2] {
    let schema = json!([
        {"name": "Shown", "fields": [{"key": "own", "label": "Own", "format": "string"},
            {"key": "secret", "label": "Secret", "format": "string", "hidden": true}]},
    ]);
    let rows = vec![
        instant("first", 1.0).with(json!({
            "type": "Shown", "innerWindowID": 18, "more": {"deep": "Treasure"}, "own": "mine", "secret": "s", "startTime": 1.0
        })),
        instant("second", 2.0).with(json!({"type": "Bare", "innerWindowID": 21_474_836_485_u64})),
        instant("third", 3.0).with(json!({"type": "Bare", "innerWindowID": 99})),
    ];
    let recording = Recording::of(rows).schemas(schema);
    [recording.raw(), recording.processed()].map(|mut text| {
        text["pages"] = json!([
            {"tabID": 1, "innerWindowID": 21_474_836_485_u64, "url": "https://top.example/"},
            {"tabID": 1, "innerWindowID": 18, "url": "about:blank"},
            {"tabID": 1, "innerWindowID": 18, "url": "later"},
            {"tabID": 2, "url": "nowhere"},
            7,
        ]);
        text
    })
}

#[test]
fn pages_and_members_outside_the_schema_are_shown_and_found() {
    for text in with_pages() {
        let profile = recording::read(&text);
        let line = |key: &str, label: &str, value: &str| (key.to_owned(), label.to_owned(), value.to_owned());
        assert_eq!(
            lines(&profile, 0, 0),
            [
                line("own", "Own", "mine"),
                line("innerWindowID", "Page", "about:blank (window 18)"),
                line("more", "more", "{deep: \"Treasure\"}"),
            ]
        );
        assert_eq!(value(&profile, 0, 1, "innerWindowID"), "https://top.example/ (window 21474836485)");
        assert_eq!(lines(&profile, 0, 2), [line("innerWindowID", "innerWindowID", "99")]);
        for (query, expected) in [
            ("about:blank", vec!["first"]),
            ("page:top.example", vec!["second"]),
            ("innerwindowid:18", vec!["first"]),
            ("page:later", vec![]),
            ("treasure", vec!["first"]),
            ("deep:treas", vec!["first"]),
            ("own:treas", vec![]),
        ] {
            assert_eq!(found(&profile, query), expected, "{query}");
        }
    }
}

#[test]
fn garbage_collector_reports_are_equal_in_both_forms() {
    let schema = json!([{"name": "GCMajor", "fields": [{"key": "timings", "format": "string", "hidden": true}]}]);
    let report = |more: Value| {
        let mut timings = json!({
            "status": "completed", "reason": "ALLOC_TRIGGER", "nonincremental_reason": "None", "max_pause": 11.345,
            "allocated_bytes": 1_880_064, "post_heap_size": 1_540_096, "zones_collected": 1, "total_zones": 4
        });
        timings.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        instant("GC", 1.0).with(json!({"type": "GCMajor", "timings": timings}))
    };
    let raw = json!({"mmu_20ms": 43, "totals": {"mark": 0.5, "sweep": 8.0, "sweep.mark": 5.0, "sweep.mark.gray": 4.5}});
    let processed = json!({"mmu_20ms": 0.43, "phase_times": {"mark": 500, "sweep": 8000, "sweep.mark": 5000, "sweep.mark.gray": 4500}});
    for more in [raw, processed] {
        let profile = recording::read(&Recording::of(vec![report(more)]).schemas(schema.clone()).raw());
        let lines: Vec<[String; 2]> = lines(&profile, 0, 0).into_iter().map(|line| [line.1, line.2]).collect();
        let expected = [
            ["Status", "completed"],
            ["Reason", "ALLOC_TRIGGER"],
            ["Longest pause", "11.35 ms"],
            ["Heap", "1.88 MB before, 1.54 MB after"],
            ["Mutator in 20 ms", "43.0%"],
            ["Zones", "1 of 4 (25.0%)"],
            ["Phase sweep.mark.gray", "4.50 ms"],
            ["Phase sweep", "3.00 ms"],
            ["Phase sweep.mark", "500.0 µs"],
            ["Phase mark", "500.0 µs"],
        ];
        let mut wanted = expected.map(|line| line.map(str::to_owned)).to_vec();
        wanted[8..].sort();
        let mut shown = lines;
        shown[8..].sort();
        assert_eq!(shown, wanted);
    }
    let odd = instant("GC", 1.0).with(json!({"type": "GCMajor", "timings": "out of memory"}));
    let profile = recording::read(&Recording::of(vec![odd]).schemas(schema).raw());
    assert_eq!(lines(&profile, 0, 0)[0].2, "out of memory");
}

#[test]
fn every_id_in_a_list_is_a_flow() {
    let schema = json!([
        {"name": "Many", "fields": [{"key": "flows", "label": "Flows", "format": "flow-id"}]},
        {"name": "End", "fields": [{"key": "ends", "format": "terminating-flow-id"}]},
    ]);
    let point = |name: &str, at: f64, data: Value| instant(name, at).with(data);
    let rows = vec![
        point("both", 1.0, json!({"type": "Many", "flows": ["@a", "@b", "@a", null]})),
        point("one", 2.0, json!({"type": "Many", "flows": "@b"})),
        point("none", 3.0, json!({"type": "Many", "flows": []})),
        point("end", 4.0, json!({"type": "End", "ends": ["@b", "@b", "@c"]})),
        point("again", 5.0, json!({"type": "Many", "flows": ["@b"]})),
    ];
    // The helper replaces only strings inside objects.
    let list = |rows: Vec<Row>, form: fn(&Recording) -> Value| {
        let mut text = form(&Recording::of(rows).schemas(schema.clone())).to_string();
        for id in ["a", "b", "c"] {
            text = text.replace(&format!("\"@{id}\""), &format!("\"{id}\""));
        }
        recording::read(&serde_json::from_str(&text).expect("JSON"))
    };
    for form in [Recording::raw, Recording::processed] {
        let profile = list(rows.clone(), form);
        let graph = FlowGraph::build(&profile);
        let flows: Vec<(String, Vec<String>)> = graph
            .iter()
            .map(|flow| (graph.id_text(&profile, flow), names(&profile, graph.members(flow).iter().copied())))
            .collect();
        let flow =
            |id: &str, members: &[&str]| (id.to_owned(), members.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(
            flows,
            [flow("a", &["both"]), flow("b", &["both", "one", "end"]), flow("c", &["end"]), flow("b", &["again"]),]
        );
        let both = flowline::profile::MarkerId(0);
        assert_eq!(name_of(&profile, both), "both");
        let cards = graph.marker_flows(&profile, both, 9);
        assert_eq!(cards.iter().map(|card| card.field.as_str()).collect::<Vec<_>>(), ["Flows", "Flows"]);
        assert_eq!(value(&profile, 0, 0, "flows"), "a, b, a, (empty)");
        assert!(graph.warnings().list().is_empty());
    }
}

#[test]
fn schemas_hide_markers_from_the_chart_or_the_table() {
    let schema = json!([
        {"name": "Chart", "display": ["marker-chart"], "fields": []},
        {"name": "Table", "display": ["marker-table", "timeline-memory"], "fields": []},
        {"name": "Both", "display": ["marker-chart", "marker-table"], "fields": []},
        {"name": "Silent", "display": [], "fields": []},
    ]);
    let kinds = ["Chart", "Table", "Both", "Silent", "Unknown"];
    let rows = kinds.iter().zip(1..).map(|(kind, at)| instant(kind, f64::from(at)).with(json!({"type": kind})));
    for (form, profile) in Recording::of(rows.collect()).schemas(schema).read_both() {
        for (place, hidden) in [(MarkerSurface::Chart, "Table"), (MarkerSurface::Table, "Chart")] {
            let types = HiddenTypes::new(&profile, place);
            assert_eq!(types.count(&profile), 1, "{form}");
            let thread = profile.thread(ThreadId(0));
            let kept = (0..5).map(LocalMarker).filter(|marker| !types.has(thread, *marker));
            let kept: Vec<&str> = kept.map(|marker| profile.marker_name(ThreadId(0), marker)).collect();
            assert_eq!(kept, kinds.into_iter().filter(|kind| *kind != hidden).collect::<Vec<_>>(), "{form}");
        }
        let table = HiddenTypes::new(&profile, MarkerSurface::Table);
        let listed = ordered_shown(&profile, &Scope::default(), &table, (MarkerColumn::Start, false));
        assert_eq!(names(&profile, listed), ["Table", "Both", "Silent", "Unknown"], "{form}");
        assert_eq!(ordered(&profile, &Scope::default(), MarkerColumn::Start, false).len(), 5, "{form}");
    }
}
