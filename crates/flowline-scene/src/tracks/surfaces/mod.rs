//! Markers at the places that their Firefox schema names: strips in headings of threads and above memory counters, and lanes
//! of messages and file accesses below their threads.

mod hit;
mod kind;
mod painter;
mod strip;

pub(super) use hit::strip_hit;
pub(super) use kind::SurfaceTracks;
pub(crate) use strip::content_top;
