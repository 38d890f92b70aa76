//! The starts that flows need in a part of a trace. A flow whose start is left out would continue the flow of the same
//! identity before it; then its start is kept after all.

use foldhash::HashSet;

use crate::import::chrome::flow_steps::{Role, Step};
use crate::import::chrome::ids::NONE;

/// No event.
const NO_EVENT: u64 = u64::MAX;

/// A step in the order of its identity.
#[derive(Clone, Copy, Debug)]
struct OrderedStep {
    hash: u64,
    event: u64,
    /// The event that began its flow, its own if it is a start; [`NO_EVENT`] if the flow has no start.
    start: u64,
    is_bound: bool,
}

/// All steps, identity by identity, in the order in which flows are made of them.
pub(super) struct FlowStarts {
    steps: Vec<OrderedStep>,
}

impl FlowStarts {
    pub(super) fn new(steps: &[Step]) -> Self {
        let mut order: Vec<&Step> = steps.iter().collect();
        order.sort_unstable_by_key(|step| (step.identity.hash, step.ts, step.role(), step.offset()));
        let (mut hash, mut start) = (None, NO_EVENT);
        let ordered = order.into_iter().map(|step| {
            if hash.replace(step.identity.hash) != Some(step.identity.hash) {
                start = NO_EVENT;
            }
            if step.role() == Role::Start {
                start = step.offset();
            }
            OrderedStep { hash: step.identity.hash, event: step.offset(), start, is_bound: step.slice != NONE }
        });
        Self { steps: ordered.collect() }
    }

    /// The starts without which steps in `kept` would continue another flow.
    pub(super) fn missing(&self, kept: &HashSet<u64>) -> Vec<u64> {
        let mut missing = Vec::new();
        for steps in self.steps.chunk_by(|a, b| a.hash == b.hash) {
            let mut current = None;
            for step in steps.iter().filter(|step| kept.contains(&step.event)) {
                let is_start = step.event == step.start;
                if !is_start && !step.is_bound {
                    continue;
                }
                if !is_start && current.is_some_and(|current| current != step.start) && step.start != NO_EVENT {
                    missing.push(step.start);
                }
                current = Some(step.start);
            }
        }
        missing
    }

    /// Every step needs the start of its flow.
    pub(super) fn needs(&self) -> impl Iterator<Item = (u64, u64)> {
        let has_start = |step: &&OrderedStep| step.start != NO_EVENT && step.start != step.event;
        self.steps.iter().filter(has_start).map(|step| (step.event, step.start))
    }
}
