//! The tables: names, columns, types and descriptions.

mod column;
mod functions;
mod list;
mod markdown;

pub use column::{ColumnSpec, ColumnType, RECORDING_ID, TableSpec};
pub use functions::{FUNCTIONS, FunctionSpec};
pub use list::{
    ARGS, COUNTER, CRITICAL_PATH, FLOW, FLOW_MEMBER, FLOW_TIMELINE, INSIGHT, MILESTONE, NETWORK_REQUEST, PROCESS,
    RECORDING, SLICE, STACK_FRAME, STACK_SAMPLE, TABLES, THREAD, TRACK,
};
pub use markdown::schema_reference;
