//! The jank of a process: the periods in which its main thread did not react to events, each with what ran.

mod dump;
mod kind;
mod painter;
mod rows;

pub(super) use kind::JankTracks;
