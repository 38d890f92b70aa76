//! Flows that a recording states step by step, as trace events do. (In Firefox profiles they are found from the payloads'
//! flow fields.)

use bytemuck::{Pod, Zeroable};

use super::column::Column;
use super::ids::{MarkerId, StringId};
use super::persist::persist;
use super::time::Ns;

/// A step of a flow, in 12 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, packed(4))]
pub struct FlowStep {
    /// When it was taken; not always the start of its marker.
    pub time: Ns,
    /// The marker it binds to.
    pub marker: MarkerId,
}

/// A flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct StatedFlow {
    /// Byte offset of a scalar with its id's text.
    pub id: u64,
    /// What the recording calls it; empty if it has no name of its own.
    pub name: StringId,
    /// Position after its last step.
    pub end: u32,
}

/// All stated flows and their steps, flow by flow, each in the order of time.
#[derive(Clone, Debug, Default)]
pub struct StatedFlows {
    /// The flows.
    pub flows: Column<StatedFlow>,
    /// Their steps.
    pub steps: Column<FlowStep>,
}
persist!(StatedFlows { flows, steps });

impl StatedFlows {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flows.is_empty()
    }

    /// Adds a flow; one without steps is left out.
    pub fn push(&mut self, id: u64, name: StringId, steps: impl IntoIterator<Item = FlowStep>) {
        let before = self.steps.len();
        self.steps.extend(steps);
        if self.steps.len() > before {
            let end = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
            self.flows.push(StatedFlow { id, name, end });
        }
    }

    /// The steps of a flow in the order of time; empty for an unknown one.
    #[must_use]
    pub fn steps(&self, flow: usize) -> &[FlowStep] {
        let first = flow.checked_sub(1).map_or(0, |before| self.flows[before].end as usize);
        self.flows.get(flow).and_then(|flow| self.steps.get(first..flow.end as usize)).unwrap_or_default()
    }

    /// Heap bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.flows.heap_bytes() + self.steps.heap_bytes()
    }
}
