//! Caches for the shapes of flow rows: rows of the flow panel, by flow and by group, and flow lanes, by flow. The
//! caches are bounded: shapes that were not used recently are dropped.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use flowline_index::flows::{FlowShape, LaneShape};
use flowline_profile::{FlowId, StringId};
use flowline_view::FlowSection;

/// The row that a shape belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeKey {
    /// The row of a flow.
    Flow(FlowId),
    /// The row of all flows with the same name in a section.
    Group(FlowSection, StringId),
}

/// A cacheable shape.
pub trait Shape {
    /// Heap size in bytes.
    fn bytes(&self) -> usize;
}

impl Shape for FlowShape {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl Shape for LaneShape {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// The shapes of the flow panel's rows.
pub type FlowShapes = ShapeCache<ShapeKey, FlowShape>;
/// The shapes of flow lanes.
pub type FlowLaneShapes = ShapeCache<FlowId, LaneShape>;

/// Unused shapes are dropped once the cache is larger than this.
const KEEP_BYTES: usize = 64 << 20;

/// A shape with its last use.
#[derive(Debug)]
struct CachedShape<S> {
    shape: Arc<S>,
    /// The round of the last use.
    used: u64,
    bytes: usize,
}

/// The shapes built so far, by row key.
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

    /// Drops the shapes of groups, which belong to the previously entered flows.
    pub fn drop_groups(&mut self) {
        self.retain(|key, _| matches!(key, ShapeKey::Flow(_)));
    }

    /// Drops the shapes that were built before the network requests of flows were known.
    pub fn drop_without_requests(&mut self) {
        self.retain(|_, kept| kept.shape.knows_requests);
    }
}

impl<K: Copy + Eq + Hash, S: Shape> ShapeCache<K, S> {
    /// The shape of a row, if it has been built.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&S> {
        self.shapes.get(&key).map(|kept| &*kept.shape)
    }

    /// Marks a shape as used. Returns false if the cache does not contain it.
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

    /// Begins a round of use. If the cache is too large, shapes that were not used in the last rounds are dropped.
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
