//! The frames of a profile of Firefox.

mod events;
mod pipeline;
mod presented;
mod ticks;

pub(super) use events::may_have;
pub(super) use pipeline::frames;
