//! Signs of the flow panel and of the details: the legend, waits for the network, and flows of instants.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::vec2;
use flowline::index::{Arrangement, Index, WARN_ENTRY};
use flowline::profile::{FlowId, Kind};
use flowline::ui::KeyMap;
use serde_json::{Value, json};

use super::timelines::{index_of, typed, window_of};
use crate::harness::window::{Window, session};
use crate::recording::flows::{recording_of, span};
use crate::recording::{instant, interval};

/// A request of a channel: it is sent at 3 ms and answered at 50 ms. Then its answer waits until 90 ms.
fn request() -> Window {
    let load = |status: &str, from: f64, to: f64, times: Value| {
        let mut data = json!({"type": "Network", "id": 3, "URI": "http://a.test/a.png", "requestMethod": "GET",
            "status": status, "startTime": from, "endTime": to});
        for (key, value) in times.as_object().expect("times") {
            data[key] = value.clone();
        }
        interval("Load 3: http://a.test/a.png", from, to).with(data)
    };
    let times = json!({"requestStart": 3.0, "responseStart": 49.0, "responseEnd": 50.0});
    let flow = || json!({"flow": "5"});
    let rows = vec![
        span("nsHttpChannel::AsyncOpen", 1.0, 3.0, "FlowStack", flow()),
        load("STATUS_START", 2.0, 2.5, json!({})),
        load("STATUS_STOP", 2.5, 50.0, times),
    ];
    let answer = vec![
        span("nsHttpChannel::OnStartRequest", 50.0, 51.0, "FlowStack", flow()),
        span("nsHttpChannel::OnStopRequest", 90.0, 95.0, "FlowStack", flow()),
    ];
    let [(_, profile), _] = recording_of(vec![rows, answer]).read_both();
    let index = Index::build(Arc::new(profile), Arrangement::ByName);
    Window::showing(session(Arc::new(index), Path::new("made up.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
}

#[test]
fn waits_for_the_network_have_another_color_than_waits_for_a_thread() {
    let mut window = request();
    window.enter(&[FlowId(0)]);
    window.settle();
    let shape = window.session().flows.shapes.flow(FlowId(0)).expect("a shape").clone();
    assert!(shape.knows_requests);
    let mut waits = Vec::new();
    shape.visit_waits(1.0, 0, u64::MAX >> 1, |span| {
        let length = span.packed.end() - span.packed.start();
        waits.push((length / 1_000_000, span.packed.style().color()));
    });
    assert_eq!(waits, [(47, Kind::Network as u8), (39, WARN_ENTRY)]);
    window.wait_for_timelines();
    let wait = window.node_with_prefix(Role::Button, "Waited for the server, 47.00 ms");
    assert!(wait.text.contains("46.00 ms waiting for the first byte"), "{wait:?}");
}

#[test]
fn the_menu_of_the_panel_explains_its_signs() {
    let mut window = Window::example();
    let flow = window.longest();
    window.enter(&[flow]);
    let meaning = "Waits for the network or the server";
    assert!(!window.has(Role::Label, meaning));
    window.click(Role::Button, "More flow actions");
    for text in ["Runs", "Waits for a thread", meaning, "A marker begins"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
}

/// A flow without an interval lists its instants, each once, with the waits between them.
#[test]
fn a_flow_of_instants_names_them() {
    let step = |name: &str, at: f64| instant(name, at).with(typed("Post", json!({"flow": "@object"})));
    let post = vec![step("TaskQueue::DispatchLocked", 1.0), step("TaskController::AddTask", 4.0)];
    let far = vec![step("Answer", 9.0), step("Done", 9.0)];
    let mut window = window_of(index_of(vec![("Main", post), ("Far", far)], "Firefox"));
    let flow = window.session().index.flows().flows_of(window.marker("Answer", 0))[0];
    window.enter(&[flow]);
    window.wait_for_timelines();
    let all: Vec<String> =
        window.nodes().into_iter().filter(|node| node.role == Role::Button).map(|node| node.text).collect();
    let at = |text: &str| all.iter().filter(|own| own.starts_with(text)).count();
    for name in ["TaskController::AddTask, Main", "TaskQueue::DispatchLocked, Main", "Answer, Far", "Done, Far"] {
        assert_eq!(at(name), 1, "{name}: {all:#?}");
    }
    let place =
        |text: &str| all.iter().position(|own| own.starts_with(text)).unwrap_or_else(|| panic!("{text}: {all:#?}"));
    let order = [
        "TaskQueue::DispatchLocked, Main",
        "Waited, 3.00 ms",
        "TaskController::AddTask, Main",
        "Waited, 5.00 ms",
        "Answer, Far",
    ];
    assert!(order.map(place).is_sorted(), "{all:#?}");
    // A flow with a run lists its segments only.
    let run = vec![step("TaskController::AddTask", 1.0), {
        let data = typed("Task", json!({"flow": "@object"}));
        interval("Runnable", 4.0, 5.0).with(data)
    }];
    let mut window = window_of(index_of(vec![("Main", run)], "Firefox"));
    window.enter(&[FlowId(0)]);
    window.wait_for_timelines();
    assert!(
        window.nodes_with_prefix(Role::Button, "TaskController::AddTask, Main").is_empty(),
        "{:#?}",
        window.texts()
    );
}
