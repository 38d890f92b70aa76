//! `flow` and `flow_member`: arrows and slices of flows.

use std::ops::Range;

use flowline_profile::{FlowId, MarkerId};

use super::bounds::Bounds;
use super::builders::{Cell, Columns};
use super::listed::Lists;
use crate::recording::Recording;
use crate::schema::{FLOW, FLOW_MEMBER, TableSpec};

/// The slices of flows.
#[derive(Debug)]
pub(crate) struct FlowMembers;

/// The arrows of flows: as recorded, or else from each slice to the next one.
#[derive(Debug)]
pub(crate) struct FlowArrows;

fn flow(list: usize) -> FlowId {
    FlowId::new(list)
}

/// All rows, or none if the flow is outside the bounds.
fn of_flow(list: usize, length: usize, bounds: &Bounds) -> Range<usize> {
    let (low, high) = bounds.get("flow_id");
    if (low..=high).contains(&i64::from(flow(list).0)) { 0..length } else { 0..0 }
}

impl Lists for FlowMembers {
    const SPEC: &'static TableSpec = FLOW_MEMBER;

    fn lengths(recording: &Recording) -> Vec<usize> {
        let flows = recording.index().flows();
        flows.iter().map(|flow| flows.members(flow).len()).collect()
    }

    fn part(_: &Recording, list: usize, length: usize, bounds: &Bounds) -> Range<usize> {
        of_flow(list, length, bounds)
    }

    fn push(recording: &Recording, list: usize, rows: &mut dyn Iterator<Item = usize>, to: &mut Columns) {
        let members = recording.index().flows().members(flow(list));
        for row in rows {
            let step = i64::try_from(row).unwrap_or(i64::MAX);
            to.push(&[recording.id().into(), Cell::number(flow(list).0), Cell::number(members[row].0), step.into()]);
        }
    }
}

/// The arrows of a flow, in order.
pub(crate) fn arrows(recording: &Recording, flow: FlowId) -> Vec<(MarkerId, MarkerId)> {
    let flows = recording.index().flows();
    let steps = flows.steps(recording.profile(), flow);
    if steps.is_empty() {
        let members = flows.members(flow);
        return members.windows(2).map(|pair| (pair[0], pair[1])).collect();
    }
    steps.arrows().map(|(from, to)| (from.marker, to.marker)).collect()
}

impl Lists for FlowArrows {
    const SPEC: &'static TableSpec = FLOW;

    fn lengths(recording: &Recording) -> Vec<usize> {
        recording.index().flows().iter().map(|flow| arrows(recording, flow).len()).collect()
    }

    fn part(_: &Recording, list: usize, length: usize, bounds: &Bounds) -> Range<usize> {
        of_flow(list, length, bounds)
    }

    fn push(recording: &Recording, list: usize, rows: &mut dyn Iterator<Item = usize>, to: &mut Columns) {
        let arrows = arrows(recording, flow(list));
        for row in rows {
            let (from, into) = arrows[row];
            to.push(&[recording.id().into(), Cell::number(flow(list).0), Cell::number(from.0), Cell::number(into.0)]);
        }
    }
}
