//! Flows: steps, the slices they bind to, and the flows that they form.

pub(super) mod binding;
pub(super) mod flow_builder;
pub(super) mod flow_segmentation;
pub(super) mod flow_step_partitions;
pub(super) mod flow_steps;
