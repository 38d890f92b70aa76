//! Call trees, function lists and flame graphs of samples: stacks, transforms, nodes and costs.

mod addresses;
mod call_tree;
mod cost;
pub mod flame;
mod functions;
mod grouping;
mod groups;
mod inverted;
mod memory;
mod nodes;
mod request;
mod selection;
mod stack_view;
mod transform;

pub use addresses::{has_libraries, is_library, name_or_library, named_func, sampled_idle};
pub use call_tree::CallTree;
pub use cost::{Cost, Measure, SampleKind};
pub(crate) use functions::each_call;
pub use functions::{FunctionList, FunctionRow};
pub use grouping::Grouping;
pub(crate) use grouping::third_party;
pub use groups::{Group, Groups, groups_of};
pub use inverted::InvertedTree;
pub use nodes::{CallNodes, Inlined, NodeId};
pub use request::{TreeRequest, default_category};
pub use selection::SampleSelection;
pub(crate) use stack_view::FunctionFilter;
pub use stack_view::{StackView, func_name};
pub use transform::Transform;
