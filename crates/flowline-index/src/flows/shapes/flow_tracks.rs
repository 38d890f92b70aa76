//! Flow tracks of the chart: the flows whose rule has a `track`, by process, packed into rows without overlap. A flow
//! is a box for its main interval, with lines for the time before and after it, and with the fade of its rule.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::rule_box::RuleBox;
use super::shape_rows::{ShapeRow, ShapeSpan, TintBuilder, pack};
use crate::Index;
use crate::flows::rules::{FlowPlacement, RuleMatcher};
use crate::rows::{FirstFit, Packed, Style};
use flowline_profile::persist::persist;
use flowline_profile::{Column, FlowId, Kind, ProcessId};

/// A row of a flow track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowTrackRow {
    /// The only row of a collapsed track.
    Summary,
    /// A row of an expanded track.
    Row(usize),
}

/// A kind of shape in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowTrackShapes {
    /// The main intervals.
    Boxes,
    /// The time of each flow before and after its main interval.
    Lines,
    /// The faded parts of boxes; the color byte is the opacity of the background over them.
    Fades,
}

/// The shapes of a row.
#[derive(Clone, Debug, Default)]
struct TrackRow {
    boxes: ShapeRow,
    lines: ShapeRow,
    fades: ShapeRow,
}
persist!(TrackRow { boxes, lines, fades });

impl TrackRow {
    #[inline]
    fn finish(self) -> Self {
        Self { boxes: self.boxes.finish(), lines: self.lines.finish(), fades: self.fades.finish() }
    }

    #[inline]
    fn is_consistent(&self) -> bool {
        [&self.boxes, &self.lines, &self.fades].into_iter().all(ShapeRow::is_consistent)
    }
}

/// A flow to lay out.
struct TrackFlow {
    flow: FlowId,
    placed: FlowPlacement,
}

/// The flows of one track in one process.
#[derive(Clone, Debug)]
pub struct FlowTrack {
    /// Name of the track in the rules.
    pub name: String,
    /// Process of the flows' threads.
    pub process: ProcessId,
    flows: Column<FlowId>,
    rows: Vec<TrackRow>,
    /// All boxes on one row, for a collapsed track.
    summary: ShapeRow,
}
persist!(FlowTrack { name, process, flows, rows, summary });

#[inline]
fn push(row: &mut ShapeRow, packed: Packed, member: u32) {
    row.packed.push(packed);
    row.members.push(member);
}

impl FlowTrack {
    /// Lays out `flows`, which must be ascending (which is start order). Flows of a row do not overlap, lines included.
    fn build(index: &Index, name: String, process: ProcessId, flows: Vec<TrackFlow>) -> Self {
        let clock = index.clock();
        let mut fit = FirstFit::new();
        let mut rows: Vec<TrackRow> = Vec::new();
        let mut boxes: Vec<(Packed, usize)> = Vec::with_capacity(flows.len());
        for (number, flow) in flows.iter().enumerate() {
            let FlowPlacement { color, range, main, .. } = flow.placed;
            let style = Style::new(color);
            let packed = pack(clock, main, style.with_instant(main.is_empty()));
            let row = fit.place(range.start.0, range.end.0);
            if row >= rows.len() {
                rows.resize_with(row + 1, TrackRow::default);
            }
            let (row, member) = (&mut rows[row], u32::try_from(number).unwrap_or(u32::MAX));
            push(&mut row.boxes, packed, member);
            let shape = RuleBox::new(clock, &flow.placed);
            shape.lines().for_each(|line| push(&mut row.lines, line, member));
            shape.fades().for_each(|fade| push(&mut row.fades, fade, member));
            // Tints drop points, so the summary extends a point to one tick.
            let end = packed.end().max(packed.start() + 1);
            boxes.push((Packed::new(packed.start(), end, packed.style()), number));
        }
        boxes.sort_by_key(|(packed, _)| packed.start());
        let mut summary = TintBuilder::default();
        boxes.into_iter().for_each(|(packed, number)| summary.add(packed, number));
        Self {
            name,
            process,
            flows: flows.into_iter().map(|flow| flow.flow).collect(),
            rows: rows.into_iter().map(TrackRow::finish).collect(),
            summary: summary.finish(),
        }
    }

    /// Flows in start order.
    #[must_use]
    #[inline]
    pub fn flows(&self) -> &[FlowId] {
        &self.flows
    }

    /// Number of rows.
    #[must_use]
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// True if all flows are of one kind of work.
    #[must_use]
    pub fn is_of(&self, kind: Kind) -> bool {
        let mut boxes = self.rows.iter().flat_map(|row| row.boxes.packed.iter());
        boxes.all(|packed| packed.style().color() == kind as u8)
    }

    /// Calls `each` for the shapes of a row between two ticks at a resolution of `ticks_per_pixel`. The member of a
    /// span is a position in [`FlowTrack::flows`]. A collapsed track has only boxes.
    pub fn visit(
        &self,
        (row, part): (FlowTrackRow, FlowTrackShapes),
        ticks_per_pixel: f64,
        (from, to): (u64, u64),
        each: impl FnMut(ShapeSpan),
    ) {
        let shapes = match (row, part) {
            (FlowTrackRow::Summary, FlowTrackShapes::Boxes) => Some(&self.summary),
            (FlowTrackRow::Summary, _) => None,
            (FlowTrackRow::Row(row), part) => self.rows.get(row).map(|row| match part {
                FlowTrackShapes::Boxes => &row.boxes,
                FlowTrackShapes::Lines => &row.lines,
                FlowTrackShapes::Fades => &row.fades,
            }),
        };
        if let Some(shapes) = shapes {
            shapes.visit(ticks_per_pixel, from, to, each);
        }
    }
}

/// Flows of a track: process, position of the track in rule order, name of the track, flows.
type Group = (ProcessId, usize, String, Vec<TrackFlow>);

/// Compiled rules and the flow tracks they produce.
#[derive(Clone, Debug, Default)]
pub struct FlowSetup {
    /// Compiled rules.
    pub rules: Arc<RuleMatcher>,
    /// Flow tracks of the chart, by process, then in rule order.
    pub tracks: Vec<FlowTrack>,
    /// Problems in the rules, one sentence each.
    pub messages: Vec<String>,
}

impl FlowSetup {
    /// Combines restored tracks with their rules; `None` if the tracks are inconsistent.
    #[must_use]
    #[inline]
    pub fn restore(rules: RuleMatcher, tracks: Vec<FlowTrack>, messages: Vec<String>) -> Option<Self> {
        let is_consistent =
            |track: &FlowTrack| track.rows.iter().all(TrackRow::is_consistent) && track.summary.is_consistent();
        tracks.iter().all(is_consistent).then(|| Self { rules: Arc::new(rules), tracks, messages })
    }

    /// Applies rules to a recording, in parallel.
    #[must_use]
    pub fn new(index: &Index, rules: RuleMatcher, messages: Vec<String>) -> Self {
        let (profile, graph) = (index.profile(), index.flows());
        let styles = index.source().styles;
        let mut groups: Vec<Group> = Vec::new();
        for (order, (name, flows)) in rules.flows_of_tracks(profile, graph).into_iter().enumerate() {
            let place = |(flow, rule): (FlowId, usize)| {
                let placed = rules.placement(profile, graph, styles, (flow, rule));
                let process = profile.threads.get(placed.thread.index()).map(|thread| thread.process);
                (process, TrackFlow { flow, placed })
            };
            let placed: Vec<_> = flows.into_par_iter().map(place).collect();
            let mut by_process: BTreeMap<ProcessId, Vec<TrackFlow>> = BTreeMap::new();
            for (process, flow) in placed {
                by_process.entry(process.unwrap_or_default()).or_default().push(flow);
            }
            groups.extend(by_process.into_iter().map(|(process, flows)| (process, order, name.clone(), flows)));
        }
        groups.sort_by_key(|(process, order, ..)| (*process, *order));
        let tracks = groups
            .into_par_iter()
            .map(|(process, _, name, flows)| FlowTrack::build(index, name, process, flows))
            .collect();
        Self { rules: Arc::new(rules), tracks, messages }
    }
}
