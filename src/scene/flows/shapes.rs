//! The rows of the flow panel that have been made, by flow and by group. Bounded: those not shown lately are dropped.

use std::collections::HashMap;
use std::sync::Arc;

use crate::index::flows::FlowShape;
use crate::profile::{FlowId, StringId};
use crate::view::FlowSection;

/// Which row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeKey {
    /// Of a flow.
    Flow(FlowId),
    /// Of all flows of one name in a section.
    Group(FlowSection, StringId),
}

/// Bytes of shapes kept at least.
const KEEP_BYTES: usize = 64 << 20;

/// A row that was made.
#[derive(Debug)]
struct Kept {
    shape: Arc<FlowShape>,
    /// The round it was used in last.
    used: u64,
    bytes: usize,
}

/// The rows made so far.
#[derive(Debug, Default)]
pub struct FlowShapes {
    shapes: HashMap<ShapeKey, Kept>,
    round: u64,
    bytes: usize,
}

impl FlowShapes {
    /// A row, if it has been made.
    #[must_use]
    pub fn get(&self, key: ShapeKey) -> Option<&FlowShape> {
        self.shapes.get(&key).map(|kept| &*kept.shape)
    }

    /// A flow's row.
    #[must_use]
    pub fn flow(&self, flow: FlowId) -> Option<&FlowShape> {
        self.get(ShapeKey::Flow(flow))
    }

    /// Whether a row is there; marks it as used.
    pub fn touch(&mut self, key: ShapeKey) -> bool {
        let round = self.round;
        self.shapes.get_mut(&key).map(|kept| kept.used = round).is_some()
    }

    /// Keeps a row.
    pub fn insert(&mut self, key: ShapeKey, shape: Arc<FlowShape>) {
        let kept = Kept { used: self.round, bytes: shape.bytes(), shape };
        self.bytes += kept.bytes;
        let before = self.shapes.insert(key, kept);
        self.bytes -= before.map_or(0, |before| before.bytes);
    }

    /// Begins a round of use; drops what the last rounds did not use if there is much of it.
    pub fn begin_round(&mut self) {
        self.round += 1;
        if self.bytes > KEEP_BYTES {
            let round = self.round;
            self.retain(|_, kept| kept.used + 2 > round);
        }
    }

    /// Drops the rows of groups: they belong to the flows that were entered before.
    pub fn drop_groups(&mut self) {
        self.retain(|key, _| matches!(key, ShapeKey::Flow(_)));
    }

    fn retain(&mut self, mut keep: impl FnMut(&ShapeKey, &Kept) -> bool) {
        let Self { shapes, bytes, .. } = self;
        shapes.retain(|key, kept| {
            let keeps = keep(key, kept);
            *bytes -= if keeps { 0 } else { kept.bytes };
            keeps
        });
    }
}
