//! Names unsupported formats and suggests what to do with such a file. Detection uses the content, never the name.

mod bytes;
mod json;
mod magic;
mod named;
mod protobuf;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use bytes::{not_a_recording, unsupported_bytes, unsupported_start, with_magic_number};
pub(crate) use json::{unknown_object, unsupported_array, unsupported_object_at};
use named::Named;
