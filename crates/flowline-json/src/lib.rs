//! A pull parser for JSON text that may be damaged.
//!
//! On well-formed text it agrees with `serde_json` (tested). In addition, positions are byte offsets into the whole
//! input, values can be skipped without decoding, nesting uses no stack, and damaged text produces an error only
//! *after* everything before the damage has been returned.
//!
//! [`Cursor`] reads any text. [`fast_path`] and [`KeyPredictor`] read the usual forms, several bytes at a time. They
//! return `None` for anything unusual, and the caller falls back to the cursor. The fast paths therefore never change
//! which text is accepted.

mod cursor;
mod decode;
mod escape;
pub mod fast_path;
mod key_predictor;
mod known_names;
mod preview;
mod raw_string;
mod simd;
mod value;
mod value_text;

pub use cursor::{Cursor, JsonError, Kind, Problem};
pub use decode::{decode_string, decode_value};
pub use escape::invalid_escapes;
pub use key_predictor::KeyPredictor;
pub use known_names::KNOWN_NAMES;
pub use raw_string::RawString;
pub use value::Value;
pub use value_text::write_json_string;
