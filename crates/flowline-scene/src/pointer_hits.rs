//! Hits under the pointer: in the chart, in the flow panel, on a counter, in a stack chart, on the activity of a
//! thread.

use super::{CallHit, FlowHit, FlowTarget, Hit};
use flowline_profile::{CounterId, FlowId, MarkerId, ThreadId};

/// Everything under the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointerHits {
    /// Marker in the chart.
    pub chart: Option<Hit>,
    /// Flow in the flow panel, or on a flow track of the chart.
    pub flow: Option<FlowHit>,
    /// The counter whose track is under the pointer.
    pub counter: Option<CounterId>,
    /// Call in a stack chart.
    pub call: Option<CallHit>,
    /// The thread whose activity is under the pointer.
    pub cpu: Option<ThreadId>,
    /// The segment of the critical path under the pointer.
    pub segment: Option<usize>,
}

impl PointerHits {
    /// The marker under the pointer, and the number of markers drawn as one with it.
    #[must_use]
    pub fn marker(&self) -> Option<(MarkerId, u32)> {
        if let Some(FlowHit::Flow { target, .. }) = self.flow {
            return match target {
                FlowTarget::Dot { marker, count } | FlowTarget::Run { marker, count } => Some((marker, count)),
                FlowTarget::Interval(marker) => Some((marker, 1)),
                FlowTarget::Wait { .. } | FlowTarget::Box | FlowTarget::Row => None,
            };
        }
        self.chart.map(|hit| (hit.marker, hit.count))
    }

    /// The flow under the pointer.
    #[must_use]
    pub const fn flow(&self) -> Option<FlowId> {
        match self.flow {
            Some(FlowHit::Flow { flow, .. }) => Some(flow),
            _ => None,
        }
    }
}
