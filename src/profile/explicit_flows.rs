//! Flows that a recording lists step by step, as trace events do. Flows of Firefox profiles are derived from flow fields of
//! payloads instead (see `index::flows`).

use bytemuck::{Pod, Zeroable};

use super::column::Column;
use super::ids::{MarkerId, StringId};
use super::persist::persist;
use super::time::Ns;

/// A step of a flow, in 12 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, packed(4))]
pub struct FlowStep {
    /// Its time; not always the start of its marker.
    pub time: Ns,
    /// The marker that it binds to.
    pub marker: MarkerId,
}

/// A flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct ExplicitFlow {
    /// Byte offset of the scalar (string or number) that is its id.
    pub id: u64,
    /// Its name in the recording; empty if it has none.
    pub name: StringId,
    /// Position after its last step.
    pub end: u32,
}

/// All explicit flows and their steps, flow by flow, each in time order.
#[derive(Clone, Debug, Default)]
pub struct ExplicitFlows {
    /// The flows.
    pub flows: Column<ExplicitFlow>,
    /// Their steps.
    pub steps: Column<FlowStep>,
}
persist!(ExplicitFlows { flows, steps });

impl ExplicitFlows {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flows.is_empty()
    }

    /// Adds a flow; a flow without steps is ignored.
    pub fn push(&mut self, id: u64, name: StringId, steps: impl IntoIterator<Item = FlowStep>) {
        let before = self.steps.len();
        self.steps.extend(steps);
        if self.steps.len() > before {
            let end = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
            self.flows.push(ExplicitFlow { id, name, end });
        }
    }

    /// The steps of a flow in time order; empty for an unknown flow.
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
