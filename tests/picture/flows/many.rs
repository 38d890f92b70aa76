//! A flow with a hundred thousand members: few dots are drawn, and none is missing.

use std::sync::Arc;

use flowline::index::{Arrangement, Index};
use flowline::profile::{FlowId, MarkerId};
use flowline::scene::{Batch, FlowInstance, FlowShapeKind, PrimitiveKind};
use flowline::session::Session;
use flowline::view::{Command, FlowCommand};
use serde_json::{Map, Value, json};

use super::{LEFT, columns_of, frame_of, index_of_rows, look_at, ms, only, open, rows_of};
use crate::recording::{self, Recording, Row, instant, interval};
use crate::renderer::Renderer;

const MEMBERS: usize = 100_000;
const WIDTH: u32 = 1000;

/// A time of any magnitude below `2^bits` nanoseconds.
fn any_magnitude(random: &mut fastrand::Rng, bits: u32) -> i64 {
    let bits = random.u32(..bits);
    random.i64(0..1 << bits)
}

/// Bursts and pauses on two threads. Half of the members are instants, the others intervals.
fn threads() -> Vec<Vec<Row>> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut threads = vec![Vec::new(), Vec::new()];
    let mut time = 0;
    for member in 0..MEMBERS {
        time += if member % 1000 == 0 { 1_000_000 } else { any_magnitude(&mut random, 16) };
        let data = json!({"type": "Plain", "flow0": "@id0"});
        let row = if random.bool() {
            instant("post", ms(time))
        } else {
            interval("run", ms(time), ms(time + any_magnitude(&mut random, 18)))
        };
        let category = random.u32(..4);
        threads[member % 2].push(row.with(data).of(category));
    }
    threads
}

#[test]
fn a_hundred_thousand_members_need_few_dots_and_none_is_missing() {
    let index = index_of_rows(threads());
    let flow = FlowId(0);
    let members = index.flows().members(flow);
    assert_eq!(members.len(), MEMBERS);
    let mut renderer = Renderer::new();
    let mut random = fastrand::Rng::with_seed(3);
    let (mut empty, mut started, mut most) = (0, 0, 0.0_f64);
    let whole = index.extent().len();
    for view in 0..40 {
        let scale = [1.0_f32, 1.5, 2.0][view % 3];
        let mut session = open(&index, WIDTH, scale, &[flow], &[flow]);
        // From the whole recording down to a few nanoseconds.
        let length = if view == 0 { whole } else { (whole >> (view / 2)).max(500) };
        let around: MarkerId = members[random.usize(..MEMBERS)];
        let time = session.view.times_of(around).expect("a marker").start;
        if view > 0 {
            look_at(&mut session, time, length, 0.5);
        }
        session.refresh_and_wait();
        let frame = frame_of(&session);
        let is_dot = |kind: u32| kind == FlowShapeKind::Dot as u32;
        for row in 0..2 {
            let dots = frame
                .instances
                .flows
                .iter()
                .filter(|shape| is_dot(shape.kind()) && shape.row() == frame_row(&frame, row));
            let dots = dots.count() as f64 / f64::from(WIDTH);
            most = most.max(dots);
            assert!(dots <= 2.0, "{dots} dots per pixel column, view {view}");
        }

        let mut starts = vec![false; WIDTH as usize];
        for member in members {
            let column = usize::try_from(columns_of(&session, *member).0).unwrap_or(usize::MAX);
            if let Some(start) = starts.get_mut(column) {
                *start = true;
            }
        }
        let is_panel = |batch: &Batch| matches!(batch.primitive, PrimitiveKind::Rect | PrimitiveKind::FlowShape);
        let with = renderer.draw(&only(&frame, is_panel, |_| true));
        let without = renderer.draw(&only(&frame, is_panel, |shape| !is_dot(shape.kind())));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few pixels")]
        let radius = (3.5 * scale + 0.5).ceil() as usize - 1;
        for row in rows_of(&session) {
            let y = row.line();
            for (column, x) in (LEFT..LEFT + WIDTH).enumerate() {
                let lit = with.pixel(x, y) != without.pixel(x, y);
                assert!(lit || !starts[column], "a member starts in column {column}, view {view}: no dot");
                let near = column.saturating_sub(radius)..=(column + radius).min(WIDTH as usize - 1);
                // Starts beyond the edges of the view are ignored.
                let inside = column >= radius && column + radius < WIDTH as usize;
                assert!(!lit || !inside || starts[near].contains(&true), "no member near column {column}, view {view}");
                (started, empty) = (started + usize::from(starts[column]), empty + usize::from(!lit));
            }
        }
    }
    assert!(started > 10_000 && empty > 10_000, "{started} columns with starts, {empty} without dots");
    assert!(most > 0.5, "some view is full of dots: {most} per column");
}

/// The row number in a frame of the first row in one of the panel's parts. Rows are placed from top to bottom; each has
/// one line.
fn frame_row(frame: &flowline::scene::Frame, part: usize) -> usize {
    let lines: Vec<usize> = frame
        .instances
        .flows
        .iter()
        .filter(|shape| shape.kind() == FlowShapeKind::Line as u32)
        .map(|shape| shape.row())
        .collect();
    lines[part]
}

#[test]
fn a_hundred_thousand_members_have_a_bounded_number_of_connections() {
    let mut rows = threads();
    // A second flow that shares every member.
    for row in rows.iter_mut().flatten() {
        row.data["flow1"] = json!("@id1");
    }
    let index = index_of_rows(rows);
    let mut session = open(&index, WIDTH, 1.0, &[FlowId(0)], &[FlowId(1)]);
    session.apply(Command::Flow(FlowCommand::AllConnections(true)));
    session.apply(Command::Flow(FlowCommand::Path(true)));
    session.refresh_and_wait();
    let frame = frame_of(&session);
    let columns: std::collections::BTreeSet<i64> = frame
        .instances
        .links
        .iter()
        .filter(|link| link.from[0] == link.to[0])
        .map(|link| {
            #[expect(clippy::cast_possible_truncation, reason = "a column")]
            let column = link.from[0] as i64;
            column
        })
        .collect();
    assert!(columns.len() > 100, "{} columns have lines", columns.len());
    // Three rows: two lines per column in each of the panel's parts, plus the path's curves with seams and heads.
    assert!(
        frame.instances.links.len() < 2 * 2 * WIDTH as usize + 4 * 1300,
        "{} connections",
        frame.instances.links.len()
    );
}

/// A marker in two thousand flows, each with one more member.
fn hub() -> Arc<Index> {
    const FLOWS: usize = 2_000;
    let keys: Vec<String> = (0..FLOWS).map(|at| format!("flow{at}")).collect();
    let fields: Vec<Value> = keys.iter().map(|key| json!({"key": key, "format": "flow-id"})).collect();
    let mut payload: Map<String, Value> = keys.iter().map(|key| (key.clone(), json!(format!("@{key}")))).collect();
    payload.insert("type".into(), json!("Hub"));
    let mut rows = vec![interval("hub", 1.0, 2.0).with(Value::Object(payload))];
    rows.extend(keys.iter().map(|key| instant("alone", 3.0).with(json!({"type": "Hub", "flow7": format!("@{key}")}))));
    let schemas = json!([{"name": "Hub", "display": [], "fields": fields}]);
    let profile = recording::read(&Recording::of(rows).schemas(schemas).raw());
    Arc::new(Index::build(Arc::new(profile), Arrangement::ByName))
}

/// All flows of the marker are in one collapsed group, so highlights in that group leave other rows visible.
#[test]
fn a_marker_in_two_thousand_flows_leaves_room_for_pinned_rows() {
    let index = hub();
    let flow = FlowId(5);
    let marker = index.flows().members(flow)[0];
    assert_eq!(index.flows().flows_of(marker).len(), 2_000);
    let mut session = open(&index, WIDTH, 1.0, &[flow], &[FlowId(9)]);
    let lines = |session: &Session| {
        let frame = frame_of(session);
        let pinned = session.canvas.regions.pinned;
        let is_pinned = |shape: &&FlowInstance| frame.rows[shape.row()].y >= pinned.y;
        let shown = frame.instances.flows.iter().filter(|shape| shape.kind() == FlowShapeKind::Line as u32);
        assert!(frame.instances.flows.len() < 100, "{} shapes for four rows", frame.instances.flows.len());
        shown.filter(is_pinned).count()
    };
    assert_eq!(lines(&session), 1);
    session.apply(Command::Select(Some(marker)));
    session.refresh_and_wait();
    assert_eq!(lines(&session), 1, "with the shared marker selected");
}
