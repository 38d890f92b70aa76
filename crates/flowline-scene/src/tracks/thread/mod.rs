//! Threads: their headings, which show a summary while collapsed, and their rows of markers.

mod group_items;
mod group_name;
mod heading;
mod hit;
mod markers;
mod marks;
mod stack_calls;
mod track_indent;

pub use hit::hit;
pub(crate) use markers::MarkerPainter;
pub(crate) use stack_calls::StackCalls;
pub(crate) use track_indent::{LEVEL_INDENT, track_indent};
