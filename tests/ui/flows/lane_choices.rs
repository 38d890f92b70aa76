//! Choices of the layout by object: lanes without content in the visible range, groups by thread, and what is an instant.

use egui::Key;
use egui::accesskit::Role;
use flowline::profile::{Ns, TimeRange};
use flowline::session::Job;
use flowline::ui::SavedView;
use flowline::view::{Command, FlowLaneCommand, FlowLaneOrder};
use serde_json::json;

use super::timelines::{index_of, typed, window_of};
use crate::harness::window::Window;
use crate::recording::{Row, instant, interval};

/// Six flows: early, late and long ones on two threads; one interval alone, and one instant alone. The long one is used at 2
/// and 95 ms, and waits from 60 ms on.
fn window() -> Window {
    let event = |name: &str, start: f64, end: f64, id: &str| -> Row {
        interval(name, start, end).with(typed("Post", json!({"flow": format!("@{id}")})))
    };
    let point = |name: &str, at: f64, id: &str| -> Row {
        instant(name, at).with(typed("Post", json!({"flow": format!("@{id}")})))
    };
    let main = vec![
        point("TaskController::AddTask", 1.0, "early"),
        event("Open", 2.0, 3.0, "long"),
        event("net::other", 10.0, 12.0, "alone"),
        point("Ping", 20.0, "ping"),
        point("TaskController::AddTask", 60.0, "long"),
        point("TaskController::AddTask", 80.0, "late"),
    ];
    let worker =
        vec![event("Early", 5.0, 9.0, "early"), event("Late", 85.0, 90.0, "late"), event("Close", 95.0, 99.0, "long")];
    let index = index_of(vec![("Main", main), ("Worker", worker)], "Firefox");
    let mut window = window_of(index);
    window.apply(Command::Show(window.session().index.extent()));
    window.key(Key::J);
    window.apply(Command::FlowLane(FlowLaneCommand::Order(FlowLaneOrder::Start)));
    ready(&mut window);
    window
}

fn ready(window: &mut Window) {
    window.wait("the lanes", |window| !window.session().flow_lanes.is_busy());
    window.settle();
}

/// The names of the listed lanes and headings, from top to bottom.
fn lanes(window: &Window) -> Vec<String> {
    let mut nodes: Vec<_> = window.nodes_with_prefix(Role::Button, "Flow lane ");
    nodes.extend(window.nodes_with_prefix(Role::DisclosureTriangle, "Thread "));
    nodes.sort_by(|one, other| one.rect.min.y.total_cmp(&other.rect.min.y));
    let name = |text: &str| text.trim_start_matches("Flow lane ").split(", ").next().unwrap_or_default().to_owned();
    nodes.iter().map(|node| name(&node.text)).collect()
}

fn show(window: &mut Window, from: i64, to: i64) {
    let start = window.session().index.extent().start;
    let range = TimeRange::new(start + Ns(from * 1_000_000), start + Ns(to * 1_000_000));
    window.apply(Command::Show(range));
    ready(window);
}

#[test]
fn a_single_interval_is_a_lane_and_a_single_instant_is_not() {
    let mut window = window();
    assert_eq!(lanes(&window), ["Early", "Open", "net::other", "Late"]);
    let line = window.get(Role::DisclosureTriangle, "1 instant hidden, Show");
    window.click_at(line.rect.center());
    ready(&mut window);
    assert_eq!(lanes(&window), ["Early", "Open", "net::other", "Ping", "Late"]);
}

#[test]
fn lanes_without_content_in_the_visible_range_are_hidden_and_counted() {
    let mut window = window();
    // The long flow is idle from 3 to 60 ms.
    show(&mut window, 10, 15);
    assert_eq!(lanes(&window), ["net::other"].map(String::from).to_vec());
    let line = window.get(Role::DisclosureTriangle, "3 lanes outside the visible range, Show");
    show(&mut window, 70, 95);
    assert_eq!(lanes(&window), ["Open", "Late"]);
    show(&mut window, 10, 15);
    window.click_at(line.rect.center());
    ready(&mut window);
    assert_eq!(lanes(&window), ["Early", "Open", "net::other", "Late"]);
    let line = window.get(Role::DisclosureTriangle, "Lanes outside the visible range, Hide");
    window.click_at(line.rect.center());
    ready(&mut window);
    assert_eq!(lanes(&window), ["net::other"]);
}

#[test]
fn lanes_are_grouped_by_the_executing_thread_on_request() {
    let mut window = window();
    let button = window.node_with_prefix(Role::Button, "Order: ");
    window.click_at(button.rect.center());
    window.click(Role::CheckBox, "Group by thread");
    ready(&mut window);
    // The long flow ran for 4 ms on the worker and for 1 ms on the main thread.
    let grouped = ["Thread Worker (Process 100)", "Early", "Open", "Late", "Thread Main (Process 100)", "net::other"];
    assert_eq!(lanes(&window), grouped, "{:#?}", window.texts());
    let saved = window.shell().saved_view().expect("a view");
    let saved = SavedView::from_link(&saved.to_link()).expect("a link");
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Thread Worker (Process 100)");
    assert!(heading.text.ends_with("3 flow lanes, expanded"), "{heading:?}");
    window.click_at(heading.rect.center());
    ready(&mut window);
    assert_eq!(lanes(&window), ["Thread Worker (Process 100)", "Thread Main (Process 100)", "net::other"]);
    window.apply(Command::FlowLane(FlowLaneCommand::GroupByThread(false)));
    ready(&mut window);
    assert_eq!(lanes(&window), ["Early", "Open", "net::other", "Late"]);
    let mut window = self::window();
    window.shell().show_view(&saved);
    ready(&mut window);
    assert!(window.view().flow_lanes.by_thread);
    assert_eq!(lanes(&window), grouped);
}
