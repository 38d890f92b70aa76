//! The flow tree: a marker, its flows, their markers, these markers' other flows, and so on. Designed for the keyboard
//! and for screen readers.
//!
//! The selected marker is the root. Without one, or if it is in no flow, the entered flows are the roots. Selecting or
//! entering something inside the tree does not rebuild it, so the cursor keeps its position.

mod branch;
mod columns;
mod members;
mod outline;
mod paint;
mod panel;
mod rows;
mod state;

pub(crate) use panel::{show, tree_id};
pub(crate) use state::FlowTree;
