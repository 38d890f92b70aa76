//! Flows by name. Names stay valid when more of a recording is loaded.

use flowline_index::flows::FlowName;

/// Names of the pinned and entered flows.
#[derive(Clone, Debug, Default)]
pub(super) struct FlowNames {
    pub(super) pinned: Vec<FlowName>,
    pub(super) entered: Vec<FlowName>,
}
