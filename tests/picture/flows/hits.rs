//! The pointer hits the shape that is drawn at its position in the panel.

use std::cell::RefCell;

use flowline::profile::{FlowId, MarkerId};
use flowline::scene::{FlowHit, FlowInstance, FlowShapeKind, FlowTarget, Frame, flow_hit};
use flowline::session::Session;
use flowline::view::Command;
use proptest::prelude::*;

use super::{
    DrawnFlow, LEFT, columns_of, example, frame_of, index_of, look_at, marks, open, probe, rows_of, session_for,
};
use crate::random::check;

fn hit_at(session: &Session, x: f32, y: f32) -> Option<FlowHit> {
    flow_hit(&session.scene_input(), x, y)
}

fn in_row(session: &Session, row: &DrawnFlow, x: f32, y: f32) -> Result<FlowTarget, TestCaseError> {
    match hit_at(session, x, y) {
        Some(FlowHit::Flow { flow, target }) if flow == row.flow => Ok(target),
        other => Err(TestCaseError::fail(format!("{other:?} at {x}, {y} of {row:?}"))),
    }
}

/// Shapes of one kind on a row of the panel, in drawing order.
fn drawn(frame: &Frame, row: &DrawnFlow, kind: FlowShapeKind) -> Vec<FlowInstance> {
    let on_row = |shape: &FlowInstance| frame.rows[shape.row()].y == row.top;
    frame.instances.flows.iter().filter(|shape| shape.kind() == kind as u32 && on_row(shape)).copied().collect()
}

#[derive(Debug, Default)]
struct Seen {
    dots: usize,
    merged: usize,
    intervals: usize,
    boxes: usize,
    beside: usize,
}

/// The center of each dot hits that dot, unless a later dot covers it.
fn check_dots(session: &Session, frame: &Frame, row: &DrawnFlow, seen: &mut Seen) -> Result<(), TestCaseError> {
    let (graph, clock) = (session.index.flows(), session.index.clock());
    let start = |marker: MarkerId| clock.tick(session.view.times_of(marker).expect("a marker").start);
    let dots = drawn(frame, row, FlowShapeKind::Dot);
    for (at, dot) in dots.iter().enumerate() {
        let (first, end) = frame.axis.columns(dot.packed());
        let centre = (first + end - 1).div_euclid(2);
        if centre < 0 || centre as f32 >= frame.axis.width {
            continue;
        }
        let covers = |other: &FlowInstance| {
            let (first, end) = frame.axis.columns(other.packed());
            (first..end).contains(&centre)
        };
        if dots[at + 1..].iter().any(covers) {
            continue;
        }
        let target = in_row(session, row, LEFT as f32 + centre as f32 + 0.5, row.middle())?;
        let FlowTarget::Dot { marker, count } = target else {
            return Err(TestCaseError::fail(format!(
                "{target:?} in the center of a dot in column {centre} of {row:?}"
            )));
        };
        let range = dot.packed().start()..=dot.packed().end();
        let members: Vec<MarkerId> =
            graph.members(row.flow).iter().copied().filter(|member| range.contains(&start(*member))).collect();
        if dot.packed().style().is_merged() {
            prop_assert_eq!((marker, count as usize), (members[0], members.len()), "the first merged dot");
            seen.merged += 1;
        } else {
            prop_assert!(members.contains(&marker) && count == 1, "{:?} of {:?}", target, members);
        }
        seen.dots += 1;
    }
    Ok(())
}

/// Checks every column of a row above its dots: intervals, the box, and the area beside it.
fn check_row(session: &Session, row: &DrawnFlow, seen: &mut Seen) -> Result<(), TestCaseError> {
    let graph = session.index.flows();
    let profile = session.index.profile();
    let clock = session.index.clock();
    let map = session.scene_input().axis_map();
    let times = |marker: MarkerId| session.view.times_of(marker).expect("a marker");
    let lasting: Vec<(MarkerId, (i32, i32))> = graph
        .members(row.flow)
        .iter()
        .filter(|member| clock.tick(times(**member).end) > clock.tick(times(**member).start))
        .map(|member| (*member, columns_of(session, *member)))
        .collect();
    // Synthetic flows have no rule, so the box covers the entire flow.
    let range = graph.range(profile, row.flow);
    let packed =
        flowline::index::Packed::new(clock.tick(range.start), clock.tick(range.end), flowline::index::Style::default());
    let (first, end) = map.columns(packed);
    let pad = 6.0 * session.canvas.scale;
    let y = row.top + 1.5;
    #[expect(clippy::cast_possible_truncation, reason = "a width")]
    for column in 0..map.width as i32 {
        let x = column as f32 + 0.5;
        let target = in_row(session, row, LEFT as f32 + x, y)?;
        let covers = |(_, (first, end)): &(MarkerId, (i32, i32))| (*first..*end).contains(&column);
        if lasting.iter().any(covers) {
            let FlowTarget::Interval(marker) = target else {
                return Err(TestCaseError::fail(format!("{target:?} in column {column} of {row:?}")));
            };
            let of_marker = lasting.iter().find(|(member, _)| *member == marker).map(|(_, columns)| *columns);
            let (first, end) = of_marker.ok_or_else(|| TestCaseError::fail("an interval of another flow"))?;
            // The longest of several intervals in a pixel is hit.
            prop_assert!((first - 2..end + 2).contains(&column), "{:?} in column {}", of_marker, column);
            seen.intervals += 1;
        } else if x >= first as f32 - pad && x < end as f32 + pad {
            prop_assert_eq!(target, FlowTarget::Box, "column {} of {:?}", column, row);
            seen.boxes += 1;
        } else {
            prop_assert_eq!(target, FlowTarget::Row, "column {} of {:?}", column, row);
            seen.beside += 1;
        }
    }
    // The area above and below the box belongs to the row.
    let above = in_row(session, row, LEFT as f32 + 5.5, row.top - 2.0)?;
    prop_assert_eq!(above, FlowTarget::Row);
    Ok(())
}

#[test]
fn the_pointer_hits_the_drawn_shape() {
    let seen = RefCell::new(Seen::default());
    check(300, (marks(), probe()), |(marks, probe)| {
        let index = index_of(&marks);
        let Some((session, _)) = session_for(&index, &probe) else { return Ok(()) };
        let frame = frame_of(&session);
        for row in rows_of(&session).iter().filter(|row| row.sees(row.middle(), 12.0 * probe.scale)) {
            check_dots(&session, &frame, row, &mut seen.borrow_mut())?;
            check_row(&session, row, &mut seen.borrow_mut())?;
        }
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen.dots > 1000 && seen.intervals > 1000 && seen.boxes > 1000 && seen.beside > 1000, "{seen:?}");
}

/// The example's longest flow has so many members that dots are merged.
#[test]
fn merged_dots_report_the_first_marker_and_a_count() {
    let index = example();
    let longest = index.flows().iter().max_by_key(|flow| index.flows().members(*flow).len()).expect("flows");
    let seen = RefCell::new(Seen::default());
    check(150, (0.3..1.0, any::<prop::sample::Index>(), 0.0..1.0), |(zoom, member, place)| {
        let mut session = open(&index, 517, 1.0, &[longest], &[longest]);
        let members = index.flows().members(longest);
        let time = session.view.times_of(members[member.index(members.len())]).expect("a marker").start;
        #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
        look_at(&mut session, time, (index.extent().len() as f64).powf(zoom) as i64, place);
        session.refresh_and_wait();
        let frame = frame_of(&session);
        for row in rows_of(&session).iter().filter(|row| row.sees(row.middle(), 12.0) && row.flow == longest) {
            check_dots(&session, &frame, row, &mut seen.borrow_mut())?;
        }
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen.dots > 300 && seen.merged > 60, "{seen:?}");
}

#[test]
fn margins_of_rows_hit_the_row_and_the_outside_hits_nothing() {
    let marks = vec![vec![super::Mark { start: 0, length: 1000, kind: 0, ids: 1 }]];
    let index = index_of(&marks);
    let mut session = open(&index, 300, 1.0, &[FlowId(0)], &[FlowId(0)]);
    let start = index.extent().start;
    look_at(&mut session, start, 1000, 0.0);
    session.refresh_and_wait();
    let (flows, pinned) = (session.canvas.regions.flows, session.canvas.regions.pinned);
    let x = LEFT as f32 + 150.0;
    assert_eq!(hit_at(&session, x, flows.bottom() - 2.0), None, "below the rows");
    assert_eq!(hit_at(&session, x, flows.y - 2.0), None, "above the panel");
    assert_eq!(hit_at(&session, LEFT as f32 - 2.0, flows.y + 8.0), None, "the labels");
    let row = |y: f32| match hit_at(&session, x, y) {
        Some(FlowHit::Flow { flow, target }) => Some((flow, target)),
        _ => None,
    };
    let member = index.flows().members(FlowId(0))[0];
    for top in [flows.y, pinned.y] {
        assert_eq!(row(top + 2.0), Some((FlowId(0), FlowTarget::Row)), "the margin above the bar");
        assert_eq!(row(top + 8.0), Some((FlowId(0), FlowTarget::Interval(member))));
        assert_eq!(row(top + 24.0), Some((FlowId(0), FlowTarget::Row)), "the margin below the bar");
    }
    session.apply(Command::Flow(flowline::view::FlowCommand::UnpinAll));
    session.apply(Command::Flow(flowline::view::FlowCommand::Leave));
    session.refresh_and_wait();
    assert_eq!(hit_at(&session, x, flows.y + 8.0), None, "a closed panel");
}
