//! Flows by name. Names stay valid when more of a recording is loaded.

use flowline_index::flows::FlowName;

/// Names of the pinned and entered flows.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowNames {
    pub(crate) pinned: Vec<FlowName>,
    pub(crate) entered: Vec<FlowName>,
}
