//! SQL sessions.

mod folder;
mod plan;
mod problem;
mod session;
mod sql_size;

pub use plan::{QUERY_STACK, plan_query, split_statements};
pub use problem::{Problem, problem};

pub use session::{Opened, SessionOptions, context, is_exported, open_session, register_recordings};
