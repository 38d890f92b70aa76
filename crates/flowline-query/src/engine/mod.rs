//! SQL sessions.

mod folder;
mod problem;
mod session;

pub use problem::{Problem, problem};

pub use session::{Opened, SessionOptions, context, is_exported, open_session, read_only, register_recordings};
