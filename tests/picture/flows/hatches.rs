//! Waits in flow boxes: a column is hatched exactly if the flow waits there and no member runs.

use std::cell::RefCell;

use flowline::index::flows::SegmentKind;
use flowline::index::{Packed, Style};
use flowline::profile::FlowId;
use flowline::scene::{Batch, FlowShapeKind, PrimitiveKind};
use flowline::session::Session;

use super::{LEFT, example, frame_of, index_of, marks, only, probe, rows_of, session_for};
use crate::random::check;
use crate::renderer::Renderer;
use proptest::prelude::*;

/// True for each column in which a flow waits and no member runs, computed segment by segment.
fn waiting(session: &Session, flow: FlowId, width: u32) -> Vec<bool> {
    let (index, input) = (&session.index, session.scene_input());
    let (map, clock) = (input.axis_map(), index.clock());
    let mut columns = vec![(false, false); width as usize];
    for segment in session.flows.rules.timeline(index.profile(), index.flows(), flow).segments {
        let [start, end] = [segment.range.start, segment.range.end].map(|time| clock.tick(time));
        let (first, end) = map.columns(Packed::new(start, end, Style::default()));
        for column in first.max(0)..end.min(i32::try_from(width).expect("small")) {
            let column = &mut columns[usize::try_from(column).expect("inside")];
            match segment.kind {
                SegmentKind::Run => column.1 = true,
                SegmentKind::Wait => column.0 = true,
                SegmentKind::Idle => {}
            }
        }
    }
    columns.into_iter().map(|(waits, runs)| waits && !runs).collect()
}

/// Columns in which hatches change the image of a row.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
fn check_hatches(renderer: &mut Renderer, session: &Session, width: u32) -> Result<usize, TestCaseError> {
    let frame = frame_of(session);
    let is_panel = |batch: &Batch| matches!(batch.primitive, PrimitiveKind::Rect | PrimitiveKind::FlowShape);
    let with = renderer.draw(&only(&frame, is_panel, |_| true));
    let without = renderer.draw(&only(&frame, is_panel, |shape| shape.kind() != FlowShapeKind::Hatch as u32));
    let mut hatched = 0;
    let scale = session.canvas.scale;
    for row in rows_of(session).iter().filter(|row| row.sees(row.middle(), 9.0 * scale)) {
        let expected = waiting(session, row.flow, width);
        let (top, bottom) = (row.top as u32, row.bottom as u32);
        for (column, expected) in (LEFT..LEFT + width).zip(expected) {
            let is_lit = (top..bottom).any(|y| with.pixel(column, y) != without.pixel(column, y));
            prop_assert_eq!(is_lit, expected, "column {} of {:?}", column - LEFT, row);
            hatched += usize::from(is_lit);
        }
    }
    Ok(hatched)
}

#[test]
fn exactly_the_columns_with_waits_are_hatched() {
    let renderer = RefCell::new(Renderer::new());
    let hatched = RefCell::new(0_usize);
    check(60, (marks(), probe()), |(marks, probe)| {
        let index = index_of(&marks);
        let Some((session, _)) = session_for(&index, &probe) else { return Ok(()) };
        *hatched.borrow_mut() += check_hatches(&mut renderer.borrow_mut(), &session, probe.width)?;
        Ok(())
    });
    let example = example();
    check(20, probe(), |probe| {
        let (session, _) = session_for(&example, &probe).expect("flows");
        *hatched.borrow_mut() += check_hatches(&mut renderer.borrow_mut(), &session, probe.width)?;
        Ok(())
    });
    assert!(hatched.into_inner() > 10_000, "waits were drawn");
}
