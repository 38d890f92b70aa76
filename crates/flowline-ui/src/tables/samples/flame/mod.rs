//! The flame graph.

mod flame_graph;
mod flame_view;

pub(super) use flame_graph::FlameGraph;
pub(super) use flame_view::show;
