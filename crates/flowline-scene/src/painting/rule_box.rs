//! The box of a flow as its rule describes it, on a row of the flow panel or on a flow lane: lines to the markers before and
//! after the main interval, a rounded box around it, and the faded part of the box.

use crate::frame::Frame;
use crate::primitives::{Emphasis, FlowInstance, FlowShapeKind};
use flowline_index::Packed;
use flowline_index::flows::RuleBox;

/// Adds the shapes of a box on a row of the frame, from back to front.
pub(crate) fn push(frame: &mut Frame, shape: &RuleBox, slot: usize, emphasis: Emphasis) {
    let mut add = |packed, kind, emphasis| frame.instances.flows.push(FlowInstance::new(packed, kind, slot, emphasis));
    for line in shape.lines() {
        add(line, FlowShapeKind::Line, emphasis);
    }
    add(shape.main, FlowShapeKind::Box, emphasis);
    if let Some(faded) = shape.faded() {
        // The background over the full color, as in flow tracks.
        let full = Packed::new(faded.start(), faded.end(), shape.main.style());
        add(full, FlowShapeKind::Tint, Emphasis::Normal);
        add(faded, FlowShapeKind::Fade, Emphasis::Normal);
    }
}
