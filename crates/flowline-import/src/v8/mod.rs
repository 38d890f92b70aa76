//! CPU profiles of V8: a tree of nodes (call frames), and samples that name the node that ran.
//!
//! `part` reads what is written: a whole profile, or a chunk of one in a trace. `tree` joins the nodes and makes stacks of
//! them; `cpu_profile` has the samples in the order of time. `straight` makes calls of the samples alone, as DevTools does
//! for `.cpuprofile` files; in traces, events take part (`chrome::calls`). The rules are those of the Performance panel of
//! Chrome's DevTools.

mod calls_list;
mod categories;
mod cpu_profile;
mod numbers;
mod part;
mod straight;
mod tree;
mod tree_order;

pub(super) use calls_list::CallList;
pub(super) use categories::{OTHER, add_stacks};
pub(super) use cpu_profile::CpuProfile;
pub(super) use part::{Part, Recorder};
pub(super) use straight::calls;
pub(super) use tree::{NodeKind, Tree};
pub(super) use tree_order::parents_first;
