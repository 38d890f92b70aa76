//! Flows by name, which they keep when more of a recording is loaded.

use flowline_index::flows::FlowName;

/// Flows that are pinned and entered.
#[derive(Clone, Debug, Default)]
pub(super) struct FlowNames {
    pub(super) pinned: Vec<FlowName>,
    pub(super) entered: Vec<FlowName>,
}
