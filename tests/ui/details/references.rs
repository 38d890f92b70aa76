//! Links from the selected marker to the threads and flows that its payload names.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use crate::recording::flows::{name_of, point, recording_of, span};
use crate::recording::{interval, read};
use egui::accesskit::Role;
use egui::vec2;
use flowline::import::{self, Progress};
use flowline::index::{Derived, Index};
use flowline::insights::interactions::Interactions;
use flowline::profile::{MarkerId, Profile, ThreadId};
use flowline::ui::KeyMap;
use flowline::view::{Command, FlowLaneCommand};
use serde_json::{Value, json};

fn show(profile: Profile) -> Window {
    let arrangement = profile.meta.arrangement();
    let index = Arc::new(Index::build(Arc::new(profile), arrangement));
    Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
}

impl Window {
    #[track_caller]
    fn select_named(&mut self, name: &str) {
        let profile = self.profile();
        let mut all = (0..profile.marker_count()).map(MarkerId::new);
        let marker = all.find(|marker| name_of(&profile, *marker) == name).expect(name);
        self.apply(Command::Select(Some(marker)));
        self.wait("the details", |window| window.details_of(marker));
    }

    #[track_caller]
    fn thread_named(&self, name: &str) -> ThreadId {
        let profile = self.profile();
        profile.threads_with_ids().find(|(_, thread)| thread.name == name).expect(name).0
    }

    /// Names of the links in the details.
    fn links(&self) -> Vec<String> {
        self.nodes_with_prefix(Role::Button, "Go to ").into_iter().map(|node| node.text).collect()
    }

    fn is_expanded(&self, thread: ThreadId) -> bool {
        let tracks = &self.view().tracks;
        tracks.expanded.contains(&thread) && !tracks.hidden.contains(&thread)
    }
}

fn slice(owner: (Value, Value), name: &str, category: &str, args: Value) -> Value {
    json!({"ph": "X", "pid": owner.0, "tid": owner.1, "ts": 10, "dur": 20, "name": name, "cat": category, "args": args})
}

fn thread_name(pid: Value, tid: Value, name: &str) -> Value {
    json!({"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": name}})
}

/// Two threads and a CPU, with the slices that are derived from the events of the Linux scheduler. The number of the
/// CPU is also the id of a thread.
fn scheduling() -> Window {
    let events = json!([
        thread_name(json!(7), json!(3), "app main"),
        thread_name(json!(7), json!(70), "Socket Thread"),
        thread_name(json!(7), json!("70 state"), "Socket Thread: state"),
        thread_name(json!("cpus"), json!(3), "CPU 3"),
        slice((json!(7), json!(3)), "wake up", "app", json!({"tid": 70})),
        slice((json!(7), json!(70)), "work", "app", json!({})),
        slice((json!("cpus"), json!(3)), "on the CPU", "sched", json!({"tid": 70, "pid": 7, "priority": 120})),
        slice((json!("cpus"), json!(3)), "of an unknown thread", "sched", json!({"tid": 71})),
        slice((json!(7), json!("70 state")), "Runnable", "thread state", json!({"waker_tid": 3, "waker": "app main"})),
    ]);
    let text = serde_json::to_vec(&events).expect("JSON");
    show(import::read(text, &Progress::default()).expect("a trace").profile)
}

#[test]
fn a_slice_of_a_cpu_leads_to_the_thread_that_ran() {
    let mut window = scheduling();
    let thread = window.thread_named("Socket Thread");
    window.apply(Command::CollapseAll);
    window.apply(Command::HideThread(thread));
    window.select_named("on the CPU");
    assert_eq!(window.links(), ["Go to thread Socket Thread"]);
    assert!(!window.is_expanded(thread));
    window.click(Role::Button, "Go to thread Socket Thread");
    assert!(window.is_expanded(thread), "{:?}", window.view().tracks);
    window.select_named("of an unknown thread");
    assert_eq!(window.links(), [""; 0], "no thread has this id");
    window.select_named("wake up");
    assert_eq!(window.links(), [""; 0], "an argument of another category is no reference");
}

#[test]
fn a_runnable_slice_leads_to_its_waker_by_key() {
    let mut window = scheduling();
    let waker = window.thread_named("app main");
    window.apply(Command::CollapseAll);
    window.select_named("Runnable");
    assert_eq!(window.links(), ["Go to thread app main"], "the waker, not the CPU with its number");
    assert!(window.says("Woken by"));
    window.apply(Command::FlowLane(FlowLaneCommand::Show(true)));
    window.press_by_key("Go to thread app main");
    assert!(window.is_expanded(waker));
    assert!(!window.view().flow_lanes.shown, "the layout by flow has no threads");
}

#[test]
fn a_runnable_slice_names_the_threads_on_its_cpu() {
    let at = |owner: (Value, Value), name: &str, category: &str, [ts, dur]: [i64; 2], args: Value| json!({"ph": "X", "pid": owner.0, "tid": owner.1, "ts": ts, "dur": dur, "name": name, "cat": category, "args": args});
    let states = |tid: &str| (json!(7), json!(format!("{tid} state")));
    let cpu = || (json!("cpus"), json!(3));
    let events = json!([
        thread_name(json!(7), json!("70 state"), "Socket Thread: state"),
        thread_name(json!(7), json!("80 state"), "surfaceflinger: state"),
        thread_name(json!("cpus"), json!(3), "CPU 3"),
        at(states("70"), "Runnable", "thread state", [10, 20], json!({})),
        at(states("70"), "Running", "thread state", [30, 10], json!({"cpu": 3})),
        at(states("80"), "Running", "thread state", [5, 25], json!({"cpu": 3})),
        at(cpu(), "surfaceflinger", "sched", [5, 25], json!({"tid": 80, "pid": 7})),
        at(cpu(), "Socket Thread", "sched", [30, 10], json!({"tid": 70, "pid": 7})),
    ]);
    let text = serde_json::to_vec(&events).expect("JSON");
    let mut window = show(import::read(text, &Progress::default()).expect("a trace").profile);
    window.select_named("Runnable");
    window.wait("the blockers", |window| !window.links().is_empty());
    assert_eq!(window.links(), ["Go to thread surfaceflinger: state"]);
    assert!(window.says("Runnable on CPU 3 behind (20.0 µs)"), "{:#?}", window.texts());
    // A state is no kind of work, whatever its color.
    assert!(window.says("Thread state on ") && !window.says("Network on "), "{:#?}", window.texts());
}

#[test]
fn a_field_with_a_thread_id_leads_to_the_thread() {
    let woke = interval("Woke", 1.0, 2.0).with(json!({"type": "Wake", "woken": 8}));
    let mut recording = recording_of(vec![vec![woke], vec![interval("other", 1.0, 2.0)]]);
    let field = json!({"key": "woken", "label": "Woken thread", "format": "tid"});
    recording.schemas = json!([{"name": "Wake", "display": ["marker-chart", "marker-table"], "fields": [field]}]);
    let mut profile = recording.processed();
    profile["threads"][1]["tid"] = json!(8);
    let mut window = show(read(&profile));
    window.select_named("Woke");
    assert_eq!(window.links(), ["Go to thread Thread 1"]);
    window.select_named("other");
    assert_eq!(window.links(), [""; 0]);
}

/// A network request that starts in an interval of its channel.
fn request() -> Window {
    let load = |status: &str, from: f64, to: f64| {
        let data = json!({"type": "Network", "id": 3, "URI": "http://a.test/a.png", "requestMethod": "GET",
            "status": status, "startTime": from, "endTime": to});
        interval("Load 3: http://a.test/a.png", from, to).with(data)
    };
    let flow = || json!({"flow": "5"});
    let rows = vec![
        span("nsHttpChannel::AsyncOpen", 1.0, 3.0, "FlowStack", flow()),
        load("STATUS_START", 2.0, 2.5),
        load("STATUS_STOP", 2.5, 5.0),
    ];
    let [(_, profile), _] = recording_of(vec![rows, vec![point("done", 5.0, "Flow", flow())]]).read_both();
    show(profile)
}

#[test]
fn a_network_request_leads_to_the_flow_of_its_channel() {
    let mut window = request();
    window.select_named("Load 3: http://a.test/a.png");
    window.wait("the flow", |window| !window.links().is_empty());
    assert_eq!(window.links(), ["Go to flow 5"]);
    assert!(window.view().flows.entered.is_empty());
    window.click(Role::Button, "Go to flow 5");
    assert_eq!(window.view().flows.entered.len(), 1);
    window.select_named("nsHttpChannel::AsyncOpen");
    assert!(window.has(Role::Button, "Flow menu"), "the flow is in its own section");
    assert_eq!(window.links(), [""; 0]);
}

#[test]
fn an_input_and_its_paint_lead_to_each_other() {
    let mut window = Window::example();
    let index = Arc::clone(&window.session().index);
    let mut all = Interactions::of(&index).list().iter();
    let own = all.find(|own| own.presented_by.is_some()).expect("the example has a presented interaction");
    window.apply(Command::Select(Some(own.marker)));
    window.wait("the details", |window| window.details_of(own.marker));
    window.click(Role::Button, "Go to the paint");
    assert_eq!(window.view().selected, own.presented_by);
    window.wait("the paint", |window| window.has(Role::Button, "Go to the input"));
    window.click(Role::Button, "Go to the input");
    assert_eq!(window.view().selected, Some(own.marker));
}
