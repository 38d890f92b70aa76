//! Relations of markers: asynchronous stacks, initiators, messages between processes, references in payloads, and what a
//! smaller recording must keep.

mod async_stacks;
pub mod initiators;
pub mod marker_dependencies;
pub mod messages;
pub mod references;

pub use async_stacks::StackTarget;
pub(crate) use initiators::Initiators;
pub(crate) use messages::message_peer;
