//! The ids of flows: their texts, the flows that use them, and lookup by id and time.

mod address;
mod flow_ids;
mod flows_by_id;
mod id_positions;
mod lookup;

pub use address::elided;
pub(crate) use address::short_address;
pub(crate) use flow_ids::{FlowIds, hash_at};
pub(crate) use flows_by_id::FlowsById;
pub(crate) use id_positions::IdPositions;
pub use lookup::FlowName;
