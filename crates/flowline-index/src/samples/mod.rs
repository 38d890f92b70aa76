//! Call trees, function lists, flame graphs and stack charts of samples.
//!
//! The order of steps is that of the Firefox Profiler: the samples of a range, [`Transform`]s in the order in which
//! they were added, the [`Implementation`] filter and the search. A [`StackView`] contains the stacks after these
//! steps; it does not depend on the range. [`CallNodes`] are its nodes, one for each path of functions. [`CallTree`],
//! [`InvertedTree`] and [`FunctionList`] contain the costs of a selection of samples.
//!
//! Over time, a thread's samples are shown as a [`StackChart`] of calls and a [`CpuTrack`] of CPU use.

mod call_palette;
pub mod calls;
mod cost;
mod cost_over_time;
pub mod cpu;
mod cpu_track;
pub mod entries;
mod entry_log;
pub mod flame;
mod functions;
mod grouping;
mod groups;
mod inverted;
mod matching_calls;
mod memory;
mod nodes;
mod request;
mod selection;
mod stack_chart;
mod stack_charts;
#[cfg(test)]
mod tests;
mod transform;
mod tree;
mod view;

pub use cost::{Cost, Measure, SampleKind};
pub use cost_over_time::{OutermostCalls, PARTS, Parts, Spread};
pub use cpu_track::{CpuTrack, CpuTracks, CpuUseAt, Shares};
pub use entry_log::EntryLog;
pub use flowline_profile::Implementation;
pub use functions::{FunctionList, FunctionRow};
pub use grouping::{Grouping, site};
pub use groups::{Group, Groups, groups_of};
pub use inverted::InvertedTree;
pub use matching_calls::MatchingCalls;
pub use nodes::{CallNodes, Inlined, NodeId};
pub use request::{TreeRequest, default_category};
pub use selection::SampleSelection;
pub use stack_chart::{CallRows, RowCalls, StackChart};
pub use stack_charts::Charts;
pub(crate) use stack_charts::StackCharts;
pub use transform::Transform;
pub use tree::CallTree;
pub use view::{StackView, func_name};
