//! All functions of a selection, sorted by cost.

use super::call_tree::{CallTree, larger_first};
use super::cost::Cost;
use super::nodes::{CallNodes, NodeId};
use flowline_profile::samples::NONE;

/// A function with its costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctionRow {
    /// Number of the function; see [`crate::samples::func_name`].
    pub func: u32,
    /// Cost of the samples with the function on their stack; each sample counts once.
    pub total: Cost,
    /// Cost of the samples in which the function is the innermost.
    pub own: Cost,
    /// A node of the call tree with this function.
    pub example: u32,
}

/// All functions with a nonzero cost, largest first.
#[derive(Clone, Debug, Default)]
pub struct FunctionList {
    /// The functions.
    pub rows: Vec<FunctionRow>,
}

impl FunctionList {
    /// Sums the costs of a call tree by function.
    #[must_use]
    pub fn new(tree: &CallTree) -> Self {
        let nodes = &tree.nodes;
        let mut rows: Vec<Option<FunctionRow>> = vec![None; function_count(nodes)];
        each_call(nodes, |node, is_outermost| {
            let func = nodes.func[node as usize];
            let empty = FunctionRow { func, total: Cost::default(), own: Cost::default(), example: node };
            let row = rows[func as usize].get_or_insert(empty);
            row.own += tree.own[node as usize];
            if is_outermost {
                row.total += tree.total[node as usize];
            }
        });
        let mut rows: Vec<FunctionRow> = rows.into_iter().flatten().filter(|row| !row.total.is_zero()).collect();
        rows.sort_by(|a, b| larger_first(&a.total, &b.total, tree.measure).then_with(|| a.func.cmp(&b.func)));
        debug_assert!(rows.iter().all(|row| row.example != NONE));
        Self { rows }
    }
}

/// One more than the maximum function number.
fn function_count(nodes: &CallNodes) -> usize {
    nodes.func.iter().max().map_or(0, |func| *func as usize + 1)
}

/// Calls `each` for every node, depth first, with true if none of its callers has the same function.
pub(crate) fn each_call(nodes: &CallNodes, mut each: impl FnMut(NodeId, bool)) {
    // Number of times each function is among the callers of the current node.
    let mut open = vec![0_u32; function_count(nodes)];
    let mut pending: Vec<(NodeId, bool)> = nodes.children(None).iter().rev().map(|node| (*node, true)).collect();
    while let Some((node, is_entered)) = pending.pop() {
        let calls = &mut open[nodes.func[node as usize] as usize];
        if !is_entered {
            *calls -= 1;
            continue;
        }
        each(node, *calls == 0);
        *calls += 1;
        pending.push((node, false));
        pending.extend(nodes.children(Some(node)).iter().rev().map(|child| (*child, true)));
    }
}
