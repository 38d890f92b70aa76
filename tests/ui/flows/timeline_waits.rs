//! Waits of flows in details and tooltips: their blockers and parts, and the time that is no wait.

use egui::accesskit::Role;
use egui::pos2;
use flowline::profile::Ns;
use flowline::view::{Command, FlowCommand};
use serde_json::json;

use super::timelines::{index_of, recording_of_work, typed, window_of};
use crate::recording::{instant, interval};

/// A blocker that explains less than half of a wait does not stand for it.
#[test]
fn a_wait_with_a_short_blocker_lists_its_parts() {
    for (until, title, parts) in [
        (
            2.5,
            "Waited behind Runnable nsRefreshDriver, 3.00 ms",
            "1.50 ms behind Runnable nsRefreshDriver, 1.50 ms unknown",
        ),
        (2.499_999, "Waited, 3.00 ms", "1.50 ms behind Runnable nsRefreshDriver, 1.50 ms unknown"),
        (1.011_1, "Waited, 3.00 ms", "0.01 ms behind Runnable nsRefreshDriver, 2.99 ms unknown"),
        (1.004, "Waited, 3.00 ms", "3.00 ms unknown"),
    ] {
        let mut window = window_of(recording_of_work("Firefox", "nsRefreshDriver", until));
        let task = window.marker("Runnable", 1);
        window.apply(Command::Select(Some(task)));
        window.wait_for_timelines();
        let expected = format!("{title}: {parts}");
        assert!(window.has(Role::Button, &expected), "{expected}: {:#?}", window.texts());
        // The details repeat it, so the tooltip is that of a window without a selection.
        let mut window = window_of(recording_of_work("Firefox", "nsRefreshDriver", until));
        let flow = window.session().index.flows().flows_of(task)[0];
        window.apply(Command::Flow(FlowCommand::Enter(vec![flow])));
        let row = window.node_with_prefix(Role::Button, "Flow LoadTask").rect;
        let wait = window.view().times_of(task).expect("a marker").start - Ns(1_700_000);
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = window.chart().min.x + window.view().axis.pixel(wait) as f32;
        window.point_at(pos2(x, row.center().y));
        window.wait_for_timelines();
        let tooltip = if title == "Waited, 3.00 ms" { format!("Waited 3.00 ms: {parts}") } else { title.to_owned() };
        assert!(window.has(Role::Label, &tooltip), "{tooltip}: {:#?}", window.texts());
    }
}

#[test]
fn time_between_two_uses_of_an_object_is_idle() {
    let step = |at: f64| instant("Use", at).with(typed("Post", json!({"flow": "@object"})));
    let mut window = window_of(index_of(vec![("Main", vec![step(1.0), step(8.0)])], "Firefox"));
    window.apply(Command::Select(Some(window.marker("Use", 0))));
    window.wait_for_timelines();
    assert!(window.has(Role::Button, "Idle, 7.00 ms"), "{:#?}", window.texts());
    assert!(window.says("Idle 7.00 ms, posted from Main"), "{:#?}", window.texts());
    assert!(window.nodes_with_prefix(Role::Button, "Waited").is_empty(), "{:#?}", window.texts());
}

/// Intervals that may overlap others do not state what occupied their thread.
#[test]
fn a_wait_for_a_thread_with_overlapping_intervals_names_the_longest() {
    let event = |name: &str, start: f64, end: f64, object: &str| {
        interval(name, start, end).with(typed("Post", json!({"flow": format!("@{object}")})))
    };
    let asked = instant("net::tcp::connection", 15.0).with(typed("Post", json!({"flow": "@connection"})));
    let socket = [
        event("net::dns::lookup EXEC", 30.0, 60.0, "lookup"),
        event("net::tcp::connection", 50.0, 95.0, "connection"),
        event("net::other", 120.0, 150.0, "other"),
    ];
    let mut window = window_of(index_of(vec![("Main", vec![asked]), ("Socket Thread", socket.to_vec())], "Firefox"));
    let second = window.marker("net::tcp::connection", 1);
    window.apply(Command::Select(Some(second)));
    window.wait_for_timelines();
    let reason = "blocker unknown: net::dns::lookup EXEC was open on Socket Thread for 20.00 ms";
    assert!(window.says(reason), "{:#?}", window.texts());
    assert!(!window.says("has no intervals"), "{:#?}", window.texts());
}
