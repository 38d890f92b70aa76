//! Jank: periods in which a thread did not react to events.

mod periods;

pub use periods::Jank;
