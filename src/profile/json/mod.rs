//! A pull reader for JSON text that may be damaged.
//!
//! `serde_json` is the reference this must agree with on well-formed text (tested). It differs where a recording needs
//! it: positions are byte offsets into the whole input, values can be skipped without being decoded, nothing recurses
//! (nesting depth costs no stack), and text that ends early or holds a wrong token gives an error *after* everything
//! before it has been handed out.

mod blocks;
mod cursor;
mod decode;
mod guess;
pub mod plain;

pub use cursor::{Cursor, JsonError, Kind, Problem, RawString};
pub use decode::{decode_string, decode_value};
pub use guess::Guesses;
