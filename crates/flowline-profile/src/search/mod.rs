//! Facts about the text of a recording that searches collect: escapes, keys, and the strings that payloads reference.

mod escapes;
mod payload_strings;
mod read_payloads;
mod search_facts;
mod string_members;

pub use escapes::{Escapes, max_offsets};
pub use search_facts::SearchFacts;
pub use string_members::StringMembers;
