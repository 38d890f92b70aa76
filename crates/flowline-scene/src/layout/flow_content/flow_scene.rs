//! Data from which the flow panel is drawn.

use super::flow_list::FlowList;
use super::shape_cache::FlowShapes;

/// Data from which the flow panel is drawn.
#[derive(Clone, Copy)]
pub struct FlowScene<'a> {
    /// Rows of the panel.
    pub list: &'a FlowList,
    /// The shapes built so far.
    pub shapes: &'a FlowShapes,
}
