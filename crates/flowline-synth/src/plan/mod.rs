//! Everything that is decided before a marker is written: `shape` determines processes, threads and time; `flows` places
//! flows; `hubs` places nested event loops; `walk` lays out the markers of a thread.

mod flows;
mod hubs;
mod shape;
mod walk;

pub(crate) use flows::{FAMILIES, Family, Hop, LONG_FAMILIES, Message, Position};
pub(crate) use shape::{EPOCH, Plan, Process, Role, START, Thread};
pub(crate) use walk::{MarkerShape, Request, Sink, Walk};
