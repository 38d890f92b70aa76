//! Trees, lists and boxes of samples.
//!
//! The order of steps is the one of the Firefox Profiler: the samples of a range, [`Transform`]s in the order in which they
//! were added, the [`Implementation`] and the search. A [`StackView`] is the stacks after these steps; it does not depend on
//! the range. [`CallNodes`] are its nodes, one for each path of functions, and [`CallTree`], [`InvertedTree`] and
//! [`FunctionList`] are the numbers of a selection of samples in it.

pub mod calls;
pub mod cpu;
pub mod flame;
mod functions;
mod inverted;
mod nodes;
mod request;
mod selection;
#[cfg(test)]
mod tests;
mod transform;
mod tree;
mod view;

pub use functions::{FunctionList, FunctionRow};
pub use inverted::InvertedTree;
pub use nodes::{CallNodes, Inlined, NodeId};
pub use request::{TreeRequest, default_category};
pub use selection::{Cost, Measure, SampleKind, SampleSelection};
pub use transform::Transform;
pub use tree::CallTree;
pub use view::{Implementation, StackView, func_name};
