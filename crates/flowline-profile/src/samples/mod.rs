//! Samples of threads, and the stacks that they refer to.
//!
//! A [`SampleTable`] lists the samples of a thread as columns; a sample refers to a stack in the recording-wide
//! [`StackTables`]. Stacks share their callers: each consists of a frame and its caller's stack. Functions are unique
//! in a recording, so that trees of several threads can be combined; frames and stacks may repeat.
//!
//! The model is that of the Firefox Profiler. It also fits the call frames of V8 and the function lists of other
//! profilers.

mod call_arguments;
mod call_keys;
mod call_table;
mod calls;
mod cpu_deltas;
mod export;
mod jank;
mod marker_stacks;
mod missing;
mod queries;
mod sample_table;
mod stack_builder;
mod stacks;
mod thread_samples;
mod units;

pub use call_arguments::CallArguments;
pub use call_keys::CallKey;
pub use call_table::CallTable;
pub use calls::{CallRef, Implementation, SelectedCall};
pub use cpu_deltas::CpuDeltas;
pub use export::{Export, ListedStacks};
pub use jank::{JANK, JankPeriods, JankReader};
pub use marker_stacks::MarkerStacks;
pub use missing::NONE;
pub use queries::ANONYMOUS;
pub use sample_table::{SampleTable, order_by_time};
pub use stack_builder::StackTablesBuilder;
pub use stacks::{Frame, Func, FuncFlags, NativeSymbol, Resource, ResourceKind, ScriptSource, StackTables};
pub use thread_samples::ThreadSamples;
pub use units::{CpuUnit, WeightUnit};
