//! A recording: its threads, the other tables, and the input that they refer to.

mod category;
mod clock;
mod ids;
mod main_cluster;
mod meta;
mod process;
mod profile;
mod source;
mod source_kind;
mod thread;
mod thread_states;
mod track;
mod track_tree;
mod warning;

pub use category::Category;
pub use ids::{
    CategoryId, CounterId, FlowId, FrameId, FuncId, LocalMarker, MarkerId, ProcessId, StackId, StringId, ThreadId,
    TypeId,
};
pub use main_cluster::MainCluster;
pub use meta::Meta;
pub use process::{Page, Process, TabId};
pub use profile::Profile;
pub use source::{EVENT_PLACES, EventTexts, OWN_EVENT, ObjectText, Pages, Source, member_at};
pub use source_kind::{Capabilities, SourceKind};
pub use thread::{CPUS_PID, MACHINE_SEPARATOR, THREAD_STATE_SUFFIX, Thread, is_cpus_pid, split_machine};
pub use track::TrackKind;
pub use warning::{Warning, WarningKind, Warnings};
