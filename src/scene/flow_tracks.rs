//! Flows as tracks of the chart: rectangles with labels on rows of their own, drawn and hit like markers.

use std::collections::HashMap;
use std::sync::Arc;

use super::chart::row_place;
use super::frame::Frame;
use super::labels::{least_ticks, may_carry, push_label};
use super::primitives::{Emphasis, MAX_ROWS, MarkerInstance};
use super::track_list::ItemKind;
use super::{Item, SceneInput};
use crate::index::Packed;
use crate::index::flows::{FlowTrack, FlowTrackRow};
use crate::profile::FlowId;

/// Labels already made.
#[derive(Debug, Default)]
pub(super) struct FlowLabels(HashMap<FlowId, Arc<str>>);

/// The cache is emptied when it holds this many labels.
const CACHE_LIMIT: usize = 10_000;

impl FlowLabels {
    fn get(&mut self, input: &SceneInput<'_>, flow: FlowId) -> Arc<str> {
        if self.0.len() > CACHE_LIMIT {
            self.0.clear();
        }
        let make = || {
            let index = input.index;
            Arc::from(input.setup.rules.appearance(index.profile(), index.flows(), index.source().styles, flow).label)
        };
        Arc::clone(self.0.entry(flow).or_insert_with(make))
    }
}

/// The row of a flow track that an item shows.
fn row_of<'a>(input: &SceneInput<'a>, item: &Item) -> Option<(&'a FlowTrack, FlowTrackRow)> {
    match item.kind {
        ItemKind::FlowTrack { track, expanded: false } => {
            Some((input.setup.tracks.get(track as usize)?, FlowTrackRow::Summary))
        }
        ItemKind::FlowRow { track, row } => {
            Some((input.setup.tracks.get(track as usize)?, FlowTrackRow::Row(row as usize)))
        }
        _ => None,
    }
}

/// Draws the tracks on screen.
pub(super) fn build(input: &SceneInput<'_>, frame: &mut Frame, labels: &mut FlowLabels) {
    let chart = input.regions.chart;
    let (from, to) = frame.axis.ticks(0.0, f64::from(chart.width));
    let ticks_per_pixel = frame.axis.ticks_per_pixel();
    let least = least_ticks(input, frame);
    let start = frame.count::<MarkerInstance>();
    let mut found: Vec<(usize, FlowId, Packed)> = Vec::new();
    for item in input.visible_items() {
        let Some((track, row)) = row_of(input, item) else { continue };
        let slot = frame.rows.len();
        if slot >= MAX_ROWS {
            break;
        }
        frame.rows.push(row_place(input, item));
        track.visit(row, ticks_per_pixel, from, to, |span| {
            let flow = track.flows()[span.member];
            let emphasis = emphasis(input, flow);
            frame.instances.markers.push(MarkerInstance::new(span.packed, slot, emphasis));
            if may_carry(span.packed, least) {
                found.push((slot, flow, span.packed));
            }
        });
    }
    frame.draw_since::<MarkerInstance>(chart, start);
    for (slot, flow, packed) in found {
        push_label(input, frame, slot, packed, || labels.get(input, flow));
    }
}

fn emphasis(input: &SceneInput<'_>, flow: FlowId) -> Emphasis {
    let view = &input.view.flows;
    if view.entered.contains(&flow) {
        Emphasis::Selected
    } else if view.hovered == Some(flow) {
        Emphasis::Hovered
    } else {
        Emphasis::Normal
    }
}

/// The flow drawn at a point of the chart, if a track of flows is there.
#[must_use]
pub fn flow_track_hit(input: &SceneInput<'_>, x: f32, y: f32) -> Option<FlowId> {
    let chart = input.regions.chart;
    if !chart.contains(x, y) {
        return None;
    }
    let at = input.view.scroll + f64::from((y - chart.y) / input.scale);
    let (track, row) = row_of(input, input.list.at(at)?)?;
    let map = input.axis_map();
    let along = x - chart.x;
    let (from, to) = map.ticks(f64::from(along) - 3.0, f64::from(along) + 3.0);
    let mut best: Option<(f32, FlowId)> = None;
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    track.visit(row, map.ticks_per_pixel(), from, to, |span| {
        let (first, end) = map.columns(span.packed);
        let distance = (first as f32 - along).max(along - end as f32).max(0.0);
        if distance <= 3.0 * input.scale && best.is_none_or(|(least, _)| distance <= least) {
            best = Some((distance, track.flows()[span.member]));
        }
    });
    best.map(|(_, flow)| flow)
}
