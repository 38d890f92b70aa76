//! Names unsupported formats and suggests what to do with such a file. Detection uses the content, never the name.

mod bytes;
mod json;
mod named;
#[cfg(test)]
mod tests;

pub(crate) use bytes::{not_a_recording, unsupported_bytes, unsupported_start};
pub(crate) use json::{first_keys, unknown_object, unsupported_array};
use named::Named;
