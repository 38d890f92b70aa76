//! State of the flame graph: its boxes, its zoom and the selected box.

use std::sync::Arc;

use crate::tables::samples::function_tree::{find, path};
use crate::tables::samples::sample_result::SampleResult;
use flowline_index::samples::flame::{FlameBox, flame_boxes};
use flowline_index::samples::{CallTree, NodeId};
use flowline_profile::Profile;

/// Minimum visible fraction of the graph's width.
const NARROWEST: f64 = 1e-9;

/// State of the graph.
#[derive(Debug)]
pub(crate) struct FlameGraph {
    /// Visible part of the width, as fractions.
    pub(super) zoom: [f64; 2],
    /// Number of box rows scrolled out below the area.
    pub(super) below: f32,
    pub(super) selected: Option<NodeId>,
    pub(super) boxes: Vec<FlameBox>,
    /// Inputs of the boxes: address of the tree, zoom, width in pixels.
    key: Option<(usize, [f64; 2], u32)>,
    /// Pass that last showed the graph.
    pub(super) pass: Option<u64>,
}

impl Default for FlameGraph {
    fn default() -> Self {
        Self { zoom: [0.0, 1.0], below: 0.0, selected: None, boxes: Vec::new(), key: None, pass: None }
    }
}

impl FlameGraph {
    /// Selects the node of a new tree that has the path of the selected one.
    pub(crate) fn follow(&mut self, before: &Arc<CallTree>, tree: &Arc<CallTree>) {
        let path = self.selected.map(|node| path(before, node));
        let mut tree = Arc::clone(tree);
        self.selected = path.and_then(|path| find(&mut tree, &path));
        self.key = None;
        self.zoom = [0.0, 1.0];
    }

    pub(super) fn update(&mut self, profile: &Profile, built: &SampleResult, width: f32) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels")]
        let pixels = width.max(1.0) as u32;
        let key = (Arc::as_ptr(&built.tree).addr(), self.zoom, pixels);
        if self.key != Some(key) {
            self.boxes = flame_boxes(&profile.stacks, &built.tree, self.zoom, f64::from(pixels));
            self.key = Some(key);
        }
    }

    /// Zooms to a part of the width.
    pub(super) fn zoom_to(&mut self, [left, right]: [f64; 2]) {
        let span = (right - left).clamp(NARROWEST, 1.0);
        let left = left.clamp(0.0, 1.0 - span);
        self.zoom = [left, left + span];
    }

    /// Part of the width that a node covers.
    pub(super) fn span_of(&self, profile: &Profile, built: &SampleResult, node: NodeId) -> Option<[f64; 2]> {
        let all = flame_boxes(&profile.stacks, &built.tree, [0.0, 1.0], 1e9);
        all.iter().find(|other| other.node == node).map(|found| found.span)
    }

    /// The box at a depth and a horizontal position.
    pub(super) fn at(&self, depth: u32, x: f64) -> Option<&FlameBox> {
        let first = self.boxes.partition_point(|other| other.depth < depth);
        let end = self.boxes.partition_point(|other| other.depth <= depth);
        let row = &self.boxes[first..end];
        let after = row.partition_point(|other| other.span[0] <= x);
        row[..after].last().filter(|found| x <= found.span[1] || found.is_narrow)
    }

    /// Number of box rows.
    pub(super) fn depth(&self) -> u32 {
        self.boxes.last().map_or(0, |last| last.depth + 1)
    }
}
