//! The rows of the event log: the entries as a tree.

use crate::tables::samples::function_tree::FunctionTree;
use crate::tables::samples::outline::Outline;
use crate::widgets::table::Scroll;
use flowline_index::samples::{Cost, EntryLog, Measure, NodeId};
use flowline_profile::Ns;

/// Selectable minimum durations; 15 ms is close to the length of a frame.
pub(crate) const LEAST: [(Ns, &str); 3] =
    [(Ns(0), "Any length"), (Ns(1_000_000), "≥ 1 ms"), (Ns(15_000_000), "≥ 15 ms")];

/// Rows and scroll position of the log.
#[derive(Debug, Default)]
pub(crate) struct LogRows {
    pub(crate) outline: Outline,
    pub(super) scroll: Scroll,
}

impl LogRows {
    /// Goes to the first row, or to the row of the cursor.
    pub(crate) fn restart(&mut self) {
        self.scroll.restart(Some(self.outline.cursor()));
    }
}

/// The nodes are positions in the log. Each entry is its own function, so that paths are unique.
impl FunctionTree for EntryLog {
    fn children(&mut self, node: Option<NodeId>) -> Vec<NodeId> {
        self.inside(node).collect()
    }

    fn has_children(&self, node: NodeId) -> bool {
        self.has_inside(node)
    }

    fn func(&self, node: NodeId) -> u32 {
        self.entry(node)
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.around(node)
    }

    fn costs(&self, node: NodeId) -> [Cost; 2] {
        self.times(node).map(|time| Cost { weight: 1.0, time, samples: 1 })
    }

    fn example(&self, node: NodeId) -> NodeId {
        node
    }

    fn measure(&self) -> Measure {
        Measure::Time
    }

    fn begins_expanded(&self) -> bool {
        false
    }
}
