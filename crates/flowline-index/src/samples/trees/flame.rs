//! Boxes of a flame graph: box width is the share of the total, callers are below callees, siblings are sorted by name.

use super::call_tree::CallTree;
use super::nodes::NodeId;
use super::stack_view::func_name;
use flowline_profile::StackTables;

/// A box of a flame graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlameBox {
    /// Its node.
    pub node: NodeId,
    /// Number of boxes below it.
    pub depth: u32,
    /// Left and right edge as fractions of the whole width (0 to 1).
    pub span: [f64; 2],
    /// True if the box is narrower than a pixel and represents all boxes in its pixel column.
    pub is_narrow: bool,
}

/// Boxes within `zoom` (fractions of the whole width) on `pixels` columns, by depth and then from left to right. Boxes
/// that are narrower than a column are drawn once per column, without their callees.
#[must_use]
pub fn flame_boxes(tables: &StackTables, tree: &CallTree, zoom: [f64; 2], pixels: f64) -> Vec<FlameBox> {
    let width = |node: NodeId| tree.total[node as usize].size(tree.measure);
    let whole: f64 = tree.nodes.children(None).iter().map(|root| width(*root)).sum();
    if whole <= 0.0 || zoom[1] <= zoom[0] {
        return Vec::new();
    }
    let column = (zoom[1] - zoom[0]) / pixels.max(1.0);
    let mut boxes = Vec::new();
    // Column of the last narrow box at each depth.
    let mut last_narrow: Vec<f64> = Vec::new();
    let mut pending: Vec<(Option<NodeId>, u32, f64)> = vec![(None, 0, 0.0)];
    while let Some((parent, depth, left)) = pending.pop() {
        let mut children: Vec<NodeId> = tree.nodes.children(parent).to_vec();
        children.retain(|child| width(*child) > 0.0);
        children.sort_by_key(|child| func_name(tables, tree.nodes.func[*child as usize]));
        let mut left = left;
        let first_pending = pending.len();
        for child in children {
            let right = left + width(child) / whole;
            let span = [left, right];
            left = right;
            if span[1] < zoom[0] || span[0] > zoom[1] {
                continue;
            }
            if span[1] - span[0] >= column {
                boxes.push(FlameBox { node: child, depth, span, is_narrow: false });
                pending.push((Some(child), depth + 1, span[0]));
                continue;
            }
            let at = ((span[0] - zoom[0]) / column).floor();
            let depth_index = depth as usize;
            if last_narrow.len() <= depth_index {
                last_narrow.resize(depth_index + 1, f64::NAN);
            }
            if last_narrow[depth_index].total_cmp(&at).is_ne() {
                last_narrow[depth_index] = at;
                boxes.push(FlameBox { node: child, depth, span, is_narrow: true });
            }
        }
        // Narrow boxes of one depth must be visited from left to right.
        pending[first_pending..].reverse();
    }
    boxes.sort_by(|a, b| a.depth.cmp(&b.depth).then_with(|| a.span[0].total_cmp(&b.span[0])));
    boxes
}
