//! The layout by flow: keyboard, mouse, and screen reader texts.

use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2, vec2};
use flowline::index::flows::SegmentKind;
use flowline::profile::FlowId;
use flowline::scene::{FlowHit, FlowTarget, ItemKind};
use flowline::session::{Job, ordered_lanes};
use flowline::ui::KeyMap;
use flowline::view::{Command, FlowLaneCommand, FlowLaneOrder};

use crate::harness::window::{Node, Window, session};
use crate::recording::flows::{point, recording_of};

impl Window {
    fn flow_lanes(&self) -> Vec<FlowId> {
        let flow = |kind| match kind {
            ItemKind::FlowLane(lane) => Some(lane.flow),
            _ => None,
        };
        self.session().list().items().iter().filter_map(|item| flow(item.kind)).collect()
    }

    fn lane_labels(&self) -> Vec<Node> {
        self.nodes_with_prefix(Role::Button, "Flow lane ")
    }

    fn wait_for_lanes(&mut self) {
        self.wait("the lanes", |window| !window.session().flow_lanes.is_busy());
    }

    /// Shows the lanes of all flows by start.
    fn switch_to_flow_layout(&mut self) {
        self.apply(Command::FlowLane(FlowLaneCommand::Order(FlowLaneOrder::Start)));
        self.apply(Command::FlowLane(FlowLaneCommand::ShowInstants(true)));
        self.apply(Command::FlowLane(FlowLaneCommand::ShowOutside(true)));
        self.key(Key::J);
        self.wait_for_lanes();
    }

    fn order_by(&mut self, order: FlowLaneOrder) {
        let button = self.node_with_prefix(Role::Button, "Order: ");
        self.click_at(button.rect.center());
        self.click(Role::Button, order.name());
        self.wait_for_lanes();
        // Keys act on the lane under the pointer.
        self.point_at(pos2(4.0, 4.0));
    }

    fn waits(&self, flow: FlowId) -> i64 {
        let session = self.session();
        session.flows.rules.timeline_totals(session.index.profile(), session.index.flows(), flow).longest_wait
    }
}

#[test]
fn layouts_switch_by_key_and_button_and_keep_their_scroll() {
    let mut window = Window::example();
    window.apply(Command::Scroll(120.0));
    let rows = window.session().list().items().len();
    let scroll = window.view().scroll;
    window.switch_to_flow_layout();
    let all: Vec<FlowId> = window.session().index.flows().iter().collect();
    assert_eq!((window.flow_lanes(), window.view().scroll), (all, 0.0));
    assert!(window.get(Role::Button, "By object").selected && !window.get(Role::Button, "Stack").selected);
    let labels = window.lane_labels();
    assert!(labels.len() > 20 && labels.len() < 60, "only visible lanes: {}", labels.len());
    assert!(labels.iter().all(|label| label.text.contains(", waited ")), "{labels:?}");
    window.apply(Command::Scroll(300.0));
    window.click(Role::Button, "Stack");
    assert_eq!((window.session().list().items().len(), window.view().scroll), (rows, scroll));
    window.click(Role::Button, "By object");
    assert_eq!(window.view().scroll, 300.0);
    window.key(Key::L);
    assert_eq!(window.session().list().items().len(), rows, "L restores the rows");
}

#[test]
fn the_longest_waits_come_first_and_instants_are_hidden_at_first() {
    let mut window = Window::example();
    window.apply(Command::FlowLane(FlowLaneCommand::ShowOutside(true)));
    window.key(Key::J);
    window.wait_for_lanes();
    window.settle();
    let lanes = window.flow_lanes();
    let waits: Vec<i64> = lanes.iter().map(|flow| window.waits(*flow)).collect();
    assert!(waits.is_sorted_by(|one, next| one >= next), "{waits:?}");
    let (index, profile) = (std::sync::Arc::clone(&window.session().index), window.profile());
    let is_instant = |flow: &FlowId| index.flows().range(&profile, *flow).is_empty();
    assert!(!lanes.iter().any(is_instant), "{lanes:?}");
    let instants = index.flows().iter().filter(is_instant).count();
    assert_eq!(lanes.len() + instants, index.flows().len());
    let line = window.session().list().items().last().copied().expect("lanes");
    assert_eq!(instants > 0, matches!(line.kind, ItemKind::InstantLanes(_)));
    if instants > 0 {
        window.apply(Command::Scroll(1e9));
        window.settle();
        let mut line = window.nodes_with_prefix(Role::DisclosureTriangle, "").into_iter();
        let line = line.rfind(|node| node.text.ends_with("hidden, Show")).expect("the line of instants");
        window.click_at(line.rect.center());
        window.wait_for_lanes();
        window.settle();
        assert_eq!(window.flow_lanes().len(), index.flows().len());
    }
}

#[test]
fn lanes_can_be_sorted_by_longest_wait() {
    let mut window = Window::example();
    window.switch_to_flow_layout();
    window.order_by(FlowLaneOrder::LongestWait);
    let waits: Vec<i64> = window.flow_lanes().iter().map(|flow| window.waits(*flow)).collect();
    assert!(waits.len() == 467 && waits.iter().rev().is_sorted() && waits[0] > waits[40], "{:?}", &waits[..9]);
    assert!(window.has(Role::Button, "Order: longest wait"));
    let first = window.lane_labels()[0].text.clone();
    let wait = flowline::format::format_duration_ns(waits[0]);
    assert!(first.contains(&format!("longest wait {wait}")), "{first}");
}

#[test]
fn types_are_collapsible_headings() {
    let mut window = Window::example();
    window.switch_to_flow_layout();
    window.order_by(FlowLaneOrder::Type);
    let headings = window.nodes_with_prefix(Role::DisclosureTriangle, "Type ");
    assert!(!headings.is_empty() && headings[0].text.ends_with(", expanded"), "{headings:#?}");
    let heading = headings.last().expect("a heading").clone();
    let (before, flow_lanes) = (window.session().list().items().len(), window.flow_lanes().len());
    assert!(flow_lanes == 467 && before > flow_lanes);
    window.click_at(heading.rect.center());
    window.wait_for_lanes();
    let collapsed = window.flow_lanes().len();
    assert!(collapsed < 467, "its lanes are hidden");
    let says = heading.text.replace(", expanded", ", collapsed");
    let triangle = window.get(Role::DisclosureTriangle, &says);
    assert!(says.contains(&format!(", {} flow lane", 467 - collapsed)), "{says}");
    window.click_at(triangle.rect.center());
    window.wait_for_lanes();
    assert_eq!((window.flow_lanes().len(), window.session().list().items().len()), (467, before));
    // Keys walk from lane to lane across headings.
    window.point_at(pos2(4.0, 4.0));
    let flow_lanes = window.flow_lanes();
    for flow in flow_lanes.iter().take(12) {
        window.key(Key::ArrowDown);
        assert_eq!(window.session().selected_flow(), Some(*flow));
    }
}

#[test]
fn a_namespace_can_be_hidden_and_shown_in_the_tree() {
    let mut window = Window::example();
    window.switch_to_flow_layout();
    window.click(Role::Button, "Types");
    let facts = window.session().flow_lanes.facts().cloned().expect("facts");
    let (number, node) = facts
        .types
        .nodes()
        .iter()
        .enumerate()
        .find(|(at, node)| node.depth == 0 && node.end > at + 1)
        .expect("a namespace");
    let name = node.part.clone();
    window.click(Role::CheckBox, &name);
    window.wait_for_lanes();
    let inside = |flow: &FlowId| (number..node.end).contains(&facts.node(*flow));
    let others: Vec<FlowId> = window.session().index.flows().iter().filter(|flow| !inside(flow)).collect();
    assert!(others.len() < 467);
    assert_eq!(window.flow_lanes(), others);
    // Shows one of its types again.
    window.click(Role::DisclosureTriangle, &format!("Expand {name}"));
    let child = &facts.types.nodes()[number + 1];
    window.click(Role::CheckBox, &child.part);
    window.wait_for_lanes();
    assert_eq!(window.flow_lanes().len(), others.len() + child.flows);
    window.click(Role::Button, "Show all");
    window.wait_for_lanes();
    assert_eq!(window.flow_lanes().len(), 467);
    window.click(Role::Button, "Hide all");
    window.wait_for_lanes();
    assert!(window.flow_lanes().is_empty());
}

#[test]
fn lanes_are_walked_entered_and_pinned_by_keys() {
    let mut window = Window::example();
    window.switch_to_flow_layout();
    window.order_by(FlowLaneOrder::LongestWait);
    let flow_lanes = window.flow_lanes();
    window.key(Key::ArrowDown);
    assert_eq!(window.session().selected_flow(), Some(flow_lanes[0]), "the first one on screen");
    window.key(Key::ArrowDown);
    window.key(Key::ArrowDown);
    assert_eq!(window.session().selected_flow(), Some(flow_lanes[2]));
    window.key(Key::ArrowUp);
    assert_eq!(window.session().selected_flow(), Some(flow_lanes[1]));
    let members = window.session().index.flows().members(flow_lanes[1]).to_vec();
    assert_eq!(window.selected(), members[0]);
    window.key(Key::ArrowRight);
    assert_eq!((window.selected(), window.session().selected_flow()), (members[1], Some(flow_lanes[1])));
    window.key(Key::Enter);
    assert_eq!(window.view().flows.entered, [flow_lanes[1]]);
    window.key(Key::P);
    assert_eq!(window.view().flows.pinned, [flow_lanes[1]]);
    for _ in 0..60 {
        window.key(Key::ArrowDown);
    }
    assert_eq!(window.session().selected_flow(), Some(flow_lanes[61]));
    let input = window.session().scene_input();
    let on_screen = input
        .visible_items()
        .iter()
        .any(|item| matches!(item.kind, ItemKind::FlowLane(lane) if lane.flow == flow_lanes[61]));
    assert!(on_screen, "the selection is scrolled into view");
}

#[test]
fn a_click_on_a_label_a_run_or_a_wait_selects() {
    let mut window = Window::example();
    window.switch_to_flow_layout();
    window.order_by(FlowLaneOrder::LongestWait);
    let flow_lanes = window.flow_lanes();
    let label = window.lane_labels()[3].clone();
    window.click_at(label.rect.center());
    assert_eq!(window.session().selected_flow(), Some(flow_lanes[3]));
    assert!(window.lane_labels()[3].text.ends_with(", selected"));
    // The tooltip of a visible wait shows its length, and a click selects the marker that the flow waited for.
    let input = window.session().scene_input();
    let chart = input.regions.chart;
    let hit = |x: f32, y: f32| match input.hits(x, y).flow {
        Some(FlowHit::Flow { flow, target: FlowTarget::Wait { marker, count: 1 } }) => Some((flow, marker)),
        _ => None,
    };
    let places = input.visible_items().iter().flat_map(|item| {
        let y = input.item_y(item) + input.item_height(item) / 2.0;
        (0..80_u16).map(move |step| (chart.x + f32::from(step) * 10.0 + 0.5, y))
    });
    let mut found = places.filter_map(|(x, y)| Some((x, y, hit(x, y)?)));
    let (x, y, (flow, marker)) = found.next().expect("a wait in view");
    drop(found);
    window.point_at(pos2(x, y));
    window.wait_for_timelines();
    assert!(!window.nodes_with_prefix(Role::Label, "Waited ").is_empty(), "{:?}", window.texts());
    window.click_at(pos2(x, y));
    assert_eq!((window.selected(), window.session().selected_flow()), (marker, Some(flow)));
}

#[test]
fn filters_and_hidden_rows_limit_the_lanes() {
    let mut window = Window::example();
    window.switch_to_flow_layout();
    window.apply(Command::Search("name:composite".into()));
    window.wait_for_search("name:composite");
    window.wait_for_lanes();
    let session = window.session();
    let expected = ordered_lanes(
        &session.index,
        session.flow_lanes.facts().map(AsRef::as_ref),
        session.scope(),
        &session.view.flow_lanes,
        &|| true,
    );
    assert!(expected.flows().len() < 467);
    assert_eq!(window.flow_lanes(), expected.flows());
    window.apply(Command::Search(String::new()));
    window.wait_for_lanes();
    assert_eq!(window.flow_lanes().len(), 467);
    let (profile, extent) = (window.profile(), window.session().index.extent());
    let middle = extent.start + flowline::profile::Ns(extent.len() / 2);
    window.apply(Command::Show(flowline::profile::TimeRange::new(
        middle,
        middle + flowline::profile::Ns(extent.len() / 50),
    )));
    window.chord(Modifiers::SHIFT, Key::L);
    let visible = window.view().axis.visible();
    let graph = window.session().index.flows();
    // Idle flows without a marker in view have nothing to show.
    let rules = &window.session().flows.rules;
    let is_in_view = |flow: &FlowId| {
        let overlaps = |range: flowline::profile::TimeRange| range.start <= visible.end && range.end >= visible.start;
        let segments = rules.timeline(&profile, graph, *flow).segments;
        let starts = graph.members(*flow).iter().filter_map(|marker| window.view().times_of(*marker));
        let mut starts = starts.map(|times| times.start);
        overlaps(graph.range(&profile, *flow))
            && (graph.members(*flow).len() < 2
                || segments.iter().any(|own| own.kind != SegmentKind::Idle && overlaps(own.range))
                || starts.any(|start| visible.start <= start && start <= visible.end))
    };
    let shown: Vec<FlowId> = graph.iter().filter(is_in_view).collect();
    assert!(shown.len() < 467);
    assert_eq!(window.flow_lanes(), shown);
}

#[test]
fn a_recording_without_flows_shows_a_message() {
    let rows = vec![point("alone", 1.0, "Plain", serde_json::json!({}))];
    let profile = crate::recording::read(&recording_of(vec![rows]).raw());
    let index =
        std::sync::Arc::new(flowline::index::Index::build(profile.into(), flowline::profile::Arrangement::ByName));
    let mut window =
        Window::showing(session(index, std::path::Path::new("")), KeyMap::Flowline, vec2(900.0, 500.0), 1.0);
    window.key(Key::J);
    assert!(window.view().flow_lanes.shown && window.flow_lanes().is_empty());
    window.key(Key::ArrowDown);
    window.key(Key::J);
    assert!(!window.flow_lanes().is_empty() || !window.session().list().items().is_empty());
}
