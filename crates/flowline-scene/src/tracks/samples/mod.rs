//! Samples of a thread: a heading with the thread's CPU activity, and below it the stack chart if expanded.

mod activity;
mod calls;
mod graph;
mod heading;
mod order;

pub(crate) use activity::ActivityPainter;
pub use activity::cpu_spread;
pub(crate) use calls::CallPainter;
pub use calls::call_hit;
pub(crate) use calls::{stack_call_hit, stacked_calls};
pub(crate) use graph::GraphPainter;
pub use heading::SAMPLES_HEIGHT;
pub(crate) use heading::count_in_range;
