//! The shapes of rows of flows: of the flow panel, by flow and by group, and of tapes, by flow. They are bounded: shapes that
//! were not used lately are dropped.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use flowline_index::flows::{FlowShape, TapeShape};
use flowline_profile::{FlowId, StringId};
use flowline_view::FlowSection;

/// The row that a shape belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeKey {
    /// The row of a flow.
    Flow(FlowId),
    /// The row of all flows of one name in a section.
    Group(FlowSection, StringId),
}

/// Something that is kept while it is used.
pub trait Shape {
    /// Heap bytes held.
    fn bytes(&self) -> usize;
}

impl Shape for FlowShape {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl Shape for TapeShape {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// The shapes of the flow panel's rows.
pub type FlowShapes = ShapeCache<ShapeKey, FlowShape>;
/// The shapes of tapes.
pub type TapeShapes = ShapeCache<FlowId, TapeShape>;

/// Unused shapes are dropped once all take more bytes than this.
const KEEP_BYTES: usize = 64 << 20;

/// A shape with its last use.
#[derive(Debug)]
struct CachedShape<S> {
    shape: Arc<S>,
    /// The round in which it was used last.
    used: u64,
    bytes: usize,
}

/// The shapes made so far, by what names a row.
#[derive(Debug)]
pub struct ShapeCache<K, S> {
    shapes: HashMap<K, CachedShape<S>>,
    round: u64,
    bytes: usize,
}

impl<K, S> Default for ShapeCache<K, S> {
    fn default() -> Self {
        Self { shapes: HashMap::new(), round: 0, bytes: 0 }
    }
}

impl FlowShapes {
    /// The shape of a flow's row.
    #[must_use]
    pub fn flow(&self, flow: FlowId) -> Option<&FlowShape> {
        self.get(ShapeKey::Flow(flow))
    }

    /// Drops the shapes of groups, which belong to the flows entered before.
    pub fn drop_groups(&mut self) {
        self.retain(|key, _| matches!(key, ShapeKey::Flow(_)));
    }
}

impl<K: Copy + Eq + Hash, S: Shape> ShapeCache<K, S> {
    /// The shape of a row, if it has been made.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&S> {
        self.shapes.get(&key).map(|kept| &*kept.shape)
    }

    /// Whether a shape is there; marks it as used.
    pub fn touch(&mut self, key: K) -> bool {
        let round = self.round;
        self.shapes.get_mut(&key).map(|kept| kept.used = round).is_some()
    }

    /// Adds a shape.
    pub fn insert(&mut self, key: K, shape: Arc<S>) {
        let kept = CachedShape { used: self.round, bytes: shape.bytes(), shape };
        self.bytes += kept.bytes;
        let before = self.shapes.insert(key, kept);
        self.bytes -= before.map_or(0, |before| before.bytes);
    }

    /// Begins a round of use. If the shapes take much memory, those that the last rounds did not use are dropped.
    pub fn begin_round(&mut self) {
        self.round += 1;
        if self.bytes > KEEP_BYTES {
            let round = self.round;
            self.retain(|_, kept| kept.used + 2 > round);
        }
    }

    fn retain(&mut self, mut keep: impl FnMut(&K, &CachedShape<S>) -> bool) {
        let Self { shapes, bytes, .. } = self;
        shapes.retain(|key, kept| {
            let keeps = keep(key, kept);
            *bytes -= if keeps { 0 } else { kept.bytes };
            keeps
        });
    }
}
