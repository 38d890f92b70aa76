//! Initiators of the selected event: links in the details, arrows in the chart.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use egui::accesskit::Role;
use egui::vec2;
use flowline::import::{self, Progress};
use flowline::index::Index;
use flowline::profile::MarkerId;
use flowline::scene::{LinkInstance, Scene};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

fn event(name: &str, ts: i64) -> Value {
    json!({"ph": "X", "pid": 1, "tid": 1, "cat": "devtools.timeline", "name": name, "ts": ts, "dur": 1000,
        "args": {"data": {"timerId": 7}}})
}

/// Number of arrow lines and arrow heads in the frame.
fn links(window: &Window) -> usize {
    let mut scene = Scene::default();
    scene.build(&window.session().scene_input());
    scene.frame().count::<LinkInstance>() as usize
}

#[test]
fn the_details_and_arrows_lead_to_initiators() {
    let events =
        [event("TimerInstall", 0), event("TimerFire", 5_000), event("TimerFire", 9_000), event("Other", 20_000)];
    let text = serde_json::to_vec(&events).expect("JSON");
    let profile = import::read(text, &Progress::default()).expect("a trace").profile;
    let arrangement = profile.meta.arrangement();
    let index = Arc::new(Index::build(Arc::new(profile), arrangement));
    let mut window =
        Window::showing(session(index, Path::new("timers.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.apply(Command::ExpandAll);
    window.apply(Command::Select(Some(MarkerId::new(3))));
    assert!(!window.says("nitiated by") && links(&window) == 0);
    window.apply(Command::Select(Some(MarkerId::new(2))));
    window.wait("the initiator", |window| window.says("Initiated by TimerInstall"));
    let one = links(&window);
    assert!(one > 0, "an arrow points to it");
    window.click(Role::TreeItem, "Initiated by TimerInstall");
    assert_eq!(window.view().selected, Some(MarkerId::new(0)));
    window.wait("the initiated events", |window| window.says("Initiated 2 events"));
    assert_eq!(links(&window), 2 * one);
    window.apply(Command::Select(None));
    assert_eq!(links(&window), 0);
}
