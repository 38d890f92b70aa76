//! V8 CPU profiles: a tree of nodes (call frames), and samples that refer to the running node.
//!
//! `profile_part` parses a whole profile, or a chunk of one in a trace. `tree` links the nodes and converts them to
//! stacks; `cpu_profile` contains the samples in time order. `calls_from_samples` derives calls from the samples alone,
//! as DevTools does for `.cpuprofile` files; in traces, events contribute too (`trace_events::samples`). The rules are those
//! of the Performance panel in Chrome's DevTools.

mod annotations;
mod call_frame;
mod call_list;
mod calls_from_samples;
mod categories;
mod cpu_profile;
mod head;
mod heap_nodes;
mod numbers;
mod profile_part;
mod tree;
mod tree_order;

pub(super) use call_list::CallList;
pub(super) use calls_from_samples::calls;
pub(super) use categories::{OTHER, add_stacks};
pub(super) use cpu_profile::CpuProfile;
pub(super) use head::{Head, head_of};
pub(super) use heap_nodes::HeapNodes;
pub(super) use profile_part::{ProfilePart, Recorder};
pub(super) use tree::{NodeKind, Tree};
pub(super) use tree_order::parents_first;
