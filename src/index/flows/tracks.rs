//! Flows as tracks of the chart: those of which a rule says so, by process, packed onto rows that do not overlap.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::items::{Items, ShapeSpan, Tinter};
use super::look::RuleBook;
use super::shape::pack;
use crate::index::Index;
use crate::index::first_fit::FirstFit;
use crate::index::span::{Packed, Style};
use crate::profile::persist::persist;
use crate::profile::{Column, FlowId, ProcessId};

/// Flows of one kind in one process.
#[derive(Clone, Debug)]
pub struct FlowTrack {
    /// What the rule calls it.
    pub name: String,
    /// The process of the threads that its flows belong to.
    pub process: ProcessId,
    flows: Column<FlowId>,
    rows: Vec<Items>,
    /// All of it on one row, for a track that is folded.
    summary: Items,
}
persist!(FlowTrack { name, process, flows, rows, summary });

impl FlowTrack {
    /// Lays flows out; `flows` ascend, which is start order.
    fn build(index: &Index, name: String, process: ProcessId, flows: Vec<(FlowId, u8)>) -> Self {
        let (profile, graph, clock) = (index.profile(), index.flows(), index.clock());
        let mut fit = FirstFit::new();
        let mut rows: Vec<Items> = Vec::new();
        let mut summary = Tinter::default();
        for (number, (flow, color)) in flows.iter().enumerate() {
            let range = graph.range(profile, *flow);
            let packed = pack(clock, range, Style::new(*color, range.is_empty(), false));
            let row = fit.place(range.start.0, range.end.0);
            if row >= rows.len() {
                rows.resize_with(row + 1, Items::default);
            }
            rows[row].packed.push(packed);
            rows[row].members.push(u32::try_from(number).unwrap_or(u32::MAX));
            // A point would vanish among tints; in the summary it lasts a tick.
            let end = packed.end().max(packed.start() + 1);
            summary.add(Packed::new(packed.start(), end, packed.style()), number);
        }
        Self {
            name,
            process,
            flows: flows.into_iter().map(|(flow, _)| flow).collect(),
            rows: rows.into_iter().map(Items::finish).collect(),
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

    /// The flows of a row (of the summary for `None`) between two ticks when a pixel lasts `ticks_per_pixel`; the member of
    /// a span is a position in [`FlowTrack::flows`].
    pub fn visit(&self, row: Option<usize>, ticks_per_pixel: f64, from: u64, to: u64, each: impl FnMut(ShapeSpan)) {
        let items = row.map_or(Some(&self.summary), |row| self.rows.get(row));
        if let Some(items) = items {
            items.visit(ticks_per_pixel, from, to, each);
        }
    }
}

/// Flows of a track with their colours: their process, the order of the rule, the name of the track.
type Group = (ProcessId, usize, String, Vec<(FlowId, u8)>);

/// Rules prepared for a recording, and what they make of it.
#[derive(Clone, Debug, Default)]
pub struct FlowSetup {
    /// How flows are shown.
    pub rules: Arc<RuleBook>,
    /// Flows that are tracks of the chart, by process, then in the order of the rules.
    pub tracks: Vec<FlowTrack>,
    /// What was wrong with the rules, in sentences.
    pub messages: Vec<String>,
}

impl FlowSetup {
    /// What rules made of a recording before.
    ///
    /// `None` if the tracks do not fit together.
    #[must_use]
    pub fn restore(rules: RuleBook, tracks: Vec<FlowTrack>, messages: Vec<String>) -> Option<Self> {
        let whole = |track: &FlowTrack| track.rows.iter().chain([&track.summary]).all(Items::is_whole);
        tracks.iter().all(whole).then(|| Self { rules: Arc::new(rules), tracks, messages })
    }

    /// Applies rules to a recording, in parallel.
    #[must_use]
    pub fn new(index: &Index, rules: RuleBook, messages: Vec<String>) -> Self {
        let (profile, graph) = (index.profile(), index.flows());
        let styles = index.source().styles;
        let mut groups: Vec<Group> = Vec::new();
        for (order, (name, flows)) in rules.flows_of_tracks(profile, graph).into_iter().enumerate() {
            let place = |flow: FlowId| {
                let look = rules.look(profile, graph, styles, flow);
                (profile.threads.get(look.thread.index()).map(|thread| thread.process), (flow, look.color))
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
