//! The events that separate flows in a cut of a trace. A flow without its start would continue the previous flow of the
//! same identity. In this case the cut also keeps the start, or the event that ended the previous flow.

use foldhash::HashSet;

use crate::trace_events::flows::flow_steps::{Role, Step};
use crate::trace_events::text::ids::NONE;

/// Offset that means no event.
const NO_EVENT: u64 = u64::MAX;

/// A step in the order of its identity.
#[derive(Clone, Copy, Debug)]
struct OrderedStep {
    hash: u64,
    event: u64,
    /// Number of the flow among the flows of its identity.
    flow: u32,
    /// The event that began the flow, possibly the step itself; [`NO_EVENT`] if the flow has no start.
    start: u64,
    /// The event that ended the flow; [`NO_EVENT`] if the flow has no end.
    end: u64,
    is_bound: bool,
}

/// All steps, identity by identity, in the order in which flows are built.
pub(super) struct FlowStarts {
    steps: Vec<OrderedStep>,
}

impl FlowStarts {
    pub(super) fn new(steps: &[Step]) -> Self {
        let mut order: Vec<&Step> = steps.iter().collect();
        order.sort_unstable_by_key(|step| (step.identity.hash, step.order()));
        let (mut hash, mut flow, mut start) = (None, 0_u32, NO_EVENT);
        let ordered = order.iter().map(|step| {
            if hash.replace(step.identity.hash) != Some(step.identity.hash) {
                (flow, start) = (0, NO_EVENT);
            }
            if step.role() == Role::Start {
                (flow, start) = (flow + 1, step.offset());
            }
            let (hash, event) = (step.identity.hash, step.offset());
            let ordered = OrderedStep { hash, event, flow, start, end: NO_EVENT, is_bound: step.slice != NONE };
            if step.role() == Role::End {
                (flow, start) = (flow + 1, NO_EVENT);
            }
            ordered
        });
        let mut ordered: Vec<OrderedStep> = ordered.collect();
        let mut later: Option<OrderedStep> = None;
        for (own, step) in ordered.iter_mut().zip(&order).rev() {
            let is_same = |later: &OrderedStep| (later.hash, later.flow) == (own.hash, own.flow);
            own.end = match later.filter(is_same) {
                _ if step.role() == Role::End => own.event,
                Some(later) => later.end,
                None => NO_EVENT,
            };
            later = Some(*own);
        }
        Self { steps: ordered }
    }

    /// Returns the missing events without which steps in `kept` would continue another flow.
    pub(super) fn missing(&self, kept: &HashSet<u64>) -> Vec<u64> {
        let mut missing = Vec::new();
        for steps in self.steps.chunk_by(|a, b| a.hash == b.hash) {
            let mut current: Option<&OrderedStep> = None;
            for step in steps.iter().filter(|step| kept.contains(&step.event)) {
                let is_start = step.event == step.start;
                if !is_start && !step.is_bound {
                    continue;
                }
                if let Some(before) = current.filter(|before| before.flow != step.flow && !is_start) {
                    let separator = if step.start == NO_EVENT { before.end } else { step.start };
                    if separator != NO_EVENT && !kept.contains(&separator) {
                        missing.push(separator);
                    }
                }
                current = Some(step);
            }
        }
        missing
    }

    /// Iterates over pairs of a step and the start of its flow, which the step needs.
    pub(super) fn needs(&self) -> impl Iterator<Item = (u64, u64)> {
        let has_start = |step: &&OrderedStep| step.start != NO_EVENT && step.start != step.event;
        self.steps.iter().filter(has_start).map(|step| (step.event, step.start))
    }
}
