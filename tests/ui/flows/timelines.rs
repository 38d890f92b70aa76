//! Flow timelines: runs and waits in table, details and tooltips; showing only the markers of one flow; source search
//! by name.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, example, session};
use crate::recording::{self, Recording, Row, Track, instant, interval};
use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2, vec2};
use flowline::index::flows::{FlowRules, RuleMatcher, TimelineTotals};
use flowline::index::{Arrangement, Index};
use flowline::profile::{FlowId, MarkerId, Ns};
use flowline::session::Job;
use flowline::ui::{AppRequest, FlowColumn, KeyMap};
use serde_json::{Value, json};

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

pub(super) fn index_of(threads: Vec<(&str, Vec<Row>)>, product: &str) -> Arc<Index> {
    let flow = json!({"key": "flow", "format": "flow-id"});
    let text = |key: &str| json!({"key": key, "format": "string"});
    let schemas = json!([
        {"name": "Post", "display": [], "fields": [flow]},
        {"name": "Task", "display": [], "fields": [flow, text("name"), {"key": "url", "format": "url"}], "isStackBased": true},
        {"name": "Work", "display": [], "fields": [{"key": "name", "format": "unique-string"}], "isStackBased": true},
    ]);
    let mut recording = Recording::of(Vec::new()).schemas(schemas);
    let track = |(name, rows): (&str, _)| Track { name: name.into(), process: 0, samples: vec![0.0, 9.0], rows };
    recording.tracks = threads.into_iter().map(track).collect();
    let mut raw = recording.raw();
    raw["meta"]["product"] = json!(product);
    Arc::new(Index::build(Arc::new(recording::read(&raw)), Arrangement::ByName))
}

pub(super) fn typed(kind: &str, mut fields: Value) -> Value {
    fields["type"] = json!(kind);
    fields
}

/// A task posted at 1 ms that runs from 4 to 5 ms, while its thread works from 0.5 to 3 ms. Then a task with only a
/// short wait, on a track without intervals.
fn recording(product: &str) -> Arc<Index> {
    recording_with(product, "nsRefreshDriver")
}

/// The same, with the blocking work on something named `worked_on`.
fn recording_with(product: &str, worked_on: &str) -> Arc<Index> {
    recording_of_work(product, worked_on, 3.0)
}

/// The same, with the blocking work until a time in milliseconds.
pub(super) fn recording_of_work(product: &str, worked_on: &str, until: f64) -> Arc<Index> {
    let post = |at: f64, id: &str| {
        instant("TaskController::AddTask", at).with(typed("Post", json!({"flow": format!("@{id}")})))
    };
    let task = json!({"flow": "@a", "name": "LoadTask", "url": "https://a.example/x.png"});
    let ran = interval("Runnable", 4.0, 5.0).with(typed("Task", task));
    let work = interval("Runnable", 0.5, until).with(typed("Work", json!({"name": format!("@{worked_on}")})));
    let answer = instant("Answer", 6.0).with(typed("Post", json!({"flow": "@b"})));
    index_of(
        vec![("Poster", vec![post(1.0, "a"), post(5.5, "b")]), ("Main", vec![work, ran]), ("Far", vec![answer])],
        product,
    )
}

pub(super) fn window_of(index: Arc<Index>) -> Window {
    Window::showing(session(index, Path::new("made up.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
}

impl Window {
    pub(super) fn marker(&self, name: &str, nth: usize) -> MarkerId {
        let profile = self.profile();
        let all = (0..profile.marker_count()).map(|at| MarkerId(u32::try_from(at).expect("few")));
        let is_it = |marker: &MarkerId| {
            let (thread, local) = profile.locate(*marker).expect("a marker");
            profile.marker_name(thread, local) == name
        };
        all.filter(is_it).nth(nth).unwrap_or_else(|| panic!("no {name}"))
    }

    pub(crate) fn wait_for_timelines(&mut self) {
        self.wait("timelines", |window| !window.session().timelines.is_busy());
        self.wait("what held up", |window| !window.session().timelines.is_busy());
    }

    fn open_flow_table(&mut self) {
        self.chord(CTRL, Key::T);
        self.wait("the flows", |window| {
            !window.panels().flow_table.is_busy() && !window.panels().flow_table.rows().is_empty()
        });
    }

    fn totals(&self, flow: FlowId) -> TimelineTotals {
        let rules = RuleMatcher::new(FlowRules::built_in(), &self.profile());
        rules.timeline_totals(&self.profile(), self.session().index.flows(), flow)
    }
}

#[test]
fn details_show_waits_and_blockers_of_a_flow() {
    let mut window = window_of(recording("Firefox"));
    let task = window.marker("Runnable", 1);
    window.apply(flowline::view::Command::Select(Some(task)));
    window.wait_for_timelines();
    assert!(window.says("Waited 3.00 ms, ran 1.00 ms, posted from Poster"), "{:#?}", window.texts());
    let step = |start: &str| window.node_with_prefix(Role::Button, start);
    let wait = step("Waited behind Runnable nsRefreshDriver, 3.00 ms: 2.00 ms behind Runnable nsRefreshDriver");
    assert!(wait.rect.min.y < step("Runnable, Main, 1.00 ms").rect.min.y, "the wait is above the run");
    assert!(window.has(Role::Label, "1.00 ms unknown"), "{:#?}", window.texts());
    window.click(Role::Button, "2.00 ms behind Runnable nsRefreshDriver");
    assert_eq!(window.selected(), window.marker("Runnable", 0), "a press selects the blocker");
}

#[test]
fn a_flow_without_its_posting_was_posted_before_the_recording() {
    let trace = r#"[{"ph":"X","pid":1,"tid":7,"ts":100,"dur":50,"name":"kernel"},
        {"ph":"f","bp":"e","id":5,"pid":1,"tid":7,"ts":100,"cat":"c","name":"launch"},
        {"ph":"X","pid":2,"tid":2,"ts":10,"dur":400,"name":"cpu"}]"#;
    let profile = recording::read_bytes(trace.as_bytes().to_vec()).expect("a trace");
    let mut window = window_of(Arc::new(Index::build(Arc::new(profile), Arrangement::Stack)));
    window.apply(flowline::view::Command::Select(Some(window.marker("kernel", 0))));
    window.wait_for_timelines();
    let all = window.texts().join("\n");
    assert!(all.contains("posted before the recording began"), "{all}");
    assert!(!all.contains("posted from"), "{all}");
}

/// A text wider than the panel is cut off, and nothing is outside the panel.
#[test]
fn long_blocker_names_stay_inside_the_panel() {
    for length in [20, 34, 48, 90] {
        let name = "PHttpChannel".chars().cycle().take(length).collect::<String>();
        let mut window = window_of(recording_with("Firefox", &name));
        window.apply(flowline::view::Command::Select(Some(window.marker("Runnable", 1))));
        window.wait_for_timelines();
        let steps = ["Waited behind", "2.00 ms behind", "Runnable, Main"];
        let rects = steps.map(|start| window.node_with_prefix(Role::Button, start).rect);
        assert!(rects.windows(2).all(|pair| pair[0].max.y <= pair[1].min.y + 0.5), "one below the other: {rects:?}");
        let panel = window.get(Role::Splitter, "Width of the details").rect.center().x;
        assert!(rects.iter().all(|rect| rect.min.x > panel && rect.max.x <= 1440.0), "{rects:?}");
    }
}

#[test]
fn a_wait_for_a_track_without_intervals_has_no_known_blocker() {
    let mut window = window_of(recording("Firefox"));
    let answer = window.marker("Answer", 0);
    window.apply(flowline::view::Command::Select(Some(answer)));
    window.wait_for_timelines();
    assert!(window.says("Far has no intervals"), "{:#?}", window.texts());
}

#[test]
fn a_tooltip_shows_what_a_flow_waited_for() {
    let mut window = window_of(recording("Firefox"));
    let task = window.marker("Runnable", 1);
    let flow = window.session().index.flows().flows_of(task)[0];
    window.apply(flowline::view::Command::Flow(flowline::view::FlowCommand::Enter(vec![flow])));
    let row = window.node_with_prefix(Role::Button, "Flow LoadTask").rect;
    let wait = window.view().times_of(task).expect("a marker").start - Ns(1_500_000);
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = window.chart().min.x + window.view().axis.pixel(wait) as f32;
    let place = pos2(x, row.center().y);
    window.point_at(place);
    window.wait_for_timelines();
    assert!(
        window.has(Role::Label, "Waited behind Runnable nsRefreshDriver, 3.00 ms"),
        "over the wait: {:#?}",
        window.texts()
    );
    assert!(window.says("LoadTask"), "its label shows the posted task");
    assert!(window.has(Role::Label, "https://a.example/x.png"), "in the details: {:#?}", window.texts());
    assert!(window.says("posted from Poster, runs on Main"), "{:#?}", window.texts());
}

#[test]
fn a_long_timeline_can_be_expanded() {
    let posts = (0..12_u32).map(|at| {
        let post = instant("Step", f64::from(at));
        post.with(typed("Post", json!({"flow": "@long"})))
    });
    let index = index_of(vec![("Poster", posts.collect())], "Chromium");
    let mut window = window_of(index);
    let marker = window.marker("Step", 0);
    window.apply(flowline::view::Command::Select(Some(marker)));
    window.wait_for_timelines();
    let count = |window: &Window| window.nodes_with_prefix(Role::Button, "Idle").len();
    assert_eq!(count(&window), 7, "{:#?}", window.texts());
    window.click(Role::Button, "and 4 more");
    window.wait_for_timelines();
    assert_eq!(count(&window), 11);
    window.click(Role::Button, "show fewer");
    assert_eq!(count(&window), 7);
}

#[test]
fn timeline_columns_can_be_shown_sorted_and_filtered() {
    let mut window = Window::example();
    window.open_flow_table();
    assert_eq!(window.panels().flow_table.columns(), FlowColumn::USUAL);
    window.press("Columns");
    for column in ["Run", "Posted from", "Runs on", "Type", "Resource", "Markers", "Id"] {
        window.click(Role::CheckBox, column);
    }
    window.key(Key::Escape);
    window.wait("the timelines", |window| !window.panels().flow_table.is_busy());
    let flow = window.panels().flow_table.rows()[0];
    let row = window.nodes().into_iter().find(|node| node.role == Role::Row).expect("a row").text;
    let totals = window.totals(flow);
    let length = flowline::format::format_duration_ns;
    for part in [
        format!("run {}", length(totals.run)),
        format!("longest wait {}", length(totals.longest_wait)),
        "posted from ".to_owned(),
        "type ".to_owned(),
    ] {
        assert!(row.contains(&part), "{part}: {row}");
    }
    let heading = window.get(Role::Button, "Longest wait");
    window.click_at(heading.rect.center());
    window.wait("the order", |window| !window.panels().flow_table.is_busy());
    let waits: Vec<i64> =
        window.panels().flow_table.rows().iter().map(|flow| window.totals(*flow).longest_wait).collect();
    assert_eq!(waits.len(), 467);
    assert!(
        waits.is_sorted_by(|one, other| one >= other) && waits[0] > waits[466],
        "the first press sorts the longest first"
    );

    window.type_text("/");
    window.click_at(window.get(Role::TextInput, "Filter flows").rect.center());
    window.type_text("wait:>1ms -posted:gecko");
    window.wait("the filter", |window| {
        !window.panels().flow_table.is_busy() && window.panels().flow_table.rows().len() < 467
    });
    let profile = window.profile();
    let graph = window.session().index.flows();
    let expected = graph.iter().filter(|flow| {
        let thread = graph.posted_from(&profile, *flow).thread().expect("a thread");
        let totals = window.totals(*flow);
        let place = format!("{} ({})", profile.thread(thread).name, profile.process_of(thread).name).to_lowercase();
        totals.wait > 1_000_000 && !place.contains("gecko")
    });
    assert_eq!(window.panels().flow_table.rows().len(), expected.count());
}

#[test]
fn the_chart_can_show_only_the_markers_of_a_flow() {
    let mut window = window_of(recording("Firefox"));
    let task = window.marker("Runnable", 1);
    window.apply(flowline::view::Command::Search("runnable".into()));
    window.wait_for_search("runnable");
    let before = window.view().tracks.as_ref().clone();
    window.apply(flowline::view::Command::Select(Some(task)));
    window.key(Key::V);
    assert!(window.view().search.starts_with("flow:"), "{}", window.view().search);
    window.press("Flow menu");
    window.press("Show all markers V");
    assert_eq!(window.view().search, "runnable");
    assert_eq!(window.view().tracks.expanded, before.expanded);
    window.key(Key::V);
    let narrowed = window.view().search.clone();
    assert!(narrowed.starts_with("flow:"));
    window.key(Key::V);
    assert_eq!(window.view().search, "runnable");
}

#[test]
fn names_are_searched_in_the_source_code_of_the_product() {
    let mut window = window_of(recording("Firefox"));
    let post = window.marker("TaskController::AddTask", 0);
    window.apply(flowline::view::Command::Select(Some(post)));
    window.choose_in_details("Search source code");
    let url = "https://searchfox.org/mozilla-central/search?q=TaskController%3A%3AAddTask";
    assert_eq!(window.harness.state().requests, [AppRequest::OpenInBrowser(url.into())]);
    window.key(Key::U);
    assert_eq!(window.harness.state().requests.len(), 2, "a key has the same effect");

    let mut window = window_of(recording("Something else"));
    let post = window.marker("TaskController::AddTask", 0);
    window.apply(flowline::view::Command::Select(Some(post)));
    window.press("More actions");
    assert!(window.has(Role::Button, "Copy name") && !window.has(Role::Button, "Search source code"));
    window.key(Key::Escape);
    window.key(Key::U);
    assert!(window.harness.state().requests.is_empty());
}

#[test]
fn resources_are_completed_while_typing() {
    let load = |at: f64, url: &str| {
        interval("Load", at, at + 0.1).with(typed("Task", json!({"flow": "@a", "name": "Load", "url": url})))
    };
    let rows = vec![
        load(1.0, "https://a.example/app.js"),
        load(2.0, "https://a.example/app.js"),
        load(3.0, "https://b.example/some image.png"),
    ];
    let mut window = window_of(index_of(vec![("Main", rows)], "Firefox"));
    window.type_text("/");
    window.type_text("load res:exa");
    window.wait("resources", |window| !window.items(Role::ListBoxOption).is_empty());
    let offered: Vec<String> = window.items(Role::ListBoxOption).into_iter().map(|node| node.text).collect();
    assert_eq!(
        offered,
        [
            "a.example, 2 markers",
            "https://a.example/app.js, 2 markers",
            "b.example, 1 marker",
            "https://b.example/some image.png, 1 marker"
        ]
    );
    window.keys(&[Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::ArrowDown]);
    assert_eq!(window.items(Role::ListBoxOption).iter().filter(|node| node.selected).count(), 1);
    window.key(Key::Enter);
    assert_eq!(window.view().search, "load res:https://a.example/app.js ");
    assert!(window.items(Role::ListBoxOption).is_empty(), "the accepted completion is complete");
    assert_eq!(window.session().view.selected, None, "Enter accepted the list entry");
    window.type_text("-res:image");
    window.wait("resources", |window| !window.items(Role::ListBoxOption).is_empty());
    window.key(Key::Tab);
    let search = window.view().search.clone();
    assert!(
        search.starts_with("load res:https://a.example/app.js -res:\"https://b.example/some image.png\""),
        "{search}"
    );
    assert!(window.get(Role::TextInput, "Search markers").focused, "typing can continue");
    window.apply(flowline::view::Command::Search("res:b.ex".into()));
    window.wait("resources", |window| !window.items(Role::ListBoxOption).is_empty());
    let entry = window.items(Role::ListBoxOption)[0].clone();
    window.click_at(entry.rect.center());
    assert_eq!(window.view().search, "res:b.example ");
}

#[test]
fn the_example_has_timelines_for_every_flow_of_a_marker() {
    let mut window = Window::showing(session(example(), Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let graph_markers: Vec<MarkerId> = {
        let graph = window.session().index.flows();
        graph.iter().take(40).filter_map(|flow| graph.last_to_end(flow)).collect()
    };
    for marker in graph_markers {
        window.apply(flowline::view::Command::Select(Some(marker)));
        window.wait_for_timelines();
        assert!(!window.says("Analyzing flow"), "{marker:?}");
    }
}

/// Threads of the same name are told apart by their processes.
#[test]
fn threads_of_a_flow_with_the_same_name_have_their_processes() {
    let slice =
        |pid: u32, ts: u32, name: &str| json!({"ph": "X", "pid": pid, "tid": pid, "ts": ts, "dur": 5000, "name": name});
    let step = |ph: &str, pid: u32, ts: u32| json!({"ph": ph, "bp": "e", "id": 5, "pid": pid, "tid": pid, "ts": ts, "cat": "c", "name": "message"});
    let name = |kind: &str, pid: u32, name: &str| json!({"ph": "M", "name": kind, "pid": pid, "tid": pid, "args": {"name": name}});
    let mut events = Vec::new();
    for (pid, ts, process) in [(2, 0, "Parent"), (3, 10_000, "Web Content"), (4, 20_000, "Web Content")] {
        events.extend([name("process_name", pid, process), name("thread_name", pid, "GeckoMain")]);
        events.push(slice(pid, ts, "work"));
        events.push(step(["s", "t", "f"][(pid - 2) as usize], pid, ts + 10));
    }
    let profile = recording::read_bytes(json!(events).to_string().into_bytes()).expect("a trace");
    let mut window = window_of(Arc::new(Index::build(Arc::new(profile), Arrangement::Stack)));
    window.apply(flowline::view::Command::Select(Some(window.marker("work", 1))));
    window.wait_for_timelines();
    let all = window.texts().join("\n");
    assert!(!all.contains("GeckoMain, GeckoMain"), "{all}");
    assert!(all.contains("GeckoMain (Web Content 3)") && all.contains("GeckoMain (Web Content 4)"), "{all}");
}
