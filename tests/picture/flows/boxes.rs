//! Boxes of flow rules: flow panel and flow lanes draw the same parts.

use std::path::PathBuf;
use std::sync::Arc;

use flowline::index::flows::{FlowRules, FlowSetup, RuleMatcher};
use flowline::index::{Index, color_index};
use flowline::profile::{FlowId, Ns};
use flowline::scene::{Emphasis, FlowShapeKind, Frame, Layer};
use flowline::session::Session;
use flowline::view::{Command, FlowCommand, FlowLaneCommand};
use serde_json::{Value, json};

use super::{frame_of, index_of_rows, opened};
use crate::recording::{instant, interval};

/// A flow from 0 to 20 ms: it is announced at 0, runs from 4 to 12 and from 13 to 16 ms, and is cleaned up at 20 ms.
fn index() -> Arc<Index> {
    let flow = json!({"type": "Plain", "flow0": "@id0"});
    let rows = vec![
        instant("announce", 0.0).with(flow.clone()),
        interval("run", 4.0, 12.0).with(flow.clone()),
        interval("answer", 13.0, 16.0).with(flow.clone()),
        instant("clean", 20.0).with(flow),
    ];
    index_of_rows(vec![rows])
}

fn session(index: &Arc<Index>, rule: &Value, entered: &[FlowId]) -> Session {
    let (rules, messages) = FlowRules::parse(&json!({"rules": [rule]}).to_string());
    assert!(messages.is_empty(), "{messages:?}");
    let setup = Arc::new(FlowSetup::new(index, RuleMatcher::new(rules, index.profile()), Vec::new()));
    let session = Session::with_setup(PathBuf::new(), Arc::clone(index), setup, Arc::new(|| {}));
    opened(session, 400, 1.0, entered, &[])
}

/// Kind, start and end in milliseconds, and color of the parts of boxes in a frame; the color of a fade is its opacity.
fn parts(index: &Index, frame: &Frame) -> Vec<(u32, i64, i64, u8)> {
    let wanted = [FlowShapeKind::Line, FlowShapeKind::Box, FlowShapeKind::Fade].map(|kind| kind as u32);
    let shapes = frame.batches.iter().filter(|batch| batch.layer != Layer::FlowTracks);
    let shapes = shapes.filter(|batch| batch.primitive == flowline::scene::PrimitiveKind::FlowShape);
    let shapes = shapes.flat_map(|batch| &frame.instances.flows[batch.range.start as usize..batch.range.end as usize]);
    let (clock, origin) = (index.clock(), index.extent().start);
    let at = |tick: u64| {
        let Ns(since) = clock.time(tick) - origin;
        // Ticks may be longer than a nanosecond.
        (since + 500_000) / 1_000_000
    };
    let part = |shape: &flowline::scene::FlowInstance| {
        let style = shape.packed().style();
        let color = if shape.kind() == FlowShapeKind::Fade as u32 { style.opacity() } else { style.color() };
        (shape.kind(), at(shape.packed().start()), at(shape.packed().end()), color)
    };
    shapes.filter(|shape| wanted.contains(&shape.kind())).map(part).collect()
}

#[test]
fn panel_and_lanes_draw_the_same_box_with_lines_and_fade() {
    let index = index();
    let rule = json!({
        "name": "test", "when": {"first": "announce"}, "before": "announce", "after": "clean", "tint": "red",
        "fade": {"from": "answer", "opacity": 0.4}
    });
    let red = color_index("red");
    let [line, boxed, fade] = [FlowShapeKind::Line, FlowShapeKind::Box, FlowShapeKind::Fade].map(|kind| kind as u32);
    let expected = [(line, 0, 4, red), (line, 16, 20, red), (boxed, 4, 16, red), (fade, 13, 16, 153)];
    let mut session = session(&index, &rule, &[FlowId(0)]);
    assert_eq!(parts(&index, &frame_of(&session)), expected, "in the panel");
    session.apply(Command::Flow(FlowCommand::Leave));
    session.apply(Command::FlowLane(FlowLaneCommand::Show(true)));
    session.refresh_and_wait();
    assert_eq!(parts(&index, &frame_of(&session)), expected, "on a lane");
}

#[test]
fn a_flow_without_a_rule_is_a_line_without_a_box() {
    let index = index();
    let rule = json!({"name": "other", "when": {"first": "run"}, "tint": "red"});
    let mut session = session(&index, &rule, &[FlowId(0)]);
    let found = parts(&index, &frame_of(&session));
    assert_eq!(
        found.iter().map(|part| (part.0, part.1, part.2)).collect::<Vec<_>>(),
        [(FlowShapeKind::Line as u32, 0, 20)]
    );
    session.apply(Command::Flow(FlowCommand::Leave));
    session.apply(Command::FlowLane(FlowLaneCommand::Show(true)));
    session.refresh_and_wait();
    assert_eq!(parts(&index, &frame_of(&session)), []);
}

/// Intervals in other rows that caused a marker of an entered flow, or that it caused, are lit; with the pointer over a row,
/// so are those of its flow.
#[test]
fn intervals_associated_with_the_entered_and_the_hovered_flow_are_lit() {
    let stack = |name: &str, from: f64, to: f64, id: &str| {
        interval(name, from, to).with(json!({"type": "Stack", "flow0": format!("@{id}")}))
    };
    let rows = vec![stack("outer", 0.0, 20.0, "a"), stack("middle", 4.0, 16.0, "b"), stack("inner", 8.0, 12.0, "c")];
    let index = index_of_rows(vec![rows]);
    let rule = json!({"name": "other", "when": {"first": "none"}, "tint": "red"});
    let mut session = session(&index, &rule, &[FlowId(1)]);
    let lit = |session: &Session| -> Vec<u64> {
        let frame = frame_of(session);
        let is_lit = |shape: &&flowline::scene::FlowInstance| {
            shape.kind() == FlowShapeKind::Tint as u32 && shape.emphasis() == Emphasis::Linked as u32
        };
        let mut ends: Vec<u64> =
            frame.instances.flows.iter().filter(is_lit).map(|shape| shape.packed().end()).collect();
        ends.sort_unstable();
        ends
    };
    let tick = |at: i64| index.clock().tick(index.extent().start + Ns(at * 1_000_000));
    assert_eq!(lit(&session), [tick(12), tick(20)], "the child and the parent");
    session.apply(Command::Flow(FlowCommand::Hover(Some(FlowId(0)))));
    session.refresh_and_wait();
    assert_eq!(lit(&session), [tick(12), tick(16), tick(20)], "also the child of the flow under the pointer");
    session.apply(Command::Flow(FlowCommand::Leave));
    session.apply(Command::Flow(FlowCommand::Hover(None)));
    session.refresh_and_wait();
    assert_eq!(lit(&session), [0_u64; 0]);
}
