//! Wait analysis: the blockers of a wait, and the critical path to a moment. (`docs/waits.md` describes the rules.)

mod causes;
mod content_frame;
mod critical_path;
mod enclosing;
mod flow_requests;
mod held_up;
mod interaction;
mod interval_order;
mod milestone_path;
mod milestones;
mod open_during;
mod open_interval;
mod page_load;
mod path_finder;
mod path_segment;
mod requests_by_flow;
mod scheduler;
#[cfg(test)]
mod tests;
mod thread_stack;
mod wait_activity;

pub use critical_path::CriticalPath;
pub(crate) use flow_requests::request_flows;
pub use flow_requests::{
    NetworkWait, find_flow_requests, knows_flow_requests, network_part, network_wait, request_during,
};
pub use held_up::held_up_by;
pub use milestones::is_milestone;
pub use open_during::{has_intervals, open_during};
pub use open_interval::innermost_open;
pub use path_finder::{MAX_SEGMENTS, PathOptions};
pub use path_segment::{PathKind, PathSegment};
pub use requests_by_flow::FlowRequests;
pub use scheduler::{is_runnable, is_thread_state, runnable_behind};
pub(crate) use thread_stack::ThreadStack;
pub use thread_stack::ThreadStacks;
pub use wait_activity::{Blocker, WaitActivity, blocking, main_blocker};
