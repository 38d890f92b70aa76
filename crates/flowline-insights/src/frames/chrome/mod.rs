//! The frames of a trace of Chrome.

mod begin_queue;
mod compositor;
mod events;
mod main_frame;
mod quick_args;

pub(super) use compositor::frames;
pub(super) use events::may_have;
