//! Sample views of the drawer: call tree, bottom-up (inverted) tree, functions, flame graph and event log.
//!
//! All views show the same samples with the same transforms and filters. Nodes and costs are computed on the pool; the
//! previous ones stay visible until they are ready. A new range recomputes only the costs.

mod event_log;
mod export;
mod flame;
mod function_tree;
mod functions;
mod grouped;
mod lit_row;
mod outline;
mod panel;
mod row;
mod sample_result;
mod sample_view;
mod sampled_threads;
pub(crate) mod saved_state;
mod spark_column;
mod sparks;
mod state;
mod summary;
mod tools;
mod transforms;
mod tree;

pub(crate) use panel::show;
pub(crate) use sample_view::{SampleView, samples_id};
pub(crate) use sampled_threads::has_log;
pub(crate) use state::SampleTrees;
pub(crate) use transforms::TransformKind;
