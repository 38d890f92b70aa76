//! Call trees, function lists, flame graphs and stack charts of samples.
//!
//! The order of steps is that of the Firefox Profiler: the samples of a range, [`Transform`]s in the order in which
//! they were added, the [`Implementation`] filter and the search. A [`StackView`] contains the stacks after these
//! steps; it does not depend on the range. [`CallNodes`] are its nodes, one for each path of functions. [`CallTree`],
//! [`InvertedTree`] and [`FunctionList`] contain the costs of a selection of samples.
//!
//! Over time, a thread's samples are shown as a [`StackChart`] of calls and a [`CpuTrack`] of CPU use.

pub mod arguments;
pub mod entries;
mod over_time;
#[cfg(test)]
mod tests;
mod trees;

pub use entries::EntryLog;
pub use flowline_profile::Implementation;
pub use over_time::{
    BusyCursor, CallRows, Charts, CpuTrack, CpuTracks, CpuUseAt, MatchingCalls, MergedRows, OutermostCalls, PARTS,
    Parts, RowCalls, Shares, Spread, StackChart, calls, cpu, folded_frames,
};
pub(crate) use over_time::{Covers, StackCharts};
pub use trees::{
    CallNodes, CallTree, Cost, FunctionList, FunctionRow, Group, Grouping, Groups, Inlined, InvertedTree, Measure,
    NodeId, SampleKind, SampleSelection, StackView, Transform, TreeRequest, default_category, flame, func_name,
    groups_of, has_libraries, is_library, name_or_library, named_func, sampled_idle,
};
