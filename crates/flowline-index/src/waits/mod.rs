//! Wait analysis: the blockers of a wait, and the critical path to a moment. (`docs/waits.md` describes the rules.)

mod causes;
mod critical_path;
mod flow_requests;
mod held_up;
mod thread_stack;

pub use causes::innermost_open;
pub use critical_path::{CriticalPath, MAX_SEGMENTS, PathKind, PathOptions, PathSegment};
pub use flow_requests::{FlowRequests, request_during};
pub use held_up::{Blocker, WaitActivity, held_up};
pub(crate) use thread_stack::ThreadStack;
pub use thread_stack::ThreadStacks;
