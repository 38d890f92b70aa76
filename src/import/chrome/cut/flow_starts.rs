//! The starts that flows need in a part of a trace. A flow whose start is left out would continue the flow of the same
//! identity before it; then its start is kept after all. A flow that began because the one before it had ended needs that end
//! instead.

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
    /// The event that began its flow, its own if it is a start, or the one that ended the flow before; [`NO_EVENT`] if there is
    /// neither.
    start: u64,
    /// Whether [`OrderedStep::start`] ended the flow before.
    follows_end: bool,
    is_bound: bool,
}

/// All steps, identity by identity, in the order in which flows are made of them.
pub(super) struct FlowStarts {
    steps: Vec<OrderedStep>,
}

impl FlowStarts {
    pub(super) fn new(steps: &[Step]) -> Self {
        let mut order: Vec<&Step> = steps.iter().collect();
        order.sort_unstable_by_key(|step| (step.identity.hash, step.order()));
        let (mut hash, mut start, mut follows_end) = (None, NO_EVENT, false);
        let ordered = order.into_iter().map(|step| {
            if hash.replace(step.identity.hash) != Some(step.identity.hash) {
                (start, follows_end) = (NO_EVENT, false);
            }
            if step.role() == Role::Start {
                (start, follows_end) = (step.offset(), false);
            }
            let (hash, event) = (step.identity.hash, step.offset());
            let ordered = OrderedStep { hash, event, start, follows_end, is_bound: step.slice != NONE };
            if step.role() == Role::End {
                (start, follows_end) = (event, true);
            }
            ordered
        });
        Self { steps: ordered.collect() }
    }

    /// The starts without which steps in `kept` would continue another flow.
    pub(super) fn missing(&self, kept: &HashSet<u64>) -> Vec<u64> {
        let mut missing = Vec::new();
        for steps in self.steps.chunk_by(|a, b| a.hash == b.hash) {
            let mut current = None;
            for step in steps.iter().filter(|step| kept.contains(&step.event)) {
                let is_start = step.event == step.start && !step.follows_end;
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
        let has_start = |step: &&OrderedStep| step.start != NO_EVENT && step.start != step.event && !step.follows_end;
        self.steps.iter().filter(has_start).map(|step| (step.event, step.start))
    }
}
