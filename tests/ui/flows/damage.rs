//! The flow panel with extreme input: huge flows, markers in very many flows, damaged flow fields.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use crate::recording::flows::{point, recording_of, span, typed};
use crate::recording::{self, Recording, instant, interval};
use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::{FlowId, MarkerId};
use flowline::session::Job;
use flowline::ui::KeyMap;
use flowline::view::{Command, FlowCommand};
use serde_json::{Map, Value, json};

fn showing(recording: &Recording) -> Window {
    let profile = recording::read(&recording.raw());
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let session = session(index, Path::new("made up.json"));
    Window::showing(session, KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
}

/// Presses every key of the panel.
fn press_everything(window: &mut Window) {
    for key in [Key::Enter, Key::P, Key::C, Key::G, Key::F, Key::Num0, Key::T, Key::T, Key::ArrowRight, Key::ArrowDown]
    {
        window.key(key);
    }
    for text in ["]", "]", "[", ".", ",", ">", "<", "]"] {
        window.type_text(text);
        window.wait("the panel", |window| !window.session().flows.is_busy());
    }
    for (modifiers, key) in [
        (Modifiers::ALT, Key::CloseBracket),
        (Modifiers::ALT, Key::ArrowLeft),
        (Modifiers::ALT, Key::ArrowRight),
        (Modifiers::SHIFT, Key::F),
        (Modifiers::SHIFT, Key::T),
        (Modifiers::SHIFT, Key::T),
    ] {
        window.chord(modifiers, key);
        window.wait("the panel", |window| !window.session().flows.is_busy());
    }
    let chart = window.chart();
    for down in 0..20_u8 {
        window.point_at(chart.left_bottom() + vec2(300.0, 26.0 + 14.0 * f32::from(down)));
    }
    window.key(Key::V);
    window.wait("the search", |window| !window.session().is_searching());
    for _ in 0..8 {
        window.key(Key::Escape);
    }
}

#[test]
fn a_flow_with_a_hundred_thousand_members_works() {
    const COUNT: u32 = 100_000;
    let row = |at: u32| point("busy", f64::from(at) / 10.0, "Flow", json!({"flow": "@busy"}));
    let threads = |which| (0..COUNT).filter(|at| at % 2 == which).map(row).collect();
    let mut window = showing(&recording_of(vec![threads(0), threads(1)]));
    assert_eq!(window.graph().members(FlowId(0)).len(), COUNT as usize);
    window.apply(Command::Reveal(MarkerId(70_000)));
    assert!(window.says("40,002 of 100,000"), "the marker's position in the flow: {:#?}", window.texts());
    window.key(Key::Enter);
    window.wait("its row", |window| window.says("100,000 markers, Thread 0 +1"));
    assert!(window.has(Role::Label, "Entered: 1 flow"));
    window.key(Key::P);
    assert_eq!(window.pinned(), [FlowId(0)]);
    let before = window.selected();
    window.type_text("]");
    assert_ne!(window.selected(), before);
    window.shows(window.selected());
    press_everything(&mut window);
}

/// A marker in 2,000 flows inside another marker in as many.
fn hub() -> Recording {
    const FLOWS: usize = 2_000;
    let key = |at: usize| format!("flow{at}");
    let fields: Vec<Value> =
        (0..FLOWS).map(|at| json!({"key": key(at), "format": "flow-id", "label": format!("F{at}")})).collect();
    let schema = |name: &str, stack| json!({"name": name, "display": [], "fields": fields, "isStackBased": stack});
    let payload = |kind: &str, prefix: &str| {
        let names = (0..FLOWS).map(|at| (key(at), json!(format!("@{prefix}{at}")))).collect::<Map<_, _>>();
        typed(kind, Value::Object(names))
    };
    let mut rows = vec![
        interval("outer", 1.0, 9.0).with(payload("HubStack", "cause")),
        instant("inner", 2.0).with(payload("Hub", "effect")),
    ];
    let alone = |at: usize| instant("alone", 3.0).with(typed("Hub", json!({"flow7": format!("@effect{at}")})));
    rows.extend((0..FLOWS).map(alone));
    recording_of(vec![rows]).schemas(json!([schema("Hub", false), schema("HubStack", true)]))
}

#[test]
fn a_marker_in_two_thousand_flows_works() {
    let mut window = showing(&hub());
    let (outer, inner) = (MarkerId(0), MarkerId(1));
    assert_eq!(window.graph().flows_of(inner).len(), 2_000);
    window.apply(Command::Reveal(inner));
    assert_eq!(window.all(Role::Button, "Flow menu").len(), 40, "a few flows are listed");
    assert!(window.says("and 1,960 more"), "the rest is counted");
    assert!(window.says("Context, during 1"), "{:#?}", window.texts());
    // The details of a marker with two thousand fields are long, so they are hidden from here on.
    window.shell().state.hidden.details = true;
    window.key(Key::Enter);
    window.wait("the panel", |window| !window.session().flows.is_busy());
    assert_eq!(window.entered().len(), 2_000);
    assert!(
        window.says("2,000 flows entered") && window.has(Role::Label, "Entered: 2,000 flows"),
        "{:#?}",
        window.texts()
    );
    let collapsed = "2,000 flows that begin with inner, collapsed";
    assert!(window.has(Role::DisclosureTriangle, collapsed), "{:#?}", window.texts());
    window.click(Role::DisclosureTriangle, collapsed);
    window.shell().set_panel_sizes(flowline::ui::SavedPanelSizes {
        flows: Some(400.0),
        ..flowline::ui::SavedPanelSizes::default()
    });
    window.settle();
    window.wait("the rows", |window| !window.session().flows.is_busy());
    let rows = window.flow_rows().len();
    assert!((2..60).contains(&rows), "{rows} rows are on screen");
    window.apply(Command::Flow(FlowCommand::Scroll(1e6)));
    window.wait("the last rows", |window| !window.session().flows.is_busy());
    assert!(!window.flow_rows().is_empty() || window.says("flows that begin with"));
    // A few pinned flows suffice.
    for flow in window.graph().flows_of(outer).to_vec().into_iter().take(30) {
        window.apply(Command::Flow(FlowCommand::TogglePin(flow)));
    }
    assert!(window.has(Role::Label, "Pinned: 30 flows"));
    window.apply(Command::Reveal(outer));
    press_everything(&mut window);
}

#[test]
fn damaged_flow_fields_are_listed_and_the_rest_is_shown() {
    let rows = vec![
        point("before", 1.0, "Flow", json!({"flow": "@a"})),
        point("wrong", 2.0, "Two", json!({"flow1": {"id": 1}, "flow2": "@a"})),
        span("only wrong", 3.0, 4.0, "FlowStack", json!({"flow": -1})),
        point("lost", 4.0, "Flow", json!({"flow": 99_999})),
        point("after", 5.0, "Flow", json!({"flow": "@a"})),
        point("nobody's", 6.0, "Flow", Value::Null),
    ];
    let rows = rows.into_iter().filter(|row| row.data.is_object()).collect();
    let mut window = showing(&recording_of(vec![rows]));
    let warnings = window.session().warnings();
    assert!(warnings.list().len() >= 2, "{warnings:?}");
    let notes = format!("{} warnings", warnings.list().len());
    window.press(&notes);
    for warning in warnings.list() {
        assert!(window.says(warning.kind.explain()) && window.says(&warning.first), "{warning:?}");
    }
    assert!(window.says("flow1"), "the warning names the field: {:#?}", window.texts());
    window.key(Key::Escape);
    let members = window.graph().members(FlowId(0)).to_vec();
    assert_eq!(members.len(), 3);
    window.apply(Command::Reveal(members[0]));
    window.key(Key::Enter);
    assert_eq!(window.entered(), [FlowId(0)]);
    for marker in &members[1..] {
        window.type_text("]");
        window.shows(*marker);
    }
    press_everything(&mut window);
}

#[test]
fn a_recording_without_flows_has_no_panel() {
    let mut window = showing(&Recording::of(vec![interval("one", 1.0, 2.0), instant("two", 3.0)]));
    window.key(Key::ArrowRight);
    assert!(window.view().selected.is_some());
    press_everything(&mut window);
    assert!(!window.says("Flow panel") && window.entered().is_empty() && window.pinned().is_empty());
    assert!(window.nodes_with_prefix(Role::DisclosureTriangle, "Flow, ").is_empty());
}
