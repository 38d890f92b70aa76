//! Payloads are stored as byte offsets into the input and decoded on demand.
//!
//! A payload is a JSON object, which delimits itself, so its offset suffices: 8 bytes per marker. Markers derived from
//! several raw ones refer to the other objects in a [`Supplement`].

mod decode;
mod field;
mod key_order;
mod message_ends;
mod payload_ref;
mod schema;
mod schema_fields;
mod supplement;

pub use decode::{AT_BEGIN, PayloadContext, decode, decode_full, decode_whole, is_time};
pub(crate) use decode::{map_payload_times, map_times};
pub use field::Field;
pub use key_order::KeyOrder;
pub use message_ends::MESSAGE_ENDS;
pub use payload_ref::PayloadRef;
pub use schema::{Graph, PayloadType, PayloadTypes, Schema};
pub use schema_fields::SchemaFields;
pub use supplement::Supplement;
