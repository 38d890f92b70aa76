//! The flows that have tapes, in order, and where each stands.

use crate::profile::FlowId;

/// The tapes of a scope in an order. It is made in the background and shared by the frames that show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TapeRows {
    flows: Vec<FlowId>,
    /// Row by flow; [`NONE`] for a flow without one.
    places: Vec<u32>,
    /// Number of tapes of each node of the type tree with all below it, whichever are switched on.
    counts: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl TapeRows {
    /// Tapes of some of `all` flows, each at most once.
    #[must_use]
    pub fn new(flows: Vec<FlowId>, all: usize, counts: Vec<u32>) -> Self {
        let mut places = vec![NONE; all];
        for (row, flow) in (0_u32..).zip(&flows) {
            if let Some(place) = places.get_mut(flow.index()) {
                *place = row;
            }
        }
        Self { flows, places, counts }
    }

    /// The flows from top to bottom.
    #[must_use]
    pub fn flows(&self) -> &[FlowId] {
        &self.flows
    }

    /// The row of a flow.
    #[must_use]
    pub fn row(&self, flow: FlowId) -> Option<usize> {
        self.places.get(flow.index()).filter(|row| **row != NONE).map(|row| *row as usize)
    }

    /// How many tapes of the scope a node of the type tree stands for; `None` before types are known.
    #[must_use]
    pub fn count(&self, node: usize) -> Option<u32> {
        self.counts.get(node).copied()
    }
}
