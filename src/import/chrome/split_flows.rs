//! Splits the steps of each identity into flows, in the order of (time, start before step before target, file).
//!
//! The steps have been distributed (`step_pieces`), so each piece is sorted on its own, and nearly all of it stays in a core's
//! cache.

use rayon::prelude::*;

use super::flow_steps::{Role, Step};
use super::ids::{NONE, TextId};
use super::step_pieces::StepPieces;
use super::trace::Trace;
use crate::profile::{FlowStep, MarkerId, Reach};

/// A flow: its id and its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// Byte offset and hash of its id.
    pub(super) id: (u64, u64),
    /// The name of its flow events.
    pub(super) name: TextId,
    /// Number of its steps.
    pub(super) steps: u32,
}

/// Flows, and their steps flow by flow.
#[derive(Debug, Default)]
pub(super) struct Flows {
    pub(super) flows: Vec<Flow>,
    pub(super) steps: Vec<FlowStep>,
    /// How far the marker of each step reaches.
    pub(super) reaches: Vec<Reach>,
    /// Whether each step is a target, from which nothing goes on.
    pub(super) targets: Vec<bool>,
}

impl Flows {
    /// The flows of steps that are in the order of their hashes.
    fn of(trace: &Trace, first_markers: &[MarkerId], sorted: &mut [Step]) -> Self {
        let mut splitter = Splitter { trace, first_markers, flows: Self::default(), ended: 0 };
        for run in sorted.chunk_by_mut(|a, b| a.identity.hash == b.identity.hash) {
            // At one time, a start comes before what it leads to, wherever it stands in the file.
            run.sort_unstable_by_key(|step| (step.ts, step.role(), step.offset()));
            splitter.split(run);
        }
        splitter.flows
    }
}

/// Collects flows step by step.
struct Splitter<'a> {
    trace: &'a Trace,
    first_markers: &'a [MarkerId],
    flows: Flows,
    /// Number of steps of all ended flows.
    ended: usize,
}

impl Splitter<'_> {
    /// Splits the steps of one hash into flows.
    fn split(&mut self, run: &[Step]) {
        let Some(first) = run.first() else { return };
        if run.iter().all(|step| step.identity == first.identity) {
            for step in run {
                // Only a start begins another flow. What follows a target belongs to the same flow: one launch has many
                // targets.
                if step.role() == Role::Start {
                    self.end(first);
                }
                if step.slice != NONE {
                    let first = self.first_markers[step.track as usize];
                    let marker = MarkerId(first.0.saturating_add(step.slice));
                    self.flows.steps.push(FlowStep { time: step.ts, marker });
                    self.flows.reaches.push(step.reach);
                    self.flows.targets.push(step.role() == Role::Target);
                }
            }
            self.end(first);
            return;
        }
        // A hash collision: split by identity.
        let (same, others): (Vec<Step>, Vec<Step>) = run.iter().partition(|step| step.identity == first.identity);
        self.split(&same);
        self.split(&others);
    }

    /// Ends the flow of the steps since the last one; `identified` has its identity.
    fn end(&mut self, identified: &Step) {
        let steps = u32::try_from(self.flows.steps.len() - self.ended).unwrap_or(u32::MAX);
        if steps > 0 {
            self.flows.flows.push(Flow { id: identified.id, name: identified.name(self.trace), steps });
            self.ended = self.flows.steps.len();
        }
    }
}

/// Splits the steps of each identity into flows, which come in some lists. `first_markers` has the first marker of each track.
pub(super) fn split(trace: &Trace, first_markers: &[MarkerId], steps: &StepPieces) -> Vec<Flows> {
    let split_piece = |piece: usize| {
        // The keys are small and compare without branches.
        let steps: Vec<&Step> = steps.piece(piece).collect();
        let mut order: Vec<u128> =
            (0..).zip(&steps).map(|(at, step)| u128::from(step.identity.hash) << 64 | at).collect();
        order.sort_unstable();
        let at = |key: u128| usize::try_from(key & u128::from(u32::MAX)).unwrap_or_default();
        let mut sorted: Vec<Step> = order.into_iter().map(|key| *steps[at(key)]).collect();
        Flows::of(trace, first_markers, &mut sorted)
    };
    (0..steps.count()).into_par_iter().map(split_piece).collect()
}
