//! What a recording shows when it opens: the page first, busy threads expanded, idle ones in one line, rows by time.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Derived, Index, ThreadTimes};
use flowline::profile::ThreadId;
use flowline::scene::ItemKind;
use flowline::ui::{KeyMap, TableKind};
use flowline::view::Command;

use crate::harness::window::{Window, session};
use crate::recording::{Recording, Row, Track, interval};

fn window_of(text: &str, height: f32) -> Window {
    let profile = read(text.as_bytes().to_vec(), &Progress::default()).expect("a recording").profile;
    let arrangement = profile.meta.arrangement();
    let index = Arc::new(Index::build(profile.into(), arrangement));
    Window::showing(session(index, Path::new("recording.json")), KeyMap::Flowline, vec2(1440.0, height), 1.0)
}

/// A slice: process, thread, name, start and duration in microseconds.
fn slice(pid: u32, tid: u32, name: &str, ts: u64, dur: u64) -> String {
    format!(r#"{{"ph":"X","name":"{name}","pid":{pid},"tid":{tid},"ts":{ts},"dur":{dur}}}"#)
}

fn metadata(pid: u32, tid: u32, kind: &str, name: &str) -> String {
    format!(r#"{{"ph":"M","name":"{kind}","pid":{pid},"tid":{tid},"args":{{"name":"{name}"}}}}"#)
}

fn thread_of(window: &Window, name: &str) -> ThreadId {
    let profile = window.profile();
    let found = profile.threads_with_ids().find(|(_, thread)| thread.name == name);
    found.map(|(id, _)| id).expect("the thread exists")
}

#[test]
fn the_busiest_thread_is_expanded_even_if_it_does_not_fit() {
    // A stack that is deeper than the window is high, and a thread with more, but shorter slices.
    let deep = (0..60).map(|level| slice(1, 5, "level", level * 10, 100_000 - 20 * level));
    let short = (0..500).map(|at| slice(1, 6, "tick", at * 200, 1));
    let events: Vec<String> = deep.chain(short).collect();
    let window = window_of(&format!("[{}]", events.join(",")), 500.0);
    let tracks = &window.view().tracks;
    let busiest = window.profile().threads_with_ids().find(|(_, thread)| thread.tid == "5").expect("exists").0;
    assert!(tracks.expanded.contains(&busiest), "{:?}", tracks.expanded);
}

#[test]
fn few_long_slices_come_before_many_short_ones() {
    let long = (0..7).map(|at| slice(1, 1, "critical path", at * 10_000, 9_999));
    let short = (0..3_000).map(|at| slice(1, 2, "action", at * 20, 1));
    let names = [metadata(1, 2, "thread_name", "Workers"), metadata(1, 1, "thread_name", "Critical Path")];
    let events: Vec<String> = names.into_iter().chain(short).chain(long).collect();
    let window = window_of(&format!("[{}]", events.join(",")), 300.0);
    assert!(window.view().tracks.expanded.contains(&thread_of(&window, "Critical Path")));
}

#[test]
fn the_page_comes_first_and_its_heading_has_the_address() {
    let url = "https://example.com/a";
    let navigation = |pid: u32, url: &str| {
        format!(
            r#"{{"ph":"R","name":"navigationStart","cat":"blink.user_timing","pid":{pid},"tid":{pid},"ts":5,"args":{{"frame":"F","data":{{"documentLoaderURL":"{url}","isOutermostMainFrame":true}}}}}}"#
        )
    };
    let mut events = Vec::new();
    for (pid, name, work) in [(1, "Browser", 90_000), (2, "Renderer", 1_000), (3, "Renderer", 50_000)] {
        events.extend([metadata(pid, pid, "process_name", name), metadata(pid, pid, "thread_name", "CrRendererMain")]);
        events.push(slice(pid, pid, "Task", 10, work));
    }
    events.extend([navigation(1, "chrome://newtab"), navigation(2, "about:blank"), navigation(3, url)]);
    let mut window = window_of(&format!("[{}]", events.join(",")), 700.0);
    let headings = window.nodes_with_prefix(Role::DisclosureTriangle, "Process ");
    assert_eq!(headings[0].text, format!("Process Renderer, pid 3, expanded, {url}"), "{:#?}", window.texts());
    // Moving processes and resetting the order is still possible.
    window.apply(Command::ResetOrder);
    window.settle();
    assert!(window.view().tracks.order.is_default());
    assert!(window.nodes_with_prefix(Role::DisclosureTriangle, "Process ")[0].text.contains(url));
}

#[test]
fn idle_threads_are_one_line() {
    let busy = (0..20).map(|at| slice(1, 1, "work", at * 50_000, 49_000));
    let idle = (0..80).map(|at| slice(1, 10 + at, "blip", 500, 2));
    let events: Vec<String> = busy.chain(idle).collect();
    let mut window = window_of(&format!("[{}]", events.join(",")), 700.0);
    window.get(Role::DisclosureTriangle, "80 idle threads hidden, Show");
    assert_eq!(window.nodes_with_prefix(Role::DisclosureTriangle, "Thread ").len(), 1, "{:#?}", window.texts());
    // A search lists the threads with hits.
    window.apply(Command::Search("blip".to_owned()));
    window.wait_for_search("blip");
    window.settle();
    assert!(window.nodes_with_prefix(Role::DisclosureTriangle, "Thread ").len() > 8);
    window.apply(Command::Search(String::new()));
    window.settle();
    window.click(Role::DisclosureTriangle, "80 idle threads hidden, Show");
    assert!(window.nodes_with_prefix(Role::DisclosureTriangle, "Thread ").len() > 8);
}

/// Idle threads are listed if the chart has room for all of them.
#[test]
fn a_few_idle_threads_are_listed() {
    let busy = (0..20).map(|at| slice(1, 1, "work", at * 50_000, 49_000));
    let idle = (0..8).map(|at| slice(1, 10 + at, "blip", 500, 2));
    let events: Vec<String> = busy.chain(idle).collect();
    let mut window = window_of(&format!("[{}]", events.join(",")), 1000.0);
    assert_eq!(window.nodes_with_prefix(Role::DisclosureTriangle, "Thread ").len(), 9, "{:#?}", window.texts());
    window.click(Role::DisclosureTriangle, "8 idle threads, Hide");
    assert_eq!(window.nodes_with_prefix(Role::DisclosureTriangle, "Thread ").len(), 1, "{:#?}", window.texts());
}

#[test]
fn time_ranks_processes_and_threads() {
    let mut events = Vec::new();
    for (pid, tid, name, count, length) in [
        (1, 5, "often", 900, 1),
        (1, 6, "long", 3, 9_000),
        (2, 2, "first", 1, 1),
        (2, 3, "longest", 2, 40_000),
        (2, 4, "rare", 2, 8_000),
    ] {
        events.push(metadata(pid, tid, "thread_name", name));
        events.extend((0..count).map(|at| slice(pid, tid, "work", at * 50_000, length)));
    }
    let window = window_of(&format!("[{}]", events.join(",")), 900.0);
    let headings = window.nodes_with_prefix(Role::DisclosureTriangle, "Thread ");
    let names: Vec<&str> = headings.iter().filter_map(|heading| heading.text.split([' ', ',']).nth(1)).collect();
    // The thread with the id of its process is the main thread, which comes first.
    assert_eq!(names, ["first", "longest", "rare", "long", "often"], "{:#?}", window.texts());
}

#[test]
fn numbered_threads_are_one_group() {
    let mut events: Vec<String> = (0..20).map(|at| slice(1, 1, "work", at * 50_000, 49_000)).collect();
    for tid in 10..14 {
        events.push(metadata(1, tid, "thread_name", &format!("CompositorTileWorker{tid}")));
        events.extend((0..10).map(|at| slice(1, tid, "raster", at * 90_000, 4_000)));
    }
    let mut window = window_of(&format!("[{}]", events.join(",")), 240.0);
    let workers = "Thread CompositorTileWorker";
    // The window is too low for all of them.
    let listed = |window: &Window| {
        let profile = window.profile();
        let is_worker = |thread: ThreadId| profile.thread(thread).name.starts_with("CompositorTileWorker");
        let items = window.session().list().items().iter();
        items.filter(|item| matches!(item.kind, ItemKind::Thread(heading) if is_worker(heading.thread))).count()
    };
    let group = window.node_with_prefix(Role::DisclosureTriangle, "Threads Raster workers, 4").text;
    if group.ends_with("expanded") {
        window.click(Role::DisclosureTriangle, &group);
    }
    assert!(window.nodes_with_prefix(Role::DisclosureTriangle, workers).is_empty(), "{:#?}", window.texts());
    assert_eq!(listed(&window), 0);
    let group = window.node_with_prefix(Role::DisclosureTriangle, "Threads Raster workers, 4").text;
    assert!(group.ends_with("collapsed"), "{group}");
    window.click(Role::DisclosureTriangle, &group);
    assert!(!window.nodes_with_prefix(Role::DisclosureTriangle, workers).is_empty(), "{:#?}", window.texts());
    assert_eq!(listed(&window), 4);
}

/// A Firefox thread with rows of 60 names: each has many short markers, except a few named ones.
#[test]
fn rows_are_ranked_by_time_and_landmarks_are_always_listed() {
    let mut names: Vec<String> = (0..60).map(|at| format!("Counter{at}")).collect();
    names.extend(["LongTask", "Rare"].map(str::to_owned));
    let (long_task, rare) = (60, 61);
    let (mut columns, mut times, mut ends, mut phases) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut push = |name: usize, start: f64, end: f64| {
        columns.push(name.to_string());
        times.push(start.to_string());
        ends.push(if end > start { end.to_string() } else { "null".to_owned() });
        phases.push(if end > start { "1" } else { "0" }.to_owned());
    };
    for name in 0..60 {
        (0..50).for_each(|at| push(name, 1.0 + f64::from(at), 0.0));
    }
    push(long_task, 100.0, 100.0);
    push(rare, 200.0, 900.0);
    let mut strings = String::new();
    for name in &names {
        write!(strings, "{}\"{name}\"", if strings.is_empty() { "" } else { "," }).expect("a string");
    }
    let nulls = vec!["null"; columns.len()].join(",");
    let zeros = vec!["0"; columns.len()].join(",");
    let text = format!(
        r#"{{"meta":{{"version":27,"preprocessedProfileVersion":56,"interval":1,"startTime":0,"product":"Firefox","categories":[{{"name":"Other","color":"grey","subcategories":["Other"]}}],"markerSchema":[]}},"libs":[],"pages":[],"shared":{{"stringArray":[{strings}]}},"threads":[{{"name":"GeckoMain","pid":"1","tid":1,"processType":"default","isMainThread":true,"registerTime":0,"pausedRanges":[],"markers":{{"length":{},"name":[{}],"startTime":[{}],"endTime":[{}],"phase":[{}],"category":[{zeros}],"data":[{nulls}]}},"samples":{{"length":0,"time":[],"stack":[],"weightType":"samples","weight":null}},"stackTable":{{"length":0,"frame":[],"prefix":[]}},"frameTable":{{"length":0}},"funcTable":{{"length":0}},"resourceTable":{{"length":0}},"nativeSymbols":{{"length":0}}}}]}}"#,
        columns.len(),
        columns.join(","),
        times.join(","),
        ends.join(","),
        phases.join(","),
    );
    let window = window_of(&text, 1200.0);
    assert!(window.says("32 more names"), "not all names are listed: {:#?}", window.texts());
    for name in ["LongTask", "Rare"] {
        assert!(
            !window.nodes_with_prefix(Role::Label, &format!("{name},")).is_empty(),
            "{name}: {:#?}",
            window.texts()
        );
    }
}

#[test]
fn samples_without_times_open_as_a_flame_graph_in_samples() {
    let window = window_of("main;parse 30\nmain;layout 4\nmain;parse;read 1\n", 900.0);
    assert_eq!(window.table(), Some(TableKind::Flame));
    assert!(!window.texts().iter().any(|text| text.contains("µs")), "no invented unit: {:#?}", window.texts());
    assert!(window.says("35 samples"), "{:#?}", window.texts());
}

/// Samples without times in each unit: the recording, the text of its total, and the flame graph's box of the root.
const WITHOUT_TIMES: [(&str, &str, &str); 5] = [
    (
        r#"{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,"children":[
            {"callFrame":{"functionName":"alloc"},"selfSize":4096,"id":2,"children":[]}]},"samples":[]}"#,
        "4.1 KB",
        "alloc, 100.0 percent, total 4.1 KB, self 4.1 KB",
    ),
    (
        "prog 10 cycles:\n\t1 f (/a)\n\t2 main (/a)\n\nprog 10 cycles:\n\t1 g (/a)\n\t2 main (/a)\n\n",
        "2 samples",
        "main, 100.0 percent, total 2 samples, /a",
    ),
    (
        "prog 10 5 cycles:\n\t1 f (/a)\n\t2 main (/a)\n\nprog 10 7 cycles:\n\t1 main (/a)\n\n",
        "12",
        "main, 100.0 percent, total 12, self 7, /a",
    ),
    ("main;parse 30\nmain 5\n", "35 samples", "main, 100.0 percent, total 35 samples, self 5 samples"),
    (
        r#"{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main"}]},
            "profiles":[{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":60,"samples":[[0],[0]],
            "weights":[10,50]}]}"#,
        "60",
        "main, 100.0 percent, total 60, self 60",
    ),
];

#[test]
fn samples_without_times_are_counted_in_their_own_unit_everywhere() {
    for (text, total, root) in WITHOUT_TIMES {
        let mut window = window_of(text, 900.0);
        assert_eq!(window.table(), Some(TableKind::Flame), "{text}");
        window.wait("the flame graph", |window| !window.panels().is_busy());
        window.settle();
        let graph = "Flame graph, arrow keys move, Enter zooms to a box, Backspace resets the zoom";
        window.harness.get_by_label(graph).focus();
        window.settle();
        // Selects the box of the root.
        window.key(Key::ArrowUp);
        window.settle();
        assert_eq!(window.heard(), root);
        // A unit with prefixes is part of both numbers.
        let shown = total.strip_suffix(" samples").unwrap_or(total);
        assert!(window.says(&format!("{shown} of {total}")), "{total}: {:#?}", window.texts());
        for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
            window.chord(modifiers, Key::Y);
            window.wait("a table", |window| !window.panels().is_busy());
            window.settle();
        }
        let is_time = |text: &String| {
            let words: Vec<&str> = text.split([' ', ',', ';']).collect();
            words.iter().any(|word| ["µs", "ms", "ns", "s"].contains(word))
        };
        let times: Vec<String> = window.texts().into_iter().filter(is_time).collect();
        assert!(times.is_empty(), "an invented time of {total}: {times:#?}");
        assert!(!window.says("This recording has no markers, samples or counters."), "{text}");
        assert!(window.headings().iter().all(|heading| !heading.text.contains("idle")), "{:#?}", window.texts());
    }
}

#[test]
fn a_recording_without_contents_says_so() {
    let window = window_of(r#"[{"ph":"M","name":"process_name","pid":1,"args":{"name":"Empty"}}]"#, 700.0);
    assert!(window.says("This recording has no markers, samples or counters."), "{:#?}", window.texts());
    assert!(
        window.says("1 process: Empty") && window.says("Record again while something happens"),
        "{:#?}",
        window.texts()
    );
    // An axis without contents would state times that are not in the recording.
    assert!(!window.says(" of 0 ms"), "{:#?}", window.texts());
    let regions = window.session().canvas.regions;
    assert!(regions.overview.height < 1.0, "nothing to give an overview of: {regions:?}");
    let frame = flowline::scene::Scene::default().build(&window.session().scene_input()).clone();
    let on_ruler = frame.texts.iter().filter(|run| run.y < regions.chart.y).count();
    assert_eq!(on_ruler, 0, "{:?}", frame.texts);
}

#[test]
fn a_recording_with_warnings_only_lists_them_in_the_chart() {
    let events = r#"{"ph":"X","name":"a","pid":1,"tid":1},{"ph":"Z","name":"a","pid":1,"tid":1,"ts":1}"#;
    let mut window = window_of(&format!("[{events}]"), 700.0);
    for text in ["Nothing in this recording can be drawn.", "1 event of type “Z”", "without a valid time were skipped"]
    {
        assert!(window.says(text), "{text}: {:#?}", window.texts());
    }
    window.press("Import warnings");
    assert!(window.says("phase 'Z' of the event at byte"), "{:#?}", window.texts());
}

/// A page with a long task that forces layout.
fn harmful_page() -> String {
    let mut events = vec![metadata(1, 1, "thread_name", "CrRendererMain"), metadata(1, 1, "process_name", "Renderer")];
    events.push(slice(1, 1, "RunTask", 1_000, 120_000));
    events.push(slice(1, 1, "EvaluateScript", 2_000, 110_000));
    events.push(slice(1, 1, "FunctionCall", 3_000, 100_000));
    events.push(slice(1, 1, "Layout", 10_000, 40_000));
    events.push(slice(1, 1, "RunTask", 200_000, 10_000));
    format!("[{}]", events.join(","))
}

#[test]
fn an_open_main_thread_has_a_summary_below_its_name() {
    let mut window = window_of(&harmful_page(), 900.0);
    window.wait("the harm and the times", |window| {
        let index = &window.session().index;
        flowline::insights::harm::HarmSums::if_built(index).is_some() && ThreadTimes::if_built(index).is_some()
    });
    let thread = thread_of(&window, "CrRendererMain");
    if !window.view().tracks.expanded.contains(&thread) {
        window.apply(Command::ToggleThread(thread));
    }
    window.settle();
    let spoken = |window: &Window, start: &str| -> Vec<String> {
        window.nodes_with_prefix(Role::Label, start).into_iter().map(|node| node.text).collect()
    };
    assert_eq!(spoken(&window, "Busy, "), ["Busy, 130.00 ms"], "no CPU time was recorded");
    assert_eq!(spoken(&window, "Long tasks, "), ["Long tasks, 1, blocking 70.00 ms"]);
    assert_eq!(spoken(&window, "Forced layouts, "), ["Forced layouts, 1, 40.00 ms"]);
    window.apply(Command::ToggleThread(thread));
    window.settle();
    assert!(spoken(&window, "Busy, ").is_empty(), "a folded thread has none");
}

#[test]
fn showing_only_a_thread_scrolls_to_its_top() {
    let events = (1..60).flat_map(|tid| (0..40).map(move |at| slice(1, tid, "work", at * 1_000, 900)));
    let events: Vec<String> = events.collect();
    let mut window = window_of(&format!("[{}]", events.join(",")), 500.0);
    window.list_idle_threads();
    window.apply(Command::ExpandAll);
    window.apply(Command::Scroll(1e9));
    window.settle();
    assert!(window.view().scroll > 300.0);
    let last = ThreadId::new(window.profile().threads.len() - 1);
    window.apply(Command::ShowOnly(last));
    window.settle();
    let heading = window.session().list().items().iter().find(|item| matches!(item.kind, ItemKind::Thread(_)));
    let heading = heading.copied().expect("the thread");
    assert!(window.view().scroll <= heading.y, "{} is below {}", window.view().scroll, heading.y);
}

/// Samples of 8 ms in a recording of half a second: the view shows all of it.
#[test]
fn few_samples_do_not_hide_the_markers() {
    let rows = vec![interval("load", 90.0, 510.0), interval("collect", 520.0, 530.0)];
    let mut recording = Recording::of(rows);
    recording.tracks[0].samples = vec![10.0, 12.0, 14.0, 16.0];
    for (form, profile) in recording.read_both() {
        let index = Arc::new(Index::build(profile.into(), Arrangement::ByName));
        let window =
            Window::showing(session(index, Path::new("recording.json")), KeyMap::Flowline, vec2(1440.0, 700.0), 1.0);
        let (extent, visible) = (window.session().index.extent(), window.view().axis.visible());
        assert!(visible.start <= extent.start && visible.end >= extent.end, "{form}: {visible:?} of {extent:?}");
    }
    // Samples that cover most of the time define the range, as in the Firefox Profiler.
    recording.tracks[0].samples = vec![10.0, 500.0];
    let profile = recording.read_both().into_iter().next().expect("a form").1;
    assert_eq!(profile.first_view().end.0, 501_000_000);
}

/// The process of the page comes first in recordings of Firefox, too, and its heading has the page's address.
#[test]
fn the_page_of_firefox_comes_first_with_its_address() {
    let load = |window: u32, from: f64, to: f64| {
        interval("DocumentLoad", from, to).with(serde_json::json!({"type": "Load", "innerWindowID": window}))
    };
    let mut recording = Recording::of(vec![interval("parent", 0.0, 90.0)]);
    recording.starts = vec![1000.0; 4];
    let track =
        |process: usize, rows: Vec<Row>| Track { name: "GeckoMain".into(), process, samples: vec![0.0, 90.0], rows };
    recording.tracks[0].samples = vec![0.0, 90.0];
    recording.tracks.push(track(1, vec![load(1, 0.0, 5.0)]));
    recording.tracks.push(track(2, vec![load(2, 0.0, 80.0), interval("script", 0.0, 60.0)]));
    recording.tracks.push(track(3, vec![interval("extension", 0.0, 85.0)]));
    let mut processed = recording.processed();
    let url = "https://page.example/news";
    let page = |id: u32, url: &str| serde_json::json!({"tabID": id, "innerWindowID": id, "url": url, "embedderInnerWindowID": 0});
    processed["pages"] = serde_json::json!([page(1, "about:blank"), page(2, url)]);
    for (number, name) in
        ["Parent Process", "Web Content", "Isolated Web Content", "WebExtensions"].into_iter().enumerate()
    {
        processed["threads"][number]["processName"] = name.into();
        processed["threads"][number]["processType"] = if number == 0 { "default" } else { "tab" }.into();
        processed["threads"][number]["isMainThread"] = true.into();
    }
    let index = Arc::new(Index::build(crate::recording::read(&processed).into(), Arrangement::ByName));
    let window =
        Window::showing(session(index, Path::new("recording.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let headings = window.nodes_with_prefix(Role::DisclosureTriangle, "Process ");
    assert!(
        headings[0].text.contains("Isolated Web Content") && headings[0].text.contains(url),
        "{:#?}",
        headings.iter().map(|heading| &heading.text).collect::<Vec<_>>()
    );
    let profile = window.profile();
    let of_page = profile.threads_with_ids().find(|(id, _)| profile.process_of(*id).pid == "102").expect("a thread").0;
    assert!(window.view().tracks.expanded.contains(&of_page), "{:?}", window.view().tracks.expanded);
}

/// Groups with many rows are collapsed in every thread that is opened, not only in the one that opens first.
#[test]
fn deep_groups_collapse_in_every_thread_that_is_expanded() {
    let many =
        |name: &str| -> Vec<Row> { (0..20).map(|at| interval(name, f64::from(at), 90.0 + f64::from(at))).collect() };
    let mut recording = Recording::of(many("first"));
    recording.tracks[0].samples = vec![0.0, 110.0];
    for name in ["second", "third"] {
        recording.tracks.push(Track { name: name.into(), process: 0, samples: vec![0.0, 110.0], rows: many(name) });
    }
    // The other threads leave no room, in which collapsed groups would be expanded.
    for name in ["fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"] {
        recording.tracks.push(Track { name: name.into(), process: 0, samples: vec![0.0, 110.0], rows: many(name) });
    }
    let index = Arc::new(Index::build(crate::recording::read(&recording.processed()).into(), Arrangement::ByName));
    let mut window =
        Window::showing(session(index, Path::new("recording.json")), KeyMap::Flowline, vec2(1440.0, 300.0), 1.0);
    for name in ["GeckoMain", "second", "third"] {
        let thread = thread_of(&window, name);
        if !window.view().tracks.expanded.contains(&thread) {
            window.apply(Command::ToggleThread(thread));
            window.wait("the rows", |window| !window.session().is_busy());
        }
        let items = window.session().list().items().iter();
        let rows = items.filter(|item| matches!(item.kind, ItemKind::Row(row) if row.thread == thread)).count();
        let is_collapsed = window.view().tracks.collapsed_groups.iter().any(|(of, _)| *of == thread);
        assert_eq!((rows, is_collapsed), (0, true), "{name}");
    }
}
