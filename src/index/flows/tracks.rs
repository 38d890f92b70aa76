//! Flow tracks of the chart: the flows to which a rule gives a track, by process, packed onto rows without overlap.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::appearance::RuleMatcher;
use super::shape::pack;
use super::shape_rows::{ShapeRow, ShapeSpan, TintBuilder};
use crate::index::Index;
use crate::index::first_fit::FirstFit;
use crate::index::span::{Packed, Style};
use crate::profile::persist::persist;
use crate::profile::{Column, FlowId, ProcessId};

/// Which row of a flow track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowTrackRow {
    /// The only row of a collapsed track.
    Summary,
    /// A row of an expanded track.
    Row(usize),
}

/// Flows of one kind in one process.
#[derive(Clone, Debug)]
pub struct FlowTrack {
    /// Its name in the rule.
    pub name: String,
    /// The process of its flows' threads.
    pub process: ProcessId,
    flows: Column<FlowId>,
    rows: Vec<ShapeRow>,
    /// All flows on one row, for a collapsed track.
    summary: ShapeRow,
}
persist!(FlowTrack { name, process, flows, rows, summary });

impl FlowTrack {
    /// Lays flows out; `flows` ascend, which is start order.
    fn build(index: &Index, name: String, process: ProcessId, flows: Vec<(FlowId, u8)>) -> Self {
        let (profile, graph, clock) = (index.profile(), index.flows(), index.clock());
        let mut fit = FirstFit::new();
        let mut rows: Vec<ShapeRow> = Vec::new();
        let mut summary = TintBuilder::default();
        for (number, (flow, color)) in flows.iter().enumerate() {
            let range = graph.range(profile, *flow);
            let packed = pack(clock, range, Style::new(*color).with_instant(range.is_empty()));
            let row = fit.place(range.start.0, range.end.0);
            if row >= rows.len() {
                rows.resize_with(row + 1, ShapeRow::default);
            }
            rows[row].packed.push(packed);
            rows[row].members.push(u32::try_from(number).unwrap_or(u32::MAX));
            // Tints drop points, so a point lasts a tick in the summary.
            let end = packed.end().max(packed.start() + 1);
            summary.add(Packed::new(packed.start(), end, packed.style()), number);
        }
        Self {
            name,
            process,
            flows: flows.into_iter().map(|(flow, _)| flow).collect(),
            rows: rows.into_iter().map(ShapeRow::finish).collect(),
            summary: summary.finish(),
        }
    }

    /// Its flows in start order.
    #[must_use]
    pub fn flows(&self) -> &[FlowId] {
        &self.flows
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Calls `each` for the flows of a row between two ticks when a pixel lasts `ticks_per_pixel`; the member of a span is a
    /// position in [`FlowTrack::flows`].
    pub fn visit(&self, row: FlowTrackRow, ticks_per_pixel: f64, from: u64, to: u64, each: impl FnMut(ShapeSpan)) {
        let shapes = match row {
            FlowTrackRow::Summary => Some(&self.summary),
            FlowTrackRow::Row(row) => self.rows.get(row),
        };
        if let Some(shapes) = shapes {
            shapes.visit(ticks_per_pixel, from, to, each);
        }
    }
}

/// Flows of a track with their colours: their process, the order of the rule, the name of the track.
type Group = (ProcessId, usize, String, Vec<(FlowId, u8)>);

/// Compiled rules and the flow tracks they produce.
#[derive(Clone, Debug, Default)]
pub struct FlowSetup {
    /// How flows are shown.
    pub rules: Arc<RuleMatcher>,
    /// Flows that are tracks of the chart, by process, then in the order of the rules.
    pub tracks: Vec<FlowTrack>,
    /// Mistakes in the rules, one sentence each.
    pub messages: Vec<String>,
}

impl FlowSetup {
    /// Puts restored tracks together with their rules; `None` if the tracks are inconsistent.
    #[must_use]
    pub fn restore(rules: RuleMatcher, tracks: Vec<FlowTrack>, messages: Vec<String>) -> Option<Self> {
        let is_consistent = |track: &FlowTrack| track.rows.iter().chain([&track.summary]).all(ShapeRow::is_consistent);
        tracks.iter().all(is_consistent).then(|| Self { rules: Arc::new(rules), tracks, messages })
    }

    /// Applies rules to a recording, in parallel.
    #[must_use]
    pub fn new(index: &Index, rules: RuleMatcher, messages: Vec<String>) -> Self {
        let (profile, graph) = (index.profile(), index.flows());
        let styles = index.source().styles;
        let mut groups: Vec<Group> = Vec::new();
        for (order, (name, flows)) in rules.flows_of_tracks(profile, graph).into_iter().enumerate() {
            let place = |flow: FlowId| {
                let appearance = rules.appearance(profile, graph, styles, flow);
                (profile.threads.get(appearance.thread.index()).map(|thread| thread.process), (flow, appearance.color))
            };
            let placed: Vec<_> = flows.into_par_iter().map(place).collect();
            let mut by_process: BTreeMap<ProcessId, Vec<(FlowId, u8)>> = BTreeMap::new();
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
