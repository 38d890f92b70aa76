//! The picture: what the GPU shows against a CPU reference, and that against naive references that look at every marker
//! in exact arithmetic; what the pointer hits; labels. Random recordings, arrangements, zooms and places.
//!
//! Floats may decide differently from exact arithmetic only where an edge lies within a thousandth of a pixel of a
//! column's boundary; such differences are counted and must be rare. Without a graphics driver these tests fail.

#[path = "../support/mod.rs"]
mod support;

mod bars;
mod comparing;
mod counters;
mod exact;
mod fixtures;
mod flows;
mod gpu;
mod invariants;
mod network;
mod partly;
mod renderer;
mod samples;
mod shaders;
mod svg;
mod tapes;

use support::recording;
