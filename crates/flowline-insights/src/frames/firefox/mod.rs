//! The frames of a profile of Firefox.

mod events;
mod pipeline;

pub(super) use events::may_have;
pub(super) use pipeline::frames;
